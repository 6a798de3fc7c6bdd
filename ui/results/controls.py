"""The Results page's controls."""

import streamlit as st

from ui.results import text
from ui.results.query import DIRECTIONS, ResultsSettings
from ui.state import session
from ui.state.widget_keys import widget_key


def choose_settings() -> ResultsSettings:
    """Draw the controls and return what they ask for."""
    now = session.page_settings(ResultsSettings)
    directions = st.segmented_control(
        text.DIRECTIONS_LABEL,
        DIRECTIONS,
        default=now.directions,
        required=True,
        key=widget_key("directions"),
    )
    pure = st.segmented_control(
        text.GUARANTEE_LABEL,
        [False, True],
        default=now.pure,
        required=True,
        format_func=lambda without: text.GUARANTEES[without],
        key=widget_key("pure"),
    )
    return session.change_page_settings(
        now, directions=int(directions or now.directions), pure=bool(pure)
    )
