"""Sample size: how many people each mechanism needs for an aim, measured and proved."""

import streamlit as st

from ui.figures.charts import draw_charts
from ui.sample_size.controls import choose_asked
from ui.sample_size.figures import sheet
from ui.sample_size.measurements import Needs
from ui.server.scheduler import should_yield
from ui.state import query_params, session_data
from ui.widgets.navigation import ensure_navigation
from ui.widgets.privacy_notice import show_not_private
from ui.widgets.style import apply_page_style


@st.fragment
def sample_size() -> None:
    """Draw the page; the component asks for more until all is measured."""
    apply_page_style()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="needed-row"):
        asked = choose_asked()
    query_params.show_replaced()
    if asked is None:
        st.info(session_data.missing_message() or "Choose data.")
        return
    if not asked.keys:
        st.info("Choose at least one mechanism.")
        return
    if asked.data:
        show_not_private(asked.data)
    needs: Needs = st.session_state.setdefault("needs", Needs())

    def more() -> None:
        needs.advance(asked, should_yield=should_yield)

    draw_charts(lambda: sheet(asked, needs), "sample_size", more, asked, asked.d)


ensure_navigation()
sample_size()
