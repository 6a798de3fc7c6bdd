"""Charts of a page's content, read by tests: their traces, names and whether they can be drawn."""

import re
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpca_core.figures.colours import palette, resolve
from dpca_core.figures.curve_panels import with_names
from dpca_core.figures.line_names import LINE_HEIGHT, text_width

Content = dict[str, Any]
KNOWN_ROLES = palette()


def chart_of(content: Content, key: str) -> Content:
    """Return a chart by its key."""
    return next(chart for chart in content["charts"] if chart["key"] == key)


def trace_of(chart: Content, name: str) -> Content:
    """Return a trace of a chart by its name."""
    return next(trace for trace in chart["figure"]["data"] if trace.get("name") == name)


def figures_of(content: Content) -> dict[str, Content]:
    """Return the figures of all charts, by key; those beside a chart included."""
    found = {c["key"]: c["figure"] for c in content["charts"] if "figure" in c}
    return found | {f"{c['key']}, beside": c["beside"] for c in content["charts"] if "beside" in c}


def assert_plotly_draws(content: Content) -> None:
    """Let Plotly check every figure of a page: in light at each width, in dark at one."""
    for key, figure in figures_of(content).items():
        widths = [int(width) for width in figure.get("sizes", {"640": None})]
        for width, theme in [*((width, "light") for width in widths), (widths[-1], "dark")]:
            drawn = resolve(with_names(figure, width), theme)
            assert go.Figure(drawn).layout.height > 0, key
            assert not _roles(drawn), f"{key}: a role of a colour is left"
        numbers = [v for trace in figure["data"] for v in (*trace["x"], *trace["y"])]
        assert not np.isinf(np.array(numbers, dtype=float)).any(), key


def _roles(value: Any, key: str = "") -> list[str]:
    if isinstance(value, dict):
        return [role for name, item in value.items() for role in _roles(item, name)]
    if isinstance(value, list):
        return [role for item in value for role in _roles(item, key)]
    of_colour = isinstance(value, str) and key not in {"name", "meta", "text", "title"}
    return [value] if of_colour and value.split("/")[0] in KNOWN_ROLES else []


def assert_names_are_apart(content: Content) -> None:
    """Every curve with a value is named at each width, and no two words of a chart overlap."""
    for key, figure in figures_of(content).items():
        curves = {t["meta"] for t in figure["data"] if t.get("meta") and np.isfinite(t["y"]).any()}
        for width, size in figure.get("sizes", {}).items():
            named = {a.get("name") for a in size["annotations"]}
            assert curves <= named, f"{key} at {width}: {curves - named} have no name"
            layout = figure["layout"] | size.get("layout", {}) | {"font": {"size": size["type"]}}
            layout |= {"annotations": size["annotations"]}
            assert_words_are_apart(layout, int(width), f"{key} at {width}")


def assert_words_are_apart(layout: Content, width: int, where: str = "") -> list[tuple[Any, ...]]:
    """No two words overlap; return (text, left, right, top, bottom) in pixels of the plot."""
    boxes = [_box(layout, width, words) for words in layout["annotations"]]
    for i, first in enumerate(boxes):
        for second in boxes[:i]:
            assert not _overlap(first, second), f"{where}: {first}, {second}"
    return boxes


def _box(layout: Content, width: int, words: Content) -> tuple[Any, ...]:
    margin, size = layout["margin"], words.get("font", {}).get("size", layout["font"]["size"])
    inside = layout["height"] - margin["t"] - margin["b"]
    x = _position(layout, "xaxis", words.get("xref", "x"), words["x"]) * width
    y = (1 - _position(layout, "yaxis", words.get("yref", "y"), words["y"])) * inside
    x, y = x + words.get("xshift", 0), y - words.get("yshift", 0)
    lines = re.sub(r"</?[bs]>", "", words["text"]).split("<br>")
    bold = words["text"].startswith("<b>")
    span = max(text_width(line, size, bold) for line in lines) - 8
    high = len(lines) * LINE_HEIGHT * size
    left = x - span * {"left": 0.0, "center": 0.5, "right": 1.0}[words["xanchor"]]
    top = y - high * {"top": 0.0, "middle": 0.5, "bottom": 1.0}[words.get("yanchor", "middle")]
    return words["text"], left, left + span, top, top + high


def _position(layout: Content, side: str, reference: str, value: float) -> float:
    if reference == "paper":
        return value
    axis = layout[f"{side}{reference[1:]}"]
    low, high = axis["range"]
    start, end = axis.get("domain", (0, 1))
    return start + (value - low) / (high - low) * (end - start)


def _overlap(first: tuple[Any, ...], second: tuple[Any, ...]) -> bool:
    across = first[1] < second[2] and second[1] < first[2]
    return across and first[3] < second[4] and second[3] < first[4]
