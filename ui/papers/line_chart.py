"""A printed figure run again: means and bands along an axis, and printed points as hollow marks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpca_core.figures import panels
from dpca_core.figures.axes import POWERS, Axis, count_format
from dpca_core.figures.chart_key import with_key
from dpca_core.figures.curve_panels import curve_panels
from dpca_core.figures.layout import Spec
from dpca_core.figures.panels_chart import CHART_HEIGHT, COLUMN_SIZES, CROSS_HATCHED, WIDE_SIZES
from dpca_core.linalg.arrays import Array
from papers import card
from papers.card import Card, Role, Series
from papers.table import Table
from ui.papers import text
from ui.papers.measurements import Curve, Printed, curve
from ui.papers.styles import FEWEST_IN_BAND, Style, is_chance, is_truth, styles_of

HEIGHT = 380.0
"""Of the only chart of a card, in pixels."""
FEW_DECADES = 500
"""Times the lowest place up to which all places have ticks, if they are so far apart:"""
LEAST_APART = 0.14
"""Share of an axis."""
MARK_REACH = (0.015, 0.03)
"""Half the size of a printed mark, as shares of both axes."""
ROOM = 0.04
"""Share of an axis beyond what is drawn."""


@dataclass(frozen=True)
class Shown:
    """What a card's charts are drawn from.

    Attributes
    ----------
    results
        Single releases; None while our run is hidden.
    fresh
        A run of the reader's own over the stored one.
    printed
        Numbers of the paper by series.
    """

    card: Card
    results: Table | None
    printed: Mapping[str, Sequence[Printed]]
    fresh: Table | None = None
    revision: str = ""

    def series(self, panel: int) -> list[Series]:
        """Return the series of a panel: what a reader looks for first comes last, on top."""
        own = list(self.card.panels[panel].series)
        order = (Role.REFERENCE, Role.PRINTED, Role.REPAIRED)
        return sorted(own, key=lambda s: order.index(s.role))

    def results_of(self, series: Series) -> Table | None:
        """Return the table that a series is drawn from: the ends of the scale are never hidden."""
        ends = is_truth(series) or is_chance(series)
        return self.results or (self.card.stored if ends else None)


def line_chart(shown: Shown, number: int) -> Spec:
    """Return a panel of curves as a figure."""
    panel, own = shown.card.panels[number], shown.series(number)
    styles = styles_of(shown.card)
    x = np.array(sorted({x for s in own for x in shown.card.panel_of(s).x.values}))
    found = {s.key: _along(r, s, x) for s in own if (r := shown.results_of(s)) is not None}
    drawn = [s for s in own if shown.card.trials_of(s) > 1] if shown.fresh else []
    fresh = {s.key: _along(shown.fresh, s, x) for s in drawn}
    measured = shown.card.panels[number].y
    y_axis = value_axis(measured, [*found.values(), *fresh.values()], shown.printed, own)
    curves = [_curve(s, styles[s.key], found[s.key]) for s in own if s.key in found]
    alone = len(shown.card.panels) == 1
    height, sizes = (HEIGHT, WIDE_SIZES) if alone else (CHART_HEIGHT, COLUMN_SIZES)
    x_axis = place_axis(panel.x, x)
    frame = panels.Panel(
        key="chart",
        y=y_axis,
        height=height,
        curves=curves,
        bands=_bands(own, styles, found),
        references=_ceiling(measured),
        covered=_marked(own, shown.printed, x_axis, y_axis),
        hover=f"<b>%{{fullData.name}}</b>: {panel.x.label} = %{{x}} → %{{y}}",
    )
    figure = curve_panels(x_axis, x, [frame], f"{shown.revision} {number}", sizes)
    with_key(figure, curves, height, sizes)
    figure["data"] += [_fresh(s, styles[s.key], x, fresh[s.key]) for s in own if s.key in fresh]
    figure["data"] += _printed_marks(own, styles, shown.printed)
    if hatched := _impossible(measured, x_axis, y_axis):
        figure["data"].insert(0, hatched)
    return figure


def place_axis(axis: card.Axis, x: Array) -> Axis:
    """Return the axis of places."""
    if axis.log:
        low, high = float(x.min()) / 1.08, float(x.max()) * 1.08
        ticks = _apart(x, np.log(high / low)) if high / low < FEW_DECADES else ()
        texts = tuple(f"{v:,g}" for v in ticks)
        form = "~g" if high < 1000 else count_format(high)
        return Axis(low, high, True, axis.label, ticks, texts, form, ",.3~r")
    room = ROOM * float(np.ptp(x)) or 1.0
    return Axis(float(x.min()) - room, float(x.max()) + room, title=axis.label, tick_format=",~g")


def _apart(places: Array, span: float) -> tuple[float, ...]:
    """Return the places of a logarithmic axis that are far enough apart to be written."""
    found = list[float]()
    for place in places:
        if not found or np.log(place / found[-1]) >= LEAST_APART * span:
            found.append(float(place))
    return tuple(found)


def value_axis(
    axis: card.Axis,
    found: Sequence[Curve],
    printed: Mapping[str, Sequence[Printed]],
    own: Sequence[Series],
) -> Axis:
    """Return the axis of what is measured, wide enough for our numbers and the printed ones."""
    log = axis.log
    keys = {s.key for s in own}
    values = [v for c in found for line in (c.means, c.low, c.high) for v in line]
    values += [
        p.value + sign * np.nan_to_num(p.spread)
        for key, points in printed.items()
        if key in keys
        for p in points
        for sign in (-1, 0, 1)
    ]
    known = np.array([v for v in values if np.isfinite(v) and (v > 0 or not log)])
    least, most = (known.min(), known.max()) if len(known) else (0.1, 1.0)
    if axis.ceiling is not None:
        most = max(most, axis.ceiling)
    if log:
        ends = 10 ** np.floor(np.log10(least)), 10 ** np.ceil(np.log10(most))
        wide = ends[1] / ends[0] > 1e4
        return Axis(
            axis.low or float(ends[0]),
            axis.high or float(ends[1]),
            log=True,
            tick_format=POWERS if wide else ",~r",
        )
    room = ROOM * (most - least or 1.0)
    low = least - room if axis.low is None else min(axis.low, least) - ROOM * (most - axis.low) / 2
    high = most + room if axis.high is None else axis.high + ROOM * (axis.high - low) / 2
    return Axis(float(low), float(max(high, most + room / 2)))


def _along(results: Table | None, series: Series, x: Array) -> Curve:
    assert results is not None
    return curve(results, series, tuple(x))


def _curve(series: Series, style: Style, found: Curve) -> panels.Curve:
    return panels.Curve(
        key=series.key,
        name=series.label,
        y=found.means,
        color=style.color,
        dash=style.dash,
        width=style.width,
        chosen=series.role is Role.REPAIRED,
        struck=style.refuted,
        statistic="mean",
    )


def _bands(
    own: Sequence[Series], styles: Mapping[str, Style], found: Mapping[str, Curve]
) -> list[panels.Band]:
    """Return the bands of four releases in five; of few releases there is none."""
    return [
        panels.Band(
            found[s.key].low, found[s.key].high, f"{styles[s.key].color}/.13", f"{s.label}, 80 %"
        )
        for s in own
        if s.key in found and found[s.key].most >= FEWEST_IN_BAND and not is_chance(s)
    ]


def _fresh(series: Series, style: Style, x: Array, found: Curve) -> dict[str, Any]:
    """Return the means of a reader's own run as dots."""
    known = np.isfinite(found.means)
    return {
        "type": "scatter",
        "mode": "markers",
        "name": f"{series.label}, this run",
        "x": np.asarray(x, dtype=np.float32)[known],
        "y": np.asarray(found.means, dtype=np.float32)[known],
        "marker": {"size": 6, "color": style.color, "line": {"color": "page", "width": 1}},
        "hovertemplate": "<b>%{fullData.name}</b>: %{y}<extra></extra>",
    }


def _printed_marks(
    own: Sequence[Series], styles: Mapping[str, Style], printed: Mapping[str, Sequence[Printed]]
) -> list[dict[str, Any]]:
    """Return printed points as hollow marks, with an error bar where a deviation is printed."""
    return [
        {
            "type": "scatter",
            "mode": "markers",
            "name": f"{s.label}, {text.mark_name(printed[s.key][0])}",
            "x": [p.x for p in printed[s.key]],
            "y": [p.value for p in printed[s.key]],
            "error_y": spread_bars(printed[s.key], styles[s.key].color),
            "marker": {
                "symbol": "diamond-open",
                "size": 10,
                "color": styles[s.key].color,
                "line": {"width": 1.6},
            },
            "hovertemplate": "<b>%{fullData.name}</b>: %{y}<extra></extra>",
        }
        for s in own
        if printed.get(s.key)
    ]


def _marked(
    own: Sequence[Series], printed: Mapping[str, Sequence[Printed]], x: Axis, y: Axis
) -> list[tuple[float, float, float, float]]:
    """Return rectangles (left, right, low, high) over printed marks, which no name may cover."""

    def around(axis: Axis, value: float, reach: float) -> tuple[float, float]:
        low, high = axis.ends
        at, room = float(axis.position(value)), reach * (high - low)
        ends = at - room, at + room
        return (10 ** ends[0], 10 ** ends[1]) if axis.log else ends

    points = [point for s in own for point in printed.get(s.key, ())]
    return [(*around(x, p.x, MARK_REACH[0]), *around(y, p.value, MARK_REACH[1])) for p in points]


def spread_bars(points: Sequence[Printed], color: str) -> dict[str, Any]:
    """Return error bars of one printed standard deviation."""
    spread = [float(np.nan_to_num(p.spread)) for p in points]
    shown = {"visible": any(spread), "thickness": 1, "width": 4, "color": color}
    return {"type": "data", "array": spread, **shown}


def _ceiling(axis: card.Axis) -> list[panels.Reference]:
    if axis.ceiling is None:
        return []
    return [panels.Reference(axis.ceiling, "accent", 2.0, text=axis.ceiling_name, below=True)]


def _impossible(axis: card.Axis, x: Axis, y: Axis) -> dict[str, Any] | None:
    """Return the area above a ceiling, hatched."""
    if axis.ceiling is None:
        return None
    return hatched_box((x.low, x.high), (axis.ceiling, y.high))


def hatched_box(x: tuple[float, float], y: tuple[float, float]) -> dict[str, Any]:
    """Return a hatched rectangle: nothing can be there."""
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [x[0], x[1], x[1], x[0]],
        "y": [y[0], y[0], y[1], y[1]],
        "fill": "toself",
        "fillcolor": "clear",
        "fillpattern": CROSS_HATCHED,
        "line": {"width": 0},
        "hoverinfo": "skip",
    }
