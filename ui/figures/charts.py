"""The component that draws several charts of one page, given as plain data."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from ui.figures.component import component_of
from ui.server.scheduler import (
    PAGE_SCHEDULER,
    busy_message,
    is_heavy,
    refinement_delay,
    superseded,
)
from ui.server.worker_pool import progress_notice
from ui.text.chart_words import CHART_WORDS

_component = component_of("dpca_sheet", "chart_grid")


def draw_charts(
    compose: Callable[[], dict[str, Any]],
    key: str,
    more: Callable[[], None] | None = None,
    asked: object = None,
    columns: int = 0,
) -> None:
    """Mount the component, or update the charts it shows.

    Parameters
    ----------
    compose
        Returns the content. Where it says ``complete: False`` the component asks for a refinement.
    key
        Identifies the component.
    more
        Measures more before the content of a refinement is composed.
    asked
        What the page is asked. Where it has changed, the answer comes before any refinement.
    columns
        Columns of the data, which tell how long computing may take.
    """

    def request_refinement() -> None:
        st.session_state[f"{key}.more"] = True

    requested = st.session_state.pop(f"{key}.more", False)
    refined = requested and st.session_state.get(f"{key}.for") == asked
    with progress_notice(), PAGE_SCHEDULER.turn(urgent=not refined, heavy=is_heavy(columns)):
        if refined and more is not None:
            more()
        # A superseded run is stopped at the next element: new content would never be shown.
        content = st.session_state[f"{key}.drawn"] if refined and superseded() else compose()
    st.session_state[f"{key}.for"] = asked
    complete = content.get("complete", True)
    content |= {
        "progress": busy_message(complete, content.get("progress", "")),
        "pause": refinement_delay(complete),
        "words": CHART_WORDS,
    }
    st.session_state[f"{key}.drawn"] = content
    _component(key=key, data=content, on_more_change=request_refinement)


def show_charts(charts: list[dict[str, Any]], key: str) -> None:
    """Mount the component with charts only, or update the charts it shows.

    Parameters
    ----------
    charts
        As in the content of ``draw_charts``.
    key
        Identifies the component.
    """
    _component(key=key, data={"id": key, "charts": charts, "pause": 0, "words": CHART_WORDS})
