"""What the owner has said so far about a table, and what of it was read from the file.

Entries are kept by the name of their column: leaving a column out, changing its kind, filling in
from the file or visiting another page loses none of them. Controls are views of the draft.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from math import inf, nan, sqrt
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from unicodedata import category

from dpca_core.data.provenance import Unit
from dpca_core.data.recipe import (
    Category,
    Combine,
    Missing,
    Number,
    NumberFormat,
    Reading,
    Recipe,
    Scaling,
)
from dpca_core.runtime.cached_property import cached_property
from ui.data.category_lists import listed
from ui.data.column_kinds import Roles
from ui.data.person_columns import Repeats

if TYPE_CHECKING:
    from pandas import DataFrame


UNITS = {"person": "people", "patient": "patients", "household": "households", "pupil": "pupils"}
LONGEST_UNIT = 30


class Kind(StrEnum):
    """What a column is used as."""

    NUMBER = "number"
    CATEGORY = "category"


@dataclass(frozen=True)
class Entry:
    """What the owner said about one column; None or "" where nothing was said."""

    out: bool | None = None
    kind: Kind | None = None
    low: float | None = None
    high: float | None = None
    values: str = ""


@dataclass(frozen=True)
class Found:
    """What was read from the file about one column: it stands in where the owner said nothing."""

    low: float | None = None
    high: float | None = None
    values: tuple[str, ...] = ()


NOTHING_SAID, NOTHING_FOUND = Entry(), Found()


@dataclass(frozen=True)
class Draft:
    """All choices about a table so far.

    Attributes
    ----------
    names, roles, repeated
        Columns of the table, what they are proposed for, and which may name the person.
    entries
        What the owner said about columns, by name; those of other tables' columns stay.
    found
        What "Fill" read from this file, by name.
    number_format, reading
        How a text file is written, and whether rows that are not as they should be are read.
    person, asked
        The ID column; whether the owner has answered whose the rows are.
    oath
        Whether the owner declared columns, kinds, entries and format to be public.
    """

    names: tuple[str, ...] = ()
    roles: Roles = field(default_factory=Roles)
    repeated: tuple[Repeats, ...] = ()
    entries: Mapping[str, Entry] = field(default_factory=lambda: MappingProxyType({}))
    found: Mapping[str, Found] = field(default_factory=lambda: MappingProxyType({}))
    number_format: NumberFormat = field(default_factory=NumberFormat)
    reading: Reading = Reading.STRICT
    scaling: Scaling = Scaling.BOUNDED
    radius: float | None = None
    missing: Missing = Missing.CENTRE
    mean_share: float = 0.1
    unit: str = "person"
    person: str | None = None
    asked: bool = False
    combine: Combine = Combine.AVERAGE
    most: int = 5
    oath: bool = False

    def of_table(
        self, names: tuple[str, ...], roles: Roles, repeated: tuple[Repeats, ...],
        number_format: NumberFormat, reading: Reading = Reading.STRICT,
    ) -> "Draft":  # fmt: skip
        """Begin with another table: entries stay by name, what was read or sworn does not."""
        return replace(
            self, names=names, roles=roles, repeated=repeated, found=MappingProxyType({}),
            number_format=number_format, reading=reading, oath=False, asked=False, person=None,
        )  # fmt: skip

    def read_again(
        self, names: tuple[str, ...], roles: Roles, repeated: tuple[Repeats, ...]
    ) -> "Draft":
        """Take the same file read in another format: what was read or sworn is forgotten.

        The kinds of columns are proposed anew; the oath was of the ones before.
        """
        person = self.person if self.person in names else None
        return replace(
            self, names=names, roles=roles, repeated=repeated, found=MappingProxyType({}),
            person=person, asked=self.asked and person == self.person, oath=False,
        )  # fmt: skip

    def said(self, name: str, **values: Any) -> "Draft":
        """Change what the owner said about one column."""
        entry = replace(self.entries.get(name, NOTHING_SAID), **values)
        if entry == self.entries.get(name, NOTHING_SAID):
            return self
        return replace(self, entries=MappingProxyType({**self.entries, name: entry}))

    def is_out(self, name: str) -> bool:
        """Tell whether a column is left out, by the owner or by the proposal."""
        said = self.entries.get(name, NOTHING_SAID).out
        return name in self.roles.left_out if said is None else said

    def kind(self, name: str) -> Kind:
        """Return what a column would be used as."""
        said = self.entries.get(name, NOTHING_SAID).kind
        if said is not None:
            return said
        return Kind.NUMBER if name in self.roles.numeric else Kind.CATEGORY

    @cached_property
    def left_out(self) -> tuple[str, ...]:
        """Columns left out, in the table's order."""
        return tuple(name for name in self.names if self.is_out(name))

    @cached_property
    def used(self) -> tuple[str, ...]:
        """Columns used: neither left out nor the ID column."""
        return tuple(n for n in self.names if n != self.person and not self.is_out(n))

    def used_as(self, kind: Kind) -> tuple[str, ...]:
        """Columns used as numbers, or as categories."""
        found: Mapping[Kind, tuple[str, ...]] = self._by_kind
        return found[kind]

    @cached_property
    def _by_kind(self) -> Mapping[Kind, tuple[str, ...]]:
        return {kind: tuple(n for n in self.used if self.kind(n) is kind) for kind in Kind}

    def leaving_out(self, names: list[str]) -> "Draft":
        """Leave out these columns and no others."""
        chosen, entries = set(names), dict(self.entries)
        for name in self.names:
            if self.is_out(name) != (name in chosen):
                entries[name] = replace(entries.get(name, NOTHING_SAID), out=name in chosen)
        return replace(self, entries=MappingProxyType(entries))

    def as_categories(self, names: list[str]) -> "Draft":
        """Use these columns as categories, and the others that are used as numbers."""
        chosen, entries = set(names), dict(self.entries)
        for name in self.used:
            kind = Kind.CATEGORY if name in chosen else Kind.NUMBER
            if self.kind(name) is not kind:
                entries[name] = replace(entries.get(name, NOTHING_SAID), kind=kind)
        return replace(self, entries=MappingProxyType(entries))

    @property
    def ranged(self) -> bool:
        """Whether numbers need public ranges."""
        return self.scaling in (Scaling.BOUNDED, Scaling.PRIVATE_MEAN)

    def number(self, name: str) -> Number:
        """Return a number's range: what the owner typed, else what was read, else nothing."""
        if not self.ranged:
            return Number(name, nan, nan)
        said, read = self.entries.get(name, NOTHING_SAID), self.found.get(name, NOTHING_FOUND)
        low, high = (
            typed if typed is not None else other
            for typed, other in ((said.low, read.low), (said.high, read.high))
        )
        return Number(name, nan if low is None else low, nan if high is None else high)

    def category(self, name: str) -> Category:
        """Return a category's values: what the owner typed, else what was read, else none."""
        typed = listed(self.entries.get(name, NOTHING_SAID).values)
        return Category(name, typed or self.found.get(name, NOTHING_FOUND).values)

    @cached_property
    def read_from_file(self) -> tuple[str, ...]:
        """Name every entry that is used, was read from the file, and was not typed since."""
        entries = []
        for name in self.used_as(Kind.NUMBER) if self.ranged else ():
            said, read = self.entries.get(name, NOTHING_SAID), self.found.get(name, NOTHING_FOUND)
            if said.low is None and read.low is not None:
                entries.append(f"low of {name}")
            if said.high is None and read.high is not None:
                entries.append(f"high of {name}")
        for name in self.used_as(Kind.CATEGORY):
            typed = listed(self.entries.get(name, NOTHING_SAID).values)
            if not typed and name in self.found and self.found[name].values:
                entries.append(f"values of {name}")
        return tuple(entries)

    @property
    def public(self) -> bool:
        """Whether all that is used was declared public, and none of it was read from the file."""
        return self.oath and not self.read_from_file

    @property
    def whose_is_open(self) -> bool:
        """Whether the owner still has to say whose the rows are."""
        return bool(self.repeated) and not self.asked

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
            several = {"person": self.person, "combine": self.combine}
            several["most"] = self.most if at_most else 1
        return Recipe(
            tuple(map(self.number, self.used_as(Kind.NUMBER))),
            tuple(map(self.category, self.used_as(Kind.CATEGORY))),
            self.scaling, self.radius or None, self.missing, self.public,
            mean_share=self.mean_share, unit=Unit(unit, UNITS.get(unit, f"{unit}s")),
            number_format=self.number_format, **several,
        )  # fmt: skip


def filled(
    draft: Draft, table: "DataFrame", read: Callable[["DataFrame", str, Kind], Found]
) -> Draft:
    """Read from the file what no owner has typed; what was typed stays, what was sworn does not.

    Parameters
    ----------
    read
        Reads one column that is used as a number, or as a category.
    """
    found = {name: read(table, name, draft.kind(name)) for name in draft.used}
    # What was sworn before was not of these.
    return replace(draft, found=MappingProxyType({**draft.found, **found}), oath=False)


def unit_problem(text: str) -> str | None:
    """Say why a word cannot name who is protected; None where it can.

    The word is printed into releases and pages, so nothing that a program obeys may be in it.
    """
    letters = (sign in " -" or category(sign)[0] in "LM" for sign in text)
    if 0 < len(text) <= LONGEST_UNIT and text[0].isalpha() and all(letters):
        return None
    return (
        f"Name who is protected with letters, spaces and hyphens, at most {LONGEST_UNIT}; until "
        "then it says “person”."
    )


def finite_or_none(value: object) -> float | None:
    """A number as typed into a cell; None for an empty one or one without end."""
    if value is None or isinstance(value, bool):
        return None
    number = float(str(value))
    return number if -inf < number < inf else None
