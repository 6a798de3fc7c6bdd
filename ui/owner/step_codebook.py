"""Load a codebook, paste rows from a sheet, save choices; and what came of a codebook."""

from dataclasses import dataclass, replace

import streamlit as st

from dpca_core.codebooks import LARGEST, Codebook, CodebookError, read_codebook
from sample_data.made_up_clinic import CLINIC_HEADER, CODEBOOK_FILE_NAME, codebook_csv
from ui.owner import session
from ui.owner import text_columns as text
from ui.owner.codebook_merge import merge_codebook
from ui.owner.saved_choices import read_choices, saved_choices
from ui.server.request_guard import refusal
from ui.state.widget_keys import renew_controls, widget_key
from ui.text.numbers import escape_markdown

_STATE = "owner-codebook"
"""Session key of ``_State``."""
_LOADER, _PASTED = "codebook-file", "codebook-lines"
"""Names of the controls that hold a codebook."""
_PASTED_NAME = "What you pasted"


@dataclass(frozen=True)
class _State:
    """What of the codebook's controls is open, and what was said last.

    Attributes
    ----------
    shown
        ``_LOADER``, ``_PASTED`` or "".
    said, error
        The sentence about the last codebook, or why it could not be read.
    codebook, pasted
        The one whose question is open, and whether it was pasted.
    differing
        Columns and fields the question is about.
    header
        Of the table it was said of: another one knows nothing of it.
    """

    header: tuple[str, ...] = ()
    shown: str = ""
    said: str = ""
    error: str = ""
    codebook: Codebook | None = None
    pasted: bool = False
    differing: tuple[tuple[str, str], ...] = ()


def _state() -> _State:
    header = session.current().draft.header
    found = st.session_state.get(_STATE)
    return found if isinstance(found, _State) and found.header == header else _State(header)


def draw() -> None:
    """Draw the three buttons in the container at hand; ``draw_below`` draws what they open."""
    st.button(text.LOAD, key="load-codebook", on_click=_show, args=(_LOADER,))
    name, content, complete = saved_choices(session.current().draft)
    help_text = text.SAVE_HELP if complete else text.SAVE_UNFINISHED
    # Stored when it is asked for: the choices change with every key that is pressed.
    st.download_button(
        text.SAVE,
        lambda: content,
        name,
        "application/json",
        key="save-choices",
        help=help_text,
        on_click="ignore",
    )
    st.button(text.PASTE, key="paste-codebook", on_click=_show, args=(_PASTED,))


def draw_below() -> None:
    """Draw the open loader or field for pasting, what came of the last codebook, its question."""
    state = _state()
    if state.shown == _LOADER:
        _draw_loader()
    elif state.shown == _PASTED:
        _draw_pasting()
    if state.error:
        st.error(escape_markdown(state.error))
    if state.said:
        st.markdown(escape_markdown(state.said))
    if state.codebook is not None:
        st.markdown(escape_markdown(text.differing_question(state.differing)))
        with st.container(horizontal=True):
            st.button(text.REPLACE, key="codebook-replace", on_click=_answer, args=(True,))
            st.button(text.KEEP_TYPED, key="codebook-keep", on_click=_answer, args=(False,))


def _show(which: str) -> None:
    """Open one of the two ways in; the button of an open one closes it."""
    state = _state()
    shown = "" if state.shown == which else which
    st.session_state[_STATE] = replace(state, shown=shown, error="")


def _draw_loader() -> None:
    key = widget_key(_LOADER)
    st.file_uploader(
        text.LOAD_LABEL,
        key=key,
        on_change=_take_file,
        args=(key,),
        help=text.LOAD_HELP,
        max_upload_size=LARGEST // 1_000_000,
    )
    if session.current().draft.header == CLINIC_HEADER:
        st.button(text.USE_CLINICS, key="clinics-codebook", on_click=_take_clinics)


def _draw_pasting() -> None:
    key = widget_key(_PASTED)
    st.text_area(
        text.PASTE_LABEL, key=key, placeholder=text.PASTE_EXAMPLE, help=text.PASTE_HELP, height=140
    )
    st.button(text.TAKE_PASTED, key="take-pasted", on_click=_take_pasted, args=(key,))


def _take_file(key: str) -> None:
    file = st.session_state.get(key)
    if file is None:
        return
    if message := refusal(file.file_id):
        st.session_state[_STATE] = replace(_state(), error=message)
    else:
        _take(file.name, file.getvalue())
    # With the control its file leaves the server's memory.
    renew_controls(_LOADER)


def _take_clinics() -> None:
    _take(CODEBOOK_FILE_NAME, codebook_csv())


def _take_pasted(key: str) -> None:
    lines = str(st.session_state.get(key) or "")
    _take(_PASTED_NAME, lines.encode("utf-8", "replace"), pasted=True)
    if not _state().error:
        renew_controls(_PASTED)


def _take(name: str, content: bytes, *, pasted: bool = False) -> None:
    """Merge a codebook, or remember why it cannot be read; what is there stays then."""
    draft = session.current().draft
    try:
        if pasted:
            # Numbers pasted into the page are read as those typed there are.
            codebook = read_codebook(name, content, draft.header, draft.reading, pasted=True)
        else:
            codebook = read_choices(name, content, draft.header, draft.reading)
    except CodebookError as wrong:
        st.session_state[_STATE] = replace(_state(), error=str(wrong), said="")
        return
    _merge(codebook, pasted=pasted, replace_typed=False)


def _merge(codebook: Codebook, *, pasted: bool, replace_typed: bool) -> None:
    owner = session.current()
    merged = merge_codebook(
        owner.draft, codebook, owner.columns, pasted=pasted, replace_typed=replace_typed
    )
    session.update(draft=merged.draft)
    open_question = bool(merged.differing) and not replace_typed
    st.session_state[_STATE] = _State(
        owner.draft.header,
        said=merged.sentence,
        codebook=codebook if open_question else None,
        pasted=pasted,
        differing=merged.differing if open_question else (),
    )


def _answer(replace_typed: bool) -> None:
    """Settle the question whether what was typed is replaced."""
    state = _state()
    if replace_typed and state.codebook is not None:
        _merge(state.codebook, pasted=state.pasted, replace_typed=True)
        return
    st.session_state[_STATE] = replace(state, codebook=None, differing=())
