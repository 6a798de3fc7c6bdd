"""The two public answers of *Decide*: about how many people, and what is expected of them."""

from dataclasses import replace
from typing import Any

import streamlit as st

from dpca_core.analysis.expected_spectrum import Expectation, expected_spectrum
from ui.owner import decide_cards as cards
from ui.owner import decide_text as text
from ui.owner import session
from ui.owner.controls.typed_field import typed_field
from ui.owner.decide_answers import Answers, shares_text
from ui.owner.draft import Draft
from ui.state.widget_keys import key_starting_at, note_position, widget_key

EXPECTATION = "decide-expectation"


def draw_answers(answers: Answers, draft: Draft) -> None:
    """Draw the answers in one line, and below it what is wrong with them."""
    many = draft.unit.many
    with st.container(key="decide-answers", horizontal=True):
        typed_field(
            "people",
            text.PEOPLE_LABEL.format(many=many),
            draft.people_guess,
            lambda typed: _change(people_guess=typed),
            example=text.PEOPLE_EXAMPLE,
            width=236,
        )
        if read := text.people_read(draft.people_guess, answers):
            st.html(cards.paragraph(read, "decide-left"), width="content")
        _choose_expectation(answers)
        if answers.shares:
            spectrum = expected_spectrum(answers.shares, answers.columns)
            st.html(cards.spectrum_bars(spectrum, len(answers.shares)), width="content")
        typed_field(
            "shares",
            text.SHARES_LABEL,
            shares_text(answers.shares) if answers.shares else draft.shares,
            lambda typed: _change(shares=typed),
            width=196,
        )
        if answers.shares:
            left = text.shares_left(answers.columns, len(answers.shares))
            st.html(cards.paragraph(left, "decide-left"), width="content")
    for name in ("people", "shares"):
        if name in answers.errors:
            st.html(cards.paragraph(answers.errors[name], "decide-error"))


def _choose_expectation(answers: Answers) -> None:
    """Draw the menu of expectations; shares that were typed have a line of their own."""
    options = [str(expectation) for expectation in Expectation]
    if answers.expectation is None:
        options.append(text.OWN_SHARES)
    shown = str(answers.expectation or text.OWN_SHARES)
    default = shown if answers.by_default else ""
    key = key_starting_at(EXPECTATION, shown)

    def taken() -> None:
        chosen = str(st.session_state[key])
        # As in ``typed_field``: a menu that was drawn anew may still be in the browser.
        if key != widget_key(EXPECTATION) or chosen == shown:
            return
        note_position(EXPECTATION, chosen)
        if chosen in list(Expectation):
            _change(shares=chosen)

    st.selectbox(
        text.EXPECT_LABEL,
        options,
        options.index(shown),
        format_func=lambda one: text.named_default(one, answers.columns) if one == default else one,
        key=key,
        on_change=taken,
        width=372,
    )


def _change(**values: Any) -> None:
    session.update(draft=replace(session.current().draft, **values))
