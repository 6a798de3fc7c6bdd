"""Whose rows are they? Columns whose values repeat while facts about a person stay the same.

All rows are read, for the owner's eyes only. Finding nothing proves nothing: whatever is found, or
not, becomes a question to the owner and never a decision.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations, permutations
from typing import TYPE_CHECKING

import numpy as np

from dpca_core.detection.column_name_hints import WHOLE_NAMES, numbers_things, words_of
from dpca_core.detection.grouped_columns import (
    Groups,
    NumberedColumn,
    numbered_columns,
    together,
)
from dpca_core.detection.person_candidate import PersonCandidate, candidate_of

if TYPE_CHECKING:
    from pandas import DataFrame

MOST_COLUMNS, MOST_NAMED, MOST_QUIET, MOST_PAIRED = 400, 8, 12, 8
"""Columns that are looked at: in all, with an identifier's name, without one, and in pairs."""
PERSON_WORDS = frozenset(
    {"id", "pid", "mrn", "ssn", "nhs", "subject", "subj", "patient", "person", "participant",
     "respondent", "case", "record", "key", "no", "nr", "household", "hh"}
)  # fmt: skip
PLACE_WORDS = frozenset(
    {"site", "centre", "center", "household", "hh", "region", "clinic", "hospital", "cluster",
     "family", "school", "subject", "subj", "member", "person", "number"}
)  # fmt: skip
"""Words in the names of columns that may name a person together with another one."""
OTHER_WORDS = frozenset(
    {"visit", "wave", "date", "time", "type", "count", "age", "year", "status", "row", "zip"}
)
"""Words of columns that number something else than people."""
FEWEST_GROUPS, FEWEST_SEVERAL = 20, 10
MOST_MISSING = 0.05
MOST_MEAN_ROWS, MOST_QUIET_ROWS, FEWEST_REPEATS = 20.0, 50, 1.2
MEMBERS_NUMBERED, MEMBERS_REPEATED = 0.95, 0.2


class Finding(StrEnum):
    """What a look at the table found."""

    FOUND = "found"
    MEMBERS = "members"
    ASK = "ask"
    UNIQUE = "unique"
    NONE = "none"


@dataclass(frozen=True)
class PersonProposal:
    """What the owner is asked: the likeliest candidate first, of members the coarser first."""

    candidates: tuple[PersonCandidate, ...] = ()
    finding: Finding = Finding.NONE


@dataclass(frozen=True)
class _Candidate:
    """Columns with their groups and what these fix."""

    columns: tuple[NumberedColumn, ...]
    groups: Groups
    fixed: tuple[str, ...] = ()

    def described(self, table: "DataFrame") -> PersonCandidate:
        """Return what the owner is told of them."""
        return candidate_of(table, self.columns, self.groups, self.fixed)


def propose_person(table: "DataFrame") -> PersonProposal:
    """Look for columns that name the person a row belongs to.

    A column with the name of an identifier is proposed where another one is fixed within its
    values, one without such a name where two are; else pairs of columns are tried.

    Parameters
    ----------
    table
        All rows; of columns the first ``MOST_COLUMNS``, and the first beyond with such a name.
    """
    names = [str(name) for name in table.columns]
    beyond = [place for place in range(MOST_COLUMNS, len(names)) if _names_people(names[place])]
    places = [*range(min(MOST_COLUMNS, len(names))), *beyond[:MOST_NAMED]]
    columns = numbered_columns(table, places)
    named = [c for c in columns if _is_named(c)][:MOST_NAMED]
    attributes = _attributes(columns, len(table))
    found = _found(((c,) for c in named), attributes, 1)
    if not found:
        quiet = [c for c in columns if c not in named and _may_be_quiet(c, len(table))]
        found = _found(((c,) for c in quiet[:MOST_QUIET]), attributes, 2)
    if not found:
        near = [c for c in columns if _is_near(c)][:MOST_PAIRED]
        found = _found(combinations(near, 2), attributes, 1)
    if found:
        return _proposal(table, found, columns, attributes)
    return _without_evidence(table, named)


def _is_named(column: NumberedColumn) -> bool:
    """Tell whether a column's name says that it numbers people, and it has many values."""
    many = column.distinct > FEWEST_GROUPS and (column.whole or column.text)
    return many and _names_people(column.name)


def _names_people(name: str) -> bool:
    """Tell whether a name is that of a column that numbers people."""
    words = words_of(name)
    if not OTHER_WORDS.isdisjoint(words):
        return False
    return (
        numbers_things(name)
        or not PERSON_WORDS.isdisjoint(words)
        or name.strip().lower() in WHOLE_NAMES
    )


def _is_near(column: NumberedColumn) -> bool:
    """Tell whether a column may name the person together with another one."""
    words = frozenset(words_of(column.name))
    usable = column.distinct > 1 and (column.whole or column.text)
    return usable and not words.isdisjoint(PLACE_WORDS | PERSON_WORDS)


def _may_be_quiet(column: NumberedColumn, rows: int) -> bool:
    """Tell whether values repeat as those of an identifier do, whatever the name."""
    if not (column.whole or column.text) or not OTHER_WORDS.isdisjoint(words_of(column.name)):
        return False
    if not FEWEST_GROUPS <= column.distinct <= rows / FEWEST_REPEATS:
        return False
    sizes = np.bincount(column.codes[column.codes >= 0])
    return bool(sizes.mean() <= MOST_MEAN_ROWS and sizes.max() <= MOST_QUIET_ROWS)


def _attributes(columns: list[NumberedColumn], rows: int) -> list[NumberedColumn]:
    """Columns that may hold a fact about a person."""
    return [c for c in columns if 2 <= c.distinct <= max(50, rows / 20)]


def _found(
    tried: Iterable[tuple[NumberedColumn, ...]], attributes: list[NumberedColumn], needed: int
) -> list[_Candidate]:
    """Return those that fix enough attributes, of those tried; most attributes first."""
    found = []
    for columns in tried:
        groups = Groups(together(columns))
        if not _can_be_people(groups):
            continue
        fixed = tuple(a.name for a in attributes if a not in columns and groups.fixes(a))
        if len(fixed) >= needed:
            found.append(_Candidate(columns, groups, fixed))
    return sorted(found, key=lambda c: (-len(c.fixed), c.groups.count))


def _can_be_people(groups: Groups) -> bool:
    """Tell whether there are groups enough, none too large, and rows without one are few."""
    return (
        FEWEST_GROUPS <= groups.count < groups.rows
        and _none_is_large(groups)
        and _names_nearly_all(groups)
        and groups.several >= FEWEST_SEVERAL
    )


def _proposal(
    table: "DataFrame",
    found: list[_Candidate],
    columns: list[NumberedColumn],
    attributes: list[NumberedColumn],
) -> PersonProposal:
    """Propose what was found; with members of it where there are some, the coarser first."""
    nested = [
        (coarse, fine)
        for coarse, fine in permutations(found[:MOST_NAMED], 2)
        if coarse.groups.count < fine.groups.count and _is_within(fine, coarse)
    ]
    pairs = nested or [
        (one, member)
        for one in found[:1]
        if len(one.columns) == 1
        for member in [_member(one, columns, attributes)]
        if member is not None
    ]
    if pairs:
        both = tuple(one.described(table) for one in pairs[0])
        return PersonProposal(both, Finding.MEMBERS)
    best = found[0]
    alike = [c for c in found[1:] if c.groups.count == best.groups.count]
    shown = (best, *(c for c in found[1:] if c not in alike))
    return PersonProposal(tuple(c.described(table) for c in shown[:3]), Finding.FOUND)


def _is_within(fine: _Candidate, coarse: _Candidate) -> bool:
    """Tell whether all rows of a finer value have the same coarser one, and what is fixed differs.

    Both name somebody only where the finer one fixes something that the coarser does not.
    """
    if len(fine.columns) > 1 or len(coarse.columns) > 1:
        return False
    outer = coarse.columns[0]
    return fine.groups.fixes(outer) and not {*fine.fixed} <= {*coarse.fixed, outer.name}


def _member(
    one: _Candidate, columns: list[NumberedColumn], attributes: list[NumberedColumn]
) -> _Candidate | None:
    """Look for a column that numbers members 1…m within each value, and fixes a fact of theirs."""
    for column in columns:
        if column in one.columns or not column.whole or not 2 <= column.distinct <= MOST_QUIET_ROWS:
            continue
        numbers = column.numbers
        numbered, repeated = one.groups.numbering(numbers)
        if numbered < MEMBERS_NUMBERED or repeated < MEMBERS_REPEATED:
            continue
        pair = (*one.columns, column)
        groups = Groups(together(pair))
        fixed = tuple(a.name for a in attributes if a not in pair and groups.fixes(a))
        if {*fixed} - {*one.fixed}:
            return _Candidate(pair, groups, fixed)
    return None


def _without_evidence(table: "DataFrame", named: list[NumberedColumn]) -> PersonProposal:
    """Ask about identifiers that repeat, or say that one differs in every row."""
    grouped = [_Candidate((c,), Groups(c.codes)) for c in named]
    repeating = [c for c in grouped if c.groups.largest > 1 and _may_be_people(c.groups)]
    different = [c for c in grouped if c.groups.largest == 1 and _names_nearly_all(c.groups)]
    # One that differs in every row beside one that repeats numbers the rows, not people.
    if repeating:
        return PersonProposal(tuple(c.described(table) for c in repeating[:3]), Finding.ASK)
    if different:
        return PersonProposal((different[0].described(table),), Finding.UNIQUE)
    return PersonProposal()


def _may_be_people(groups: Groups) -> bool:
    """Tell whether it may name people, whatever else the table says; a category does not."""
    return _none_is_large(groups) or groups.count > groups.rows / 10


def _none_is_large(groups: Groups) -> bool:
    return groups.largest <= max(FEWEST_GROUPS, groups.rows / 10)


def _names_nearly_all(groups: Groups) -> bool:
    return groups.without <= MOST_MISSING * groups.rows
