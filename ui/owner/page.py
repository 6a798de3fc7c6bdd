"""The page “Your data”: from a table of people to a decision, in steps."""

from html import escape

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ui.owner import session, step_columns, step_decide, step_table, step_who
from ui.owner.steps import Step, answers, open_steps, shown_step
from ui.owner.text import say
from ui.page.markup import element
from ui.state.decision import decided
from ui.state.session import write_address
from ui.widgets.start_page import returned_by_history

STEP = "step"
"""Name of the step in the address, which holds nothing else."""

DRAW = {Step.WHO: step_who.draw, Step.COLUMNS: step_columns.draw, Step.DECIDE: step_decide.draw}


def draw_page() -> None:
    """Draw the step that the address asks for, or what there is to begin with."""
    asked = session.current().step
    if not asked or returned_by_history():
        session.open_step(st.query_params.get(STEP, asked))
    owner = session.current()
    if owner.source is None or owner.choice is not None:
        if owner.source is None:
            _draw_release_step(_draw_bar(Step.WHO))
        step_table.draw_choice()
        write_address({})
        return
    step_columns.merge_edits()
    session.take_sent_back()
    owner = session.current()
    step = shown_step(owner.step, owner.draft)
    write_address({STEP: step.value})
    place = _draw_bar(step)
    DRAW[step]()
    _draw_release_step(place)


def _draw_bar(now: Step) -> DeltaGenerator:
    """Draw the steps: ink where done, the accent where one is, an answer under each.

    Return the place of the last one: whether it is open is known when *Decide* was drawn.
    """
    draft = session.current().draft
    opened, under = open_steps(draft), answers(draft)
    with st.container(key="steps"):
        for step in Step:
            place = st.container(key=f"step-{step.value}")
            if step is not Step.RELEASE:
                state = "is-now" if step is now else "is-done" if step in opened[:-1] else ""
                why_not = "" if step in opened else say("not_open")
                _draw_step(place, step, under[step], why_not, state)
    return place


def _draw_step(
    place: DeltaGenerator, step: Step, answer: str, why_not: str, state: str = ""
) -> bool:
    """Draw a step, and what stands under it; return whether it was pressed.

    Its state is said to those who do not see its colour.
    """
    unseen = say.table("states").get(state, "")
    hidden = element("span", unseen, class_="owner-unseen") if unseen else ""
    with place:
        pressed = st.button(
            f"{[*Step].index(step) + 1} {step.value.capitalize()}",
            key=f"open-{step.value}",
            type="tertiary",
            disabled=bool(why_not),
            help=why_not or None,
            on_click=session.open_step,
            args=(step,),
        )
        st.html(element("p", escape(answer), hidden, class_=f"owner-answer {state}".strip()))
    return pressed


def _draw_release_step(place: DeltaGenerator) -> None:
    """Draw the last step, which leads to a page of its own."""
    why_not = "" if decided() else say("decide_first")
    if _draw_step(place, Step.RELEASE, answers(session.current().draft)[Step.RELEASE], why_not):
        st.switch_page(step_decide.RELEASE)
