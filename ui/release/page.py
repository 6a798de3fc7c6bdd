"""The Release page: four cards, the account beside them, and the report below."""

from pathlib import Path

import streamlit as st

from dpca_core.privacy.budget import Adjacency
from dpca_core.release.ledger import LedgerError
from dpca_core.release.plan import Plan
from ui.figures.markup import element, sentence
from ui.release import figures, text
from ui.release.controls.account_and_its_releases import (
    draw_account,
    draw_done,
    draw_files,
    draw_published_before,
    draw_report,
)
from ui.release.controls.data_and_new_account import Whose, choose_whose
from ui.release.controls.plan import (
    choose_budget,
    choose_guess,
    choose_tables,
    show_preview,
    warn_of_noisy_picture,
)
from ui.release.controls.settings import follow_decision
from ui.release.controls.spend import choose_reason, draw_job, draw_spend, running_job
from ui.release.measurements import plan_of, proposed_reason
from ui.release.query import ReleaseSettings
from ui.state import session
from ui.state.query_params import show_replaced, write_address
from ui.widgets.navigation import start_page
from ui.widgets.style import apply_page_style

STYLE = Path(__file__).parent / "release.css"


def draw_page() -> None:
    """Draw the page."""
    start_page(ReleaseSettings)
    st.html(STYLE)
    apply_page_style()
    st.html(figures.headline())
    show_replaced()
    with st.container(key="release"):
        cards, side = st.columns([2.7, 1], gap="large")
        try:
            with cards:
                whose, plan = _draw_cards()
            with side, st.container(key="release-side"):
                draw_account(whose, plan)
                draw_published_before()
                draw_files()
        except LedgerError as refused:
            st.html(element("p", sentence(str(refused)), class_="release-error"))
        draw_report()
    write_address(_address())


def _draw_cards() -> tuple[Whose, Plan | str]:
    """Draw the four cards in two columns; return what they say."""
    with st.container(key="release-cards"):
        left, right = st.columns(2, gap="small")
    with left:
        with st.container(key="release-card-1"):
            st.html(figures.card_title(1, text.WHOSE))
            whose = choose_whose()
        follow_decision(whose.subject)
        with st.container(key="release-card-2"):
            st.html(figures.card_title(2, text.WHAT))
            warning_place = choose_tables(whose.subject)
    with right:
        with st.container(key="release-card-3"):
            st.html(figures.card_title(3, text.HOW_MUCH))
            choose_budget()
            choose_guess(whose.subject)
            preview_place = st.container(key="release-preview")
        with st.container(key="release-card-4"):
            st.html(figures.card_title(4, text.SPEND))
            plan = _draw_spending(whose)
        shown = plan if isinstance(plan, Plan) else _plan(whose, "–")
        with preview_place:
            show_preview(shown, whose.subject)
        with warning_place:
            warn_of_noisy_picture(shown, whose.subject)
    return whose, plan


def _draw_spending(whose: Whose) -> Plan | str:
    """Draw the inside of card 4; return the plan that it is about."""
    if (job := running_job()) is not None:
        draw_job(job)
        return _plan(whose, job.reason)
    draw_done()
    settings = session.page_settings(ReleaseSettings)
    proposed = proposed_reason(settings, whose.subject, _neighbours(whose))
    plan = _plan(whose, choose_reason(whose.subject, proposed))
    draw_spend(whose, plan)
    return plan


def _plan(whose: Whose, reason: str) -> Plan | str:
    """Return the plan of what the cards say; open questions count as No until they are answered."""
    settings = session.page_settings(ReleaseSettings)
    return plan_of(settings, whose.subject, _neighbours(whose), reason, whose.answers)


def _neighbours(whose: Whose) -> Adjacency | None:
    """Return which data sets must look alike: as the account says, else as was decided."""
    return whose.subject.neighbours if whose.account is None else whose.account.neighbours


def _address() -> dict[str, str]:
    """Return the query of a link: public settings alone."""
    return session.page_settings(ReleaseSettings).to_query()
