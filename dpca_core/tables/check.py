"""How well a table fits its recipe: for its owner alone, before anything is spent.

What it finds blocks nothing and is stored nowhere: a release that was kept back because of a row
would tell of that row. That the owner looked is a look, which the certificate states.
"""

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from dpca_core.data.column_names import label
from dpca_core.data.recipe import Category, MissingPerson, Number, Recipe, Scale
from dpca_core.data.recipe_checks import require_valid
from dpca_core.tables.files import Given
from dpca_core.tables.rows import column_names, distinct_texts, opened, persons_of, read_numbers
from dpca_core.tables.table import Batch, Table

NEARLY = 0.9
"""From this share on a column is nearly wholly unread."""


@dataclass(frozen=True)
class ColumnCheck:
    """How well a column could be read.

    Attributes
    ----------
    filled
        Cells with something in them that does not stand for a missing value.
    unread
        How many of them are no number, or none of the values.
    cut
        How many are outside the range, and are cut to it.
    different
        How many different values the others have, two where there are more.
    is_number
        Whether it is a number.
    """

    name: str
    filled: int
    unread: int
    cut: int
    different: int
    is_number: bool

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
        if self.unread:
            cells = _part(self.unread, self.filled, "cells")
            wrong = "could not be read as numbers" if self.is_number else "were none of its values"
            yield f"{name}: {cells} {wrong}."
        if self.cut:
            yield f"{name}: {_part(self.cut, read, 'values')} were cut to its range."
        if self.different == 1:
            yield f"{name}: its value is the same wherever there is one."


@dataclass(frozen=True, repr=False)
class Check:
    """What was found in a table: private, and never part of a plan, a ledger or a file.

    Attributes
    ----------
    recipe
        What it was checked against.
    records
        How many there are.
    wrong, first_wrong
        How many have not as many cells as the header, and the number of the first, from 1 below the
        header; 0 for none.
    people, most, nobody
        Persons that columns name, the most rows of one, and rows that name nobody; 0 where none
        name them.
    ids
        Of columns that may name a person, the name and how many different values there are.
    columns
        In the order of the recipe.
    """

    recipe: Recipe
    records: int
    wrong: int
    first_wrong: int
    people: int
    most: int
    nobody: int
    ids: tuple[tuple[str, int], ...]
    columns: tuple[ColumnCheck, ...]

    @property
    def lost(self) -> tuple[ColumnCheck, ...]:
        """Columns that must be mended, left out, or released as they are: the owner says which."""
        return tuple(column for column in self.columns if column.is_lost)

    def sentences(self) -> tuple[str, ...]:
        """Say what the owner should know: the records, whose they are, columns that are lost."""
        columns = sorted(self.columns, key=lambda column: not column.is_lost)
        return (
            *self._of_records(),
            *self._of_persons(),
            *(said for column in columns for said in column.sentences()),
        )

    def _of_records(self) -> Iterator[str]:
        yield f"{self.records:,} records were read." if self.records else "There is no record."
        if self.wrong:
            yield (
                f"{_part(self.wrong, self.records, 'records')} did not have as many cells as the "
                "header, and became rows of missing values; the first is record "
                f"{self.first_wrong:,}."
            )

    def _of_persons(self) -> Iterator[str]:
        one, many = self.recipe.unit.one, self.recipe.unit.many
        if self.recipe.names_persons:
            yield f"They are of {self.people:,} {many}, at most {self.most:,} of one {one}."
            if self.nobody:
                leaves_out = self.recipe.missing_person is MissingPerson.LEAVE_OUT
                become = "are left out" if leaves_out else f"count as a {one} each"
                rows = _part(self.nobody, self.records, "rows")
                yield f"{rows} named no {one}; such rows {become}."
        for name, different in self.ids:
            if different < self.records:
                yield (
                    f"There are {self.records:,} rows and {different:,} different values of "
                    f"{label(name)}: is every row a different {one}?"
                )


def check(
    source: "Table | Given | Sequence[Given]", recipe: Recipe, ids: Sequence[str] = ()
) -> Check:
    """Read a table, and count what its recipe could not follow.

    Parameters
    ----------
    ids
        Columns that may name a person, where the recipe names none.

    Raises
    ------
    RecipeError, TableError
        For choices that cannot be followed, and a table without the recipe's columns.
    """
    require_valid(recipe)
    ids = () if recipe.names_persons else ids
    numbers, texts = column_names(recipe)
    columns = [_Counted(column, recipe) for column in recipe.columns]
    records = wrong = first_wrong = 0
    persons: Counter[Hashable] = Counter()
    values: dict[str, set[str | None]] = {name: set() for name in ids}
    table = opened(source, recipe)
    for batch in table.batches(numbers, list(dict.fromkeys([*texts, *ids]))):
        if batch.wrong and not wrong:
            first_wrong = records + batch.wrong[0] + 1
        records, wrong = records + batch.rows, wrong + len(batch.wrong)
        for column in columns:
            column.add(batch)
        if recipe.names_persons:
            persons.update(persons_of(batch, recipe))
        for name, known in values.items():
            known.update(distinct_texts(batch.columns[name], recipe.number_format)[0])
    nobody = persons.pop(None, 0)
    return Check(
        recipe=recipe,
        records=records,
        wrong=wrong,
        first_wrong=first_wrong,
        people=len(persons),
        most=max(persons.values(), default=0),
        nobody=nobody,
        ids=tuple((name, len(known - {None})) for name, known in values.items()),
        columns=tuple(column.found() for column in columns),
    )


class _Counted:
    """A column, and what has been counted of it so far."""

    def __init__(self, column: Number | Scale | Category, recipe: Recipe) -> None:
        self._column, self._recipe = column, recipe
        self._filled = self._unread = self._cut = 0
        self._seen: set[Hashable] = set()

    def add(self, batch: Batch) -> None:
        """Count the cells of some rows."""
        cells, form = batch.columns[self._column.name], self._recipe.number_format
        if isinstance(self._column, Number):
            self._add_numbers(read_numbers(cells, self._column, form), self._column)
            return
        texts, codes = distinct_texts(cells, form)
        missing = {code.strip() for code in self._column.missing}
        times = np.bincount(codes + 1, minlength=len(texts) + 1)[1:]
        for text, count in zip(texts, times.tolist(), strict=True):
            if text is None or text in missing or not count:
                continue
            self._filled += count
            if text in self._column.values:
                self._seen.add(text)
            else:
                self._unread += count

    def _add_numbers(self, values: np.ndarray, number: Number) -> None:
        inside = values[np.isfinite(values)]
        self._filled += int(np.count_nonzero(~np.isnan(values)))
        self._unread += int(np.count_nonzero(np.isinf(values)))
        if self._recipe.ranged:
            cut = np.clip(inside, number.low, number.high)
            self._cut += int(np.count_nonzero(cut != inside))
            inside = cut
        if len(inside) and len(self._seen) < 2:
            self._seen |= {float(inside.min()), float(inside.max())}

    def found(self) -> ColumnCheck:
        """Return what was counted."""
        return ColumnCheck(
            self._column.name,
            self._filled,
            self._unread,
            self._cut,
            min(len(self._seen), 2),
            isinstance(self._column, Number),
        )


def _part(some: int, whole: int, what: str) -> str:
    """Say how many of how many, in per cent too: rounded, but never to none or all of them."""
    share = 100 * some / whole
    text = f"{share:.0f}" if some == whole or 1 <= share <= 99 else f"{share:.1f}"
    if some < whole and text == "100.0":
        text = "more than 99.9"
    if text == "0.0":
        text = "less than 0.1"
    return f"{some:,} of {whole:,} {what} ({text}\u00a0%)"
