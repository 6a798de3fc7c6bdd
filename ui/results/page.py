"""The Results page: how much of what a release loses was not privacy's."""

import streamlit as st

from ui.figures.charts import draw_charts
from ui.results.controls import choose_settings
from ui.results.figures import page_content
from ui.results.query import ResultsSettings
from ui.state import query_params, session
from ui.widgets.navigation import start_page
from ui.widgets.reset_button import reset_button
from ui.widgets.style import apply_page_style


def draw_page() -> None:
    """Draw controls and charts; everything shown was measured before and is stored."""
    start_page(ResultsSettings)
    apply_page_style()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="results-row"):
        settings = choose_settings()
        reset_button(ResultsSettings)
    session.write_address(settings)
    query_params.show_replaced()
    draw_charts(lambda: page_content(settings), "results", asked=settings)
