"""One column as its owner has described it so far: texts as typed, and where each comes from.

Nothing typed is ever parsed away: "1e", "" and "12,5" stay as they are, and another use of the
column deletes none of its entries. A text that takes the place of one that the file showed was
*noticed* there.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from dpca_core.data.recipe import Source, Use
from dpca_core.data.strict_json import tree_of
from dpca_core.data.text_file_format import ADDED, TextFileFormat
from dpca_core.detection import questions as ask
from dpca_core.runtime.cached_property import cached_property
from ui.owner.typed_values import list_written_as, written_as

PUBLIC, SHOWN = (Source.CODEBOOK, Source.LAW), (Source.NOTICED, Source.FILE)
"""Sources that no file of people was read for; of what the file showed, confirmed or not."""
NAMED = (*PUBLIC, Source.GUESS)
"""Sources that the owner can name, as long as the file's values were not shown."""
TYPED = ("low", "typical", "high", "values")
"""Fields of ranges and lists."""
FIELDS = ("use", *TYPED, "unit", "missing")
ANSWER = "asked."
"""Before the key of a question, in the name of a field."""


LISTS = (Use.SCALE, Use.CATEGORY)
"""Uses with a list of values, which are texts."""
CHOICES = (Use.NUMBER, *LISTS, Use.OUT)
"""What its owner can choose; step 1 says which columns name the person."""
_ASKED_OF = {
    "use": (ask.CODES, ask.IDENTIFIER, ask.WEIGHT, ask.SCALE, ask.LABELS),
    "values": (ask.SCALE, ask.LABELS),
    "missing": (ask.MISSING,),
    "unit": (ask.UNITS,),
}
"""Questions that show the file's own text for a field."""
_ANSWERS_FOR = {
    Use.NUMBER: (ask.STEPS, ask.MEASUREMENT, ask.A_NUMBER, ask.AS_MISSING),
    Use.SCALE: (ask.ORDERED,),
    Use.CATEGORY: (ask.AS_CODES, ask.UNORDERED),
    Use.OUT: (ask.AN_IDENTIFIER, ask.SURVEY, ask.LEAVE_OUT),
}
"""Answers that say what a column is used as."""


@dataclass(frozen=True)
class Entry:
    """A text as it was typed, and where it comes from; None where it is empty, or nobody's.

    Of a use, a unit and codes of missing values ``FILE`` is a proposal that nobody confirmed,
    ``NOTICED`` one that the owner confirmed, and ``DECLARED`` the owner's own choice.
    """

    text: str = ""
    origin: Source | None = None

    @property
    def empty(self) -> bool:
        """Whether nothing stands in it."""
        return not self.text.strip()


NOTHING = Entry()


@dataclass(frozen=True)
class Column:
    """One column of the table.

    ``seen`` is whether its values were shown; ``asked`` are questions by key, with the answers, ""
    where one is open; ``note`` is what the program found out ("a date"), ``source`` where the owner
    says that the texts come from, None for a guess. ``labels`` of values and ``title`` are a
    codebook's.
    """

    name: str
    entries: Mapping[str, Entry] = field(default_factory=lambda: MappingProxyType({}))
    seen: bool = False
    asked: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    note: str = ""
    source: Source | None = None
    labels: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), metadata=ADDED)
    title: str = field(default="", metadata=ADDED)

    def __getitem__(self, name: str) -> Entry:
        """Return the entry of a field; ``NOTHING`` where nothing stands in it."""
        return self.entries.get(name, NOTHING)

    @cached_property
    def use(self) -> Use | None:
        """What it is used as; None where nothing is proposed or chosen."""
        text = self["use"].text
        return Use(text) if text in CHOICES else None

    @cached_property
    def used(self) -> Mapping[str, Entry]:
        """Range or list, as its use needs it, by field."""
        fields = TYPED[:3] if self.use is Use.NUMBER else TYPED[3:] if self.use in LISTS else ()
        return {name: self[name] for name in fields}

    @cached_property
    def kept_by_tab(self) -> str:
        """JSON of what was said of it, without anything of the file; "" where nothing was."""
        own = {name: one for name, one in self.entries.items() if one.origin is not Source.FILE}
        if not own and not self.seen:
            return ""
        return json.dumps(tree_of(replace(self, entries=own, note="")), ensure_ascii=False)

    @property
    def cells_origin(self) -> Source | None:
        """The worst source of its range or list; None where all of that is empty."""
        return _worst(self.used.values())

    @property
    def origin(self) -> Source | None:
        """The worst source of all that is used; a use or codes of the owner's own are no source."""
        use, parts = self["use"], [*self.used.values()]
        # Whoever gives a range to what was proposed as a number says that it is one.
        if use.origin is Source.NOTICED or (use.origin is Source.FILE and not self.used):
            parts.append(use)
        beside = ["missing"] * bool(self.used) + ["unit"] * (self.use is Use.NUMBER)
        noticed = [self[name] for name in beside if self[name].origin in SHOWN]
        return _worst([*parts, *(one for one in noticed if not one.empty)])

    @property
    def open_questions(self) -> tuple[str, ...]:
        """Keys of the questions nobody has answered; none where the column is left out."""
        # Whoever fills a field, or says that there are no codes, has answered what is asked of it.
        own = ["use", "missing"] + ["unit"] * (not self["unit"].empty)
        chosen = [name for name in own if self[name].origin not in (None, Source.FILE)]
        moot = {key for name in chosen for key in _ASKED_OF[name]}
        if self["missing"].origin is Source.FILE:
            moot.discard(ask.LABELS)  # it shows codes, too
        asked = self.asked.items() if self.used else ()
        return tuple(key for key, answer in asked if not answer and key not in moot)

    def is_typed(self, name: str) -> bool:
        """Tell whether its owner typed a cell: a guess, declared, or of a named source."""
        return self[name].origin in {Source.GUESS, Source.DECLARED, self.source} - {None}

    @property
    def typed_origin(self) -> Source:
        """The source of what is typed now: a public one cannot be named after a look."""
        return Source.DECLARED if self.seen else self.source or Source.GUESS

    def edited(self, name: str, text: str) -> "Column":
        """Take one edit: a field's name, or ``asked.`` and a question's key, and its text.

        ``seen`` says that the file's values were shown before; it cannot be unsaid. What is no
        field, no use and no source that can be named changes nothing.
        """
        if name == "seen":
            return replace(self, seen=True)
        if name == "source" and text in NAMED and not self.seen:
            # What a codebook says was noticed, or read, stays so.
            typed = [cell for cell in TYPED if self[cell].origin in NAMED]
            named = {cell: Entry(self[cell].text, Source(text)) for cell in typed}
            return replace(self.with_entries(named), source=Source(text))
        if name.startswith(ANSWER):
            key = name.removeprefix(ANSWER)
            return self.answered(key, text)._after(key, text)
        if name not in FIELDS or (name == "use" and text not in CHOICES):
            return self
        changed = {name: Entry(text, self._origin_of(name, text))}
        # Whoever types a range or a list says himself what the column is used as.
        given = name in self.used and text.strip() and text != self[name].text
        if given and self["use"].origin is Source.FILE:
            changed["use"] = replace(self["use"], origin=Source.DECLARED)
        return self.with_entries(changed)

    def _origin_of(self, name: str, text: str) -> Source | None:
        """Return where a text comes from that its owner has put into a field."""
        before, same = self[name].origin, text == self[name].text
        # Once the file's own text was shown, beside the cell or in a question, it was noticed.
        asked = not self.asked.keys().isdisjoint(_ASKED_OF.get(name, ()))
        if name in TYPED:
            if same or not text.strip():
                return before if same else None
            return Source.NOTICED if asked else self.typed_origin
        if same and before is not Source.FILE:
            return before
        shown = same if name == "use" else asked or before in SHOWN
        return Source.NOTICED if shown else Source.DECLARED

    def _after(self, key: str, answer: str) -> "Column":
        """Take what follows from an answer."""
        if key == ask.UNITS and answer not in ("", ask.LEAVE_OUT):
            return self.edited("unit", answer)
        if key == ask.MISSING and answer in (ask.AS_MISSING, ask.REAL_VALUE):
            codes = self["missing"].text if answer == ask.AS_MISSING else ""
            return self.edited("missing", codes)
        use = (use for use, answers in _ANSWERS_FOR.items() if answer in answers)
        return self.edited("use", next(use, ""))

    def answered(self, key: str, answer: str) -> "Column":
        """Answer a question."""
        return replace(self, asked=MappingProxyType({**self.asked, key: answer}))

    def with_entries(self, entries: Mapping[str, Entry]) -> "Column":
        """Put entries in place of those of their fields, as they are."""
        found = {n: one for n, one in {**self.entries, **entries}.items() if one != NOTHING}
        return replace(self, entries=MappingProxyType(found))

    def filled(self, texts: Mapping[str, str]) -> "Column":
        """Fill empty ranges and lists from the file: its values have been shown from then on."""
        empty = {name: text for name, text in texts.items() if name in TYPED and self[name].empty}
        new = {name: Entry(text, Source.FILE) for name, text in empty.items() if text}
        return replace(self.with_entries(new), seen=True) if new else self

    def written_as(self, before: TextFileFormat, form: TextFileFormat) -> "Column":
        """Write ranges and codes as another file does: numbers stay the same numbers.

        A list's values, and codes among them, are texts, and stay the same texts.
        """
        texts = {name: written_as(self[name].text, before, form) for name in TYPED[:3]}
        for name, numbers in (("values", False), ("missing", self.use not in LISTS)):
            texts[name] = list_written_as(self[name].text, before, form, numbers=numbers)
        return self.with_entries({n: replace(self[n], text=text) for n, text in texts.items()})

    def of_another_file(self) -> "Column":
        """Forget what was read from a file or proposed after it; that it was seen stays."""
        kept = {
            name: one
            for name, one in self.entries.items()
            if one.origin not in ((Source.FILE,) if name in TYPED else SHOWN)
        }
        nothing = MappingProxyType[str, str]({})
        return replace(self, entries=MappingProxyType(kept), asked=nothing, note="")


def _worst(entries: Iterable[Entry]) -> Source | None:
    """Return the source that costs most privacy: the last in order."""
    return max((one.origin for one in entries if one.origin), key=[*Source].index, default=None)
