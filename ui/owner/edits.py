"""Edits as the table of columns in the browser sends them, and what of them is merged.

``static/owner/edits.js`` is the other end: every message holds all edits that it does not know to
be merged, so that none is lost when messages overtake each other or a newer one takes the place of
an older one. A browser can send anything: what is no edit is dropped.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from ui.owner.draft import Changes, Draft

MOST_MOUNTS = 20
"""Tables whose last message is remembered: one for each time that the step was opened."""


@dataclass(frozen=True)
class Message:
    """One message: who sent it, which of his it is, and the edits by column and field."""

    mount: str
    seq: int
    changes: Changes


@dataclass(frozen=True)
class Merged:
    """Number of the last message merged, by mount; the last that was heard of comes last."""

    last: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))

    def is_new(self, message: Message) -> bool:
        """Tell whether a message holds anything that is not merged yet."""
        return message.seq > self.last.get(message.mount, 0)

    def after(self, message: Message) -> "Merged":
        """Remember that a message is merged."""
        others = [(m, seq) for m, seq in self.last.items() if m != message.mount]
        kept = [*others, (message.mount, message.seq)][-MOST_MOUNTS:]
        return replace(self, last=MappingProxyType(dict(kept)))


def received(value: object) -> Message | None:
    """Read a message; None for what is none."""
    if not isinstance(value, Mapping):
        return None
    mount, seq, cells = value.get("mount"), value.get("seq"), value.get("cells")
    if not (isinstance(mount, str) and type(seq) is int and isinstance(cells, list)):
        return None
    changes = {name: fields for name, fields in map(_column, cells) if fields}
    return Message(mount, seq, changes)


def merge(draft: Draft, merged: Merged, value: object) -> tuple[Draft, Merged]:
    """Merge a message, whatever picture of the draft its edits were made on."""
    message = received(value)
    if message is None or not merged.is_new(message):
        return draft, merged
    return draft.merge(message.changes), merged.after(message)


def _column(value: object) -> tuple[str, dict[str, str]]:
    """Read ``[name, [[field, text], …]]``; no fields for anything else."""
    if not (isinstance(value, list) and len(value) == 2 and isinstance(value[0], str)):
        return "", {}
    fields = value[1] if isinstance(value[1], list) else []
    pairs = [pair for pair in fields if isinstance(pair, list) and len(pair) == 2]
    texts = [(f, text) for f, text in pairs if isinstance(f, str) and isinstance(text, str)]
    return value[0], dict(texts)
