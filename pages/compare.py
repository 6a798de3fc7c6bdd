"""Compare: every mechanism along one axis, at the same budget."""

import streamlit as st

from ui import session
from ui.compare import choose_asked, draw_comparison
from ui.controls import choose_data
from ui.explore import STYLE
from ui.start import under_navigation


@st.fragment
def compare() -> None:
    """Draw the page in one fragment: the component asks for more again and again."""
    st.html(STYLE)
    missing = session.missing_upload()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="compared"):
        key = choose_data(width=250)
        data = session.dataset(key) if key else None
        asked = choose_asked(key, data) if key and data else None
    if missing:
        st.info(missing)
    if data and asked:
        draw_comparison(data, asked)


under_navigation()
compare()
