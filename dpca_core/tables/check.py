"""How well a table fits its recipe: for its owner alone, before anything is spent.

What it finds blocks nothing and is stored nowhere: a release that was kept back because of a row
would tell of that row. That the owner looked is a look, which the certificate states.
"""

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from math import inf, nan

import numpy as np

from dpca_core.data.column_names import label
from dpca_core.data.errors import WORDS
from dpca_core.data.recipe import MissingPerson, Number, Recipe
from dpca_core.data.recipe_checks import require_valid
from dpca_core.linalg.arrays import Array
from dpca_core.tables.files import Given, open_table
from dpca_core.tables.rows import (
    column_names,
    distinct_texts,
    persons_of,
    read_numbers,
    read_places,
)

NEARLY = 0.9
"""From this share on a column is nearly wholly unread."""


@dataclass(repr=False)
class ColumnCheck:
    """How well a column could be read.

    Of ``filled`` cells (``empty`` are those that are missing) how many are no number, or none of
    the values (``unread``), or cut to the range; ``seen`` are two values of the rest, or the one.
    """

    name: str
    is_number: bool
    empty: int = 0
    filled: int = 0
    unread: int = 0
    cut: int = 0
    seen: set[float] = field(default_factory=set)

    @property
    def is_lost(self) -> bool:
        """Whether (nearly) nothing of it could be read: it has to be asked about."""
        return self.unread >= NEARLY * self.filled

    def sentences(self) -> Iterator[str]:
        """Say what is wrong with it."""
        if not self.filled:
            yield _say("all_empty", self.name)
            return
        unread = "no_number" if self.is_number else "no_value"
        for sentence, some, whole in (
            ("empty", self.empty, self.empty + self.filled),
            (unread, self.unread, self.filled),
            ("cut", self.cut, self.filled - self.unread),
        ):
            if some:
                yield _say(sentence, self.name, some, whole)
        if len(self.seen) == 1:
            yield _say("constant", self.name)

    def add(self, values: Array, low: float, high: float) -> None:
        """Count some cells (b,): NaN is none, ∞ could not be read, numbers are cut to a range."""
        inside = values[np.isfinite(values)]
        within = np.clip(inside, low, high)
        empty = int(np.isnan(values).sum())
        self.empty, self.filled = self.empty + empty, self.filled + len(values) - empty
        self.unread += int(np.isinf(values).sum())
        self.cut += int((within != inside).sum())
        if len(inside) and len(self.seen) < 2:
            self.seen |= {float(within.min()), float(within.max())}


@dataclass(frozen=True, repr=False)
class Check:
    """What was found in a table: private, and never part of a plan, a ledger or a file.

    ``wrong`` of its records have another width than the header; ``about`` are sentences on the
    records, and on whose they are.
    """

    records: int
    wrong: int
    about: tuple[str, ...]
    columns: tuple[ColumnCheck, ...]

    @property
    def lost(self) -> tuple[ColumnCheck, ...]:
        """Columns that must be mended, left out, or released as they are: the owner says which."""
        return tuple(column for column in self.columns if column.is_lost)

    def sentences(self) -> tuple[str, ...]:
        """Say what the owner should know: the records, whose they are, columns that are lost."""
        columns = sorted(self.columns, key=lambda column: not column.is_lost)
        return (*self.about, *(said for column in columns for said in column.sentences()))


def check(source: Given, recipe: Recipe, ids: Sequence[str] = ()) -> Check:
    """Read a table, and count what its recipe could not follow.

    ``ids`` are columns that may name a person, where the recipe names none. RecipeError or
    TableError for choices that cannot be followed, and a table without the recipe's columns.
    """
    require_valid(recipe)
    (numbers, texts), form = column_names(recipe), recipe.number_format
    columns = tuple(ColumnCheck(c.name, isinstance(c, Number)) for c in recipe.columns)
    records = wrong = first = 0
    persons: Counter[Hashable] = Counter()
    values: dict[str, set[str | None]] = {n: set() for n in ids if not recipe.names_persons}
    for batch in open_table(source, form).batches(numbers, list(dict.fromkeys([*texts, *values]))):
        if batch.wrong and not wrong:
            first = records + batch.wrong[0] + 1
        records, wrong = records + batch.rows, wrong + len(batch.wrong)
        for column, counted in zip(recipe.columns, columns, strict=True):
            cells, low, high = batch.columns[column.name], -inf, inf
            if isinstance(column, Number):
                if recipe.ranged:
                    low, high = column.low, column.high
                counted.add(read_numbers(cells, column, form), low, high)
            else:
                places = read_places(cells, column, form)
                counted.add(np.array([*range(len(column.values)), inf, nan])[places], low, high)
        persons.update(persons_of(batch, recipe))
        for name, known in values.items():
            known.update(distinct_texts(batch.columns[name], form)[0])
    about = [_say("records" if records else "no_record", some=records)]
    if wrong:
        about.append(_say("wrong", "", wrong, records, first=first))
    nobody, unit = persons.pop(None, 0), recipe.unit
    if recipe.names_persons:
        most = max(persons.values(), default=0)
        who = unit.word(f"{len(persons)}")
        about.append(_say("people", some=len(persons), who=who, most=most, unit=unit))
    if nobody:
        leaves_out = recipe.missing_person is MissingPerson.LEAVE_OUT
        become = "nobody_left_out" if leaves_out else "nobody_own"
        about.append(_say(become, "", nobody, records, unit=unit))
    for name, known in values.items():
        if (different := len(known - {None})) < records:
            about.append(_say("ids", name, different, records, unit=unit))
    return Check(records, wrong, tuple(about), columns)


def _say(sentence: str, name: str = "", some: int = 0, whole: int = 1, **facts: object) -> str:
    """Return a sentence about so many of a whole, in per cent too: not rounded to none or all."""
    share = 100 * some / whole
    text = f"{share:.0f}" if some == whole or 1 <= share <= 99 else f"{share:.1f}"
    if some < whole and text == "100.0":
        text = "more than 99.9"
    if text == "0.0":
        text = "less than 0.1"
    facts |= {"name": label(name), "some": some, "whole": whole, "share": f"{text}\u00a0%"}
    return WORDS["check"][sentence].format(**facts)
