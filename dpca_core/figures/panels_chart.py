"""One chart: curves, bars, vertical rules, dots and hatched areas in one frame."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dpca_core.figures.axes import Axis
from dpca_core.figures.chart_key import with_key
from dpca_core.figures.curve_panels import curve_panels
from dpca_core.figures.layout import Spec
from dpca_core.figures.panels import Curve, Dot, Panel, Rule, Size
from dpca_core.linalg.arrays import Array

CHART_HEIGHT = 250.0
"""Of a frame, in pixels, unless a chart says otherwise."""
COLUMN_SIZES = {
    260: Size(1.2, 12.0),
    500: Size(1.0, 12.5),
    645: Size(1.3, 15.0),
}
"""Of a chart in one of two columns, by width of the plot: phones to screens of 1,600 pixels."""
WIDE_SIZES = {
    260: Size(1.0, 12.0),
    560: Size(1.0, 12.5),
    1000: Size(1.0, 12.5),
    1300: Size(1.3, 15.0),
}
"""Of a chart across both columns."""
CROSS_HATCHED = {"shape": "/", "size": 6, "solidity": 0.2, "fgcolor": "faint", "bgcolor": "clear"}
"""The filling of areas in which nothing can be, as Plotly's pattern."""
NAME = "<b>%{fullData.name}</b>"
"""In a template of a hover: the name of the curve, the bars or the dot."""


@dataclass(frozen=True)
class Bars:
    """Bars (b,) of one kind.

    Attributes
    ----------
    x, y
        Middles and values (b,).
    width
        Of a bar, in units of the x axis.
    filled
        Which bars (b,) are filled; None for all. The others are outlines.
    hatched
        Whether they are hatched instead.
    """

    name: str
    x: Array
    y: Array
    color: str
    width: float = 0.68
    filled: np.ndarray | None = None
    hatched: bool = False


@dataclass(frozen=True)
class Area:
    """What lies under a line (p,), hatched: nothing can be there."""

    y: Array


def chart(
    x_axis: Axis,
    y_axis: Axis,
    x: Array,
    curves: Sequence[Curve],
    *,
    rules: Sequence[Rule] = (),
    bars: Sequence[Bars] = (),
    dots: Sequence[Dot] = (),
    areas: Sequence[Area] = (),
    height: float = CHART_HEIGHT,
    wide: bool = False,
    sizes: Mapping[int, Size] | None = None,
    revision: str = "",
    hover: str = "%{x} → %{y}",
    unified: bool = False,
) -> Spec:
    """Return a chart as a figure with the names of its curves, as ``curve_panels`` describes it.

    Parameters
    ----------
    x
        Where curves and areas have values, (p,).
    height
        Of the frame, in pixels.
    wide
        Whether the chart lies across both columns of a page.
    sizes
        Of type and frame, by width of the plot; None for those of such a chart.
    revision
        While it stays the same a new figure keeps the zoom of the one before; if empty, while the
        axes stay the same.
    hover
        What a point says behind its name: a template of Plotly's.
    unified
        Whether one hover shows all curves at one place.
    """
    seen = [rule for rule in rules if 0 <= x_axis.share(rule.value) <= 1]
    shown = [dot for dot in dots if 0 <= y_axis.share(dot.y) <= 1 and 0 <= x_axis.share(dot.x) <= 1]
    panel = Panel(
        key="chart",
        y=y_axis,
        height=height,
        curves=[replace(curve, y=_finite(curve.y)) for curve in curves],
        rules=seen,
        dots=shown,
        covered=[box for each in bars for box in _bar_boxes(each, x_axis, y_axis)],
        hover=f"{NAME}: {hover}",
    )
    revision = revision or f"{x_axis.title} {x_axis.ends} {y_axis.ends}"
    sizes = sizes or (WIDE_SIZES if wide else COLUMN_SIZES)
    found = curve_panels(x_axis, x, [panel], revision, sizes)
    with_key(found, curves, height, sizes)
    behind = [_area_trace(area, x, y_axis) for area in areas]
    found["data"] = [*behind, *(_bar_trace(each, hover) for each in bars), *found["data"]]
    layout = found["layout"]
    if bars:
        layout |= {"barmode": "overlay", "bargap": 0}
        layout["xaxis"]["showgrid"] = False
    if unified:
        layout["hovermode"] = "x unified"
        for trace in found["data"]:
            if "hovertemplate" in trace:
                trace["hovertemplate"] = f"{NAME}: %{{y}}<extra></extra>"
    return found


def level(key: str, name: str, value: float, x: Array, **style: Any) -> Curve:
    """Return a horizontal line at a value over all of x (p,), named like a curve.

    Parameters
    ----------
    style
        Further attributes of ``Curve``; dotted and in ink unless they say otherwise.
    """
    line = Curve(key, name, np.full(len(x), value), "ink", dash="1px,3px", width=1.4)
    return replace(line, **style)


def _finite(values: Array) -> Array:
    return np.where(np.isfinite(values), values, np.nan)


def _bar_boxes(bars: Bars, x: Axis, y: Axis) -> list[tuple[float, float, float, float]]:
    known = np.isfinite(bars.y) & (bars.y > y.low if y.log else bars.y > 0)
    left, right = bars.x - bars.width / 2, bars.x + bars.width / 2
    top = np.minimum(bars.y, y.high)
    return [
        (float(max(a, x.low)), float(min(b, x.high)), y.low, float(c))
        for a, b, c in zip(left[known], right[known], top[known], strict=True)
    ]


def _bar_trace(bars: Bars, hover: str) -> dict[str, Any]:
    filled = np.ones(len(bars.x), dtype=bool) if bars.filled is None else bars.filled
    marker: dict[str, Any] = {
        "color": [bars.color if full else "clear" for full in filled],
        "line": {"color": bars.color, "width": 1.2},
    }
    if bars.hatched:
        marker |= {"color": "clear", "pattern": CROSS_HATCHED | {"fgcolor": bars.color}}
    return {
        "type": "bar",
        "name": bars.name,
        "x": np.asarray(bars.x, dtype=np.float32),
        "y": np.asarray(bars.y, dtype=np.float32),
        "width": bars.width,
        "marker": marker,
        "hovertemplate": f"{NAME}: {hover}<extra></extra>",
    }


def _area_trace(area: Area, x: Array, y_axis: Axis) -> dict[str, Any]:
    known = np.isfinite(area.y)
    across = np.asarray(x, dtype=np.float32)[known]
    edge = np.asarray(area.y, dtype=np.float32)[known]
    floor = np.full(len(edge), y_axis.low, dtype=np.float32)
    return {
        "type": "scatter",
        "mode": "lines",
        "x": np.concatenate([across, across[::-1]]),
        "y": np.concatenate([edge, floor]),
        "fill": "toself",
        "fillcolor": "clear",
        "fillpattern": CROSS_HATCHED,
        "line": {"width": 0},
        "hoverinfo": "skip",
    }
