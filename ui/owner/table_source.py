"""A table becomes the owner's: how it is read, what is asked of it, what is noticed in it.

Each cell is read by itself; what does not fit counts as missing. No row changes another's numbers.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpca_core.data.errors import TableError
from dpca_core.data.recipe import Source
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.detection.columns import ColumnProposal, propose_columns
from dpca_core.detection.encoding_and_header import looks_like_data, proposed_encoding
from dpca_core.detection.people import Finding, PersonCandidate, PersonProposal, propose_person
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
from ui.owner.column import TYPED
from ui.owner.draft import DECIDE_FIELDS, Draft, Who
from ui.owner.edits import Merged
from ui.owner.proposals import DECLARED_MISSING, FORMAT, TITLES, with_labels, with_proposals
from ui.owner.text import named, proposed_words, say
from ui.server.workers import BackgroundJob
from ui.state.decision import Handover

if TYPE_CHECKING:
    from pandas import DataFrame

ROWS = 5000
"""Rows that are looked at of a table on the server; of an upload all are."""
_ALL, _MOST_TITLES = 2**31, 6
"""All rows; lines above the header of a sheet."""


class OneColumnError(TableError):
    """A table has one column only, as where a title stands above the header."""


@dataclass(frozen=True, repr=False)
class SourceTable:
    """A table as it was read for preview and proposals; a release never reads it.

    Of a table on the server these are the first rows. ``notices`` say what speaks against the way
    in which its quotation marks are read; ``labels`` are what a statistics program's file says of
    its columns.
    """

    name: str
    table: "DataFrame"
    place: Upload | Path
    number_format: TextFileFormat
    notices: tuple[str, ...] = ()
    labels: Mapping[str, Labels] = field(default_factory=dict)
    sheets: tuple[str, ...] = ()

    @classmethod
    def read(cls, name: str, place: Upload | Path, form: TextFileFormat) -> "SourceTable":
        """Read a table in a format; TableError with a sentence for what is none."""
        first = each_once(place)[0]
        opened = open_table(first, form)
        rows = _ALL if isinstance(place, Upload) else ROWS
        table = opened.first_rows(rows, form.decimal[0])
        if table.shape[1] < 2:
            raise OneColumnError(say("one_column", name=name_of(place)))
        said = notices(first_bytes(first), form) if kind(place) is Kind.TEXT else ()
        return cls(name, table, place, form, said, opened.labels, opened.sheets)

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
    def open_questions(self) -> dict[str, str]:
        """What is asked about a table as a whole; no answer has been given yet.

        How a file is written is proposed by what it holds: one cell can change it. A format that is
        always tried, whatever a file holds, needs no answer. What a file declares missing is not in
        its cells, but may be made from them.
        """
        labels = self.labels.values()
        needed = {
            FORMAT: self.has_format and marks_that_differ(self.number_format),
            DECLARED_MISSING: any(said.missing for said in labels),
            TITLES: any(said.text for said in labels),
        }
        return {key: "" for key, is_open in needed.items() if is_open}


@dataclass(frozen=True)
class Choice:
    """A table that is being chosen, to be read, or why it was ``refused``."""

    name: str = ""
    place: Upload | Path | None = None
    refused: str = ""


@dataclass(frozen=True)
class Owner:
    """All that the steps know: ``draft`` is what the owner said, and controls are views of it.

    ``person`` and ``columns`` were noticed in the table: for its owner's eyes only. ``merged`` is
    what the draft holds of the edits in the browser. It is kept with the draft, in one look at the
    session's state: where Streamlit ends a run between two, edits would count as merged that are in
    no draft. ``looks`` are tables whose curves were looked at: names of columns, and the file;
    ``decided_before_look`` is the decision that stood then, while it is unchanged. The rest is what
    is open on the screens, and what went wrong there: nothing of it outlives its table. One that is
    ``forgotten`` is to be forgotten by the browser's tab, too.
    """

    draft: Draft = field(default_factory=Draft)
    source: SourceTable | None = None
    person: PersonProposal = field(default_factory=PersonProposal)
    columns: tuple[ColumnProposal, ...] = ()
    merged: Merged = field(default_factory=dict)
    looks: tuple[tuple[frozenset[str], str], ...] = ()
    decided_before_look: Handover | None = None
    step: str = ""
    choice: Choice | None = None
    job: BackgroundJob | None = None
    forgotten: bool = False
    rows_shown: bool = False
    others_asked: bool = False
    loader_open: bool = False
    loaded: str = ""
    not_loaded: str = ""
    refused_format: tuple[TextFileFormat, str] | None = None
    failed_look: str = ""

    @property
    def is_streamed(self) -> bool:
        """Whether the table is on the server: read in one pass, only its first rows are known."""
        return self.source is not None and self.source.path is not None

    @property
    def candidates(self) -> tuple[PersonCandidate, ...]:
        """What may name a person; nothing of a table that is read in one pass."""
        return () if self.is_streamed else self.person.candidates

    def with_look(self) -> "Owner":
        """Note for good that curves of the table were looked at; without one, that somebody did."""
        look = () if self.source is None else ((frozenset(self.source.names), self.source.file),)
        looks = tuple(dict.fromkeys((*self.looks, *look)))
        return replace(self, draft=replace(self.draft, looked=True), looks=looks)

    def with_table(self, source: SourceTable) -> "Owner":
        """Take another table: what was typed of equal names stays, what a file said does not.

        Answers of *Decide* are about one table: another one is asked about anew. A look at curves
        counts for its file, whenever that is chosen again, and for tables with at least half of the
        columns of the smaller one: a corrected copy, or a later delivery, has other rows, but who
        looked at one knows the other. Rather a look too many than one lost.
        """
        owner, now = self, {*source.names}
        if self.draft.looked:
            owner = replace(self, source=self.source or source).with_look()
        changes: dict[str, Any] = {
            "asked": source.open_questions,
            "looked": any(
                file == source.file or 2 * len(names & now) >= min(len(names), len(now))
                for names, file in owner.looks
            ),
        }
        if self.source is not None and source.file != self.source.file:
            changes |= dict.fromkeys(DECIDE_FIELDS, "")
        draft = replace(self.draft.for_header(source.names), **changes)
        draft = draft.read_as(source.number_format)
        kept = [name for name in source.names if any(map(draft.column(name).is_typed, TYPED))]
        said = say("carried_over", names=named(kept)) if kept else ""
        return Owner(draft, merged=self.merged, looks=owner.looks, loaded=said)._noticed(source)

    def read_again(self, source: SourceTable) -> "Owner":
        """Take the same file, read in another format: what was proposed is renewed.

        Other names are another table: it starts with step 1, but what was answered stays.
        """
        owner = replace(self, draft=self.draft.read_as(source.number_format), refused_format=None)
        if source.names == self.draft.header:
            return owner._noticed(source)
        owner, asked = owner.with_table(source), self.draft.asked
        return replace(owner, draft=replace(owner.draft, asked={**owner.draft.asked, **asked}))

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


def first_format(place: Upload | Path) -> TextFileFormat:
    """Propose how a file is read; TableError with a sentence for what is no table."""
    if kind(place) is not Kind.TEXT:
        return TextFileFormat(typed=True)
    file, name = each_once(place)[0], name_of(place)
    refuse_foreign(file)
    with UnpackedFile(file) as opened:
        encoding = proposed_encoding(opened.read)
    form = proposed_format(name, first_bytes(file), encoding)
    names = list(open_table(file, form).columns)
    headless = len(names) > 1 and looks_like_data(names)
    return replace(form, unnamed=len(names)) if headless else form


def first_table(name: str, place: Upload | Path) -> SourceTable:
    """Return a table as it is read at first; TableError with a sentence for what is none.

    A workbook's titles, in one cell each, are proposed to be skipped, as a text file's are.
    """
    form = first_format(place)
    for titles in range(_MOST_TITLES if kind(place) is Kind.WORKBOOK else 0):
        with suppress(OneColumnError):
            return SourceTable.read(name, place, replace(form, skip=titles))
    return SourceTable.read(name, place, form)


def marks_that_differ(form: TextFileFormat) -> tuple[str, ...]:
    """Name the fields of a format that no default is."""
    plain = TextFileFormat(typed=form.typed)
    return tuple(f.name for f in fields(form) if getattr(form, f.name) != getattr(plain, f.name))


def origin_of_format(answers: Mapping[str, str]) -> Source | None:
    """Return where it comes from how a file is written; None where nothing had to be asked.

    Whatever the owner says of it, he says after the program has shown him what it noticed.
    """
    if FORMAT not in answers:
        return None
    return Source.NOTICED if answers[FORMAT] else Source.FILE
