"""The controls of a budget, which all pages share: ε, δ and what neighbours are."""

from typing import Literal

import streamlit as st

from dpca_core.privacy.budget import Adjacency
from dpca_core.text.guarantee_sentences import neighbours
from dpca_core.text.privacy_numbers import epsilon_text, power
from ui.state.session import follow_control, settings
from ui.state.slider_stops import DELTA_STOPS, EPSILON_STOPS
from ui.state.widget_keys import key_starting_at

Width = Literal["stretch"] | int
"""Of a control, in pixels."""


def choose_epsilon(width: Width = "stretch", label: str = "ε") -> float:
    """Draw the slider of ε and return what is chosen."""
    shown = settings().epsilon
    chosen = st.select_slider(
        label,
        EPSILON_STOPS,
        shown,
        format_func=epsilon_text,
        key=key_starting_at("epsilon", shown),
        width=width,
    )
    return follow_control("epsilon", shown, chosen)


def choose_delta(width: Width = "stretch") -> float:
    """Draw the slider of δ and return what is chosen."""
    shown = settings().delta
    chosen = st.select_slider(
        "δ", DELTA_STOPS, shown, format_func=power, key=key_starting_at("delta", shown), width=width
    )
    return follow_control("delta", shown, chosen)


def choose_adjacency(one: str, width: Width = "stretch") -> Adjacency:
    """Draw the menu of neighbours and return what is chosen; ``one``: whom they differ in."""
    options, shown = [str(a) for a in Adjacency], settings().adjacency
    chosen = st.selectbox(
        "Neighbours",
        options,
        options.index(shown),
        format_func=lambda a: neighbours(Adjacency(a), one),
        key=key_starting_at("adjacency", shown),
        width=width,
    )
    return Adjacency(follow_control("adjacency", shown, str(chosen)))
