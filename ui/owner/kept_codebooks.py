"""Codebooks as a browser's tab keeps them, so that a reload loses none, and how they come back.

``static/owner/loaded_before.js`` is the other end. What is kept is what a codebook says, with its
sources: nothing whose source is the file is among it, and what was pasted stays pasted. A browser
can send anything: what is no codebook is dropped, and whatever comes back was loaded by its owner.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any
from uuid import uuid4

from dpca_core.codebooks import Codebook, CodebookEntry, EntryUse, matching
from dpca_core.data.errors import RecipeError
from dpca_core.data.recipe import Source
from dpca_core.data.recipe_json import dumps, loads
from dpca_core.detection.columns import ColumnProposal
from ui.owner.codebook_merge import merge_codebook
from ui.owner.column import WORST_LAST
from ui.owner.draft import Draft
from ui.owner.edits import received

LARGEST_KEPT = 1_000_000
"""Letters of one codebook that a tab keeps."""

CODEBOOKS_KEPT = 10
"""Codebooks that a tab keeps; the oldest are dropped first."""


@dataclass(frozen=True)
class KeptCodebook:
    """What a tab gets of one codebook.

    Attributes
    ----------
    key
        Tells it from others, and from itself when it is loaded once more.
    content
        Its entries, as JSON.
    pasted
        Whether it was pasted: then it counts as typed.
    columns
        Columns of the table that it describes, as the table calls them.
    replaced
        Columns and fields of which the owner let it replace what he had typed.
    """

    key: str
    content: str
    pasted: bool
    columns: tuple[str, ...]
    replaced: tuple[tuple[str, str], ...]


def kept_codebook(
    codebook: Codebook,
    draft: Draft,
    *,
    pasted: bool,
    replaced: tuple[tuple[str, str], ...] = (),
) -> KeptCodebook | None:
    """Return what a tab keeps of a codebook; None for one that is too large.

    A saved recipe with a range that was read from the file comes back as the codebook of its other
    columns. What was pasted after a look stays declared, whatever table comes next.

    Parameters
    ----------
    draft
        Before the codebook was merged.
    """
    entries = [entry for entry in codebook.entries if entry.source is not Source.FILE]
    matched = matching(entries, draft.header)
    if pasted:
        seen = {entry.name for name, entry in matched.items() if draft.column(name).seen}
        entries = [_declared(entry) if entry.name in seen else entry for entry in entries]
    whole = codebook.recipe if len(entries) == len(codebook.entries) else None
    found = {
        "entries": [asdict(entry) for entry in entries],
        "recipe": dumps(whole) if whole is not None else "",
    }
    content = json.dumps(found, ensure_ascii=False)
    if len(content) > LARGEST_KEPT:
        return None
    return KeptCodebook(uuid4().hex, content, pasted, tuple(matched), replaced)


def _declared(entry: CodebookEntry) -> CodebookEntry:
    worst = max(entry.source or Source.GUESS, Source.DECLARED, key=WORST_LAST.index)
    return replace(entry, source=worst)


def restored(draft: Draft, proposals: Iterable[ColumnProposal], message: object) -> Draft:
    """Take what a tab kept: that values were shown, then codebooks, then what was typed.

    Parameters
    ----------
    message
        ``{codebooks: [{content, pasted}, …], typed}``, where ``typed`` is a message as in
        ``ui/owner/edits.py``.
    """
    if not isinstance(message, Mapping):
        return draft
    edits = received(message.get("typed"))
    changes = edits.since(0) if edits is not None else {}
    # What is pasted after a look is declared by the owner, and no guess any more.
    draft = draft.merge({name: {"seen": "seen"} for name in changes if "seen" in changes[name]})
    kept = message.get("codebooks")
    for one in (kept if isinstance(kept, list) else [])[-CODEBOOKS_KEPT:]:
        found = _codebook(one)
        if found is not None:
            codebook, pasted = found
            draft = merge_codebook(draft, codebook, tuple(proposals), pasted=pasted).draft
    return draft.merge(changes)


def _codebook(value: object) -> tuple[Codebook, bool] | None:
    """Read a codebook, and whether it was pasted; None for what is none."""
    content = value.get("content") if isinstance(value, Mapping) else None
    if not isinstance(value, Mapping) or not isinstance(content, str):
        return None
    try:
        found = json.loads(content[: LARGEST_KEPT + 1])
        entries = tuple(_entry(entry) for entry in found["entries"])
        recipe = loads(found["recipe"]) if found["recipe"] else None
    except (ValueError, KeyError, TypeError, RecursionError, RecipeError):
        return None
    return Codebook(entries, recipe=recipe), value.get("pasted") is True


def _entry(value: Any) -> CodebookEntry:
    """Read an entry.

    Raises
    ------
    ValueError, KeyError, TypeError
        For what is none.
    """
    read: Mapping[str, Callable[[Any], Any]] = {
        "use": _use,
        "source": _source,
        "seen": _truth,
        "missing": _texts,
        "values": _texts,
    }
    otherwise: Callable[[Any], Any] = _text
    found: dict[str, Any] = {
        f.name: read.get(f.name, otherwise)(value[f.name]) for f in fields(CodebookEntry)
    }
    entry = CodebookEntry(**found)
    if entry.source is Source.FILE:
        raise ValueError("what was read from a file is not kept")
    return entry


def _use(value: Any) -> EntryUse | None:
    return None if value is None else EntryUse(value)


def _source(value: Any) -> Source | None:
    return None if value is None else Source(value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise TypeError("not a list")
    return tuple(map(_text, value))


def _truth(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError("neither true nor false")
    return value
