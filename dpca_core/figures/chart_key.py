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
_DASH_WIDTH = 0.62
"""Width of a piece of line, relative to the size of the type."""
_SAMPLES = (("solid", "━━"), ("1px", "····"), ("2px", "····"))
"""How a line is dashed, by the beginning of its dashes, and what stands before its name."""


def with_key(
    figure: Spec, curves: Sequence[Curve], height: float, sizes: Mapping[int, Size]
) -> None:
    """Give each size of a figure its margins and height, with room for the names below.

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
        left = [c for c in known if c.key not in named]
        bottom = _BOTTOM * size.type_size
        keys, rows = _key(left, width, size.type_size, bottom)
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


def _key(
    curves: Sequence[Curve], width: int, size: float, below: float
) -> tuple[list[dict[str, Any]], int]:
    """Return annotations in rows, and the number of rows."""
    found, at, row = list[dict[str, Any]](), 0.0, 0
    for curve in curves:
        dash = _sample(curve.dash)
        sample = (len(dash) + 1) * _DASH_WIDTH * size
        span = sample + text_width(curve.name, size)
        if found and at + span > width:
            at, row = 0.0, row + 1
        place = {
            "xref": "paper",
            "x": 0,
            "xanchor": "left",
            "yref": "paper",
            "y": 0,
            "yanchor": "top",
            "yshift": -round(below - 4) - row * ceil(LINE_HEIGHT * size),
        }
        # The dash has the line's colour; the name has one in which it can be read.
        line = {"text": dash, "xshift": round(at), "font": {"color": curve.color}}
        words = {"text": curve.name, "xshift": round(at + sample)}
        colour = {"font": {"color": f"{curve.color}/text"}}
        name = {"name": curve.key, "captureevents": True}
        found += [place | line, place | name | words | colour]
        at += span + _GAP
    return found, row + 1 if found else 0


def _sample(dash: str) -> str:
    return next((glyph for start, glyph in _SAMPLES if dash.startswith(start)), "╍╍")
