"""Compare: every mechanism along one axis, at the same budget."""

import streamlit as st

from ui.compare.controls import choose_asked
from ui.compare.page import draw_comparison
from ui.widgets.control_row import control_row
from ui.widgets.navigation import ensure_navigation


@st.fragment
def compare() -> None:
    """Draw the page in one fragment: the component asks for more again and again."""
    if chosen := control_row("compared", 260, choose_asked):
        draw_comparison(*chosen)


ensure_navigation()
compare()
