"""The Explore page's controls: native widgets in one row, their state in the settings."""

from dataclasses import replace
from typing import cast

import streamlit as st

from dpca_core.data.dataset import Dataset
from dpca_core.mechanisms.base import Mechanism
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import Adjacency
from dpca_core.text.guarantee_sentences import neighbours
from dpca_core.text.privacy_numbers import power
from ui.explore.query import ExploreQuery
from ui.state import session
from ui.state.slider_stops import DELTA_STOPS, MOST_DIRECTIONS, nearest_stop, people_stops
from ui.text.numbers import count

ROW_SHARES = {
    "data": 2.65,
    "mechanism": 1.85,
    "k": 1,
    "delta": 1.1,
    "n": 1.2,
    "adjacency": 2.4,
    "others": 0.9,
}
"""Shares of the row's width, by control."""
ROW_STYLE = "".join(
    f"@media (min-width: 641px) {{.st-key-controls > .st-key-{name} "
    f"{{flex: {share:g} 1 {85 * share:g}px; width: auto; min-width: 0}}}}\n"
    for name, share in ROW_SHARES.items()
)


def choose_query(key: str, data: Dataset) -> ExploreQuery:
    """Draw the controls beside the data menu and return what they ask for.

    Parameters
    ----------
    key
        The data set's key, by which its own k is known.
    """
    unit = data.unit
    stops = people_stops(data.people)
    most = min(MOST_DIRECTIONS, data.d - 1)
    _set_widgets(key, data, most, stops)
    mechanism = MECHANISMS[
        st.selectbox(
            "Mechanism", list(MECHANISMS), format_func=lambda m: MECHANISMS[m].name, key="mechanism"
        )
    ]
    k = _choose_k(most)
    delta = st.select_slider("δ", DELTA_STOPS, format_func=power, key="delta")
    n = st.select_slider(
        unit.many.capitalize(),
        stops,
        format_func=count,
        key="n",
        help=f"The data have {count(data.people)}. Other numbers scale the spectrum, as if so many "
        f"{unit.many} had records like these.",
    )
    adjacency = st.selectbox(
        "Neighbours",
        list(Adjacency),
        key="adjacency",
        format_func=lambda a: neighbours(Adjacency(a), unit.one),
    )
    with st.popover("More", key="others", width="stretch"):
        mechanism = _choose_parameters(mechanism)
        seed = int(cast(float, st.number_input("Seed", 0, 2**32 - 1, key="seed")))
        st.button(
            "Draw again",
            on_click=_next_seed,
            help="Draws other releases from the same distribution.",
        )
    session.change_settings(
        mechanism=mechanism.key,
        delta=delta,
        k=k,
        adjacency=str(adjacency),
        seed=seed,
        n=0.0 if n == data.people else n,
    )
    return ExploreQuery(mechanism, k, delta, n, Adjacency(str(adjacency)), seed)


def _set_widgets(key: str, data: Dataset, most: int, stops: tuple[float, ...]) -> None:
    """Give each widget that has no value yet the one in the settings."""
    settings = session.settings()
    k = settings.k or session.default_k(key, data)
    values = {
        "mechanism": settings.mechanism,
        "k": min(max(k, 1), most),
        "delta": nearest_stop(settings.delta, DELTA_STOPS),
        "n": nearest_stop(settings.n, stops) if settings.n else float(data.people),
        "adjacency": settings.adjacency,
        "seed": settings.seed,
    }
    for name, value in values.items():
        st.session_state.setdefault(name, value)


def _choose_k(most: int) -> int:
    """Draw the slider of k, or say its only value."""
    if most > 1:
        return st.slider("Directions k", 1, most, key="k")
    with st.container(key="k_fixed", width=110):
        st.markdown("Directions k  \n**1**")
    return 1


def _choose_parameters(mechanism: Mechanism) -> Mechanism:
    """Draw the mechanism's card and a slider for each of its own settings."""
    st.markdown(f"**{mechanism.name}**\n\n{mechanism.card()}")
    chosen = {}
    for p in mechanism.parameters():
        kind = int if isinstance(p.default, int) else float
        low, high, start = kind(p.low), kind(p.high), kind(p.default)
        chosen[p.name] = st.slider(p.label, low, high, start, key=f"{mechanism.key}.{p.name}")
    return replace(mechanism, **chosen) if chosen else mechanism


def _next_seed() -> None:
    st.session_state["seed"] = (int(st.session_state["seed"]) + 1) % 2**32
