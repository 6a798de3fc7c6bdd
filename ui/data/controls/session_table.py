"""The table and the draft that a session keeps, and how controls become views of the draft."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import streamlit as st

from dpca_core.data.number_format import NumberFormat
from dpca_core.readers.table import read_table
from ui.data.column_kinds import Roles
from ui.data.id_columns import RepeatedColumn, id_candidates
from ui.data.recipe_draft import RecipeDraft
from ui.data.source_table import SourceTable

if TYPE_CHECKING:
    from pandas import DataFrame

DRAFT, TABLE, VERSIONS = "draft", "table", "versions"
"""Session keys."""

FORMAT_CONTROLS = (
    "format.delimiter",
    "format.decimal",
    "format.thousands",
    "format.encoding",
    "format.missing",
)
TABLE_CONTROLS = ("leave_out", "categories", "whose", "person", "bounds_are_public")
"""Controls that start again with another table."""


def current_draft() -> RecipeDraft:
    """Return the session's draft."""
    draft: RecipeDraft = st.session_state.setdefault(DRAFT, RecipeDraft())
    return draft


def set_draft(draft: RecipeDraft) -> RecipeDraft:
    """Make this the session's draft."""
    st.session_state[DRAFT] = draft
    return draft


def update_draft(**values: Any) -> RecipeDraft:
    """Take the values of controls into the draft."""
    draft = current_draft()
    changed = {name: value for name, value in values.items() if getattr(draft, name) != value}
    return set_draft(replace(draft, **changed)) if changed else draft


def widget_key(name: str) -> str:
    """Return a control's key: another one after ``reset_controls``, so that it is drawn anew.

    A control starts at the draft's value, and then keeps what its visitor may just be changing. Its
    state is never set from here: a browser that skips the one rerun which sets it would send the
    old value back, and undo the change.
    """
    versions: dict[str, int] = st.session_state.get(VERSIONS, {})
    return f"{name}.{versions.get(name, 0)}"


def reset_controls(*names: str) -> None:
    """Draw these controls anew, from the draft."""
    versions: dict[str, int] = st.session_state.get(VERSIONS, {})
    st.session_state[VERSIONS] = {**versions, **{n: versions.get(n, 0) + 1 for n in names}}


def current_table() -> SourceTable | None:
    """Return the table that is being prepared; None before there is one."""
    found: SourceTable | None = st.session_state.get(TABLE)
    return found


def set_table(source: SourceTable) -> None:
    """Prepare this table from now on; what was typed stays by its column's name."""
    reset_controls(*TABLE_CONTROLS, *FORMAT_CONTROLS)
    names, roles, candidates = _proposals(source.table)
    draft = current_draft()
    set_draft(draft.of_table(names, roles, candidates, source.number_format, source.reading))
    st.session_state[TABLE] = source


def read_again(source: SourceTable, number_format: NumberFormat) -> SourceTable:
    """Read the same table in another format.

    Raises
    ------
    TableError
        Where it cannot be read so; the draft and the table stay as they were.
    """
    file = source.upload
    table = read_table(file.name, file.content, number_format, reading=source.reading)
    other = replace(source, table=table, number_format=number_format)
    names, roles, candidates = _proposals(table)
    reset_controls(*TABLE_CONTROLS)
    set_draft(current_draft().read_again(names, roles, candidates))
    st.session_state[TABLE] = other
    return other


def _proposals(table: "DataFrame") -> tuple[tuple[str, ...], Roles, tuple[RepeatedColumn, ...]]:
    return tuple(map(str, table.columns)), Roles.of(table), id_candidates(table)
