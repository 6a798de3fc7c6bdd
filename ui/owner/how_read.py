"""How a file is read, and how that can be changed; what is confirmed of many columns at once."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from itertools import cycle
from typing import Any

import streamlit as st

from dpca_core.data.errors import TableError
from dpca_core.data.text_file_format import MOST_SKIPPED, TextFileFormat
from ui.owner import proposals, session
from ui.owner.draft import Draft
from ui.owner.proposals import (
    CONFIRMED,
    DECLARED_MISSING,
    DENIED,
    FORMAT,
    TITLES,
    confirmed_left_out,
)
from ui.owner.table_source import SourceTable, marks_that_differ
from ui.owner.text import format_question, missing_question, named, say, shared_question
from ui.owner.typed_values import join_values, split_values
from ui.state.session import renew_controls, widget_key
from ui.text.numbers import escape_markdown

_KEY = "owner.format."
"""Before a field of the format, in the key of its control."""
_MENUS = ("delimiter", "decimal", "thousands", "encoding", "escape")
"""Fields of a text file's format with a few choices each."""


def follow_answers() -> None:
    """Read the table again where an answer about commas, or a codebook, says that it must be."""
    owner = session.current()
    draft = proposals.with_proposals(owner.draft, owner.columns)
    if draft != owner.draft:
        session.update(draft=draft)
    form = proposals.reading_after_answers(draft)
    if owner.source is not None and form != owner.source.number_format:
        _read_again(form)


def _read_again(form: TextFileFormat, *, chosen: bool = False) -> None:
    """Read the file in another format, ``chosen`` by its owner or proposed; the draft stays."""
    owner, source = session.current(), session.current().source
    if source is None:
        return
    try:
        other = SourceTable.read(source.name, source.place, form)
    except TableError as error:
        draft = owner.draft.read_as(source.number_format)
        session.update(draft=draft, refused_format=(form, str(error)))
        return
    if chosen:
        draft = replace(owner.draft, asked={**owner.draft.asked, FORMAT: proposals.CHOSEN})
        owner = replace(owner, draft=draft)
    session.keep(owner.read_again(other))
    renew_controls(*(f"{_KEY}{one.name}" for one in fields(form)))


def draw_format() -> None:
    """Draw how the file is written, to be looked at and changed; nothing where its kind says it."""
    owner, source = session.current(), session.current().source
    if source is None or not source.has_format:
        return
    refused, why = owner.refused_format or (None, "")
    with st.expander(say("format_title")):
        form = _chosen_format(source)
        if why:
            st.error(escape_markdown(say("in_this_format", why=why)))
    if form.thousands and form.thousands in form.decimal:
        st.error(say("same_sign"))
    elif form not in (source.number_format, refused):
        with st.spinner("Reading the file again"):
            _read_again(form, chosen=True)
        st.rerun()


def _chosen_format(source: SourceTable) -> TextFileFormat:
    """Draw a control for each choice that there is for a file of this kind."""
    now, places = source.number_format, cycle(st.columns(3))

    def choose(name: str, label: str, known: Mapping[Any, str]) -> Any:
        stands = getattr(now, name)
        options = known if stands in known else {**known, stands: f"“{stands}”"}
        chosen = next(places).selectbox(
            label,
            [*options],
            [*options].index(stands),
            format_func=options.__getitem__,
            key=widget_key(_KEY + name),
        )
        return type(stands)(chosen)

    unnamed = 0, now.unnamed or len(source.table.columns)
    first_line = dict(zip(unnamed, say.each("first_lines"), strict=True))
    chosen = {"unnamed": choose("unnamed", say("first_line"), first_line)}
    key = widget_key(f"{_KEY}skip")
    chosen["skip"] = next(places).number_input(say("skipped"), 0, MOST_SKIPPED, now.skip, key=key)
    if source.sheets:
        first, *others = source.sheets
        chosen["sheet"] = choose("sheet", say("sheet"), {"": first} | {one: one for one in others})
        return replace(now, **chosen)
    labels = say.table("menus")
    chosen |= {name: choose(name, labels[name], say.table(name)) for name in _MENUS}
    missing = next(places).text_input(
        say("missing_texts"),
        value=join_values((token for token in now.missing if token), now),
        key=widget_key(f"{_KEY}missing"),
        help=say("missing_help"),
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
                words = (CONFIRMED, DENIED) if key == TITLES else (CONFIRMED,)
                said = _file_question(key, draft, owner.source)
                _ask(f"columns-confirm-{key}", said, words, proposals.with_confirmed, key)
        shared = proposals.shared_questions(draft, owner.columns).items()
        for place, ((key, answers, _), columns) in enumerate(shared):
            said = shared_question(key, [column.name for column in columns])
            _ask(f"columns-shared-{place}", said, answers, proposals.answered_for_all, columns, key)
        # One is confirmed beside its column.
        if len(draft.unconfirmed) > 1:
            names = escape_markdown(named(draft.unconfirmed))
            said = say("left_out", number=len(draft.unconfirmed), names=names)
            words = (say("confirm_left_out"),)
            _ask("columns-confirm-left-out", said, words, lambda now, _: confirmed_left_out(now))


def _file_question(key: str, draft: Draft, source: SourceTable | None) -> str:
    if key == FORMAT:
        return format_question(draft.reading, marks_that_differ(draft.reading))
    if key == TITLES:
        return say("titles_question")
    labels = source.labels if source is not None else {}
    missing = {name: said.missing for name, said in labels.items() if said.missing}
    return escape_markdown(missing_question(missing))


def _ask(
    key: str, question: str, answers: Sequence[str], change: Callable[..., Draft], *about: Any
) -> None:
    """Draw a question, and beside it the answers, each of which changes the draft."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(question)
        for place, answer in enumerate(answers):
            name = f"{key}-{place}" if len(answers) > 1 else key
            st.button(answer, key=name, on_click=_change, args=(change, *about, answer))


def _change(change: Callable[..., Draft], *about: Any) -> None:
    session.update(draft=change(session.current().draft, *about))
