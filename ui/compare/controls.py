"""The Compare page's controls."""

import streamlit as st

from dpca_core.data.dataset import Dataset
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import Adjacency
from dpca_core.text.guarantees import neighbours
from dpca_core.text.privacy_numbers import epsilon_text, power
from ui.compare import settings as compare_settings
from ui.compare.query import AXES, Asked
from ui.compare.settings import CompareSettings
from ui.state import session
from ui.state.slider_stops import (
    DELTA_STOPS,
    EPSILON_STOPS,
    MOST_DIRECTIONS,
    TARGETS,
    TRIAL_CHOICES,
    nearest_stop,
    people_stops,
)
from ui.text.numbers import count


def choose_asked(key: str, data: Dataset) -> Asked:
    """Draw the controls and return what they ask for."""
    now = compare_settings.current()
    axes = list(AXES)
    axis = st.segmented_control(
        "Along", axes, default=now.axis, required=True, format_func=lambda a: AXES[a],
        key="compare.axis",
    )  # fmt: skip
    top = min(MOST_DIRECTIONS, data.d - 1)
    wanted = now.k or session.default_k(key, data)
    stops = people_stops(data.people)
    epsilon, delta, k, n = now.epsilon, now.delta, min(wanted, top), now.n or float(data.people)
    if axis != "epsilon":
        epsilon = st.select_slider(
            "ε", EPSILON_STOPS, epsilon, format_func=epsilon_text, key="compare.epsilon", width=140
        )
    if axis != "delta":
        delta = st.select_slider(
            "δ",
            DELTA_STOPS,
            nearest_stop(delta, DELTA_STOPS),
            format_func=power,
            key="compare.delta",
            width=130,
        )
    if axis != "k" and top > 1:
        k = int(st.slider("Directions k", 1, top, k, key=f"compare.k.{key}", width=100))
    if axis != "n":
        n = st.select_slider(
            data.unit.many.capitalize(), stops, nearest_stop(n, stops), format_func=count,
            key=f"compare.n.{key}", width=120,
        )  # fmt: skip
    adjacency = st.selectbox(
        "Neighbours", [str(a) for a in Adjacency], list(Adjacency).index(Adjacency(now.adjacency)),
        format_func=lambda a: neighbours(Adjacency(a), data.unit.one), key="compare.adjacency",
        width=225,
    )  # fmt: skip
    with st.popover("Mechanisms"):
        chosen = st.multiselect(
            "Mechanisms", list(MECHANISMS), default=list(now.keys), key="compare.mechanisms",
            format_func=lambda m: MECHANISMS[m].name, width=520,
        )  # fmt: skip
        equalise = st.checkbox(
            "Equalise true ε: ask printed mechanisms for the ε at which they really spend this one",
            now.equalise, key="compare.equalise",
        )  # fmt: skip
        target = st.segmented_control(
            "Target", TARGETS, default=now.target, required=True, key="compare.target",
            format_func=lambda t: f"{t * 100:.0f}\u00a0%",
        )  # fmt: skip
        trials = st.segmented_control(
            "Releases a point", TRIAL_CHOICES, default=now.trials, required=True, key="compare.trials"
        )
        seed = st.number_input("Seed", 0, 2**32 - 1, now.seed, key="compare.seed")
    now = compare_settings.change(
        axis=str(axis), epsilon=epsilon, delta=delta, k=k, n=0.0 if n == data.people else n,
        adjacency=str(adjacency), mechanisms=",".join(chosen), equalise=equalise,
        target=float(target or 0.9), trials=int(trials or 40), seed=int(seed),
    )  # fmt: skip
    return asked_of(now, data)


def asked_of(now: CompareSettings, data: Dataset) -> Asked:
    """Return what the settings ask of a data set."""
    return Asked(
        tuple(MECHANISMS[m] for m in now.keys), now.axis, now.epsilon, now.delta,
        now.n or float(data.people), now.k, Adjacency(now.adjacency), now.seed, now.trials,
        now.equalise,
    )  # fmt: skip
