"""From the cells of a table to rows in the unit ball, as a recipe says: one way for everybody.

Each cell becomes a number by itself, rows of one person are combined, rows are brought into the
ball. ``prepare`` keeps them, ``second_moment`` adds them up, a release adds them up in whole
numbers. No row is refused, and none changes what another one becomes.
"""

import re
from collections import Counter
from collections.abc import Callable, Generator, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import compress
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from dpca_core.data.clipping import Clipped, to_ball, to_length_one, to_unit_range
from dpca_core.data.recipe import (
    CategoryCoding,
    Combine,
    Listed,
    Missing,
    MissingPerson,
    Number,
    Recipe,
    Scale,
)
from dpca_core.data.text_file_format import (
    MINUS,
    TextFileFormat,
    between_thousands,
    parsed,
    pattern,
)
from dpca_core.linalg.arrays import Array
from dpca_core.runtime.memory import free_memory
from dpca_core.runtime.threads import prefetch
from dpca_core.tables.table import MIXED, Batch, Table, distinct, is_number

Made = TypeVar("Made")

_CELLS = 2**19
"""Numbers of a block of averages."""
_MORE, _LEAST = 1.25, 1024
"""By how much a table in memory grows, and its fewest rows."""


@dataclass(frozen=True, eq=False, repr=False)
class Rows:
    """Some rows, each cell mapped by itself: (b, d), NaN where one has no value.

    ``persons`` are whose they are, None for nobody's; () where a row is a person. ``people`` have
    their first row here, ``read`` rows of the table are in them, and ``cut`` numbers were cut.
    """

    cells: Array
    persons: Sequence[Hashable | None] = ()
    people: int = 0
    read: int = 0
    cut: int = 0

    @property
    def filled(self) -> Array:
        """The cells with what is missing in the centre, at 0."""
        return np.where(np.isnan(self.cells), 0.0, self.cells)


def row_parts(table: Table, recipe: Recipe, make: Callable[[Rows], Made]) -> Generator[Made]:
    """Yield make(rows) for all rows of a table, in its order; it is called by threads, ahead.

    Rows are combined: averages come after the last row of the table, in the order of the persons'
    first ones.
    """
    batches = table.batches(*column_names(recipe))
    mapped = partial(mapped_rows, recipe=recipe)
    if recipe.names_persons:
        combined = _first_rows if recipe.combine is Combine.AT_MOST else _averages
        return prefetch(make, combined(prefetch(mapped, batches), recipe))
    return prefetch(lambda batch: make(mapped(batch)), batches)


def column_names(recipe: Recipe) -> tuple[list[str], list[str]]:
    """Return the columns of a table that are read as numbers, and as texts."""
    listed = (column.name for column in (*recipe.scales, *recipe.categories))
    return [c.name for c in recipe.numbers], list(dict.fromkeys([*listed, *recipe.person]))


def unit_rows(table: Table, recipe: Recipe) -> Iterator[Array]:
    """Yield the rows (b, d) of a table in the unit ball, before a private mean."""
    return row_parts(table, recipe, lambda rows: in_ball(rows.filled, recipe).values)


def in_ball(cells: Array, recipe: Recipe) -> Clipped:
    """Make rows (b, d) of length 1, or shorten those above R and divide by it."""
    if recipe.made_of_length_one:
        return Clipped(to_length_one(cells), 0, len(cells))
    return to_ball(cells, recipe.bound)


@np.errstate(all="ignore")
def mapped_rows(batch: Batch, recipe: Recipe) -> Rows:
    """Map each cell of some rows by itself, and leave out the rows that the recipe leaves out.

    Nothing is warned of: what a program prints must not depend on a row.
    """
    form, numbers, start = recipe.number_format, recipe.numbers, len(recipe.numbers)
    values = np.empty((recipe.width, batch.rows))
    for row, number in zip(values, numbers, strict=False):
        row[:] = read_numbers(batch.columns[number.name], number, form)
    values[:start][np.isinf(values[:start])] = np.nan
    missing = np.zeros(batch.rows, dtype=bool)
    for column in (*recipe.scales, *recipe.categories):
        coded = _coded(column, recipe)
        places = read_places(batch.columns[column.name], column, form)
        np.take(coded, places, axis=1, out=values[start : start + len(coded)], mode="wrap")
        missing |= places < 0
        start += len(coded)
    persons, gone = persons_of(batch, recipe), np.zeros(batch.rows, dtype=bool)
    if recipe.missing is Missing.DROP:
        gone = missing | np.isnan(values[: len(numbers + recipe.scales)]).any(axis=0)
    if recipe.person and recipe.missing_person is MissingPerson.LEAVE_OUT:
        gone |= np.array([who is None for who in persons], dtype=bool)
    if gone.any():
        values, persons = values[:, ~gone], [*compress(persons, ~gone)]
    cut, p = 0, len(numbers)
    if recipe.ranged:
        inside = to_unit_range(values[:p].T, *recipe.ranges, recipe.typical, missing=np.nan)
        values[:p], cut = inside.values.T, inside.changed
    return Rows(values.T, persons, values.shape[1], values.shape[1], cut)


def _coded(column: Listed, recipe: Recipe) -> Array:
    """Return what m values become (c, m + 2), then what any other text does and a missing one."""
    if isinstance(column, Scale):
        return np.array([[*column.steps.values(), np.nan, np.nan]])
    m = len(column.values)
    hot = np.full((m, m + 2), np.nan)
    hot[:, :m] = np.eye(m) - (1 / m if recipe.category_coding is CategoryCoding.CENTRED else 0)
    return hot


def read_numbers(cells: Any, number: Number, form: TextFileFormat) -> Array:
    """Return a column of numbers (b,), NaN where one is missing, ∞ for what is no finite number.

    Codes that are numbers are compared as numbers, whether cells came as numbers or as text.
    """
    if pa.types.is_dictionary(cells.type) and is_number(cells.type.value_type):
        cells = cells.dictionary_decode()
    if cells.type == MIXED:
        texts, numbers = (read_numbers(part, number, form) for part in cells.flatten())
        return np.where(np.isnan(numbers), texts, numbers)
    if is_number(cells.type):
        values = np.array(cells.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False))
    else:
        found, places = distinct(cells)
        values = np.append(_numbers_of_texts(found, number, form), np.nan)[places]
    for code in (*form.missing, *number.missing):
        if (value := parsed(code, form)) is not None:
            values[values == value] = np.nan
    return values


def _numbers_of_texts(texts: Any, number: Number, form: TextFileFormat) -> Array:
    """Return the number (k,) that each text is; a unit may stand on either side of it."""
    words = [code.strip() for code in number.missing if parsed(code, form) is None]
    text = pc.utf8_trim_whitespace(texts)
    missing = pc.is_in(text, value_set=pa.array(["", *form.missing, *words], pa.string()))
    text = pc.if_else(missing, None, text)
    if number.unit:
        is_number = pc.match_substring_regex(text, pattern(form))
        text = pc.if_else(is_number, text, _without_unit(text, number.unit))
    good = pc.fill_null(pc.match_substring_regex(text, pattern(form)), fill_value=False)
    wrong = pc.and_not(pc.is_valid(text), good)
    text = pc.if_else(good, text, None)
    for mark in filter(None, (" ", form.thousands)):
        text = pc.replace_substring(text, mark, "")
    if not pc.all(pc.string_is_ascii(text)).as_py():
        text = pc.replace_substring_regex(text, between_thousands(form), "")
        text = pc.replace_substring(text, MINUS, "-")
    if "," in form.decimal:
        text = pc.replace_substring(text, ",", ".")
    found = pc.cast(pc.utf8_ltrim(text, "+"), pa.float64())
    return np.array(pc.if_else(wrong, np.inf, found).to_numpy(zero_copy_only=False))


def _without_unit(text: Any, unit: str) -> Any:
    """Return texts (k,) without a unit at their end, or else at their beginning, behind a sign."""
    ends = pc.ends_with(text, unit)
    bare = pc.utf8_rtrim_whitespace(pc.utf8_slice_codeunits(text, 0, -len(unit)))
    if pc.all(ends).as_py():
        return bare
    before = rf"^([-+{MINUS}]?)[\s\pZ]*{re.escape(unit)}[\s\pZ]*"
    return pc.if_else(ends, bare, pc.replace_substring_regex(text, before, r"\1"))


def read_places(cells: Any, column: Listed, form: TextFileFormat) -> NDArray[np.intp]:
    """Return which of a column's m values each cell is (b,): m for none of them, −1 if missing."""
    texts, codes = distinct_texts(cells, form, column.missing)
    known: dict[str | None, int] = {value: place for place, value in enumerate(column.values)}
    known[None] = -1
    return np.array([*(known.get(text, len(column.values)) for text in texts), -1])[codes]


def distinct_texts(
    cells: Any, form: TextFileFormat, codes: Sequence[str] = ()
) -> tuple[list[str | None], NDArray[np.intp]]:
    """Return a column's different texts, None for a missing value, and which one a cell has.

    They have no spaces around them. A cell without a text has the place −1.
    """
    found, places = distinct(cells)
    missing = {"", *form.missing, *map(str.strip, codes)}
    texts = pc.utf8_trim_whitespace(found).to_pylist()
    return [None if text in missing else text for text in texts], places


def persons_of(batch: Batch, recipe: Recipe) -> list[Hashable | None]:
    """Return whose each row is: the texts of the columns that name a person, all of them there."""
    parts = []
    for name in recipe.person:
        texts, codes = distinct_texts(batch.columns[name], recipe.number_format)
        if recipe.ids_ignore_case:
            texts = [text and "".join(text.split()).casefold() for text in texts]
        texts.append(None)
        parts.append([texts[code] for code in codes.tolist()])
    return [who if all(who) else None for who in zip(*parts, strict=True)]


def _first_rows(parts: Iterable[Rows], recipe: Recipe) -> Iterator[Rows]:
    """Keep the first m rows of each person; a row of nobody is a person of its own."""
    seen: Counter[Hashable] = Counter()
    for part in parts:
        kept, people = np.zeros(len(part.persons), dtype=bool), 0
        for row, who in enumerate(part.persons):
            before = 0 if who is None else seen[who]
            kept[row] = before < recipe.most
            people += before == 0
            seen[who] += 1
        yield replace(part, cells=part.cells[kept], people=people)


def _averages(parts: Iterable[Rows], recipe: Recipe) -> Iterator[Rows]:
    """Average all rows of each person: what is missing is left out, but counts in a category.

    They are added in the order of the table: the rows of others change not the last digit.
    """
    number: dict[Hashable, int] = {}
    sums, counts = (np.empty((0, recipe.width)) for _ in range(2))
    read = cut = 0
    for part in parts:
        # A row of nobody is a person of its own: a number is no text.
        at = [number.setdefault(who or len(number), len(number)) for who in part.persons]
        groups = np.array(at, np.intp)
        read, cut = read + part.read, cut + part.cut
        for table in (sums, counts):
            make_room(table, len(number))
        known, filled = ~np.isnan(part.cells), part.filled
        known[:, len(recipe.numbers + recipe.scales) :] = True
        with np.errstate(over="ignore", invalid="ignore"):
            for j in range(recipe.width):
                np.add.at(sums[:, j], groups, filled[:, j])
                np.add.at(counts[:, j], groups, known[:, j].astype(float))
    size = max(_CELLS // recipe.width, 256)
    for start in range(0, len(number), size):
        total, times = (each[start : min(start + size, len(number))] for each in (sums, counts))
        rows = np.where(times > 0, total / np.maximum(times, 1), np.nan)
        rows[np.isinf(rows)] = np.nan
        yield Rows(rows, (), len(rows), read, cut)
        read = cut = 0


def make_room(table: Array, rows: int) -> None:
    """Let a table (n, d) have at least so many rows, the new ones 0, without a second copy of it.

    Raises ``MemoryError`` instead of taking more than is free: the system would end the process.
    """
    if rows > len(table):
        room, d = max(int(len(table) * _MORE), rows, _LEAST), table.shape[1]
        free = free_memory()
        if free is not None and 8 * (room - len(table)) * d > free:
            raise MemoryError("The rows of this table need more memory than is free.")
        # Memory that nobody else holds: the system moves its pages, not what is in them.
        table.resize((room, d), refcheck=False)
