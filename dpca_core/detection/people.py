"""Whose rows are they? Columns whose values repeat while facts about a person stay the same.

Finding nothing proves nothing: whatever is found, or not, becomes a question to the owner.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations, permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pandas import DataFrame, Series, factorize, to_numeric

from dpca_core.detection import WORDS
from dpca_core.detection.columns import words_of
from dpca_core.linalg.arrays import Array
from dpca_core.runtime.cached_property import cached_property

_MOST_COLUMNS, _MOST_NAMED, _MOST_QUIET, _MOST_PAIRED = 400, 8, 12, 8
"""Columns that are looked at: in all, with an identifier's name, without one, and in pairs."""
_FEWEST_PEOPLE, _FEWEST_AGAIN, _MOST_ROWS = 20, 10, 50
"""People; of them with several rows; rows of one without an identifier's name."""
_CONSTANT, _MOST_SHUFFLED, _LEFT_OVER = 0.97, 0.6, 0.05
"""Share of people within whom a fact stays: at least; at most of shuffled rows; what may vary."""


class Finding(StrEnum):
    """What a look at the table found."""

    FOUND = "found"
    MEMBERS = "members"
    ASK = "ask"
    UNIQUE = "unique"
    NONE = "none"


@dataclass(frozen=True)
class PersonCandidate:
    """One column, or two together, that may name the person a row belongs to.

    ``fixed`` columns hardly change within a value, of which the most frequent has ``largest`` rows;
    ``spellings`` and ``zeros`` fewer values are there if case or zeros do not count: 001 and 1.
    """

    columns: tuple[str, ...]
    people: int
    rows: int
    largest: int
    without_id: int
    fixed: tuple[str, ...] = ()
    spellings: int = 0
    zeros: int = 0

    @property
    def is_plain(self) -> bool:
        """Whether nothing else has to be asked where these name the person."""
        return self.largest == 1 and not (self.without_id or self.spellings or self.zeros)


@dataclass(frozen=True)
class PersonProposal:
    """What the owner is asked: the likeliest candidate first, of members the coarser first."""

    candidates: tuple[PersonCandidate, ...] = ()
    finding: Finding = Finding.NONE


def propose_person(table: DataFrame) -> PersonProposal:
    """Look for columns of persons: named as an identifier, else with two facts that stay.

    Columns of the table are texts or numbers, as ``Table.first_rows`` gives them.
    """
    names = [n for i, n in enumerate(table.columns) if i < _MOST_COLUMNS or _is(n, "persons")]
    columns = {name: _Column(table[name]) for name in names[: _MOST_COLUMNS + _MOST_NAMED]}
    usable = {name: column for name, column in columns.items() if column.usable}
    named = [n for n, c in usable.items() if c.distinct > _FEWEST_PEOPLE and _is(n, "persons")]
    quiet = [n for n, c in usable.items() if n not in named and c.repeats and _is(n)]
    near = [n for n, c in usable.items() if c.distinct > 1 and _is(n, "persons", "places")]
    alone = [_Groups(columns, (name,)) for name in named[:_MOST_NAMED]]
    others = (_Groups(columns, (name,)) for name in quiet[:_MOST_QUIET])
    paired = (_Groups(columns, pair) for pair in combinations(near[:_MOST_PAIRED], 2))
    for tried, needed in ((alone, 1), (others, 2), (paired, 1)):
        if found := [one for one in tried if one.may_be_people and len(one.fixed) >= needed]:
            found.sort(key=lambda one: (-len(one.fixed), one.count))
            if members := _members(columns, usable, found):
                return _proposal(members, Finding.MEMBERS)
            different = [one for one in found if one.count != found[0].count]
            return _proposal([found[0], *different], Finding.FOUND)
    # One that differs in every row beside one that repeats numbers the rows, not people.
    again = [g for g in alone if g.largest > 1 and (g.small or 10 * g.count > g.rows)]
    once = [g for g in alone if g.largest == 1 and g.filled]
    return _proposal(again, Finding.ASK) if again else _proposal(once[:1], Finding.UNIQUE)


def chosen_candidate(table: DataFrame, names: Sequence[str]) -> PersonCandidate:
    """Return what is known of columns that the owner chose, whatever they look like."""
    columns = {name: _Column(table[name]) for name in names}
    return _Groups(columns, tuple(names)).candidate()


class _Column:
    """Distinct values as ``codes`` (n,), −1 for none; texts or ``whole`` numbers may be names."""

    def __init__(self, column: Series) -> None:
        self.codes, values = factorize(column)
        self.distinct, self.texts = len(values), values if column.dtype.kind == "O" else ()
        numbers = to_numeric(Series(np.asarray(values)), errors="coerce").to_numpy(float)
        with np.errstate(invalid="ignore"):
            self.whole = numbers if len(numbers) and (numbers % 1 == 0).all() else None
        self.usable = self.whole is not None or bool(np.isnan(numbers).any())

    @property
    def repeats(self) -> bool:
        """Whether values repeat as those of an identifier do, whatever its name."""
        if not _FEWEST_PEOPLE <= self.distinct <= len(self.codes) / 1.2:
            return False
        sizes = np.bincount(self.codes[self.codes >= 0])
        return bool(sizes.mean() <= 20 and sizes.max() <= _MOST_ROWS)


class _Groups:
    """Rows by values of columns: ``small`` groups have few of them, ``filled`` ones nearly all."""

    def __init__(self, columns: dict[str, _Column], names: tuple[str, ...]) -> None:
        self.names, self.columns = names, columns
        codes = DataFrame({name: columns[name].codes for name in names})
        self._there = (codes >= 0).all(axis=1).to_numpy()
        self._codes = codes[self._there].groupby([*names], sort=False).ngroup().to_numpy()
        sizes = np.bincount(self._codes)
        self.rows, self.without = len(codes), len(codes) - len(self._codes)
        self.count, self.largest = len(sizes), int(sizes.max(initial=0))
        self.small = self.largest <= max(_FEWEST_PEOPLE, self.rows / 10)
        self.filled = self.without <= 0.05 * self.rows
        many = _FEWEST_PEOPLE <= self.count < self.rows and (sizes > 1).sum() >= _FEWEST_AGAIN
        self.may_be_people = many and self.small and self.filled

    @cached_property
    def fixed(self) -> tuple[str, ...]:
        """Facts, of few values, that hardly ever vary within a group."""
        most = max(_MOST_ROWS, self.rows / 20)
        facts = {name: one for name, one in self.columns.items() if 2 <= one.distinct <= most}
        return tuple(n for n, fact in facts.items() if n not in self.names and self.fixes(fact))

    def fixes(self, column: _Column) -> bool:
        """Tell whether a column hardly ever varies within a group, and would if rows were mixed."""
        if (constant := self._constant(column.codes)) < _CONSTANT:
            return False
        # Always the same order: what chance would give.
        chance = self._constant(np.random.default_rng(1).permutation(column.codes))
        return chance <= _MOST_SHUFFLED or 1 - constant <= _LEFT_OVER * (1 - chance)

    def _constant(self, values: NDArray[np.intp]) -> float:
        """Share of groups of several values within which all are the same; 0 without any."""
        by = self._grouped(np.where(values < 0, np.nan, values))
        several = by.count() > 1
        return float((by.min() == by.max())[several].mean()) if several.any() else 0.0

    def _grouped(self, values: Array) -> Any:
        return Series(values[self._there]).groupby(self._codes)

    def numbers_members(self, column: _Column) -> bool:
        """Tell whether a column counts members 1…m within most groups, each in several rows."""
        if column.whole is None or not 2 <= column.distinct <= _MOST_ROWS:
            return False
        by = self._grouped(np.append(column.whole, 0)[column.codes])
        members = by.nunique()
        counted = (by.min() == 1) & (by.max() == members)
        return bool(counted.mean() >= 0.95 and (by.size() > members).mean() >= 0.2)

    def candidate(self, fixed: tuple[str, ...] = ()) -> PersonCandidate:
        spellings = zeros = 0
        for name in self.names:
            texts = [*map(str, self.columns[name].texts)]
            whole = {text.strip() for text in texts if text.strip().isdecimal()}
            zeros += len(whole) - len({text.lstrip("0") for text in whole})
            if len(self.names) == 1:
                spellings = len(texts) - len({"".join(text.split()).casefold() for text in texts})
        counts = self.count, self.rows, self.largest, self.without
        return PersonCandidate(self.names, *counts, fixed, spellings, zeros)


def _proposal(found: Sequence[_Groups], finding: Finding) -> PersonProposal:
    proved = finding in (Finding.FOUND, Finding.MEMBERS)
    shown = tuple(one.candidate(one.fixed if proved else ()) for one in found[:3])
    return PersonProposal(shown, finding if shown else Finding.NONE)


def _members(
    columns: dict[str, _Column], usable: dict[str, _Column], found: Sequence[_Groups]
) -> tuple[_Groups, ...]:
    """Return households and their members: a finer column fixes what the coarser does not."""
    single = [groups for groups in found[:_MOST_NAMED] if len(groups.names) == 1]
    for outer, inner in permutations(single, 2):
        finer = outer.count < inner.count and {*inner.fixed} - {*outer.fixed, *outer.names}
        if finer and inner.fixes(columns[outer.names[0]]):
            return outer, inner
    for name, column in usable.items() if single else ():
        outer = single[0]
        if name not in outer.names and outer.numbers_members(column):
            inner = _Groups(columns, (*outer.names, name))
            if {*inner.fixed} - {*outer.fixed}:
                return outer, inner
    return ()


def _is(name: str, *kinds: str) -> bool:
    """Tell whether a word of some kind is in a name, and none that says it numbers other things."""
    said = words_of(name)
    known = not kinds or said == ("number",) or any(WORDS[kind] & {*said} for kind in kinds)
    return (known or said == ("index",)) and not WORDS["not_persons"] & {*said}
