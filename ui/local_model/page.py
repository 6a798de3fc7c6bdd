"""The Local model page: everyone randomises their own record, and nobody is trusted."""

import streamlit as st

from ui.figures.charts import draw_charts
from ui.local_model import text
from ui.local_model.controls import choose_query
from ui.local_model.figures import page_content
from ui.local_model.measurements import ErrorMeasurements, points_to_measure
from ui.local_model.query import LocalModelSettings
from ui.page.present import show_present
from ui.server.scheduler import should_yield
from ui.state import query_params, session, session_data
from ui.text.messages import NO_DATA
from ui.widgets.navigation import start_page
from ui.widgets.privacy_notice import show_not_private
from ui.widgets.reset_button import reset_button
from ui.widgets.style import apply_page_style


def draw_page() -> None:
    """Draw the page."""
    start_page(LocalModelSettings)
    _draw_fragment()


@st.fragment
def _draw_fragment() -> None:
    """Draw controls and charts; the component asks for more until all is measured."""
    apply_page_style()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="local-row"):
        query = choose_query()
        reset_button(LocalModelSettings)
    now = session.page_settings(LocalModelSettings)
    session.write_address(now)
    st.caption(text.unused_settings(now.source))
    query_params.show_replaced()
    if query is None:
        st.info(session_data.missing_message() or NO_DATA)
        return
    if query.data:
        show_not_private(query.data)
    measured: ErrorMeasurements = st.session_state.setdefault("local.runs", ErrorMeasurements())

    def measure_more() -> None:
        measured.advance(query, points_to_measure(query), should_yield)

    draw_charts(lambda: page_content(query, measured), "local", measure_more, query, query.d)
    show_present("local")
