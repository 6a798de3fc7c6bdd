"""Step 1, *Who*: which rows are one person's, what one is called, and what becomes of several."""

from dataclasses import replace
from typing import Any, cast

import streamlit as st

from dpca_core.data.recipe import Combine, MissingPerson
from dpca_core.detection.people import Finding, PersonCandidate, chosen_candidate
from ui.owner import session
from ui.owner import text_who as text
from ui.owner.draft import CANNOT_TELL, EVERY_ROW, FOUND, Who
from ui.owner.steps import Step, who_errors
from ui.owner.words_for_people import LONGEST_WORD, is_printable_word, proposed_words
from ui.state.widget_keys import key_starting_at, widget_key
from ui.text.numbers import count, escape_markdown

_OTHER = "other"
_OTHER_CHOSEN, _COUNTED = "owner.other-column", "owner.counted"
"""Session keys: whether “Another column” is chosen, before one is; who was counted in it."""


def headline() -> tuple[str, str]:
    """Return the step's headline and the sentence below it, with ``**`` and ``[[…]]`` marks."""
    owner = session.current()
    who = owner.draft.who
    return (
        text.headline(owner.person, who.one, answer=who.answer),
        text.evidence(owner.person, owner.draft.header),
    )


def draw() -> None:
    """Draw the step."""
    owner = session.current()
    who, streamed = owner.draft.who, owner.source is not None and owner.source.path is not None
    with st.container(key="who"):
        _ask_whose(who, streamed=streamed)
        who = session.current().draft.who
        if who.person:
            _say_how_compared(who, _candidate(who))
            _ask_about_several(who, _candidate(who))
        if who.answer == CANNOT_TELL:
            st.warning(text.CANNOT_TELL_NOTE.format(one=_escaped(who)))
        if streamed:
            st.caption(text.STREAMED_NOTE.format(one=_escaped(who)))
        _ask_for_words(who)
        st.button(
            text.ON,
            key="who-on",
            type="primary",
            disabled=bool(who_errors(session.current().draft)),
            on_click=session.open_step,
            args=(Step.COLUMNS,),
        )


def _escaped(who: Who) -> str:
    return escape_markdown(who.one)


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
    if (
        found is not None
        or source is None
        or not {*who.columns} <= {*map(str, source.table.columns)}
    ):
        return found
    kept = st.session_state.get(_COUNTED)
    if kept is None or kept[0] is not source or kept[1] != who.columns:
        counted = chosen_candidate(source.table, who.columns)
        kept = st.session_state[_COUNTED] = source, who.columns, counted
    return cast(PersonCandidate, kept[2])


def _ask_whose(who: Who, *, streamed: bool) -> None:
    """Ask which rows are one person's: always, since finding nothing proves nothing."""
    finding, known = session.current().person.finding, _candidates()
    options = {f"candidate-{place}": c for place, c in enumerate(known)}
    labels = {
        name: text.option(c, _escaped(who), sure=finding is Finding.FOUND)
        for name, c in options.items()
    }
    if not streamed:
        other = text.OTHER if known else text.NO_OTHER
        labels[_OTHER] = other.format(one=_escaped(who))
    labels[EVERY_ROW] = text.EVERY_ROW_LABEL.format(one=_escaped(who))
    labels[CANNOT_TELL] = text.CANNOT_TELL_LABEL.format(one=_escaped(who))
    names = list(labels)
    chosen = _chosen(who, options)
    st.radio(
        text.QUESTION.format(one=_escaped(who)),
        names,
        None if chosen is None else names.index(chosen),
        format_func=lambda name: labels[name],
        # A browser names the option that is chosen by what it read: with other words it is no
        # option any more, and would come back as an answer of its own.
        key=key_starting_at("who.answer", (who.one, who.many)),
        on_change=_answered,
    )
    if chosen == _OTHER:
        _ask_for_columns(who)


def _chosen(who: Who, options: dict[str, PersonCandidate]) -> str | None:
    """Return the option that the draft stands at."""
    if who.answer != FOUND:
        if st.session_state.get(_OTHER_CHOSEN):
            return _OTHER
        return who.answer or None
    if st.session_state.get(_OTHER_CHOSEN):
        return _OTHER
    return next((name for name, c in options.items() if c.columns == who.columns), _OTHER)


def _answered() -> None:
    answer = st.session_state.get(widget_key("who.answer"))
    st.session_state[_OTHER_CHOSEN] = answer == _OTHER
    known = {f"candidate-{place}": c for place, c in enumerate(_candidates())}
    if answer in known:
        columns = known[answer].columns
        words = proposed_words(columns)
        who = session.current().draft.who
        if words is not None and who.one == Who().one:
            _update(one=words[0], many=words[1])
        _update(answer=FOUND, columns=columns)
    elif answer == _OTHER:
        _update(answer="", columns=())
    elif answer in (EVERY_ROW, CANNOT_TELL):
        _update(answer=answer, columns=())


def _ask_for_columns(who: Who) -> None:
    names = list(session.current().draft.header)
    st.multiselect(
        text.COLUMNS_LABEL.format(one=_escaped(who)),
        names,
        [name for name in who.columns if name in names],
        key=widget_key("who.columns"),
        on_change=_columns_chosen,
        max_selections=text.MOST_COLUMNS,
    )


def _columns_chosen() -> None:
    names = tuple(map(str, st.session_state.get(widget_key("who.columns")) or ()))
    _update(answer=FOUND if names else "", columns=names)


def _say_how_compared(who: Who, found: PersonCandidate | None) -> None:
    """Say that values are compared as written, and ask where zeros before a number vary."""
    words = {
        "one": _escaped(who),
        "many": escape_markdown(who.many),
        "column": escape_markdown(" and ".join(who.columns)),
    }
    if found is not None and found.zeros:
        st.warning(text.ZEROS.format(number=count(found.zeros), **words))
    else:
        st.caption(text.AS_WRITTEN.format(**words))


def _ask_about_several(who: Who, found: PersonCandidate | None) -> None:
    """Ask what becomes of several rows of one person, and of rows that name nobody."""
    if found is None or found.largest > 1:
        with st.container(horizontal=True, key="who-several", vertical_alignment="bottom"):
            _radio(text.SEVERAL_LABEL.format(one=_escaped(who)), text.COMBINE, "combine", who)
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
        label = text.MISSING_LABEL.format(
            rows=rows, column=escape_markdown(" and ".join(who.columns))
        )
        labels = {k: v.format(one=_escaped(who)) for k, v in text.MISSING_ANSWERS.items()}
        _radio(label, labels, "missing_person", who)
    if found is not None and found.spellings:
        st.checkbox(
            text.IGNORE_CASE.format(
                column=escape_markdown(who.columns[0]), spellings=count(found.spellings)
            ),
            who.ids_ignore_case,
            key=widget_key("who.ids_ignore_case"),
            on_change=_typed,
            args=("ids_ignore_case",),
        )


def _radio(label: str, labels: dict[Any, str], name: str, who: Who) -> None:
    options = list(labels)
    st.radio(
        label,
        options,
        options.index(getattr(who, name)),
        format_func=lambda option: labels[option],
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
    """Ask what one of them is called: the word is used everywhere."""
    with st.container(horizontal=True, key="who-words"):
        for name, label in (("one", text.ONE_LABEL), ("many", text.MANY_LABEL)):
            st.text_input(
                label,
                getattr(who, name),
                key=widget_key(f"who.{name}"),
                on_change=_word_typed,
                args=(name,),
                max_chars=LONGEST_WORD,
                width=220,
            )
    typed = [st.session_state.get(widget_key(f"who.{name}")) for name in ("one", "many")]
    if not all(is_printable_word(str(word).strip()) for word in typed):
        st.error(text.WORD_ERROR.format(longest=LONGEST_WORD))


def _word_typed(name: str) -> None:
    word = str(st.session_state.get(widget_key(f"who.{name}"), "")).strip()
    if is_printable_word(word):
        _update(**{name: word})


def _update(**changes: Any) -> None:
    draft = session.current().draft
    session.update(draft=replace(draft, who=replace(draft.who, **changes)))
