"""The choice of a table on the server's own disk."""

import streamlit as st

from dpca_core.data.errors import TableError
from ui.owner import session
from ui.owner import text_table as text
from ui.owner.controls import waiting_file
from ui.owner.controls.upload import draw_refusal, forget_waiting, read_waiting
from ui.owner.server_folders import folders, tables
from ui.text.numbers import escape_markdown

_SEEN, _REFUSED = "owner.server-seen", "owner.server-refused"
"""Session keys: the table last chosen, and why it could not be read."""


def choose_source() -> str:
    """Ask where the table is, where this server offers folders; else it is uploaded."""
    if not folders():
        return text.UPLOAD
    source = st.segmented_control(
        "Where the table is",
        [text.UPLOAD, text.SERVER],
        default=text.UPLOAD,
        required=True,
        key="source",
        on_change=_start_again,
    )
    return str(source)


def _start_again() -> None:
    forget_waiting()
    for key in (_SEEN, _REFUSED):
        st.session_state.pop(key, None)


def choose_server_table() -> None:
    """Draw the menu; where a table cannot be read the last readable one stays."""
    known = tables()
    name = st.selectbox(
        text.SERVER_TABLE_LABEL,
        [None, *known],
        key="server.table",
        format_func=lambda n: "Choose a file or a folder" if n is None else str(n),
        help=text.SERVER_TABLE_HELP,
    )
    if name is None:
        st.session_state.pop(_SEEN, None)
    elif name in known and st.session_state.get(_SEEN) != name:
        st.session_state[_SEEN], st.session_state[_REFUSED] = name, ""
        forget_waiting()
        try:
            with st.spinner(f"Reading the first rows of {escape_markdown(str(name))}"):
                waiting_file.ask_before(str(name), known[name])
        except (TableError, OSError) as error:
            said = str(error) if isinstance(error, TableError) else f"{name} cannot be read now."
            st.session_state[_REFUSED] = said
    read_waiting()
    draw_refusal()
    if message := st.session_state.get(_REFUSED):
        kept = f" {text.KEPT_TABLE}" if session.current().source is not None else ""
        st.error(f"{escape_markdown(message)}{kept}")
