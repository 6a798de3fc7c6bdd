"""What the Claims page is asked: read from a link, and kept through visits of other pages."""

from dataclasses import replace
from typing import Any

import streamlit as st

from dpca_core.privacy.budget import Adjacency
from dpca_core.text.guarantees import neighbours
from dpca_core.text.privacy_numbers import epsilon_text, power
from ui.claims.query import LEAST_PEOPLE, MOST_COLUMNS, MOST_PEOPLE, Asked, _allowed
from ui.state import query_params
from ui.state.slider_stops import DELTA_STOPS, EPSILON_STOPS, MOST_DIRECTIONS, nearest_stop


def asked() -> Asked:
    """Return the session's controls; the first time they come from the link."""
    if "claims" not in st.session_state:
        found = query_params.read_settings(Asked(), st.query_params.to_dict(), _allowed)
        st.session_state["claims"] = replace(
            found,
            epsilon=nearest_stop(found.epsilon, EPSILON_STOPS),
            delta=nearest_stop(found.delta, DELTA_STOPS),
            k=min(found.k, found.d - 1),
        )
    current: Asked = st.session_state["claims"]
    return current


def change(**values: Any) -> Asked:
    """Change some controls, keep them, and put them into the address."""
    changed = replace(asked(), **values)
    st.session_state["claims"] = changed
    query = query_params.to_query(changed, Asked(), ("epsilon", "delta", "d", "n", "k"))
    query_params.write_address(query)
    return changed


def choose() -> Asked:
    """Draw the controls, one row."""
    now = asked()
    with st.container(horizontal=True, vertical_alignment="bottom", key="asked"):
        epsilon = st.select_slider(
            "ε",
            EPSILON_STOPS,
            now.epsilon,
            format_func=epsilon_text,
            key="claims.epsilon",
            width=240,
        )
        delta = st.select_slider(
            "δ", DELTA_STOPS, now.delta, format_func=power, key="claims.delta", width=200
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
