"""The choices about a table's columns: which are used, of which kind, in which public range.

An editor shows a snapshot of the draft. What is typed is merged into the draft, cell by cell,
before another snapshot is made, so nothing typed is lost when an editor is replaced.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import streamlit as st

from dpca_core.data.errors import TableError
from dpca_core.data.recipe import Missing
from ui.data.category_lists import SEPARATOR, join_values
from ui.data.controls.session_table import current_draft, reset_controls, set_draft, widget_key
from ui.data.fill_from_file import fill_from_file
from ui.data.recipe_draft import NO_ENTRY, NOT_READ, ColumnKind, RecipeDraft, finite_or_none
from ui.data.source_table import SourceTable
from ui.data.text import (
    CATEGORIES_HELP,
    FILL_HELP,
    FILL_LABEL,
    FROM_FILE,
    FROM_FILE_HELP,
    RANGES,
    category_values_caption,
    proposed_left_out,
    texts_as_numbers,
)

if TYPE_CHECKING:
    from pandas import DataFrame


ROW_HEIGHT, RANGES_HEIGHT, VALUES_HEIGHT = 35, 420, 320
"""Pixels: of a row, and of the two editors at most."""


@dataclass(frozen=True)
class EditorSnapshot:
    """What an editor was given: its rows by column name, what was read, cells and the frame."""

    names: tuple[str, ...]
    read: tuple[str, ...]
    version: int
    cells: tuple[dict[str, Any], ...]
    frame: "DataFrame"


def choose_columns(source: SourceTable, missing: Missing) -> RecipeDraft:
    """Draw which columns are used, of which kind, and their public ranges and categories."""
    draft = current_draft()
    left, right = st.columns(2)
    with left:
        st.multiselect(
            "Leave out",
            draft.names,
            draft.left_out,
            key=widget_key("leave_out"),
            on_change=_leave_out,
        )
    with right:
        st.multiselect(
            "Categories",
            draft.used,
            draft.used_as(ColumnKind.CATEGORY),
            key=widget_key("categories"),
            on_change=_set_categories,
            help=CATEGORIES_HELP,
        )
    _show_proposals(draft)
    if st.button(FILL_LABEL, key="fill", help=FILL_HELP):
        draft = set_draft(fill_from_file(current_draft(), _table_to_fill_from(source, draft)))
        reset_controls("bounds_are_public")
    if draft.ranged and (numbers := draft.used_as(ColumnKind.NUMBER)):
        st.caption(RANGES)
        _editor("ranges", numbers, _ranges_read(draft, numbers), _range_cells, RANGES_HEIGHT)
    if names := draft.used_as(ColumnKind.CATEGORY):
        st.caption(category_values_caption(SEPARATOR, missing))
        _editor("values", names, _values_read(draft, names), _value_cells, VALUES_HEIGHT)
    return current_draft()


def _table_to_fill_from(source: SourceTable, draft: RecipeDraft) -> "DataFrame":
    """Return the table with codes such as ``01`` as they are written, where they are categories."""
    codes = [n for n in draft.used_as(ColumnKind.CATEGORY) if n in draft.roles.numeric]
    try:
        return source.with_texts(codes)
    except TableError:
        return source.table


def _leave_out() -> None:
    set_draft(current_draft().leaving_out(st.session_state[widget_key("leave_out")]))
    reset_controls("categories")


def _set_categories() -> None:
    set_draft(current_draft().as_categories(st.session_state[widget_key("categories")]))


def _show_proposals(draft: RecipeDraft) -> None:
    """Name what is proposed to be left out, and texts that are used as numbers."""
    reasons = [
        (name, reason)
        for name, reason in draft.roles.left_out.items()
        if draft.is_left_out(name) and draft.entries.get(name, NO_ENTRY).left_out is None
    ]
    if reasons:
        st.caption(proposed_left_out(reasons))
    texts = [n for n in draft.used_as(ColumnKind.NUMBER) if n not in draft.roles.numeric]
    if texts:
        st.caption(texts_as_numbers(texts))


def _editor(
    which: str,
    names: tuple[str, ...],
    read: tuple[str, ...],
    cells: Callable[[RecipeDraft, str], dict[str, Any]],
    height: int,
) -> None:
    """Draw an editor of the draft's cells; a new snapshot only where its rows have changed."""
    import pandas as pd

    _merge(which)
    old: EditorSnapshot | None = st.session_state.get(which)
    shown = old is not None and f"{which}-{old.version}" in st.session_state
    if old is None or not shown or (old.names, old.read) != (names, read):
        given = tuple(cells(current_draft(), name) for name in names)
        rows = [{"column": name, **row} for name, row in zip(names, given, strict=True)]
        frame = pd.DataFrame(rows)
        if any(read):
            frame[FROM_FILE] = list(read)
        version = 1 if old is None else old.version + 1
        old = EditorSnapshot(names, read, version, given, frame)
        st.session_state[which] = old
    st.data_editor(
        old.frame,
        disabled=["column", FROM_FILE],
        hide_index=True,
        key=f"{which}-{old.version}",
        height=min(ROW_HEIGHT * len(names) + ROW_HEIGHT + 3, height),
        width="stretch",
        on_change=_merge,
        args=(which,),
        column_config=_CONFIG,
        placeholder="",
    )
    _merge(which)


_CONFIG = {
    "column": st.column_config.TextColumn("Column", width="medium"),
    "low": st.column_config.NumberColumn("Low"),
    "high": st.column_config.NumberColumn("High"),
    "values": st.column_config.TextColumn("Values", width="large"),
    FROM_FILE: st.column_config.TextColumn("Read from the file", help=FROM_FILE_HELP),
}


def _merge(which: str) -> None:
    """Take what was typed into an editor into the draft."""
    old: EditorSnapshot | None = st.session_state.get(which)
    edits = st.session_state.get(f"{which}-{old.version}") if old is not None else None
    if old is None or edits is None:
        return
    draft = current_draft()
    changed = {int(row): cells for row, cells in edits.get("edited_rows", {}).items()}
    entries = dict(draft.entries)
    # All rows: a cell that is set back to its value in the snapshot is no longer among the edits.
    for row, (name, before) in enumerate(zip(old.names, old.cells, strict=True)):
        present = entries.get(name, NO_ENTRY)
        entry = replace(present, **_typed({**before, **changed.get(row, {})}))
        if entry != present:
            entries[name] = entry
    if entries != draft.entries:
        set_draft(replace(draft, entries=MappingProxyType(entries)))


def _typed(cells: Mapping[str, Any]) -> dict[str, Any]:
    """Return the cells of a row as an entry keeps them."""
    found: dict[str, Any] = {}
    for end in ("low", "high"):
        if end in cells:
            found[end] = finite_or_none(cells[end])
    if "values" in cells:
        found["values"] = str(cells["values"] or "")
    return found


def _range_cells(draft: RecipeDraft, name: str) -> dict[str, Any]:
    entry = draft.entries.get(name, NO_ENTRY)
    low, high = (float("nan") if end is None else end for end in (entry.low, entry.high))
    return {"low": low, "high": high}


def _value_cells(draft: RecipeDraft, name: str) -> dict[str, Any]:
    return {"values": draft.entries.get(name, NO_ENTRY).values}


def _ranges_read(draft: RecipeDraft, names: tuple[str, ...]) -> tuple[str, ...]:
    found = (draft.from_file.get(name, NOT_READ) for name in names)
    return tuple("" if one.low is None else f"{one.low:.15g} to {one.high:.15g}" for one in found)


def _values_read(draft: RecipeDraft, names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(join_values(draft.from_file.get(name, NOT_READ).values) for name in names)
