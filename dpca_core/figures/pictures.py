"""Pictures without axes: a fan of directions about the true one, and lengths to one scale."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from dpca_core.figures.chart import TYPE, Spec, shared_layout
from dpca_core.linalg.arrays import Array

HEIGHT = 230.0
"""In pixels."""
TICKS = range(0, 91, 15)
"""Angles that are written at the rim of a fan, in degrees."""
_MARGIN = {"l": 4, "r": 4, "t": 4, "b": 4}
_HIDDEN = {"visible": False, "fixedrange": True}


def fan(name: str, angles: ArrayLike, color: str) -> Spec:
    """Return a quarter circle with the true direction, and a needle for each angle from it.

    Parameters
    ----------
    name
        Of what the needles are, for the hover and a table.
    angles
        In degrees from 0 to 90, (t,); the median of several has a thick needle.
    color
        Role of the needles' colour.
    """
    turned = np.ravel(np.asarray(angles, dtype=np.float64))
    rim, ends = _on_circle(np.linspace(0, 90, 46)), _on_circle(turned)
    ground = {"x": [0.0, *rim[0]], "y": [0.0, *rim[1]], "fill": "toself", "fillcolor": "panel"}
    data = [_lines(ground, "clear", 0.0), _needles(_on_circle([0.0]), "ink", 3.0)]
    data.append(_needles(ends, color, 1.2))
    if len(turned) > 1:
        data.append(_needles(_on_circle([np.median(turned)]), color, 4.0))
    tips = {"x": ends[0], "y": ends[1], "customdata": turned, "name": name}
    said = {"hovertemplate": "%{fullData.name}: %{customdata:.2~g}°<extra></extra>"}
    marker = {"color": color, "size": 7}
    data.append({"type": "scatter", "mode": "markers", "marker": marker, **tips, **said})
    labels = _on_circle(list(TICKS), 1.1)
    data.append(_texts(labels[0], labels[1], [f"{tick}°" for tick in TICKS], "middle center"))
    axes = {
        "xaxis": _HIDDEN | {"range": [-0.05, 1.2]},
        "yaxis": _HIDDEN | {"range": [-0.05, 1.17], "scaleanchor": "x"},
    }
    table = [["picture", "turned, degrees"], *([name, float(angle)] for angle in turned)]
    return {"data": data, "layout": shared_layout(HEIGHT, margin=_MARGIN, **axes), "table": table}


def lengths(
    names: Sequence[str], texts: Sequence[str], values: Sequence[float], colors: Sequence[str]
) -> Spec:
    """Return bars to one scale from the top, each below its text; names are for a table."""
    rows = np.arange(float(len(values)))
    bars = {
        "type": "bar",
        "orientation": "h",
        "x": list(values),
        "y": rows,
        "width": 0.4,
        "marker": {"color": list(colors)},
        "hoverinfo": "skip",
    }
    words = _texts(np.zeros(len(values)), rows - 0.42, list(texts), "middle right")
    axes = {
        "xaxis": _HIDDEN | {"range": [0, max(values) * 1.02]},
        "yaxis": _HIDDEN | {"range": [len(values) - 0.6, -0.8]},
    }
    table = [["what", "value"], *map(list, zip(names, values, strict=True))]
    layout = shared_layout(HEIGHT, margin=_MARGIN, **axes)
    return {"data": [bars, words], "layout": layout, "table": table}


def _on_circle(degrees: ArrayLike, radius: float = 1.0) -> Array:
    """Return x and y (2, t) of angles."""
    turn = np.radians(np.asarray(degrees, dtype=np.float64))
    return radius * np.array([np.cos(turn), np.sin(turn)])


def _needles(ends: Array, color: str, width: float) -> Spec:
    """Return a line from the corner to each end (2, t)."""
    origin, cut = np.zeros_like(ends), np.full_like(ends, np.nan)
    x, y = np.stack([origin, ends, cut], axis=2).reshape(2, -1)
    return _lines({"x": x, "y": y}, color, width)


def _lines(points: Spec, color: str, width: float) -> Spec:
    line = {"color": color, "width": width}
    return {"type": "scatter", "mode": "lines", "line": line, "hoverinfo": "skip", **points}


def _texts(x: Array, y: Array, texts: list[str], position: str) -> Spec:
    # A trace: Plotly moves the plot of a fan, whose circle stays one, but not words over it.
    font = {"color": "grey", "size": TYPE}
    words = {"mode": "text", "text": texts, "textposition": position, "textfont": font}
    return {"type": "scatter", "x": x, "y": y, "hoverinfo": "skip", **words}
