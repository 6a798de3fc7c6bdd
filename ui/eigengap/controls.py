"""The Eigengap page's controls, kept in its address."""

from dataclasses import dataclass, replace
from math import isfinite
from typing import Any, cast

import streamlit as st

from dpca_core.data.dataset import Dataset
from dpca_core.privacy.budget import Adjacency, Budget
from dpca_core.problem import Problem
from dpca_core.release.draw import draw_k
from dpca_core.text.guarantees import neighbours
from dpca_core.text.privacy_numbers import epsilon_text, power
from ui.eigengap.query import Asked
from ui.state import query_params, session
from ui.state.slider_stops import DELTAS, EPSILONS, MOST_DIRECTIONS, nearest, people_stops
from ui.text.numbers import count, significant, verbatim

GAPS = tuple(float(f"{m}e{e}") for e in range(-1, 7) for m in (1, 1.5, 2, 3, 5, 7))
CONSTANTS = (0.25, 0.5, 0.766, 1.0, 1.414, 2.0, 4.0)
CHOSEN, SPENT = "gap.chosen", "gap.spent"


@dataclass(frozen=True)
class GapSettings:
    """The controls; 0 in k, n and gap: as the data have."""

    k: int = 0
    n: float = 0.0
    gap: float = 0.0
    epsilon: float = 1.0
    delta: float = 1e-6
    adjacency: str = str(Adjacency.ADD_OR_REMOVE_ONE)
    constant: float = 0.766
    choice: float = 0.1


def _allowed(name: str, value: Any) -> bool:
    match name:
        case "adjacency":
            return value in list(Adjacency)
        case "epsilon" | "constant" | "choice":
            return isfinite(value) and bool(value > 0)
        case "delta":
            return bool(0 <= value < 1)
    return isfinite(value) and bool(value >= 0)


def current() -> GapSettings:
    """Return the session's settings; the first time they come from the link."""
    if "gaps" not in st.session_state:
        found = query_params.read(GapSettings(), st.query_params.to_dict(), _allowed)
        st.session_state["gaps"] = replace(
            found, epsilon=nearest(found.epsilon, EPSILONS), delta=nearest(found.delta, DELTAS),
            constant=nearest(found.constant, CONSTANTS), choice=nearest(found.choice, EPSILONS),
        )  # fmt: skip
    return cast(GapSettings, st.session_state["gaps"])


def _change(**values: Any) -> GapSettings:
    changed = replace(current(), **values)
    st.session_state["gaps"] = changed
    query = {"data": session.settings().data}
    query |= query_params.written(changed, GapSettings(), ("epsilon", "delta", "k"))
    query_params.put(query)
    return changed


def choose_asked(key: str, data: Dataset) -> Asked:
    """Draw the controls and return what they ask for."""
    now, top = current(), min(MOST_DIRECTIONS, data.d - 1)
    k = min(now.k or session.default_k(key, data), top)
    if top > 1:
        k = int(st.slider("Directions k", 1, top, k, key=f"gap.k.{key}", width=95))
    stops = people_stops(data.people)
    n = st.select_slider(
        data.unit.many.capitalize(), stops, nearest(now.n, stops) if now.n else float(data.people),
        format_func=count, key=f"gap.n.{key}", width=110,
    )  # fmt: skip
    own = _point(data, k, n, now)[0].gap
    gaps = tuple(sorted({*GAPS, max(own, 0.05)}))
    gap = st.select_slider(
        "Gap", gaps, nearest(now.gap, gaps) if now.gap else max(own, 0.05),
        format_func=lambda g: significant(g, 3), key=f"gap.gap.{key}.{k}.{n}", width=110,
        help="It starts at the gap of the data; drag it to see what another would do.",
    )  # fmt: skip
    epsilon = st.select_slider(
        "ε", EPSILONS, now.epsilon, format_func=epsilon_text, key="gap.epsilon", width=110
    )
    delta = st.select_slider("δ", DELTAS, now.delta, format_func=power, key="gap.delta", width=110)
    options = [str(a) for a in Adjacency]
    adjacency = st.selectbox(
        "Neighbours", options, options.index(now.adjacency),
        format_func=lambda a: neighbours(Adjacency(a), data.unit.one), key="gap.adjacency",
        width=225,
    )  # fmt: skip
    with st.popover("More"):
        constant = st.select_slider(
            "The paper’s constant C", CONSTANTS, now.constant, key="gap.constant",
            help="Gonen & Gilad-Bachrach leave it open. At k = 1, C = 0.766 is enough from a gap "
            "of 1 on, and √2 at every gap.",
        )  # fmt: skip
        choice = st.select_slider(
            "ε for choosing k",
            EPSILONS,
            now.choice,
            format_func=epsilon_text,
            key="gap.choice",
            help="On top of the ε of the directions.",
        )
        if top > 1:
            st.button("Choose k privately", on_click=_choose_k, args=(key, data))
    _change(
        k=k, n=0.0 if n == data.people else n, gap=0.0 if gap == max(own, 0.05) else gap,
        epsilon=epsilon, delta=delta, adjacency=str(adjacency), constant=constant, choice=choice,
    )  # fmt: skip
    return Asked(data, k, n, gap, epsilon, delta, Adjacency(str(adjacency)), constant, choice)


def _point(data: Dataset, k: int, n: float, now: GapSettings) -> tuple[Problem, Budget]:
    """Return what the widgets ask for before they are drawn: a private mean moves the gap."""
    said = {name: st.session_state.get(f"gap.{name}", getattr(now, name)) for name in
            ("epsilon", "delta", "adjacency")}  # fmt: skip
    budget = Budget(said["epsilon"], said["delta"], Adjacency(said["adjacency"]))
    return data.point(k, n, budget)


def _choose_k(key: str, data: Dataset) -> None:
    """Draw k from the real table, whatever the People slider says, and move the slider there."""
    now, top = current(), min(MOST_DIRECTIONS, data.d - 1)
    epsilon = float(st.session_state.get("gap.choice", now.choice))
    adjacency = Adjacency(st.session_state.get("gap.adjacency", now.adjacency))
    k = draw_k(data, epsilon, top, adjacency)
    st.session_state[f"gap.k.{key}"] = k
    spent = (*_spent(key), epsilon)
    st.session_state[SPENT] = {**st.session_state.get(SPENT, {}), key: spent}
    st.session_state[CHOSEN] = key, k


def _spent(key: str) -> tuple[float, ...]:
    """Return what this session has paid for choosing k of a data set, draw by draw."""
    return tuple(st.session_state.get(SPENT, {}).get(key, ()))


def say_chosen(key: str, data: Dataset) -> None:
    """Say what the last draw of k gave and what all of them cost; nothing before the first."""
    place, k = st.session_state.get(CHOSEN, (None, 0))
    if place != key:
        return
    spent = _spent(key)
    last, total = epsilon_text(spent[-1]), epsilon_text(float(f"{sum(spent):.6g}"))
    text = (
        f"**k = {k}** was drawn from the real table of {count(data.people)} "
        f"{verbatim(data.unit.many)} with fresh randomness. It cost ε = {last}, pure, on top of "
        "what the directions cost."
    )
    if len(spent) > 1:
        text += f" The {len(spent)} draws of this session cost ε = {total} together."
    if not data.private:
        text += " It is not private: the preprocessing reads the data without paying for it."
    st.caption(f"{text} Another draw costs again.")
