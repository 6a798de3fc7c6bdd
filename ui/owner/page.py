"""The page Prepare: from a table of people to a decision, in steps."""

from html import escape

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ui.owner import session, step_columns, step_decide, step_table, step_who
from ui.owner.steps import Step, answers, open_steps, shown_step
from ui.owner.text import say
from ui.page.markup import element
from ui.state.decision import decided
from ui.state.session import write_address
from ui.widgets.start_page import returned_by_history, start_page

STEP = "step"
"""Name of the step in the address, which holds nothing else."""

DRAW = {Step.WHO: step_who.draw, Step.COLUMNS: step_columns.draw, Step.DECIDE: step_decide.draw}


def draw_page() -> None:
    """Draw the step that the address asks for, or what there is to begin with."""
    start_page()
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
    opened = open_steps(session.current().draft)
    with st.container(key="steps"):
        *places, last = [st.container(key=f"step-{step.value}") for step in Step]
    for step, place in zip(Step, places, strict=False):
        state = "is-now" if step is now else "is-done" if step in opened[:-1] else ""
        _draw_step(place, step, "" if step in opened else say("not_open"), state)
    return last


def _draw_step(place: DeltaGenerator, step: Step, why_not: str, state: str = "") -> bool:
    """Draw a step, and what stands under it; return whether it was pressed."""
    answer, unseen = answers(session.current().draft)[step], say.table("states").get(state, "")
    # The state is said to those who do not see its colour.
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
    if _draw_step(place, Step.RELEASE, "" if decided() else say("decide_first")):
        st.switch_page(step_decide.RELEASE)
