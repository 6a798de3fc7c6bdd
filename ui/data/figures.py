"""The histogram of row lengths, and which rows R would shorten."""

from typing import Any

import numpy as np

from dpca_core.figures.axes import Axis
from dpca_core.figures.theme import Spec, shared_layout
from ui.data.text import RADIUS_MARK, ROW_LENGTH_AXES, ROW_LENGTH_COLUMNS, rows_hover
from ui.text.numbers import significant

HEIGHT = 250
BARS = 40
LONGEST = 1e300
"""Lengths beyond this one are drawn as this one."""
KEPT, SHORTENED = "grey/.55", "accent/.8"
"""Roles of the colours of rows that R leaves as they are, and of those that it shortens."""

_ROUNDING = 1e-12


def exceeds(lengths: np.ndarray, radius: float) -> np.ndarray:
    """Tell which rows (n,) are shortened: longer than R by more than rounding."""
    return np.asarray(lengths > radius * (1 + _ROUNDING))


def histogram(lengths: np.ndarray, radius: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the bars' edges (b + 1,) and how many rows (b,) R keeps and shortens in each.

    R is an edge, so that no bar holds rows of both kinds. The last bar holds all longer rows.
    """
    finite = np.minimum(lengths, LONGEST)
    top = max(float(np.quantile(finite, 0.995)), radius) * 1.1
    width = radius / max(1, round(BARS * radius / top))
    with np.errstate(over="ignore"):
        edges = width * np.arange(int(np.clip(np.ceil(top / width), 1, 4 * BARS)) + 1)
    with np.errstate(over="ignore"):
        bar = np.minimum(finite / width, len(edges) - 2).astype(int)
    long = exceeds(lengths, radius)
    inside = min(round(radius / width), len(edges) - 1)
    kept = np.bincount(np.minimum(bar[~long], inside - 1), minlength=len(edges) - 1)
    shortened = np.bincount(np.maximum(bar[long], inside), minlength=len(edges) - 1)
    return edges, kept, shortened[: len(edges) - 1]


def row_length_figure(lengths: np.ndarray, radius: float) -> Spec:
    """Return the histogram of lengths (n,) as a figure, with R as a line.

    ``table`` holds the ends of each bar and its rows; the last bar has no end.
    """
    edges, kept, shortened = histogram(lengths, radius)
    across = Axis(0.0, float(edges[-1]), title=ROW_LENGTH_AXES[0])
    down = Axis(0.0, 1.05 * float(max(kept.max(), shortened.max(), 1)), title=ROW_LENGTH_AXES[1])
    return {
        "data": [
            _bars("kept", edges, kept, KEPT, rows_hover(shortened=False)),
            _bars("shortened", edges, shortened, SHORTENED, rows_hover(shortened=True)),
        ],
        "layout": shared_layout()
        | {
            "height": HEIGHT,
            "margin": {"l": 8, "r": 66, "t": 24, "b": 46},
            "barmode": "overlay",
            "bargap": 0,
            "xaxis": across.layout() | {"showgrid": False, "anchor": "y"},
            "yaxis": down.layout() | {"side": "right", "tickformat": ",", "anchor": "x"},
            "shapes": [_radius_line(radius)],
            "annotations": [_radius_mark(radius, float(edges[-1]))],
        },
        "table": [list(ROW_LENGTH_COLUMNS), *_rows(edges, kept, shortened)],
    }


def _rows(edges: np.ndarray, kept: np.ndarray, shortened: np.ndarray) -> list[list[Any]]:
    low, high = edges[:-1].tolist(), [*edges[1:-1].tolist(), None]
    counts = kept.tolist(), shortened.tolist()
    return [list(row) for row in zip(low, high, *counts, strict=True)]


def _bars(name: str, edges: np.ndarray, rows: np.ndarray, color: str, hover: str) -> dict[str, Any]:
    """Return the bars that hold rows; as plain numbers, for lengths may exceed single precision."""
    filled = rows > 0
    return {
        "type": "bar",
        "name": name,
        "x": ((edges[1:] + edges[:-1]) / 2)[filled].tolist(),
        "y": rows[filled].tolist(),
        "width": float(edges[1]) * 0.92,
        "marker": {"color": color},
        "hovertemplate": f"{hover}<extra></extra>",
    }


def _radius_line(radius: float) -> dict[str, Any]:
    ends = {"x0": radius, "x1": radius, "yref": "paper", "y0": 0, "y1": 1}
    return {"type": "line", **ends, "line": {"color": "ink", "width": 1.5}}


def _radius_mark(radius: float, end: float) -> dict[str, Any]:
    return {
        "text": f"<b>{RADIUS_MARK.format(significant(radius, 3))}</b>",
        "x": radius,
        "yref": "paper",
        "y": 1,
        "yanchor": "bottom",
        "xanchor": "left" if radius < 0.6 * end else "right",
        "font": {"color": "ink"},
    }
