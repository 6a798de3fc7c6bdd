"""Step 2, *Columns*: the table in which columns get ranges and values, and what follows from it."""

from pathlib import Path

import streamlit as st

from ui.owner import columns_content, columns_side, session
from ui.owner import text_columns as text
from ui.owner.columns_skeleton import skeleton
from ui.owner.controls import codebook, reading
from ui.owner.edits import merge
from ui.owner.fill_from_file import fill_from_file, has_empty_cells
from ui.owner.kept_draft import restored
from ui.page.component import registered
from ui.page.content import packed

STYLE = Path(__file__).parents[1] / "columns.css"
TABLE = "columns-table"
"""Key of the component."""

_component = registered("dpca_owner", "owner/main.js", skeleton())


def headline() -> tuple[str, str]:
    """Return the step's headline and the sentence below it, with ``**`` and ``[[…]]`` marks."""
    return columns_content.headline(session.current().draft), text.LEAD


def draw() -> None:
    """Draw the step."""
    st.html(STYLE)
    reading.follow_answers()
    with st.container(key="columns-page"):
        left, right = st.columns([3.25, 1], gap="medium")
    with left, st.container(key="columns-main"):
        _draw_toolbar()
        reading.draw_noticed()
        _draw_table()
        reading.draw_format()
    with right:
        _draw_side()


def _draw_toolbar() -> None:
    with st.container(horizontal=True, key="columns-toolbar", gap="small"):
        codebook.draw()
        st.button(
            text.FILL,
            key="fill-from-file",
            on_click=_fill,
            disabled=not has_empty_cells(session.current().draft),
            help=text.FILL_HELP,
        )
    with st.container(key="columns-opened"):
        codebook.draw_below()


def _draw_table() -> None:
    owner = session.current()
    labels = owner.source.labels if owner.source is not None else {}
    content = columns_content.table_content(owner.draft, owner.columns, owner.merged, labels)
    _component(
        key=TABLE,
        data=packed(content),
        on_edits_change=merge_edits,
        on_decide_change=_decide,
        on_restore_change=_restore,
    )


def _draw_side() -> None:
    draft = session.current().draft
    with st.container(key="columns-side-who"):
        st.html(columns_side.title(text.WHO_TITLE))
        st.html(columns_side.note(text.protected(draft.who)))
        st.button(text.CHANGE, key="change-who", on_click=session.open_step, args=("who",))
    if sources := columns_side.sources(draft):
        with st.container(key="columns-side-sources"):
            st.html(sources)
    with st.container(key="columns-side-preview"):
        st.html(columns_side.title(text.EXPECT_TITLE) + columns_side.preview(draft))
    with st.container(key="columns-side-kept"):
        st.html(columns_side.title(text.KEPT_TITLE) + columns_side.note(text.KEPT))


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
    if not session.current().draft.missing_answers():
        session.open_step("decide")


def _fill() -> None:
    owner = session.current()
    if owner.source is not None:
        session.update(draft=fill_from_file(owner.draft, owner.source.table))
