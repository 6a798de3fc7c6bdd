"""The Release page: one column in reading order, from whose data it is to the report.

What is published and how much is spent is here: nothing of these two cards is read from a table.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import partial
from itertools import count
from typing import Any

import streamlit as st

from dpca_core.analysis.recommendation import MOST_WISHART_COLUMNS
from dpca_core.mechanisms.registry import DRAWN_EXACTLY, MECHANISMS, PURE_DEFAULT, PURE_WIDE_DEFAULT
from dpca_core.release.ledger import LedgerError
from dpca_core.release.plan import BINS, Plan, PlanError, Scores, preview_rows
from dpca_core.text.glossary import TERMS
from dpca_core.text.privacy_numbers import epsilon_text, power
from ui.page.markup import element, sentence
from ui.release import text
from ui.release.account import GAUSSIAN, USUAL_DELTA, Payer, choose_payer, draw_account, read_number
from ui.release.spend import draw_published_before, draw_releases, draw_spend, running_job
from ui.release.text import say
from ui.release.whose import Whose, choose_whose, draw_check, error, note
from ui.state.decision import Handover, decided
from ui.state.session import write_address
from ui.state.slider_stops import DELTA_STOPS, EPSILON_STOPS, MOST_DIRECTIONS
from ui.widgets.start_page import start_page

PURE = tuple(key for key in DRAWN_EXACTLY if key != GAUSSIAN)
EPSILONS = tuple(epsilon for epsilon in EPSILON_STOPS if epsilon <= 10)
DELTAS = tuple(delta for delta in DELTA_STOPS if 0 < delta <= 1e-3)
"""Stops of the sliders; a decision may bring another value."""


def draw_page() -> None:
    """Draw the page."""
    start_page()
    with st.container(key="release-head"):
        st.html(
            element("h1", sentence(say("headline")), class_="release-headline")
            + element("p", sentence(say("lead")), class_="release-lead")
        )
    with st.container(key="release"):
        try:
            _draw_cards()
            draw_published_before()
        except (LedgerError, PlanError) as refused:
            error(str(refused))
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

    with card(say("whose")):
        whose = choose_whose()
    decision, answered = decided(), whose.answered
    if not whose.practice and decision is not None:
        with card(say("check")):
            answered &= draw_check(whose, decision)
    with card(say("account")):
        payer = choose_payer(whose)
        account_place = st.container()
    with card(say("what")):
        tables = choose_tables(whose, payer)
    with card(say("how_much")):
        plan = partial(plan_of, whose, payer, tables | choose_budget(whose, payer))
        planned = plan("–")
        show_preview(planned, whose.handover)
    # What is being made is booked already: it is no plan any more.
    to_spend = planned if isinstance(planned, Plan) and running_job() is None else None
    with account_place:
        draw_account(payer, to_spend)
    with card(say("spend")):
        draw_spend(whose, payer, plan, answered)
    draw_releases(whose, payer)


def choose_tables(whose: Whose, payer: Payer) -> dict[str, Any]:
    """Draw the card of what is published; return noise, tables and directions as a plan's."""
    recipe, share = whose.recipe, TERMS["share"].sentence
    note(say("matrix_always"))
    found: dict[str, Any] = {"mechanism": GAUSSIAN, "means": Fraction(0), "scores": None}
    if not payer.gaussian:
        decided = whose.handover.mechanism
        narrow = recipe.width <= MOST_WISHART_COLUMNS
        usual = decided if decided in PURE else (PURE_DEFAULT if narrow else PURE_WIDE_DEFAULT).key
        names = {key: MECHANISMS[key].name for key in PURE}
        found["mechanism"] = whose.kept(
            st.selectbox, "Noise", usual, options=PURE, format_func=names.get
        )
    fixed = whose.mean_share > 0
    means = whose.kept(st.checkbox, say("means"), fixed, disabled=fixed)
    note(say("no_unit") if means and recipe.made_of_length_one else "")
    scores = whose.kept(st.checkbox, say("picture"), False)
    most = max(1, min(MOST_DIRECTIONS, recipe.width - 1))
    k = min(whose.handover.k, most)

    def whole(label: str, usual: int, first: int, last: int, **options: Any) -> int:
        ends = {"min_value": first, "max_value": last}
        return whose.kept(st.number_input, label, usual, **ends, **options)

    def number(label: str, usual: str, help_: str) -> Fraction:
        """What is no number is −1, which no plan takes."""
        typed = whose.kept(st.text_input, label, usual, max_chars=20, help=help_)
        found = read_number(typed)
        return Fraction(-1) if found is None else found

    with st.container(horizontal=True, key="release-numbers"):
        found["k"] = whole("Directions", k, 1, most, help=say("k_is_free"))
        if means:
            usual = f"{100 * whose.mean_share or 5:.6g}"
            found["means"] = number("Share of the means, %", usual, share) / 100
        if scores:
            part = number("Share of the picture, %", "10", share) / 100
            bins = whole("Bins", 12, BINS.start, BINS.stop - 1)
            found["scores"] = Scores(part, (bins, bins), number("Reach", "1", say("reach")))
    return found


def choose_budget(whose: Whose, payer: Payer) -> dict[str, Fraction]:
    """Draw the sliders of ε and, for Gaussian noise, of δ."""

    def slider(
        label: str, stops: Sequence[float], usual: float, write: Callable[[float], str]
    ) -> Fraction:
        """Draw round numbers and what was decided; return the number as it is read."""
        every = sorted({*stops, usual})
        found = whose.kept(st.select_slider, label, usual, options=every, format_func=write)
        return Fraction(repr(float(found)))

    with st.container(horizontal=True, key="release-budget"):
        found = {"epsilon": slider("ε", EPSILONS, whose.handover.epsilon, epsilon_text)}
        if payer.gaussian:
            found["delta"] = slider("δ", DELTAS, whose.handover.delta or USUAL_DELTA, power)
    return {"delta": Fraction(0)} | found


def plan_of(whose: Whose, payer: Payer, settings: dict[str, Any], reason: str) -> Plan | str:
    """Return the plan, or a sentence on why there is none."""
    try:
        return Plan(
            recipe=whose.recipe,
            neighbours=payer.neighbours,
            reason=reason,
            declarations=whose.declarations,
            practice=whose.practice,
            **settings,
        )
    except PlanError as refused:
        return str(refused)


def show_preview(plan: Plan | str, decided: Handover) -> None:
    """Draw what follows from public settings, or why nothing does."""
    if isinstance(plan, str):
        error(plan)
        return
    people, rows = round(decided.people_guess), []
    if decided.expected:
        # In the words of Decide, and no other number beside them.
        rows.append((say("as_decided", epsilon=decided.epsilon), decided.expected))
    lines = [
        element("tr", element("th", sentence(what), scope="row"), element("td", sentence(much)))
        for what, much in (*rows, *preview_rows(plan, people))
    ]
    st.html(element("table", element("tbody", *lines), class_="release-preview"))
    note(say("not_read"))
    for warning in text.warnings(plan, people):
        error(warning)
