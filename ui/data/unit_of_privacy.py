"""Whose the rows are: the question that is asked before anything is drawn, and the ID column."""

from dataclasses import replace

import streamlit as st

from ui.data.draft import Draft
from ui.data.kept_table import current, keep, keyed, renewed
from ui.text.numbers import escape_markdown

EACH = "each row"
BEFORE = "bring the rows of one together before, as Proofs, “Large tables”, shows."
OPEN = "Say first whose the rows are: the question stands below the preview."


def ask(draft: Draft, *, streamed: bool) -> None:
    """Ask whose the rows are, where a column that seems to name a person repeats."""
    if not draft.repeated:
        return
    one = draft.unit
    names = [each.name for each in draft.repeated]
    seen = ", ".join(f"{escape_markdown(each.name)} has {each.said}" for each in draft.repeated)
    which = (
        f"does {escape_markdown(names[0])} name" if len(names) == 1 else "does one of these name"
    )
    with st.container(border=True, key="question"):
        st.radio(
            f"**{seen}. Does each row belong to a different {escape_markdown(one)}, or {which} the "
            f"{escape_markdown(one)}?**",
            [EACH, *names],
            index=_place(_answer(draft), [EACH, *names]),
            format_func=lambda answer: _option(str(answer), one),
            key=keyed("whose"),
            on_change=_answered,
        )
        if streamed and current().person is not None:
            st.error(f"A table on this server is read in one pass: {BEFORE}")


def _option(answer: str, one: str) -> str:
    if answer == EACH:
        return f"Each row belongs to a different {escape_markdown(one)}"
    return f"{escape_markdown(answer)} names the {escape_markdown(one)}"


def _answer(draft: Draft) -> str | None:
    if not draft.asked:
        return None
    answer = draft.person or EACH
    return answer if answer == EACH or answer in [each.name for each in draft.repeated] else None


def _place(answer: str | None, options: list[str]) -> int | None:
    return None if answer is None else options.index(answer)


def _answered() -> None:
    answer = st.session_state[keyed("whose")]
    person = None if answer in (None, EACH) else str(answer)
    keep(replace(current(), person=person, asked=answer is not None))
    renewed("person", "categories")


def choose_id_column(draft: Draft, streamed: bool) -> None:
    """Draw the choice of the ID column; a stream has none."""
    if streamed:
        st.caption(
            f"We assume that every row is a different {escape_markdown(draft.unit)}: {BEFORE}"
        )
        return
    options = [None, *draft.names]
    st.selectbox(
        "ID column", options, options.index(draft.person), key=keyed("person"), on_change=_chosen,
        format_func=lambda c: "none" if c is None else str(c),
        help="Names the person that a row belongs to. It is used to bring rows together, never in "
        "the PCA.",
    )  # fmt: skip
    if draft.person is None:
        st.caption(f"We assume that every row is a different {escape_markdown(draft.unit)}.")


def _chosen() -> None:
    keep(replace(current(), person=st.session_state[keyed("person")], asked=True))
    renewed("whose", "categories")
