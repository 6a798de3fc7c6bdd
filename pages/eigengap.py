"""Eigengap: why PCA is hard to privatise, and what smooth sensitivity makes of it."""

import streamlit as st

from ui import session
from ui.eigengap import sheet
from ui.eigengap_controls import choose_asked, say_chosen
from ui.row import choose_in_row
from ui.sheet import draw_sheet
from ui.start import under_navigation


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
