"""Step 1, *Who*: which rows are one person's, what one is called, and what becomes of several."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any
from unicodedata import category

import streamlit as st

from dpca_core.data.recipe import Combine
from dpca_core.detection.people import Finding, PersonCandidate, chosen_candidate
from ui.owner import session
from ui.owner.draft import CANNOT_TELL, EVERY_ROW, FOUND, Who
from ui.owner.step_table import draw_head
from ui.owner.steps import Step, who_errors
from ui.owner.text import evidence, named, proposed_words, say
from ui.state.session import key_starting_at, widget_key
from ui.text.numbers import escape_markdown

MOST_COLUMNS, LONGEST_WORD = 4, 30
"""Columns that together can name one person; letters of a word for whoever is protected."""
_OTHER = "other"


def draw() -> None:
    """Draw the step."""
    owner, who = session.current(), _who()
    is_found = owner.person.finding is Finding.FOUND
    headline = {"": "protect_one" if is_found else "question_open", CANNOT_TELL: "row_protected"}
    said = say(headline.get(who.answer, "one_protected"), one=who.one)
    draw_head(said, evidence(owner.person), with_table=True)
    with st.container(key="who"):
        words = _words(who)
        plain = next((one for one in owner.candidates[:1] if one.is_plain and not who.answer), None)
        if plain is not None:
            st.button(
                say("plain", names=escape_markdown(named(plain.columns)), **words),
                key="who-plain",
                type="primary",
                on_click=_found,
                args=(plain.columns, Step.COLUMNS),
            )
        _ask_whose(who)
        if who.person:
            found = _candidate(who)
            if found is not None and found.zeros:
                st.warning(say("zeros", number=found.zeros, **words))
            else:
                st.caption(say("as_written", **words))
            _ask_about_several(who, found)
        if who.answer == CANNOT_TELL:
            st.warning(say("cannot_tell_note", **words))
        repeated = next((one for one in owner.candidates if one.largest > 1), None)
        if who.answer == EVERY_ROW and repeated is not None:
            names = escape_markdown(named(repeated.columns))
            st.warning(say("against", found=repeated, names=names, **words))
        if owner.is_streamed:
            st.caption(say("streamed_note", **words))
        _ask_for_words(who)
        st.button(
            say("on"),
            key="who-on",
            type="primary" if plain is None else "secondary",
            disabled=bool(who_errors(owner.draft)),
            on_click=session.open_step,
            args=(Step.COLUMNS,),
        )


def _who() -> Who:
    return session.current().draft.who


def _update(**changes: Any) -> None:
    session.update(draft=replace(session.current().draft, who=replace(_who(), **changes)))


def _words(who: Who) -> dict[str, str]:
    """Return the words of a sentence about the protected, as Markdown shows them."""
    said = {"one": who.one, "many": who.many, "column": " and ".join(who.columns)}
    return {name: escape_markdown(word) for name, word in said.items()}


def _candidate(who: Who) -> PersonCandidate | None:
    """Return what is known of the columns that were chosen."""
    owner = session.current()
    found = next((one for one in owner.candidates if one.columns == who.columns), None)
    if found or owner.source is None or not {*who.columns} <= {*owner.source.names}:
        return found
    return chosen_candidate(owner.source.table, who.columns)


def _ask_whose(who: Who) -> None:
    """Ask which rows are one person's: always, since finding nothing proves nothing."""
    owner, one = session.current(), escape_markdown(who.one)
    option = "sure_option" if owner.person.finding is Finding.FOUND else "option"
    labels: dict[str | tuple[str, ...], str] = {}
    for found in owner.candidates:
        names = escape_markdown(named(found.columns))
        labels[found.columns] = say(option, one=one, names=names, people=found.people)
    if not owner.is_streamed:
        labels[_OTHER] = say("other" if labels else "no_other", one=one)
    labels[EVERY_ROW] = say("every_row", one=one)
    labels[CANNOT_TELL] = say("cannot_tell", one=one)
    chosen: str | tuple[str, ...] = who.answer
    if owner.others_asked or (chosen == FOUND and who.columns not in labels):
        chosen = _OTHER
    elif chosen == FOUND:
        chosen = who.columns
    st.radio(
        say("question", one=one),
        [*labels],
        [*labels].index(chosen) if chosen in labels else None,
        format_func=labels.__getitem__,
        # A browser names the option that is chosen by what it read: with other words it is no
        # option any more, and would come back as an answer of its own.
        key=key_starting_at("who.answer", (who.one, who.many)),
        on_change=_answered,
    )
    if chosen == _OTHER:
        header = owner.draft.header
        st.multiselect(
            say("which_columns", one=one),
            header,
            [name for name in who.columns if name in header],
            key=widget_key("who.columns"),
            on_change=_columns_chosen,
            max_selections=MOST_COLUMNS,
        )


def _answered() -> None:
    answer = st.session_state.get(widget_key("who.answer"))
    session.update(others_asked=answer == _OTHER)
    if isinstance(answer, tuple):
        _found(answer)
    elif answer in (_OTHER, EVERY_ROW, CANNOT_TELL):
        _update(answer="" if answer == _OTHER else answer, columns=())


def _found(columns: tuple[str, ...], then: Step | None = None) -> None:
    words = proposed_words(columns) if _who().one == Who().one else None
    called = {"one": words[0], "many": words[1]} if words else {}
    _update(answer=FOUND, columns=columns, **called)
    if then:
        session.open_step(then)


def _columns_chosen() -> None:
    names = tuple(map(str, st.session_state.get(widget_key("who.columns")) or ()))
    _update(answer=FOUND if names else "", columns=names)


def _ask_about_several(who: Who, found: PersonCandidate | None) -> None:
    """Ask what becomes of several rows of one person, and of rows that name nobody."""
    words = _words(who)
    # An m that is missing is asked for, whatever columns name the person now.
    if found is None or found.largest > 1 or who.rows_kept is None:
        with st.container(horizontal=True, key="who-several", vertical_alignment="bottom"):
            _choose(say("several_rows", **words), say.table("combine"), "combine")
            if who.combine is Combine.AT_MOST:
                largest = "not known" if found is None else say("rows", number=found.largest)
                help_ = say("most_help", largest=largest)
                _field(st.text_input, "m", "most", who.most, help=help_, max_chars=12, width=120)
    if found is None or found.without_id:
        rows = "Rows" if found is None else say("rows", number=found.without_id)
        labels = say.table("missing_person", **words)
        _choose(say("without_id", rows=rows, **words), labels, "missing_person")
    if found is not None and found.spellings:
        label = say("ignore_case", spellings=found.spellings, **words)
        _field(st.checkbox, label, "ids_ignore_case", who.ids_ignore_case)


def _choose(label: str, labels: Mapping[str, str], name: str) -> None:
    chosen = [*labels].index(getattr(_who(), name))
    _field(st.radio, label, name, [*labels], chosen, format_func=labels.__getitem__)


def _field(control: Callable[..., Any], label: str, name: str, *values: Any, **options: Any) -> Any:
    """Draw a control of a field of ``Who``."""
    key = widget_key(f"who.{name}")
    return control(label, *values, key=key, on_change=_typed, args=(name,), **options)


def _typed(name: str) -> None:
    value = st.session_state.get(widget_key(f"who.{name}"))
    if name in say.table("called"):
        if is_printable_word(word := str(value or "").strip()):
            _update(**{name: word})
    elif value is not None:
        # These questions, and what stands beside them, show what the file holds.
        _update(**{name: type(getattr(_who(), name))(value)}, noticed=True)


def _ask_for_words(who: Who) -> None:
    """Ask what one of them is called: the word is used everywhere, and printed."""
    with st.container(horizontal=True, key="who-words"):
        text = partial(st.text_input, max_chars=LONGEST_WORD, width=220)
        called = say.table("called").items()
        typed = [_field(text, label, name, getattr(who, name)) for name, label in called]
    if not all(is_printable_word(word.strip()) for word in typed):
        st.error(say("word_error", most=LONGEST_WORD))


def is_printable_word(text: str) -> bool:
    """Tell whether a word can name whoever is protected: it is printed, so nothing like markup."""
    letters = (sign in " -" or category(sign)[0] in "LM" for sign in text)
    return 0 < len(text) <= LONGEST_WORD and text[0].isalpha() and all(letters)
