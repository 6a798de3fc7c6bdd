"""How well a table fits its recipe: for its owner alone, before anything is spent.

What it finds blocks nothing and is stored nowhere: a release that was kept back because of a row
would tell of that row. That the owner looked is a look, which the certificate states.
"""

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dpca_core.data.column_names import label
from dpca_core.data.recipe import Category, MissingPerson, Number, Recipe, Scale
from dpca_core.data.recipe_checks import require_valid
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.tables.files import Given, open_table
from dpca_core.tables.rows import column_names, distinct_texts, persons_of, read_numbers

NEARLY = 0.9
"""From this share on a column is nearly wholly unread."""


@dataclass(repr=False)
class ColumnCheck:
    """How well a column could be read.

    Of ``filled`` cells (``empty`` are those without a value, or with a code for a missing one) how
    many are no number, or none of the values (``unread``), and how many are cut to the range.
    ``seen`` are values of the others; of numbers two that differ are enough.
    """

    name: str
    is_number: bool
    empty: int = 0
    filled: int = 0
    unread: int = 0
    cut: int = 0
    seen: set[Hashable] = field(default_factory=set)

    @property
    def is_lost(self) -> bool:
        """Whether (nearly) nothing of it could be read: it has to be asked about."""
        return self.unread >= NEARLY * self.filled

    def sentences(self) -> Iterator[str]:
        """Say what is wrong with it."""
        name, read = label(self.name), self.filled - self.unread
        if not self.filled:
            yield f"{name}: every cell is empty or missing."
            return
        if self.empty:
            yield f"{name}: {_part(self.empty, self.empty + self.filled, 'cells')} had no value."
        if self.unread:
            cells = _part(self.unread, self.filled, "cells")
            wrong = "could not be read as numbers" if self.is_number else "held none of its values"
            yield f"{name}: {cells} {wrong}."
        if self.cut:
            yield f"{name}: {_part(self.cut, read, 'values')} cut to its range."
        if len(self.seen) == 1:
            yield f"{name}: its value is the same wherever there is one."

    def add_texts(self, cells: Any, column: Scale | Category, form: TextFileFormat) -> None:
        """Count the cells of some rows that should be one of a column's values."""
        texts, codes = distinct_texts(cells, form, column.missing)
        times = np.bincount(codes + 1, minlength=len(texts) + 1)[1:].tolist()
        self.empty += len(codes) - sum(times)
        for text, count in zip(texts, times, strict=True):
            if text is None or not count:
                self.empty += count
                continue
            self.filled += count
            if text in column.values:
                self.seen.add(text)
            else:
                self.unread += count

    def add_numbers(self, cells: Any, number: Number, recipe: Recipe) -> None:
        """Count the cells of some rows that should be numbers."""
        values = read_numbers(cells, number, recipe.number_format)
        inside = values[np.isfinite(values)]
        gone = int(np.count_nonzero(np.isnan(values)))
        self.empty, self.filled = self.empty + gone, self.filled + len(values) - gone
        self.unread += int(np.count_nonzero(np.isinf(values)))
        if recipe.ranged:
            cut = np.clip(inside, number.low, number.high)
            self.cut += int(np.count_nonzero(cut != inside))
            inside = cut
        if len(inside) and len(self.seen) < 2:
            self.seen |= {float(inside.min()), float(inside.max())}


@dataclass(repr=False)
class Check:
    """What was found in a table: private, and never part of a plan, a ledger or a file.

    Attributes
    ----------
    recipe, columns
        What it was checked against, and what was found of each of its columns.
    wrong, first_wrong
        How many have not as many cells as the header, and the number of the first, from 1 below the
        header; 0 for none.
    people, most, nobody
        Persons that columns name, the most rows of one, and rows that name nobody; 0 where none
        name them.
    ids
        Of columns that may name a person, how many different values there are.
    """

    recipe: Recipe
    columns: tuple[ColumnCheck, ...]
    records: int = 0
    wrong: int = 0
    first_wrong: int = 0
    people: int = 0
    most: int = 0
    nobody: int = 0
    ids: dict[str, int] = field(default_factory=dict)

    @property
    def lost(self) -> tuple[ColumnCheck, ...]:
        """Columns that must be mended, left out, or released as they are: the owner says which."""
        return tuple(column for column in self.columns if column.is_lost)

    def sentences(self) -> tuple[str, ...]:
        """Say what the owner should know: the records, whose they are, columns that are lost."""
        columns = sorted(self.columns, key=lambda column: not column.is_lost)
        return (*self._of_records(), *(said for column in columns for said in column.sentences()))

    def _of_records(self) -> Iterator[str]:
        one, many = self.recipe.unit.one, self.recipe.unit.many
        yield f"{self.records:,} records were read." if self.records else "There is no record."
        if self.wrong:
            yield (
                f"{_part(self.wrong, self.records, 'records')} did not have as many cells as the "
                "header, and became rows of missing values; the first is record "
                f"{self.first_wrong:,}."
            )
        if self.recipe.names_persons:
            yield f"They are of {self.people:,} {many}, at most {self.most:,} of one {one}."
        if self.nobody:
            leaves_out = self.recipe.missing_person is MissingPerson.LEAVE_OUT
            become = "are left out" if leaves_out else f"count as a {one} each"
            rows = _part(self.nobody, self.records, "rows")
            yield f"{rows} named no {one}; such rows {become}."
        for name, different in self.ids.items():
            if different < self.records:
                yield (
                    f"There are {self.records:,} rows and {different:,} different values of "
                    f"{label(name)}: is every row a different {one}?"
                )


def check(source: Given, recipe: Recipe, ids: Sequence[str] = ()) -> Check:
    """Read a table, and count what its recipe could not follow.

    ``ids`` are columns that may name a person, where the recipe names none. RecipeError or
    TableError for choices that cannot be followed, and a table without the recipe's columns.
    """
    require_valid(recipe)
    (numbers, texts), form = column_names(recipe), recipe.number_format
    columns = [ColumnCheck(c.name, isinstance(c, Number)) for c in recipe.columns]
    found = Check(recipe, tuple(columns))
    persons: Counter[Hashable] = Counter()
    values: dict[str, set[str | None]] = {n: set() for n in ids if not recipe.names_persons}
    table = open_table(source, form)
    for batch in table.batches(numbers, list(dict.fromkeys([*texts, *values]))):
        if batch.wrong and not found.wrong:
            found.first_wrong = found.records + batch.wrong[0] + 1
        found.records, found.wrong = found.records + batch.rows, found.wrong + len(batch.wrong)
        for column, counted in zip(recipe.columns, columns, strict=True):
            cells = batch.columns[column.name]
            if isinstance(column, Number):
                counted.add_numbers(cells, column, recipe)
            else:
                counted.add_texts(cells, column, form)
        if recipe.names_persons:
            persons.update(persons_of(batch, recipe))
        for name, known in values.items():
            known.update(distinct_texts(batch.columns[name], form)[0])
    found.nobody = persons.pop(None, 0)
    found.people, found.most = len(persons), max(persons.values(), default=0)
    found.ids = {name: len(known - {None}) for name, known in values.items()}
    return found


def _part(some: int, whole: int, what: str) -> str:
    """Say how many of how many, in per cent too: rounded, but never to none or all of them."""
    share = 100 * some / whole
    text = f"{share:.0f}" if some == whole or 1 <= share <= 99 else f"{share:.1f}"
    if some < whole and text == "100.0":
        text = "more than 99.9"
    if text == "0.0":
        text = "less than 0.1"
    return f"{some:,} of {whole:,} {what} ({text}\u00a0%)"
