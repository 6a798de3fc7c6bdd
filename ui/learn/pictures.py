"""The lessons' pictures as Plotly figures, in roles of colours: needles, bars, dots, cells, curves.

None has a number of its own: what is written on it comes filled from the lesson.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dpca_core.figures.chart import Axis, Curve, Dot, chart, shared_layout, with_names
from dpca_core.figures.pictures import fan as one_fan
from dpca_core.linalg.arrays import Array
from ui.page.words import fill

Fields = Mapping[str, Any]
"""What a lesson has measured: numbers and arrays by name."""
Figure = dict[str, Any]
"""A Plotly figure whose colours are roles (``dpca_core.figures.colours``)."""
TYPE = {"color": "ink", "size": 15, "family": '"Source Sans", sans-serif'}
"""Of all words in a picture; a room enlarges the page."""
HEIGHT = 250
WIDTH = 480
"""Pixels for which names of curves are placed, between a phone's and a whole page's."""
FRAME = {"l": 4, "r": 4, "t": 8, "b": 8}
WITH_AXIS = {"l": 24, "r": 24, "t": 8, "b": 34}
"""Margins, the second with room for an axis below."""
HIDDEN = {"visible": False, "fixedrange": True}
SIGNED = [
    *[(0.0, "rgb(120,102,214)"), (0.5, "rgba(120,102,214,0.12)")],
    *[(0.5, "rgba(214,128,36,0.12)"), (1.0, "rgb(214,128,36)")],
]
"""Of numbers in a table from −1 to 1, as on every page: violet, nearly nothing, orange."""
PEOPLE = [(0.0, "rgba(128,134,142,0.55)"), (0.5, "rgba(128,134,142,0.14)"), (1.0, "rgb(224,40,76)")]
"""Of a person among all, of one left out and of one marked, on light and dark."""


@dataclass(frozen=True)
class Picture:
    """A picture: a title, a line below it, and figures side by side or a table in Markdown."""

    title: str
    caption: str
    figures: tuple[Figure, ...] = ()
    table: str = ""


@dataclass(frozen=True)
class Say:
    """Fills the texts of a lesson's pictures, by their names, with what it has measured."""

    texts: Mapping[str, str]
    fields: Fields

    def __call__(self, name: str, **more: Any) -> str:
        """Return a text filled, also with ``more`` fields."""
        return fill(self.texts[name], {**self.fields, **more})

    def picture(
        self, name: str, *figures: Figure, below: str = "", table: str = "", **more: Any
    ) -> Picture:
        """Return a picture with the title of this name, and the line ``below``: "name, below"."""
        caption = self(below or f"{name}, below", **more)
        return Picture(self(name, **more), caption, figures, table)


def figure(traces: Sequence[Figure], *, height: int = HEIGHT, **layout: Any) -> Figure:
    """Return a figure that fills its place, without a frame."""
    own = {"margin": FRAME, "font": TYPE}
    return {"data": [*traces], "layout": shared_layout(height, **own | layout)}


def fan(angles: ArrayLike, median: float | None, role: str) -> Figure:
    """Return a quarter circle with a needle for each angle, 0 to 90°, thick at the median."""
    drawn = one_fan({"0°: PCA without privacy": ([0.0], "ink"), "": (angles, role)}, median)
    return {"data": drawn["data"], "layout": drawn["layout"]}


def bars(rows: Sequence[tuple[str, float, str]], largest: float = 0.0) -> Figure:
    """Return bars from the left on one scale: name above, value, and role of the colour.

    ``largest`` fills the width, where that is more than all of these.
    """
    names, values, roles = zip(*rows, strict=True)
    places = {"x": values, "y": [*range(len(rows))], "orientation": "h", "width": 0.36}
    return figure(
        [{"type": "bar", "marker": {"color": [*roles]}, **places}],
        height=30 + 54 * len(rows),
        annotations=[_name(name, 0, row - 0.2) for row, name in enumerate(names)],
        xaxis=HIDDEN | {"range": [0, max(largest, *values, 1e-9)]},
        yaxis=HIDDEN | {"range": [len(rows) - 0.7, -0.75]},
    )


def _name(text: str, x: float, y: float) -> Figure:
    """Return words above a place, to the right; of Markdown they may have **bold**."""
    bold = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", text)
    place = {"x": x, "y": y, "xanchor": "left", "yanchor": "bottom"}
    return place | {"text": bold, "showarrow": False}


def piles(
    groups: Sequence[tuple[str, ArrayLike, str]],
    low: float,
    high: float,
    ticks: Sequence[tuple[float, str]],
    mark: float | None = None,
) -> Figure:
    """Return groups of dots, one above the other, each dot at its value on the axis they share.

    A group is its name, values, and the role of its colour; values beyond the axis lie at its end.
    A line stands across all groups at ``mark``.
    """
    bins, traces = 48, []
    for row, (_, values, role) in enumerate(groups):
        x = np.clip(np.asarray(values, dtype=float), low, high)
        column = pd.Series((x - low) / (high - low) * bins).astype(int)
        above = column.groupby(column).cumcount().to_numpy(dtype=float)
        level = -row + 0.8 * (above + 0.5) / max(8.0, above.max() + 1)
        marker = {"color": role, "size": 9, "opacity": 0.85}
        dots = {"mode": "markers", "marker": marker, "cliponaxis": False}
        traces.append(dots | {"x": x, "y": level})
    across = {"yref": "paper", "x0": mark, "x1": mark, "y0": 0, "y1": 1}
    rule = {"type": "line", "line": {"color": "accent", "width": 2}, **across}
    named = [(f"**{name}**", low, 0.8 - row) for row, (name, *_) in enumerate(groups) if name]
    return figure(
        traces,
        height=50 + 110 * len(groups),
        annotations=[_name(*place) for place in named],
        shapes=[] if mark is None else [rule],
        margin=WITH_AXIS,
        xaxis=_axis(low, high, ticks),
        yaxis=HIDDEN | {"range": [1 - len(groups) - 0.05, 1.15]},
    )


def _axis(low: float, high: float, ticks: Sequence[tuple[float, str]]) -> Figure:
    """Return an axis below a picture, with words at the ticks."""
    return {
        "range": [low, high],
        "tickvals": [at for at, _ in ticks],
        "ticktext": [text for _, text in ticks],
        "fixedrange": True,
        "ticks": "outside",
        "tickcolor": "ink",
        "showgrid": False,
        "zeroline": False,
        "showline": True,
        "linecolor": "ink",
    }


def people(count: int, marked: ArrayLike, columns: int = 120, hollow: ArrayLike = ()) -> Figure:
    """Return a square for each of ``count`` people, ``marked`` ones (from 0) red, others empty."""
    rows = -(-count // columns)
    shade = np.full(rows * columns, np.nan)
    shade[:count] = 0.0
    shade[np.asarray(marked, dtype=int)] = 1.0
    shade[np.asarray(hollow, dtype=int)] = 0.5
    gap, height = (1, HEIGHT) if columns > 60 else (4, HEIGHT - 60)
    grid = _heat(shade.reshape(rows, columns), 0, PEOPLE) | {"xgap": gap, "ygap": gap}
    across = HIDDEN | {"constrain": "domain", "constraintoward": "left"}
    down = HIDDEN | {"autorange": "reversed", "scaleanchor": "x", "constrain": "domain"}
    return figure([grid], xaxis=across, yaxis=down | {"constraintoward": "top"}, height=height)


def _heat(z: Array, least: float, scale: Sequence[tuple[float, str]]) -> Figure:
    """Return a cell for each number from ``least`` to 1."""
    ends = {"zmin": least, "zmax": 1, "showscale": False, "colorscale": scale}
    return {"type": "heatmap", "z": z, **ends}


def histogram(
    values: ArrayLike, ticks: Sequence[tuple[float, str]], role: str, bins: int = 60
) -> Figure:
    """Return how many values lie where, on a logarithmic axis from the first tick to the last."""
    edges = np.geomspace(ticks[0][0], ticks[-1][0], bins + 1)
    found, _ = np.histogram(np.asarray(values, dtype=float), edges)
    at = np.log10(edges)
    places = {"x": (at[1:] + at[:-1]) / 2, "y": found, "width": np.diff(at) * 0.9}
    written = [(float(np.log10(value)), text) for value, text in ticks]
    return figure(
        [{"type": "bar", "marker": {"color": role}, **places}],
        margin=WITH_AXIS,
        xaxis=_axis(at[0], at[-1], written),
        yaxis=HIDDEN | {"rangemode": "tozero"},
    )


def cells(tables: Sequence[tuple[str, Array | None]]) -> Figure:
    """Return symmetric tables (d, d) side by side: orange is positive, violet negative.

    A cell's strength is the square root of its size beside the largest of all tables, so that
    small cells are seen beside large ones. None is a table that is not shown yet: a frame.
    """
    known = [table for _, table in tables if table is not None]
    d, most = len(known[0]), max(float(np.abs(table).max()) for table in known)
    traces, shapes, named = [], [], []
    for number, (name, table) in enumerate(tables):
        left = number * (d + 3)
        if table is not None:
            z = np.sign(table) * np.sqrt(np.abs(table) / most)
            traces.append(_heat(z, -1, SIGNED) | {"x": left + np.arange(d), "y": [*range(d)]})
        frame = {"x0": left - 0.5, "x1": left + d - 0.5, "y0": -0.5, "y1": d - 0.5}
        shapes.append({"type": "rect", "line": {"color": "rule", "width": 1}, **frame})
        named.append(_name(f"**{name}**", left - 0.5, -0.8))
    right = max(len(tables), 3) * (d + 3) - 3
    return figure(
        traces,
        shapes=shapes,
        annotations=named,
        height=HEIGHT - 20,
        xaxis=HIDDEN | {"range": [-0.7, right - 0.3], "constrain": "domain"},
        yaxis=HIDDEN | {"range": [d - 0.3, -3], "scaleanchor": "x", "constrain": "domain"},
    )


def curves(
    x_axis: Axis,
    y_axis: Axis,
    x: Array,
    drawn: Sequence[tuple[str, Array, str, str]],
    dots: Sequence[Dot] = (),
) -> Figure:
    """Return curves over x: name, values (p,), role of the colour, dash; and dots with words."""
    named = [Curve(name, name, y, role, dash, 2.6) for name, y, role, dash in drawn]
    return with_names(chart(x_axis, y_axis, x, named, dots=dots, height=HEIGHT), WIDTH)
