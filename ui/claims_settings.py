"""What the Claims page is asked: read from a link, and kept through visits of other pages."""

from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

import streamlit as st

from dpca_core.budget import Adjacency, Budget
from dpca_core.claims import example
from dpca_core.problem import Problem
from dpca_core.registry import MECHANISMS
from ui import link
from ui.format import epsilon_text, power
from ui.link import nearest
from ui.promises import neighbours
from ui.settings import DELTAS
from ui.study import EPSILONS

MOST_COLUMNS, MOST_PEOPLE = 200, 10_000_000
LEAST_PEOPLE, MOST_DIRECTIONS = 100, 20


@dataclass(frozen=True)
class Asked:
    """The page's controls."""

    epsilon: float = 1.0
    delta: float = 1e-6
    d: int = 10
    n: int = 60_000
    k: int = 2
    adjacency: str = str(Adjacency.ADD_OR_REMOVE_ONE)
    mechanism: str = "wishart_sn"

    @property
    def budget(self) -> Budget:
        """The privacy asked for."""
        return Budget(self.epsilon, self.delta, Adjacency(self.adjacency))

    @property
    def problem(self) -> Problem:
        """Made-up data of that size."""
        return example(self.d, self.k, self.n)


def _allowed(name: str, value: Any) -> bool:
    match name:
        case "epsilon":
            return isfinite(value) and bool(value > 0)
        case "delta":
            return bool(0 <= value < 1)
        case "d":
            return bool(2 <= value <= MOST_COLUMNS)
        case "n":
            return bool(LEAST_PEOPLE <= value <= MOST_PEOPLE)
        case "k":
            return bool(1 <= value <= MOST_DIRECTIONS)
        case "adjacency":
            return value in list(Adjacency)
    return value in MECHANISMS


def asked() -> Asked:
    """Return the session's controls; the first time they come from the link."""
    if "claims" not in st.session_state:
        found = link.read(Asked(), st.query_params.to_dict(), _allowed)
        st.session_state["claims"] = replace(
            found,
            epsilon=nearest(found.epsilon, EPSILONS),
            delta=nearest(found.delta, DELTAS),
            k=min(found.k, found.d - 1),
        )
    current: Asked = st.session_state["claims"]
    return current


def change(**values: Any) -> Asked:
    """Change some controls, keep them, and put them into the address."""
    changed = replace(asked(), **values)
    st.session_state["claims"] = changed
    query = link.written(changed, Asked(), ("epsilon", "delta", "d", "n", "k"))
    link.put(query)
    return changed


def choose() -> Asked:
    """Draw the controls, one row."""
    now = asked()
    with st.container(horizontal=True, vertical_alignment="bottom", key="asked"):
        epsilon = st.select_slider(
            "ε", EPSILONS, now.epsilon, format_func=epsilon_text, key="claims.epsilon", width=240
        )
        delta = st.select_slider(
            "δ", DELTAS, now.delta, format_func=power, key="claims.delta", width=200
        )
        d = st.number_input("Columns d", 2, MOST_COLUMNS, now.d, key="claims.d", width=130)
        n = st.number_input("People n", LEAST_PEOPLE, MOST_PEOPLE, now.n, key="claims.n", width=150)
        top = min(MOST_DIRECTIONS, int(d) - 1)
        k = st.number_input(
            "Directions k", 1, top, min(now.k, top), key=f"claims.k.{top}", width=130
        )
        options = [str(a) for a in Adjacency]
        adjacency = st.selectbox(
            "Neighbours",
            options,
            options.index(now.adjacency),
            format_func=lambda a: neighbours(Adjacency(a), "person"),
            key="claims.adjacency",
            width=240,
        )
    return change(
        epsilon=epsilon, delta=delta, d=int(d), n=int(n), k=int(k), adjacency=str(adjacency)
    )
