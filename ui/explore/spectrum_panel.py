"""The spectrum of S on Explore: stems of the largest eigenvalues, those kept, and the gap."""

from typing import Any

import numpy as np

from dpca_core.figures.axes import Axis, count_format
from dpca_core.linalg.arrays import Array
from ui.explore.chart_words import EIGENVALUE_COLUMN
from ui.explore.summary import Summary
from ui.figures.packed_content import float32
from ui.text.numbers import significant

SPECTRUM_HEIGHT = 300.0
SPECTRUM_LEFT = 0.14
"""Share of the width that the ticks of the spectrum take."""
EIGENVALUES_SHOWN, EIGENVALUES_BEYOND_K = 10, 3
"""Eigenvalues that are drawn: at least so many, and at least so many after the k largest."""
EIGENVALUES_SAVED_BEYOND_K = 20
"""Eigenvalues in the table, after the k largest."""
GAP_WORDS_ROOM = 16.0
"""Pixels from the middle of the gap's words to the top of the next stem, its dot included."""
HEADROOM = 1.42
"""The axis of the spectrum ends at this multiple of the last eigenvalue kept."""


def spectrum_panel(summary: Summary, gap_text: str) -> dict[str, Any]:
    """Return traces, axes x3 and y3, lines and words of the largest eigenvalues, in people.

    The figure says how high the panel is.
    """
    values, k = summary.study.problem.spectrum, summary.study.query.k
    shown = values[: max(EIGENVALUES_SHOWN, k + EIGENVALUES_BEYOND_K)]
    top = max(float(values[k - 1]) * HEADROOM, 1e-12)
    number = np.arange(1.0, len(shown) + 1)
    heights = np.clip(shown, 0, top)
    inside = shown <= top
    stems = [
        _stems(number[:k], heights[:k], "ink", 2),
        _stems(number[k:], heights[k:], "faint", 1.4),
    ]
    kept = number <= k
    color = ["ink" if is_kept else "faint" for is_kept in kept[inside]]
    heads = {
        "type": "scatter",
        "mode": "markers",
        "name": "eigenvalue of S",
        "meta": "eigenvalues",
        "x": float32(number[inside]),
        "y": float32(shown[inside]),
        "xaxis": "x3",
        "yaxis": "y3",
        "marker": {
            "size": 9,
            "color": ["ink" if is_kept else "page" for is_kept in kept[inside]],
            "line": {"color": color, "width": 1.6},
        },
        "hovertemplate": "direction %{x}: %{y:,.3~r}<extra></extra>",
    }
    words = [
        {
            "x": int(i),
            "y": top,
            "xref": "x3",
            "yref": "y3",
            "text": f"↑ {significant(float(value), 3)}",
            "xanchor": "left",
            "yanchor": "top",
            "yshift": -14 * (int(i) % 3),
            "font": {"size": 12, "color": "ink"},
        }
        for i, value in zip(number[~inside], shown[~inside], strict=True)
    ]
    step = max(1, len(shown) // 14)
    return {
        "traces": [*stems, heads],
        "x": Axis(0.4, len(shown) + 0.8, ticks=tuple(number[::step])).layout()
        | {
            "anchor": "y3",
            "domain": [SPECTRUM_LEFT, 1],
            "showgrid": False,
            "fixedrange": True,
            "showline": True,
        }
        | {"linecolor": "rule"},
        "y": Axis(0.0, top, tick_format=count_format(top)).layout()
        | {"anchor": "x3", "fixedrange": True}
        | {"nticks": 5},
        "shapes": _bracket(values, k),
        "annotations": [*words, *_gap_words(values, k, len(shown), gap_text)],
    }


def eigenvalue_rows(summary: Summary) -> list[list[Any]]:
    """Return the table of the largest eigenvalues, those that the axis cannot show included."""
    study = summary.study
    values, k = study.problem.spectrum, study.query.k
    rows = enumerate(values[: k + EIGENVALUES_SAVED_BEYOND_K].tolist(), start=1)
    head = ["direction", EIGENVALUE_COLUMN.format(unit=study.dataset.unit.many), "kept"]
    return [head, *([i, value, "yes" if i <= k else "no"] for i, value in rows)]


def _stems(number: Array, heights: Array, color: str, width: float) -> dict[str, Any]:
    ends = np.stack([np.zeros_like(heights), heights, np.full_like(heights, np.nan)], axis=1)
    return {
        "type": "scatter",
        "mode": "lines",
        "x": float32(np.repeat(number, 3)),
        "y": float32(ends.ravel()),
        "xaxis": "x3",
        "yaxis": "y3",
        "line": {"color": color, "width": width},
        "hoverinfo": "skip",
    }


def _bracket(values: Array, k: int) -> list[dict[str, Any]]:
    """Return the bracket between the last eigenvalue kept and the first one not kept, as a path."""
    if len(values) <= k:
        return []
    high, low, at = float(values[k - 1]), float(max(values[k], 0.0)), k + 0.55
    ends = [(k, high, at + 0.12, high), (at, low, k + 1, low), (at, high, at, low)]
    path = " ".join(f"M{x0},{y0}L{x1},{y1}" for x0, y0, x1, y1 in ends)
    line = {"color": "ink", "width": 1.6}
    return [{"type": "path", "xref": "x3", "yref": "y3", "path": path, "line": line}]


def _gap_words(values: Array, k: int, shown: int, gap_text: str) -> list[dict[str, Any]]:
    """Return what the bracket says: at its side, or above it where the next stem reaches the words.

    In the right half of the chart it is always above, and ends at the bracket.
    """
    if len(values) <= k:
        return []
    high, low = float(values[k - 1]), float(max(values[k], 0.0))
    left = k + 0.55 <= 0.55 * shown
    room = (high - low) / 2 * SPECTRUM_HEIGHT / max(high * HEADROOM, 1e-12)
    place = (
        {"x": k + 0.7, "y": (high + low) / 2, "xanchor": "left", "yanchor": "middle"}
        if left and room >= GAP_WORDS_ROOM
        else {"x": k + 0.55, "y": high, "yanchor": "bottom", "yshift": 6}
        | {"xanchor": "left" if left else "right"}
    )
    text = {
        "text": f"<b>{gap_text}</b>",
        "bgcolor": "page/.8",
        "font": {"size": 13, "color": "ink"},
    }
    return [{"xref": "x3", "yref": "y3", "name": "gap"} | place | text]
