"""The draft of a recipe: what the owner has typed about a table, and what was read from the file.

Entries are kept by the name of their column: leaving a column out, changing its kind, filling in
from the file or visiting another page loses none of them. Controls are views of the draft.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from math import inf, nan, sqrt
from types import MappingProxyType
from typing import Any
from unicodedata import category

from dpca_core.data.number_format import NumberFormat
from dpca_core.data.provenance import Unit
from dpca_core.data.recipe import Category, Combine, Missing, Number, Reading, Recipe, Scaling
from dpca_core.runtime.cached_property import cached_property
from ui.data.category_lists import split_values
from ui.data.column_kinds import Roles
from ui.data.id_columns import RepeatedColumn
from ui.data.text import unit_error

UNITS = {"person": "people", "patient": "patients", "household": "households", "pupil": "pupils"}
"""Units of privacy that are offered, with their plurals."""

LONGEST_UNIT = 30
"""Letters of the longest unit."""


class ColumnKind(StrEnum):
    """What a column is used as."""

    NUMBER = "number"
    CATEGORY = "category"


@dataclass(frozen=True)
class Entry:
    """What the owner typed or chose for one column; None or "" where nothing."""

    left_out: bool | None = None
    kind: ColumnKind | None = None
    low: float | None = None
    high: float | None = None
    values: str = ""


@dataclass(frozen=True)
class FileValues:
    """What was read from the file for one column: it is used where the owner typed nothing."""

    low: float | None = None
    high: float | None = None
    values: tuple[str, ...] = ()


NO_ENTRY, NOT_READ = Entry(), FileValues()


@dataclass(frozen=True)
class RecipeDraft:
    """All choices about a table so far.

    Attributes
    ----------
    names, roles, id_candidates
        Columns of the table, what they are proposed for, and which may name the person.
    entries
        What the owner chose for columns, by name; those of other tables' columns stay.
    from_file
        What was read from this file, by name, when the owner asked for it.
    number_format, reading
        How a text file is written, and whether malformed rows are refused or read as missing.
    person, person_decided
        The ID column; whether the owner has decided on it.
    declared_public
        Whether the owner declared columns, kinds, entries and format to be public.
    """

    names: tuple[str, ...] = ()
    roles: Roles = field(default_factory=Roles)
    id_candidates: tuple[RepeatedColumn, ...] = ()
    entries: Mapping[str, Entry] = field(default_factory=lambda: MappingProxyType({}))
    from_file: Mapping[str, FileValues] = field(default_factory=lambda: MappingProxyType({}))
    number_format: NumberFormat = field(default_factory=NumberFormat)
    reading: Reading = Reading.STRICT
    scaling: Scaling = Scaling.BOUNDED
    radius: float | None = None
    missing: Missing = Missing.CENTRE
    mean_share: float = 0.1
    unit: str = "person"
    person: str | None = None
    person_decided: bool = False
    combine: Combine = Combine.AVERAGE
    rows_per_person: int = 5
    declared_public: bool = False

    def of_table(
        self,
        names: tuple[str, ...],
        roles: Roles,
        id_candidates: tuple[RepeatedColumn, ...],
        number_format: NumberFormat,
        reading: Reading = Reading.STRICT,
    ) -> "RecipeDraft":
        """Start with another table: typed entries stay; values read or declared do not."""
        return replace(
            self,
            names=names,
            roles=roles,
            id_candidates=id_candidates,
            from_file=MappingProxyType({}),
            number_format=number_format,
            reading=reading,
            declared_public=False,
            person_decided=False,
            person=None,
        )

    def read_again(
        self,
        names: tuple[str, ...],
        roles: Roles,
        id_candidates: tuple[RepeatedColumn, ...],
    ) -> "RecipeDraft":
        """Take the same file read in another format: values read or declared are forgotten.

        The kinds of columns are proposed anew; the declaration was about the former ones.
        """
        person = self.person if self.person in names else None
        return replace(
            self,
            names=names,
            roles=roles,
            id_candidates=id_candidates,
            from_file=MappingProxyType({}),
            person=person,
            person_decided=self.person_decided and person == self.person,
            declared_public=False,
        )

    def with_entry(self, name: str, **values: Any) -> "RecipeDraft":
        """Change what the owner chose for one column."""
        entry = replace(self.entries.get(name, NO_ENTRY), **values)
        if entry == self.entries.get(name, NO_ENTRY):
            return self
        return replace(self, entries=MappingProxyType({**self.entries, name: entry}))

    def is_left_out(self, name: str) -> bool:
        """Tell whether a column is left out, by the owner or by the proposal."""
        chosen = self.entries.get(name, NO_ENTRY).left_out
        return name in self.roles.left_out if chosen is None else chosen

    def kind(self, name: str) -> ColumnKind:
        """Return what a column would be used as."""
        chosen = self.entries.get(name, NO_ENTRY).kind
        if chosen is not None:
            return chosen
        return ColumnKind.NUMBER if name in self.roles.numeric else ColumnKind.CATEGORY

    @cached_property
    def left_out(self) -> tuple[str, ...]:
        """Columns left out, in the table's order."""
        return tuple(name for name in self.names if self.is_left_out(name))

    @cached_property
    def used(self) -> tuple[str, ...]:
        """Columns used: neither left out nor the ID column."""
        return tuple(n for n in self.names if n != self.person and not self.is_left_out(n))

    def used_as(self, kind: ColumnKind) -> tuple[str, ...]:
        """Columns used as numbers, or as categories."""
        found: Mapping[ColumnKind, tuple[str, ...]] = self._by_kind
        return found[kind]

    @cached_property
    def _by_kind(self) -> Mapping[ColumnKind, tuple[str, ...]]:
        return {kind: tuple(n for n in self.used if self.kind(n) is kind) for kind in ColumnKind}

    def leaving_out(self, names: list[str]) -> "RecipeDraft":
        """Leave out these columns and no others."""
        chosen, entries = set(names), dict(self.entries)
        for name in self.names:
            if self.is_left_out(name) != (name in chosen):
                entries[name] = replace(entries.get(name, NO_ENTRY), left_out=name in chosen)
        return replace(self, entries=MappingProxyType(entries))

    def as_categories(self, names: list[str]) -> "RecipeDraft":
        """Use these columns as categories, and the others that are used as numbers."""
        chosen, entries = set(names), dict(self.entries)
        for name in self.used:
            kind = ColumnKind.CATEGORY if name in chosen else ColumnKind.NUMBER
            if self.kind(name) is not kind:
                entries[name] = replace(entries.get(name, NO_ENTRY), kind=kind)
        return replace(self, entries=MappingProxyType(entries))

    def _entry(self, name: str) -> Entry:
        return self.entries.get(name, NO_ENTRY)

    def _file_values(self, name: str) -> FileValues:
        return self.from_file.get(name, NOT_READ)

    @property
    def ranged(self) -> bool:
        """Whether numbers need public ranges."""
        return self.scaling in (Scaling.BOUNDED, Scaling.PRIVATE_MEAN)

    def number(self, name: str) -> Number:
        """Return a number's range: what the owner typed, else what was read, else nothing."""
        if not self.ranged:
            return Number(name, nan, nan)
        typed, read = self._entry(name), self._file_values(name)
        low = read.low if typed.low is None else typed.low
        high = read.high if typed.high is None else typed.high
        return Number(name, nan if low is None else low, nan if high is None else high)

    def category(self, name: str) -> Category:
        """Return a category's values: what the owner typed, else what was read, else none."""
        typed = split_values(self._entry(name).values)
        return Category(name, typed or self._file_values(name).values)

    @cached_property
    def read_from_file(self) -> tuple[str, ...]:
        """Name every entry that is used, was read from the file, and was not typed since."""
        entries = []
        for name in self.used_as(ColumnKind.NUMBER) if self.ranged else ():
            typed, read = self._entry(name), self._file_values(name)
            if typed.low is None and read.low is not None:
                entries.append(f"low of {name}")
            if typed.high is None and read.high is not None:
                entries.append(f"high of {name}")
        for name in self.used_as(ColumnKind.CATEGORY):
            typed_values = split_values(self._entry(name).values)
            if not typed_values and self._file_values(name).values:
                entries.append(f"values of {name}")
        return tuple(entries)

    @property
    def public(self) -> bool:
        """Whether all that is used was declared public, and none of it was read from the file."""
        return self.declared_public and not self.read_from_file

    @property
    def person_is_undecided(self) -> bool:
        """Whether the owner still has to say which person each row belongs to."""
        return bool(self.id_candidates) and not self.person_decided

    @property
    def default_radius(self) -> float:
        """R where none is given: no row within its ranges is longer."""
        return sqrt(max(len(self.used), 1))

    def recipe(self, *, streamed: bool = False) -> Recipe:
        """Return all choices; in a stream every row is a different person."""
        unit = self.unit if unit_problem(self.unit) is None else "person"
        several: dict[str, Any] = {}
        if self.person is not None and not streamed:
            at_most = self.combine is Combine.AT_MOST
            several = {"person": (self.person,), "combine": self.combine}
            several["most"] = self.rows_per_person if at_most else 1
        return Recipe(
            tuple(map(self.number, self.used_as(ColumnKind.NUMBER))),
            tuple(map(self.category, self.used_as(ColumnKind.CATEGORY))),
            self.scaling,
            self.radius or None,
            self.missing,
            self.public,
            mean_share=self.mean_share,
            unit=Unit(unit, UNITS.get(unit, f"{unit}s")),
            number_format=self.number_format,
            **several,
        )


def unit_problem(text: str) -> str | None:
    """Say why a word cannot name the unit of privacy; None where it can.

    The word is printed into releases and pages, so it may not contain anything like markup.
    """
    letters = (sign in " -" or category(sign)[0] in "LM" for sign in text)
    if 0 < len(text) <= LONGEST_UNIT and text[0].isalpha() and all(letters):
        return None
    return unit_error(LONGEST_UNIT)


def finite_or_none(value: object) -> float | None:
    """Return a number as typed into a cell; None for an empty cell or an infinite number."""
    if value is None or isinstance(value, bool):
        return None
    number = float(str(value))
    return number if -inf < number < inf else None
