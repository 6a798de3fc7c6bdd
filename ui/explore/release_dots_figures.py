"""What stands beside Explore's curves, at the chosen ε: releases as dots, and the spectrum."""

from typing import Any

import numpy as np

from dpca_core.figures.axes import Axis
from dpca_core.figures.theme import Spec, family_role, shared_layout
from dpca_core.linalg.arrays import Array
from ui.explore.chart_words import EIGENVALUE_COLUMN, RELEASES_HEAD
from ui.explore.curve_figures import PANEL_HEIGHTS, kept_axis, sin_axis
from ui.explore.summary import DOTS, Summary
from ui.figures.packed_content import Float32Array, float32
from ui.text.numbers import significant

DOT_SIZES = {"kept": 13, "sin": 9}
"""Diameter of a dot in pixels."""
SMALL_DOTS, ROOM = 35, 0.6
"""Places in a row of the smaller dots, and room at both ends of a row, in places."""
ROUNDING = 1e-6
"""Of a row: a release that reaches the line exactly lies above it."""
OUTSIDE = -99.0
"""Where a dot lies that is not shown."""
SPECTRUM_HEIGHT = 300.0
MARGINS = {"l": 0, "r": 4, "t": 0, "b": 30}
HEIGHT = 700
"""Of the figure, in pixels, where no page says how high it is."""
_INSIDE = HEIGHT - MARGINS["b"]
DOMAINS = {
    "kept": [1 - PANEL_HEIGHTS["kept"] / _INSIDE, 1],
    "sin": [SPECTRUM_HEIGHT / _INSIDE, (SPECTRUM_HEIGHT + PANEL_HEIGHTS["sin"]) / _INSIDE],
    "spectrum": [0, SPECTRUM_HEIGHT / _INSIDE],
}
"""Shares of its height that the panels have there; a page says where they are."""
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


def release_dots(summary: Summary, target: float) -> dict[str, Any]:
    """Return captured shares and ‖sin Θ‖_F of the first releases, and where their dots lie.

    Returns
    -------
    dict
        ``kept`` and ``sin`` (G, 25), NaN where there is no release. ``piles``: for each of the two
        traces of dots their ``x`` and ``y``, each (G, 25), and ``filled_from``: dots at this y or
        above are filled.
    """
    chosen = summary.chosen
    kept = _padded(chosen.captured_dots)
    sin = _padded(chosen.dots(chosen.measured.sin_theta))
    share, length = kept_axis(summary), sin_axis(summary)
    return {
        "kept": float32(kept),
        "sin": float32(sin),
        "piles": [
            _pile(kept, share, "kept", target) | {"filled_from": target},
            _pile(sin, length, "sin", 0.0) | {"filled_from": -1.0},
        ],
    }


def _padded(values: Array) -> Array:
    full = np.full((len(values), DOTS), np.nan)
    full[:, : values.shape[1]] = values
    return full


def _pile(values: Array, axis: Axis, panel: str, line: float) -> dict[str, Float32Array]:
    """Pile dots up in rows whose edge lies on a line: no row mixes releases above and below it."""
    row_height = (DOT_SIZES[panel] + 1) * (axis.high - axis.low) / PANEL_HEIGHTS[panel]
    above = np.where(values >= line, ROUNDING, 0.0)
    row = np.floor((values - line) / row_height + above)
    # What lies beyond the axis is in its last row, so that it has a place there of its own.
    lowest = np.ceil((axis.low - line) / row_height - ROUNDING)
    highest = np.floor((axis.high - line) / row_height + ROUNDING) - 1
    row = np.clip(row, min(lowest, -1.0) if line > axis.low else lowest, max(highest, 0.0))
    same = row[:, :, None] == row[:, None, :]
    place = np.tril(same, -1).sum(axis=2).astype(float)
    centre = np.clip(
        line + (row + 0.5) * row_height, axis.low + row_height / 2, axis.high - row_height / 2
    )
    missing = np.isnan(values)
    return {
        "x": float32(np.where(missing, OUTSIDE, place)),
        "y": float32(np.where(missing, OUTSIDE, centre)),
    }


def beside_figure(summary: Summary, target: float, gap_text: str) -> Spec:
    """Return the dots of both panels and the spectrum as one figure.

    The dots have no places yet: the browser takes those of ``release_dots`` at the ε of its rule,
    and so does ``beside_at`` for a file. Axes are x and y for variation kept, x2 and y2 for sin Θ,
    x3 and y3 for the spectrum. ``table`` holds the numbers behind each y axis; of the releases the
    head only.
    """
    role = family_role(summary.chosen.mechanism.family)
    chance = summary.random
    lines = [
        _level("y", 1.0, "ink", 1.6),
        _level("y", chance.captured, "faint", 1.2, "9px,7px"),
        _level("y", target, "ink", 1.0, "2px,3px"),
        _level("y2", 0.0, "ink", 1.6),
        _level("y2", chance.sin_theta, "faint", 1.2, "9px,7px"),
    ]
    spectrum = _spectrum(summary, gap_text)
    hidden = {"visible": False, "fixedrange": True}
    layout = shared_layout() | {
        "margin": dict(MARGINS),
        "xaxis": hidden | {"anchor": "y", "range": [-ROOM, DOTS - 1 + ROOM]},
        "xaxis2": hidden | {"anchor": "y2", "range": [-ROOM, SMALL_DOTS - 1 + ROOM]},
        "yaxis": _quiet(kept_axis(summary)) | {"anchor": "x", "domain": DOMAINS["kept"]},
        "yaxis2": _quiet(sin_axis(summary)) | {"anchor": "x2", "domain": DOMAINS["sin"]},
        "xaxis3": spectrum["x"],
        "yaxis3": spectrum["y"],
        "shapes": [*lines, *spectrum["shapes"]],
        "annotations": spectrum["annotations"],
        "height": HEIGHT,
    }
    dots = [_dots(role, "kept", ""), _dots(role, "sin", "2")]
    table = {"y": [RELEASES_HEAD], "y2": [RELEASES_HEAD], "y3": _eigenvalue_rows(summary)}
    return {"data": [*dots, *spectrum["traces"]], "layout": layout, "table": table}


def _eigenvalue_rows(summary: Summary) -> list[list[Any]]:
    """Return the table of the largest eigenvalues, those that the axis cannot show included."""
    study = summary.study
    values, k = study.problem.spectrum, study.query.k
    rows = enumerate(values[: k + EIGENVALUES_SAVED_BEYOND_K].tolist(), start=1)
    head = ["direction", EIGENVALUE_COLUMN.format(unit=study.dataset.unit.many), "kept"]
    return [head, *([i, value, "yes" if i <= k else "no"] for i, value in rows)]


def _dots(role: str, panel: str, axis: str) -> dict[str, Any]:
    value = "%{customdata:.1%}" if panel == "kept" else "‖sin Θ‖<sub>F</sub> = %{customdata:.3f}"
    return {
        "type": "scatter",
        "mode": "markers",
        "meta": panel,
        "x": [],
        "y": [],
        "xaxis": f"x{axis}",
        "yaxis": f"y{axis}",
        "marker": {
            "size": DOT_SIZES[panel],
            "color": role,
            "opacity": 1,
            "line": {"color": role, "width": 1.6},
        },
        "hovertemplate": f"{value}<extra></extra>",
    }


def _level(
    axis: str, value: float, color: str, width: float, dash: str = "solid"
) -> dict[str, Any]:
    return {
        "type": "line",
        "layer": "below",
        "xref": f"x{axis[1:]} domain",
        "x0": 0,
        "x1": 1,
        "yref": axis,
        "y0": value,
        "y1": value,
        "line": {"color": color, "width": width, "dash": dash},
    }


def _quiet(axis: Axis) -> dict[str, Any]:
    """Return an axis without texts: it is labelled beside the curves."""
    return axis.layout() | {"showticklabels": False, "fixedrange": True}


def _spectrum(summary: Summary, gap_text: str) -> dict[str, Any]:
    """Return traces, axes, lines and words of the largest eigenvalues, in people."""
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
        "hovertemplate": "direction %{x}: %{y:,.3~g}<extra></extra>",
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
        "y": Axis(0.0, top, tick_format=",~g").layout()
        | {"anchor": "x3", "fixedrange": True, "domain": DOMAINS["spectrum"]}
        | {"nticks": 5},
        "shapes": _bracket(values, k),
        "annotations": [*words, *_gap_words(values, k, len(shown), gap_text)],
    }


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
