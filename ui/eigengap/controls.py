"""The Eigengap page's controls, kept in its address."""

from dataclasses import replace
from typing import Any, cast

import streamlit as st

from dpca_core.data.dataset import Dataset
from dpca_core.privacy.budget import Adjacency, Budget
from dpca_core.release.draw import draw_k
from dpca_core.text.privacy_numbers import epsilon_text
from ui.eigengap import text
from ui.eigengap.query import CONSTANT_STOPS, EigengapQuery, EigengapSettings
from ui.state import query_params, session
from ui.state.slider_stops import (
    EPSILON_STOPS,
    MOST_DIRECTIONS,
    nearest_stop,
    people_stops,
)
from ui.text.numbers import count, significant
from ui.widgets.budget_controls import choose_adjacency, choose_delta, choose_epsilon

GAP_STOPS = tuple(float(f"{m}e{e}") for e in range(-1, 7) for m in (1, 1.5, 2, 3, 5, 7))
LEAST_GAP = 0.05
"""Where the slider starts for data without a gap."""
DRAWN_K, SPENT_ON_K = "gap.chosen", "gap.spent"
"""Keys of the session: (data, k) of the last private choice; by data, the ε of each draw."""


def current() -> EigengapSettings:
    """Return the session's settings; the first time they come from the link."""
    if "gaps" not in st.session_state:
        st.session_state["gaps"] = EigengapSettings.from_query(st.query_params.to_dict())
    return cast(EigengapSettings, st.session_state["gaps"])


def _change(**values: Any) -> EigengapSettings:
    changed = replace(current(), **values)
    st.session_state["gaps"] = changed
    query_params.write_address({"data": session.settings().data, **changed.to_query()})
    return changed


def choose_query(key: str, data: Dataset) -> EigengapQuery:
    """Draw the controls and return what they ask for."""
    now, most = current(), min(MOST_DIRECTIONS, data.d - 1)
    k = min(now.k or session.default_k(key, data), most)
    if most > 1:
        k = int(st.slider("Directions k", 1, most, k, key=f"gap.k.{key}", width=95))
    stops = people_stops(data.people)
    n = st.select_slider(
        data.unit.many.capitalize(),
        stops,
        nearest_stop(now.n, stops) if now.n else float(data.people),
        format_func=count,
        key=f"gap.n.{key}",
        width=110,
    )
    data_gap = max(_data_gap(data, k, n, now), LEAST_GAP)
    gap_stops = tuple(sorted({*GAP_STOPS, data_gap}))
    gap = st.select_slider(
        "Gap",
        gap_stops,
        nearest_stop(now.gap, gap_stops) if now.gap else data_gap,
        format_func=lambda g: significant(g, 3),
        key=f"gap.gap.{key}.{k}.{n}",
        width=110,
        help=text.GAP_HELP,
    )
    epsilon = choose_epsilon(now.epsilon, "gap.epsilon", 110)
    delta = choose_delta(now.delta, "gap.delta", 110)
    adjacency = choose_adjacency(now.adjacency, data.unit.one, "gap.adjacency", 225)
    with st.popover("More"):
        constant = st.select_slider(
            "The paper’s constant C",
            CONSTANT_STOPS,
            now.constant,
            key="gap.constant",
            help=text.CONSTANT_HELP,
        )
        choice = st.select_slider(
            "ε for choosing k",
            EPSILON_STOPS,
            now.choice,
            format_func=epsilon_text,
            key="gap.choice",
            help=text.CHOICE_HELP,
        )
        if most > 1:
            st.button("Choose k privately", on_click=_draw_k, args=(key, data))
    _change(
        k=k,
        n=0.0 if n == data.people else n,
        gap=0.0 if gap == data_gap else gap,
        epsilon=epsilon,
        delta=delta,
        adjacency=adjacency,
        constant=constant,
        choice=choice,
    )
    return EigengapQuery(
        data, k, n, gap, epsilon, delta, Adjacency(str(adjacency)), constant, choice
    )


def _data_gap(data: Dataset, k: int, n: float, now: EigengapSettings) -> float:
    """Return the gap of the data at the budget of the widgets that are drawn later.

    A private mean moves the gap, and what it may spend is chosen by those widgets.
    """
    epsilon, delta, adjacency = (
        st.session_state.get(f"gap.{name}", getattr(now, name))
        for name in ("epsilon", "delta", "adjacency")
    )
    return data.problem(k, n, Budget(epsilon, delta, Adjacency(adjacency))).gap


def _draw_k(key: str, data: Dataset) -> None:
    """Draw k from the actual table, whatever the People slider says, and move the slider there."""
    now, most = current(), min(MOST_DIRECTIONS, data.d - 1)
    epsilon = float(st.session_state.get("gap.choice", now.choice))
    adjacency = Adjacency(st.session_state.get("gap.adjacency", now.adjacency))
    k = draw_k(data, epsilon, most, adjacency)
    st.session_state[f"gap.k.{key}"] = k
    spent = (*_spent_on_k(key), epsilon)
    st.session_state[SPENT_ON_K] = {**st.session_state.get(SPENT_ON_K, {}), key: spent}
    st.session_state[DRAWN_K] = key, k


def _spent_on_k(key: str) -> tuple[float, ...]:
    """Return what this session has paid for choosing k of a data set, draw by draw."""
    return tuple(st.session_state.get(SPENT_ON_K, {}).get(key, ()))


def show_drawn_k(key: str, data: Dataset) -> None:
    """Say what the last private choice of k gave; nothing before the first."""
    drawn_from, k = st.session_state.get(DRAWN_K, (None, 0))
    if drawn_from == key:
        spent = _spent_on_k(key)
        st.caption(text.drawn_k(data.people, data.unit.many, k, spent, private=data.private))
