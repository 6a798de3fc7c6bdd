"""One chart as a Plotly figure: curves with their names beside them, bands, lines, dots and bars.

A figure is a dictionary in Plotly's schema; arrays of numbers are NumPy's, in single precision,
with NaN for a gap. Two things are added. Colours are roles such as "gaussian/.13", which
``colours.resolve`` replaces by those of a theme. ``names`` holds, for some widths of the plot, the
words that found a place in it, and the curves that did not: those stand in Plotly's legend.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import unescape
from math import ceil, floor, inf
from typing import Any

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.runtime.cached_property import cached_property
from dpca_core.text.privacy_numbers import power

Spec = dict[str, Any]
"""A figure in Plotly's schema, or a part of one."""

WIDTHS = (280, 480, 640)
"""Of the plot, in pixels, for which words are placed: a wider plot has more room for them."""
TYPE = 12.5
"""Size of the type, in pixels."""
LETTER, BOLD_LETTER, LINE_HEIGHT = 0.53, 0.56, 1.24
"""Width of a letter and height of a line, relative to the size of the type."""
TEXT_MARGIN = 8.0
"""Pixels of the width of words that are no ink: they are at the far end."""
FONT = '"Source Sans", "Source Sans Pro", sans-serif'
MARGIN = {"l": 8, "r": 54, "t": 8, "b": 46}
"""Around the plot, in pixels: the y axis is at the right, the x axis at the foot."""
NO_TICKS_BELOW = 8
"""The lower margin of a chart above another one, which has the ticks for both."""
POWERS = "~e"
"""Format of ticks at powers of ten, which are written as 10⁻⁶."""
LARGE_COUNT = 1e6
"""From which on counts on an axis are written as 500k and 1.5M."""
MOST_DECADES = 8
"""Ticks of a logarithmic axis, at most."""


def count_format(most: float) -> str:
    """Return D3's format of ticks of counts up to so many."""
    return ",~r" if most < LARGE_COUNT else "~s"


@dataclass(frozen=True)
class Axis:
    """An axis: its ends as values, not logarithms; its ticks, () for Plotly's; D3's formats."""

    low: float
    high: float
    log: bool = False
    title: str = ""
    ticks: tuple[float, ...] = ()
    tick_texts: tuple[str, ...] = ()
    tick_format: str = "~g"
    hover_format: str = ".3~g"

    def position(self, values: Any) -> Any:
        """Return values as positions: their logarithms on a logarithmic axis; NaN below 0 there."""
        numbers = np.asarray(values, dtype=np.float64)
        if not self.log:
            return numbers
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(numbers > 0, np.log10(numbers), np.nan)

    @cached_property
    def ends(self) -> tuple[float, float]:
        """Positions of both ends; half a unit to each side of a single value."""
        low, high = map(float, self.position([self.low, self.high]))
        return (low, high) if low != high else (low - 0.5, low + 0.5)

    def share(self, values: Any) -> Any:
        """Return how far along the axis values are, from 0 to 1."""
        low, high = self.ends
        return (self.position(values) - low) / (high - low)

    def reaches(self, value: float) -> bool:
        """Tell whether a value is on the axis."""
        return bool(0 <= self.share(value) <= 1)

    def layout(self) -> Spec:
        """Return the axis in Plotly's schema."""
        found: Spec = {
            "type": "log" if self.log else "linear",
            "range": list(self.ends),
            "showgrid": True,
            "gridcolor": "hair",
            "zeroline": False,
            "tickfont": {"color": "grey"},
            "tickformat": self.tick_format,
            "labelalias": self._aliases(),
            "hoverformat": self.hover_format,
        }
        if self.title:
            found["title"] = {"text": self.title, "standoff": 6}
        if self.ticks:
            found |= {"tickmode": "array", "tickvals": list(self.ticks)}
            if self.tick_texts:
                found["ticktext"] = list(self.tick_texts)
        elif self.log:
            # One tick for a decade at first; in a zoom Plotly adds 2 and 5.
            decades = floor(self.ends[1] - self.ends[0] + 1e-9)
            found["nticks"] = decades + 1 if decades < MOST_DECADES else MOST_DECADES - 1
        return found

    def _aliases(self) -> dict[str, str]:
        """Return what D3 writes of ticks, and what is written instead."""
        if self.tick_format != POWERS:
            return {"1G": "1B", "10G": "10B", "100G": "100B"}
        first, last = (round(end) for end in self.ends)
        texts = {0: "1", 1: "10"}
        exponents = range(first, last + 1)
        return {f"1e{e:+d}".replace("-", "−"): texts.get(e, power(10.0**e)) for e in exponents}


@dataclass(frozen=True)
class Curve:
    """A named line (p,); NaN is a gap, or bridged.

    ``key``: what a click on it or on its name chooses; ``struck``: whether its name is struck out.
    """

    key: str
    name: str
    y: Array
    color: str
    dash: str = "solid"
    width: float = 1.6
    chosen: bool = False
    bridged: bool = True
    struck: bool = False

    @property
    def end(self) -> float:
        """Its last known y; 0 for a line that is nowhere known."""
        known = self.y[np.isfinite(self.y)]
        return float(known[-1]) if len(known) else 0.0

    def trace(self, x: Array, hover: str) -> Spec:
        """Return it in Plotly's schema."""
        known = np.isfinite(self.y)
        return {
            "type": "scatter",
            # A line through a single point would not be seen.
            "mode": "lines" if known.sum() > 1 else "markers",
            "name": self.name,
            "meta": self.key,
            "x": np.asarray(x, dtype=np.float32),
            "y": np.where(known, self.y, np.nan).astype(np.float32),
            "line": {"color": self.color, "width": self.width, "dash": self.dash},
            "marker": {"color": self.color, "size": 7},
            "connectgaps": self.bridged,
            # The legend lists lines as they end at the right, the highest first.
            "legendrank": -self.end,
            "hovertemplate": hover,
        }


@dataclass(frozen=True)
class Band:
    """The area between two lines (p,), of one role; ``name`` heads its columns in a table."""

    low: Array
    high: Array
    color: str
    name: str = ""

    def trace(self, x: Array) -> Spec:
        """Return it in Plotly's schema."""
        known = np.isfinite(self.high) & np.isfinite(self.low)
        ends = (x, self.high, self.low)
        across, top, foot = (np.asarray(each, dtype=np.float32)[known] for each in ends)
        return ({"name": self.name} if self.name else {}) | {
            "type": "scatter",
            "mode": "lines",
            "x": np.concatenate([across, across[::-1]]),
            "y": np.concatenate([top, foot[::-1]]),
            "fill": "toself",
            "fillcolor": self.color,
            "line": {"width": 0},
            "hoverinfo": "skip",
        }


@dataclass(frozen=True)
class Line:
    """A line across the chart at a value of y, or of x where ``upright``, with words at its end.

    ``below``: the words stand below the line, or at the lower end of an upright one.
    """

    at: float
    text: str = ""
    color: str = "ink"
    dash: str = "solid"
    width: float = 1.6
    upright: bool = False
    below: bool = False
    text_color: str = ""

    def shape(self, y: Axis) -> Spec:
        """Return it in Plotly's schema."""
        # Between grid and curves Plotly draws only what is on the paper or on both axes.
        ends: Spec = {"x0": self.at, "x1": self.at, "y0": y.low, "y1": y.high}
        if not self.upright:
            ends = {"xref": "paper", "x0": 0, "x1": 1, "y0": self.at, "y1": self.at}
        style = {"color": self.color, "width": self.width, "dash": self.dash}
        return {"type": "line", "layer": "between", **ends, "line": style}


@dataclass(frozen=True)
class Dot:
    """A point with words beside it; hollow unless it is filled."""

    x: float
    y: float
    text: str = ""
    color: str = "accent"
    filled: bool = True

    def trace(self, hover: str) -> Spec:
        """Return it in Plotly's schema."""
        rim = {"color": self.color, "width": 1.6}
        marker = {"size": 10, "color": self.color if self.filled else "page", "line": rim}
        place = {"type": "scatter", "mode": "markers", "x": [self.x], "y": [self.y]}
        said = {"name": self.text, "hovertemplate": hover}
        return place | said | {"marker": marker, "cliponaxis": False}


@dataclass(frozen=True)
class Bars:
    """Bars (b,) about x, their width in units of the axis; outlines where not ``filled`` (b,)."""

    name: str
    x: Array
    y: Array
    color: str
    width: float = 0.68
    filled: np.ndarray | None = None

    def trace(self, hover: str) -> Spec:
        """Return it in Plotly's schema."""
        filled = np.ones(len(self.x), dtype=bool) if self.filled is None else self.filled
        colors = [self.color if full else "clear" for full in filled]
        x, y = (np.asarray(values, dtype=np.float32) for values in (self.x, self.y))
        marker = {"color": colors, "line": {"color": self.color, "width": 1.2}}
        said = {"name": self.name, "hovertemplate": hover}
        return {"type": "bar", "x": x, "y": y, "width": self.width, "marker": marker} | said


def text_width(text: str, size: float = TYPE, *, bold: bool = False) -> float:
    """Return about how wide words in Plotly's markup are, with a margin, in pixels."""
    letter = BOLD_LETTER if bold or text.startswith("<b>") else LETTER
    return len(unescape(re.sub("<[^>]*>", "", text))) * letter * size + TEXT_MARGIN


def shared_layout(height: float, **more: Any) -> Spec:
    """Return what the layouts of all figures have in common, and more."""
    return {
        "height": height,
        "margin": dict(MARGIN),
        "paper_bgcolor": "clear",
        "plot_bgcolor": "clear",
        "font": {"family": FONT, "size": TYPE, "color": "grey"},
        "hovermode": "closest",
        "hoverlabel": {
            "bgcolor": "panel",
            "bordercolor": "rule",
            "font": {"family": FONT, "size": 13, "color": "ink"},
            "align": "left",
            "namelength": -1,
        },
        "showlegend": False,
        "template": {
            "layout": {
                "annotationdefaults": {"showarrow": False},
                # Else Plotly measures each tick's words after drawing them, to hide those that a
                # file would cut off: for every axis it makes the browser lay out the page again.
                "xaxis": {"ticklabeloverflow": "allow"},
                "yaxis": {"ticklabeloverflow": "allow"},
            }
        },
    } | more


def chart(
    x_axis: Axis,
    y_axis: Axis,
    x: Array,
    curves: Sequence[Curve] = (),
    *,
    bands: Sequence[Band] = (),
    lines: Sequence[Line] = (),
    dots: Sequence[Dot] = (),
    bars: Sequence[Bars] = (),
    height: float = 250.0,
    hover: str = "%{x} → %{y}",
    statistic: str = "",
    revision: str = "",
    ticks_below: bool = True,
    legend: bool = True,
) -> Spec:
    """Return a chart.

    Parameters
    ----------
    x
        Where curves and bands have values, (p,), increasing.
    height
        Of the frame, in pixels.
    hover
        What a point says behind its name, in Plotly's notation.
    statistic
        Of what the curves are, such as "median"; it heads their columns in a table.
    revision
        While it, or else the axes, stay the same, a new figure keeps the zoom of the one before.
    ticks_below
        Whether the x axis has ticks and a title here, not at a chart below this one.
    legend
        Whether names without a place stand below the chart; else the page lists them.

    Returns
    -------
    dict
        ``data`` and ``layout`` in Plotly's schema. ``names``: for each of ``WIDTHS`` the
        ``annotations``, the keys of curves in the ``legend``, and what they change in the
        ``layout``. ``columns``: heads of a table of the numbers, by names of curves.
    """
    dots = [dot for dot in dots if x_axis.reaches(dot.x) and y_axis.reaches(dot.y)]
    lines = [line for line in lines if (x_axis if line.upright else y_axis).reaches(line.at)]
    template = f"<b>%{{fullData.name}}</b>: {hover}<extra></extra>"
    data = [each.trace(template) for each in bars]
    data += [band.trace(x) for band in bands]
    data += [curve.trace(x, template) for curve in sorted(curves, key=lambda c: c.chosen)]
    data += [dot.trace(template) for dot in dots]
    margin = MARGIN | ({} if ticks_below else {"b": NO_TICKS_BELOW})
    across = x_axis.layout() | ({"showgrid": False} if bars else {})
    layout = shared_layout(
        height + margin["t"] + margin["b"],
        margin=margin,
        uirevision=revision or f"{x_axis.title} {x_axis.ends} {y_axis.ends}",
        xaxis=across | ({} if ticks_below else {"showticklabels": False, "title": {"text": ""}}),
        yaxis=y_axis.layout() | {"side": "right"},
        shapes=[line.shape(y_axis) for line in lines],
        barmode="overlay",
        legend=LEGEND | {"y": -margin["b"] / height},
    )
    names = {}
    for width in WIDTHS:
        words = _Words(x_axis, y_axis, width, height)
        left = words.place(x, curves, lines, dots)
        shown = left if legend else []
        names[str(width)] = {
            "annotations": words.annotations,
            "legend": [curve.key for curve in shown],
            "layout": _with_legend(layout, [curve.name for curve in shown], width),
        }
    columns = {c.name: f"{c.name} ({statistic})" for c in curves} if statistic else {}
    return {"data": data, "layout": layout, "names": names, "columns": columns}


def with_names(figure: Spec, width: float = 640) -> Spec:
    """Return a figure as Plotly alone draws it on a plot so many pixels wide, names included."""
    layout, data = figure["layout"], figure["data"]
    if "names" in figure:
        widths = [int(each) for each in figure["names"]]
        chosen = figure["names"][str(max((w for w in widths if w <= width), default=min(widths)))]
        words = [*layout.get("annotations", ()), *chosen["annotations"]]
        layout = layout | chosen["layout"] | {"annotations": words}
        data = [each | {"showlegend": each.get("meta") in chosen["legend"]} for each in data]
    # In a file ticks that its edges would cut off are hidden, as Plotly does by itself.
    template = {"layout": {"annotationdefaults": {"showarrow": False}}}
    return {"data": data, "layout": layout | {"template": template}}


# ---- Names below a chart ----

_SAMPLE = 38
"""Length of a piece of line in the legend, in pixels: the longest dashes are seen twice."""
_ROW, _AROUND, _BESIDE_NAME = 19, 20, 55
"""Pixels: height of a row of the legend, and around all, or Plotly takes them from the plot;
between the ends of two names."""
LEGEND: Spec = {
    "orientation": "h",
    "x": 0,
    "yanchor": "top",
    "itemwidth": _SAMPLE,
    "itemclick": False,
    "itemdoubleclick": False,
}


def _with_legend(layout: Spec, names: Sequence[str], width: int) -> Spec:
    """Return what a legend of these names changes in a layout: its columns are equally wide."""
    if not names:
        return {}
    widest = max(text_width(name) for name in names) + _BESIDE_NAME
    more = _AROUND + _ROW * ceil(len(names) / max(1, int(width / widest)))
    margin = layout["margin"] | {"b": layout["margin"]["b"] + more}
    return {"showlegend": True, "height": layout["height"] + more, "margin": margin}


# ---- Where words stand: inside, on no line and on no other word ----

_COLUMN, _CLEARANCE, _REACH, _APART, _MOST_ROOM = 2.0, 2.0, 2.0, 4.0, 60.0
"""Pixels: between the columns at which lines are sampled; that words keep from other lines; to
both sides of them in which lines count; between two words; from which on more room is no better."""
_ON_LINES = 1e3
"""Cost of a place on lines, for words that stand there if need be."""
_POINTS = 90
"""Points along a line beside which places are looked for."""
_SIDE, _LEVEL = np.tile([(1, 0), (-1, 0), (1, -1), (-1, -1), (1, 1), (-1, 1)], (_POINTS, 1)).T
"""Of a place: to the right of a point (1) or left; level with it (0), above (-1) or below."""
_SHARE = np.repeat(np.linspace(0, 1, _POINTS), len(_SIDE) // _POINTS)
_ASIDE = _SIDE * np.where(_LEVEL == 0, 8.0, 2.0)
_RAISED = np.where(_LEVEL == 0, _SIDE * 2.0, 0.0)
_PENALTY = 0.05 * np.arange(len(_SIDE)) + 4.0 * (_LEVEL != 0)
_DOT_STEPS = (0.0, -9.0, 9.0, -20.0, 20.0, -36.0, 36.0)
"""How far above or below a dot its words may stand, in pixels."""
_HALF_LINE = LINE_HEIGHT * TYPE / 2


class _Words:
    """The words of a chart at one width: each takes the best place that is left."""

    def __init__(self, x_axis: Axis, y_axis: Axis, width: float, height: float) -> None:
        self.annotations: list[Spec] = []
        self._x_axis, self._y_axis, self._width, self._height = x_axis, y_axis, width, height
        self._columns = np.arange(-2.0, int(width / _COLUMN) + 3) * _COLUMN

    def place(
        self, x: Array, curves: Sequence[Curve], lines: Sequence[Line], dots: Sequence[Dot]
    ) -> list[Curve]:
        """Place all words; return the curves without a place, the one highest at the end first."""
        curves = sorted(curves, key=lambda curve: (not curve.chosen, -len(curve.name)))
        level = [line for line in lines if not line.upright]
        upright = [line for line in lines if line.upright]
        self._drawn = [self._sampled(x, curve.y, curve.bridged) for curve in curves]
        flat = [np.full(len(self._columns), self._down(line.at)) for line in level]
        y = np.reshape([*self._drawn, *flat], (-1, len(self._columns)))
        # y and −y, ∞ where there is no line: the least of each are the highest and lowest points.
        self._lines = np.nan_to_num(np.stack([y, -y]), nan=inf)
        self._taken = [self._about(line.at, self._y_axis.low, 1, self._height) for line in upright]
        self._taken += [self._about(dot.x, dot.y, 5, 5) for dot in dots]
        for number, line in enumerate(level, len(curves)):
            self._write_level(line, number)
        for line in upright:
            # At one of its ends, else anywhere along it.
            top, foot = _HALF_LINE + 4, self._height - _HALF_LINE - 2
            ends = [foot, top] if line.below else [top, foot]
            color = line.text_color or f"{line.color}/text"
            self._write_beside(line.text, line.at, 8, [*ends, *np.linspace(top, foot, 40)], color)
        for dot in dots:
            levels = [self._down(dot.y) + step for step in _DOT_STEPS]
            self._write_beside(dot.text, dot.x, 10, levels, "ink")
        left = [curve for i, curve in enumerate(curves) if not self._write_name(curve, i)]
        named = [curve for curve in left if curve.name and np.isfinite(curve.y).any()]
        return sorted(named, key=lambda curve: -curve.end)

    def _across(self, values: Any) -> Any:
        return self._x_axis.share(values) * self._width

    def _down(self, values: Any) -> Any:
        return (1 - self._y_axis.share(values)) * self._height

    def _about(self, x: float, y: float, across: float, along: float) -> tuple[float, ...]:
        """Return left, right, top and bottom about a point."""
        at, level = float(self._across(x)), float(self._down(y))
        return at - across, at + across, level - along, level + along

    def _sampled(self, x: Array, y: Array, bridged: bool) -> Array:
        """Return a line's y at the columns; NaN in its gaps, and beyond the next column outside."""
        across, down = self._across(x), self._down(y)
        found = np.full(len(self._columns), np.nan)
        known = np.flatnonzero(np.isfinite(down))
        breaks = np.flatnonzero(np.diff(known) > (len(y) if bridged else 1)) + 1
        for run in np.split(known, breaks) if len(known) else ():
            first, last = across[run[[0, -1]]]
            near = (self._columns > first - _COLUMN) & (self._columns < last + _COLUMN)
            found[near] = np.interp(self._columns[near], across[run], down[run])
        return found

    def _write_level(self, line: Line, number: int) -> None:
        """Write at the right end of a level line or else the left; if need be across curves."""
        away = (_HALF_LINE + 1) * (1 if line.below else -1)
        y = self._down(line.at) + away * np.array([1, 1, -1, -1])
        x, leftwards = np.tile([self._width - 2.0, 2.0], 2), np.tile([True, False], 2)
        color = line.text_color or "faint"
        self._write(line.text, x, y, leftwards, np.arange(4.0), color, number, crossing=_ON_LINES)

    def _write_beside(
        self, words: str, at: float, away: float, levels: Sequence[float], color: str
    ) -> None:
        """Write at the right or left of an x, at the first level at which there is room."""
        leftwards = np.tile([False, True], len(levels))
        x, y = self._across(at) + away * np.where(leftwards, -1, 1), np.repeat(levels, 2)
        text = f"<b>{words}</b>" if words else ""
        self._write(text, x, y, leftwards, np.arange(float(len(x))), color)

    def _write_name(self, curve: Curve, number: int) -> bool:
        """Write a curve's name where it has most room beside it; tell whether there is a place."""
        text = f"<s>{curve.name}</s>" if curve.struck else curve.name
        text = f"<b>{text}</b>" if curve.chosen else text
        drawn, at = self._drawn[number], self._columns
        known = np.flatnonzero(np.isfinite(drawn) & (at >= 0) & (at <= self._width))
        if not curve.name or not len(known):
            return False
        point = known[(_SHARE * (len(known) - 1)).astype(int)]
        x, y = at[point] + _ASIDE, drawn[point] - _RAISED + _LEVEL * (_HALF_LINE + 3.0)
        cost = np.abs(drawn[point] / self._height - 0.45) * 12 + _PENALTY
        return self._write(text, x, y, _SIDE < 0, cost, f"{curve.color}/text", number, curve.key)

    def _write(
        self,
        text: str,
        x: Array,
        y: Array,
        leftwards: np.ndarray,
        cost: Array,
        color: str,
        own: int | None = None,
        key: str = "",
        crossing: float = inf,
    ) -> bool:
        """Write words at the cheapest of some places (m,); tell whether there is one.

        Parameters
        ----------
        x, y
            Where the words begin, or end where ``leftwards``, and their middle, in pixels.
        own
            Number of the line that they name.
        crossing
            What it costs to stand on a line.
        """
        span = text_width(text)
        left = x - span * leftwards
        box = np.stack([left, left + span, y - _HALF_LINE, y + _HALF_LINE])
        free = np.flatnonzero(self._is_free(box))
        if not text or not len(free):
            return False
        room = self._room(box[:, free], leftwards[free], own)
        cost = cost[free] - np.maximum(room, -crossing)
        best = free[np.argmin(cost)]
        if cost.min() == inf:
            return False
        self._taken.append(tuple(box[:, best].tolist()))
        (first, last), (low, high) = self._x_axis.ends, self._y_axis.ends
        named = {"name": key, "captureevents": True} if key else {}
        place = {
            "text": text,
            "x": round(float(first + x[best] / self._width * (last - first)), 5),
            "y": round(float(high - y[best] / self._height * (high - low)), 5),
            "xanchor": "right" if leftwards[best] else "left",
            "yanchor": "middle",
            "font": {"color": color},
        }
        self.annotations.append(named | place)
        return True

    def _is_free(self, box: Array) -> np.ndarray:
        """Tell which places (4, m) are inside, and on no words or marks."""
        left, right, top, bottom = box
        across = (left >= 2) & (right <= self._width - 2)
        free: np.ndarray = across & (top >= 0) & (bottom <= self._height)
        for start, end, over, under in self._taken:
            beside = (left >= end + _APART) | (right <= start - _APART)
            free &= beside | (top >= under) | (bottom <= over)
        return free

    def _room(self, box: Array, leftwards: np.ndarray, own: int | None) -> Array:
        """Return the room (m,) between words and the next line; −∞ on one, or nearer to another."""
        left, right, top, bottom = box
        low, high = _least(self._lines, left - _REACH, right + _REACH)
        room = np.maximum(np.maximum(low - bottom, top + high), 0)
        if own is None:
            return np.where(room.min(axis=0, initial=inf) >= _CLEARANCE, 0.0, -inf)
        beside, room[own] = room[own].copy(), inf
        least = room.min(axis=0)
        # Letters begin or end at the anchor; the margin is at the other side.
        start = left + TEXT_MARGIN * leftwards
        ends = _least(self._lines[:, own : own + 1], start, start + (right - left - TEXT_MARGIN))
        off_own = (ends[0, 0] > bottom) | (-ends[1, 0] < top) | (beside > 0)
        clear = (least >= _CLEARANCE) & (least > beside) & off_own
        return np.where(clear, np.minimum(least, _MOST_ROOM), -inf)


def _least(values: Array, left: Array, right: Array) -> Array:
    """Return the least of values (2, L, columns) between ends (m,) equally far apart, (2, L, m)."""
    count = min(ceil((right[0] - left[0]) / _COLUMN) + 2, values.shape[-1])
    reach = 1
    while 2 * reach <= count:
        values, reach = np.minimum(values[..., :-reach], values[..., reach:]), 2 * reach
    first = np.floor(left / _COLUMN).astype(int) + 2
    first = np.clip(first, 0, values.shape[-1] - 1 - (count - reach))
    found: Array = np.minimum(values[..., first], values[..., first + count - reach])
    return found
