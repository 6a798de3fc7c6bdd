"""A file that is not read yet: what has to be asked before, one question after the other."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

import streamlit as st

from dpca_core.data.errors import TableError
from dpca_core.tables.files import Upload
from ui.owner.reading import ReadingQuestion, answers_to_keep, first_format
from ui.owner.source_table import SourceTable
from ui.text.numbers import escape_markdown

_WAITING, _ANSWERED = "owner.waiting-file", "owner.answered-file"
"""Session keys: the file, and the last one that was asked about: no answer is asked for twice,
unless with it the file cannot be read."""


@dataclass(frozen=True)
class _Waiting:
    """A file that is not read yet, and the answers about it so far."""

    name: str
    place: Upload | Path
    answers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


def ask_before(name: str, place: Upload | Path) -> None:
    """Read this file once what has to be asked before is answered: see ``draw_waiting``."""
    waiting = _Waiting(name, place)
    before = st.session_state.get(_ANSWERED)
    if isinstance(before, _Waiting) and before.place is place:
        waiting = replace(waiting, answers=before.answers)
    st.session_state[_WAITING] = waiting


def forget_waiting() -> None:
    """Read no file that waits for an answer."""
    for key in (_WAITING, _ANSWERED):
        st.session_state.pop(key, None)


def draw_waiting() -> SourceTable | None:
    """Draw the question that a file waits for; read it where there is none any more.

    Returns
    -------
    SourceTable
        Once, when the file is read; None before, and without a file.

    Raises
    ------
    TableError
        For what is no table, in one sentence; the file is forgotten.
    """
    waiting = st.session_state.get(_WAITING)
    if not isinstance(waiting, _Waiting):
        return None
    try:
        found = first_format(waiting.place, waiting.answers)
        if isinstance(found, ReadingQuestion):
            _draw_question(waiting, found)
            return None
        source = SourceTable.read(waiting.name, waiting.place, found, waiting.answers)
    except TableError:
        forget_waiting()
        kept = answers_to_keep(waiting.answers)
        st.session_state[_ANSWERED] = replace(waiting, answers=kept)
        raise
    forget_waiting()
    return source


def _draw_question(waiting: _Waiting, question: ReadingQuestion) -> None:
    with st.container(key="owner-reading-question"):
        st.markdown(f"**{question.sentence}**")
        st.markdown(f"{question.before} *{escape_markdown(question.example)}*")
        with st.container(horizontal=True):
            for place, answer in enumerate(question.answers):
                key = f"owner-reading-{question.key}-{place}"
                st.button(answer, key=key, on_click=_answer, args=(waiting, question.key, answer))


def _answer(waiting: _Waiting, key: str, answer: str) -> None:
    answers = MappingProxyType({**waiting.answers, key: answer})
    st.session_state[_WAITING] = replace(waiting, answers=answers)
