"""Step 2, *Columns*: the table in which columns get ranges and values, and what is beside it."""

from html import escape
from typing import Any

import streamlit as st

from dpca_core.codebooks import LARGEST, CodebookError, read_codebook
from dpca_core.data.recipe import Source
from sample_data.made_up_clinic import CLINIC_HEADER, CODEBOOK_FILE_NAME, codebook_csv
from ui.owner import columns_table, how_read, session
from ui.owner.codebook_merge import merge_codebook, read_choices, saved_choices
from ui.owner.column import PUBLIC
from ui.owner.draft import Draft
from ui.owner.edits import merge, restored, with_kept
from ui.owner.fill_from_file import fill_from_file, has_empty_cells
from ui.owner.step_table import draw_head
from ui.owner.steps import Step
from ui.owner.text import merge_sentence, say
from ui.page.component import registered
from ui.page.content import packed
from ui.page.markup import element
from ui.server.request_guard import refusal
from ui.state.session import renew_controls, widget_key
from ui.text.numbers import escape_markdown

TABLE = "columns-table"
"""Key of the component."""
_LOADER = "codebook-file"
"""Name of the control that holds a codebook."""

_component = registered("dpca_owner", "owner/main.js", columns_table.skeleton())


def draw() -> None:
    """Draw the step."""
    how_read.follow_answers()
    draw_head(columns_table.headline(session.current().draft), say("columns_lead"), with_table=True)
    with st.container(key="columns-page"):
        left, right = st.columns([3.25, 1], gap="medium")
    with left, st.container(key="columns-main"):
        with st.container(horizontal=True, key="columns-toolbar", gap="small"):
            _draw_toolbar()
        with st.container(key="columns-opened"):
            _draw_opened()
        how_read.draw_noticed()
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
        how_read.draw_format()
    with right, st.container(key="columns-side"):
        st.html(sources(session.current().draft) + element("p", say("kept")))


def _sent(name: str) -> Any:
    return getattr(st.session_state.get(TABLE), name, None)


def merge_edits() -> None:
    """Take what was typed; where it is merged already, nothing changes.

    It is called when the browser's message arrives, and again before the step is drawn: a run that
    Streamlit ends in the first call is not called for the same message again.
    """
    owner = session.current()
    draft, merged = merge(owner.draft, owner.merged, _sent("edits"))
    if merged is not owner.merged:
        session.update(draft=draft, merged=merged)


def _restore() -> None:
    """Take what the browser's tab kept before a reload."""
    session.update(draft=restored(session.current().draft, _sent("restore")))


def _decide() -> None:
    """Go on where nothing is missing any more."""
    if not session.current().draft.missing_answers:
        session.open_step(Step.DECIDE)


def sources(draft: Draft) -> str:
    """Return what keeps the result from being private, with a title; "" while nothing is said."""
    lines = columns_table.private_lines(draft)
    items, is_public = [], all(source in PUBLIC for source, _, _ in lines)
    for source, subject, why in lines:
        filled = "filled" if source is Source.FILE else "hollow" if source in PUBLIC else "half"
        dot = element("i", class_=f"columns-dot is-{filled}", aria_hidden="true")
        said = element("span", element("b", escape(subject)), ": ", escape(why))
        items.append(element("li", dot, said))
    title = element("h2", say("public_title" if is_public else "private_title"))
    return title + element("ul", *items, class_="columns-sources") if items else ""


def _draw_toolbar() -> None:
    owner, draft = session.current(), session.current().draft
    opened = {"loader_open": not owner.loader_open, "not_loaded": ""}
    st.button(say("load"), key="load-codebook", on_click=session.update, kwargs=opened)
    if draft.header == CLINIC_HEADER and draft.missing_answers:
        clinics = CODEBOOK_FILE_NAME, codebook_csv()
        st.button(say("use_clinics"), key="clinics-codebook", on_click=_take, args=clinics)
    name, content = saved_choices(draft)
    # Stored when it is asked for: with each key it is another file.
    st.download_button(
        say("save"),
        lambda: content.encode("utf-8", "replace"),
        name,
        "application/json",
        key="save-choices",
        help=say("save_help"),
        on_click="ignore",
    )
    st.button(
        say("fill"),
        key="fill-from-file",
        on_click=_fill,
        disabled=not has_empty_cells(draft),
        help=say("fill_help"),
    )


def _fill() -> None:
    owner = session.current()
    if owner.source is not None:
        session.update(draft=fill_from_file(owner.draft, owner.source.table))


def _draw_opened() -> None:
    """Draw the loader where it is open, and what came of the last codebook."""
    owner = session.current()
    if owner.loader_open:
        st.file_uploader(
            say("loader"),
            key=widget_key(_LOADER),
            on_change=_take_file,
            help=say("load_help"),
            max_upload_size=LARGEST // 1_000_000,
        )
    if owner.not_loaded:
        st.error(escape_markdown(owner.not_loaded))
    if owner.loaded:
        st.markdown(escape_markdown(owner.loaded))


def _take_file() -> None:
    file = st.session_state.get(widget_key(_LOADER))
    if file is None:
        return
    if message := refusal(file.file_id):
        session.update(not_loaded=message)
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
            said = merge_sentence(len(kept.header) - len(absent), len(header), absent)
            draft = with_kept(draft, kept)
        else:
            codebook = read_codebook(name, content, header, draft.reading)
            draft, said = merge_codebook(draft, codebook, owner.columns)
    except CodebookError as wrong:
        session.update(not_loaded=str(wrong), loaded="")
        return
    session.update(draft=draft, loaded=said, not_loaded="", loader_open=False)
