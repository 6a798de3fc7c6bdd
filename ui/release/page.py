"""The Release page: one column in reading order, from whose data it is to the report."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path

import streamlit as st

from dpca_core.release.ledger import LedgerError
from dpca_core.release.plan import Plan, PlanError
from ui.figures.markup import element, sentence
from ui.release import text
from ui.release.account import choose_payer, draw_account
from ui.release.plan_cards import (
    choose_budget,
    choose_tables,
    guess_people,
    plan_of,
    show_preview,
)
from ui.release.spend import (
    draw_published_before,
    draw_releases,
    draw_report,
    draw_spend,
    running_job,
)
from ui.release.whose import choose_whose, draw_check, error
from ui.state.decision import decided
from ui.state.query_params import write_address
from ui.widgets.navigation import start_page
from ui.widgets.style import apply_page_style

STYLE = Path(__file__).parent / "release.css"


def draw_page() -> None:
    """Draw the page."""
    start_page()
    st.html(STYLE)
    apply_page_style()
    st.html(
        element("h1", sentence(text.HEADLINE), class_="release-headline")
        + element("p", sentence(text.LEAD), class_="release-lead")
    )
    with st.container(key="release"):
        try:
            _draw_cards()
            draw_published_before()
        except (LedgerError, PlanError) as refused:
            error(str(refused))
        draw_report()
    write_address({})


def _draw_cards() -> None:
    """Draw the cards one below the other."""
    numbers = count(1)

    @contextmanager
    def card(title: str) -> Iterator[None]:
        number = next(numbers)
        with st.container(key=f"release-card-{number}"):
            head = element("span", str(number)) + sentence(title)
            st.html(element("h2", head, class_="release-title"))
            yield

    with card(text.WHOSE):
        whose = choose_whose()
    decision, answered = decided(), whose.answered
    if not whose.practice and decision is not None:
        with card(text.CHECK):
            answered &= draw_check(decision)
    with card(text.ACCOUNT):
        payer = choose_payer(whose)
        account_place = st.container()
    with card(text.WHAT):
        tables = choose_tables(whose, payer)
    with card(text.HOW_MUCH):
        settings = tables | choose_budget(whose, payer)
        people = guess_people(whose)
        plan = partial(plan_of, whose, payer, settings)
        planned = plan("–")
        show_preview(planned, people)
    # What is being made is booked already: it is no plan any more.
    to_spend = planned if isinstance(planned, Plan) and running_job() is None else None
    with account_place:
        draw_account(payer, to_spend)
    with card(text.SPEND):
        draw_spend(whose, payer, plan, answered)
    draw_releases(whose, payer)
