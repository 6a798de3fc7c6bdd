"""The Sample size page: how many people each mechanism needs for an aim, measured and proved."""

import streamlit as st

from ui.figures.charts import draw_charts
from ui.page.present import show_present
from ui.sample_size import text
from ui.sample_size.controls import choose_query
from ui.sample_size.figures import page_content
from ui.sample_size.measurements import SampleSizeMeasurements
from ui.sample_size.query import SampleSizeSettings
from ui.server.scheduler import should_yield
from ui.state import query_params, session, session_data
from ui.text.messages import NO_DATA, NO_MECHANISM
from ui.widgets.navigation import start_page
from ui.widgets.privacy_notice import show_not_private
from ui.widgets.reset_button import reset_button
from ui.widgets.style import apply_page_style


def draw_page() -> None:
    """Draw the page."""
    start_page(SampleSizeSettings)
    _draw_fragment()


@st.fragment
def _draw_fragment() -> None:
    """Draw controls and charts; the component asks for more until all is measured."""
    apply_page_style()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="needed-row"):
        query = choose_query()
        reset_button(SampleSizeSettings)
    now = session.page_settings(SampleSizeSettings)
    session.write_address(now)
    st.caption(text.unused_settings(now.spectrum))
    query_params.show_replaced()
    if query is None:
        st.info(session_data.missing_message() or NO_DATA)
        return
    if not query.keys:
        st.info(NO_MECHANISM)
        return
    if query.data:
        show_not_private(query.data)
    measured: SampleSizeMeasurements = st.session_state.setdefault(
        "needs", SampleSizeMeasurements()
    )

    def measure_more() -> None:
        measured.advance(query, should_yield=should_yield)

    draw_charts(lambda: page_content(query, measured), "sample_size", measure_more, query, query.d)
    show_present("sample_size")
