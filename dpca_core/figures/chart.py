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
FONT, TYPE = '"Source Sans", "Source Sans Pro", sans-serif', 12.5
"""Of all words; its size in pixels."""
LETTER, BOLD_LETTER, LINE_HEIGHT = 0.53, 0.56, 1.24
"""Width of a letter and height of a line, relative to the size of the type."""
TEXT_MARGIN = 8.0
"""Pixels of the width of words that are no ink: they are at the far end."""
MARGIN, NO_TICKS_BELOW = {"l": 8, "r": 54, "t": 8, "b": 46}, 8
"""Around the plot, in pixels: the y axis is at the right, the x axis at the foot; the lower margin
of a chart above another one, which has the ticks for both."""
POWERS = "~e"
"""Format of ticks at powers of ten, which are written as 10⁻⁶."""
LARGE_COUNT, MOST_DECADES, BAR = 1e6, 8, 0.68
"""From which on counts are written as 500k and 1.5M; most ticks of a logarithmic axis; width of a
bar, in units of the axis."""


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
        low, high = self.ends
        # What D3 writes, and what is written instead.
        aliases = {"1G": "1B", "10G": "10B", "100G": "100B"}
        if self.tick_format == POWERS:
            aliases = {"1e+0": "1", "1e+1": "10"}
            for exponent in {*range(round(low), round(high) + 1)} - {0, 1}:
                aliases[f"1e{exponent:+d}".replace("-", "−")] = power(10.0**exponent)
        found: Spec = {
            "type": "log" if self.log else "linear",
            "range": [low, high],
            "showgrid": True,
            "gridcolor": "hair",
            "zeroline": False,
            "tickfont": {"color": "grey"},
            "tickformat": self.tick_format,
            "labelalias": aliases,
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
            decades = floor(high - low + 1e-9)
            found["nticks"] = decades + 1 if decades < MOST_DECADES else MOST_DECADES - 1
        return found


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
    """A line across the chart at a value of y, or of x where ``upright``, with words at its end."""

    at: float
    text: str = ""
    color: str = "ink"
    dash: str = "solid"
    width: float = 1.6
    upright: bool = False

    def shape(self, y: Axis) -> Spec:
        """Return it in Plotly's schema."""
        # Between grid and curves Plotly draws only what is on the paper or on both axes.
        ends: Spec = {"x0": self.at, "x1": self.at, "y0": y.low, "y1": y.high}
        if not self.upright:
            ends = {"xref": "paper", "x0": 0, "x1": 1, "y0": self.at, "y1": self.at}
        return {"type": "line", "layer": "between", **ends, "line": self.style()}

    def style(self) -> Spec:
        """Return how it is drawn, in Plotly's schema."""
        return {"color": self.color, "width": self.width, "dash": self.dash}


@dataclass(frozen=True)
class Dot:
    """A point with words beside it."""

    x: float
    y: float
    text: str = ""
    color: str = "accent"

    def trace(self, hover: str) -> Spec:
        """Return it in Plotly's schema."""
        return {
            "type": "scatter",
            "mode": "markers",
            "name": self.text,
            "x": [self.x],
            "y": [self.y],
            "marker": {"size": 11, "color": self.color},
            "cliponaxis": False,
            "hovertemplate": hover,
        }


@dataclass(frozen=True)
class Bars:
    """Bars (b,) about x; outlines where not ``filled`` (b,)."""

    name: str
    x: Array
    y: Array
    color: str
    filled: np.ndarray | None = None

    def trace(self, hover: str) -> Spec:
        """Return it in Plotly's schema."""
        filled = np.full(len(self.x), True) if self.filled is None else self.filled
        colors = np.where(filled, self.color, "clear").tolist()
        return {
            "type": "bar",
            "name": self.name,
            "x": np.asarray(self.x, dtype=np.float32),
            "y": np.asarray(self.y, dtype=np.float32),
            "width": BAR,
            "marker": {"color": colors, "line": {"color": self.color, "width": 1.2}},
            "hovertemplate": hover,
        }


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
    """Return a chart: ``data`` and ``layout`` in Plotly's schema, ``names`` and ``columns``.

    Curves and bands have values at ``x``, (p,), increasing; ``height`` is that of the frame, in
    pixels. Behind its name a point says ``hover``, in Plotly's notation. A ``statistic``, such as
    "median", heads the curves' columns in a table. While the ``revision``, or else the axes, stay
    the same, a new figure keeps the zoom of the one before. Without ``ticks_below`` the chart below
    this one has ticks and title of the x axis; without a ``legend`` the page lists the names that
    have no place.

    ``names`` holds, for each of ``WIDTHS``, the ``annotations``, the keys of curves in the
    ``legend``, and what they change in the ``layout``.
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
        legend={
            "orientation": "h",
            "x": 0,
            "y": -margin["b"] / height,
            "yanchor": "top",
            "itemwidth": _SAMPLE,
            "itemclick": False,
            "itemdoubleclick": False,
        },
    )
    words = _Words(x_axis, y_axis, height)
    words.place(x, curves, lines, dots)
    names = {}
    for width, annotations, left in zip(WIDTHS, words.annotations, words.left, strict=True):
        shown = sorted(left, key=lambda curve: -curve.end) if legend else []
        names[str(width)] = {
            "annotations": annotations,
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

_SAMPLE, _ROW, _AROUND, _BESIDE_NAME = 38, 19, 20, 55
"""Pixels: a piece of line in the legend, in which the longest dashes are seen twice; height of a
row of it, and around all, or Plotly takes them from the plot; between the ends of two names."""


def _with_legend(layout: Spec, names: Sequence[str], width: int) -> Spec:
    """Return what a legend of these names changes in a layout: its columns are equally wide."""
    if not names:
        return {}
    widest = max(text_width(name) for name in names) + _BESIDE_NAME
    more = _AROUND + _ROW * ceil(len(names) / max(1, int(width / widest)))
    margin = layout["margin"] | {"b": layout["margin"]["b"] + more}
    return {"showlegend": True, "height": layout["height"] + more, "margin": margin}


# ---- Where words stand: inside, on no line and on no other word ----

_WIDE = np.array(WIDTHS, dtype=np.float64)[:, None]
_COLUMNS = 480
"""Columns of the plot at which lines are sampled, two more outside at each end."""
_SAMPLED = np.arange(-2.0, _COLUMNS + 3) / _COLUMNS
"""Where they are, as shares of the width."""
_CLEARANCE, _REACH, _APART, _MOST_ROOM = 2.0, 2.0, 4.0, 60.0
"""Pixels: that words keep from other lines; to both sides of them in which lines count; between two
words; from which on more room is no better."""
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
_DOT_STEPS = np.array([0.0, -9.0, 9.0, -20.0, 20.0, -36.0, 36.0])
"""How far above or below a dot its words may stand, in pixels."""
_HALF_LINE = LINE_HEIGHT * TYPE / 2


class _Words:
    """The words of a chart at all widths at once: each takes the best place that is left there.

    ``annotations`` and ``left``, the curves without a place, are lists for each width.
    """

    def __init__(self, x_axis: Axis, y_axis: Axis, height: float) -> None:
        self.annotations: list[list[Spec]] = [[] for _ in WIDTHS]
        self.left: list[list[Curve]] = [[] for _ in WIDTHS]
        self._x_axis, self._y_axis, self._height = x_axis, y_axis, height
        self._taken: list[Array] = []

    def place(
        self, x: Array, curves: Sequence[Curve], lines: Sequence[Line], dots: Sequence[Dot]
    ) -> None:
        """Place all words: of lines and dots first, then of the chosen curve, then long names."""
        if not (curves or any(line.text for line in lines) or any(dot.text for dot in dots)):
            return
        curves = sorted(curves, key=lambda curve: (not curve.chosen, -len(curve.name)))
        level = [line for line in lines if not line.upright]
        upright = [line for line in lines if line.upright]
        drawn = [self._sampled(x, curve.y, curve.bridged) for curve in curves]
        flat = [np.full(len(_SAMPLED), self._down(line.at)) for line in level]
        self._least = _least_from([*drawn, *flat])
        for line in upright:
            self._take(self._across(line.at) - 1, self._across(line.at) + 1, 0, self._height)
        for dot in dots:
            at, down = self._across(dot.x), self._down(dot.y)
            self._take(at - 5, at + 5, down - 5, down + 5)
        for number, line in enumerate(level, len(curves)):
            # At the right end or else the left; if need be across curves.
            y = self._down(line.at) + (_HALF_LINE + 1) * np.array([-1, -1, 1, 1])
            ends, leftwards = np.hstack([_WIDE - 2, 0 * _WIDE + 2] * 2), np.array([True, False] * 2)
            color = f"{line.color}/text"
            self._write(line.text, ends, y, leftwards, np.arange(4.0), color, number, on=_ON_LINES)
        # At one end of an upright line, else anywhere along it.
        top, foot = _HALF_LINE + 4, self._height - _HALF_LINE - 2
        along = np.array([top, foot, *np.linspace(top, foot, 40)])
        beside = [(line.text, line.at, 8, along, f"{line.color}/text") for line in upright]
        beside += [(dot.text, dot.x, 10, self._down(dot.y) + _DOT_STEPS, "ink") for dot in dots]
        for text, place, away, levels, color in beside:
            leftwards, order = np.tile([False, True], len(levels)), np.arange(2.0 * len(levels))
            ends = self._across(place) + np.where(leftwards, -away, away)
            self._write(
                text and f"<b>{text}</b>", ends, np.repeat(levels, 2), leftwards, order, color
            )
        for number, curve in enumerate(curves):
            placed = self._write_name(curve, drawn[number], number)
            if curve.name and np.isfinite(curve.y).any():
                for left, found in zip(self.left, placed, strict=True):
                    left += [] if found else [curve]

    def _across(self, value: float) -> Array:
        """Return an x in pixels at each width, (W, 1)."""
        return np.asarray(float(self._x_axis.share(value)) * _WIDE)

    def _down(self, values: Any) -> Any:
        return (1 - self._y_axis.share(values)) * self._height

    def _take(self, left: Array, right: Array, top: Any, bottom: Any) -> None:
        """Keep words off a rectangle, whose sides are given at each width, (W, 1)."""
        self._taken.append(np.stack([left, right, 0 * left + top, 0 * left + bottom]))

    def _sampled(self, x: Array, y: Array, bridged: bool) -> Array:
        """Return a line's y at the columns; NaN in its gaps, and beyond the next column outside."""
        across, down = self._x_axis.share(x), self._down(y)
        found = np.full(len(_SAMPLED), np.nan)
        known = np.flatnonzero(np.isfinite(down))
        breaks = np.flatnonzero(np.diff(known) > (len(y) if bridged else 1)) + 1
        for run in np.split(known, breaks) if len(known) else ():
            first, last = across[run[[0, -1]]]
            near = np.abs(_SAMPLED - (first + last) / 2) < (last - first) / 2 + 1 / _COLUMNS
            found[near] = np.interp(_SAMPLED[near], across[run], down[run])
        return found

    def _write_name(self, curve: Curve, drawn: Array, number: int) -> np.ndarray:
        """Write a curve's name where it has most room beside it; tell at which widths (W,)."""
        text = f"<s>{curve.name}</s>" if curve.struck else curve.name
        text = f"<b>{text}</b>" if curve.chosen else text
        known = np.flatnonzero(np.isfinite(drawn) & (_SAMPLED >= 0) & (_SAMPLED <= 1))
        if not curve.name or not len(known):
            return np.zeros(len(WIDTHS), dtype=bool)
        point = known[(_SHARE * (len(known) - 1)).astype(int)]
        x = _SAMPLED[point] * _WIDE + _ASIDE
        y = drawn[point] - _RAISED + _LEVEL * (_HALF_LINE + 3.0)
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
        on: float = inf,
    ) -> np.ndarray:
        """Write words at the cheapest of some places; tell at which widths there is one, (W,).

        At x (W, m) they begin, or end where ``leftwards``; y (m,) is their middle, in pixels. They
        name line number ``own``; ``on`` is what it costs to stand on one.
        """
        if not text:
            return np.zeros(len(WIDTHS), dtype=bool)
        span = text_width(text)
        left = x - span * leftwards
        top, bottom = y - _HALF_LINE, y + _HALF_LINE
        free = (left >= 2) & (left + span <= _WIDE - 2) & (top >= 0) & (bottom <= self._height)
        for start, end, over, under in self._taken:
            beside = (left >= end + _APART) | (left + span <= start - _APART)
            free &= beside | (top >= under) | (bottom <= over)
        wide, at = np.nonzero(free)
        room = self._room(wide, left[free], span, y[at], leftwards[at], own)
        costs = np.full(left.shape, inf)
        costs[free] = cost[at] - np.maximum(room, -on)
        best, every = costs.argmin(axis=1), np.arange(len(WIDTHS))
        placed: np.ndarray = costs[every, best] < inf
        first, last, low, high = *self._x_axis.ends, *self._y_axis.ends
        for i in np.flatnonzero(placed):
            place = {
                "text": text,
                "x": round(float(first + x[i, best[i]] / WIDTHS[i] * (last - first)), 5),
                "y": round(float(high - y[best[i]] / self._height * (high - low)), 5),
                "xanchor": "right" if leftwards[best[i]] else "left",
                "yanchor": "middle",
                "font": {"color": color},
            }
            named = {"name": key, "captureevents": True} if key else {}
            self.annotations[i].append(named | place)
        # Where there is no place, nothing is taken: NaN is beside nothing, and −∞ above all.
        begin = left[every, best, None]
        level = np.where(placed, y[best], -inf)[:, None]
        self._take(begin, begin + span, level - _HALF_LINE, level + _HALF_LINE)
        return placed

    def _room(
        self,
        wide: np.ndarray,
        left: Array,
        span: float,
        y: Array,
        leftwards: np.ndarray,
        own: int | None,
    ) -> Array:
        """Return the room (n,) between words and the next line; −∞ on one, or nearer to another.

        ``wide`` is the number of the width at which each place is.
        """
        top, bottom = y - _HALF_LINE, y + _HALF_LINE
        low, high = self._extent(wide, left - _REACH, span + 2 * _REACH)
        room = np.maximum(np.maximum(low - bottom, top - high), 0)
        if own is None:
            return np.where(room.min(axis=0, initial=inf) >= _CLEARANCE, 0.0, -inf)
        beside, room[own] = room[own].copy(), inf
        least = room.min(axis=0)
        # Letters begin or end at the anchor; the margin is at the other side.
        low, high = self._extent(wide, left + TEXT_MARGIN * leftwards, span - TEXT_MARGIN, own)
        off_own = (low > bottom) | (high < top) | (beside > 0)
        clear = (least >= _CLEARANCE) & (least > beside) & off_own
        return np.where(clear, np.minimum(least, _MOST_ROOM), -inf)

    def _extent(
        self, wide: np.ndarray, left: Array, span: float, line: int | slice = slice(None)
    ) -> tuple[Array, Array]:
        """Return the highest and lowest points (L, n) of lines within so many pixels from left."""
        count = np.ceil(span / _WIDE[:, 0] * _COLUMNS).astype(int) + 2
        level = np.minimum(np.log2(count).astype(int), len(self._least) - 1)[wide]
        first = np.floor(left / _WIDE[wide, 0] * _COLUMNS).astype(int) + 2
        last = first + count[wide] - 2**level
        least, most = self._least[..., line], len(_SAMPLED) - 1
        found = np.minimum(least[level, first.clip(0, most)], least[level, last.clip(0, most)])
        return found[:, 0].T, -found[:, 1].T


def _least_from(lines: Sequence[Array]) -> Array:
    """Return the least y and −y of lines (L, columns) from each column over 1, 2, 4 … columns.

    (levels, columns, 2, L); ∞ where there is no line.
    """
    y = np.reshape(lines, (-1, len(_SAMPLED))).T
    found = [np.nan_to_num(np.stack([y, -y], axis=1), nan=inf).astype(np.float32)]
    while (reach := 2 ** (len(found) - 1)) < len(_SAMPLED):
        found.append(found[-1].copy())
        np.minimum(found[-2][:-reach], found[-2][reach:], out=found[-1][:-reach])
    return np.array(found)
