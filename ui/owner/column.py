"""What the owner has said of one column so far, as text, and where each piece comes from.

Nothing typed is ever parsed away: "1e", "" and "12,5" stay as they are, and another use of the
column deletes none of its cells.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from dpca_core.data.recipe import Source
from dpca_core.data.text_file_format import TextFileFormat
from ui.owner.answer_effects import ABOUT_MISSING, ABOUT_UNIT, ABOUT_USE, edits_after
from ui.owner.typed_numbers import written_as
from ui.owner.value_lists import list_written_as

PUBLIC = (Source.CODEBOOK, Source.LAW)
"""Sources that no file of people was read for."""

NAMED = (*PUBLIC, Source.GUESS)
"""Sources that the owner can name, as long as the file's values were not shown."""

WORST_LAST = (
    Source.CODEBOOK,
    Source.LAW,
    Source.GUESS,
    Source.DECLARED,
    Source.NOTICED,
    Source.FILE,
)
"""Sources from the one that costs nothing to the one that costs all privacy."""

TYPED = ("low", "typical", "high", "values")
"""Fields that are cells, each with a source of its own."""

ANSWER = "asked."
"""Before the key of a question, in the name of a field."""

KEEP = "keep"
"""Key of the question whether what was read from the file stays, and its answer Yes."""


class Use(StrEnum):
    """What a column is used as."""

    NUMBER = "number"
    CATEGORY = "category"
    OUT = "out"
    PERSON = "person"


@dataclass(frozen=True)
class Cell:
    """A text as it was typed, and where it comes from; None where it is empty."""

    text: str = ""
    origin: Source | None = None

    @property
    def empty(self) -> bool:
        """Whether nothing stands in it."""
        return not self.text.strip()


@dataclass(frozen=True)
class Column:
    """One column of the table.

    Attributes
    ----------
    use
        None where nothing is proposed or chosen.
    low, typical, high
        A number's range and typical value; kept, but not used, for other uses.
    values
        A category's values, with semicolons or commas between them.
    missing
        Codes of missing values, likewise.
    seen
        Whether the file's values were shown here: what is typed from then on is ``DECLARED``.
    asked
        Questions by key, with the answers; "" where it is open.
    note
        What the program found out, in a few words: "a date".
    use_origin
        Where ``use`` comes from. ``FILE`` is a proposal that nobody confirmed, ``NOTICED`` one that
        the owner confirmed, ``DECLARED`` the owner's own choice.
    missing_origin, unit_origin
        Where ``missing`` and ``unit`` come from, likewise.
    source
        What the owner named as the source of what he types; None is a guess.
    """

    name: str
    use: Use | None = None
    low: Cell = Cell()
    typical: Cell = Cell()
    high: Cell = Cell()
    values: Cell = Cell()
    unit: str = ""
    missing: str = ""
    seen: bool = False
    asked: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    note: str = ""
    use_origin: Source | None = None
    missing_origin: Source | None = None
    unit_origin: Source | None = None
    source: Source | None = None

    @property
    def used(self) -> Mapping[str, Cell]:
        """The cells that its use needs, by field."""
        fields = {Use.NUMBER: TYPED[:3], Use.CATEGORY: TYPED[3:]}.get(self.use or Use.OUT, ())
        return {name: getattr(self, name) for name in fields}

    @property
    def cells_origin(self) -> Source | None:
        """The worst source of a cell that is used and not empty; None where all are empty."""
        return _worst(cell.origin for cell in self.used.values() if not cell.empty)

    @property
    def origin(self) -> Source | None:
        """The worst source of all that is used: cells, use and codes of missing values.

        The owner's own choice of a use, or of codes, leaves the cells' source as it is. So does a
        use that was proposed, once its cells are given: who gives a range says it is a number.
        """
        found = [self.cells_origin]
        noticed = (Source.NOTICED, Source.FILE)
        if self.use_origin is Source.NOTICED or (self.use_origin is Source.FILE and not self.used):
            found.append(self.use_origin)
        if self.used and self.missing.strip() and self.missing_origin in noticed:
            found.append(self.missing_origin)
        if self.use is Use.NUMBER and self.unit.strip() and self.unit_origin in noticed:
            found.append(self.unit_origin)
        return _worst(found)

    @property
    def file_fields(self) -> tuple[str, ...]:
        """Fields that are used and were read from the file."""
        used = self.used.items()
        return tuple(name for name, cell in used if cell.origin is Source.FILE and not cell.empty)

    @property
    def open_questions(self) -> tuple[str, ...]:
        """Keys of the questions nobody has answered; none where the column is left out.

        Whoever chooses the use, or types the codes, needs no question about it.
        """
        proposed = (None, Source.FILE)
        moot: tuple[str, ...] = () if self.use_origin in proposed else ABOUT_USE
        moot += () if self.missing_origin in proposed else ABOUT_MISSING
        asked = self.asked.items() if self.used else ()
        return tuple(key for key, answer in asked if not answer and key not in moot)

    @property
    def kept(self) -> bool:
        """Whether the owner keeps what was read from the file, and with it "not private"."""
        return self.asked.get(KEEP) == KEEP

    def edited(self, name: str, text: str) -> "Column":
        """Take one edit: a field's name, or ``asked.`` and a question's key, and its text.

        ``seen`` says that the file's values were shown before; it cannot be unsaid. What is no
        field, no use and no source that can be named changes nothing.
        """
        if name in TYPED:
            return self._typed(name, text)
        if name == "unit":
            return replace(self, unit=text, unit_origin=self._after(self.unit_origin, ABOUT_UNIT))
        if name == "missing":
            return self._missing_typed(text)
        if name == "use" and text in (Use.NUMBER, Use.CATEGORY, Use.OUT):
            return self._used_as(Use(text))
        if name == "source" and text in NAMED:
            return self._named(Source(text))
        if name == "seen":
            return replace(self, seen=True)
        if name.startswith(ANSWER):
            key = name.removeprefix(ANSWER)
            column = self.answered(key, text)
            for field_name, follows in edits_after(key, text, self.missing):
                column = column.edited(field_name, follows)
            return column
        return self

    def filled(self, texts: Mapping[str, str]) -> "Column":
        """Fill cells that are empty from the file: its values have been shown from then on."""
        empty = {n: t for n, t in texts.items() if t and n in TYPED and getattr(self, n).empty}
        if not empty:
            return self
        cells: dict[str, Any] = {name: Cell(text, Source.FILE) for name, text in empty.items()}
        asked = {key: answer for key, answer in self.asked.items() if key != KEEP}
        return replace(self, **cells, seen=True, asked=MappingProxyType(asked))

    def answered(self, key: str, answer: str) -> "Column":
        """Answer a question; "" opens it again."""
        return replace(self, asked=MappingProxyType({**self.asked, key: answer}))

    def written_as(self, before: TextFileFormat, form: TextFileFormat) -> "Column":
        """Write its cells and codes as another file does: numbers stay the same numbers.

        A category's values and codes are texts, and stay the same texts.
        """
        cells: dict[str, Any] = {}
        for name in TYPED[:3]:
            cell: Cell = getattr(self, name)
            cells[name] = replace(cell, text=written_as(cell.text, before, form))
        values = list_written_as(self.values.text, before, form, numbers=False)
        numbers = self.use is not Use.CATEGORY
        missing = list_written_as(self.missing, before, form, numbers=numbers)
        return replace(self, **cells, values=replace(self.values, text=values), missing=missing)

    def of_another_file(self) -> "Column":
        """Forget what was read from a file or proposed after it; that it was seen stays."""
        cells: dict[str, Any] = {n: Cell() for n in TYPED if getattr(self, n).origin is Source.FILE}
        proposed = self.use_origin in (Source.NOTICED, Source.FILE)
        noticed = self.missing_origin in (Source.NOTICED, Source.FILE)
        unit_noticed = self.unit_origin in (Source.NOTICED, Source.FILE)
        return replace(
            self,
            **cells,
            use=None if proposed else self.use,
            use_origin=None if proposed else self.use_origin,
            missing="" if noticed else self.missing,
            missing_origin=None if noticed else self.missing_origin,
            unit="" if unit_noticed else self.unit,
            unit_origin=None if unit_noticed else self.unit_origin,
            asked=MappingProxyType({}),
            note="",
        )

    @property
    def typed_origin(self) -> Source:
        """The source of what is typed now: a public one cannot be named after a look."""
        return Source.DECLARED if self.seen else self.source or Source.GUESS

    def _typed(self, name: str, text: str) -> "Column":
        """Whoever types a range or values says himself what the column is used as."""
        if text == getattr(self, name).text:
            return self
        cell = Cell(text, self.typed_origin if text.strip() else None)
        cells: dict[str, Any] = {name: cell}
        changed = replace(self, **cells)
        if name in self.used and text.strip() and self.use_origin is Source.FILE:
            return replace(changed, use_origin=Source.DECLARED)
        return changed

    def _missing_typed(self, text: str) -> "Column":
        """Codes that are typed once some of the file's were shown were noticed in it.

        No codes are the owner's own choice.
        """
        if text != self.missing:
            shown = self._after(self.missing_origin, ABOUT_MISSING)
            origin = shown if text.strip() else Source.DECLARED
            return replace(self, missing=text, missing_origin=origin)
        proposed = self.missing_origin is Source.FILE
        return replace(self, missing_origin=Source.NOTICED) if proposed else self

    def _after(self, origin: Source | None, questions: tuple[str, ...]) -> Source:
        """Return where a text comes from that takes the place of one of this origin.

        Once the file's own was shown, beside the cell or in a question, it was noticed there.
        """
        shown = origin in (Source.NOTICED, Source.FILE) or not self.asked.keys().isdisjoint(
            questions
        )
        return Source.NOTICED if shown else Source.DECLARED

    def _used_as(self, use: Use) -> "Column":
        """A proposal that is chosen was noticed in the file; another choice is the owner's."""
        proposed = self.use_origin in (Source.NOTICED, Source.FILE)
        origin = Source.NOTICED if proposed and use is self.use else Source.DECLARED
        return replace(self, use=use, use_origin=origin)

    def _named(self, source: Source) -> "Column":
        """Name the source of what was typed and will be; after a look nothing is named."""
        if self.seen:
            return self
        # What a codebook says was noticed, or read, stays so.
        typed = {n: getattr(self, n) for n in TYPED if getattr(self, n).origin in NAMED}
        cells: dict[str, Any] = {n: replace(cell, origin=source) for n, cell in typed.items()}
        return replace(self, source=source, **cells)


def _worst(origins: Iterable[Source | None]) -> Source | None:
    """Return the last of ``WORST_LAST`` among them."""
    found = [origin for origin in origins if origin is not None]
    return max(found, key=WORST_LAST.index, default=None)
