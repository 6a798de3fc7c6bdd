"""*Look, and note it*: the owner’s own curves, once it is noted for good that they were seen."""

from pathlib import Path

import streamlit as st

from dpca_core.data.dataset import Dataset
from dpca_core.data.recipe import Recipe
from dpca_core.tables.prepare import prepare
from ui.owner import decide_cards as cards
from ui.owner import decide_text as text
from ui.owner import session
from ui.owner.controls.built_in import EXPLORE
from ui.owner.controls.settings_from_decision import explore_as_decided
from ui.owner.controls.streaming import choose_place, draw_progress, start_streaming
from ui.owner.decide_answers import answers_of
from ui.owner.draft import Draft
from ui.owner.streaming_job import IN_PROCESS
from ui.owner.table_source import SourceTable
from ui.state import session_data
from ui.state.session import change_settings, open_view
from ui.state.settings import View
from ui.text.numbers import escape_markdown
from ui.text.product import ONE_PAGE

PROBLEM, SUMMED = "decide-look-problem", "decide-look-summary"
"""Session keys: why the last look failed, as the page may be drawn again at any time; and whether
the look is for a summary."""


def draw_look(draft: Draft) -> None:
    """Offer a look; that it was taken is noted before anything is read."""
    st.html(cards.title(text.LOOK_TITLE))
    st.html(cards.paragraph(text.LOOK_NOTE, "decide-side-note"))
    if draft.looked:
        noted = text.LOOKED_AFTER if session.is_decided_before_look() else text.LOOKED
        st.html(cards.paragraph(noted, "decide-side-note"))
    source, recipe = session.current().source, draft.recipe()
    where = IN_PROCESS
    if source is not None and source.path is not None:
        where = choose_place(source.path)
    label = text.LOOK_AGAIN if draft.looked else text.LOOK
    with st.container(key="decide-look-ways", horizontal=True, gap="small"):
        look = st.button(label, key="decide-look")
        summary = st.button(ONE_PAGE, key="decide-summary", help=text.SUMMARY_LOOK)
    if look or summary:
        st.session_state[SUMMED] = summary
        session.note_look()
        st.session_state[PROBLEM] = (
            text.NO_TABLE
            if source is None or isinstance(recipe, tuple)
            else _open(source, recipe, where)
        )
    if problem := st.session_state.get(PROBLEM):
        st.error(escape_markdown(problem))
    if (summed := draw_progress()) is not None:
        _show(summed)


def _open(source: SourceTable, recipe: Recipe, where: str) -> str:
    """Read the owner's table and open it; begin to sum up one that is on the server.

    Returns one sentence where that fails.
    """
    if isinstance(source.place, Path):
        start_streaming(source.name, source.place, recipe, where)
        return ""
    try:
        data = prepare(source.place, recipe, source.name)
        data.problem(1)
    except ValueError as error:
        return str(error)
    except MemoryError:
        return text.TOO_LARGE
    st.session_state.pop(PROBLEM, None)
    _show(data)
    return ""


def _show(data: Dataset) -> None:
    session_data.add_upload(data)
    session_data.show_in_explore(data.key)
    explore_as_decided(answers_of(session.current().draft), data.d)
    if st.session_state.pop(SUMMED, False):
        # A summary is of the table, with as many people as it has.
        change_settings(n=0.0)
        open_view(View.PAGE)
    st.switch_page(EXPLORE)
