"""The Explore page's controls: native widgets in one row, their state in the settings."""

from dataclasses import replace
from inspect import getdoc

import streamlit as st

from dpca_core.data.dataset import Dataset
from dpca_core.mechanisms.mechanism import Mechanism, parameters
from dpca_core.mechanisms.registry import MECHANISMS
from ui.explore.query import ExploreQuery
from ui.state import session
from ui.state.settings import ExploreSettings, View
from ui.state.widget_keys import key_starting_at, note_position, widget_key
from ui.text.numbers import count
from ui.widgets.budget_controls import choose_adjacency, choose_delta, choose_epsilon
from ui.widgets.mechanism_menu import mechanism_menu
from ui.widgets.reset_button import reset_button
from ui.widgets.size_controls import choose_k_of, choose_people, choose_seed

VIEWS = {View.ONE: "One mechanism", View.PAGE: "One page"}
ROW_SHARES = {
    "data": 3,
    "mechanism": 1.65,
    "epsilon": 0.8,
    "k": 0.85,
    "delta": 0.8,
    "n": 1,
    "adjacency": 2.75,
    "others": 0.85,
    "reset": 0.8,
}
"""Shares of the row's width, by control."""
BUTTONS = ("others", "reset")
"""Controls that are never narrower than their words: what a menu or a slider cuts can be opened."""
ROW_STYLE = "".join(
    f"@media (min-width: 641px) {{.st-key-controls > :is(.st-key-{name}, [class*=st-key-{name}-]) "
    f"{{flex: {share:g} 1 {74 * share:g}px; width: auto; "
    f"min-width: {'max-content' if name in BUTTONS else 0}}}}}\n"
    for name, share in ROW_SHARES.items()
)


def choose_view() -> View:
    """Draw what Explore can show of the same settings, and return what is chosen."""
    now = session.page_settings(ExploreSettings)
    chosen = st.segmented_control(
        "View",
        list(View),
        default=View(now.view),
        required=True,
        format_func=lambda view: VIEWS[view],
        key=key_starting_at("view", now.view),
        label_visibility="collapsed",
    )
    view = View(chosen or now.view)
    note_position("view", str(view))
    session.change_page_settings(now, view=str(view))
    return view


def choose_query(key: str, data: Dataset, view: View) -> ExploreQuery:
    """Draw the controls beside the data menu and return what they ask for.

    Parameters
    ----------
    key
        The data set's key, by which its own k is known.
    """
    unit = data.unit
    mechanism = MECHANISMS[mechanism_menu()]
    if view is View.PAGE:
        choose_epsilon()
    k = choose_k_of(key, data)
    delta = choose_delta()
    n = choose_people(
        float(data.people),
        unit.many,
        help=f"The data have {count(data.people)}. Other numbers scale the spectrum, as if so many "
        f"{unit.many} had records like these.",
    )
    adjacency = choose_adjacency(unit.one)
    with st.popover("More", key="others", width="stretch"):
        mechanism = _choose_parameters(mechanism)
        seed = choose_seed()
        st.button(
            "Simulate again",
            on_click=_next_seed,
            help="Simulates other releases, with new noise.",
        )
    reset_button(ExploreSettings)
    return ExploreQuery(mechanism, k, delta, n, adjacency, seed)


def _choose_parameters(mechanism: Mechanism) -> Mechanism:
    """Draw the mechanism's card and a slider for each of its own settings."""
    st.markdown(f"**{mechanism.name}**\n\n{getdoc(mechanism)}")
    chosen: dict[str, float] = {}
    for p in parameters(mechanism):
        key = widget_key(f"{mechanism.key}.{p.name}")
        kind = int if isinstance(p.default, int) else float
        low, high, start = kind(p.low), kind(p.high), kind(p.default)
        chosen[p.name] = st.slider(p.label, low, high, start, key=key)
    return replace(mechanism, **chosen) if chosen else mechanism


def _next_seed() -> None:
    session.change_settings(seed=(session.settings().seed + 1) % 2**32)
