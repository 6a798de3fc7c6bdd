"""Names of curves that found no place beside them: below the chart, with a piece of the line."""

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any

import numpy as np

from dpca_core.figures.layout import Spec
from dpca_core.figures.line_names import LINE_HEIGHT, text_width
from dpca_core.figures.panels import Curve, Size

MARGIN_LEFT, MARGIN_TOP = 8.0, 8.0
"""Of a chart, in pixels."""
_RIGHT, _BOTTOM = 3.7, 3.7
"""Margins for ticks and titles, relative to the size of the type."""
_GAP = 14.0
SAMPLE_LENGTH, _SAMPLE_GAP = 38.0, 6.0
"""Of a piece of line, in pixels: the longest dashes are seen twice; and between it and its name."""
_MIDDLE = 0.62
"""From the top of a name to its middle, relative to the size of the type."""


def with_key(
    figure: Spec, curves: Sequence[Curve], height: float, sizes: Mapping[int, Size]
) -> None:
    """Give each size of a figure its margins and height, with room for the names below.

    Before each name is a piece of its line, with its colour, dashes and width. They stand in the
    order of the lines at the right end, the highest first.

    Parameters
    ----------
    curves
        All of them; those with an annotation of their key have their name, and those without a
        value need none.
    height
        Of the frame, in pixels, at a scale of 1.
    """
    known = [c for c in curves if c.shown_name and c.name and np.isfinite(c.y).any()]
    for width, size in sizes.items():
        found = figure["sizes"][str(width)]
        named = {annotation.get("name") for annotation in found["annotations"]}
        left = sorted((c for c in known if c.key not in named), key=_last, reverse=True)
        bottom = _BOTTOM * size.type_size
        keys, pieces, rows = _key(left, width, size.type_size, bottom)
        found["annotations"] = [*found["annotations"], *keys]
        line = ceil(LINE_HEIGHT * size.type_size)
        margin = {
            "l": MARGIN_LEFT,
            "r": _RIGHT * size.type_size,
            "t": MARGIN_TOP,
            "b": bottom + rows * line,
        }
        total = height * size.scale + margin["t"] + margin["b"]
        found["layout"] = {"margin": margin, "height": round(total)}
        if pieces:
            found["layout"]["shapes"] = [*figure["layout"].get("shapes", ()), *pieces]


def _last(curve: Curve) -> float:
    """Return the value at the right end of a line."""
    return float(curve.y[np.isfinite(curve.y)][-1])


def _key(
    curves: Sequence[Curve], width: int, size: float, below: float
) -> tuple[list[dict[str, Any]], list[dict[str, Any]], int]:
    """Return names in rows, a piece of line for each, and the number of rows."""
    names, pieces = list[dict[str, Any]](), list[dict[str, Any]]()
    at, row = 0.0, 0
    for curve in curves:
        before = SAMPLE_LENGTH + _SAMPLE_GAP
        span = before + text_width(curve.name, size)
        if names and at + span > width:
            at, row = 0.0, row + 1
        down = round(below - 4) + row * ceil(LINE_HEIGHT * size)
        # The piece has the line's colour; the name has one in which it can be read.
        pieces.append(_piece(curve, at, down + _MIDDLE * LINE_HEIGHT * size))
        place = {"xref": "paper", "x": 0, "xanchor": "left", "xshift": round(at + before)}
        place |= {"yref": "paper", "y": 0, "yanchor": "top", "yshift": -down}
        words = {"text": curve.name, "font": {"color": f"{curve.color}/text"}}
        names.append(place | words | {"name": curve.key, "captureevents": True})
        at += span + _GAP
    return names, pieces, row + 1 if names else 0


def _piece(curve: Curve, at: float, down: float) -> dict[str, Any]:
    """Return a piece of a line: so many pixels from the left end of the frame, and below it."""
    return {
        "type": "line",
        "xref": "paper",
        "xsizemode": "pixel",
        "xanchor": 0,
        "x0": round(at),
        "x1": round(at + SAMPLE_LENGTH),
        "yref": "paper",
        "ysizemode": "pixel",
        "yanchor": 0,
        "y0": -round(down),
        "y1": -round(down),
        "line": {"color": curve.color, "width": max(curve.width, 1.6), "dash": curve.dash},
    }
