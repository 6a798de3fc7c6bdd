"""The draft: all that the owner has said of a table so far, as text; screens are views of it.

``Draft.recipe`` is the recipe it stands for, once nothing is missing. A draft knows no value, no
count and no name of a file: only names of columns, and what stands in the cells.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from dpca_core.data import strict_json
from dpca_core.data.errors import RecipeError
from dpca_core.data.recipe import (
    ONE_ROW,
    Category,
    Combine,
    MissingPerson,
    Number,
    Recipe,
    Scale,
    Source,
    Unit,
    Use,
)
from dpca_core.data.text_file_format import TextFileFormat, require_valid_format
from dpca_core.runtime.cached_property import cached_property
from ui.owner.checked_column import DraftError, checked
from ui.owner.column import ANSWER, Column

FOUND, EVERY_ROW, CANNOT_TELL = "found", "every row differs", "cannot be told apart"
"""Answers to whose rows they are: columns name the person, nobody has two rows, or nothing says."""
DECIDE_FIELDS = ("people_guess", "shares", "epsilon", "delta", "chosen")
FEWEST_COLUMNS = 2
"""Columns after coding that a PCA needs."""
FORMAT, LARGEST = "dpca-draft/2", 2**24
"""What a draft's file says it is, and its most bytes."""
_WHOLE = re.compile(r"0*[1-9][0-9]{0,8}")


@dataclass(frozen=True)
class Who:
    """Who is protected, by an ``answer``: "" until the owner has given one.

    ``columns`` together name the person, ``most`` is m as typed; what was ``noticed`` in the file
    was shown before the answer.
    """

    columns: tuple[str, ...] = ()
    answer: str = ""
    one: str = "person"
    many: str = "people"
    combine: Combine = Combine.AVERAGE
    most: str = ""
    missing_person: MissingPerson = MissingPerson.LEAVE_OUT
    ids_ignore_case: bool = False
    noticed: bool = False

    @property
    def person(self) -> tuple[str, ...]:
        """Columns that name the person; none where every row counts as one."""
        return self.columns if self.answer == FOUND else ()

    @property
    def rows_kept(self) -> int | None:
        """Return m; None where it is needed and no whole number from 1 on."""
        if self.combine is not Combine.AT_MOST or not self.person:
            return 1
        text = self.most.strip()
        return int(text) if _WHOLE.fullmatch(text) else None


@dataclass(frozen=True)
class Draft:
    """All choices about a table so far, as typed.

    ``columns`` has those of earlier tables, too. ``looked`` is whether the owner looked at curves
    of this table before deciding, for good; ``asked`` are questions about the file as a whole.
    """

    header: tuple[str, ...] = ()
    columns: Mapping[str, Column] = field(default_factory=lambda: MappingProxyType({}))
    who: Who = Who()
    reading: TextFileFormat = field(default_factory=TextFileFormat)
    people_guess: str = ""
    shares: str = ""
    epsilon: str = ""
    delta: str = ""
    chosen: str = ""
    looked: bool = False
    asked: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def column(self, name: str) -> Column:
        """Return what was said of a column; nothing so far for one never met."""
        return self.columns.get(name) or Column(name)

    def use_of(self, name: str) -> Use | None:
        """Return what a column is used as: step 1 decides which name the person."""
        return Use.PERSON if name in self.who.person else self.column(name).use

    @cached_property
    def used(self) -> tuple[Column, ...]:
        """Columns of the table that are neither left out nor name the person, in its order."""
        away = (Use.OUT, Use.PERSON)
        return tuple(self.column(n) for n in self.header if self.use_of(n) not in away)

    @cached_property
    def left_out(self) -> tuple[Column, ...]:
        """Columns of the table that are left out, in its order."""
        return tuple(self.column(n) for n in self.header if self.use_of(n) is Use.OUT)

    @property
    def unconfirmed(self) -> tuple[str, ...]:
        """Names of columns that are proposed to be left out, which nobody has confirmed."""
        return tuple(c.name for c in self.left_out if c["use"].origin is Source.FILE)

    def merge(self, changes: Mapping[str, Mapping[str, str]]) -> "Draft":
        """Take edits by column and field; those of columns that are not there are dropped."""
        known = set(self.header)
        found = {name: self.column(name) for name in changes if name in known}
        for name, column in found.items():
            for field_name, text in changes[name].items():
                column = column.edited(field_name, text)
            found[name] = column
        return self.with_columns(found.values())

    def with_columns(self, columns: Iterable[Column]) -> "Draft":
        """Put columns in place of those of their names."""
        found = {column.name: column for column in columns}
        if all(self.columns.get(name) == column for name, column in found.items()):
            return self
        return replace(self, columns=MappingProxyType({**self.columns, **found}))

    def for_header(self, names: Iterable[str]) -> "Draft":
        """Take another table: what was typed of equal names stays, and who is asked again."""
        header = tuple(names)
        columns = {name: self.column(name).of_another_file() for name in header}
        return replace(
            self,
            header=header,
            columns=MappingProxyType({**self.columns, **columns}),
            who=Who(one=self.who.one, many=self.who.many),
            asked=MappingProxyType({}),
        )

    def read_as(self, form: TextFileFormat) -> "Draft":
        """Write the cells as in a file of this format: numbers keep their values."""
        columns = {n: c.written_as(self.reading, form) for n, c in self.columns.items()}
        return replace(self, reading=form, columns=MappingProxyType(columns))

    @property
    def unit(self) -> Unit:
        """Who is protected, in words: a row where nothing says which rows are one person’s."""
        return ONE_ROW if self.who.answer == CANNOT_TELL else Unit(self.who.one, self.who.many)

    @cached_property
    def _checked(self) -> tuple[Number | Scale | Category | tuple[DraftError, ...], ...]:
        """Used columns as a recipe has them, or what keeps each from that."""
        return tuple(checked(column, self.reading) for column in self.used)

    @cached_property
    def missing_answers(self) -> tuple[DraftError, ...]:
        """All that keeps the draft from being a recipe: of the whole, then in the table's order."""
        whole, beside, width = [], list[DraftError](), 0
        # A saved recipe may name columns that this table does not have.
        named = bool(self.who.columns) and set(self.who.columns) <= set(self.header)
        if not self.who.answer or (self.who.answer == FOUND and not named):
            whole.append(DraftError("", "who", "Say who is protected."))
        if self.who.rows_kept is None:
            whole.append(DraftError("", "most", "Give m, a whole number from 1 on."))
        for key, answer in self.asked.items():
            if not answer:
                whole.append(DraftError("", f"{ANSWER}{key}", "a question about the file is open"))
        for column, found in zip(self.used, self._checked, strict=True):
            beside += found if isinstance(found, tuple) else ()
            width += len(found.values) if isinstance(found, Category) else 1
            for key in column.open_questions:
                beside.append(DraftError(column.name, f"{ANSWER}{key}", "a question is open"))
        if not (whole or beside) and width < FEWEST_COLUMNS:
            whole.append(DraftError("", "columns", "Use at least two columns: PCA needs two."))
        return (*whole, *beside)

    @property
    def from_file(self) -> tuple[str, ...]:
        """Names of columns of which anything was read from the file, or confirmed by nobody."""
        described = (*self.left_out, *self.used)
        return tuple(column.name for column in described if column.origin is Source.FILE)

    @cached_property
    def bounds_are_public(self) -> bool:
        """Whether nothing that is used was read from the file, and no question is open."""
        return not self.from_file and not self.missing_answers

    def recipe(self) -> Recipe | tuple[DraftError, ...]:
        """Return the recipe of the draft, or what keeps it from being one."""
        if self.missing_answers:
            return self.missing_answers
        return Recipe(
            tuple(one for one in self._checked if isinstance(one, Number)),
            tuple(one for one in self._checked if isinstance(one, Category)),
            bounds_are_public=self.bounds_are_public,
            person=self.who.person,
            combine=self.who.combine,
            most=self.who.rows_kept or 1,
            unit=self.unit,
            number_format=self.reading,
            missing_person=self.who.missing_person,
            ids_ignore_case=self.who.ids_ignore_case,
            scales=tuple(one for one in self._checked if isinstance(one, Scale)),
        )


def of_json(text: str | bytes) -> Draft:
    """Read a draft; RecipeError for a key missing or unknown, or a value of another type."""
    content = strict_json.parsed(text, "draft", LARGEST)
    if not isinstance(content, dict) or content.pop("format", None) != FORMAT:
        raise RecipeError(f"This file is not a draft: its “format” must be “{FORMAT}”.")
    draft = strict_json.read(Draft, content, "draft")
    require_valid_format(draft.reading)
    return draft
