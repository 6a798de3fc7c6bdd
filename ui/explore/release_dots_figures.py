"""Releases as dots at the chosen ε, beside Explore's curves and above the spectrum."""

from typing import Any

import numpy as np

from dpca_core.figures.axes import Axis
from dpca_core.figures.colours import family_role
from dpca_core.figures.layout import Spec, shared_layout
from dpca_core.linalg.arrays import Array
from ui.explore.chart_words import RELEASES_HEAD
from ui.explore.curve_figures import PANEL_HEIGHTS, kept_axis, sin_axis
from ui.explore.spectrum_panel import SPECTRUM_HEIGHT, eigenvalue_rows, spectrum_panel
from ui.explore.summary import DOTS, Summary
from ui.figures.packed_content import Float32Array, float32

DOT_SIZES = {"kept": 13, "sin": 9}
"""Diameter of a dot in pixels."""
SMALL_DOTS, ROOM = 35, 0.6
"""Places in a row of the smaller dots, and room at both ends of a row, in places."""
ROUNDING = 1e-6
"""Of a row: a release that reaches the line exactly lies above it."""
OUTSIDE = -99.0
"""Where a dot lies that is not shown."""
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
    spectrum = spectrum_panel(summary, gap_text)
    hidden = {"visible": False, "fixedrange": True}
    layout = shared_layout() | {
        "margin": dict(MARGINS),
        "xaxis": hidden | {"anchor": "y", "range": [-ROOM, DOTS - 1 + ROOM]},
        "xaxis2": hidden | {"anchor": "y2", "range": [-ROOM, SMALL_DOTS - 1 + ROOM]},
        "yaxis": _quiet(kept_axis(summary)) | {"anchor": "x", "domain": DOMAINS["kept"]},
        "yaxis2": _quiet(sin_axis(summary)) | {"anchor": "x2", "domain": DOMAINS["sin"]},
        "xaxis3": spectrum["x"],
        "yaxis3": spectrum["y"] | {"domain": DOMAINS["spectrum"]},
        "shapes": [*lines, *spectrum["shapes"]],
        "annotations": spectrum["annotations"],
        "height": HEIGHT,
    }
    dots = [_dots(role, "kept", ""), _dots(role, "sin", "2")]
    table = {"y": [RELEASES_HEAD], "y2": [RELEASES_HEAD], "y3": eigenvalue_rows(summary)}
    return {"data": [*dots, *spectrum["traces"]], "layout": layout, "table": table}


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
