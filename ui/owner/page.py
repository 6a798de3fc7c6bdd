"""The page “Your data”: from a table of people to a decision, in steps."""

from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ui.owner import session, step_columns, step_decide, step_table, step_who
from ui.owner import text_table as text
from ui.owner.built_in import draw_built_in
from ui.owner.decide_answers import from_query, to_query
from ui.owner.step_decide import RELEASE
from ui.owner.steps import TITLES, Step, answers, open_steps, shown_step
from ui.page.component import registered
from ui.page.content import packed
from ui.page.markup import element, sentence
from ui.state.decision import decided
from ui.state.query_params import write_address
from ui.widgets.navigation import returned_by_history

STYLE = Path(__file__).parent / "steps.css"
STEP = "step"
"""Name of the step in the address."""

_kept_in_tab = registered("dpca_kept", "kept/main.js", element("p", text.KEPT_IN_TAB))


class _StepView(NamedTuple):
    """What a step shows."""

    headline: Callable[[], tuple[str, str]]
    draw: Callable[[], None]


VIEWS = {
    Step.WHO: _StepView(step_who.headline, step_who.draw),
    Step.COLUMNS: _StepView(step_columns.headline, step_columns.draw),
    Step.DECIDE: _StepView(step_decide.headline, step_decide.draw),
}


def draw_page() -> None:
    """Draw the step that the address asks for, or what there is to begin with."""
    st.html(STYLE)
    _read_address()
    owner = session.current()
    if owner.source is None or step_table.is_choosing():
        _draw_choice()
        write_address({})
        return
    step_columns.merge_edits()
    session.take_sent_back()
    draft = session.current().draft
    step = shown_step(session.asked_step(), draft)
    write_address({STEP: step.value} | (to_query(draft) if step is Step.DECIDE else {}))
    place = _draw_bar(step)
    view = VIEWS[step]
    _draw_headline(*view.headline())
    if step is not Step.DECIDE:  # nothing there is read from the table
        step_table.draw_line()
    view.draw()
    _draw_release_step(place)


def _read_address() -> None:
    """Take step and answers of a link once, and the step again where the browser went back."""
    query = st.query_params.to_dict()
    if not st.session_state.get(session.ADDRESS_READ):
        st.session_state[session.ADDRESS_READ] = True
        session.update(draft=from_query(session.current().draft, query))
        session.open_step(query.get(STEP, session.asked_step()))
    elif returned_by_history() and STEP in query:
        session.open_step(query[STEP])


def _draw_bar(now: Step) -> DeltaGenerator:
    """Draw the steps: ink where done, the accent where one is, an answer under each.

    Return the place of the last one: whether it is open is known when *Decide* was drawn.
    """
    draft = session.current().draft
    is_open, under = open_steps(draft), answers(draft)
    with st.container(key="steps"):
        for number, (step, title) in enumerate(TITLES.items(), 1):
            place = st.container(key=f"step-{step.value}")
            if step is Step.RELEASE:
                continue
            done = step in is_open and step is not now and list(Step).index(step) < len(is_open) - 1
            state = "is-now" if step is now else "is-done" if done else ""
            with place:
                st.button(
                    f"{number} {title}",
                    key=f"open-{step.value}",
                    type="tertiary",
                    disabled=step not in is_open,
                    help=None if step in is_open else text.NOT_OPEN,
                    on_click=session.open_step,
                    args=(step,),
                )
                _draw_answer(under[step], state)
    return place


def _draw_answer(answer: str, state: str) -> None:
    """Draw what stands under a step; its state is said to those who do not see its colour."""
    unseen = {"is-now": text.CURRENT, "is-done": text.DONE}.get(state, "")
    hidden = element("span", escape(unseen), class_="owner-unseen") if unseen else ""
    st.html(element("p", escape(answer), hidden, class_=f"owner-answer {state}".strip()))


def _draw_release_step(place: DeltaGenerator) -> None:
    """Draw the last step, which leads to a page of its own."""
    is_open = decided() is not None
    with place:
        if st.button(
            f"{len(TITLES)} {TITLES[Step.RELEASE]}",
            key=f"open-{Step.RELEASE.value}",
            type="tertiary",
            disabled=not is_open,
            help=None if is_open else text.DECIDE_FIRST,
        ):
            st.switch_page(RELEASE)
        _draw_answer(answers(session.current().draft)[Step.RELEASE], "")


def _draw_headline(headline: str, lead: str) -> None:
    with st.container(key="owner-head"):
        st.html(
            element("h1", sentence(headline), class_="owner-headline")
            + (element("p", sentence(lead), class_="owner-lead") if lead else "")
        )


def _draw_choice() -> None:
    """Draw where a table may come from: the first thing that is seen of this page."""
    if session.current().source is not None:
        st.button(text.KEEP_TABLE, key="keep-table", on_click=step_table.keep_table)
    else:
        _draw_release_step(_draw_bar(Step.WHO))
    with st.container(key="owner-empty"):
        _draw_headline(text.EMPTY_HEADLINE, text.EMPTY_LEAD)
        step_table.draw_choice()
        forget = {"forget": session.FORGOTTEN in st.session_state}
        _kept_in_tab(key="kept-in-tab", data=packed(forget))
        st.button(
            text.TRY_CLINIC,
            key="try-clinic",
            type="tertiary",
            on_click=step_table.open_clinic,
            help=text.CLINIC_HELP,
        )
    draw_built_in()
