"""Eigengap: why PCA is hard to privatise, and what smooth sensitivity makes of it."""

import streamlit as st

from ui.eigengap.controls import choose_asked, say_chosen
from ui.eigengap.figures import sheet
from ui.figures.sheet import draw_sheet
from ui.state import session
from ui.widgets.control_row import choose_in_row
from ui.widgets.navigation import under_navigation


@st.fragment
def eigengap() -> None:
    """Draw the page."""
    if chosen := choose_in_row("gapped", 260, choose_asked):
        data, asked = chosen
        session.say_not_private(data)
        say_chosen(session.settings().data, data)
        draw_sheet(lambda: sheet(asked), "eigengap", columns=data.d)


under_navigation()
eigengap()
