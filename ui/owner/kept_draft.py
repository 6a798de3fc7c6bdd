"""What a browser's tab keeps of a draft, so that a reload loses none of it, and how it comes back.

``static/owner/kept.js`` is the other end. Nothing whose source is the file is kept. A browser can
send anything: what is no draft changes nothing.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from dpca_core.data.errors import RecipeError
from dpca_core.data.recipe import Source
from ui.owner.column import FIELDS, TYPED, Column, Entry
from ui.owner.draft import DECIDE_FIELDS, Draft, of_json, to_json
from ui.owner.edits import received


def kept_draft(draft: Draft) -> str:
    """Return what a tab keeps: all columns of which anything was said, of earlier tables too.

    Each column's part is made once: the table of columns is drawn anew with every edit.
    """
    said = [
        f"{json.dumps(n)}: {one.kept_by_tab}" for n, one in draft.columns.items() if one.kept_by_tab
    ]
    rest = to_json(replace(draft, columns=MappingProxyType({})), indent=None)
    return rest.replace('"columns": {}', f'"columns": {{{", ".join(said)}}}', 1)


def restored(draft: Draft, message: object) -> Draft:
    """Take what a tab kept; what was said since then stays.

    Parameters
    ----------
    message
        ``{draft, edits}``: what ``kept_draft`` wrote, and a message of edits that may not be in it.
    """
    if not isinstance(message, Mapping) or not isinstance(message.get("draft"), str):
        return draft
    try:
        kept = of_json(message["draft"]).read_as(draft.reading)
    except RecipeError:
        return draft
    known = [name for name in draft.header if name in kept.columns]
    columns = [_restored(draft.column(name), kept.column(name)) for name in known]
    draft = replace(draft.with_columns(columns), looked=draft.looked or kept.looked)
    if kept.header == draft.header:
        asked = {key: answer or kept.asked.get(key, "") for key, answer in draft.asked.items()}
        said: dict[str, Any] = {
            name: getattr(draft, name) or getattr(kept, name) for name in DECIDE_FIELDS
        }
        draft = replace(draft, asked=MappingProxyType(asked), **said)
    edits = received(message.get("edits"))
    return draft if edits is None else draft.merge(edits.since(0))


def _restored(column: Column, kept: Column) -> Column:
    """Return a column with what is kept of it: what was typed before a look here is declared."""
    taken = {}
    for name in FIELDS:
        entry, now = kept[name], column[name]
        if entry.origin is Source.FILE or not (now.empty or now.origin is Source.FILE):
            continue
        late = column.seen and name in TYPED and kept.is_typed(name)
        taken[name] = Entry(entry.text, Source.DECLARED) if late else entry
    asked = {key: answer or kept.asked.get(key, "") for key, answer in column.asked.items()}
    return replace(
        column.with_entries({name: entry for name, entry in taken.items() if entry != Entry()}),
        seen=column.seen or kept.seen,
        asked=MappingProxyType(asked),
        source=column.source or kept.source,
    )
