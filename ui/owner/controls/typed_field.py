"""A text field that is a view of the draft: what is typed is taken as it is."""

from collections.abc import Callable
from typing import Literal

import streamlit as st

from ui.owner.decide_answers import MOST_TYPED
from ui.state.widget_keys import key_starting_at, note_position, widget_key


def typed_field(
    name: str,
    label: str,
    shown: str,
    take: Callable[[str], object],
    *,
    example: str = "",
    width: int | Literal["stretch"] = "stretch",
) -> None:
    """Draw the field.

    Parameters
    ----------
    name
        Tells it from other fields of the step.
    shown
        What the draft has.
    take
        Called with what was typed.
    example
        Stands in the field while it is empty.
    """
    position = f"decide-{name}"
    key = key_starting_at(position, shown)

    def taken() -> None:
        typed = str(st.session_state.get(key, ""))
        # A field that was drawn anew may still be in the browser: it says what it said before, and
        # nobody has typed that.
        if key != widget_key(position) or typed == shown:
            return
        note_position(position, typed)
        take(typed)

    st.text_input(
        label,
        shown,
        key=key,
        max_chars=MOST_TYPED,
        on_change=taken,
        placeholder=example,
        width=width,
    )
