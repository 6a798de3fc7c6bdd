"""Beside the cards of *Decide*: how a release will be made, stand-ins, and a look at the file."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Literal

import streamlit as st

from dpca_core.data.dataset import Dataset
from dpca_core.data.recipe import Recipe, Source
from dpca_core.tables.prepare import prepare
from sample_data.made_up_table import MADE_UP_FILE_NAME, made_up_csv
from ui.owner import decide_cards as cards
from ui.owner import decide_text as text
from ui.owner import session
from ui.owner.built_in import EXPLORE
from ui.owner.column import Use
from ui.owner.decide_answers import MOST_TYPED, Answers, Card, answers_of
from ui.owner.decide_plans import Plans
from ui.owner.draft import Draft
from ui.owner.sum_job import IN_PROCESS, choose_place, draw_progress, start_streaming
from ui.owner.table_source import SourceTable
from ui.state import session_data
from ui.state.session import change_settings, open_view
from ui.state.settings import DEFAULT_DATA, View
from ui.state.slider_stops import DELTA_STOPS, EPSILON_STOPS, nearest_stop
from ui.state.widget_keys import key_starting_at, note_position, widget_key
from ui.text.numbers import escape_markdown
from ui.text.product import ONE_PAGE

PROBLEM, SUMMED = "decide-look-problem", "decide-look-summary"
"""Session keys: why the last look failed, as the page may be drawn again at any time; and whether
the look is for a summary."""
_FEW_ROWS = 1000
"""Rows of a file where nobody guessed."""


def draw_side(draft: Draft, answers: Answers, plans: Plans) -> None:
    """Draw the three parts."""
    with st.container(key="decide-side-how"):
        _draw_how(draft, answers, plans)
    with st.container(key="decide-side-stand-ins"):
        _draw_stand_ins(draft, answers)
    with st.container(key="decide-side-look"):
        _draw_look(draft)


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


def _draw_look(draft: Draft) -> None:
    """Offer a look; that it was taken is noted before anything is read."""
    st.html(cards.title(text.LOOK_TITLE))
    st.html(cards.paragraph(text.LOOK_NOTE, "decide-side-note"))
    if draft.looked:
        noted = text.LOOKED_AFTER if session.is_decided_before_look() else text.LOOKED
        st.html(cards.paragraph(noted, "decide-side-note"))
    source, recipe = session.current().source, draft.recipe()
    where = IN_PROCESS
    if source is not None and source.path is not None:
        where = choose_place(source.path)
    label = text.LOOK_AGAIN if draft.looked else text.LOOK
    with st.container(key="decide-look-ways", horizontal=True, gap="small"):
        look = st.button(label, key="decide-look")
        summary = st.button(ONE_PAGE, key="decide-summary", help=text.SUMMARY_LOOK)
    if look or summary:
        st.session_state[SUMMED] = summary
        session.note_look()
        st.session_state[PROBLEM] = (
            text.NO_TABLE
            if source is None or isinstance(recipe, tuple)
            else _open(source, recipe, where)
        )
    if problem := st.session_state.get(PROBLEM):
        st.error(escape_markdown(problem))
    if (summed := draw_progress()) is not None:
        _show(summed)


def _open(source: SourceTable, recipe: Recipe, where: str) -> str:
    """Read the owner's table and open it; begin to sum up one that is on the server.

    Returns one sentence where that fails.
    """
    if isinstance(source.place, Path):
        start_streaming(source.name, source.place, recipe, where)
        return ""
    try:
        data = prepare(source.place, recipe, source.name)
        data.problem(1)
    except ValueError as error:
        return str(error)
    except MemoryError:
        return text.TOO_LARGE
    st.session_state.pop(PROBLEM, None)
    _show(data)
    return ""


def _show(data: Dataset) -> None:
    session_data.add_upload(data)
    session_data.show_in_explore(data.key)
    _explore_as_decided(answers_of(session.current().draft), data.d)
    if st.session_state.pop(SUMMED, False):
        # A summary is of the table, with as many people as it has.
        change_settings(n=0.0)
        open_view(View.PAGE)
    st.switch_page(EXPLORE)


def _explore_as_decided(answers: Answers, columns: int) -> None:
    """Let Explore open as the chosen card would be released: its mechanism, budget and neighbours.

    With as many directions as shares, and as many people as were guessed. ε and δ move to the
    stops of Explore's sliders, which have no others.
    """
    if answers.shares:
        change_settings(k=min(len(answers.shares), columns - 1))
    if answers.people is not None:
        change_settings(n=answers.people)
    plan = None if answers.chosen is None else Plans(answers).card(answers.chosen)
    if plan is not None:
        change_settings(
            mechanism=plan.recommendation.mechanism.key,
            epsilon=nearest_stop(plan.budget.epsilon, EPSILON_STOPS),
            delta=nearest_stop(plan.budget.delta, DELTA_STOPS),
            adjacency=str(plan.budget.adjacency),
        )


def synthetic_file(draft: Draft, people: float | None) -> bytes | None:
    """Return a CSV file with the table's header and made-up rows, from public choices alone.

    None where a range, a list or the use of a column was read from the file, since that would leave
    with this one; and while the draft is no recipe.
    """
    recipe = draft.recipe()
    if isinstance(recipe, tuple) or any(c.origin is Source.FILE for c in draft.used):
        return None
    return made_up_csv(draft.header, recipe, int(people or _FEW_ROWS))


def typed_field(
    name: str,
    label: str,
    shown: str,
    take: Callable[[str], object],
    *,
    example: str = "",
    width: int | Literal["stretch"] = "stretch",
) -> None:
    """Draw a text field that is a view of the draft: ``take`` gets what is typed, as it is."""
    position = f"decide-{name}"
    key = key_starting_at(position, shown)

    def taken() -> None:
        typed = str(st.session_state.get(key, ""))
        # A field that was drawn anew may still be in the browser: it says what it said before, and
        # nobody has typed that.
        if key != widget_key(position) or typed == shown:
            return
        note_position(position, typed)
        take(typed)

    st.text_input(
        label,
        shown,
        key=key,
        max_chars=MOST_TYPED,
        on_change=taken,
        placeholder=example,
        width=width,
    )
