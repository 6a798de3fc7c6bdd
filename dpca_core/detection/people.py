"""Whose rows are they? Columns whose values repeat while facts about a person stay the same.

All rows are read, for the owner's eyes only. Finding nothing proves nothing: whatever is found, or
not, becomes a question to the owner and never a decision.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations, permutations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dpca_core.detection import WORDS
from dpca_core.detection.columns import words_of
from dpca_core.runtime.cached_property import cached_property

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

    ``people`` are distinct values, ``largest`` the rows of the most frequent one; ``fixed`` columns
    (nearly) never change within a value. ``spellings`` and ``zeros`` say how many fewer values
    there are where case and spaces are ignored, or zeros before a whole number: 001 and 1.
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
    values, one without such a name where two are; else pairs of columns are tried. All rows are
    read; of columns the first ``_MOST_COLUMNS``, and the first beyond with such a name.
    """
    names = [str(name) for name in table.columns]
    beyond = [place for place in range(_MOST_COLUMNS, len(names)) if _is(names[place], "persons")]
    columns: dict[str, _Column] = {}
    for place in [*range(min(_MOST_COLUMNS, len(names))), *beyond[:_MOST_NAMED]]:
        columns.setdefault(names[place], _Column.of(table.iloc[:, place]))
    usable = {name: column for name, column in columns.items() if column.usable}
    named = [n for n, c in usable.items() if c.distinct > _FEWEST_PEOPLE and _is(n, "persons")]
    quiet = [n for n, c in usable.items() if n not in named and c.repeats and _is(n)]
    near = [n for n, c in usable.items() if c.distinct > 1 and _is(n, "persons", "places")]
    tried = [_Groups(columns, (name,)) for name in named[:_MOST_NAMED]]
    found = _fixing(tried, 1)
    found = found or _fixing((_Groups(columns, (name,)) for name in quiet[:_MOST_QUIET]), 2)
    found = found or _fixing((_Groups(columns, c) for c in combinations(near[:_MOST_PAIRED], 2)), 1)
    if not found:
        return _without_evidence(tried)
    if members := _members(columns, usable, found):
        return PersonProposal(tuple(_candidate(groups) for groups in members), Finding.MEMBERS)
    shown = [found[0], *(groups for groups in found if groups.count != found[0].count)]
    return PersonProposal(tuple(_candidate(groups) for groups in shown[:3]), Finding.FOUND)


def chosen_candidate(table: "DataFrame", names: Sequence[str]) -> PersonCandidate:
    """Return what is known of columns that the owner chose, whatever they look like."""
    header = [str(name) for name in table.columns]
    columns = {name: _Column.of(table.iloc[:, header.index(name)]) for name in names}
    return _candidate(_Groups(columns, tuple(names)), fixed=())


@dataclass(frozen=True, eq=False)
class _Column:
    """A column whose distinct values are numbered: ``codes`` (n,) from 0 on, −1 for no value.

    ``values`` are those of a column of texts; ``whole`` its numbers (n,), 0 for none, where all are
    whole; ``usable`` says that it could name people: by texts or by whole numbers.
    """

    codes: Whole
    distinct: int = 0
    values: Iterable[object] = ()
    whole: Whole | None = None
    usable: bool = False

    @classmethod
    def of(cls, column: "Series") -> "_Column":
        from pandas import factorize

        try:
            codes, values = factorize(column)
        except TypeError:  # Cells that hold lists cannot be compared.
            return cls(np.full(len(column), -1))
        codes, kind = np.asarray(codes, dtype=np.intp), column.dtype.kind
        has_text = kind in "OTU" or str(column.dtype) == "category"
        texts = values if has_text else ()
        try:
            numbers = np.asarray(values if has_text or kind in "iuf" else [], dtype=float)
        except (TypeError, ValueError):
            return cls(codes, len(values), texts, usable=True)
        with np.errstate(invalid="ignore"):
            if not (len(numbers) and (numbers % 1 == 0).all()):
                return cls(codes, len(values), texts)
        counted = np.append(np.clip(numbers, 0, _MOST_MEMBERS + 1), 0).astype(np.intp)
        return cls(codes, len(values), texts, counted[codes], usable=True)

    @property
    def repeats(self) -> bool:
        """Whether values repeat as those of an identifier do, whatever its name."""
        if not _FEWEST_PEOPLE <= self.distinct <= len(self.codes) / 1.2:
            return False
        sizes = np.bincount(self.codes[self.codes >= 0])
        return bool(sizes.mean() <= 20 and sizes.max() <= _MOST_ROWS)

    @property
    def is_fact(self) -> bool:
        """Whether it has so few values that some could be facts about people."""
        return 2 <= self.distinct <= max(_MOST_ROWS, len(self.codes) / 20)


class _Groups:
    """Rows brought together by the values of one column or several.

    ``count`` groups, ``again`` of them of several rows, the ``largest``, and rows ``without`` one.
    """

    def __init__(self, columns: dict[str, _Column], names: tuple[str, ...]) -> None:
        from pandas import factorize

        self.names, self.columns = names, columns
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

    @cached_property
    def fixed(self) -> tuple[str, ...]:
        """Facts that hardly ever vary within a group."""
        facts = {n: one for n, one in self.columns.items() if one.is_fact and n not in self.names}
        return tuple(name for name, fact in facts.items() if self.fixes(fact))

    def fixes(self, column: _Column) -> bool:
        """Tell whether a column hardly ever varies within a group, and would if rows were mixed."""
        if (constant := self._constant(column.codes)) < _CONSTANT:
            return False
        # Always the same order: what chance would give.
        chance = self._constant(np.random.default_rng(1).permutation(column.codes))
        return chance <= _MOST_SHUFFLED or 1 - constant <= _LEFT_OVER * (1 - chance)

    def _constant(self, values: Whole) -> float:
        """Share of groups of several values within which all are the same; 0 without any."""
        places = self._order[values[self._order] >= 0]
        groups, ordered = self._codes[places], values[places]
        several, varying = (np.zeros(self.count, dtype=bool) for _ in range(2))
        same = groups[1:] == groups[:-1]
        several[groups[1:][same]] = True
        varying[groups[1:][same & (ordered[1:] != ordered[:-1])]] = True
        return 1 - int(varying.sum()) / int(several.sum()) if several.any() else 0.0

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
        again = np.maximum.reduceat(times, first) > 1
        return bool(counted.mean() >= 0.95 and again.mean() >= 0.2)

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


def _fixing(tried: Iterable[_Groups], needed: int) -> list[_Groups]:
    """Return groups that fix enough facts, those that fix most first."""
    found = [groups for groups in tried if groups.may_be_people and len(groups.fixed) >= needed]
    return sorted(found, key=lambda groups: (-len(groups.fixed), groups.count))


def _members(
    columns: dict[str, _Column], usable: dict[str, _Column], found: Sequence[_Groups]
) -> tuple[_Groups, ...]:
    """Return households and their members, where there are some.

    A finer column must fix something that the coarser does not; else both are names of one thing.
    """
    single = [groups for groups in found[:_MOST_NAMED] if len(groups.names) == 1]
    for outer, inner in permutations(single, 2):
        finer = outer.count < inner.count and {*inner.fixed} - {*outer.fixed, *outer.names}
        if finer and inner.fixes(columns[outer.names[0]]):
            return outer, inner
    for outer in single[:1]:
        for name, column in usable.items():
            if name not in outer.names and outer.numbers_members(column):
                inner = _Groups(columns, (*outer.names, name))
                if {*inner.fixed} - {*outer.fixed}:
                    return outer, inner
    return ()


def _without_evidence(named: Sequence[_Groups]) -> PersonProposal:
    """Ask about identifiers that repeat, or say that one differs in every row.

    One that differs in every row beside one that repeats numbers the rows, not people.
    """
    repeating = [g for g in named if g.largest > 1 and (g.small or g.count > g.rows / 10)]
    if repeating:
        shown = tuple(_candidate(groups, fixed=()) for groups in repeating[:3])
        return PersonProposal(shown, Finding.ASK)
    different = [groups for groups in named if groups.largest == 1 and groups.named]
    if different:
        return PersonProposal((_candidate(different[0], fixed=()),), Finding.UNIQUE)
    return PersonProposal()


def _candidate(groups: _Groups, fixed: tuple[str, ...] | None = None) -> PersonCandidate:
    """Return columns, brought together into groups, as a candidate."""
    spellings = zeros = 0
    for column in (groups.columns[name] for name in groups.names):
        texts = [str(value) for value in column.values]
        whole = {text.strip() for text in texts if text.strip().isdecimal()}
        zeros += len(whole) - len({text.lstrip("0") for text in whole})
        if len(groups.names) == 1:
            spellings = len(texts) - len({"".join(text.split()).casefold() for text in texts})
    counts = groups.count, groups.rows, groups.largest, groups.without
    fixed = groups.fixed if fixed is None else fixed
    return PersonCandidate(groups.names, *counts, fixed, spellings, zeros)


def _is(name: str, *kinds: str) -> bool:
    """Tell whether a word of some kind is in a name, and none that says it numbers other things."""
    said = words_of(name)
    known = not kinds or said == ("number",) or any(WORDS[kind] & {*said} for kind in kinds)
    return (known or said == ("index",)) and not WORDS["not_persons"] & {*said}
