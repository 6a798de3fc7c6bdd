"""Which person each row belongs to: the question asked before anything is drawn, the ID column."""

from dataclasses import replace

import streamlit as st

from ui.data.controls.session_table import current_draft, reset_controls, set_draft, widget_key
from ui.data.recipe_draft import RecipeDraft
from ui.data.text import (
    GROUP_FIRST,
    ID_COLUMN_HELP,
    every_row_differs,
    id_question,
    rows_per_value,
)
from ui.text.numbers import escape_markdown

EACH_ROW = "each row"
"""The answer that each row belongs to a different person."""


def ask_for_person(draft: RecipeDraft, *, streamed: bool) -> None:
    """Ask which person a row belongs to, where a column that seems to name a person repeats."""
    if not draft.id_candidates:
        return
    options = [EACH_ROW, *(column.name for column in draft.id_candidates)]
    answer = _answer(draft)
    found = [(c.name, rows_per_value(c.usual, c.most)) for c in draft.id_candidates]
    with st.container(border=True, key="question"):
        st.radio(
            id_question(found, draft.unit),
            options,
            index=None if answer is None else options.index(answer),
            format_func=lambda answer: _option(str(answer), draft.unit),
            key=widget_key("whose"),
            on_change=_answered,
        )
        if streamed and current_draft().person is not None:
            st.error(f"A table on this server is read in one pass: {GROUP_FIRST}")


def _option(answer: str, unit: str) -> str:
    if answer == EACH_ROW:
        return f"Each row belongs to a different {escape_markdown(unit)}"
    return f"{escape_markdown(answer)} names the {escape_markdown(unit)}"


def _answer(draft: RecipeDraft) -> str | None:
    if not draft.person_decided:
        return None
    answer = draft.person or EACH_ROW
    offered = answer == EACH_ROW or answer in [column.name for column in draft.id_candidates]
    return answer if offered else None


def _answered() -> None:
    answer = st.session_state[widget_key("whose")]
    person = None if answer in (None, EACH_ROW) else str(answer)
    set_draft(replace(current_draft(), person=person, person_decided=answer is not None))
    reset_controls("person", "categories")


def choose_id_column(draft: RecipeDraft, streamed: bool) -> None:
    """Draw the choice of the ID column; a streamed table has none."""
    if streamed:
        st.caption(every_row_differs(draft.unit, streamed=True))
        return
    options = [None, *draft.names]
    st.selectbox(
        "ID column",
        options,
        options.index(draft.person),
        key=widget_key("person"),
        on_change=_chosen,
        format_func=lambda c: "none" if c is None else str(c),
        help=ID_COLUMN_HELP,
    )
    if draft.person is None:
        st.caption(every_row_differs(draft.unit, streamed=False))


def _chosen() -> None:
    person = st.session_state[widget_key("person")]
    set_draft(replace(current_draft(), person=person, person_decided=True))
    reset_controls("whose", "categories")
