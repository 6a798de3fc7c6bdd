"""The Compare page's controls, and the session's settings behind them."""

from dataclasses import replace
from typing import Any, cast

import streamlit as st

from dpca_core.data.dataset import Dataset
from dpca_core.mechanisms.registry import MECHANISMS
from ui.compare.query import AXES, CompareQuery, CompareSettings
from ui.state import query_params, session
from ui.state.slider_stops import (
    MOST_DIRECTIONS,
    TARGETS,
    TRIAL_CHOICES,
    nearest_stop,
    people_stops,
)
from ui.text.numbers import count
from ui.widgets.budget_controls import choose_adjacency, choose_delta, choose_epsilon


def current_settings() -> CompareSettings:
    """Return the session's settings; the first time they come from the link."""
    if "compare" not in st.session_state:
        st.session_state["compare"] = CompareSettings.from_query(st.query_params.to_dict())
    return cast(CompareSettings, st.session_state["compare"])


def change_settings(**values: Any) -> CompareSettings:
    """Change some settings, keep them and write the address; a new axis is read from its start."""
    before = current_settings()
    changed = replace(before, **values)
    if changed.axis != before.axis:
        changed = replace(changed, at=0.0)
    st.session_state["compare"] = changed
    query_params.write_address({"data": session.settings().data} | changed.to_query())
    return changed


def choose_query(key: str, data: Dataset) -> CompareQuery:
    """Draw the controls and return what they ask for.

    Parameters
    ----------
    key
        The data set's key, under which its own sliders are remembered.
    """
    settings = current_settings()
    axis = st.segmented_control(
        "Along",
        list(AXES),
        default=settings.axis,
        required=True,
        format_func=lambda a: AXES[a],
        key="compare.axis",
    )
    settings = replace(settings, **_choose_fixed(str(axis), settings, key, data))
    adjacency = choose_adjacency(settings.adjacency, data.unit.one, "compare.adjacency", 225)
    with st.popover("Mechanisms"):
        chosen = _choose_mechanisms(settings)
    settings = change_settings(
        axis=str(axis),
        epsilon=settings.epsilon,
        delta=settings.delta,
        k=settings.k,
        n=settings.n,
        adjacency=adjacency,
        **chosen,
    )
    return settings.query(data)


def _choose_fixed(axis: str, settings: CompareSettings, key: str, data: Dataset) -> dict[str, Any]:
    """Draw a slider for each of ε, δ, k and n that is not the axis; return all four."""
    most = min(MOST_DIRECTIONS, data.d - 1)
    stops = people_stops(data.people)
    epsilon, delta = settings.epsilon, settings.delta
    k = min(settings.k or session.default_k(key, data), most)
    n = settings.n or float(data.people)
    if axis != "epsilon":
        epsilon = choose_epsilon(epsilon, "compare.epsilon", 140)
    if axis != "delta":
        delta = choose_delta(delta, "compare.delta", 130)
    if axis != "k" and most > 1:
        k = int(st.slider("Directions k", 1, most, k, key=f"compare.k.{key}", width=100))
    if axis != "n":
        n = st.select_slider(
            data.unit.many.capitalize(),
            stops,
            nearest_stop(n, stops),
            format_func=count,
            key=f"compare.n.{key}",
            width=120,
        )
    return {"epsilon": epsilon, "delta": delta, "k": k, "n": 0.0 if n == data.people else n}


def _choose_mechanisms(settings: CompareSettings) -> dict[str, Any]:
    """Draw the menu of mechanisms and how they are measured; return these settings by name."""
    chosen = st.multiselect(
        "Mechanisms",
        list(MECHANISMS),
        default=list(settings.keys),
        key="compare.mechanisms",
        format_func=lambda m: MECHANISMS[m].name,
        width=520,
    )
    equalise = st.checkbox(
        "Equalise true ε: run printed mechanisms at the ε for which they really spend this one",
        settings.equalise,
        key="compare.equalise",
    )
    target = st.segmented_control(
        "Target",
        TARGETS,
        default=settings.target,
        required=True,
        key="compare.target",
        format_func=lambda t: f"{t * 100:.0f}\u00a0%",
    )
    trials = st.segmented_control(
        "Releases per point",
        TRIAL_CHOICES,
        default=settings.trials,
        required=True,
        key="compare.trials",
    )
    seed = st.number_input("Seed", 0, 2**32 - 1, settings.seed, key="compare.seed")
    return {
        "mechanisms": ",".join(chosen),
        "equalise": equalise,
        "target": float(target or 0.9),
        "trials": int(trials or 40),
        "seed": int(seed),
    }
