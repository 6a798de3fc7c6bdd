"""The page “Your data”: from a table of people to a decision, in steps."""

from html import escape

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ui.owner import session, step_columns, step_decide, step_table, step_who, text
from ui.owner.steps import Step, answers, open_steps, shown_step
from ui.page.markup import element
from ui.state.decision import decided
from ui.state.query_params import write_address
from ui.widgets.navigation import returned_by_history

STEP = "step"
"""Name of the step in the address, which holds nothing else."""

DRAW = {Step.WHO: step_who.draw, Step.COLUMNS: step_columns.draw, Step.DECIDE: step_decide.draw}


def draw_page() -> None:
    """Draw the step that the address asks for, or what there is to begin with."""
    if session.STEP not in st.session_state or returned_by_history():
        session.open_step(st.query_params.get(STEP, session.asked_step()))
    if session.current().source is None or step_table.current_choice().is_open:
        if session.current().source is None:
            _draw_release_step(_draw_bar(Step.WHO))
        step_table.draw_choice()
        write_address({})
        return
    step_columns.merge_edits()
    session.take_sent_back()
    step = shown_step(session.asked_step(), session.current().draft)
    write_address({STEP: step.value})
    place = _draw_bar(step)
    DRAW[step]()
    _draw_release_step(place)


def _draw_bar(now: Step) -> DeltaGenerator:
    """Draw the steps: ink where done, the accent where one is, an answer under each.

    Return the place of the last one: whether it is open is known when *Decide* was drawn.
    """
    draft = session.current().draft
    is_open, under = open_steps(draft), answers(draft)
    with st.container(key="steps"):
        for step in Step:
            place = st.container(key=f"step-{step.value}")
            if step is Step.RELEASE:
                continue
            with place:
                _draw_button(step, enabled=step in is_open, why_not=text.NOT_OPEN)
                state = "is-now" if step is now else "is-done" if step in is_open[:-1] else ""
                _draw_answer(under[step], state)
    return place


def _draw_button(step: Step, *, enabled: bool, why_not: str) -> bool:
    return st.button(
        f"{[*Step].index(step) + 1} {step.value.capitalize()}",
        key=f"open-{step.value}",
        type="tertiary",
        disabled=not enabled,
        help=None if enabled else why_not,
        on_click=session.open_step,
        args=(step,),
    )


def _draw_answer(answer: str, state: str) -> None:
    """Draw what stands under a step; its state is said to those who do not see its colour."""
    unseen = {"is-now": text.CURRENT, "is-done": text.DONE}.get(state, "")
    hidden = element("span", escape(unseen), class_="owner-unseen") if unseen else ""
    st.html(element("p", escape(answer), hidden, class_=f"owner-answer {state}".strip()))


def _draw_release_step(place: DeltaGenerator) -> None:
    """Draw the last step, which leads to a page of its own."""
    is_open = decided() is not None
    with place:
        if _draw_button(Step.RELEASE, enabled=is_open, why_not=text.DECIDE_FIRST):
            st.switch_page(step_decide.RELEASE)
        _draw_answer(answers(session.current().draft)[Step.RELEASE], "")
