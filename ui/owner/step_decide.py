"""Step 3, *Decide*: two answers, three cards, and what follows from them. The file is not read."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from dpca_core.analysis.expected_spectrum import Expectation, expected_spectrum
from dpca_core.data.recipe import Source
from ui.owner import decide_cards as cards
from ui.owner import decide_text as text
from ui.owner import session
from ui.owner.decide_answers import (
    Answers,
    Card,
    answers_of,
    epsilon_texts,
    shares_text,
    with_epsilon,
)
from ui.owner.decide_plans import CardPlan, Plans
from ui.owner.decide_side import draw_side, typed_field
from ui.owner.draft import Draft
from ui.owner.proposals import unconfirmed
from ui.owner.steps import Step, handover
from ui.server.scheduler import PAGE_SCHEDULER, is_heavy, should_yield, take_steps
from ui.state.decision import Handover
from ui.state.widget_keys import key_starting_at, note_position, widget_key
from ui.text.numbers import escape_markdown
from ui.text.odds import odds

STYLE = Path(__file__).parent / "decide.css"
RELEASE, EXPECTATION = "pages/release.py", "decide-expectation"
"""The page that follows, and the name of the menu of expectations."""
SIMULATED_SECONDS = 0.15
"""How long a drawing of the page simulates at most."""
EVERY_SECONDS = 0.2
"""Between two slices, while something is left to simulate."""


def draw() -> None:
    """Draw the step."""
    st.html(STYLE)
    draft = session.current().draft
    answers = answers_of(draft)
    if answers.columns == 0:
        st.info(text.COLUMNS_FIRST)
        return
    try:
        plans = Plans(answers)
    except ValueError as refused:
        st.info(escape_markdown(str(refused)))
        return
    chosen = None if answers.chosen is None else plans.card(answers.chosen)
    with st.container(key="decide"):
        _show_what_is_read(draft)
        _draw_answers(answers, draft)
        left, right = st.columns([3.1, 1], gap="large")
        with left:
            _draw_cards(draft, answers, plans)
            st.html(cards.published_list())
            _draw_foot(draft, answers, chosen)
        with right:
            draw_side(draft, answers, plans)
    if not plans.complete:
        _go_on_simulating(plans, answers.columns, plans.known)


def headline() -> tuple[str, str]:
    """Return the step's headline and the sentence below it, with ``**`` and ``[[…]]`` marks.

    It is asked for first, so the first slice is simulated here.
    """
    draft = session.current().draft
    answers = answers_of(draft)
    try:
        plans = Plans(answers)
    except ValueError:
        return text.headline(None), ""
    _simulate(plans, answers.columns)
    plan = None if answers.chosen is None else plans.card(answers.chosen)
    return text.headline(plan, by_default=answers.by_default), text.subheading(plan, draft.unit.one)


def _simulate(plans: Plans, columns: int) -> None:
    with PAGE_SCHEDULER.turn(urgent=True, heavy=is_heavy(columns)):
        take_steps(plans.steps(), SIMULATED_SECONDS, should_yield)


@st.fragment(run_every=EVERY_SECONDS)
def _go_on_simulating(plans: Plans, columns: int, shown: int) -> None:
    """Simulate a slice more; draw the page anew once there is something to show."""
    if not plans.complete:
        with PAGE_SCHEDULER.turn(urgent=False, heavy=is_heavy(columns)):
            take_steps(plans.steps(), SIMULATED_SECONDS, should_yield)
    if plans.known != shown:
        st.rerun()


def _show_what_is_read(draft: Draft) -> None:
    """Say what this page depends on: the file, where columns were described by reading it."""
    if not draft.bounds_are_public:
        read = [column.name for column in draft.used if column.origin is Source.FILE]
        why = text.not_public_why(read, unconfirmed(draft))
        with st.container(key="decide-not-public", horizontal=True, vertical_alignment="center"):
            st.html(cards.public_rule(text.FILE_READ, why, public=False), width="content")
            _draw_way_to_columns("decide-to-columns")
        return
    described = (*draft.used, *draft.left_out)
    noticed = any(column.origin is Source.NOTICED for column in described)
    more = [text.FOLLOWS_WHAT_WAS_NOTICED if noticed else text.FOLLOWS]
    if any(column.seen for column in draft.used):
        more.append(text.TYPED_AFTER_A_LOOK)
    if (most := draft.who.rows_kept or 1) > 1:
        more.append(text.ROWS_KEPT.format(one=draft.who.one, most=most))
    if draft.looked:
        more.append(text.LOOKED_BEFORE)
    st.html(cards.public_rule(text.NOTHING_READ, " ".join(more), public=True))


def _draw_way_to_columns(key: str) -> None:
    """Draw the link to the step in which a column's answers stand."""
    open_columns = partial(session.open_step, Step.COLUMNS)
    st.button(text.TO_COLUMNS, key=key, type="tertiary", on_click=open_columns)


def _draw_cards(draft: Draft, answers: Answers, plans: Plans) -> None:
    with st.container(key="decide-three"):
        for column, card in zip(st.columns(3, gap="small"), Card, strict=True):
            with column, st.container(key=f"decide-card-{card}"):
                _draw_card(card, draft, answers, plans)


def _draw_card(card: Card, draft: Draft, answers: Answers, plans: Plans) -> None:
    chosen, plan = answers.chosen is card, plans.card(card)

    def take(typed: str) -> None:
        _change(epsilon=with_epsilon(session.current().draft.epsilon, card, typed))

    with st.container(key=f"decide-head-{card}", horizontal=True):
        epsilon = None if plan is None else plan.budget.epsilon
        name = text.card_name(card, epsilon)
        st.html(cards.card_name(name, chosen), width="stretch")
        shown = epsilon_texts(draft.epsilon)[card]
        typed_field(
            f"epsilon-{card}",
            "ε\u00a0=",
            shown,
            lambda typed: _change(
                epsilon=with_epsilon(session.current().draft.epsilon, card, typed)
            ),
            width=92,
        )
        if plan is not None:
            delta = cards.paragraph(text.card_delta(plan.budget), "decide-delta")
            st.html(delta, width="content")
    if plan is None:
        st.html(cards.paragraph(answers.errors.get(card, text.MEND_ANSWERS), "decide-error"))
        return
    st.html(_card_body(plan, draft, answers, plans.trials))
    st.button(
        text.CHOSEN if chosen else text.CHOOSE,
        key=f"decide-choose-{card}",
        width="stretch",
        on_click=_change,
        kwargs={"chosen": str(card)},
    )


def _card_body(plan: CardPlan, draft: Draft, answers: Answers, trials: int) -> str:
    one, many = draft.unit.one, draft.unit.many
    if plan.planned is not None:
        parts = [
            cards.paragraph(text.levels_sentence(plan.planned), "decide-verdict"),
            cards.direction_bars(plan.planned),
            cards.paragraph(text.bars_note(trials), "decide-note"),
        ]
    else:
        parts = [cards.paragraph(text.no_levels(answers, many), "decide-verdict")]
    parts += [
        cards.paragraph(odds(plan.guarantee, one), "decide-odds"),
        cards.guess_dots(plan.guarantee, one),
        cards.paragraph(text.promises_nothing(plan.guarantee), "decide-error"),
    ]
    if answers.shares:
        people = text.people_sentence(plan, len(answers.shares), many)
        parts.append(cards.paragraph(people or "\u00a0", "decide-people"))
    return cards.body(parts)


def _draw_foot(draft: Draft, answers: Answers, chosen: CardPlan | None) -> None:
    """Say what is chosen, and draw the way to a release: off where something is missing."""
    found = handover(draft, answers, chosen)
    session.hand_over(found if isinstance(found, Handover) else None)
    missing = [one.sentence for one in found] if isinstance(found, tuple) else []
    budget = None if chosen is None else chosen.budget
    with st.container(key="decide-foot", horizontal=True):
        sentence = text.chosen_sentence(answers.chosen, budget)
        why = text.first_missing(missing) if missing else text.READY
        st.html(cards.paragraph(f"{sentence} {why}", "decide-chosen"), width="stretch")
        if isinstance(found, tuple) and found and found[0].step is Step.COLUMNS:
            _draw_way_to_columns("decide-foot-to-columns")
        with st.container(key="decide-go", width="content"):
            if st.button(text.GO_ON, key="decide-release", disabled=bool(missing), type="primary"):
                st.switch_page(RELEASE)


def _draw_answers(answers: Answers, draft: Draft) -> None:
    """Draw the answers in one line, and below it what is wrong with them."""
    many = draft.unit.many
    with st.container(key="decide-answers", horizontal=True):
        typed_field(
            "people",
            text.PEOPLE_LABEL.format(many=many),
            draft.people_guess,
            lambda typed: _change(people_guess=typed),
            example=text.PEOPLE_EXAMPLE,
            width=236,
        )
        if read := text.people_read(draft.people_guess, answers):
            st.html(cards.paragraph(read, "decide-left"), width="content")
        _choose_expectation(answers)
        if answers.shares:
            spectrum = expected_spectrum(answers.shares, answers.columns)
            st.html(cards.spectrum_bars(spectrum, len(answers.shares)), width="content")
        typed_field(
            "shares",
            text.SHARES_LABEL,
            shares_text(answers.shares) if answers.shares else draft.shares,
            lambda typed: _change(shares=typed),
            width=196,
        )
        if answers.shares:
            left = text.shares_left(answers.columns, len(answers.shares))
            st.html(cards.paragraph(left, "decide-left"), width="content")
    for name in ("people", "shares"):
        if name in answers.errors:
            st.html(cards.paragraph(answers.errors[name], "decide-error"))


def _choose_expectation(answers: Answers) -> None:
    """Draw the menu of expectations; shares that were typed have a line of their own."""
    options = [str(expectation) for expectation in Expectation]
    if answers.expectation is None:
        options.append(text.OWN_SHARES)
    shown = str(answers.expectation or text.OWN_SHARES)
    default = shown if answers.by_default else ""
    key = key_starting_at(EXPECTATION, shown)

    def taken() -> None:
        chosen = str(st.session_state[key])
        # As in ``typed_field``: a menu that was drawn anew may still be in the browser.
        if key != widget_key(EXPECTATION) or chosen == shown:
            return
        note_position(EXPECTATION, chosen)
        if chosen in list(Expectation):
            _change(shares=chosen)

    st.selectbox(
        text.EXPECT_LABEL,
        options,
        options.index(shown),
        format_func=lambda one: text.named_default(one, answers.columns) if one == default else one,
        key=key,
        on_change=taken,
        width=372,
    )


def _change(**values: Any) -> None:
    session.update(draft=replace(session.current().draft, **values))
