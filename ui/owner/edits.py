"""What the browser sends of the table of columns: edits, and after a reload what its tab kept.

``static/owner/edits.js`` and ``kept.js`` are the other end. Every message holds all edits that are
not known to be merged, so that none is lost when a newer message takes the place of an older one;
each carries the number of the message in which it was sent first, so that none is merged twice. A
browser can send anything: what is no edit, and no draft, is dropped.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from dpca_core.data.errors import RecipeError
from dpca_core.data.recipe import Source
from dpca_core.detection import questions as ask
from ui.owner.column import FIELDS, TYPED, Column, Entry
from ui.owner.draft import DECIDE_FIELDS, Changes, Draft, of_json, to_json
from ui.owner.proposals import TITLES

FIRST = ("seen", "source")
"""Fields that are merged before the others of a column: what is typed is typed after them."""
MOST_MOUNTS = 20
"""Tables whose last message is remembered: one for each time that the step was opened."""


@dataclass(frozen=True)
class Message:
    """One message: which table in a browser sent it, and which of its messages it is.

    ``edits`` are column, field, text, and the number of the message in which it was sent first.
    """

    mount: str
    seq: int
    edits: tuple[tuple[str, str, str, int], ...]

    def since(self, last: int) -> Changes:
        """Return the edits that were sent after a message, by column and field."""
        changes: dict[str, dict[str, str]] = {}
        for name, field_name, text, first in self.edits:
            if first > last:
                changes.setdefault(name, {})[field_name] = text
        return changes


@dataclass(frozen=True)
class Merged:
    """Number of the last message merged, by mount; the last that was heard of comes last."""

    last: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))


def received(value: object) -> Message | None:
    """Read a message; None for what is none."""
    if not isinstance(value, Mapping):
        return None
    mount, seq, cells = value.get("mount"), value.get("seq"), value.get("cells")
    if not (isinstance(mount, str) and type(seq) is int and isinstance(cells, list)):
        return None
    return Message(mount, seq, tuple(edit for cell in cells for edit in _edits(cell)))


def _edits(value: object) -> list[tuple[str, str, str, int]]:
    """Read ``[name, [[field, text, number of the message], …]]``; nothing from anything else."""
    if not (isinstance(value, list) and len(value) == 2 and isinstance(value[0], str)):
        return []
    found = []
    for edit in value[1] if isinstance(value[1], list) else []:
        if isinstance(edit, list) and [type(part) for part in edit] == [str, str, int]:
            found.append((value[0], edit[0], edit[1], edit[2]))
    return sorted(found, key=lambda edit: edit[1] not in FIRST)


def merge(draft: Draft, merged: Merged, value: object) -> tuple[Draft, Merged]:
    """Merge a message, whatever picture of the draft its edits were made on."""
    message = received(value)
    last = merged.last.get(message.mount, 0) if message else 0
    if message is None or message.seq <= last:
        return draft, merged
    others = [(mount, seq) for mount, seq in merged.last.items() if mount != message.mount]
    kept = [*others, (message.mount, message.seq)][-MOST_MOUNTS:]
    return draft.merge(message.since(last)), Merged(MappingProxyType(dict(kept)))


def kept_draft(draft: Draft) -> str:
    """Return what a tab keeps: all columns of which anything was said, of earlier tables too.

    Nothing whose source is the file is kept. Each column's part is made once: the table of columns
    is drawn anew with every edit.
    """
    said = [
        f"{json.dumps(n)}: {one.kept_by_tab}" for n, one in draft.columns.items() if one.kept_by_tab
    ]
    rest = to_json(replace(draft, columns=MappingProxyType({})), indent=None)
    return rest.replace('"columns": {}', f'"columns": {{{", ".join(said)}}}', 1)


def restored(draft: Draft, message: object) -> Draft:
    """Take what a tab kept; what was said since then stays.

    The message is ``{draft, edits}``: what ``kept_draft`` wrote, and edits that may not be in it.
    """
    if not isinstance(message, Mapping) or not isinstance(message.get("draft"), str):
        return draft
    try:
        kept = of_json(message["draft"])
    except RecipeError:
        return draft
    draft = replace(with_kept(draft, kept), looked=draft.looked or kept.looked)
    if kept.header == draft.header:
        said: dict[str, Any] = {
            name: getattr(draft, name) or getattr(kept, name) for name in DECIDE_FIELDS
        }
        draft = replace(draft, asked=_answers(draft.asked, kept.asked), **said)
    edits = received(message.get("edits"))
    return draft if edits is None else draft.merge(edits.since(0))


def with_kept(draft: Draft, kept: Draft) -> Draft:
    """Take what another draft says of columns of the same names; what was said here stays."""
    kept = kept.read_as(draft.reading)
    known = [name for name in draft.header if name in kept.columns]
    return draft.with_columns(_restored(draft.column(name), kept.column(name)) for name in known)


def _restored(column: Column, kept: Column) -> Column:
    """Return a column with what is kept of it: what was typed before a look here is declared."""
    taken = {}
    for name in FIELDS:
        entry, now = kept[name], column[name]
        if entry.origin is Source.FILE or not (now.empty or now.origin is Source.FILE):
            continue
        late = column.seen and name in TYPED and kept.is_typed(name)
        taken[name] = Entry(entry.text, Source.DECLARED) if late else entry
    return replace(
        column.with_entries({name: entry for name, entry in taken.items() if entry != Entry()}),
        seen=column.seen or kept.seen,
        asked=_answers(column.asked, kept.asked),
        source=column.source or kept.source,
        labels=column.labels or kept.labels,
        title=column.title or kept.title,
    )


def _answers(asked: Mapping[str, str], before: Mapping[str, str]) -> Mapping[str, str]:
    """Answer open questions as before; not on labels, as those of a file may be others now."""
    known = {**before, TITLES: "", ask.LABELS: ""}
    return MappingProxyType({key: answer or known.get(key, "") for key, answer in asked.items()})
