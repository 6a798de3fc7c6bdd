"""From the cells of a table to rows in the unit ball, as a recipe says: one way for everybody.

Each cell becomes a number by itself, rows of one person are combined, rows are brought into the
ball. ``prepare`` keeps them, ``second_moment`` adds them up, a release adds them up in whole
numbers. No row is refused, and none changes what another one becomes.
"""

import re
from collections import Counter
from collections.abc import Callable, Generator, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from dpca_core.data.clipping import Clipped, to_ball, to_length_one, to_unit_range
from dpca_core.data.recipe import (
    Category,
    CategoryCoding,
    Combine,
    Missing,
    MissingPerson,
    Number,
    Recipe,
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
from dpca_core.tables.table import Batch, Table

Made = TypeVar("Made")

_CELLS = 2**19
"""Numbers of a block of averages."""
_MORE, _LEAST = 1.25, 1024
"""By how much a table in memory grows, and its fewest rows."""


@dataclass(frozen=True, eq=False, repr=False)
class Rows:
    """Some rows, each cell mapped by itself.

    Attributes
    ----------
    cells
        (b, d), in [−1, 1] where the recipe bounds numbers, NaN for a missing number or scale.
    persons
        Whose each row is; None for nobody's. None for all where a row is a person.
    people, read
        How many persons have their first row here; rows that were mapped and not left out.
    cut
        How many numbers were cut to their range.
    """

    cells: Array
    persons: list[Hashable | None] | None
    people: int
    read: int
    cut: int


def row_parts(
    table: Table, recipe: Recipe, make: Callable[[Rows], Made], *, fill: bool = True
) -> Generator[Made]:
    """Yield make(rows) for all rows of a table, in its order; it is called by threads, ahead.

    Rows are combined and, unless each is another person's and they are not to be filled, have no
    missing number any more. Averages come in the order of the persons' first rows, after the last
    row of the table.
    """
    batches = table.batches(*column_names(recipe))
    mapped = partial(mapped_rows, recipe=recipe)
    if recipe.names_persons:
        return prefetch(make, person_rows(prefetch(mapped, batches), recipe))
    filled = _filled if fill else lambda rows: rows
    return prefetch(lambda batch: make(filled(mapped(batch))), batches)


def column_names(recipe: Recipe) -> tuple[list[str], list[str]]:
    """Return the columns of a table that are read as numbers, and as texts."""
    ordered = (*(c.name for c in recipe.scales), *(c.name for c in recipe.categories))
    return [c.name for c in recipe.numbers], list(dict.fromkeys([*ordered, *recipe.person]))


def unit_rows(table: Table, recipe: Recipe) -> Iterator[Array]:
    """Yield the rows (b, d) of a table in the unit ball, before a private mean."""
    return row_parts(table, recipe, lambda rows: in_ball(rows.cells, recipe).values)


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
    p, q = len(recipe.numbers), len(recipe.numbers) + len(recipe.scales)
    values = np.empty((recipe.width, batch.rows))
    for row, number in zip(values, recipe.numbers, strict=False):
        row[:] = read_numbers(batch.columns[number.name], number, recipe.number_format)
    for row, scale in zip(values[p:], recipe.scales, strict=False):
        texts, codes = distinct_texts(batch.columns[scale.name], recipe.number_format)
        row[:] = np.array([*(scale.steps.get(text or "", np.nan) for text in texts), np.nan])[codes]
    values[:p][np.isinf(values[:p])] = np.nan
    gone, start = np.asarray(np.isnan(values[:q]).any(axis=0)), q
    for category in recipe.categories:
        cells = batch.columns[category.name]
        texts, codes = distinct_texts(cells, recipe.number_format, category.missing)
        hot = _indicators(texts, category, recipe.category_coding)
        np.take(hot, codes, axis=1, out=values[start : start + len(hot)], mode="wrap")
        gone |= np.array([*(text is None for text in texts), True])[codes]
        start += len(hot)
    persons = persons_of(batch, recipe) if recipe.person else None
    gone &= recipe.missing is Missing.DROP
    if persons is not None and recipe.missing_person is MissingPerson.LEAVE_OUT:
        gone |= np.array([who is None for who in persons], dtype=bool)
    if gone.any():
        values = values[:, ~gone]
        persons = persons and [who for who, leaves in zip(persons, gone, strict=True) if not leaves]
    cut = 0
    if recipe.ranged and p:
        inside = to_unit_range(values[:p].T, *recipe.ranges, recipe.typical, missing=np.nan)
        values[:p], cut = inside.values.T, inside.changed
    rows = values.shape[1]
    return Rows(values.T, persons, rows, rows, cut)


def read_numbers(cells: Any, number: Number, form: TextFileFormat) -> Array:
    """Return a column of numbers (b,), NaN where one is missing, ∞ for what is no finite number.

    Codes that are numbers are compared as numbers, whether a run of cells came as numbers or as
    text: with the code "-9" the cells " -9" and "-9.0" are missing in both.
    """
    if pa.types.is_floating(cells.type):
        values = np.array(cells.to_numpy(zero_copy_only=False), dtype=np.float64)
    else:
        encoded = cells.dictionary_encode()
        found = _numbers_of_texts(encoded.dictionary, number, form)
        values = np.append(found, np.nan)[_codes(encoded)]
    for code in _codes_of_numbers((*form.missing, *number.missing), form):
        values[values == code] = np.nan
    return values


@cache
def _codes_of_numbers(codes: tuple[str, ...], form: TextFileFormat) -> tuple[float, ...]:
    values = (parsed(code, form) for code in codes)
    return tuple(dict.fromkeys(value for value in values if value is not None))


def _numbers_of_texts(texts: Any, number: Number, form: TextFileFormat) -> Array:
    """Return the number (k,) that each text is; a unit may stand on either side of it."""
    text = pc.utf8_trim_whitespace(texts)
    words = [code.strip() for code in number.missing if parsed(code, form) is None]
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
    try:
        found = pc.cast(pc.utf8_ltrim(text, "+"), pa.float64())
    except pa.ArrowInvalid:
        # Beyond the largest number Arrow refuses a text that Python takes for infinite.
        each = [None if cell is None else float(cell) for cell in text.to_pylist()]
        found = pa.array(each, pa.float64())
    found = pc.if_else(wrong, np.inf, found)
    return np.array(found.to_numpy(zero_copy_only=False), dtype=np.float64)


def _without_unit(text: Any, unit: str) -> Any:
    """Return texts (k,) without a unit at their end, or else at their beginning, behind a sign."""
    ends = pc.ends_with(text, unit)
    bare = pc.utf8_rtrim_whitespace(pc.utf8_slice_codeunits(text, 0, -len(unit)))
    if pc.all(ends).as_py():
        return bare
    before = rf"^([-+{MINUS}]?)[\s\pZ]*{re.escape(unit)}[\s\pZ]*"
    return pc.if_else(ends, bare, pc.replace_substring_regex(text, before, r"\1"))


def distinct_texts(
    cells: Any, form: TextFileFormat, codes: Sequence[str] = ()
) -> tuple[list[str | None], NDArray[np.intp]]:
    """Return a column's different texts, without spaces around them, and which one a cell has.

    A text that stands for a missing value is None; so is that behind the last, of code −1.
    """
    encoded = cells.dictionary_encode()
    texts = pc.utf8_trim_whitespace(encoded.dictionary).to_pylist()
    missing = {"", *form.missing, *map(str.strip, codes)}
    return [None if text in missing else text for text in texts], _codes(encoded)


def _codes(encoded: Any) -> NDArray[np.intp]:
    found = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    return np.asarray(found, dtype=np.intp)


def _indicators(texts: list[str | None], category: Category, coding: CategoryCoding) -> Array:
    """Return what each text becomes (m, k + 1); a column of zeros, the last, is nothing's."""
    m = len(category.values)
    less = 1 / m if coding is CategoryCoding.CENTRED else 0.0
    found, places = np.zeros((m, len(texts) + 1)), {v: i for i, v in enumerate(category.values)}
    for column, text in enumerate(texts):
        if (place := places.get(text) if text is not None else None) is not None:
            found[:, column] -= less
            found[place, column] += 1.0
    return found


def persons_of(batch: Batch, recipe: Recipe) -> list[Hashable | None]:
    """Return whose each row is: the texts of the columns that name a person, all of them there."""
    parts = []
    for name in recipe.person:
        texts, codes = distinct_texts(batch.columns[name], recipe.number_format)
        if recipe.ids_ignore_case:
            texts = [text and "".join(text.split()).casefold() for text in texts]
        texts.append(None)
        parts.append([texts[code] for code in codes.tolist()])
    if len(parts) == 1:
        return [text or None for text in parts[0]]
    return [who if all(who) else None for who in zip(*parts, strict=True)]


def person_rows(parts: Iterable[Rows], recipe: Recipe) -> Iterator[Rows]:
    """Average the rows of each person, or keep the first m of them."""
    combined = _first_rows if recipe.combine is Combine.AT_MOST else _averages
    yield from map(_filled, combined(parts, recipe))


def _filled(rows: Rows) -> Rows:
    """Rows with what is missing in the centre, at 0."""
    rows.cells[np.isnan(rows.cells)] = 0.0
    return rows


def _first_rows(parts: Iterable[Rows], recipe: Recipe) -> Iterator[Rows]:
    """Keep the first m rows of each person; a row of nobody is a person of its own."""
    seen: Counter[Hashable] = Counter()
    for part in parts:
        assert part.persons is not None
        kept, people = np.zeros(len(part.persons), dtype=bool), 0
        for row, who in enumerate(part.persons):
            before = 0 if who is None else seen[who]
            kept[row] = before < recipe.most
            people += before == 0
            seen[who] += 1
        yield replace(part, cells=part.cells[kept], people=people)


def _averages(parts: Iterable[Rows], recipe: Recipe) -> Iterator[Rows]:
    """Average all rows of each person, numbers that are missing left out.

    They are added in the order of the table, and divided by their number: the rows of others change
    nothing of it, not the last digit.
    """
    number: dict[Hashable, int] = {}
    sums = counts = GrowingTable(0)
    read = cut = 0
    for part in parts:
        assert part.persons is not None
        # A row of nobody is a person of its own: a number is no text.
        at = [number.setdefault(who or len(number), len(number)) for who in part.persons]
        groups = np.array(at, np.intp)
        if not read:
            sums, counts = (GrowingTable(part.cells.shape[1]) for _ in range(2))
        read, cut = read + part.read, cut + part.cut
        sums.grow(len(number))
        counts.grow(len(number))
        known = ~np.isnan(part.cells)
        with np.errstate(over="ignore", invalid="ignore"):
            for j, there in enumerate(known.T):
                np.add.at(sums.values()[:, j], groups, np.where(there, part.cells[:, j], 0.0))
                np.add.at(counts.values()[:, j], groups, there.astype(float))
    size = max(_CELLS // recipe.width, 256)
    for start in range(0, len(number), size):
        total, times = (each.values()[start : start + size] for each in (sums, counts))
        rows = np.where(times > 0, total / np.maximum(times, 1), np.nan)
        rows[np.isinf(rows)] = np.nan
        yield Rows(rows, None, len(rows), read, cut)
        read = cut = 0


class GrowingTable:
    """Rows (n, d) in memory, of which more come, without a second copy of them.

    Raises ``MemoryError`` instead of taking more than is free: the system would end the process.
    """

    def __init__(self, d: int) -> None:
        self._table, self._rows = np.empty((0, d)), 0

    def __len__(self) -> int:
        """Return n."""
        return self._rows

    def add(self, rows: Array) -> None:
        """Add rows (b, d)."""
        self.grow(self._rows + len(rows))
        self._table[self._rows - len(rows) : self._rows] = rows

    def grow(self, rows: int) -> None:
        """Have at least so many rows; new ones are 0."""
        if rows > len(self._table):
            room = max(int(len(self._table) * _MORE), rows, _LEAST)
            free = free_memory()
            if free is not None and 8 * (room - len(self._table)) * self._table.shape[1] > free:
                raise MemoryError("The rows of this table need more memory than is free.")
            # Memory that nobody else holds: the system moves its pages, not what is in them.
            self._table.resize((room, self._table.shape[1]), refcheck=False)
        self._rows = max(self._rows, rows)

    def values(self) -> Array:
        """Return the rows so far; only until more are added."""
        return self._table[: self._rows]
