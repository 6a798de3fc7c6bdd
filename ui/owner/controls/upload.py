"""The upload of a file; where one cannot be read, the last one stays, and all that was typed."""

import streamlit as st

from dpca_core.data.column_names import shown
from dpca_core.data.errors import TableError
from dpca_core.tables.files import Upload
from sample_data import made_up_clinic
from ui.owner import session
from ui.owner import text_table as text
from ui.owner.controls import waiting_file
from ui.owner.source_table import SourceTable
from ui.owner.steps import Step
from ui.owner.table_intake import with_table
from ui.server.upload_limit import refusal
from ui.state.widget_keys import renew_controls, widget_key
from ui.text.numbers import escape_markdown

UPLOADER = "owner-file"
_SEEN, _REFUSED = "owner.seen", "owner.refused"
"""Session keys: the last file's number, and why it cannot be read."""


def draw_upload() -> None:
    """Draw the uploader, and the question a file waits for."""
    file = st.file_uploader(text.UPLOADER_LABEL, key=widget_key(UPLOADER))
    st.caption(text.UPLOADER_HELP)
    if file is None:
        st.session_state.pop(_SEEN, None)
    elif st.session_state.get(_SEEN) != file.file_id:
        st.session_state[_SEEN] = file.file_id
        forget_waiting()
        if message := refusal(file.file_id):
            st.session_state[_REFUSED] = message
        else:
            _ask(Upload(file.name, file.getvalue()))
    read_waiting()
    draw_refusal()


def open_clinic() -> None:
    """Take the made-up clinic as the table."""
    forget_waiting()
    _ask(Upload(made_up_clinic.FILE_NAME, made_up_clinic.clinic_csv()))


def forget_waiting() -> None:
    """Forget a file that could not be read, or is asked about."""
    waiting_file.forget_waiting()
    st.session_state.pop(_REFUSED, None)


def read_waiting() -> None:
    """Read the file that was chosen, once nothing has to be asked before; it becomes the table."""
    try:
        with st.spinner("Reading the file"):
            source = waiting_file.draw_waiting()
    except TableError as error:
        st.session_state[_REFUSED] = str(error)
        return
    if source is not None:
        take_table(source)
        st.rerun()


def take_table(source: SourceTable) -> None:
    """Make a table that was read the owner's, and begin with step 1."""
    st.session_state.pop(_REFUSED, None)
    renew_controls()
    owner = with_table(session.current(), source)
    session.update(
        draft=owner.draft,
        source=owner.source,
        columns=owner.columns,
        person=owner.person,
        looks=owner.looks,
    )
    session.choose_another(False)
    session.show_rows(False)
    session.open_step(Step.WHO)


def _ask(upload: Upload) -> None:
    st.session_state.pop(_REFUSED, None)
    waiting_file.ask_before(shown(upload.name), upload)


def draw_refusal() -> None:
    """Say why a file that was chosen could not be read."""
    message = st.session_state.get(_REFUSED)
    if not message:
        return
    kept = f" {text.KEPT_TABLE}" if session.current().source is not None else ""
    st.error(f"{escape_markdown(message)}{kept}")
