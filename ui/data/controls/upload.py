"""The upload of a file; a file that cannot be read loses nothing."""

import streamlit as st

from dpca_core.data.column_names import shown as plain
from dpca_core.data.errors import TableError
from dpca_core.data.recipe import Reading
from dpca_core.readers.file_access import Upload
from ui.data.controls.session_table import set_table
from ui.data.source_table import SourceTable
from ui.data.text import READ_ANYWAY, UPLOADER_HELP, UPLOADER_LABEL
from ui.server.upload_limit import refusal
from ui.text.numbers import escape_markdown

UPLOADER = "uploader"
"""Session key: the number of the uploader that is shown."""


def upload_file() -> None:
    """Draw the uploader; where a file cannot be read the last readable one stays."""
    file = st.file_uploader(UPLOADER_LABEL, key=f"file-{st.session_state.get(UPLOADER, 0)}")
    st.caption(UPLOADER_HELP)
    if file is not None and st.session_state.get("seen") != file.file_id:
        st.session_state["seen"] = file.file_id
        if message := refusal(file.file_id):
            st.session_state["refused"] = message, None
        else:
            _read(Upload(file.name, file.getvalue()), Reading.STRICT)
    message, upload = st.session_state.get("refused") or (None, None)
    if message:
        st.error(escape_markdown(message))
    if upload is not None:
        st.button(READ_ANYWAY, key="anyway", on_click=_read, args=(upload, Reading.TOTAL))


def _read(upload: Upload, reading: Reading) -> None:
    """Prepare this file from now on, or remember why it cannot be read."""
    st.session_state["refused"] = None
    try:
        with st.spinner(f"Reading {escape_markdown(plain(upload.name))}"):
            found = SourceTable.read(plain(upload.name), upload, reading=reading)
    except TableError as error:
        again = upload if error.readable_anyway and reading is Reading.STRICT else None
        st.session_state["refused"] = str(error), again
        return
    set_table(found)


def renew_uploader() -> None:
    """Draw another uploader: with the old one its file leaves the server's memory."""
    st.session_state[UPLOADER] = int(st.session_state.get(UPLOADER, 0)) + 1
