"""Explore: choose data, mechanism and budget, and see what a release keeps."""

import streamlit as st

from ui.explore.controls import ROW, choose_view
from ui.explore.page import draw_instrument
from ui.state import query_params, session
from ui.widgets.data_menu import choose_data
from ui.widgets.navigation import under_navigation
from ui.widgets.style import STYLE


@st.fragment
def explore() -> None:
    """Draw the page. One fragment: a control and the instrument may speak in the same moment."""
    with st.container(key="controls", horizontal=True, vertical_alignment="bottom", wrap=False):
        missing = session.missing_upload()
        key = choose_data()
        data = session.dataset(key) if key else None
        view = choose_view(key, data) if key and data else None
    if missing:
        st.info(missing)
        if st.button("Your data"):
            st.switch_page("pages/data.py")
    if data and view:
        session.write_link()
        query_params.say_replaced()
        draw_instrument(data, view)


under_navigation()
st.html(STYLE + f"<style>{ROW}</style>")
explore()
