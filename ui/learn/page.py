"""The Learn page: thirteen questions, each with a prediction before its answer, and a handout."""

from dataclasses import replace

import streamlit as st

from ui.figures import component_messages
from ui.figures.component import component_of
from ui.figures.markup import page_root
from ui.learn.content import (
    contents_content,
    lesson_content,
    measure_next_question,
    sent_content,
)
from ui.learn.controls import draw_handout_bar
from ui.learn.handout import handout
from ui.learn.handout_numbers import LESSON
from ui.learn.query import MOST_SEEDS, LearnSettings
from ui.learn.registry import LESSONS
from ui.learn.skeleton import skeleton
from ui.page.present import show_present
from ui.server.scheduler import PAGE_SCHEDULER, refinement_delay
from ui.state import query_params, session
from ui.state.settings import Settings
from ui.state.shared_address import shared_address
from ui.widgets.navigation import start_page
from ui.widgets.style import apply_page_style

KEY, NAME = "lesson", "learn"
"""Of the component, and the page's name in the navigation."""
TOLD = "learn.told"
"""Session key: lessons whose answers were shown."""
OWN_KEYS = "a,b,c,1,2,3,4, ,ArrowLeft,ArrowRight"
"""Keys that mean something else here than on other pages when a room looks on."""

_component = component_of("dpca_learn", "learn", page_root("learn", skeleton()), sent=sent_content)


def draw_page() -> None:
    """Draw the contents, a lesson or the handout, as the address says."""
    shared = st.session_state.get(session.SETTINGS, Settings())
    start_page(LearnSettings)
    # ε in this page's address is a lesson's: the settings that all pages share stay as they were.
    st.session_state[session.SETTINGS] = shared
    apply_page_style()
    now = session.page_settings(LearnSettings)
    if now.print:
        _draw_handout(now)
    else:
        _draw_fragment()


@st.fragment
def _draw_fragment() -> None:
    """Draw all in one fragment: what the browser says is answered by it alone."""
    now = session.page_settings(LearnSettings)
    if now.print:
        st.rerun()
    query_params.write_address(now.to_query())
    query_params.show_replaced()
    told: set[str] = st.session_state.setdefault(TOLD, set())
    if now.told:
        told.add(now.lesson)
    more = st.session_state.pop("learn.more", False)
    with PAGE_SCHEDULER.turn(urgent=not more):
        if now.lesson:
            alone = replace(now, told=False, notes=False)
            content = lesson_content(now, told, shared_address(NAME, alone.to_query()))
        else:
            if more:
                measure_next_question()
            content = contents_content(told)
            content["pause"] = refinement_delay(content["complete"])
    content["heard"] = max(
        component_messages.time_of_last(KEY, name) for name in ("value", "told", "open", "again")
    )
    st.session_state["learn.drawn"] = content
    _component(
        key=KEY,
        data=content,
        on_more_change=_more,
        on_open_change=_open,
        on_value_change=_value,
        on_told_change=_told,
        on_again_change=_again,
        on_notes_change=_notes,
        on_handout_change=_handout,
    )
    show_present(NAME, OWN_KEYS)


def _draw_handout(now: LearnSettings) -> None:
    chosen = draw_handout_bar(now)
    session.change_page_settings(chosen)
    query_params.write_address(chosen.to_query())
    query_params.show_replaced()
    shared = shared_address(NAME, LearnSettings(LESSON).to_query())
    content = {"id": "handout", "view": "handout", "handout": handout(chosen, shared)}
    _component(key="handout", data=content)


def _change(**values: object) -> None:
    session.change_page_settings(session.page_settings(LearnSettings), **values)


def _more() -> None:
    st.session_state["learn.more"] = True


def _open() -> None:
    key = component_messages.last_message(KEY, "open").get("value")
    if key == "" or key in LESSONS:
        session.change_page_settings(session.page_settings(LearnSettings).opened(str(key)))


def _value() -> None:
    message = component_messages.last_message(KEY, "value")
    stop = component_messages.finite_number(message.get("value"))
    now = session.page_settings(LearnSettings)
    if stop is not None and now.lesson:
        control = LESSONS[now.lesson].control
        _change(stop=int(min(max(stop, 0), len(control.stops) - 1)))


def _told() -> None:
    """Remember that the answer of the lesson that the browser shows was asked for."""
    key = component_messages.last_message(KEY, "told").get("value")
    if key == session.page_settings(LearnSettings).lesson and key:
        _change(told=True)


def _again() -> None:
    now = session.page_settings(LearnSettings)
    _change(seed=(now.seed + 1) % MOST_SEEDS)


def _notes() -> None:
    _change(notes=component_messages.last_message(KEY, "notes").get("value") is True)


def _handout() -> None:
    _change(print=True, lesson="", stop=-1, told=False)
