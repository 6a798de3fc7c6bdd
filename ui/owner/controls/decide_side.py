"""Beside the cards of *Decide*: how a release will be made, stand-ins, and a look at the file."""

from dataclasses import replace

import streamlit as st

from sample_data.made_up_table import MADE_UP_FILE_NAME
from ui.owner import decide_cards as cards
from ui.owner import decide_text as text
from ui.owner import session
from ui.owner.column import Use
from ui.owner.controls.built_in import EXPLORE
from ui.owner.controls.look import draw_look
from ui.owner.controls.typed_field import typed_field
from ui.owner.decide_answers import Answers, Card
from ui.owner.decide_plans import Plans
from ui.owner.draft import Draft
from ui.owner.stand_ins import synthetic_file
from ui.state import session_data
from ui.state.settings import DEFAULT_DATA


def draw_side(draft: Draft, answers: Answers, plans: Plans) -> None:
    """Draw the three parts."""
    with st.container(key="decide-side-how"):
        _draw_how(draft, answers, plans)
    with st.container(key="decide-side-stand-ins"):
        _draw_stand_ins(draft, answers)
    with st.container(key="decide-side-look"):
        draw_look(draft)


def _draw_how(draft: Draft, answers: Answers, plans: Plans) -> None:
    """Say how the chosen card will be done; while none is chosen, the middle one."""
    plan = plans.card(answers.chosen or Card.MIDDLE)
    st.html(cards.title(text.HOW_TITLE))
    if plan is None:
        _choose_delta(draft, answers)
        return
    numbers = [column for column in draft.used if column.use is Use.NUMBER]
    steps = text.steps_of_release(
        plan.recommendation,
        plan.budget,
        answers.columns,
        typical_missing=sum(column["typical"].empty for column in numbers),
        many=draft.unit.many,
    )
    st.html(cards.release_steps(steps))
    if answers.people is not None and plan.recommendation.keeps_more:
        st.html(cards.paragraph(plan.recommendation.keeps_more, "decide-side-note"))
    _choose_delta(draft, answers)
    st.html(cards.paragraph(text.HOW_NOTE, "decide-side-note"))


def _choose_delta(draft: Draft, answers: Answers) -> None:
    """Draw the field of δ, which all cards share, and what is wrong with it."""
    typed_field(
        "delta",
        text.DELTA_LABEL,
        draft.delta or text.delta_shown(answers.delta),
        lambda typed: session.update(draft=replace(session.current().draft, delta=typed)),
        width=160,
    )
    wrong = answers.errors.get("delta") or text.large_delta(answers, draft.unit.many)
    if wrong:
        st.html(cards.paragraph(wrong, "decide-error"))


def _draw_stand_ins(draft: Draft, answers: Answers) -> None:
    st.html(cards.title(text.STAND_INS_TITLE))
    st.html(cards.paragraph(text.STAND_INS_NOTE, "decide-side-note"))
    with st.container(key="decide-stand-in-buttons", horizontal=True, gap="small"):
        if st.button(text.BUILT_IN, key="decide-built-in"):
            session_data.show_in_explore(DEFAULT_DATA, stand_in=True)
            st.switch_page(EXPLORE)
        made_up = synthetic_file(draft, answers.people)
        # Stored when it is asked for: while cards are simulated the page is drawn anew so often
        # that a file stored before could be gone when the browser comes for it.
        st.download_button(
            text.SYNTHETIC,
            lambda: made_up or b"",
            MADE_UP_FILE_NAME,
            "text/csv",
            key="decide-synthetic",
            disabled=made_up is None,
            help=text.SYNTHETIC_HELP if made_up is not None else text.SYNTHETIC_OFF,
            on_click="ignore",
        )
