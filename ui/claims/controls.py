"""The Claims page's controls, kept in its address."""

from dataclasses import replace
from typing import Any, cast

import streamlit as st

from dpca_core.mechanisms.base import Mechanism
from dpca_core.mechanisms.registry import MECHANISMS, REFUTED_DEFAULT
from ui.claims.audit_job import AUDIT_RELEASES, AuditJob
from ui.claims.measurements import PUBLISHED
from ui.claims.query import (
    LEAST_EXAMPLE_PEOPLE,
    MOST_EXAMPLE_COLUMNS,
    MOST_EXAMPLE_PEOPLE,
    REFUTED,
    ClaimsQuery,
)
from ui.state import query_params
from ui.state.slider_stops import MOST_DIRECTIONS
from ui.text.numbers import count
from ui.widgets.budget_controls import choose_adjacency, choose_delta, choose_epsilon


def current() -> ClaimsQuery:
    """Return the session's query; the first time it comes from the link."""
    if "claims" not in st.session_state:
        st.session_state["claims"] = ClaimsQuery.from_query(st.query_params.to_dict())
    return cast(ClaimsQuery, st.session_state["claims"])


def _change(**values: Any) -> ClaimsQuery:
    """Change some controls, keep them, and put them into the address."""
    changed = replace(current(), **values)
    st.session_state["claims"] = changed
    query_params.write_address(changed.to_query())
    return changed


def choose_query() -> ClaimsQuery:
    """Draw the controls of the table, one row, and return what they ask for."""
    now = current()
    with st.container(horizontal=True, vertical_alignment="bottom", key="asked"):
        epsilon = choose_epsilon(now.epsilon, "claims.epsilon", 240)
        delta = choose_delta(now.delta, "claims.delta", 200)
        d = st.number_input("Columns d", 2, MOST_EXAMPLE_COLUMNS, now.d, key="claims.d", width=130)
        n = st.number_input(
            "People n",
            LEAST_EXAMPLE_PEOPLE,
            MOST_EXAMPLE_PEOPLE,
            now.n,
            key="claims.n",
            width=150,
        )
        most = min(MOST_DIRECTIONS, int(d) - 1)
        k = st.number_input(
            "Directions k", 1, most, min(now.k, most), key=f"claims.k.{most}", width=130
        )
        adjacency = choose_adjacency(now.adjacency, "person", "claims.adjacency", 240)
    return _change(epsilon=epsilon, delta=delta, d=int(d), n=int(n), k=int(k), adjacency=adjacency)


def choose_mechanism(query: ClaimsQuery) -> ClaimsQuery:
    """Draw the menu of mechanisms to explain and attack, and return the query with the choice."""
    keys = list(MECHANISMS)
    mechanism = st.selectbox(
        "Mechanism",
        keys,
        keys.index(query.mechanism),
        format_func=lambda key: MECHANISMS[key].name,
        key="claims.mechanism",
        width=300,
    )
    return _change(mechanism=str(mechanism))


def choose_refutation() -> tuple[Mechanism, bool, int]:
    """Draw the refutation's controls: the mechanism, whether the record is there, and a seed."""
    keys = [mechanism.key for mechanism in REFUTED]
    with st.container(horizontal=True, vertical_alignment="bottom", key="refutation"):
        key = st.segmented_control(
            "Mechanism",
            keys,
            default=REFUTED_DEFAULT.key,
            required=True,
            format_func=lambda m: MECHANISMS[m].name.removesuffix(", printed"),
            key="refutation.mechanism",
        )
        present = st.segmented_control(
            "The record is",
            (False, True),
            default=False,
            required=True,
            format_func=lambda there: "in the data" if there else "not in the data",
            key="refutation.present",
        )
        st.button(f"Publish {PUBLISHED} again", on_click=_next_seed)
    return MECHANISMS[str(key)], bool(present), _seed()


def _seed() -> int:
    return int(st.session_state.get("refutation.seed", 0))


def _next_seed() -> None:
    st.session_state["refutation.seed"] = _seed() + 1


def choose_audit() -> AuditJob | None:
    """Draw the audit's controls and return the audit begun last, if any."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="audit"):
        st.segmented_control(
            "Releases of each data set",
            AUDIT_RELEASES,
            default=AUDIT_RELEASES[1],
            required=True,
            format_func=count,
            key="audit.releases",
        )
        st.number_input("Seed", 0, 2**32 - 1, 0, key="audit.seed", width=130)
        job = audit_job()
        if job is not None and job.running:
            st.button("Stop", on_click=job.stop.set, key="audit.stop")
        else:
            st.button("Attack", type="primary", on_click=_start_audit, key="audit.start")
    return job


def audit_job() -> AuditJob | None:
    """Return the audit that this session began last."""
    return cast(AuditJob | None, st.session_state.get("audit"))


def _start_audit() -> None:
    """Begin with what the controls say at the moment of the click."""
    state = st.session_state
    job = AuditJob(current(), int(state["audit.releases"]), int(state["audit.seed"]))
    state["audit"] = job
    job.start()
