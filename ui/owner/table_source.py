"""A table becomes the owner's: how it is read, what is asked before, what is noticed in it.

Each cell is read by itself; what does not fit counts as missing. No row changes another's numbers.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from dpca_core.data.column_names import label
from dpca_core.data.errors import TableError
from dpca_core.data.recipe import Source
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.detection.columns import ColumnProposal, propose_columns
from dpca_core.detection.first_look import WESTERN, first_foreign_line, looks_like_data
from dpca_core.detection.people import Finding, PersonProposal, propose_person
from dpca_core.tables.files import (
    Kind,
    UnpackedFile,
    Upload,
    each_once,
    first_bytes,
    kind,
    name_of,
    open_table,
    refuse_foreign,
)
from dpca_core.tables.proposed_format import notices, proposed_format
from dpca_core.tables.table import Labels
from ui.owner.draft import DECIDE_FIELDS, Draft, Who
from ui.owner.edits import Merged
from ui.owner.proposals import (
    DECLARED_MISSING,
    FORMAT,
    TITLES,
    with_labels,
    with_proposals,
)
from ui.owner.text import proposed_words
from ui.state.decision import Handover

if TYPE_CHECKING:
    from pandas import DataFrame

ENCODING, HEADER = "encoding", "header"
"""Keys of the questions that are asked before a file is read, in this order."""
AS_WESTERN, NOT_WESTERN = "Yes, Western European", "No"
ROW_ALREADY, NAMES_COLUMNS = "Yes, name them", "No, these are names"
ROWS = 5000
"""Rows that are looked at of a table on the server; of an upload all are."""
_ALL, _LONGEST, _MOST_TITLES = 2**31, 80, 6
"""All rows; letters of a first line that are shown; lines above the header of a sheet."""


class OneColumnError(TableError):
    """A table has one column only, as where a title stands above the header."""


@dataclass(frozen=True, repr=False)
class SourceTable:
    """A table as it was read for preview and proposals; a release never reads it.

    Of a table on the server these are the first rows. ``asked`` is what was asked before it was
    read, with the answers; ``notices`` say what speaks against the way in which its quotation marks
    are read; ``labels`` are what a statistics program's file says of its columns.
    """

    name: str
    table: "DataFrame"
    place: Upload | Path
    number_format: TextFileFormat
    asked: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    notices: tuple[str, ...] = ()
    labels: Mapping[str, Labels] = field(default_factory=lambda: MappingProxyType({}))
    sheets: tuple[str, ...] = ()

    @classmethod
    def read(
        cls,
        name: str,
        place: Upload | Path,
        number_format: TextFileFormat,
        asked: Mapping[str, str] = MappingProxyType({}),
    ) -> "SourceTable":
        """Read a table in a format; TableError with a sentence for what is none."""
        first = each_once(place)[0]
        opened = open_table(first, number_format)
        table = opened.first_rows(_ALL if isinstance(place, Upload) else ROWS)
        if table.shape[1] < 2:
            raise OneColumnError(f"{name_of(place)} has only one column; PCA needs at least two.")
        names = list(table.columns)
        if again := [one for one in names if names.count(one) > 1]:
            raise TableError(
                f"{name_of(place)} has {names.count(again[0])} columns named “{label(again[0])}”: "
                "rename them."
            )
        is_text = kind(place) is Kind.TEXT
        said = notices(first_bytes(first), number_format) if is_text else ()
        return cls(name, table, place, number_format, asked, said, opened.labels, opened.sheets)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of its columns."""
        return tuple(map(str, self.table.columns))

    @property
    def has_format(self) -> bool:
        """Whether it can be read in several ways: a text file or a workbook."""
        return kind(self.place) is Kind.TEXT or bool(self.sheets)

    @property
    def path(self) -> Path | None:
        """Where it is on the server, read in place and in one pass; None for an upload."""
        return self.place if isinstance(self.place, Path) else None

    @property
    def file(self) -> str:
        """What the file is known by: its path on the server, or the digest of an upload."""
        place = self.place
        return str(place) if isinstance(place, Path) else sha256(place.content).hexdigest()

    @property
    def open_questions(self) -> Mapping[str, str]:
        """What is asked about a table as a whole, with the answers so far.

        How a file is written is proposed by what it holds: one cell can change it. A format that is
        always tried, whatever a file holds, needs no answer; nor does what was asked before it was
        read. What a file declares missing is not in its cells, but may be made from them.
        """
        asked = dict(self.asked)
        if self.has_format and marks_that_differ(self.number_format, asked):
            asked.setdefault(FORMAT, "")
        if any(said.missing for said in self.labels.values()):
            asked.setdefault(DECLARED_MISSING, "")
        if any(said.text for said in self.labels.values()):
            asked.setdefault(TITLES, "")
        return MappingProxyType(asked)


@dataclass(frozen=True)
class Owner:
    """All that the steps know: ``draft`` is what the owner said, and controls are views of it."""

    draft: Draft = field(default_factory=Draft)
    source: SourceTable | None = None
    person: PersonProposal = field(default_factory=PersonProposal)
    columns: tuple[ColumnProposal, ...] = ()
    """What was noticed in the table: for its owner's eyes only."""
    merged: Merged = field(default_factory=lambda: MappingProxyType({}))
    """What the draft holds of the edits in the browser. It is kept with the draft, in one look at
    the session's state: where Streamlit ends a run between two, edits would count as merged that
    are in no draft."""
    looks: tuple[tuple[frozenset[str], str], ...] = ()
    """Tables whose curves were looked at: names of columns, and the file."""
    decided_before_look: Handover | None = None
    """The decision that stood when curves of this table were looked at, while it is unchanged."""
    rows_shown: bool = False

    def with_look(self) -> "Owner":
        """Note for good that curves of the table were looked at; without one, that somebody did."""
        look = () if self.source is None else ((frozenset(self.source.names), self.source.file),)
        looks = tuple(dict.fromkeys((*self.looks, *look)))
        return replace(self, draft=replace(self.draft, looked=True), looks=looks)

    def has_looked_at(self, source: SourceTable) -> bool:
        """Tell whether a look counts for a table: at the same file, or about the same columns.

        A corrected copy, or a later delivery, has other rows and at least half of the columns of
        the smaller table; who looked at one knows the other. Rather a look too many than one lost.
        """
        now = {*source.names}
        return any(
            file == source.file or 2 * len(names & now) >= min(len(names), len(now))
            for names, file in self.looks
        )

    def with_table(self, source: SourceTable) -> "Owner":
        """Take another table: what was typed of equal names stays, what a file said does not.

        Answers of *Decide* are about one table: another one is asked about anew. A table that is
        chosen once more keeps them. A look at curves counts for the table it was of, whenever that
        is chosen again.
        """
        owner = replace(self, rows_shown=False)
        if self.draft.looked:
            owner = replace(owner, source=self.source or source).with_look()
        draft = self.draft.for_header(source.names)
        draft = replace(draft, looked=owner.has_looked_at(source), asked=source.open_questions)
        if self.source is not None and source.file != self.source.file:
            nothing: dict[str, Any] = dict.fromkeys(DECIDE_FIELDS, "")
            draft = replace(draft, **nothing)
        return replace(owner, draft=draft.read_as(source.number_format))._noticed(source)

    def read_again(self, source: SourceTable) -> "Owner":
        """Take the same file, read in another format: what was proposed is renewed.

        Other names are another table: it starts with step 1.
        """
        draft = replace(self.draft, asked=source.asked).read_as(source.number_format)
        owner = replace(self, draft=draft)
        same = source.names == draft.header
        return owner._noticed(source) if same else owner.with_table(source)

    def _noticed(self, source: SourceTable) -> "Owner":
        """Propose what columns are and whose rows these are, for the owner's eyes only."""
        found = propose_columns(source.table, source.number_format)
        columns = with_labels(found, source.labels, source.table)
        person = propose_person(source.table)
        draft = with_proposals(self.draft, columns)
        if person.finding is not Finding.NONE:
            who = replace(draft.who, noticed=True)
            words = proposed_words(person.candidates[0].columns)
            if not who.answer and words and (who.one, who.many) == (Who().one, Who().many):
                who = replace(who, one=words[0], many=words[1])
            draft = replace(draft, who=who)
        return replace(self, draft=draft, source=source, columns=columns, person=person)


@dataclass(frozen=True)
class ReadingQuestion:
    """A question without whose answer a file cannot be read: ``ENCODING`` or ``HEADER``.

    ``example`` is a piece of the file as the first answer would read it.
    """

    key: str
    sentence: str
    example: str
    answers: tuple[str, ...]


def first_format(
    place: Upload | Path, answers: Mapping[str, str]
) -> TextFileFormat | ReadingQuestion:
    """Return how a file is read at first, or what has to be asked before.

    TableError with a sentence for what is no table.
    """
    if kind(place) is not Kind.TEXT:
        return TextFileFormat(typed=True)
    file, name = each_once(place)[0], name_of(place)
    encoding = TextFileFormat().encoding
    refuse_foreign(file)
    with UnpackedFile(file) as opened:
        line = first_foreign_line(opened.read)
    if line is not None:
        if ENCODING not in answers:
            sentence = "This file is not UTF-8. Read it as Western European (Windows-1252)?"
            return ReadingQuestion(ENCODING, sentence, line, (AS_WESTERN, NOT_WESTERN))
        if answers[ENCODING] != AS_WESTERN:
            raise TableError(f"{name} is not UTF-8 text: save it as “CSV UTF-8” and use that file.")
        encoding = WESTERN
    form = proposed_format(name, first_bytes(file), encoding)
    names = list(open_table(file, form).columns)
    if len(names) < 2 or not looks_like_data(names):
        return form
    if HEADER not in answers:
        sentence = f"The first line looks like data. Name columns c1…c{len(names)}?"
        line, known = ", ".join(names)[:_LONGEST], (ROW_ALREADY, NAMES_COLUMNS)
        return ReadingQuestion(HEADER, sentence, line, known)
    return replace(form, unnamed=len(names)) if answers[HEADER] == ROW_ALREADY else form


def first_table(
    name: str, place: Upload | Path, answers: Mapping[str, str]
) -> SourceTable | ReadingQuestion:
    """Return a table as it is read at first, or what has to be asked before.

    A workbook's titles, in one cell each, are proposed to be skipped, as a text file's are.
    TableError with a sentence for what is no table.
    """
    form = first_format(place, answers)
    if isinstance(form, ReadingQuestion):
        return form
    for titles in range(_MOST_TITLES if kind(place) is Kind.WORKBOOK else 0):
        with suppress(OneColumnError):
            return SourceTable.read(name, place, replace(form, skip=titles), answers)
    return SourceTable.read(name, place, form, answers)


def marks_that_differ(form: TextFileFormat, answers: Mapping[str, str]) -> tuple[str, ...]:
    """Name the fields of a format that no default is, and that were not asked about before."""
    plain = TextFileFormat(typed=form.typed)
    asked = {ENCODING: "encoding", HEADER: "unnamed"}
    settled = {field for key, field in asked.items() if answers.get(key)}
    return tuple(
        f.name
        for f in fields(TextFileFormat)
        if f.name not in settled and getattr(form, f.name) != getattr(plain, f.name)
    )


def origin_of_format(answers: Mapping[str, str]) -> Source | None:
    """Return where it comes from how a file is written; None where nothing had to be asked.

    Whatever the owner says of it, he says after the program has shown him what it noticed.
    """
    if not any(key in answers for key in (ENCODING, HEADER, FORMAT)):
        return None
    return Source.FILE if answers.get(FORMAT) == "" else Source.NOTICED
