"""The Claims page: what each paper claims, what holds, what that means, and an attack."""

from pathlib import Path

import streamlit as st

from dpca_core.analysis.claims import claim_of, claims
from dpca_core.audit.absence import RECORD, RELEASES_SHOWN, released_remainders, sticks_out
from dpca_core.figures.colours import family_role
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.privacy.budget import Budget, Notion
from dpca_core.privacy.inference_risk import gaussian_beyond
from dpca_core.text.guarantee_sentences import odds
from ui.claims import audit_text, text
from ui.claims.audit_job import AuditJob
from ui.claims.controls import (
    audit_job,
    choose_audit,
    choose_mechanism,
    choose_query,
    choose_refutation,
    publish_again,
)
from ui.claims.figures import audit_scale, claims_table
from ui.claims.inference_risk_figures import belief_chart, membership_chart
from ui.claims.measurements import count_proofs
from ui.claims.query import ClaimsQuery, ClaimsSettings
from ui.claims.refutation_figures import ellipse_cells
from ui.figures.charts import show_charts
from ui.page.markup import sentence
from ui.page.present import show_present
from ui.server.jobs import WAITING_MESSAGE
from ui.server.scheduler import busy_message
from ui.state import query_params, session, session_data
from ui.widgets.navigation import start_page
from ui.widgets.privacy_notice import show_not_private

STYLE = Path(__file__).with_name("claims.css")
LINKS = (
    '<p class="jump"><a href="#absent">A proof of absence</a> <a href="#person">What it means</a> '
    '<a href="#attack">An attack</a></p>'
)
PROGRESS_SECONDS = 0.4
"""Between two looks at an audit that runs."""


def draw_page() -> None:
    """Draw the page."""
    start_page(ClaimsSettings)
    st.html(STYLE)
    query = choose_query()
    st.caption(text.example_data(query))
    query_params.show_replaced()
    if data := session_data.get(session.settings().data):
        show_not_private(data)
    _draw_table(query)
    _draw_refutation(query)
    _heading("person", text.MEANING_TITLE)
    query = choose_mechanism(query)
    session.write_address(session.page_settings(ClaimsSettings))
    charts = _draw_meaning(query)
    # The links to the sections appear once the last one stands where it will stay (claims.css).
    place = "below-charts" if charts else "below-text"
    _heading("attack", text.attack_title(query), audit_text.EXPLANATION, place)
    _draw_audit(query)
    show_present("claims", again=publish_again)


def _html(content: str) -> None:
    st.html(f'<div class="claims">{content}</div>')


def _heading(anchor: str, title: str, explanation: str = "", place: str = "") -> None:
    under = f'<p class="under">{explanation}</p>' if explanation else ""
    _html(f'<h2 id="{anchor}" class="{place}">{title}</h2>{under}')


def _answer(sentence: str, explanation: str, figure: str = "") -> None:
    _html(f'<p class="answer">{sentence}</p><p class="under">{explanation}</p>{figure}')


def _draw_table(query: ClaimsQuery) -> None:
    found = claims(query.problem, query.budget)
    table = claims_table(found, query.budget)
    _answer(text.headline(found, query.budget), text.LEGEND, LINKS + table)


def _draw_refutation(query: ClaimsQuery) -> Mechanism:
    """Draw the matrices, and return the mechanism that has published them."""
    _heading("absent", text.REFUTATION_TITLE)
    mechanism, present, seed = choose_refutation()
    matrices = released_remainders(mechanism, query.budget, present, RELEASES_SHOWN, seed)
    proved = sticks_out(matrices, RECORD)
    explanation = text.REFUTATION_RULE
    if not present:
        added_or_removed = Budget(query.epsilon, query.delta)
        predicted = mechanism.guarantee(query.problem, added_or_removed).delta
        proofs, releases = count_proofs(mechanism, query.budget, query.d, seed)
        explanation += f" {text.refutation_theory(predicted, proofs, releases, query.d)}"
    scale = mechanism.calibrate(query.problem, query.budget).scale
    cells = f'<div class="ellipses">{ellipse_cells(matrices, proved, scale)}</div>'
    answer = text.refutation_answer(int(proved.sum()), RELEASES_SHOWN, present=present)
    _answer(answer, explanation, cells)
    return mechanism


def _draw_meaning(query: ClaimsQuery) -> bool:
    """Say what the guarantee of the chosen mechanism means for one person; True where drawn too."""
    found = claim_of(query.chosen_mechanism, query.problem, query.budget)
    guarantee = found.guarantee
    if guarantee is None:
        st.info(found.infeasible)
        return False
    _answer(sentence(odds(guarantee, "person")), text.guess_explanation(guarantee))
    if guarantee.notion is Notion.NONE:
        return False
    color, settings = family_role(query.chosen_mechanism.family), text.settings(query)
    if guarantee.delta == 0:
        both = [membership_chart(guarantee, color), belief_chart(guarantee, color)]
        show_charts(both, "claims-meaning", settings)
        return True
    left, right = st.columns(2, gap="large")
    with left:
        wide = membership_chart(guarantee, color) | {"wide": True}
        show_charts([wide], "claims-membership", settings)
    with right:
        _chart_heading(text.BELIEF_TITLE, text.NO_BELIEF_SUBTITLE)
        ratio = guarantee.noise_multiplier
        beyond = None if ratio is None else gaussian_beyond(ratio, guarantee.epsilon)
        _html(f"<p>{text.no_belief(guarantee, beyond)}</p>")
    return True


def _chart_heading(title: str, subtitle: str) -> None:
    _html(f'<h3>{title}</h3><p class="sub">{subtitle}</p>')


def _draw_audit(query: ClaimsQuery) -> None:
    job = choose_audit(query)
    if job is None:
        return
    if job.running:
        _draw_progress()
    elif job.query == query:
        _draw_result(job)
    else:
        # A verdict is about the mechanism that was attacked, at the budget it was attacked at.
        st.info(audit_text.attacked_before(job, query))


@st.fragment(run_every=PROGRESS_SECONDS)
def _draw_progress() -> None:
    job = audit_job()
    if job is None or not job.running:
        st.rerun()
    waiting = WAITING_MESSAGE if job.waiting else busy_message(False, audit_text.progress_text(job))
    st.progress(job.share, waiting)


def _draw_result(job: AuditJob) -> None:
    if job.problem or job.found is None:
        st.info(job.problem or audit_text.STOPPED_EARLY)
        return
    verdict = audit_text.audit_verdict(job.found, job.mechanism.name)
    _answer(verdict, audit_text.audit_details(job, job.found), audit_scale(job.found))
