"""The controls of a budget that pages share: ε, δ and what neighbours are."""

import streamlit as st

from dpca_core.privacy.budget import Adjacency
from dpca_core.text.guarantee_sentences import neighbours
from dpca_core.text.privacy_numbers import epsilon_text, power
from ui.state.slider_stops import DELTA_STOPS, EPSILON_STOPS, nearest_stop


def choose_epsilon(epsilon: float, key: str, width: int, label: str = "ε") -> float:
    """Draw the slider of ε, at a stop, and return what is chosen; ``width`` in pixels."""
    return st.select_slider(
        label, EPSILON_STOPS, epsilon, format_func=epsilon_text, key=key, width=width
    )


def choose_delta(delta: float, key: str, width: int) -> float:
    """Draw the slider of δ, at the stop nearest to ``delta``, and return what is chosen."""
    start = nearest_stop(delta, DELTA_STOPS)
    return st.select_slider("δ", DELTA_STOPS, start, format_func=power, key=key, width=width)


def choose_adjacency(adjacency: str, one: str, key: str, width: int) -> str:
    """Draw the menu of neighbours and return what is chosen; ``one``: whom they differ in."""
    options = [str(a) for a in Adjacency]
    chosen = st.selectbox(
        "Neighbours",
        options,
        options.index(adjacency),
        format_func=lambda a: neighbours(Adjacency(a), one),
        key=key,
        width=width,
    )
    return str(chosen)
