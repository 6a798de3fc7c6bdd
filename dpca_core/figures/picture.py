"""A figure as a picture of its own: one panel or all, at one width, below a heading."""

import textwrap
from collections.abc import Sequence
from html import escape
from typing import Any

from dpca_core.figures.colours import Theme, resolve
from dpca_core.figures.curve_panels import with_names
from dpca_core.figures.figure_table import axis_key, panel_traces
from dpca_core.figures.layout import Spec

TICKS = 50
"""Pixels for the ticks of an axis that has none on its page, where it continues another."""
HEADING_EDGE, HEADING_GAP, HEADING_LINE = 8, 4, 1.3
"""Of a heading: pixels around it and below each sentence, and a line's height by its type."""
HEADING_LETTER = 0.55
"""How wide a letter is taken for, by its type: Plotly breaks no line."""


def picture(figure: Spec, width: float, theme: Theme, axis: str | None = None) -> Spec:
    """Return data and layout of a figure as it is drawn at a width, on the page's colour.

    Parameters
    ----------
    width
        Of the whole figure, in pixels.
    axis
        Name of a y axis, such as "y2", if only the panel above it is shown; it then has ticks.
    """
    margin = figure["layout"].get("margin", {})
    whole = with_names(figure, int(width - margin.get("l", 0) - margin.get("r", 0)))
    layout = whole["layout"] | {"width": width, "paper_bgcolor": "page"}
    if axis is not None:
        whole, layout = {"data": panel_traces(figure, axis)}, _alone(figure, layout, axis)
    drawn: Spec = resolve({"data": whole["data"], "layout": layout}, theme)
    return drawn


def with_heading(drawn: Spec, sentences: Sequence[tuple[str, int, int, str]], theme: Theme) -> Spec:
    """Return a picture below sentences: each a text, its size, its weight and its colour's role."""
    layout = drawn["layout"]
    margin = {"l": 0, "t": 0} | layout.get("margin", {})
    top, heading = float(HEADING_EDGE), list[dict[str, Any]]()
    for sentence, size, weight, role in sentences:
        letters = int((layout["width"] - 3 * HEADING_EDGE) / (HEADING_LETTER * size))
        lines = textwrap.wrap(sentence, letters, break_long_words=False, break_on_hyphens=False)
        heading.append(
            {
                "text": "<br>".join(escape(line, quote=False) for line in lines),
                "align": "left",
                "showarrow": False,
                "font": {"size": size, "weight": weight, "color": role},
                "xref": "paper",
                "x": 0,
                "xanchor": "left",
                "xshift": HEADING_EDGE - margin["l"],
                "yref": "paper",
                "y": 1,
                "yanchor": "top",
                "yshift": margin["t"] - top,
            }
        )
        top += len(lines) * size * HEADING_LINE + HEADING_GAP
    words = [words | {"yshift": words["yshift"] + top} for words in heading]
    return {
        "data": drawn["data"],
        "layout": layout
        | {
            "annotations": layout.get("annotations", []) + resolve({"a": words}, theme)["a"],
            "height": layout["height"] + top,
            "margin": margin | {"t": margin["t"] + top},
        },
    }


def _alone(figure: Spec, layout: dict[str, Any], axis: str) -> dict[str, Any]:
    """Return the layout of the panel above one y axis, as high as it is among the others."""
    across = {trace.get("xaxis", "x") for trace in panel_traces(figure, axis)}
    panel = axis_key(axis)
    kept = {panel, *map(axis_key, across)}
    margin = {"r": 0, "t": 0, "b": 0} | layout.get("margin", {})
    inside = layout["height"] - margin["t"] - margin["b"]
    low, high = layout[panel].get("domain", (0, 1))
    alone = {
        key: value
        for key, value in layout.items()
        if key in kept or not key.startswith(("xaxis", "yaxis"))
    }
    for key in kept - {panel}:
        alone[key] = layout[key] | {"anchor": axis}
    alone[panel] = layout[panel] | {"domain": [0, 1]}
    if layout[panel].get("showticklabels") is False:
        alone[panel] |= {"side": "right", "showticklabels": True}
        margin["r"] += TICKS
        alone["width"] += TICKS
    for items in ("annotations", "shapes"):
        alone[items] = [item for item in layout.get(items, ()) if item.get("yref", "y") == axis]
    return alone | {"margin": margin, "height": inside * (high - low) + margin["t"] + margin["b"]}
