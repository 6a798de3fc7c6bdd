"""Explore: choose data, mechanism and budget, and see what a release keeps."""

import streamlit as st

from ui import session
from ui.controls import WIDTHS, choose_data, choose_view
from ui.explore import STYLE, draw_instrument
from ui.start import under_navigation


@st.fragment
def explore() -> None:
    """Draw the page. One fragment: a control and the instrument may speak in the same moment."""
    st.html(STYLE)
    with st.container(key="controls"):
        columns = st.columns(WIDTHS, vertical_alignment="bottom")
        missing = session.missing_upload()
        with columns[0]:
            key = choose_data()
        data = session.dataset(key) if key else None
        view = choose_view(key, data, columns) if key and data else None
    if missing:
        st.info(missing)
        if st.button("Your data"):
            st.switch_page("pages/data.py")
    if data and view:
        draw_instrument(data, view)


under_navigation()
explore()
