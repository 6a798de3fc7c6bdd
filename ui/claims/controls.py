"""The Claims page's controls."""

from dataclasses import replace
from typing import cast

import streamlit as st

from dpca_core.audit.absence import RELEASES_SHOWN
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.registry import MECHANISMS, REFUTED_DEFAULT
from ui.claims.audit_job import AUDIT_RELEASES, AuditJob
from ui.claims.query import (
    EXAMPLE_PEOPLE,
    MOST_EXAMPLE_COLUMNS,
    REFUTED,
    ClaimsQuery,
    ClaimsSettings,
)
from ui.state import session, session_data
from ui.state.slider_stops import MOST_DIRECTIONS
from ui.state.widget_keys import widget_key
from ui.text.numbers import count
from ui.widgets.budget_controls import choose_adjacency, choose_delta, choose_epsilon
from ui.widgets.mechanism_menu import mechanism_menu
from ui.widgets.reset_button import reset_button
from ui.widgets.size_controls import choose_k, choose_people


def choose_query() -> ClaimsQuery:
    """Draw the controls of the table, one row, and return what they ask for."""
    now, shared = session.page_settings(ClaimsSettings), session.settings()
    data = session_data.get(shared.data)
    usual_k = session.default_k(shared.data, data) if data else 2
    with st.container(horizontal=True, vertical_alignment="bottom", key="asked"):
        epsilon, delta = choose_epsilon(200), choose_delta(180)
        d = st.number_input(
            "Columns d", 2, MOST_EXAMPLE_COLUMNS, now.d, key=widget_key("d"), width=130
        )
        usual_n = float(data.people if data else EXAMPLE_PEOPLE)
        n = choose_people(usual_n, "people", width=150, own=data is not None)
        k = choose_k(min(MOST_DIRECTIONS, int(d) - 1), usual_k, 130)
        adjacency = choose_adjacency("person", 240)
        reset_button(ClaimsSettings)
    session.change_page_settings(now, d=int(d))
    return ClaimsQuery(epsilon, delta, int(d), int(n), k, str(adjacency), shared.mechanism)


def choose_mechanism(query: ClaimsQuery) -> ClaimsQuery:
    """Draw the menu of mechanisms to explain and attack, and return the query with the choice."""
    return replace(query, mechanism=mechanism_menu(300))


def choose_refutation() -> tuple[Mechanism, bool, int]:
    """Draw the refutation's controls: the mechanism, whether the record is there, and a seed."""
    keys = [mechanism.key for mechanism in REFUTED]
    st.session_state.setdefault("refutation.mechanism", REFUTED_DEFAULT.key)
    with st.container(horizontal=True, vertical_alignment="bottom", key="refutation"):
        key = st.segmented_control(
            "Mechanism",
            keys,
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
        st.button(f"Publish {RELEASES_SHOWN} again", on_click=publish_again)
    return MECHANISMS[str(key)], bool(present), _seed()


def _seed() -> int:
    return int(st.session_state.get("refutation.seed", 0))


def publish_again() -> None:
    """Draw the matrices of the refutation anew."""
    st.session_state["refutation.seed"] = _seed() + 1


def choose_audit(query: ClaimsQuery) -> AuditJob | None:
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
            st.button(
                "Attack", type="primary", on_click=_start_audit, args=(query,), key="audit.start"
            )
    return job


def audit_job() -> AuditJob | None:
    """Return the audit that this session began last."""
    return cast(AuditJob | None, st.session_state.get("audit"))


def _start_audit(query: ClaimsQuery) -> None:
    """Begin with what the controls say at the moment of the click."""
    state = st.session_state
    job = AuditJob(query, int(state["audit.releases"]), int(state["audit.seed"]))
    state["audit"] = job
    job.start()
