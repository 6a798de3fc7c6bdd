"""How a file is read, and how that can be changed; what is confirmed of many columns at once."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import cycle
from types import MappingProxyType
from typing import Any

import streamlit as st

from dpca_core.data.errors import TableError
from dpca_core.data.text_file_format import MOST_SKIPPED, TextFileFormat
from ui.owner import session, text
from ui.owner.draft import Draft
from ui.owner.proposals import (
    CHOSEN,
    CONFIRMED,
    DECLARED_MISSING,
    DENIED,
    FORMAT,
    TITLES,
    answered_for_all,
    confirmed_left_out,
    reading_after_answers,
    shared_questions,
    with_confirmed,
    with_proposals,
)
from ui.owner.table_source import SourceTable, marks_that_differ
from ui.owner.typed_values import join_values, split_values
from ui.state.session import renew_controls, widget_key
from ui.text.numbers import escape_markdown

_REFUSED = "owner.refused-format"
"""Session key: a format that could not be taken, and why."""
_KEY = "owner.format."
"""Before a field of the format, in the key of its control."""


def follow_answers() -> None:
    """Read the table again where an answer about commas, or a codebook, says that it must be.

    Where the column beside which that was asked is left out, it is asked beside another one.
    """
    owner = session.current()
    if (draft := with_proposals(owner.draft, owner.columns)) != owner.draft:
        owner = session.update(draft=draft)
    form = reading_after_answers(owner.draft)
    if owner.source is not None and form != owner.source.number_format:
        _read_again(form)


def _read_again(form: TextFileFormat, *, chosen: bool = False) -> None:
    """Read the file in another format, ``chosen`` by its owner or proposed; the draft stays."""
    owner, source = session.current(), session.current().source
    if source is None:
        return
    asked = {**owner.draft.asked, **({FORMAT: CHOSEN} if chosen else {})}
    try:
        other = SourceTable.read(source.name, source.place, form, MappingProxyType(asked))
    except TableError as error:
        st.session_state[_REFUSED] = form, str(error)
        session.update(draft=owner.draft.read_as(source.number_format))
        return
    st.session_state.pop(_REFUSED, None)
    session.keep(owner.read_again(other))
    renew_controls(*(f"{_KEY}{name}" for name in TextFileFormat.__dataclass_fields__))


def draw_format() -> None:
    """Draw how the file is written, to be looked at and changed; nothing where its kind says it."""
    source = session.current().source
    if source is None or not source.has_format:
        return
    with st.expander(text.FORMAT_TITLE):
        form = _chosen_format(source)
        refused, why = st.session_state.get(_REFUSED, (None, ""))
        if why:
            st.error(escape_markdown(f"In this format: {why}"))
    if form.thousands and form.thousands in form.decimal:
        st.error(text.SAME_SIGN)
    elif form not in (source.number_format, refused):
        with st.spinner("Reading the file again"):
            _read_again(form, chosen=True)
        st.rerun()


def _chosen_format(source: SourceTable) -> TextFileFormat:
    """Draw a control for each choice that there is for a file of this kind."""
    now, places = source.number_format, cycle(st.columns(3))

    def choose(name: str, label: str, known: Mapping[str, str], stands: str) -> str | None:
        options = known if stands in known else {**known, stands: f"“{stands}”"}
        return next(places).selectbox(
            label,
            [*options],
            [*options].index(stands),
            format_func=options.__getitem__,
            key=widget_key(_KEY + name),
        )

    names = {text.COLUMN_NAMES: text.COLUMN_NAMES, text.A_ROW: text.A_ROW}
    first = choose(
        "unnamed", text.FIRST_LINE, names, text.A_ROW if now.unnamed else text.COLUMN_NAMES
    )
    lines, key = next(places), widget_key(f"{_KEY}skip")
    now = replace(
        now,
        unnamed=len(source.table.columns) if first == text.A_ROW else 0,
        skip=int(lines.number_input(text.SKIPPED, 0, MOST_SKIPPED, now.skip, key=key)),
    )
    if source.sheets:
        sheets = {name: name for name in source.sheets}
        sheet = choose("sheet", text.SHEET, sheets, now.sheet or source.sheets[0])
        return replace(now, sheet=sheet if sheet and sheet != source.sheets[0] else "")
    chosen: dict[str, Any] = {
        name: choose(name, label, known, getattr(now, name))
        for name, (label, known) in text.MENUS.items()
    }
    missing = next(places).text_input(
        text.MISSING_TEXTS,
        value=join_values((token for token in now.missing if token), now),
        key=widget_key(f"{_KEY}missing"),
        help=text.MISSING_HELP,
    )
    for notice in source.notices:
        st.caption(escape_markdown(notice))
    return replace(now, **chosen, missing=("", *dict.fromkeys(split_values(missing, now))))


def draw_noticed() -> None:
    """Draw what can be answered or confirmed of many columns at once; nothing where nothing is."""
    owner = session.current()
    draft = owner.draft
    with st.container(key="columns-noticed", gap="small"):
        for key in (FORMAT, DECLARED_MISSING, TITLES):
            if draft.asked.get(key) == "":
                words = [CONFIRMED, DENIED] if key == TITLES else [CONFIRMED]
                ways = [(one, partial(with_confirmed, key=key, answer=one)) for one in words]
                _ask(f"columns-confirm-{key}", _file_question(key, draft, owner.source), ways)
        shared = shared_questions(draft, owner.columns).items()
        for place, ((key, answers, _), columns) in enumerate(shared):
            answered = partial(answered_for_all, proposals=columns, key=key)
            ways = [(one, partial(answered, answer=one)) for one in answers]
            said = text.shared_question(key, [column.name for column in columns])
            _ask(f"columns-shared-{place}", said, ways)
        # One is confirmed beside its column.
        if len(draft.unconfirmed) > 1:
            leave = text.CONFIRM, confirmed_left_out
            _ask("columns-confirm-left-out", text.left_out(draft.unconfirmed), [leave])


def _file_question(key: str, draft: Draft, source: SourceTable | None) -> str:
    if key == FORMAT:
        return text.format_question(draft.reading, marks_that_differ(draft.reading, draft.asked))
    if key == TITLES:
        return text.TITLES_QUESTION
    labels = source.labels if source is not None else {}
    missing = {name: said.missing for name, said in labels.items() if said.missing}
    return escape_markdown(text.missing_question(missing))


def _ask(key: str, question: str, answers: Sequence[tuple[str, Callable[[Draft], Draft]]]) -> None:
    """Draw a question, and beside it what each answer makes of the draft."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(question)
        for place, (words, change) in enumerate(answers):
            name = f"{key}-{place}" if len(answers) > 1 else key
            st.button(words, key=name, on_click=_change, args=(change,))


def _change(change: Callable[[Draft], Draft]) -> None:
    session.update(draft=change(session.current().draft))
