"""One line for newcomers that leads from Explore to the lessons, until it is dismissed."""

import streamlit as st

from ui.text.product import CLOSE_MARK, DISMISS, NEWCOMER
from ui.widgets.style import apply_newcomer_style

_SHOWN = "newcomer"
"""Session key: whether the line is shown."""


def remember_arrival(*, lessons: bool) -> None:
    """Note, in a session's first run, whether somebody came without a link to certain settings.

    Parameters
    ----------
    lessons
        Whether there is a page to lead to.
    """
    st.session_state.setdefault(_SHOWN, lessons and not st.query_params)


def show_newcomer_line() -> None:
    """Draw the line where no chart moves for it (``css/newcomer.css``); call it after the charts.

    It leads to a page of the navigation; outside the entry point there is none, and no line.
    """
    if not st.session_state.get(_SHOWN):
        return
    apply_newcomer_style()
    with st.container(key="newcomer", horizontal=True, vertical_alignment="center", gap=None):
        st.page_link("pages/learn.py", label=NEWCOMER)
        st.button(
            CLOSE_MARK, key="newcomer.dismiss", help=DISMISS, type="tertiary", on_click=_dismiss
        )


def _dismiss() -> None:
    st.session_state[_SHOWN] = False
