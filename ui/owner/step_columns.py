"""Step 2, *Columns*: the table in which columns get ranges and values, and what is beside it."""

from dataclasses import dataclass, replace
from html import escape
from typing import Any

import streamlit as st

from dpca_core.codebooks import LARGEST, CodebookError, read_codebook
from dpca_core.data.recipe import Source
from sample_data.made_up_clinic import CLINIC_HEADER, CODEBOOK_FILE_NAME, codebook_csv
from ui.owner import columns_table, how_read, session, text
from ui.owner.codebook_merge import merge_codebook, read_choices, saved_choices
from ui.owner.column import PUBLIC
from ui.owner.draft import Draft
from ui.owner.edits import merge, restored, with_kept
from ui.owner.fill_from_file import fill_from_file, has_empty_cells
from ui.owner.step_table import draw_head
from ui.owner.steps import Step
from ui.page.component import registered
from ui.page.content import packed
from ui.page.markup import element, sentence
from ui.server.request_guard import refusal
from ui.state.session import renew_controls, widget_key
from ui.text.numbers import escape_markdown

TABLE = "columns-table"
"""Key of the component."""
_CODEBOOK = "owner-codebook"
"""Session key of ``_Loaded``."""
_LOADER = "codebook-file"
"""Name of the control that holds a codebook."""

_component = registered("dpca_owner", "owner/main.js", columns_table.skeleton())


def draw() -> None:
    """Draw the step."""
    how_read.follow_answers()
    draw_head(columns_table.headline(session.current().draft), text.LEAD, with_table=True)
    with st.container(key="columns-page"):
        left, right = st.columns([3.25, 1], gap="medium")
    with left, st.container(key="columns-main"):
        with st.container(horizontal=True, key="columns-toolbar", gap="small"):
            _draw_toolbar()
        with st.container(key="columns-opened"):
            _draw_opened()
        how_read.draw_noticed()
        _draw_table()
        how_read.draw_format()
    with right, st.container(key="columns-side"):
        st.html(sources(session.current().draft) + element("p", escape(text.KEPT)))


def _draw_table() -> None:
    owner = session.current()
    labels = owner.source.labels if owner.source is not None else {}
    content = columns_table.table_content(owner.draft, owner.columns, owner.merged, labels)
    _component(
        key=TABLE,
        data=packed(content),
        on_edits_change=merge_edits,
        on_decide_change=_decide,
        on_restore_change=_restore,
    )


def merge_edits() -> None:
    """Take what was typed; where it is merged already, nothing changes.

    It is called when the browser's message arrives, and again before the step is drawn: a run that
    Streamlit ends in the first call is not called for the same message again.
    """
    owner, message = session.current(), getattr(st.session_state.get(TABLE), "edits", None)
    draft, merged = merge(owner.draft, owner.merged, message)
    if merged is not owner.merged:
        session.update(draft=draft, merged=merged)


def _restore() -> None:
    """Take what the browser's tab kept before a reload."""
    owner, message = session.current(), getattr(st.session_state.get(TABLE), "restore", None)
    session.update(draft=restored(owner.draft, message))


def _decide() -> None:
    """Go on where nothing is missing any more."""
    if not session.current().draft.missing_answers:
        session.open_step(Step.DECIDE)


def sources(draft: Draft) -> str:
    """Return what keeps the result from being private, or that nothing does, with its title.

    Where nothing was typed or noticed yet it is "".
    """
    lines = columns_table.private_lines(draft)
    if not lines:
        return ""
    items = []
    for source, subject, why in lines:
        filled = "filled" if source is Source.FILE else "hollow" if source in PUBLIC else "half"
        dot = element("i", class_=f"columns-dot is-{filled}", aria_hidden="true")
        said = element("span", element("b", escape(subject)), ": ", escape(why))
        items.append(element("li", dot, said))
    is_public = all(source in PUBLIC for source, _, _ in lines)
    title = element("h2", sentence(text.PUBLIC_TITLE if is_public else text.PRIVATE_TITLE))
    return title + element("ul", *items, class_="columns-sources")


@dataclass(frozen=True)
class _Loaded:
    """What came of the last codebook; another table than the one it was said of knows nothing."""

    header: tuple[str, ...] = ()
    is_open: bool = False
    said: str = ""
    error: str = ""


def _loaded() -> _Loaded:
    header = session.current().draft.header
    found = st.session_state.get(_CODEBOOK)
    return found if isinstance(found, _Loaded) and found.header == header else _Loaded(header)


def _put(**changes: Any) -> None:
    st.session_state[_CODEBOOK] = replace(_loaded(), **changes)


def _draw_toolbar() -> None:
    draft, is_open = session.current().draft, _loaded().is_open
    opened = {"is_open": not is_open, "error": ""}
    st.button(text.LOAD, key="load-codebook", on_click=_put, kwargs=opened)
    if draft.header == CLINIC_HEADER and draft.missing_answers:
        clinics = CODEBOOK_FILE_NAME, codebook_csv()
        st.button(text.USE_CLINICS, key="clinics-codebook", on_click=_take, args=clinics)
    name, content = saved_choices(draft)
    # Stored when it is asked for: with each key it is another file.
    st.download_button(
        text.SAVE,
        lambda: content.encode("utf-8", "replace"),
        name,
        "application/json",
        key="save-choices",
        help=text.SAVE_HELP,
        on_click="ignore",
    )
    st.button(
        text.FILL,
        key="fill-from-file",
        on_click=_fill,
        disabled=not has_empty_cells(draft),
        help=text.FILL_HELP,
    )


def _fill() -> None:
    owner = session.current()
    if owner.source is not None:
        session.update(draft=fill_from_file(owner.draft, owner.source.table))


def _draw_opened() -> None:
    """Draw the loader where it is open, and what came of the last codebook."""
    state = _loaded()
    if state.is_open:
        key = widget_key(_LOADER)
        st.file_uploader(
            text.LOAD_LABEL,
            key=key,
            on_change=_take_file,
            args=(key,),
            help=text.LOAD_HELP,
            max_upload_size=LARGEST // 1_000_000,
        )
    if state.error:
        st.error(escape_markdown(state.error))
    if state.said:
        st.markdown(escape_markdown(state.said))


def _take_file(key: str) -> None:
    file = st.session_state.get(key)
    if file is None:
        return
    if message := refusal(file.file_id):
        _put(error=message)
    else:
        _take(file.name, file.getvalue())
    # With the control its file leaves the server's memory.
    renew_controls(_LOADER)


def _take(name: str, content: bytes) -> None:
    """Merge a codebook, or remember why it cannot be read; what is there stays then."""
    owner = session.current()
    draft, header = owner.draft, owner.draft.header
    try:
        if (kept := read_choices(content)) is not None:
            absent = [one for one in kept.header if one not in header]
            said = text.merge_sentence(len(kept.header) - len(absent), len(header), absent)
            draft = with_kept(draft, kept)
        else:
            codebook = read_codebook(name, content, header, draft.reading)
            draft, said = merge_codebook(draft, codebook, owner.columns)
    except CodebookError as wrong:
        _put(error=str(wrong), said="")
        return
    session.update(draft=draft)
    _put(said=said, error="", is_open=False)
