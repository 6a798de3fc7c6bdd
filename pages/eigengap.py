"""Eigengap: why PCA is hard to privatise, and what smooth sensitivity makes of it."""

import streamlit as st

from ui import session
from ui.controls import choose_data
from ui.eigengap import sheet
from ui.eigengap_controls import choose_asked
from ui.explore import STYLE
from ui.sheet import draw_sheet
from ui.start import under_navigation


@st.fragment
def eigengap() -> None:
    """Draw the page."""
    st.html(STYLE)
    missing = session.missing_upload()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="gapped"):
        key = choose_data(width=235)
        data = session.dataset(key) if key else None
        asked = choose_asked(key, data) if key and data else None
    if missing:
        st.info(missing)
    if data and asked:
        session.say_not_private(data)
        draw_sheet(sheet(asked), "eigengap")


under_navigation()
eigengap()
