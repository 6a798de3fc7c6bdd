"""A fan: directions as needles about the true one, in a quarter circle without axes."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from dpca_core.figures.chart import TYPE, Spec, shared_layout
from dpca_core.linalg.arrays import Array

HEIGHT, TICKS = 250.0, np.arange(0, 91, 15)
"""In pixels; angles that are written at the rim, in degrees."""


def fan(needles: Mapping[str, tuple[ArrayLike, str]], middle: float | None = None) -> Spec:
    """Return a quarter circle with the true direction, and a needle for each angle from it.

    ``needles``, by the name of what they are: angles (t,) in degrees from 0 to 90, and the role of
    their colour. The median of several has a thick needle, at ``middle`` where it is known better.
    """
    rim = _on_circle(np.linspace(0, 90, 46))
    ground = {"x": [0.0, *rim[0]], "y": [0.0, *rim[1]], "fill": "toself", "fillcolor": "panel"}
    data = [_line(ground, "clear", 0.0), _needles([0.0], "ink", 3.0)]
    table: list[list[str | float]] = [["picture", "turned, degrees"]]
    for number, (name, (angles, color)) in enumerate(needles.items()):
        turned = np.ravel(np.asarray(angles, dtype=np.float64))
        data.append(_needles(turned, color, 1.2))
        if len(turned) > 1:
            data.append(_needles([np.median(turned) if middle is None else middle], color, 4.0))
        tips = dict(zip("xy", _on_circle(turned), strict=True)) | {"customdata": turned}
        said = {"hovertemplate": f"{name}: %{{customdata:.2~g}}°<extra></extra>", "name": name}
        marker = {"color": color, "size": 7}
        data.append({"type": "scatter", "mode": "markers", "marker": marker, **tips, **said})
        at = np.array([[1.2], [1.15 - 0.1 * number]])
        data.append(_texts(at, [f"<b>{name}</b>"], "middle left", f"{color}/text"))
        table += [[name, float(angle)] for angle in turned]
    data.append(_texts(_on_circle(TICKS, 1.1), [f"{tick}°" for tick in TICKS], "middle center"))
    # The range stays: one that was made wider for a shape stays so when the window gets another.
    hidden = {"visible": False, "fixedrange": True, "constrain": "domain"}
    layout = shared_layout(
        HEIGHT,
        margin={"l": 4, "r": 4, "t": 4, "b": 4},
        xaxis=hidden | {"range": [-0.05, 1.2]},
        yaxis=hidden | {"range": [-0.05, 1.2], "scaleanchor": "x"},
    )
    return {"data": data, "layout": layout, "table": table}


def _on_circle(degrees: ArrayLike, radius: float = 1.0) -> Array:
    """Return x and y (2, t) of angles."""
    turn = np.radians(np.asarray(degrees, dtype=np.float64))
    return radius * np.array([np.cos(turn), np.sin(turn)])


def _needles(degrees: ArrayLike, color: str, width: float) -> Spec:
    """Return a line from the corner to the rim at each angle."""
    ends = _on_circle(degrees)
    origin, cut = np.zeros_like(ends), np.full_like(ends, np.nan)
    x, y = np.stack([origin, ends, cut], axis=2).reshape(2, -1)
    return _line({"x": x, "y": y}, color, width)


def _line(points: Spec, color: str, width: float) -> Spec:
    line = {"color": color, "width": width}
    return {"type": "scatter", "mode": "lines", "line": line, "hoverinfo": "skip", **points}


def _texts(at: Array, texts: list[str], position: str, color: str = "grey") -> Spec:
    # A trace: Plotly moves the plot of a fan, whose circle stays one, but not words over it.
    words = {"text": texts, "textposition": position, "textfont": {"color": color, "size": TYPE}}
    shared = {"type": "scatter", "mode": "text", "hoverinfo": "skip"}
    return {"x": at[0], "y": at[1], **shared, **words}
