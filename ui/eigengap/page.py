"""The Eigengap page: what a gap costs, and what smooth sensitivity achieves."""

from functools import partial

import streamlit as st

from dpca_core.analysis.choose_k import draw_k
from dpca_core.data.dataset import Dataset
from dpca_core.privacy.budget import Adjacency
from dpca_core.text.privacy_numbers import epsilon_text
from ui.eigengap.figures import page_content, say
from ui.eigengap.query import EigengapQuery, EigengapSettings
from ui.page.component import draw
from ui.page.present import show_present
from ui.state import session, session_data
from ui.state.session import widget_key
from ui.state.slider_stops import EPSILON_STOPS
from ui.text.numbers import escape_markdown, significant
from ui.widgets import controls
from ui.widgets.start_page import start_page

GAP_STOPS = tuple(float(f"{m}e{e}") for e in range(-1, 7) for m in (1, 1.5, 2, 3, 5, 7))
LEAST_GAP = 0.05
"""Where the slider starts for data without a gap."""
DRAWN_K, SPENT_ON_K = "gap.chosen", "gap.spent"
"""Keys of the session: (data, k) of the last private choice; by data, the ε of each draw."""


def draw_page() -> None:
    """Draw the page."""
    start_page(EigengapSettings)
    _draw_fragment()


@st.fragment
def _draw_fragment() -> None:
    if query := controls.control_row(EigengapSettings, _choose_query):
        controls.show_not_private(query.data)
        _show_drawn_k(query.data)
        draw(lambda: page_content(query), "eigengap", columns=query.data.d)
    show_present("eigengap")


def _choose_query() -> EigengapQuery | None:
    """Draw the controls and return what they ask for; None where data are missing."""
    now, key = session.page_settings(EigengapSettings), controls.data_menu(210)
    data = session_data.get(key) if key else None
    if key is None or data is None:
        return None
    controls.choose_epsilon(95)
    controls.choose_delta(95)
    k = controls.choose_k_of(key, data, 85)
    n = controls.choose_people(float(data.people), data.unit.many, width=112)
    controls.choose_adjacency(data.unit.one, 240)
    budget = session.settings().budget
    data_gap = max(data.problem(k, n, budget).gap, LEAST_GAP)
    stops, shown = tuple(sorted({*GAP_STOPS, data_gap})), now.gap or data_gap
    slider, three_digits = controls.choose_own, partial(significant, digits=3)
    gap = slider("Gap", stops, shown, f"gap.{key}.{k}.{n}", 95, three_digits, say("gap_help"))
    with st.popover("More"):
        label, said = "ε for choosing k", say("choice_help")
        choice = slider(label, EPSILON_STOPS, now.choice, "choice", text=epsilon_text, help=said)
        if data.d > 2:
            st.button("Choose k privately", on_click=_draw_k, args=(key, data))
    own_gap = 0.0 if gap == data_gap else gap
    session.change_page_settings(now, gap=own_gap, choice=choice)
    return EigengapQuery(data, k, n, gap, budget, choice)


def _draw_k(key: str, data: Dataset) -> None:
    """Draw k from the actual table, whatever the People slider says, and move the slider there."""
    usual = session.page_settings(EigengapSettings).choice
    epsilon = float(st.session_state.get(widget_key("choice"), usual))
    adjacency = st.session_state.get(widget_key("adjacency"), session.settings().adjacency)
    k = draw_k(data, epsilon, controls.most_directions(data), Adjacency(adjacency))
    session.change_settings(k=k)
    spent: dict[str, tuple[float, ...]] = st.session_state.setdefault(SPENT_ON_K, {})
    spent[key] = (*spent.get(key, ()), epsilon)
    st.session_state[DRAWN_K] = key, k


def _show_drawn_k(data: Dataset) -> None:
    """Say what the last private choice of k gave and cost; nothing before the first."""
    drawn_from, k = st.session_state.get(DRAWN_K, (None, 0))
    if drawn_from == session.settings().data:
        spent = st.session_state[SPENT_ON_K][drawn_from]
        cost = {"last": spent[-1], "total": float(f"{sum(spent):.6g}")}
        many, unpaid = escape_markdown(data.unit.many), "" if data.private else say("unpaid")
        st.caption(say("drawn", k=k, data=data, many=many, unpaid=unpaid, **cost))
