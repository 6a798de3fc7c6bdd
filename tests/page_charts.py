"""Charts of a page's content, read by tests: traces, words, whether they can be drawn."""

import re
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpca_core.figures.chart import with_names
from dpca_core.figures.colours import resolve
from tests.chart_figures import assert_words_are_apart, faults
from ui.page.content import Chart, Content, unpacked


def chart_of(content: Content, key: str) -> Chart:
    """Return a chart by its key."""
    return next(chart for chart in content.charts if chart.key == key)


def trace_of(chart: Chart, name: str) -> dict[str, Any]:
    """Return a trace of a chart by its name."""
    assert chart.figure is not None
    return next(trace for trace in chart.figure["data"] if trace.get("name") == name)


def sent(content: Content) -> dict[str, Any]:
    """Return what the browser gets of a content."""
    return unpacked(content.packed())


def texts_of(content: Content) -> list[str]:
    """Return every sentence that a page says, those of charts, rows and all stops included."""
    said = [content.says, [row.cells for row in content.rows]]
    said += [[chart.title, chart.sub, chart.note] for chart in content.charts]
    return list(_texts(said))


def _texts(found: Any) -> list[str]:
    if isinstance(found, str):
        return [found] if found else []
    inside = found.values() if isinstance(found, dict) else found or ()
    return [text for each in inside for text in _texts(each)]


def assert_charts(content: Content) -> None:
    """Plotly takes every chart; each curve has a name, or one in the legend; nothing lies on it.

    No sentence says a number that is none.
    """
    assert sent(content)["id"] == content.id
    assert [text for text in texts_of(content) if re.search(r"\b(nan|inf)\b", text)] == []
    for chart in content.charts:
        if chart.figure is None:
            continue
        figure = chart.figure
        curves = {
            trace["meta"]
            for trace in figure["data"]
            if trace.get("meta") and np.isfinite(np.asarray(trace["y"], float)).any()
        }
        assert go.Figure(resolve(with_names(figure), "light")).layout.height > 0, chart.key
        for width, names in figure.get("names", {}).items():
            named = {a.get("name") for a in names["annotations"]} | {*names["legend"]}
            listed = {row.key for row in content.rows}
            assert curves <= named | listed, f"{chart.key} at {width}: {curves - named}"
            layout = figure["layout"] | names["layout"] | {"annotations": names["annotations"]}
            assert_words_are_apart(layout, int(width), f"{chart.key} at {width}")
        along_lines = curves and figure["layout"]["yaxis"].get("visible", True)
        for width in (328, 640, 1100) if along_lines else ():
            assert not faults(figure, width), f"{chart.key} at {width}"
