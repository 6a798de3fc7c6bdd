"""Before step 1: a table is chosen and read, named above the steps, changed and forgotten.

Where one cannot be read, the last one stays, and all that was typed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import streamlit as st

from dpca_core.data.column_names import shown
from dpca_core.data.errors import TableError
from dpca_core.tables.files import Upload
from sample_data import made_up_clinic
from ui.owner import session
from ui.owner import text_table as text
from ui.owner.server_folders import folders, tables
from ui.owner.steps import Step
from ui.owner.sum_job import stop_streaming
from ui.owner.table_source import ReadingQuestion, first_table
from ui.server.request_guard import refusal
from ui.state import session as shared
from ui.state import session_data
from ui.state.settings import DEFAULT_DATA
from ui.state.widget_keys import renew_controls, widget_key
from ui.text.numbers import escape_markdown

CHOICE = "owner.choice"
"""Session key of ``Choice``."""
UPLOADER, PLACES = "owner-file", "source"
PREVIEW_ROWS, PREVIEW_COLUMNS = 6, 50


@dataclass(frozen=True)
class Choice:
    """A table that is being chosen.

    Attributes
    ----------
    seen
        Number of the uploaded file, or name of the table on the server, that was taken up last.
    name, place
        What is read once no question is open; None where nothing waits.
    answers
        To what had to be asked before it is read.
    refused
        Why it cannot be read.
    is_open
        Whether another one is being chosen while there is a table.
    """

    seen: str = ""
    name: str = ""
    place: Upload | Path | None = None
    answers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    refused: str = ""
    is_open: bool = False


def is_choosing() -> bool:
    """Tell whether another table is being chosen while there is one."""
    return _choice().is_open


def draw_choice() -> None:
    """Draw where a table may come from, and what the one that was chosen waits for."""
    if _place() == text.SERVER:
        _choose_on_server()
    else:
        _choose_upload()
    _read()
    if refused := _choice().refused:
        kept = f" {text.KEPT_TABLE}" if session.current().source is not None else ""
        st.error(f"{escape_markdown(refused)}{kept}")


def open_clinic() -> None:
    """Take the made-up clinic as the table."""
    name = made_up_clinic.FILE_NAME
    _choose(seen=name, name=name, place=Upload(name, made_up_clinic.clinic_csv()))


def keep_table() -> None:
    """Choose no other table."""
    st.session_state.pop(CHOICE, None)


def draw_line() -> None:
    """Name the table, and offer to look at its first rows, to change or to forget it."""
    source = session.current().source
    if source is None:
        return
    streamed = source.path is not None
    with st.container(horizontal=True, key="owner-table"):
        line = text.table_line(source.name, *source.table.shape, streamed=streamed)
        st.markdown(line, width="content")
        are_shown = session.current().rows_shown
        st.button(
            text.HIDE_ROWS if are_shown else text.FIRST_ROWS,
            key="first-rows",
            type="tertiary",
            on_click=session.show_rows,
            args=(not are_shown,),
            help=text.FIRST_ROWS_HELP,
        )
        st.button(
            text.ANOTHER_TABLE,
            key="another",
            type="tertiary",
            on_click=_put,
            args=(Choice(is_open=True),),
        )
        st.button(
            text.FORGET, key="forget", type="tertiary", on_click=forget, help=text.FORGET_HELP
        )
    if are_shown:
        st.dataframe(source.table.iloc[:PREVIEW_ROWS, :PREVIEW_COLUMNS], hide_index=True)
    if streamed:
        st.caption(text.FIRST_ROWS_ONLY)


def forget() -> None:
    """Drop the table and all that was made of it in this session; the settings stay."""
    stop_streaming()
    kept = {shared.SETTINGS, shared.PAGE_SETTINGS, session.ADDRESS_READ}
    for name in [str(name) for name in st.session_state if name not in kept]:
        del st.session_state[name]
    st.session_state[session.FORGOTTEN] = True
    renew_controls()
    session_data.show_in_explore(DEFAULT_DATA)


def _choice() -> Choice:
    found = st.session_state.get(CHOICE)
    return found if isinstance(found, Choice) else Choice()


def _put(choice: Choice) -> None:
    st.session_state[CHOICE] = choice


def _choose(**fields: Any) -> None:
    """Begin with another choice, in place of the one there is."""
    _put(Choice(is_open=_choice().is_open, **fields))


def _place() -> str:
    """Ask where the table is, where this server offers folders; else it is uploaded."""
    if not folders():
        return text.UPLOAD
    chosen = st.segmented_control(
        "Where the table is",
        [text.UPLOAD, text.SERVER],
        default=text.UPLOAD,
        required=True,
        key=PLACES,
        on_change=_choose,
    )
    return str(chosen)


def _choose_upload() -> None:
    file = st.file_uploader(text.UPLOADER_LABEL, key=widget_key(UPLOADER))
    st.caption(text.UPLOADER_HELP)
    if file is None:
        _put(replace(_choice(), seen=""))
    elif _choice().seen != file.file_id:
        if refused := refusal(file.file_id):
            _choose(seen=file.file_id, refused=refused)
        else:
            place = Upload(file.name, file.getvalue())
            _choose(seen=file.file_id, name=shown(file.name), place=place)


def _choose_on_server() -> None:
    known = tables()
    name = st.selectbox(
        text.SERVER_TABLE_LABEL,
        [None, *known],
        key="server.table",
        format_func=lambda n: "Choose a file or a folder" if n is None else str(n),
        help=text.SERVER_TABLE_HELP,
    )
    if name is None:
        _put(replace(_choice(), seen=""))
    elif name in known and _choice().seen != name:
        _choose(seen=name, name=name, place=known[name])


def _read() -> None:
    """Read the table that was chosen, once nothing has to be asked before: it becomes hers."""
    choice = _choice()
    if choice.place is None:
        return
    try:
        with st.spinner(f"Reading {escape_markdown(choice.name)}"):
            source = first_table(choice.name, choice.place, choice.answers)
    except (TableError, OSError) as error:
        said = str(error) if isinstance(error, TableError) else f"{choice.name} cannot be read now."
        _put(replace(choice, place=None, refused=said))
        return
    if isinstance(source, ReadingQuestion):
        _draw_question(choice, source)
        return
    renew_controls()
    session.take(session.current().with_table(source))
    keep_table()
    session.open_step(Step.WHO)
    st.rerun()


def _draw_question(choice: Choice, question: ReadingQuestion) -> None:
    with st.container(key="owner-reading-question"):
        st.markdown(f"**{question.sentence}**")
        st.markdown(f"{question.before} *{escape_markdown(question.example)}*")
        with st.container(horizontal=True):
            for place, answer in enumerate(question.answers):
                answers = MappingProxyType({**choice.answers, question.key: answer})
                st.button(
                    answer,
                    key=f"owner-reading-{question.key}-{place}",
                    on_click=_put,
                    args=(replace(choice, answers=answers),),
                )
