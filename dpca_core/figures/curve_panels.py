"""Panels of curves above one axis, as one figure with the names of the curves beside them."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dpca_core.figures.axes import Axis
from dpca_core.figures.layout import Spec, shared_layout, within_edges
from dpca_core.figures.panel_words import panel_words
from dpca_core.figures.panels import SIZES, Band, Curve, Dot, Mark, Panel, Size
from dpca_core.linalg.arrays import Array

PANEL_GAP = 58.0
"""Pixels between two panels where nothing else says how far apart they are: room for a title."""
MARGINS = {"l": 8, "r": 54, "t": 8, "b": 46}
"""Around the plot, in pixels: the y axes are at the right, the x axis at the foot."""


def curve_panels(
    x_axis: Axis,
    x: Array,
    panels: Sequence[Panel],
    revision: str = "",
    sizes: Mapping[int, Size] = SIZES,
) -> Spec:
    """Return panels above one x axis as one figure.

    Parameters
    ----------
    x
        Where curves have values, (p,).
    panels
        From top to bottom.
    revision
        While it stays the same a new figure keeps the zoom of the one before.
    sizes
        By width of the plot, in pixels.

    Returns
    -------
    dict
        ``data`` and ``layout`` in Plotly's schema, without the names of curves; and ``sizes``: for
        each width of ``sizes`` the scale of the panels, the size of the type and ``annotations``,
        the names that fit. ``with_names`` puts one of these sets into the layout. ``columns``:
        names of curves in a table of their numbers, by what they are called in the figure.
    """
    axes = {f"yaxis{i + 1 if i else ''}": _y_axis(panel) for i, panel in enumerate(panels)}
    layout = shared_layout() | {
        "margin": dict(MARGINS),
        "uirevision": revision,
        "xaxis": x_axis.layout() | {"anchor": _axis_name("y", len(panels) - 1)},
        **axes,
        "shapes": [s for i, panel in enumerate(panels) for s in _shapes(i, panel)],
    }
    figure: Spec = {
        "data": [t for i, panel in enumerate(panels) for t in _traces(i, panel, x)],
        "layout": layout,
        "sizes": {
            str(width): {
                "scale": size.scale,
                "type": size.type_size,
                "annotations": [
                    words | _y_reference(i)
                    for i, panel in enumerate(panels)
                    for words in panel_words(panel, x_axis, x, width, size)
                ],
            }
            for width, size in sizes.items()
        },
    }
    named = [c for panel in panels for c in panel.curves if c.statistic]
    if named:
        figure["columns"] = {c.name: f"{c.name} ({c.statistic})" for c in named}
    _stack(figure, [panel.height for panel in panels])
    return figure


def with_names(figure: Spec, width: int = 640) -> Spec:
    """Return a figure whose layout is that of one width, names included, as Plotly alone draws it.

    Parameters
    ----------
    width
        Of the plot, in pixels: the largest of ``figure["sizes"]`` that fits is taken, else the
        smallest.
    """
    layout = figure["layout"]
    widths = sorted(map(int, figure.get("sizes", ())))
    if widths:
        best = max((each for each in widths if each <= width), default=widths[0])
        chosen = figure["sizes"][str(best)]
        height = layout["height"] * chosen.get("scale", 1)
        layout = layout | {"height": height} | chosen.get("layout", {})
        layout |= {"annotations": layout.get("annotations", []) + chosen["annotations"]}
        layout["font"] = layout["font"] | {"size": chosen["type"]}
    return {"data": figure["data"], "layout": within_edges(layout)}


def _stack(figure: Spec, heights: Sequence[float]) -> None:
    """Give each panel its share of the figure's height, from the top, with room for titles."""
    inside = sum(heights) + PANEL_GAP * (len(heights) - 1)
    figure["layout"]["height"] = inside + MARGINS["t"] + MARGINS["b"]
    top = inside
    for i, height in enumerate(heights):
        axis = figure["layout"][f"yaxis{i + 1 if i else ''}"]
        axis["domain"] = [max((top - height) / inside, 0.0), top / inside]
        top -= height + PANEL_GAP


def _axis_name(letter: str, number: int) -> str:
    return f"{letter}{number + 1 if number else ''}"


def _y_reference(number: int) -> dict[str, str]:
    return {"yref": _axis_name("y", number)} if number else {}


def _y_axis(panel: Panel) -> dict[str, Any]:
    return panel.y.layout() | {"side": "right", "anchor": "x"}


def _traces(number: int, panel: Panel, x: Array) -> list[dict[str, Any]]:
    axis = {"yaxis": _axis_name("y", number)} if number else {}
    bands = [_band_trace(band, x) | axis for band in panel.bands]
    ordered = sorted(panel.curves, key=lambda curve: curve.chosen)
    rings = [_ring_trace(mark) | axis for mark in panel.marks]
    rings += [_dot_trace(dot, panel.hover) | axis for dot in panel.dots]
    return [*bands, *(_curve_trace(curve, x, panel.hover) | axis for curve in ordered), *rings]


def _curve_trace(curve: Curve, x: Array, hover: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "name": curve.name,
        "meta": curve.key,
        "x": np.asarray(x, dtype=np.float32),
        "y": np.asarray(curve.y, dtype=np.float32),
        "line": {"color": curve.color, "width": curve.width, "dash": curve.dash},
        "connectgaps": curve.bridged,
        "hovertemplate": f"{hover}<extra></extra>",
    }


def _band_trace(band: Band, x: Array) -> dict[str, Any]:
    known = np.isfinite(band.low) & np.isfinite(band.high)
    across, low, high = (np.asarray(a, dtype=np.float32)[known] for a in (x, band.low, band.high))
    return ({"name": band.name} if band.name else {}) | {
        "type": "scatter",
        "mode": "lines",
        "x": np.concatenate([across, across[::-1]]),
        "y": np.concatenate([high, low[::-1]]),
        "fill": "toself",
        "fillcolor": band.color,
        "line": {"width": 0},
        "hoverinfo": "skip",
    }


def _ring_trace(mark: Mark) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [mark.x],
        "y": [mark.y],
        "marker": {"size": 9, "color": "page", "line": {"color": "ink", "width": 1.8}},
        "hoverinfo": "skip",
    }


def _dot_trace(dot: Dot, hover: str) -> dict[str, Any]:
    inside = dot.color if dot.filled else "page"
    return {
        "type": "scatter",
        "mode": "markers",
        "name": dot.text,
        "x": [dot.x],
        "y": [dot.y],
        "marker": {"size": 10, "color": inside, "line": {"color": dot.color, "width": 1.6}},
        "hovertemplate": f"{hover}<extra></extra>",
        "cliponaxis": False,
    }


def _shapes(number: int, panel: Panel) -> list[dict[str, Any]]:
    down = [
        {
            "type": "line",
            "layer": "between",
            "x0": rule.value,
            "x1": rule.value,
            # Between grid and curves Plotly draws only what has both places on an axis.
            "yref": _axis_name("y", number),
            "y0": panel.y.low,
            "y1": panel.y.high,
            "line": {"color": rule.color, "width": rule.width, "dash": rule.dash},
        }
        for rule in panel.rules
    ]
    return down + [
        {
            "type": "line",
            "layer": "between",
            "xref": "paper",
            "x0": 0,
            "x1": 1,
            "yref": _axis_name("y", number),
            "y0": reference.value,
            "y1": reference.value,
            "line": {
                "color": reference.color,
                "width": reference.width,
                "dash": reference.dash,
            },
        }
        for reference in panel.references
    ]
