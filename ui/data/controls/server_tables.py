"""The choice of a table on the server's own disk."""

import streamlit as st

from dpca_core.data.errors import TableError
from dpca_core.readers.preview import first_rows_as_upload
from ui.data.controls.session_table import TABLE, set_table
from ui.owner.server_folders import folders, tables
from ui.data.source_table import SourceTable
from ui.data.text import SERVER, SERVER_TABLE_HELP, SERVER_TABLE_LABEL, UPLOAD
from ui.text.numbers import escape_markdown

SEEN, REFUSED = "server.seen", "server.refused"
"""Session keys: the table last chosen, and why it could not be read."""


def choose_source() -> str:
    """Ask where the table is, where this server offers folders; else it is uploaded."""
    if not folders():
        return UPLOAD
    source = st.segmented_control(
        "Where the table is",
        [UPLOAD, SERVER],
        default=UPLOAD,
        required=True,
        key="source",
        on_change=_start_again,
    )
    return str(source)


def _start_again() -> None:
    for key in (TABLE, "scaling", "seen", "refused", SEEN, REFUSED):
        st.session_state.pop(key, None)


def choose_server_table() -> None:
    """Draw the menu; where a table cannot be read the last readable one stays."""
    known = tables()
    name = st.selectbox(
        SERVER_TABLE_LABEL,
        [None, *known],
        key="server.table",
        format_func=lambda n: "Choose a file or a folder" if n is None else str(n),
        help=SERVER_TABLE_HELP,
    )
    if name is None or name not in known:
        return
    if st.session_state.get(SEEN) == name:
        if message := st.session_state.get(REFUSED):
            st.error(escape_markdown(message))
        return
    st.session_state[SEEN], st.session_state[REFUSED] = name, None
    try:
        with st.spinner(f"Reading the first rows of {escape_markdown(str(name))}"):
            path = known[name]
            found = SourceTable.read(str(name), first_rows_as_upload(path), path)
    except (TableError, OSError) as error:
        message = str(error) if isinstance(error, TableError) else f"{name} cannot be read now."
        st.session_state[REFUSED] = message
        st.error(escape_markdown(message))
        return
    set_table(found)
