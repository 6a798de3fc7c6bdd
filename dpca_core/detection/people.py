"""Whose rows are they? Columns whose values repeat while facts about a person stay the same.

All rows are read, for the owner's eyes only. Finding nothing proves nothing: whatever is found, or
not, becomes a question to the owner and never a decision.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations, permutations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dpca_core.detection.columns import words_of

if TYPE_CHECKING:
    from pandas import DataFrame, Series

Whole = NDArray[np.intp]
_MOST_COLUMNS, _MOST_NAMED, _MOST_QUIET, _MOST_PAIRED = 400, 8, 12, 8
"""Columns that are looked at: in all, with an identifier's name, without one, and in pairs."""
_FEWEST_PEOPLE, _FEWEST_AGAIN, _MOST_ROWS, _MOST_MEMBERS = 20, 10, 50, 60
"""People; of them with several rows; rows of one without an identifier's name; members of one."""
_CONSTANT, _MOST_SHUFFLED, _LEFT_OVER = 0.97, 0.6, 0.05
"""Share of people within whom a fact does not vary: at least; at most once rows are shuffled; and
what may vary of what varies then."""
_GLANCE, _HOPELESS = 1000, 0.85
"""So many people are looked at first; the rest where so many of them do not vary."""
_IDS = frozenset(
    {"id", "ids", "pid", "mrn", "ssn", "nhs", "uid", "uuid", "guid", "nr", "no", "key", "caseid",
     "recordid", "subject", "subj", "patient", "person", "participant", "respondent", "case",
     "record", "household", "hh"}
)  # fmt: skip
_PLACES = frozenset(
    {"site", "centre", "center", "region", "clinic", "hospital", "cluster", "family", "school",
     "member", "number"}
)  # fmt: skip
_OTHERS = frozenset(
    {"visit", "wave", "date", "time", "type", "count", "age", "year", "status", "row", "zip"}
)
"""Words of columns that name people; that may do so with another one; that number other things."""


class Finding(StrEnum):
    """What a look at the table found."""

    FOUND = "found"
    MEMBERS = "members"
    ASK = "ask"
    UNIQUE = "unique"
    NONE = "none"


@dataclass(frozen=True)
class PersonCandidate:
    """Columns that may name the person a row belongs to.

    Attributes
    ----------
    columns
        One column, or two that name the person together.
    people, rows, largest, without_id
        Distinct values, rows of the table, rows of the most frequent value, rows without a value.
    fixed
        Columns that (nearly) never change within a value.
    spellings
        How many fewer values there are where case and spaces are ignored.
    zeros
        How many fewer there are where zeros before a whole number are ignored: 001 and 1.
    """

    columns: tuple[str, ...]
    people: int
    rows: int
    largest: int
    without_id: int
    fixed: tuple[str, ...] = ()
    spellings: int = 0
    zeros: int = 0


@dataclass(frozen=True)
class PersonProposal:
    """What the owner is asked: the likeliest candidate first, of members the coarser first."""

    candidates: tuple[PersonCandidate, ...] = ()
    finding: Finding = Finding.NONE


def propose_person(table: "DataFrame") -> PersonProposal:
    """Look for columns that name the person a row belongs to.

    A column with the name of an identifier is proposed where another one is fixed within its
    values, one without such a name where two are; else pairs of columns are tried.

    Parameters
    ----------
    table
        All rows; of columns the first ``_MOST_COLUMNS``, and the first beyond with such a name.
    """
    names = [str(name) for name in table.columns]
    beyond = [place for place in range(_MOST_COLUMNS, len(names)) if _has(names[place], _IDS)]
    columns: dict[str, _Column] = {}
    for place in [*range(min(_MOST_COLUMNS, len(names))), *beyond[:_MOST_NAMED]]:
        columns.setdefault(names[place], _Column.of(table.iloc[:, place]))
    facts = {
        n: c for n, c in columns.items() if 2 <= c.distinct <= max(_MOST_ROWS, len(table) / 20)
    }
    usable = {n: c for n, c in columns.items() if c.whole is not None or c.text}
    named = [n for n, c in usable.items() if c.distinct > _FEWEST_PEOPLE and _has(n, _IDS)]
    quiet = [n for n, c in usable.items() if n not in named and _may_be_quiet(n, c, len(table))]
    near = [n for n, c in usable.items() if c.distinct > 1 and _has(n, _IDS | _PLACES)]
    found = _found(columns, ((n,) for n in named[:_MOST_NAMED]), facts, 1)
    found = found or _found(columns, ((n,) for n in quiet[:_MOST_QUIET]), facts, 2)
    found = found or _found(columns, combinations(near[:_MOST_PAIRED], 2), facts, 1)
    if not found:
        return _without_evidence(table, [_Groups(columns, (n,)) for n in named[:_MOST_NAMED]])
    if members := _members(columns, usable, facts, found):
        return PersonProposal(tuple(candidate_of(table, *one) for one in members), Finding.MEMBERS)
    best, others = found[0], found[1:]
    shown = [best, *(one for one in others if one[0].count != best[0].count)]
    return PersonProposal(tuple(candidate_of(table, *one) for one in shown[:3]), Finding.FOUND)


def chosen_candidate(table: "DataFrame", names: Sequence[str]) -> PersonCandidate:
    """Return what is known of columns that the owner chose, whatever they look like.

    Parameters
    ----------
    names
        Columns of the table that together name the person, at least one.
    """
    columns = {name: _Column.of(_series(table, name)) for name in names}
    return candidate_of(table, _Groups(columns, tuple(names)))


@dataclass(frozen=True, eq=False)
class _Column:
    """A column whose distinct values are numbered: ``codes`` (n,) from 0 on, −1 for no value.

    ``whole`` are its numbers (n,), 0 for none, where all are whole; ``text`` says that it has text.
    """

    codes: Whole
    distinct: int
    text: bool
    whole: Whole | None

    @classmethod
    def of(cls, column: "Series") -> "_Column":
        from pandas import factorize

        try:
            codes, values = factorize(column)
        except TypeError:  # Cells that hold lists cannot be compared.
            return cls(np.full(len(column), -1), 0, False, None)
        codes, whole = np.asarray(codes, dtype=np.intp), None
        try:
            numbers = np.asarray(values, dtype=float) if _has_values(column) else np.empty(0)
        except (TypeError, ValueError):
            return cls(codes, len(values), True, None)
        with np.errstate(invalid="ignore"):
            if len(numbers) and (numbers % 1 == 0).all():
                counted = np.append(np.clip(numbers, 0, _MOST_MEMBERS + 1), 0)
                whole = counted.astype(np.intp)[codes]
        return cls(codes, len(values), False, whole)


class _Groups:
    """Rows brought together by the values of one column or several.

    ``count`` groups, ``again`` of them of several rows, the ``largest``, and rows ``without`` one.
    """

    def __init__(self, columns: Mapping[str, _Column], names: tuple[str, ...]) -> None:
        from pandas import factorize

        self.names = names
        codes = columns[names[0]].codes
        for name in names[1:]:
            other = columns[name]
            pairs = codes * max(other.distinct, 1) + other.codes
            codes = np.where((codes < 0) | (other.codes < 0), -1, pairs)
        there = codes >= 0
        self._codes = np.full(len(codes), -1, dtype=np.intp)
        self._codes[there] = factorize(codes[there])[0]
        sizes = np.bincount(self._codes[there])
        self.rows, self.without, self.count = len(codes), int((~there).sum()), len(sizes)
        self.again, self.largest = int((sizes > 1).sum()), int(sizes.max(initial=0))
        self._order = np.argsort(self._codes, kind="stable")[self.without :]
        self._first = self._order[: sizes[:_GLANCE].sum()]

    def _constant(self, values: Whole, order: Whole) -> float:
        """Share of groups of several values within which all are the same; 0 without any."""
        places = order[values[order] >= 0]
        groups, ordered = self._codes[places], values[places]
        same = groups[1:] == groups[:-1]
        several = np.unique(groups[1:][same])
        varying = np.unique(groups[1:][same & (ordered[1:] != ordered[:-1])])
        return 1 - len(varying) / len(several) if len(several) else 0.0

    def fixes(self, column: _Column) -> bool:
        """Tell whether a column hardly ever varies within a group, and would if rows were mixed."""
        if self._constant(column.codes, self._first) < _HOPELESS:
            return False
        if (constant := self._constant(column.codes, self._order)) < _CONSTANT:
            return False
        # Always the same order: what chance would give.
        chance = self._constant(np.random.default_rng(1).permutation(column.codes), self._order)
        return bool(chance <= _MOST_SHUFFLED or 1 - constant <= _LEFT_OVER * (1 - chance))

    def numbers_members(self, column: _Column) -> bool:
        """Tell whether a column counts members 1…m within most groups, each in several rows."""
        if column.whole is None or not 2 <= column.distinct <= _MOST_ROWS:
            return False
        groups, numbers = self._codes[self._order], column.whole[self._order]
        (pairs, times) = np.unique(groups * (_MOST_MEMBERS + 2) + numbers, return_counts=True)
        groups, numbers = np.divmod(pairs, _MOST_MEMBERS + 2)
        first = np.flatnonzero(np.diff(groups, prepend=-1))
        last, members = np.append(first[1:], len(groups)) - 1, np.bincount(groups)
        counted = (numbers[first] == 1) & (numbers[last] == members)
        return bool(
            counted.mean() >= 0.95 and (np.maximum.reduceat(times, first) > 1).mean() >= 0.2
        )

    @property
    def small(self) -> bool:
        """Whether no group has a good part of the rows."""
        return self.largest <= max(_FEWEST_PEOPLE, self.rows / 10)

    @property
    def named(self) -> bool:
        """Whether nearly all rows have a value."""
        return self.without <= 0.05 * self.rows

    @property
    def may_be_people(self) -> bool:
        """Whether there are enough groups, none too large, and few rows without one."""
        many = _FEWEST_PEOPLE <= self.count < self.rows and self.again >= _FEWEST_AGAIN
        return many and self.small and self.named


_Found = tuple[_Groups, tuple[str, ...]]
"""Groups, and the facts that they fix."""


def _found(
    columns: Mapping[str, _Column],
    tried: Iterable[tuple[str, ...]],
    facts: Mapping[str, _Column],
    needed: int,
) -> list[_Found]:
    """Return groups that fix enough facts, those that fix most first."""
    found = []
    for groups in (_Groups(columns, names) for names in tried):
        if groups.may_be_people:
            fixed = _fixed(groups, facts)
            if len(fixed) >= needed:
                found.append((groups, fixed))
    return sorted(found, key=lambda one: (-len(one[1]), one[0].count))


def _fixed(groups: _Groups, facts: Mapping[str, _Column]) -> tuple[str, ...]:
    return tuple(n for n, fact in facts.items() if n not in groups.names and groups.fixes(fact))


def _members(
    columns: Mapping[str, _Column],
    usable: Mapping[str, _Column],
    facts: Mapping[str, _Column],
    found: Sequence[_Found],
) -> tuple[_Found, ...]:
    """Return households and their members, where there are some.

    A finer column must fix something that the coarser does not; else both are names of one thing.
    """
    single = [one for one in found[:_MOST_NAMED] if len(one[0].names) == 1]
    for (outer, known), (inner, more) in permutations(single, 2):
        outside = outer.names[0]
        finer = outer.count < inner.count and {*more} - {*known, outside}
        if finer and inner.fixes(columns[outside]):
            return (outer, known), (inner, more)
    for outer, known in single[:1] if found[0] in single else ():
        for name, column in usable.items():
            if name not in outer.names and outer.numbers_members(column):
                inner = _Groups(columns, (*outer.names, name))
                more = _fixed(inner, facts)
                if {*more} - {*known}:
                    return (outer, known), (inner, more)
    return ()


def _without_evidence(table: "DataFrame", named: Sequence[_Groups]) -> PersonProposal:
    """Ask about identifiers that repeat, or say that one differs in every row.

    One that differs in every row beside one that repeats numbers the rows, not people.
    """
    may_be = [g for g in named if g.small or g.count > g.rows / 10]
    repeating = [groups for groups in may_be if groups.largest > 1]
    if repeating:
        shown = tuple(candidate_of(table, groups) for groups in repeating[:3])
        return PersonProposal(shown, Finding.ASK)
    different = [groups for groups in named if groups.largest == 1 and groups.named]
    if different:
        return PersonProposal((candidate_of(table, different[0]),), Finding.UNIQUE)
    return PersonProposal()


def candidate_of(
    table: "DataFrame", groups: _Groups, fixed: tuple[str, ...] = ()
) -> PersonCandidate:
    """Return columns of a table, brought together into groups, as a candidate."""
    spellings = zeros = 0
    for column in (_series(table, name) for name in groups.names):
        if column.dtype.kind not in "iuf" and _has_values(column):
            texts = [str(value) for value in column.dropna().unique()]
            whole = {text.strip() for text in texts if text.strip().isdecimal()}
            zeros += len(whole) - len({text.lstrip("0") for text in whole})
            spellings = len(texts) - len({"".join(text.split()).casefold() for text in texts})
    counts = groups.count, groups.rows, groups.largest, groups.without
    alone = len(groups.names) == 1
    return PersonCandidate(groups.names, *counts, fixed, spellings if alone else 0, zeros)


def _has_values(column: "Series") -> bool:
    """Tell whether a column is of numbers or texts."""
    return column.dtype.kind in "iufOTU" or str(column.dtype) == "category"


def _series(table: "DataFrame", name: str) -> "Series":
    return table.iloc[:, [str(other) for other in table.columns].index(name)]


def _has(name: str, words: frozenset[str]) -> bool:
    """Tell whether one of the words is in a name, and none that says it numbers something else."""
    found = words_of(name)
    alone = found in (("number",), ("index",))
    return (alone or not words.isdisjoint(found)) and _OTHERS.isdisjoint(found)


def _may_be_quiet(name: str, column: _Column, rows: int) -> bool:
    """Tell whether values repeat as those of an identifier do, whatever the name."""
    if not _FEWEST_PEOPLE <= column.distinct <= rows / 1.2 or not _OTHERS.isdisjoint(
        words_of(name)
    ):
        return False
    sizes = np.bincount(column.codes[column.codes >= 0])
    return bool(sizes.mean() <= 20 and sizes.max() <= _MOST_ROWS)
