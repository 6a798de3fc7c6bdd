"""*Look, and note it*: the owner’s own curves, once it is noted for good that they were seen."""

from dataclasses import replace

import streamlit as st

from dpca_core.data.dataset import Dataset
from ui.owner import decide_cards as cards
from ui.owner import decide_text as text
from ui.owner import session
from ui.owner.controls.streaming import choose_place, draw_progress, start_streaming
from ui.owner.draft import Draft
from ui.owner.own_table import prepared_table
from ui.state import session_data
from ui.text.numbers import escape_markdown

EXPLORE = "pages/explore.py"


def draw_look(draft: Draft) -> None:
    """Offer a look; that it was taken is noted before anything is read."""
    st.html(cards.title(text.LOOK_TITLE))
    st.html(cards.paragraph(text.LOOK_NOTE, "decide-side-note"))
    if draft.looked:
        st.html(cards.paragraph(text.LOOKED, "decide-side-note"))
    label = text.LOOK_AGAIN if draft.looked else text.LOOK
    source = session.current().source
    where = choose_place(source.path) if source is not None and source.path is not None else ""
    if st.button(label, key="decide-look"):
        session.update(draft=replace(draft, looked=True))
        _open_table(where)
    if (data := draw_progress()) is not None:
        _show(data)


def _open_table(where: str) -> None:
    """Prepare the owner's table and open it on Explore; one sentence where that fails.

    A table on the server is summed up in the background, ``where`` says in which process.
    """
    owner = session.current()
    recipe = owner.draft.recipe()
    if owner.source is None or isinstance(recipe, tuple):
        st.error(text.NO_TABLE)
        return
    if owner.source.path is not None:
        start_streaming(owner.source.name, owner.source.path, recipe, where)
        return
    data = prepared_table(owner.source.upload, recipe, owner.source.name)
    if isinstance(data, str):
        st.error(escape_markdown(data))
        return
    _show(data)


def _show(data: Dataset) -> None:
    session_data.add_upload(data)
    session_data.show_in_explore(data.key)
    st.switch_page(EXPLORE)
