"""A panel of a card as a figure: our releases with bands, numbers on record as hollow marks.

Places that are numbers lie along the foot, and a line is drawn; of places with names, a table's
cells, each cell is a row.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from html import escape
from itertools import cycle
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from dpca_core.analysis.claims import claim_of, example
from dpca_core.figures import colours
from dpca_core.figures.chart import Spec, shared_layout
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Family
from dpca_core.mechanisms.registry import MECHANISMS, NON_PRIVATE, RANDOM_DEFAULT
from dpca_core.privacy.budget import Budget, Standing
from dpca_core.text.privacy_numbers import with_subscripts
from papers.card import Axis, Card, Panel, Role, Series
from papers.store import printed_of, printed_values
from papers.table import Table
from ui.page.files import NOT_PRIVATE

ALONE_HEIGHT, HEIGHT, ROW_HEIGHT, LEGEND_HEIGHT = 400, 300, 24, 22
"""Of the only chart of a card, of one of several, of a row and of a line of names, in pixels."""
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
    """Role of a colour, dashes, width in pixels, and whether the guarantee is refuted."""

    color: str
    dash: str
    width: float
    refuted: bool


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
        found[series.key] = Style(color, dash, WIDTHS[series.role], refuted)
    return found


def cells_of(
    card: Card, panel: Panel, results: Table | None, styles: Mapping[str, Style]
) -> tuple[dict[tuple[str, float], float], dict[float, str]]:
    """Return where cells stand, by series and place, and the names of rows by where they stand.

    Along the foot a cell is at its place. In rows it counts from the top; where a place has several
    they stand together, under its name.
    """
    if not panel.x.names:
        return {(s.key, x): x for s in panel.series for x in panel.x.values}, {}
    known, cells, names, at = printed_values(card.key), dict[tuple[str, float], float](), {}, 0.0
    for x, name in zip(panel.x.values, panel.x.names, strict=True):
        here = [
            s
            for s in panel.series
            if results is None or (s.key, x) in known or len(results.values(s.key, x))
        ]
        if len(panel.series) == 1:
            names[at], cells[here[0].key, x] = escape(name, quote=False), at
            at += 1
        elif here:
            names[at] = f"<b>{escape(name, quote=False)}</b>"
            for row, series in enumerate(here, 1):
                label = escape(series.label, quote=False)
                names[at + row] = f"<s>{label}</s>" if styles[series.key].refuted else label
                cells[series.key, x] = at + row
            at += 1.4 + len(here)
    return cells, names


def figure(card: Card, panel: Panel, results: Table | None, fresh: Table | None = None) -> Spec:
    """Return a panel as a figure, in roles of colours.

    ``results`` are None while ours are hidden. ``fresh`` is a run of the reader's own over the
    stored one. What is measured lies along y; where cells are rows, all is turned at the end.
    """
    styles, data = styles_of(panel), list[Spec]()
    cells, rows = cells_of(card, panel, results, styles)
    for series in sorted(panel.series, key=lambda s: list(WIDTHS).index(s.role)):
        style, table = styles[series.key], results or (card.stored if is_end(series) else None)
        at = {x: cells[series.key, x] for x in panel.x.values if (series.key, x) in cells}
        if table is not None:
            data += _ours(table, series, style, panel, at)
        if fresh is not None and card.trials_of(series) > 1:
            known = {at[x]: v.mean() for x in at if len(v := fresh.values(series.key, x))}
            marker = {"symbol": "circle-open", "size": 7, "color": style.color, "line": LINE}
            data.append(_dots(f"{series.label}, {OWN_RUN}", known, marker))
        data += _on_record(card, series, "ink" if rows else style.color, at)
    measured = _value_axis(panel, [end for trace in data for end in _ends(trace)])
    if rows:
        data = list(map(_turned, data))
        label = with_subscripts(escape(panel.y.label, quote=False))
        ticks = {"tickvals": [*rows], "ticktext": [*rows.values()], "ticklabelstandoff": 8}
        ends = {"tickfont": {"color": "ink"}, "fixedrange": True, "range": [max(rows) + 0.5, -0.5]}
        layout: Spec = {"height": round(90 + ROW_HEIGHT * (max(rows) + 1)), "yaxis": ticks | ends}
        layout["xaxis"] = measured | {"title": {"text": label, "standoff": 6}}
    else:
        lines = sum(trace["showlegend"] for trace in data)
        height = ALONE_HEIGHT if len(card.panels) == 1 else HEIGHT
        layout = {"height": height + LEGEND_HEIGHT * ((lines + 1) // 2), "yaxis": measured}
        layout |= {"xaxis": _place_axis(panel.x), "showlegend": True}
        # Under the ticks, however high the chart is shown: it keeps the foot of the whole.
        foot = {"orientation": "h", "x": 0, "y": 0, "yref": "container", "yanchor": "bottom"}
        layout["legend"] = foot | {"font": {"color": "ink"}}
    if panel.ceiling is not None:
        layout |= _ceiling(panel.ceiling, *(("x", "y") if rows else ("y", "x")))
    return finished(data, layout, f"{card.key} {panel.title}")


def finished(data: list[Spec], layout: Spec, revision: str) -> Spec:
    """Return a figure with what all have, and the mark that it is not private in its corner."""
    mark = {"text": NOT_PRIVATE, "font": {"size": 10, "color": "faint"}, "showarrow": False}
    mark |= {"xref": "paper", "x": 1, "xanchor": "right", "yref": "paper", "y": 1}
    margin = {"l": 8, "r": 12, "t": 22, "b": 8}
    common = {"gridcolor": "hair", "zeroline": False, "automargin": True}
    axes = {name: common | layout[name] for name in ("xaxis", "yaxis")}
    found = shared_layout(**(layout | axes), margin=margin, uirevision=revision)
    found["annotations"] = [mark | {"yanchor": "bottom"}, *layout.get("annotations", ())]
    # Plotly draws no figure without a trace, not even its axes.
    return {"data": data or [{"type": "scatter", "x": [], "y": []}], "layout": found}


def _dots(name: str, values: Mapping[float, float], marker: Spec) -> Spec:
    """Return dots of values by where they stand."""
    common = {"type": "scatter", "mode": "markers", "cliponaxis": False, "showlegend": False}
    hover = "<b>%{fullData.name}</b>: %{y}<extra></extra>"
    places = {"x": [*values], "y": [*values.values()]}
    return common | places | {"name": name, "marker": marker, "hovertemplate": hover}


def _ours(
    table: Table, series: Series, style: Style, panel: Panel, at: Mapping[float, float]
) -> list[Spec]:
    """Return means with the band of four releases in five: dots of rows, else a line."""
    known = {at[x]: v for x in at if len(v := table.values(series.key, x))}
    means = {x: v.mean() for x, v in known.items()}
    ends = [np.quantile(v, FOUR_OF_FIVE) for v in known.values()]
    low, high = np.array(ends).reshape(-1, 2).T
    most, y = max(map(len, known.values()), default=0), np.array([*means.values()])
    if panel.x.names:
        reach = {"type": "data", "symmetric": False, "array": high - y, "arrayminus": y - low}
        bars = reach | {"color": f"{style.color}/.3", "thickness": 5, "width": 0}
        dots = _dots(f"{series.label}, {OURS}", means, {"color": style.color, "size": 10})
        more = {"meta": series.key, "error_y": bars | {"visible": most > 1}}
        return [dots | more] if known else []
    label, look = series.label, {"color": style.color, "dash": style.dash, "width": style.width}
    line = {
        "type": "scatter",
        "mode": "lines",
        "meta": series.key,
        "name": f"<s>{label}</s>" if style.refuted else label,
        "x": [*means],
        "y": y,
        "line": look,
        "showlegend": True,
        "hovertemplate": f"<b>{label}</b>: {panel.x.label} = %{{x}} → %{{y}}<extra></extra>",
    }
    if most < FEWEST_IN_BAND or is_chance(series):
        return [line]
    band = {"x": [*means, *[*means][::-1]], "y": [*high, *low[::-1]], "meta": ""}
    fill = {"fill": "toself", "fillcolor": f"{style.color}/.13", "line": {"width": 0}}
    return [line | band | fill | {"hoverinfo": "skip", "showlegend": False}, line]


def _on_record(card: Card, series: Series, color: str, at: Mapping[float, float]) -> Iterator[Spec]:
    """Yield numbers on record as hollow marks with one deviation, a trace for each source."""
    known = printed_of(card.key)
    for (page, printed), own in known[known["series"] == series.key].groupby(["page", "printed"]):
        own = own[own["x"].isin(list(at))]
        spread = own["spread"].fillna(0).to_numpy(float)
        source = IN_PAPER if printed else page
        marker = {"symbol": "diamond-open", "size": 11, "color": color, "line": LINE}
        bars = {"type": "data", "array": spread, "thickness": 1, "width": 4, "color": color}
        values = dict(zip(own["x"].map(at), own["value"], strict=True))
        mark = _dots(f"{series.label}, {source}", values, marker)
        yield mark | {"error_y": bars | {"visible": bool(spread.any())}}


def _ends(trace: Spec) -> Iterator[Array]:
    """Yield how far down and up a trace reaches."""
    bars = trace.get("error_y", {})
    up = bars.get("array", 0.0)
    yield np.asarray(trace["y"]) - bars.get("arrayminus", up)
    yield np.asarray(trace["y"]) + up


def _turned(trace: Spec) -> Spec:
    """Return a trace with its axes exchanged."""
    names = {"x": "y", "y": "x", "error_y": "error_x"}
    hover = trace["hovertemplate"].replace("{y}", "{x}")
    return {names.get(name, name): part for name, part in trace.items()} | {"hovertemplate": hover}


def _ceiling(value: float, along: str, across: str) -> Spec:
    """Return the line above which nothing can be, with its name at an end."""
    ends: Spec = {f"{along}0": value, f"{along}1": value, f"{across}0": 0, f"{across}1": 1}
    line = {"type": "line", "line": {"color": "accent", "width": 2.2}, f"{across}ref": "paper"}
    anchors = ("right", "top", 1) if along == "x" else ("left", "bottom", 0)
    name = dict(zip(("xanchor", "yanchor", across), anchors, strict=True)) | {along: value}
    name |= {"text": "<b>√(2k)</b>", "showarrow": False, "font": {"color": "accent"}}
    return {"shapes": [line | ends], "annotations": [name | {f"{across}ref": "paper"}]}


def ends_of(low: float, high: float, log: bool) -> Spec:
    """Return the ends of an axis, a little beyond what is drawn."""
    if log:
        low, high = float(np.log10(low)), float(np.log10(high))
    room = ROOM * (high - low) or 1.0
    return {"type": "log" if log else "linear", "range": [low - room, high + room]}


def _place_axis(axis: Axis) -> Spec:
    """Return the axis of places: where they are few, each has a tick."""
    found = ends_of(axis.values[0], axis.values[-1], axis.log) | {"title": {"text": axis.label}}
    ticks = axis.values[:: 1 + len(axis.values) // MOST_TICKS]
    if not axis.log:
        return found | {"tickformat": ",~g"}
    if len(axis.values) > 2 * MOST_TICKS:
        return found | {"tickformat": ",~s", "dtick": 1}
    return found | {"tickvals": ticks, "ticktext": [f"{x:,g}" for x in ticks]}


def _value_axis(panel: Panel, found: Sequence[Array]) -> Spec:
    """Return the axis of what is measured, wide enough for our numbers and those on record."""
    axis, values = panel.y, np.concatenate([np.empty(0), *found])
    values = values[values > 0] if axis.log else values
    ends = [axis.low, axis.high, panel.ceiling]
    all_of_it = [*values.tolist(), *(end for end in ends if end is not None)] or [0.1, 1.0]
    return ends_of(min(all_of_it), max(all_of_it), axis.log) | {"hoverformat": ".3~g"}


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
