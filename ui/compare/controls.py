"""The Compare page's controls."""

from typing import Any

import streamlit as st

from dpca_core.data.dataset import Dataset
from dpca_core.mechanisms.registry import MECHANISMS
from ui.compare.query import AXES, TRIAL_CHOICES, CompareQuery, CompareSettings
from ui.state import session
from ui.state.slider_stops import TARGETS
from ui.state.widget_keys import key_starting_at, widget_key
from ui.widgets.budget_controls import choose_adjacency, choose_delta, choose_epsilon
from ui.widgets.size_controls import choose_k_of, choose_people, choose_seed


def choose_query(key: str, data: Dataset) -> CompareQuery:
    """Draw the controls and return what they ask for.

    Parameters
    ----------
    key
        The data set's key, by which its own k is known.
    """
    now = session.page_settings(CompareSettings)
    axis = st.segmented_control(
        "Along",
        list(AXES),
        default=now.axis,
        required=True,
        format_func=lambda a: AXES[a],
        key=widget_key("axis"),
    )
    now = session.change_page_settings(now, axis=axis or now.axis)
    shared = session.settings()
    epsilon = shared.epsilon if axis == "epsilon" else choose_epsilon(112)
    delta = shared.delta if axis == "delta" else choose_delta(112)
    usual_k, usual_n = session.default_k(key, data), float(data.people)
    k = min(shared.k or usual_k, data.d - 1) if axis == "k" else choose_k_of(key, data, 100)
    n = shared.n or usual_n
    if axis != "n":
        n = choose_people(usual_n, data.unit.many, width=112)
    adjacency = choose_adjacency(data.unit.one, 250)
    with st.popover("Mechanisms"):
        now = session.change_page_settings(now, **_choose_mechanisms(now))
    return CompareQuery(
        mechanisms=tuple(MECHANISMS[mechanism] for mechanism in now.keys),
        axis=now.axis,
        epsilon=epsilon,
        delta=delta,
        n=n,
        k=k,
        adjacency=adjacency,
        seed=session.settings().seed,
        trials=now.trials,
        equalise=now.equalise,
    )


def _choose_mechanisms(now: CompareSettings) -> dict[str, Any]:
    """Draw the menu of mechanisms and how they are measured; return the page’s own."""
    chosen = st.multiselect(
        "Mechanisms",
        list(MECHANISMS),
        default=list(now.keys),
        key=widget_key("mechanisms"),
        format_func=lambda m: MECHANISMS[m].name,
        width=520,
    )
    equalise = st.checkbox(
        "Equalise true ε: run printed mechanisms at the ε for which they really spend this one",
        now.equalise,
        key=widget_key("equalise"),
    )
    shown = session.settings().target
    target = st.segmented_control(
        "Target",
        TARGETS,
        default=shown,
        required=True,
        key=key_starting_at("target", shown),
        format_func=lambda t: f"{t * 100:.0f}\u00a0%",
    )
    session.follow_control("target", shown, target or shown)
    trials = st.segmented_control(
        "Releases per point",
        TRIAL_CHOICES,
        default=now.trials,
        required=True,
        key=widget_key("trials"),
    )
    choose_seed()
    return {
        "mechanisms": ",".join(chosen),
        "equalise": equalise,
        "trials": int(trials or now.trials),
    }
