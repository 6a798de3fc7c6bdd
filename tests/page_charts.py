"""Charts, read by tests: traces, words and what they lie on, whether they can be drawn."""

import re

import numpy as np
import plotly.graph_objects as go

from dpca_core.figures.chart import LINE_HEIGHT, TEXT_MARGIN, text_width, with_names
from dpca_core.figures.colours import resolve
from ui.page.content import unpacked


def chart_of(content, key):
    """Return a chart by its key."""
    return next(chart for chart in content.charts if chart.key == key)


def trace_of(chart, name):
    """Return a trace of a chart by its name."""
    assert chart.figure is not None
    return next(trace for trace in chart.figure["data"] if trace.get("name") == name)


def texts_of(content):
    """Return every sentence that a page says, those of charts, rows and all stops included."""
    said = [content.says, [row.cells for row in content.rows]]
    said += [[chart.title, chart.sub, chart.note] for chart in content.charts]
    return list(texts_in(said))


def texts_in(found):
    """Return every text in lists and dictionaries, whatever lies in which."""
    if isinstance(found, str):
        return [found] if found else []
    inside = found.values() if isinstance(found, dict) else found
    return [text for each in inside for text in texts_in(each)] if np.iterable(inside) else []


def assert_charts(content):
    """Plotly takes every chart; each curve has a name, or one in the legend; nothing lies on it.

    No sentence says a number that is none.
    """
    assert unpacked(content.packed())["id"] == content.id, "what the browser gets"
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


def assert_words_are_apart(layout, width, where=""):
    """No two words overlap; return (text, left, right, top, bottom) in pixels of the plot."""
    boxes = [_box(layout, width, words) for words in layout["annotations"]]
    for i, first in enumerate(boxes):
        for second in boxes[:i]:
            assert not _overlap(first, second), f"{where}: {first}, {second}"
    return boxes


ROUNDED = 0.1
"""Pixels by which places in a figure, and lines between two columns, are rounded."""


def faults(figure, width):
    """Return what lies on the names of a chart's curves, on a plot so many pixels wide."""
    drawn = with_names(figure, width)
    layout = drawn["layout"]
    inside = layout["height"] - layout["margin"]["t"] - layout["margin"]["b"]
    boxes = [_box(layout, width, words) for words in layout["annotations"]]
    lines = [*_lines(drawn, width, inside), *_levels(layout, width, inside)]
    found = []
    for number, (words, box) in enumerate(zip(layout["annotations"], boxes, strict=True)):
        name, (_, left, right, top, bottom) = words.get("name"), box
        found += [(name, other[0]) for other in boxes[:number] if _overlap(box, other)]
        if name is None:
            continue
        if left < 0 or right > width or top < -ROUNDED or bottom > inside + ROUNDED:
            found.append((name, "outside"))
        for key, x, y in lines:
            # Another line keeps off the margin of the words as well.
            margin = 0.0 if key == name else TEXT_MARGIN
            end = -margin if words["xanchor"] == "right" else 0.0
            columns = np.arange(left + end, right + end + margin, 0.5)
            level = np.interp(columns, x, y, left=np.nan, right=np.nan)
            if ((level > top + ROUNDED) & (level < bottom - ROUNDED)).any():
                found.append((name, f"on {key}"))
    return found


def _lines(figure, width, height):
    """Return (key, x, y) of each curve in pixels; NaN is a gap."""
    axes = [figure["layout"][f"{letter}axis"] for letter in "xy"]
    for trace in figure["data"]:
        if trace.get("meta") is None or trace["type"] != "scatter":
            continue
        with np.errstate(divide="ignore", invalid="ignore"):
            places = [
                np.log10(trace[letter]) if axis["type"] == "log" else np.asarray(trace[letter])
                for letter, axis in zip("xy", axes, strict=True)
            ]
        x, y = (
            (place - axis["range"][0]) / (axis["range"][1] - axis["range"][0])
            for place, axis in zip(places, axes, strict=True)
        )
        known = np.isfinite(y) | (not trace["connectgaps"])
        yield trace["meta"], x[known] * width, (1 - y[known]) * height


def _levels(layout, width, height):
    low, high = layout["yaxis"]["range"]
    for shape in layout["shapes"]:
        if shape.get("xref") == "paper" and shape["type"] == "line":
            value = np.log10(shape["y0"]) if layout["yaxis"]["type"] == "log" else shape["y0"]
            level = (high - value) / (high - low) * height
            yield "a level line", np.array([0.0, width]), np.array([level, level])


def _box(layout, width, words):
    margin, size = layout["margin"], words.get("font", {}).get("size", layout["font"]["size"])
    inside = layout["height"] - margin["t"] - margin["b"]
    x = _position(layout, "xaxis", words.get("xref", "x"), words["x"]) * width
    y = (1 - _position(layout, "yaxis", words.get("yref", "y"), words["y"])) * inside
    x, y = x + words.get("xshift", 0), y - words.get("yshift", 0)
    lines = re.sub(r"</?[bs]>", "", words["text"]).split("<br>")
    bold = words["text"].startswith("<b>")
    span = max(text_width(line, size, bold=bold) for line in lines) - TEXT_MARGIN
    high = len(lines) * LINE_HEIGHT * size
    left = x - span * {"left": 0.0, "center": 0.5, "right": 1.0}[words["xanchor"]]
    top = y - high * {"top": 0.0, "middle": 0.5, "bottom": 1.0}[words.get("yanchor", "middle")]
    return words["text"], left, left + span, top, top + high


def _position(layout, side, reference, value):
    if reference == "paper":
        return value
    axis = layout[f"{side}{reference[1:]}"]
    low, high = axis["range"]
    start, end = axis.get("domain", (0, 1))
    return start + (value - low) / (high - low) * (end - start)


def _overlap(first, second):
    across = first[1] < second[2] and second[1] < first[2]
    return across and first[3] < second[4] and second[3] < first[4]
