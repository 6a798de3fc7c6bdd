"""A panel of a card as a figure: our releases with bands, numbers on record as hollow marks.

Places that are numbers lie along the foot, and a line is drawn; of places with names, a table's
cells, each cell is a row.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import cycle
from math import nan
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from dpca_core.analysis.claims import claim_of, example
from dpca_core.figures import colours
from dpca_core.figures.chart import Axis, Band, Curve, Line, Spec, chart, count_format, with_names
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Family
from dpca_core.mechanisms.registry import MECHANISMS, NON_PRIVATE, RANDOM_DEFAULT
from dpca_core.privacy.budget import Budget, Standing
from papers.card import Axis as PlaceAxis
from papers.card import Card, Panel, Role, Series
from papers.store import printed_of, printed_values
from papers.table import Table
from ui.page.files import NOT_PRIVATE

HEIGHTS, ROW_HEIGHT, LEGEND_HEIGHT = (400, 300), 24, 22
"""Of the only chart of a card and of one of several, of a row and of a line of names, in pixels."""
FEWEST_IN_BAND, FOUR_OF_FIVE = 5, (0.1, 0.9)
"""Releases at a place from which on a line has a band, and the quantiles at its ends."""
OURS, OWN_RUN, IN_PAPER = "ours", "this run", "printed in the paper"
LINE = {"width": 1.6}
"""Around hollow marks."""
ROOM, MOST_TICKS = 0.04, 8
"""Share of an axis beyond what is drawn; places that have ticks of their own."""
FORMULAS = ("ink", *map(str, (Family.EXPONENTIAL, Family.GAUSSIAN, Family.WISHART, Family.LAPLACE)))
"""Colours of series without a mechanism, in their order."""
_PRINTED, _CHOSEN = colours.PRINTED_WIDTH, colours.CHOSEN_WIDTH
WIDTHS = {Role.REFERENCE: 1.6, Role.PRINTED: _PRINTED, Role.REPAIRED: _CHOSEN}
"""In pixels; what a reader looks for first is drawn last, on top."""
REFUTED, APPROXIMATE, BY_CHANCE, REFERENCE = "2px,3px", "6px,4px", "1px,4px", "10px,5px"
"""Dashes of what is refuted, of an approximate sampler, of random directions, and of a mechanism
that is there for reference."""


def theme() -> colours.Theme:
    """Return the theme that the browser shows."""
    return "dark" if st.context.theme.type == "dark" else "light"


class Style(NamedTuple):
    """Role of a colour, dashes, and a name, which is struck out where the guarantee is refuted."""

    color: str
    dash: str
    name: str


@cache
def is_refuted(key: str) -> bool:
    """Tell whether what a mechanism's paper promises is refuted, whatever the budget."""
    guarantee = claim_of(MECHANISMS[key], example(10, 2, 1000), Budget(1.0, 0.01)).guarantee
    return guarantee is not None and guarantee.standing is Standing.REFUTED


def is_chance(series: Series) -> bool:
    """Tell whether a series is of directions drawn at random, by releases or by their formula."""
    return series.mechanism == RANDOM_DEFAULT.key


def is_end(series: Series) -> bool:
    """Tell whether it is an end of the scale, which is never hidden."""
    return is_chance(series) or series.mechanism == NON_PRIVATE.key


def styles_of(panel: Panel) -> dict[str, Style]:
    """Return the style of each series: those of one family differ in their dashes.

    Thin as a paper states it, thick what holds; dotted where refuted.
    """
    found, relatives, formulas = dict[str, Style](), Counter[tuple[str, str]](), cycle(FORMULAS)
    for series in panel.series:
        color, dash, refuted = "ink", "solid", False
        if is_chance(series):
            color, dash = colours.CHANCE, BY_CHANCE
        elif series.mechanism is None:
            color = next(formulas)
        elif not is_end(series):
            color = colours.family_role(MECHANISMS[series.mechanism].family)
            dash = colours.DASHES[relatives[series.role, color] % len(colours.DASHES)]
            relatives[series.role, color] += 1
            refuted = series.role is not Role.REFERENCE and is_refuted(series.mechanism)
            if series.role is Role.REFERENCE or series.approximate:
                dash = REFERENCE if series.role is Role.REFERENCE else APPROXIMATE
            dash = REFUTED if refuted else dash
        name = f"<s>{series.label}</s>" if refuted else series.label
        found[series.key] = Style(color, dash, name)
    return found


def cells_of(
    card: Card, panel: Panel, styles: Mapping[str, Style]
) -> tuple[dict[tuple[str, float], float], dict[float, str]]:
    """Return where cells stand, by series and place, and the names of rows by where they stand.

    Along the foot a cell is at its place. In rows it counts from the top; where a place has several
    they stand together, under its name.
    """
    if not panel.x.names:
        return {(s.key, x): x for s in panel.series for x in panel.x.values}, {}
    known, cells, names, at = printed_values(card.key), dict[tuple[str, float], float](), {}, 0.0
    for x, name in zip(panel.x.values, panel.x.names, strict=True):
        stored = card.stored.values
        here = [s for s in panel.series if (s.key, x) in known or len(stored(s.key, x))]
        if len(panel.series) == 1:
            names[at], cells[here[0].key, x] = name, at
            at += 1
        elif here:
            names[at] = f"<b>{name}</b>"
            for row, series in enumerate(here, 1):
                names[at + row] = styles[series.key].name
                cells[series.key, x] = at + row
            at += 1.4 + len(here)
    return cells, names


def figure(card: Card, panel: Panel, results: Table | None, fresh: Table | None = None) -> Spec:
    """Return a panel as a figure, in roles of colours.

    ``results`` are None while ours are hidden. ``fresh`` is a run of the reader's own over the
    stored one. What is measured lies along y; where cells are rows, along x.
    """
    styles, curves, bands, dots = styles_of(panel), list[Curve](), list[Band](), list[Spec]()
    cells, rows = cells_of(card, panel, styles)
    found, measured = list[float](), "x" if rows else "y"
    for series in sorted(panel.series, key=lambda s: list(WIDTHS).index(s.role)):
        style, table = styles[series.key], results or (card.stored if is_end(series) else None)
        at = {x: cells[series.key, x] for x in panel.x.values if (series.key, x) in cells}
        several = card.trials_of(series) >= FEWEST_IN_BAND and not is_chance(series)
        if table is not None:
            low, mean, high = _summary(table, series, at)
            found += [*low, *mean, *high]
            if rows:
                bars = {"color": f"{style.color}/.3", "thickness": 5, "width": 0}
                marker = {"color": style.color, "size": 10}
                dot = _dots(measured, f"{series.label}, {OURS}", at.values(), mean, marker)
                reach = {"symmetric": False, "array": high - mean, "arrayminus": mean - low}
                dots.append(dot | {f"error_{measured}": bars | reach, "meta": series.key})
            else:
                line = style.color, style.dash, WIDTHS[series.role]
                curves.append(Curve(series.key, "", mean, *line))
                bands += [Band(low, high, f"{style.color}/.13")] if several else []
        if fresh is not None and card.trials_of(series) > 1:
            mean = _summary(fresh, series, at)[1]
            marker = {"symbol": "circle-open", "size": 7, "color": style.color, "line": LINE}
            dots.append(_dots(measured, f"{series.label}, {OWN_RUN}", at.values(), mean, marker))
            found += [*mean]
        for source, x, value, spread in _on_record(card, series, at):
            color = "ink" if rows else style.color
            marker = {"symbol": "diamond-open", "size": 11, "color": color, "line": LINE}
            bars = {"array": spread, "visible": bool(spread.any()), "thickness": 1, "width": 4}
            dot = _dots(measured, f"{series.label}, {source}", x, value, marker)
            dots.append(dot | {f"error_{measured}": bars | {"color": color}})
            found += [*(value - spread), *(value + spread)]
    values = _value_axis(panel, found)
    names = {key: style.name for key, style in styles.items()}
    ceiling = [] if panel.ceiling is None else [panel.ceiling]
    lines = [Line(at, "√(2k)", "accent", width=2.2, upright=bool(rows)) for at in ceiling]
    if rows:
        down = Axis(max(rows) + 0.5, -0.5, ticks=(*rows,), tick_texts=(*rows.values(),))
        drawn = finished(chart(values, down, np.empty(0), lines=lines), names, dots)
        drawn["layout"]["height"] = round(70 + ROW_HEIGHT * (max(rows) + 1))
        drawn["layout"]["yaxis"] |= {"side": "left", "tickfont": {"color": "ink"}}
        return drawn
    x = np.array(panel.x.values)
    drawn = chart(_place_axis(panel.x), values, x, curves, bands=bands, lines=lines)
    drawn = finished(drawn, names, dots)
    height = HEIGHTS[len(card.panels) > 1] + LEGEND_HEIGHT * ((len(curves) + 1) // 2)
    drawn["layout"]["height"] = height
    # Under the ticks, however high the chart is shown: it keeps the foot of the whole.
    foot = {"orientation": "h", "x": 0, "y": 0, "yref": "container", "yanchor": "bottom"}
    drawn["layout"]["legend"] = foot | {"font": {"color": "ink"}}
    drawn["layout"]["showlegend"] = True
    return drawn


def finished(spec: Spec, names: Mapping[str, str], more: Sequence[Spec] = ()) -> Spec:
    """Return a chart with the names of its curves by their keys, and more traces.

    In its corner stands the mark that it is not private.
    """
    spec = with_names(spec)
    layout = spec["layout"]
    mark: Spec = {"text": NOT_PRIVATE, "font": {"size": 10, "color": "faint"}}
    mark |= {"xref": "paper", "x": 1, "xanchor": "right", "yref": "paper", "y": 1}
    layout["annotations"] = [mark | {"yanchor": "bottom"}, *layout["annotations"]]
    layout["margin"] = {"l": 8, "r": 12, "t": 22, "b": 8}
    layout["xaxis"]["automargin"] = layout["yaxis"]["automargin"] = True
    named = [
        trace | {"name": names[trace["meta"]], "showlegend": True} if "meta" in trace else trace
        for trace in spec["data"]
    ]
    # Plotly draws no figure without a trace, not even its axes.
    data = [*named, *more] or [{"type": "scatter", "x": [], "y": []}]
    return {"data": data, "layout": layout}


def _dots(along: str, name: str, at: Iterable[float], values: Array, marker: Spec) -> Spec:
    """Return dots of values along one axis, by where they stand on the other."""
    common = {"type": "scatter", "mode": "markers", "cliponaxis": False, "showlegend": False}
    hover = f"<b>%{{fullData.name}}</b>: %{{{along}}}<extra></extra>"
    places = {along: values, "y" if along == "x" else "x": [*at]}
    return common | places | {"name": name, "marker": marker, "hovertemplate": hover}


def _summary(table: Table, series: Series, places: Collection[float]) -> Array:
    """Return means between the ends of four releases of five, (3, p); NaN without releases."""
    found = np.full((len(places), 3), nan)
    for row, x in zip(found, places, strict=True):
        if len(values := table.values(series.key, x)):
            low, high = np.quantile(values, FOUR_OF_FIVE)
            row[:] = low, values.mean(), high
    return found.T


def _on_record(
    card: Card, series: Series, at: Mapping[float, float]
) -> Iterator[tuple[str, np.ndarray, np.ndarray, np.ndarray]]:
    """Yield numbers on record, source by source: where they stand, values, and deviations or 0."""
    known = printed_of(card.key)
    known = known[(known["series"] == series.key) & known["x"].isin([*at])]
    for (page, printed), own in known.groupby(["page", "printed"]):
        x, spread = own["x"].map(at).to_numpy(float), own["spread"].fillna(0).to_numpy(float)
        yield IN_PAPER if printed else str(page), x, own["value"].to_numpy(float), spread


def _wide(values: Iterable[float], log: bool) -> tuple[float, float]:
    """Return the ends of an axis, a little beyond the values that it can have."""
    found = np.array([*values])
    known = found[found > 0 if log else np.isfinite(found)]
    low, high = Axis(known.min(), known.max(), log).ends if len(known) else (-1.0, 0.0)
    room = ROOM * (high - low)
    low, high = (10.0**end if log else end for end in (low - room, high + room))
    return low, high


def _value_axis(panel: Panel, found: Iterable[float]) -> Axis:
    """Return the axis of what is measured, wide enough for our numbers and those on record."""
    ends = [end for end in (panel.y.low, panel.y.high, panel.ceiling) if end is not None]
    low, high = _wide([*found, *ends], panel.y.log)
    return Axis(low, high, panel.y.log, tick_format=count_format(high))


def _place_axis(axis: PlaceAxis) -> Axis:
    """Return the axis of places: where they are few, each has a tick."""
    many = len(axis.values) > 2 * MOST_TICKS
    ticks = axis.values[:: 1 + len(axis.values) // MOST_TICKS] if axis.log and not many else ()
    low, high = _wide(axis.values, axis.log)
    return Axis(low, high, axis.log, axis.label, (*ticks,), tick_format=count_format(high))


THUMB = (120.0, 56.0, 4.0)
"""Width, height and edge of a small picture."""


@cache
def thumbnail(card: Card, theme: colours.Theme) -> str:
    """Return a small picture of a card's first chart as SVG: our means, and printed numbers."""
    width, height, edge = THUMB
    spec = colours.resolve(figure(card, card.panels[0], card.stored), theme)

    def places(trace: Spec, name: str, size: float) -> Any:
        axis, values = spec["layout"][f"{name}axis"], np.array(trace[name], dtype=float)
        with np.errstate(divide="ignore", invalid="ignore"):
            values = np.log10(values) if axis.get("type") == "log" else values
        low, high = axis["range"]
        return edge + (size - 2 * edge) * (values - low) / (high - low)

    found = list[str]()
    for trace in spec["data"]:
        x, y = places(trace, "x", width), height - places(trace, "y", height)
        points = [(a, b) for a, b in zip(x, y, strict=True) if np.isfinite(a + b)]
        if trace["mode"] == "lines" and "fill" not in trace:
            spots = " ".join(f"{a:.1f},{b:.1f}" for a, b in points)
            look = f'stroke="{trace["line"]["color"]}" stroke-width="1.5"'
            found.append(f'<polyline points="{spots}" fill="none" {look}/>')
        elif trace["mode"] == "markers":
            color = trace["marker"]["color"]
            look = f'fill="{"none" if "symbol" in trace["marker"] else color}" stroke="{color}"'
            found += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="1.8" {look}/>' for a, b in points]
    box = f'viewBox="0 0 {width:g} {height:g}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {box}>{"".join(found)}</svg>'
