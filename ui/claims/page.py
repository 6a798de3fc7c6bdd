"""The Claims page: proofs of absence, what a guarantee means, an attack, and all claims."""

from functools import partial

import streamlit as st

from dpca_core.analysis.claims import Claim, claims
from dpca_core.audit import absence
from dpca_core.figures.colours import family_role
from dpca_core.mechanisms.registry import MECHANISMS, REFUTED_DEFAULT
from dpca_core.privacy.budget import Budget
from ui.claims.figures import absence_chart, audit_chart, claims_chart, meaning_charts
from ui.claims.libraries import libraries_charts
from ui.claims.measurements import (
    LEAST_COLUMNS,
    MOST_COLUMNS,
    AuditJob,
    ClaimsQuery,
    ClaimsSettings,
)
from ui.claims.text import claims_table, say, settings, short_name
from ui.page.component import show
from ui.page.content import Content
from ui.page.present import show_present
from ui.server.scheduler import busy_message
from ui.server.workers import WAITING_MESSAGE
from ui.state import session, session_data
from ui.state.session import widget_key
from ui.state.slider_stops import MOST_DIRECTIONS
from ui.text.numbers import count
from ui.widgets import controls
from ui.widgets.start_page import start_page

EXAMPLE_PEOPLE = 60_000
"""Where neither a number has been chosen nor the data are there."""
AUDIT_RELEASES = (1000, 4000, 20_000, 100_000)
"""Numbers of releases of each data set to choose from."""
PROGRESS_SECONDS = 0.4
"""Between two looks at an audit that runs."""
AUDIT, SEED = "audit", "refutation.seed"
"""Session keys: the last audit, and the seed of the matrices."""


def draw_page() -> None:
    """Draw the page."""
    start_page(ClaimsSettings)
    query = controls.control_row(ClaimsSettings, _choose_query)
    assert query is not None
    st.caption(settings(query))
    if data := session_data.get(session.settings().data):
        controls.show_not_private(data)
    present = _choose_publication(query)
    job: AuditJob | None = st.session_state.get(AUDIT)
    if job is not None and job.running:
        _draw_running(job)
        job = None
    found = claims(query.problem, query.budget)
    show(_content(query, found, job, present=present), "claims")
    with st.container(key="sentences"):
        st.table(claims_table(found, query.budget))
    st.caption(say("table_legend"))
    show_present("claims", again=_publish_again)


def _choose_query() -> ClaimsQuery:
    """Draw the controls that all sections share, and return what they ask for."""
    now, shared = session.page_settings(ClaimsSettings), session.settings()
    data = session_data.get(shared.data)
    usual_k = session.default_k(shared.data, data) if data else 2
    usual_n = float(data.people if data else EXAMPLE_PEOPLE)
    key = widget_key("d")
    d = int(st.number_input("Columns d", LEAST_COLUMNS, MOST_COLUMNS, now.d, key=key, width=110))
    mechanism = MECHANISMS[controls.mechanism_menu(190)]
    epsilon, delta = controls.choose_epsilon(120), controls.choose_delta(110)
    k = controls.choose_k(min(MOST_DIRECTIONS, d - 1), usual_k, 100)
    n = controls.choose_people(usual_n, "people", width=110, own=data is not None)
    budget = Budget(epsilon, delta, controls.choose_adjacency("person", 280))
    session.change_page_settings(now, d=d)
    return ClaimsQuery(mechanism, budget, d, int(n), k)


def _choose_publication(query: ClaimsQuery) -> bool:
    """Draw what is published anew and attacked; return whether the record is in the data."""
    with st.container(horizontal=True, vertical_alignment="center", key="refutation"):
        present = st.toggle(say("present"), key="refutation.present")
        st.button(f"Publish {absence.RELEASES_SHOWN} again", on_click=_publish_again)
        with st.popover(f"Attack {query.mechanism.name}"):
            st.caption(say("attack"))
            st.segmented_control(
                "Releases of each data set",
                AUDIT_RELEASES,
                default=AUDIT_RELEASES[1],
                required=True,
                format_func=count,
                key="audit.releases",
            )
            st.number_input("Seed", 0, 2**32 - 1, 0, key="audit.seed", width=130)
            begin, key = partial(_start_audit, query), "audit.start"
            st.button("Attack", type="primary", on_click=begin, key=key)
    return present


def _publish_again() -> None:
    """Draw the matrices of the refutation anew."""
    st.session_state[SEED] = st.session_state.get(SEED, 0) + 1


def _start_audit(query: ClaimsQuery) -> None:
    """Begin with what the controls say at the moment of the click."""
    state = st.session_state
    if before := state.get(AUDIT):
        before.stop.set()
    state[AUDIT] = AuditJob(query, int(state["audit.releases"]), int(state["audit.seed"]))
    state[AUDIT].start()


@st.fragment(run_every=PROGRESS_SECONDS)
def _draw_running(job: AuditJob) -> None:
    if not job.running:
        st.rerun()
    said = say("progress", job=job, drawn=int(job.share * job.releases))
    st.progress(job.share, WAITING_MESSAGE if job.waiting else busy_message(False, said))
    st.button("Stop", on_click=job.stop.set, key="audit.stop")


def _content(
    query: ClaimsQuery, found: list[Claim], job: AuditJob | None, *, present: bool
) -> Content:
    """Compose the attack, proofs of absence, what the chosen guarantee means, and all claims."""
    chosen, budget, seed = query.mechanism, query.budget, int(st.session_state.get(SEED, 0))
    shown = chosen if absence.proves_absence(chosen) else REFUTED_DEFAULT
    matrices = absence.released_remainders(shown, budget, present, absence.RELEASES_SHOWN, seed)
    proved, note = absence.sticks_out(matrices, absence.RECORD), ""
    counted = {"proofs": proved.sum(), "published": len(proved), "name": short_name(shown)}
    answer = say("no_proofs" if present else "proofs", **counted)
    if not present:
        added = Budget(budget.epsilon, budget.delta)
        note = say("theory", share=shown.guarantee(query.problem, added).delta)
    scale = shown.calibrate(query.problem, budget).scale
    own = next(claim for claim in found if claim.mechanism is chosen)
    charts = [
        *([audit_chart(query, job)] if job else []),
        absence_chart(matrices, proved, scale, answer, note),
        *meaning_charts(own, family_role(chosen.family)),
        claims_chart(found, budget),
        *libraries_charts(),
    ]
    said = {"answer": answer}
    return Content(f"{query} {seed} {present}", charts, said, settings=settings(query))
