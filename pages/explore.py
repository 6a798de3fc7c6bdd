"""Explore: choose data, mechanism and budget, and see what a release keeps."""

import streamlit as st

from ui.explore.controls import ROW, choose_view
from ui.explore.page import draw_instrument
from ui.state import query_params, session, session_data
from ui.widgets.data_menu import data_menu
from ui.widgets.navigation import ensure_navigation
from ui.widgets.style import apply_page_style


@st.fragment
def explore() -> None:
    """Draw the page. One fragment: a control and the instrument may speak in the same moment."""
    with st.container(key="controls", horizontal=True, vertical_alignment="bottom", wrap=False):
        missing = session_data.missing_message()
        key = data_menu()
        data = session_data.get(key) if key else None
        view = choose_view(key, data) if key and data else None
    if missing:
        st.info(missing)
        if st.button("Your data"):
            st.switch_page("pages/data.py")
    if data and view:
        session.write_address()
        query_params.show_replaced()
        draw_instrument(data, view)


ensure_navigation()
apply_page_style()
st.html(f"<style>{ROW}</style>")
explore()
