"""The Claims page: proofs of absence, what a guarantee means, an attack, and all claims."""

from typing import cast

import streamlit as st

from dpca_core.analysis.claims import Claim, claims
from dpca_core.audit.absence import RECORD, RELEASES_SHOWN, released_remainders, sticks_out
from dpca_core.figures.colours import family_role
from dpca_core.mechanisms.registry import REFUTED_DEFAULT
from dpca_core.privacy.budget import Budget
from ui.claims import text
from ui.claims.figures import absence_chart, audit_charts, claims_chart, meaning_charts
from ui.claims.measurements import AUDIT_RELEASES, AuditJob, count_proofs
from ui.claims.query import (
    EXAMPLE_PEOPLE,
    LEAST_COLUMNS,
    MOST_COLUMNS,
    REFUTED,
    ClaimsQuery,
    ClaimsSettings,
)
from ui.page.component import show
from ui.page.content import Content
from ui.page.present import show_present
from ui.server.scheduler import busy_message
from ui.server.workers import WAITING_MESSAGE
from ui.state import session, session_data
from ui.state.slider_stops import MOST_DIRECTIONS
from ui.state.widget_keys import widget_key
from ui.text.numbers import count
from ui.widgets import controls
from ui.widgets.navigation import start_page

PROGRESS_SECONDS = 0.4
"""Between two looks at an audit that runs."""


def draw_page() -> None:
    """Draw the page."""
    start_page(ClaimsSettings)
    query = controls.control_row(ClaimsSettings, _choose_query)
    assert query is not None
    st.caption(text.settings(query))
    if data := session_data.get(session.settings().data):
        controls.show_not_private(data)
    present = _choose_publication(query)
    job = _audit_job()
    if job is not None and job.running:
        _draw_running(job)
    found = claims(query.problem, query.budget)
    show(_content(query, found, present=present), "claims")
    with st.container(key="sentences"):
        st.table(text.claims_table(found, query.budget))
    st.caption(text.TABLE_LEGEND)
    show_present("claims", again=_publish_again)


def _choose_query() -> ClaimsQuery:
    """Draw the controls that all sections share, and return what they ask for."""
    now, shared = session.page_settings(ClaimsSettings), session.settings()
    data = session_data.get(shared.data)
    usual_k = session.default_k(shared.data, data) if data else 2
    usual_n = float(data.people if data else EXAMPLE_PEOPLE)
    key = widget_key("d")
    d = int(st.number_input("Columns d", LEAST_COLUMNS, MOST_COLUMNS, now.d, key=key, width=110))
    mechanism = controls.mechanism_menu(190)
    epsilon, delta = controls.choose_epsilon(120), controls.choose_delta(110)
    k = controls.choose_k(min(MOST_DIRECTIONS, d - 1), usual_k, 100)
    n = controls.choose_people(usual_n, "people", width=110, own=data is not None)
    adjacency = controls.choose_adjacency("person", 280)
    session.change_page_settings(now, d=d)
    return ClaimsQuery(epsilon, delta, d, int(n), k, str(adjacency), mechanism)


def _choose_publication(query: ClaimsQuery) -> bool:
    """Draw what is published anew and attacked; return whether the record is in the data."""
    with st.container(horizontal=True, vertical_alignment="center", key="refutation"):
        present = st.toggle(text.PRESENT_LABEL, key="refutation.present")
        st.button(f"Publish {RELEASES_SHOWN} again", on_click=_publish_again)
        with st.popover(f"Attack {query.chosen_mechanism.name}"):
            st.caption(text.ATTACK_EXPLANATION)
            st.segmented_control(
                "Releases of each data set",
                AUDIT_RELEASES,
                default=AUDIT_RELEASES[1],
                required=True,
                format_func=count,
                key="audit.releases",
            )
            st.number_input("Seed", 0, 2**32 - 1, 0, key="audit.seed", width=130)
            st.button(
                "Attack", type="primary", on_click=_start_audit, args=(query,), key="audit.start"
            )
    return present


def _seed() -> int:
    return int(st.session_state.get("refutation.seed", 0))


def _publish_again() -> None:
    """Draw the matrices of the refutation anew."""
    st.session_state["refutation.seed"] = _seed() + 1


def _audit_job() -> AuditJob | None:
    """Return the audit that this session began last."""
    return cast(AuditJob | None, st.session_state.get("audit"))


def _start_audit(query: ClaimsQuery) -> None:
    """Begin with what the controls say at the moment of the click."""
    state = st.session_state
    if job := _audit_job():
        job.stop.set()
    state["audit"] = AuditJob(query, int(state["audit.releases"]), int(state["audit.seed"]))
    state["audit"].start()


@st.fragment(run_every=PROGRESS_SECONDS)
def _draw_running(job: AuditJob) -> None:
    if not job.running:
        st.rerun()
    waiting = WAITING_MESSAGE if job.waiting else busy_message(False, text.audit_progress(job))
    st.progress(job.share, waiting)
    st.button("Stop", on_click=job.stop.set, key="audit.stop")


def _content(query: ClaimsQuery, found: list[Claim], *, present: bool) -> Content:
    """Compose proofs of absence, what the chosen guarantee means, the attack, and all claims."""
    chosen, seed = query.chosen_mechanism, _seed()
    shown = chosen if chosen in REFUTED else REFUTED_DEFAULT
    matrices = released_remainders(shown, query.budget, present, RELEASES_SHOWN, seed)
    proved, note = sticks_out(matrices, RECORD), ""
    answer = text.refutation_answer(shown, int(proved.sum()), RELEASES_SHOWN, present=present)
    if not present:
        predicted = shown.guarantee(query.problem, Budget(query.epsilon, query.delta)).delta
        proofs, releases = count_proofs(shown, query.budget, query.d, seed)
        note = text.refutation_theory(predicted, proofs, releases, query.d)
    scale = shown.calibrate(query.problem, query.budget).scale
    own = next(claim for claim in found if claim.mechanism is chosen)
    return Content(
        f"{query} {seed} {present}",
        [
            *audit_charts(query, _audit_job()),
            absence_chart(matrices, proved, scale, answer, note),
            *meaning_charts(own, family_role(chosen.family)),
            claims_chart(found, query.budget),
        ],
        {"answer": answer},
        settings=text.settings(query),
    )
