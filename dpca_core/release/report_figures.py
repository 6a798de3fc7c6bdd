"""The charts of a report, as plain data: every number in them is a released one.

Colours are roles (``dpca_core.figures.colours``). Names of columns are a stranger's: they are
escaped where Plotly would read them as markup.
"""

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpca_core.figures.layout import Spec, shared_layout
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Family

MOST_EIGENVALUES, MOST_LOADINGS = 30, 10
"""Points of the spectrum, and bars of a direction, at most."""
LONGEST_NAME = 28
"""Letters of a column's name beside a bar."""
_DATA = str(Family.GAUSSIAN)
"""Role of the colour of what was released, whatever its noise."""
_HEIGHT = 270
_MARGIN = {"l": 58, "r": 16, "t": 10, "b": 46}
_BAR = 22
"""Pixels from one bar to the next."""


def spectrum_figure(values: Array, low: Array, high: Array, edge: float, k: int) -> Spec:
    """Return the released spectrum with its intervals, and where noise alone would reach.

    Parameters
    ----------
    values, low, high
        (d,), in people; ends of intervals are NaN where there are none.
    edge
        Largest eigenvalue of noise alone, about.
    k
        Directions that were read off: a rule stands behind them.
    """
    shown = min(len(values), MOST_EIGENVALUES)
    numbers = np.arange(1, shown + 1)
    values, low, high = values[:shown], low[:shown], high[:shown]
    known = np.isfinite(low) & np.isfinite(high)
    points: dict[str, Any] = {
        "type": "scatter",
        "mode": "markers",
        "x": numbers,
        "y": values,
        "marker": {"color": _DATA, "size": 8},
        "hovertemplate": "direction %{x}: %{y:,.0f} people<extra></extra>",
    }
    if known.any():
        points["error_y"] = {
            "type": "data",
            "symmetric": False,
            "array": np.where(known, high - values, 0.0),
            "arrayminus": np.where(known, values - low, 0.0),
            "color": _DATA,
            "thickness": 1.5,
            "width": 4,
        }
    top = float(np.nanmax(np.concatenate([values, high[known], [edge]]))) * 1.08
    bottom = min(0.0, float(values.min()) * 1.08)
    layout = _layout("direction", "people")
    layout["xaxis"] |= {"range": [0.3, shown + 0.7], "dtick": 1 if shown <= 20 else 5}
    layout["yaxis"] |= {"range": [bottom, top or 1.0]}
    layout["shapes"] = [
        {"type": "rect", "layer": "below", "xref": "paper", "x0": 0, "x1": 1, "y0": 0, "y1": edge}
        | {"fillcolor": "rule/.5", "line": {"width": 0}},
        {"type": "line", "x0": k + 0.5, "x1": k + 0.5, "yref": "paper", "y0": 0, "y1": 1}
        | {"line": {"color": "accent", "width": 1.4, "dash": "3px,3px"}},
    ]
    layout["annotations"] = [
        _words("noise alone reaches up to here", 1, edge, "right", "bottom")
        | {"xref": "paper", "xshift": -4},
    ]
    return {"data": [points], "layout": layout}


def loadings_figure(
    loadings: Array, halves: Array, names: Sequence[str], order: NDArray[np.intp]
) -> Spec:
    """Return bars of the largest loadings of one direction, with their intervals.

    Parameters
    ----------
    loadings, halves
        (d,); half-widths are NaN where there is no interval.
    order
        Places of the columns to draw, the largest first.
    """
    texts = [short_name(names[j]) for j in order]
    known = np.isfinite(halves[order])
    bars: dict[str, Any] = {
        "type": "bar",
        "orientation": "h",
        "x": loadings[order],
        "y": np.arange(len(order)),
        "text": texts,
        "textposition": "none",
        "width": 0.62,
        "marker": {"color": _DATA},
        "hovertemplate": "%{text}: %{x:.2f}<extra></extra>",
    }
    if known.any():
        bars["error_x"] = {
            "type": "data",
            "array": np.where(known, halves[order], 0.0),
            "color": "ink",
            "thickness": 1.2,
            "width": 3,
        }
    layout = _layout("loading", "")
    layout["height"] = len(order) * _BAR + 60
    layout["margin"] = _MARGIN | {"l": 190}
    layout["xaxis"] |= {"range": [-1.05, 1.05], "dtick": 0.5, "zeroline": True}
    layout["xaxis"]["zerolinecolor"] = "ink"
    layout["yaxis"] |= {
        "range": [len(order) - 0.4, -0.6],
        "tickvals": list(range(len(order))),
        "ticktext": texts,
        "showgrid": False,
        "tickfont": {"color": "ink"},
    }
    return {"data": [bars], "layout": layout}


def scores_figure(counts: Array, reach: float, noise: float) -> Spec:
    """Return the histogram of the first two scores as squares, hollow where noise may be all.

    Parameters
    ----------
    counts
        (b₁, b₂) as released; below 0 they are drawn as 0.
    reach
        The outermost bins begin at −reach and end at reach.
    noise
        Standard deviation of a count.
    """
    across, up = counts.shape
    first, second = (_middles(b, reach) for b in (across, up))
    x, y = (grid.ravel() for grid in np.meshgrid(first, second, indexing="ij"))
    people = np.maximum(counts, 0.0).ravel()
    most = max(float(people.max()), 1.0)
    hollow = counts.ravel() < 2 * noise
    shades = [
        "clear" if empty else f"{_DATA}/{0.12 + 0.88 * share:.2f}"
        for empty, share in zip(hollow.tolist(), (people / most).tolist(), strict=True)
    ]
    size = max(3.0, 330 / max(across, up))
    squares = {
        "type": "scatter",
        "mode": "markers",
        "x": x,
        "y": y,
        "customdata": counts.ravel(),
        "marker": {
            "symbol": "square",
            "size": size,
            "color": shades,
            "line": {"color": "hair", "width": 1},
        },
        "hovertemplate": "%{x:.2f}, %{y:.2f}: %{customdata:,.0f} rows<extra></extra>",
    }
    layout = _layout("score along direction 1", "score along direction 2")
    layout |= {"height": 440, "width": 470}
    for axis in ("xaxis", "yaxis"):
        layout[axis] |= {"range": [-reach * 1.05, reach * 1.05], "showgrid": False}
    return {"data": [squares], "layout": layout}


def other_epsilons_figure(
    epsilons: Array, degrees: Array, spent: float, ticks: Sequence[float]
) -> Spec:
    """Return the expected angle (p,) in degrees against ε (p,), with a rule at the ε spent."""
    curve = {
        "type": "scatter",
        "mode": "lines",
        "x": epsilons,
        "y": degrees,
        "line": {"color": _DATA, "width": 2},
        "hovertemplate": "ε = %{x:.3~g}: %{y:.1f}°<extra></extra>",
    }
    layout = _layout("ε", "expected angle, degrees")
    ends = [float(np.log10(epsilons[0])), float(np.log10(epsilons[-1]))]
    layout["xaxis"] |= {"type": "log", "range": ends}
    layout["xaxis"] |= {"tickvals": list(ticks), "ticktext": [f"{e:g}" for e in ticks]}
    layout["yaxis"] |= {"range": [0, max(1.0, float(np.nanmax(degrees)) * 1.08)]}
    layout["shapes"] = [
        {"type": "line", "x0": spent, "x1": spent, "yref": "paper", "y0": 0, "y1": 1}
        | {"line": {"color": "accent", "width": 1.6}}
    ]
    layout["annotations"] = [
        _words("spent", float(np.log10(spent)), 1, "left", "top")
        | {"yref": "paper", "xshift": 5, "font": {"color": "accent/text"}}
    ]
    return {"data": [curve], "layout": layout}


def short_name(name: str) -> str:
    """Return a column's name for a chart: shortened, on one line, and no markup of Plotly's."""
    line = " ".join(name.split())
    short = line if len(line) <= LONGEST_NAME else f"{line[: LONGEST_NAME - 1]}…"
    return escape(short, quote=False)


def largest(loadings: Array) -> NDArray[np.intp]:
    """Return the places of the columns with the largest loadings (d,), the largest first."""
    return np.argsort(-np.abs(loadings), kind="stable")[:MOST_LOADINGS]


def _layout(across: str, up: str) -> dict[str, Any]:
    axis = {"gridcolor": "hair", "zeroline": False, "tickfont": {"color": "grey"}}
    return shared_layout() | {
        "height": _HEIGHT,
        "margin": dict(_MARGIN),
        "xaxis": axis | {"title": {"text": across, "standoff": 6}},
        "yaxis": axis | {"title": {"text": up, "standoff": 8}},
    }


def _words(text: str, x: float, y: float, across: str, up: str) -> dict[str, Any]:
    place = {"x": x, "y": y, "xanchor": across, "yanchor": up, "showarrow": False}
    return {"text": text, "font": {"color": "grey"}} | place


def _middles(bins: int, reach: float) -> Array:
    return -reach + 2 * reach * (np.arange(bins) + 0.5) / bins
