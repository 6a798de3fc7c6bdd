"""Edits as the table of columns in the browser sends them, and what of them is merged.

``static/owner/edits.js`` is the other end: every message holds all edits that it does not know to
be merged, so that none is lost when a newer message takes the place of an older one. Each carries
the number of the message in which it was sent first, so that none is merged twice. A browser can
send anything: what is no edit is dropped.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from ui.owner.draft import Changes, Draft

FIRST = ("seen", "source")
"""Fields that are merged before the others of a column: what is typed is typed after them."""

MOST_MOUNTS = 20
"""Tables whose last message is remembered: one for each time that the step was opened."""


@dataclass(frozen=True)
class Message:
    """One message.

    Attributes
    ----------
    mount, seq
        Which table in a browser sent it, and which of its messages it is.
    edits
        Column, field, text, and the number of the message in which it was sent first.
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

    def of(self, message: Message) -> int:
        """Return the number of the last message merged of those of a message's table."""
        return self.last.get(message.mount, 0)

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
    return Message(mount, seq, tuple(edit for cell in cells for edit in _edits(cell)))


def merge(draft: Draft, merged: Merged, value: object) -> tuple[Draft, Merged]:
    """Merge a message, whatever picture of the draft its edits were made on."""
    message = received(value)
    if message is None or message.seq <= merged.of(message):
        return draft, merged
    return draft.merge(message.since(merged.of(message))), merged.after(message)


def _edits(value: object) -> list[tuple[str, str, str, int]]:
    """Read ``[name, [[field, text, number of the message], …]]``; nothing from anything else."""
    if not (isinstance(value, list) and len(value) == 2 and isinstance(value[0], str)):
        return []
    found = []
    for edit in value[1] if isinstance(value[1], list) else []:
        if isinstance(edit, list) and [type(part) for part in edit] == [str, str, int]:
            found.append((value[0], edit[0], edit[1], edit[2]))
    return sorted(found, key=lambda edit: edit[1] not in FIRST)
