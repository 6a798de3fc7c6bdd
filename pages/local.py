"""Local model: everyone randomises their own record, and nobody is trusted."""

import streamlit as st

from ui.figures.charts import draw_charts
from ui.local_model.controls import choose_asked
from ui.local_model.figures import cells_of, sheet
from ui.local_model.measurements import Runs
from ui.server.scheduler import should_yield
from ui.state import query_params, session_data
from ui.widgets.navigation import ensure_navigation
from ui.widgets.privacy_notice import show_not_private
from ui.widgets.style import apply_page_style


@st.fragment
def local() -> None:
    """Draw the page; the component asks for more until all is measured."""
    apply_page_style()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="local-row"):
        asked = choose_asked()
    query_params.show_replaced()
    if asked is None:
        st.info(session_data.missing_message() or "Choose data.")
        return
    if asked.data:
        show_not_private(asked.data)
    runs: Runs = st.session_state.setdefault("local.runs", Runs())

    def more() -> None:
        runs.advance(asked, cells_of(asked), should_yield)

    draw_charts(lambda: sheet(asked, runs), "local", more, asked, asked.d)


ensure_navigation()
local()
