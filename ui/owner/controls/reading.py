"""How a file is read, and how that can be changed; what is confirmed of many columns at once."""

from dataclasses import replace
from types import MappingProxyType

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpca_core.data.errors import TableError
from dpca_core.data.text_file_format import MOST_SKIPPED, Escape, TextFileFormat
from ui.owner import session
from ui.owner import text_reading as text
from ui.owner.draft import Draft
from ui.owner.proposals import (
    SharedQuestion,
    answered_for_all,
    confirmed_left_out,
    reading_after_answers,
    shared_questions,
    unconfirmed,
    with_confirmed_format,
    with_proposals,
)
from ui.owner.read_as import read_as
from ui.owner.reading import CHOSEN, FORMAT, marks_that_differ
from ui.owner.source_table import SourceTable
from ui.owner.table_intake import noticed, with_table
from ui.owner.value_lists import join_values, split_values
from ui.state.widget_keys import renew_controls, widget_key
from ui.text.numbers import escape_markdown

_REFUSED = "owner.refused-format"
"""Session key: why a format could not be taken."""
_CONTROLS = tuple(
    f"owner.format.{name}"
    for name in (
        *("delimiter", "decimal", "thousands", "encoding", "missing", "first-line"),
        *("quotations", "skipped"),
    )
)


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
    """Read the same file in another format; the draft stays, and what was proposed is renewed.

    Parameters
    ----------
    chosen
        Whether the owner chose the format as a whole.
    """
    owner, source = session.current(), session.current().source
    if source is None:
        return
    try:
        other = SourceTable.read(source.name, source.place, form)
    except TableError as error:
        st.session_state[_REFUSED] = str(error)
        session.update(draft=read_as(owner.draft, source.number_format))
        return
    st.session_state.pop(_REFUSED, None)
    asked = {**owner.draft.asked, **({FORMAT: CHOSEN} if chosen else {})}
    kept = MappingProxyType(asked)
    other = replace(other, asked=kept)
    names = tuple(map(str, other.table.columns))
    draft = read_as(replace(owner.draft, asked=kept), form)
    # Other names, another table: it starts with step 1.
    take = noticed if names == draft.header else with_table
    after = take(replace(owner, draft=draft), other)
    session.update(
        draft=after.draft,
        source=after.source,
        columns=after.columns,
        person=after.person,
        looks=after.looks,
    )
    renew_controls(*_CONTROLS)


def draw_format() -> None:
    """Draw how the file is written, to be looked at and changed; nothing for Parquet."""
    source = session.current().source
    if source is None or not source.is_text:
        return
    with st.expander(text.FORMAT_TITLE):
        form = _chosen_format(source)
        if message := st.session_state.get(_REFUSED):
            st.error(escape_markdown(text.not_in_this_format(message)))
    if form.thousands and form.thousands in form.decimal:
        st.error(text.SAME_SIGN)
    elif form != source.number_format:
        with st.spinner("Reading the file again"):
            _read_again(form, chosen=True)
        st.rerun()


def _chosen_format(source: SourceTable) -> TextFileFormat:
    now = source.number_format
    row = st.columns(3)
    delimiter = _choose(row[0], text.BETWEEN, text.DELIMITERS, _CONTROLS[0], now.delimiter)
    decimal = _choose(row[1], text.DECIMAL, text.DECIMALS, _CONTROLS[1], now.decimal)
    thousands = _choose(row[2], text.GROUPS, text.THOUSANDS, _CONTROLS[2], now.thousands)
    row = st.columns(3)
    encoding = _choose(row[0], text.ENCODING, text.ENCODINGS, _CONTROLS[3], now.encoding)
    names = {text.NAMES: text.NAMES, text.A_ROW: text.A_ROW}
    first = text.A_ROW if now.unnamed else text.NAMES
    first_line = _choose(row[1], text.FIRST_LINE, names, _CONTROLS[5], first)
    missing = row[2].text_input(
        text.MISSING_TEXTS,
        value=join_values((token for token in now.missing if token), now),
        key=widget_key(_CONTROLS[4]),
        help=text.MISSING_HELP,
    )
    row = st.columns(3)
    escape = _choose(row[0], text.QUOTATIONS, text.ESCAPES, _CONTROLS[6], now.escape)
    skip = row[1].number_input(
        text.SKIPPED, 0, MOST_SKIPPED, now.skip, key=widget_key(_CONTROLS[7])
    )
    for notice in source.notices:
        st.caption(escape_markdown(notice))
    unnamed = len(source.table.columns) if first_line == text.A_ROW else 0
    tokens = ("", *dict.fromkeys(split_values(missing, now)))
    return replace(
        now,
        delimiter=delimiter,
        decimal=decimal,
        thousands=thousands,
        encoding=encoding,
        missing=tokens,
        unnamed=unnamed,
        escape=Escape(escape),
        skip=int(skip),
    )


def _choose(place: DeltaGenerator, label: str, known: dict[str, str], key: str, now: str) -> str:
    options = known if now in known else {**known, now: f"“{now}”"}
    chosen = place.selectbox(
        label,
        list(options),
        list(options).index(now),
        format_func=lambda sign: options[sign],
        key=widget_key(key),
    )
    return str(chosen)


def draw_noticed() -> None:
    """Draw what can be answered or confirmed of many columns at once; nothing where nothing is."""
    owner = session.current()
    questions = shared_questions(owner.draft, owner.columns)
    left_out = unconfirmed(owner.draft)
    # One is confirmed beside its column.
    several = len(left_out) > 1
    format_is_open = owner.draft.asked.get(FORMAT) == ""
    if not (questions or several or format_is_open):
        return
    with st.container(key="columns-noticed", gap="small"):
        if format_is_open:
            _draw_format_question(owner.draft)
        for place, question in enumerate(questions):
            _draw_shared(f"columns-shared-{place}", question)
        if several:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(text.left_out([escape_markdown(name) for name in left_out]))
                st.button(text.CONFIRM, key="columns-confirm-left-out", on_click=_confirm)


def _draw_format_question(draft: Draft) -> None:
    marks = marks_that_differ(draft.reading, draft.asked)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"{text.format_question(draft.reading, marks)} {text.FORMAT_ELSE}")
        st.button(text.FORMAT_YES, key="columns-confirm-format", on_click=_confirm_format)


def _confirm_format() -> None:
    session.update(draft=with_confirmed_format(session.current().draft))


def _draw_shared(key: str, question: SharedQuestion) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(text.shared_question(question.key, question.columns))
        for place, answer in enumerate(question.answers):
            st.button(answer, key=f"{key}-{place}", on_click=_answer_all, args=(question, answer))


def _answer_all(question: SharedQuestion, answer: str) -> None:
    owner = session.current()
    session.update(draft=answered_for_all(owner.draft, owner.columns, question, answer))


def _confirm() -> None:
    session.update(draft=confirmed_left_out(session.current().draft))
