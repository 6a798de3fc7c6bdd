"""What the browser sends of the table of columns: edits, and after a reload what its tab kept.

``static/owner/edits.js`` and ``kept.js`` are the other end. Every message holds all edits that are
not known to be merged, since a newer message takes the place of an older one; each carries the
number of the message in which it was sent first, so that none is merged twice. A browser can send
anything: what is no edit, and no draft, is dropped.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from dpca_core.data.errors import RecipeError
from dpca_core.data.recipe import Source
from dpca_core.data.strict_json import tree_of
from dpca_core.detection import questions as ask
from ui.owner.column import FIELDS, NOTHING, TYPED, Column, Entry
from ui.owner.draft import DECIDE_FIELDS, FORMAT, Draft, of_json
from ui.owner.proposals import DECLARED_MISSING, TITLES

MOST_MOUNTS = 20
"""Tables whose last message is remembered: one for each time that the step was opened."""
Merged = Mapping[str, int]
"""Number of the last message merged, by the table in a browser that sent it; the latest is last."""


def merge(draft: Draft, merged: Merged, message: object) -> tuple[Draft, Merged]:
    """Merge a message, whatever picture of the draft its edits were made on.

    A message is ``{mount, seq, cells}``: which table in a browser sent it, the number of it, and
    ``[name, field, text, number of the message that had it first]`` of each edit.
    """
    match message:
        case {"mount": str(mount), "seq": int(seq), "cells": [*cells]} if seq is not True:
            last = merged.get(mount, 0)
        case _:
            return draft, merged
    if seq <= last:
        return draft, merged
    edits = []
    for cell in cells:
        match cell:
            case [str(name), str(field), str(text), int(sent)] if sent > last and sent is not True:
                edits.append((name, field, text))
    changes: dict[str, dict[str, str]] = {}
    # What is typed is typed after a look, and of the source that was named.
    for name, field, text in sorted(edits, key=lambda edit: edit[1] not in ("seen", "source")):
        changes.setdefault(name, {})[field] = text
    others = [(table, number) for table, number in merged.items() if table != mount]
    kept = [*others, (mount, seq)][-MOST_MOUNTS:]
    return draft.merge(changes), MappingProxyType(dict(kept))


def kept_draft(draft: Draft) -> str:
    """Return what a tab keeps: all columns of which anything was said, of earlier tables too.

    Nothing whose source is the file is kept. The table is drawn anew with every edit, and each
    column's part is made once.
    """
    known = draft.columns.items()
    said = [f"{json.dumps(n)}: {one.kept_by_tab}" for n, one in known if one.kept_by_tab]
    rest = tree_of(replace(draft, columns=MappingProxyType({})))
    text = json.dumps({"format": FORMAT, **rest}, ensure_ascii=False)
    return text.replace('"columns": {}', f'"columns": {{{", ".join(said)}}}', 1)


def restored(draft: Draft, message: object) -> Draft:
    """Take ``{draft, edits}`` that a tab kept, the last edits of it too; what is newer stays."""
    if not isinstance(message, Mapping) or not isinstance(message.get("draft"), str):
        return draft
    try:
        kept = of_json(message["draft"])
    except RecipeError:
        return draft
    draft = replace(with_kept(draft, kept), looked=draft.looked or kept.looked)
    if kept.header == draft.header:
        said: dict[str, Any] = {n: getattr(draft, n) or getattr(kept, n) for n in DECIDE_FIELDS}
        # How another file is written was not what was confirmed.
        before = kept.asked if kept.reading == draft.reading else {}
        draft = replace(draft, asked=_answers(draft.asked, before), **said)
    return merge(draft, {}, message.get("edits"))[0]


def with_kept(draft: Draft, kept: Draft) -> Draft:
    """Take what another draft says of columns of the same names; what was said here stays."""
    kept = kept.read_as(draft.reading)
    known = [name for name in draft.header if name in kept.columns]
    found = draft.with_columns(_with_kept(draft.column(name), kept.column(name)) for name in known)
    # Names of columns are printed: an answer was about others.
    same = all(found.column(name).title == draft.column(name).title for name in known)
    return found if same else replace(found, asked={**draft.asked, TITLES: ""})


def _with_kept(column: Column, kept: Column) -> Column:
    """Return a column with what is kept of it: what was typed before a look here is declared."""
    taken = {}
    for name in FIELDS:
        entry, now = kept[name], column[name]
        is_free = now.empty or now.origin is Source.FILE
        if is_free and entry != NOTHING and entry.origin is not Source.FILE:
            late = column.seen and name in TYPED and kept.is_typed(name)
            taken[name] = Entry(entry.text, Source.DECLARED) if late else entry
    return replace(
        column.with_entries(taken),
        seen=column.seen or kept.seen,
        asked=_answers(column.asked, kept.asked),
        source=column.source or kept.source,
        labels=column.labels or kept.labels,
        title=column.title or kept.title,
    )


def _answers(asked: Mapping[str, str], before: Mapping[str, str]) -> Mapping[str, str]:
    """Answer open questions as before; not on what a file declares, which may be others now."""
    known = {**before, TITLES: "", DECLARED_MISSING: "", ask.LABELS: ""}
    return MappingProxyType({key: answer or known.get(key, "") for key, answer in asked.items()})
