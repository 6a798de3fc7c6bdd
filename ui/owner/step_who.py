"""Step 1, *Who*: which rows are one person's, what one is called, and what becomes of several."""

from dataclasses import replace
from typing import Any

import streamlit as st

from dpca_core.data.recipe import Combine, MissingPerson
from dpca_core.detection.people import Finding, PersonCandidate, chosen_candidate
from ui.owner import session, text
from ui.owner.draft import CANNOT_TELL, EVERY_ROW, FOUND, Who
from ui.owner.step_table import draw_head
from ui.owner.steps import Step, who_errors
from ui.state.session import key_starting_at, widget_key
from ui.text.numbers import count, escape_markdown

_OTHER = "other"
_CANDIDATE = "candidate-"
_OTHER_CHOSEN, _COUNTED = "owner.other-column", "owner.counted"
"""Session keys: whether “Another column” is chosen, before one is; who was counted in it."""


def draw() -> None:
    """Draw the step."""
    owner, who = session.current(), _who()
    headline = text.who_headline(owner.person, who)
    draw_head(headline, text.evidence(owner.person), with_table=True)
    streamed = owner.source is not None and owner.source.path is not None
    with st.container(key="who"):
        plain = None if who.answer else _plain_candidate()
        if plain is not None:
            said = text.PLAIN.format(one=escape_markdown(who.one), names=text.named(plain.columns))
            st.button(
                said, key="who-plain", type="primary", on_click=_plain_answered, args=(plain,)
            )
        _ask_whose(who, streamed=streamed)
        words = _words(who)
        if who.person:
            found = _candidate(who)
            if found is not None and found.zeros:
                st.warning(text.ZEROS.format(number=count(found.zeros), **words))
            else:
                st.caption(text.AS_WRITTEN.format(**words))
            _ask_about_several(who, found)
        if who.answer == CANNOT_TELL:
            st.warning(text.CANNOT_TELL_NOTE.format(**words))
        repeated = [one for one in _candidates() if one.largest > 1]
        if who.answer == EVERY_ROW and repeated:
            st.warning(text.against(repeated[0], words["one"]))
        if streamed:
            st.caption(text.STREAMED_NOTE.format(**words))
        _ask_for_words(who)
        st.button(
            text.ON,
            key="who-on",
            type="primary" if plain is None else "secondary",
            disabled=bool(who_errors(session.current().draft)),
            on_click=session.open_step,
            args=(Step.COLUMNS,),
        )


def _who() -> Who:
    return session.current().draft.who


def _words(who: Who) -> dict[str, str]:
    """Return the words of a sentence about the protected, as Markdown shows them."""
    said = {"one": who.one, "many": who.many, "column": " and ".join(who.columns)}
    return {name: escape_markdown(word) for name, word in said.items()}


def _candidates() -> tuple[PersonCandidate, ...]:
    """Return what is offered: nothing of a table that is read in one pass."""
    owner = session.current()
    if owner.source is None or owner.source.path is not None:
        return ()
    return owner.person.candidates


def _candidate(who: Who) -> PersonCandidate | None:
    """Return what is known of the columns that were chosen; None without a table."""
    found = next((c for c in _candidates() if c.columns == who.columns), None)
    source = session.current().source
    if found or source is None or not {*who.columns} <= {*source.names}:
        return found
    kept = st.session_state.get(_COUNTED)
    if kept is None or kept[0] is not source or kept[1] != who.columns:
        counted = chosen_candidate(source.table, who.columns)
        kept = st.session_state[_COUNTED] = source, who.columns, counted
    chosen: PersonCandidate = kept[2]
    return chosen


def _plain_candidate() -> PersonCandidate | None:
    """Return what is offered first where, if it is the person, nothing else has to be asked."""
    first = next(iter(_candidates()), None)
    if first is None or first.largest > 1 or first.without_id or first.spellings or first.zeros:
        return None
    return first


def _plain_answered(found: PersonCandidate) -> None:
    _found(found.columns)
    session.open_step(Step.COLUMNS)


def _ask_whose(who: Who, *, streamed: bool) -> None:
    """Ask which rows are one person's: always, since finding nothing proves nothing."""
    one, known = escape_markdown(who.one), _candidates()
    sure = session.current().person.finding is Finding.FOUND
    labels = {f"{_CANDIDATE}{i}": text.option(c, one, sure=sure) for i, c in enumerate(known)}
    if not streamed:
        labels[_OTHER] = (text.OTHER if known else text.NO_OTHER).format(one=one)
    labels[EVERY_ROW] = text.EVERY_ROW_LABEL.format(one=one)
    labels[CANNOT_TELL] = text.CANNOT_TELL_LABEL.format(one=one)
    chosen = who.answer
    if st.session_state.get(_OTHER_CHOSEN):
        chosen = _OTHER
    elif chosen == FOUND:
        offered = {c.columns: f"{_CANDIDATE}{i}" for i, c in enumerate(known)}
        chosen = offered.get(who.columns, _OTHER)
    names = list(labels)
    st.radio(
        text.QUESTION.format(one=one),
        names,
        names.index(chosen) if chosen in names else None,
        format_func=labels.__getitem__,
        # A browser names the option that is chosen by what it read: with other words it is no
        # option any more, and would come back as an answer of its own.
        key=key_starting_at("who.answer", (who.one, who.many)),
        on_change=_answered,
    )
    if chosen == _OTHER:
        header = session.current().draft.header
        st.multiselect(
            text.COLUMNS_LABEL.format(one=one),
            header,
            [name for name in who.columns if name in header],
            key=widget_key("who.columns"),
            on_change=_columns_chosen,
            max_selections=text.MOST_COLUMNS,
        )


def _answered() -> None:
    answer = str(st.session_state.get(widget_key("who.answer")))
    st.session_state[_OTHER_CHOSEN] = answer == _OTHER
    known = {f"{_CANDIDATE}{i}": c.columns for i, c in enumerate(_candidates())}
    if columns := known.get(answer):
        _found(columns)
    elif answer in (_OTHER, EVERY_ROW, CANNOT_TELL):
        _update(answer="" if answer == _OTHER else answer, columns=())


def _found(columns: tuple[str, ...]) -> None:
    words = text.proposed_words(columns) if _who().one == Who().one else None
    named = {"one": words[0], "many": words[1]} if words else {}
    _update(answer=FOUND, columns=columns, **named)


def _columns_chosen() -> None:
    names = tuple(map(str, st.session_state.get(widget_key("who.columns")) or ()))
    _update(answer=FOUND if names else "", columns=names)


def _ask_about_several(who: Who, found: PersonCandidate | None) -> None:
    """Ask what becomes of several rows of one person, and of rows that name nobody."""
    words = _words(who)
    if found is None or found.largest > 1:
        with st.container(horizontal=True, key="who-several", vertical_alignment="bottom"):
            _radio(text.SEVERAL_LABEL.format(**words), text.COMBINE, "combine", who)
            if who.combine is Combine.AT_MOST:
                largest = "not known" if found is None else f"{count(found.largest)} rows"
                st.text_input(
                    text.MOST_LABEL,
                    who.most,
                    key=widget_key("who.most"),
                    on_change=_typed,
                    args=("most",),
                    help=text.MOST_HELP.format(largest=largest),
                    max_chars=12,
                    width=120,
                )
    if found is None or found.without_id:
        rows = "Rows that" if found is None else f"{count(found.without_id)} rows"
        labels = {answer: said.format(**words) for answer, said in text.MISSING_ANSWERS.items()}
        _radio(text.MISSING_LABEL.format(rows=rows, **words), labels, "missing_person", who)
    if found is not None and found.spellings:
        st.checkbox(
            text.IGNORE_CASE.format(spellings=count(found.spellings), **words),
            who.ids_ignore_case,
            key=widget_key("who.ids_ignore_case"),
            on_change=_typed,
            args=("ids_ignore_case",),
        )


def _radio(label: str, labels: dict[Any, str], name: str, who: Who) -> None:
    st.radio(
        label,
        [*labels],
        [*labels].index(getattr(who, name)),
        format_func=labels.__getitem__,
        key=widget_key(f"who.{name}"),
        on_change=_typed,
        args=(name,),
    )


def _typed(name: str) -> None:
    value = st.session_state.get(widget_key(f"who.{name}"))
    if value is not None:
        kinds = {"combine": Combine, "missing_person": MissingPerson}
        # These questions, and what stands beside them, show what the file holds.
        _update(**{name: kinds[name](value) if name in kinds else value}, noticed=True)


def _ask_for_words(who: Who) -> None:
    """Ask what one of them is called: the word is used everywhere, and printed."""
    typed = []
    with st.container(horizontal=True, key="who-words"):
        for name, label in (("one", text.ONE_LABEL), ("many", text.MANY_LABEL)):
            typed += [
                st.text_input(
                    label,
                    getattr(who, name),
                    key=widget_key(f"who.{name}"),
                    on_change=_word_typed,
                    args=(name,),
                    max_chars=text.LONGEST_WORD,
                    width=220,
                )
            ]
    if not all(text.is_printable_word(word.strip()) for word in typed):
        st.error(text.WORD_ERROR)


def _word_typed(name: str) -> None:
    word = str(st.session_state.get(widget_key(f"who.{name}"), "")).strip()
    if text.is_printable_word(word):
        _update(**{name: word})


def _update(**changes: Any) -> None:
    draft = session.current().draft
    session.update(draft=replace(draft, who=replace(draft.who, **changes)))
