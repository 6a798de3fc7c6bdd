"""The Explore page: one set of controls over its views, measured by one study."""

from collections.abc import Sequence

import streamlit as st

from dpca_core.mechanisms.mechanism import Mechanism
from ui.explore.all import draw_all
from ui.explore.below import checklist, draw_releases
from ui.explore.controls import (
    VIEWS,
    Chosen,
    choose_asked,
    choose_axis,
    choose_mechanism,
    choose_view,
)
from ui.explore.one import one_content
from ui.explore.query import compared, identity_of, recommended
from ui.explore.sheet import draw_sheet, kept_sheet
from ui.explore.study import Study, kept_study
from ui.page.component import draw
from ui.page.content import Content
from ui.page.present import show_present
from ui.server.scheduler import PAGE_SCHEDULER, should_yield
from ui.state import session, session_data
from ui.state.settings import ExploreSettings, View
from ui.state.slider_stops import EPSILON_STOPS
from ui.widgets.controls import show_not_private
from ui.widgets.start_page import name_window, start_page

EXITS = {
    "pages/learn.py": "Teach it",
    "pages/data.py": "Use my table",
    "pages/_papers.py": "Check a paper",
}
"""Three ways on, by page."""
REACH = 2
"""Stops on both sides of the chosen ε whose sentences come at once, the others with a refinement:
while the server is busy with the last."""
BELOW = "below"
"""Session key: what is shown below the charts."""
RELEASE, CHECKLIST = "What a release looks like", "What else could reveal private data"


def draw_page() -> None:
    """Draw the page."""
    start_page(ExploreSettings)
    _draw_fragment()


@st.fragment
def _draw_fragment() -> None:
    """Draw all in one fragment: a control and the component may send at the same moment."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="views"):
        view = choose_view()
        if view is View.ALL:
            choose_axis()
    name_window("explore", VIEWS[view])
    chosen = choose_asked(view)
    if missing := session_data.missing_message():
        st.info(missing)
        if st.button("Prepare"):
            st.switch_page("pages/data.py")
    if chosen:
        session.write_settings(session.page_settings(ExploreSettings))
        session.show_replaced()
        session_data.show_stand_in()
        if view is View.ALL:
            draw_all(chosen.data, chosen.asked)
        else:
            measured, drawn = compared(chosen.data, chosen.asked, chosen.mechanism)
            study = kept_study(chosen.data, chosen.asked, measured)
            if view is View.PAGE:
                draw_sheet(kept_sheet(study, chosen.asked.epsilon))
            else:
                _draw_one(study, chosen, drawn)
    if view is not View.PAGE:
        show_present("explore")


def _draw_one(study: Study, chosen: Chosen, drawn: Sequence[Mechanism]) -> None:
    """Draw one mechanism's charts with what is measured so far, and below what is asked for."""
    data, asked, settings = study.dataset, chosen.asked, session.settings()
    at = EPSILON_STOPS.index(settings.epsilon)
    if data.own:
        # Under a key of their own: a tick is of these data alone.
        declared = session_data.is_public(data)
        public = st.checkbox("The data are public or synthetic", declared, f"public-{data.key}")
        session_data.declare_public(data, public)
        show_not_private(data)
    identity = identity_of(data, asked, chosen.mechanism, settings.target)

    def compose() -> Content:
        busy, all_curves = PAGE_SCHEDULER.busy, session.page_settings(ExploreSettings).curves
        study.first_answer(at, busy=busy)
        whole = study.complete or (study.stage > 1 and not busy)
        return one_content(
            study,
            identity,
            at,
            settings.target,
            drawn=None if all_curves else drawn,
            reach=len(EPSILON_STOPS) if whole else REACH,
            recommended=recommended(data, asked).keeps_most,
            own=data.own,
        )

    draw(
        compose,
        "explore",
        more=lambda: study.advance(should_yield),
        asked=(identity, at),
        columns=data.d,
        heard={"rule": _epsilon, "row": choose_mechanism},
    )
    with st.container(horizontal=True, vertical_alignment="bottom", key="tools-below"):
        below = st.segmented_control(
            "Read on", (RELEASE, CHECKLIST), key=BELOW, label_visibility="collapsed"
        )
        for page, label in EXITS.items():
            if st.button(label, type="tertiary"):
                st.switch_page(page)
    if below == RELEASE:
        with PAGE_SCHEDULER.turn(urgent=True):
            draw_releases(study, at)
    elif below == CHECKLIST:
        st.markdown(checklist(data, study.asked))


def _epsilon(value: object) -> None:
    session.change_settings(epsilon=value)
