"""The Eigengap page: why PCA is hard to privatise, and what smooth sensitivity achieves."""

import streamlit as st

from ui.eigengap.controls import choose_query, show_drawn_k
from ui.eigengap.figures import page_content
from ui.eigengap.presentation import presentation_scene
from ui.eigengap.query import EigengapSettings
from ui.figures.charts import draw_charts
from ui.state import session
from ui.widgets.control_row import control_row
from ui.widgets.navigation import start_page
from ui.widgets.present import show_present
from ui.widgets.privacy_notice import show_not_private


def draw_page() -> None:
    """Draw the page."""
    start_page(EigengapSettings)
    _draw_fragment()


@st.fragment
def _draw_fragment() -> None:
    if chosen := control_row("gapped", 230, EigengapSettings, choose_query):
        data, query = chosen
        show_not_private(data)
        show_drawn_k(session.settings().data, data)
        draw_charts(lambda: page_content(query), "eigengap", columns=data.d)
        show_present("eigengap", scene=presentation_scene(query), choose=_choose_k)
    else:
        show_present("eigengap")


def _choose_k(key: str) -> None:
    session.change_settings(k=int(key))
