"""The component that draws several charts of one page, given as plain data."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from ui.figures.component import component_of
from ui.figures.markup import page_root, progress_row, save_buttons, sentences
from ui.figures.saved_figure import chart_figure
from ui.page.markup import element
from ui.server.scheduler import (
    PAGE_SCHEDULER,
    busy_message,
    end_if_superseded,
    is_heavy,
    refinement_delay,
)
from ui.server.workers import progress_notice
from ui.text.chart_words import CHART_WORDS

SKELETON = f"""\
<h1 class="dpca-answer" aria-live="polite" data-part="answer"></h1>
<p class="dpca-below" data-part="under"></p>
{progress_row()}
<div class="dpca-sheetgrid" data-part="grid"></div>
<footer data-part="footer"></footer>
"""
"""The page's markup around its charts."""
SAID, SAID_OF_CHART = ("answer", "under", "footer", "progress"), ("title", "sub", "note")
"""Names of the sentences in a content, and in a chart."""

_component = component_of("dpca_sheet", "chart_grid", page_root("sheets", SKELETON), chart_figure)


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
        Returns the content. Its ``settings``, data included, stand in pictures that are saved.
        Where it says ``complete: False`` the component asks for a refinement.
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
            end_if_superseded()
        content = compose()
    st.session_state[f"{key}.for"] = asked
    complete = content.get("complete", True)
    content |= {
        "progress": busy_message(complete, content.get("progress", "")),
        "pause": refinement_delay(complete),
    }
    st.session_state[f"{key}.drawn"] = content
    _component(key=key, data=_sent(content), on_more_change=request_refinement)


def show_charts(charts: list[dict[str, Any]], key: str, settings: str = "") -> None:
    """Mount the component with charts only, or update the charts it shows.

    Parameters
    ----------
    charts
        As in the content of ``draw_charts``.
    key
        Identifies the component.
    settings
        Data and settings, for the pictures that are saved.
    """
    content = {"id": f"{key} {settings}", "pause": 0, "charts": charts, "settings": settings}
    _component(key=key, data=_sent(content))


def _sent(content: dict[str, Any]) -> dict[str, Any]:
    """Return content as it goes to the browser: sentences are markup, and charts have sections."""
    charts = content["charts"]
    return _written(content, SAID) | {
        "charts": [_written(chart, SAID_OF_CHART) for chart in charts],
        "markup": "".join(map(_section, charts)),
        "skip": CHART_WORDS["skip"],
    }


def _written(content: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """Return content with the sentences of these names as markup, all in ``says``."""
    rest = {name: value for name, value in content.items() if name not in names}
    return rest | {"says": sentences({name: content.get(name) for name in names})}


def _section(chart: dict[str, Any]) -> str:
    """Return the markup of a chart, which the browser fills."""
    key = chart["key"]
    head = element(
        "div",
        element("h2", data_part="title", id=f"{key}-title"),
        save_buttons(key, "figure"),
        class_="dpca-head",
    )
    sub = element("p", data_part="sub", id=f"{key}-sub")
    title = element("div", head, sub, class_="dpca-title")
    figure = element("div", data_part="figure")
    frame = {"class_": "dpca-chart", "role": "figure", "data_part": "frame"}
    body = element("div", figure, aria_labelledby=f"{key}-title {key}-sub", **frame)
    if "beside" in chart:
        beside = element("div", class_="dpca-needle", data_part="beside")
        body = element("div", beside, body, class_="dpca-beside")
    note = element("p", class_="dpca-smooth", data_part="note")
    kind = f"dpca-sheet-{key}{' dpca-wide' if chart.get('wide') else ''}"
    return element("section", title, body, note, class_=kind, data_key=key)
