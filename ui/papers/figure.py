"""A panel of a card as a figure: our releases with bands, numbers on record as hollow marks.

Places that are numbers lie along the foot, and a line is drawn; of places with names, a table's
cells, each cell is a row.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from typing import Any

import numpy as np

from dpca_core.analysis.claims import claim_of, example
from dpca_core.figures.chart import POWERS, Axis, Spec, count_format, shared_layout
from dpca_core.figures.colours import (
    CHANCE,
    CHOSEN_WIDTH,
    DASHES,
    PRINTED_WIDTH,
    Theme,
    family_role,
    resolve,
)
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Family
from dpca_core.mechanisms.registry import MECHANISMS, NON_PRIVATE, RANDOM_DEFAULT
from dpca_core.privacy.budget import Budget, Standing
from dpca_core.text.privacy_numbers import with_subscripts
from papers import card as cards
from papers.card import Card, Panel, Role, Series
from papers.comparison import is_printed
from papers.store import printed_of, printed_values
from papers.table import Table
from ui.page.files import NOT_PRIVATE

ALONE_HEIGHT, HEIGHT, ROW_HEIGHT, LEGEND_HEIGHT = 400, 300, 24, 22
"""Of the only chart of a card, of one of several, of a row and of a line of names, in pixels."""
FEWEST_IN_BAND, FOUR_OF_FIVE = 5, (0.1, 0.9)
"""Releases at a place from which on a line has a band, and the quantiles at its ends."""
OURS, OWN_RUN, IN_PAPER = "ours", "this run", "printed in the paper"
ROOM = 0.04
"""Share of an axis beyond what is drawn."""
FEW_DECADES, LEAST_APART = 500, 0.14
"""Times the lowest place up to which all places have ticks, if they are so far apart: a share of
the axis."""
GAP = 0.4
"""Between a cell of several rows and what stands beside it, in rows."""
HATCH = {"shape": "x", "size": 7, "solidity": 0.12, "fgcolor": "accent", "bgcolor": "clear"}
ORDER = (Role.REFERENCE, Role.PRINTED, Role.REPAIRED)
"""What a reader looks for first is drawn last, on top."""
FORMULA_COLOURS = (
    Family.EXPONENTIAL,
    Family.GAUSSIAN,
    Family.GAUSSIAN_TRIANGLE,
    Family.WISHART,
    Family.LAPLACE,
)
"""Of series without a mechanism, in their order."""
WIDTHS = {Role.PRINTED: PRINTED_WIDTH, Role.REPAIRED: CHOSEN_WIDTH, Role.REFERENCE: 1.6}
REFUTED, APPROXIMATE, BY_CHANCE, ORDERS = "2px,3px", "6px,4px", "1px,4px", "10px,5px"
"""Dashes of what is refuted, of an approximate sampler, of random directions, and of a reference's
mechanism."""
MOST_BOUNDS = 2
"""Lines in ink that a panel can tell apart; more have colours."""


@dataclass(frozen=True)
class Style:
    """Role of a colour, dashes, width in pixels, and whether the guarantee is refuted."""

    color: str
    dash: str
    width: float
    refuted: bool


@cache
def is_refuted(key: str | None) -> bool:
    """Tell whether what a mechanism's paper promises is refuted, whatever the budget."""
    if key is None:
        return False
    guarantee = claim_of(MECHANISMS[key], example(10, 2, 1000), Budget(1.0, 0.01)).guarantee
    return guarantee is not None and guarantee.standing is Standing.REFUTED


def is_chance(series: Series) -> bool:
    """Tell whether a series is of directions drawn at random, by releases or by their formula."""
    formula = series.mechanism is None and series.role is Role.REFERENCE
    return series.mechanism == RANDOM_DEFAULT.key or (formula and "andom direc" in series.label)


def styles_of(panel: Panel) -> dict[str, Style]:
    """Return the style of each series: those of one family differ in their dashes.

    Thin as a paper states it, thick what holds; dotted where refuted.
    """
    formulas = [s for s in panel.series if s.mechanism is None and not is_chance(s)]
    bounds = [s for s in formulas if s.role is Role.REFERENCE]
    bounds = bounds if len(bounds) <= MOST_BOUNDS else []
    coloured = [s for s in formulas if s not in bounds]
    found, relatives = dict[str, Style](), dict[tuple[str, str], int]()
    for series in panel.series:
        truth, refuted = series.mechanism == NON_PRIVATE.key, False
        if is_chance(series):
            color, special = CHANCE, BY_CHANCE
        elif truth or series in bounds:
            color, special = "ink", ""
        elif series.mechanism is None:
            color = family_role(FORMULA_COLOURS[coloured.index(series) % len(FORMULA_COLOURS)])
            special = ""
        else:
            color = family_role(MECHANISMS[series.mechanism].family)
            refuted = series.role is not Role.REFERENCE and is_refuted(series.mechanism)
            special = REFUTED if refuted else APPROXIMATE if series.approximate else ""
            special = special or (ORDERS if series.role is Role.REFERENCE else "")
        kin = (series.role, color)
        relatives[kin] = relatives.get(kin, -1) + 1
        dash = special or DASHES[(relatives[kin] + (series in bounds)) % len(DASHES)]
        dash = "solid" if truth else dash
        found[series.key] = Style(color, dash, WIDTHS[series.role], refuted)
    return found


@dataclass(frozen=True)
class Curve:
    """Means (p,) at places, and the band of four releases in five; ``most`` at a place."""

    places: list[float]
    means: Array
    low: Array
    high: Array
    most: int


def curve(table: Table, key: str, places: Iterable[float]) -> Curve:
    """Return what is drawn of a series, at the places where there is anything."""
    known = {x: values for x in places if len(values := table.values(key, x))}
    found = [(v.mean(), *np.quantile(v, FOUR_OF_FIVE)) for v in known.values()]
    means, low, high = np.array(found).reshape(-1, 3).T
    return Curve(list(known), means, low, high, max(map(len, known.values()), default=0))


@dataclass(frozen=True)
class Cell:
    """A row: its place from the top, its name, and what is measured there; a heading has none."""

    at: float
    name: str
    series: Series | None = None
    x: float = 0.0


def cells_of(card: Card, panel: Panel, results: Table | None) -> list[Cell]:
    """Return the rows: where a cell has several they stand together, under its name."""
    known = printed_values(card.key)
    recorded = {key for key, _ in known}
    series = [s for s in panel.series if not is_chance(s) or s.key in recorded]
    found, at = list[Cell](), 0.0
    for x, name in zip(panel.x.values, panel.x.names, strict=True):
        here = [
            s
            for s in series
            if len(series) == 1
            or (s.key, x) in known
            or results is None
            or len(results.values(s.key, x))
        ]
        if len(here) == 1:
            found.append(Cell(at, name, here[0], x))
            at += 1
        elif here:
            at += GAP if found else 0.0
            found.append(Cell(at, name))
            found += [Cell(at + 1 + i, s.label, s, x) for i, s in enumerate(here)]
            at += 1 + len(here) + GAP
    return found


def figure(card: Card, panel: Panel, results: Table | None, fresh: Table | None = None) -> Spec:
    """Return a panel as a figure, in roles of colours.

    ``results`` are None while ours are hidden: the ends of the scale are never. ``fresh`` is a run
    of the reader's own over the stored one.
    """
    rows, styles = bool(panel.x.names), styles_of(panel)
    cells = cells_of(card, panel, results) if rows else []
    data, values = list[Spec](), list[Array]()
    for series in sorted(panel.series, key=lambda s: ORDER.index(s.role)):
        style, chance = styles[series.key], is_chance(series)
        at = {c.x: c.at for c in cells if c.series is series} if rows else _along(panel.x.values)
        ends = chance or series.mechanism == NON_PRIVATE.key
        table = results or (card.stored if ends and not rows else None)
        if table is not None:
            own = curve(table, series.key, panel.x.values)
            values += [own.means, own.low, own.high]
            data += _row(own, at, cells, style) if rows else _line(own, series, style, panel)
        if fresh is not None and card.trials_of(series) > 1:
            own = curve(fresh, series.key, at)
            values.append(own.means)
            marker = {"symbol": "circle-open", "size": 7, "color": style.color}
            dots = _xy(rows, [at[x] for x in own.places], own.means)
            name = f"{series.label}, {OWN_RUN}"
            data.append(_points(name, rows) | dots | {"marker": marker | {"line": {"width": 1.6}}})
        for mark, reach in _marks(card, series, style, at, rows):
            data.append(mark)
            values.append(reach)
    y = _value_axis(panel.y, values)
    top = cells[-1].at + 0.5 if rows else 0.0
    x = Axis(top, -0.5) if rows else _place_axis(panel.x)
    layout: Spec = {"shapes": _chance(panel, results, cells)}
    if rows:
        label = with_subscripts(escape(panel.y.label, quote=False))
        layout["xaxis"] = y.layout() | {"title": {"text": label, "standoff": 6}}
        layout["yaxis"] = _names_axis(cells, styles, x.ends)
        layout["height"] = round(90 + ROW_HEIGHT * (cells[-1].at + 1))
    else:
        alone = len(card.panels) == 1
        names = sum(trace.get("showlegend", False) for trace in data)
        layout |= {"xaxis": x.layout() | {"automargin": True}, "yaxis": y.layout()}
        layout["height"] = (ALONE_HEIGHT if alone else HEIGHT) + LEGEND_HEIGHT * ((names + 1) // 2)
        layout |= {"showlegend": True, "legend": _legend(-0.16 if alone else -0.24)}
    for axis in ("xaxis", "yaxis"):
        layout[axis] |= {"automargin": True}
    words = _ceiling(panel.y, y, x, rows, data, layout["shapes"])
    return finished(data, layout, f"{card.key} {panel.title}", words)


def finished(data: list[Spec], layout: Spec, revision: str, words: Sequence[Spec] = ()) -> Spec:
    """Return a figure with the mark that it is not private in its corner."""
    mark = {"text": NOT_PRIVATE, "font": {"size": 10, "color": "faint"}, "showarrow": False}
    corner = {"xref": "paper", "x": 1, "xanchor": "right", "yref": "paper", "y": 1}
    margin = {"l": 8, "r": 12, "t": 22, "b": 8}
    found = shared_layout(**layout, margin=margin, uirevision=revision)
    found["annotations"] = [mark | corner | {"yanchor": "bottom"}, *words]
    # Plotly draws no figure without a trace, not even its axes.
    return {"data": data or [{"type": "scatter", "x": [], "y": []}], "layout": found}


def _along(places: Sequence[float]) -> dict[float, float]:
    return dict(zip(places, places, strict=True))


def _xy(rows: bool, along: Any, values: Any) -> Spec:
    """Return places and values as coordinates: of rows places go down."""
    along, values = list(along), list(values)
    return {"x": values, "y": along} if rows else {"x": along, "y": values}


def _points(name: str, rows: bool, text: Sequence[str] = ()) -> Spec:
    hover = f"<b>{'%{text}' if text else '%{fullData.name}'}</b>: %{{{'x' if rows else 'y'}}}"
    common = {"type": "scatter", "mode": "markers", "name": name, "cliponaxis": False}
    named = {"text": list(text)} if text else {}
    return common | named | {"hovertemplate": f"{hover}<extra></extra>", "showlegend": False}


def _row(own: Curve, at: Mapping[float, float], cells: list[Cell], style: Style) -> list[Spec]:
    """Return a dot for each cell of a series, with the band of four releases in five."""
    some = [i for i, x in enumerate(own.places) if x in at]
    if not some:
        return []
    bars = {
        "type": "data",
        "symmetric": False,
        "array": list((own.high - own.means)[some]),
        "arrayminus": list((own.means - own.low)[some]),
        "color": f"{style.color}/.3",
        "thickness": 5,
        "width": 0,
        "visible": own.most > 1,
    }
    names = {cell.at: cell.name for cell in cells}
    down = [at[own.places[i]] for i in some]
    dots = _points(OURS, True, [f"{names[row]}, {OURS}" for row in down])
    marker = {"color": style.color, "size": 10}
    return [dots | _xy(True, down, own.means[some]) | {"marker": marker, "error_x": bars}]


def _line(own: Curve, series: Series, style: Style, panel: Panel) -> list[Spec]:
    """Return the line of a series along its places, and the band of four releases in five."""
    label = series.label
    line = {
        "type": "scatter",
        "mode": "lines",
        "meta": series.key,
        "name": f"<s>{label}</s>" if style.refuted else label,
        **_xy(False, own.places, own.means),
        "line": {"color": style.color, "dash": style.dash, "width": style.width},
        "showlegend": True,
        "hovertemplate": f"<b>{label}</b>: {panel.x.label} = %{{x}} → %{{y}}<extra></extra>",
    }
    if own.most < FEWEST_IN_BAND or is_chance(series):
        return [line]
    around = [*own.places, *own.places[::-1]], [*own.high, *own.low[::-1]]
    return [_area(*around) | {"fillcolor": f"{style.color}/.13"}, line]


def _area(x: Sequence[float], y: Sequence[float]) -> Spec:
    outline = {"type": "scatter", "mode": "lines", "x": x, "y": y, "line": {"width": 0}}
    return outline | {"fill": "toself", "hoverinfo": "skip", "showlegend": False}


def _marks(
    card: Card, series: Series, style: Style, at: Mapping[float, float], rows: bool
) -> Iterable[tuple[Spec, Array]]:
    """Yield numbers on record as hollow marks with one deviation, and how far those reach."""
    known = printed_of(card.key)
    for (page, read), own in known[known["series"] == series.key].groupby(["page", "read"]):
        own = own[own["x"].isin(list(at))]
        if own.empty:
            continue
        values, spread = own["value"].to_numpy(), own["spread"].fillna(0).to_numpy(float)
        source = IN_PAPER if is_printed(str(read)) else str(page)
        color = "ink" if rows else style.color
        marker = {"symbol": "diamond-open", "size": 11, "color": color, "line": {"width": 1.6}}
        bars = {"type": "data", "array": list(spread), "visible": bool(spread.any())}
        bars |= {"thickness": 1, "width": 4, "color": color}
        mark = _points(f"{series.label}, {source}", rows) | {"marker": marker}
        mark |= _xy(rows, [at[x] for x in own["x"]], values)
        reach = np.concatenate([values - spread, values + spread])
        yield mark | {"error_x" if rows else "error_y": bars}, reach


def _names_axis(cells: list[Cell], styles: Mapping[str, Style], ends: tuple[float, float]) -> Spec:
    names = [escape(cell.name, quote=False) for cell in cells]
    for i, cell in enumerate(cells):
        if cell.series is None:
            names[i] = f"<b>{names[i]}</b>"
        elif styles[cell.series.key].refuted:
            names[i] = f"<s>{names[i]}</s>"
    at = {"tickvals": [cell.at for cell in cells], "ticktext": names, "range": list(ends)}
    look = {"tickfont": {"color": "ink"}, "ticklabelstandoff": 8, "gridcolor": "hair"}
    return at | look | {"zeroline": False, "fixedrange": True}


def _legend(y: float) -> Spec:
    place = {"orientation": "h", "x": 0, "y": y, "yanchor": "top"}
    return place | {"font": {"color": "ink"}}


def _ceiling(
    axis: cards.Axis, y: Axis, x: Axis, rows: bool, data: list[Spec], shapes: list[Spec]
) -> list[Spec]:
    """Hatch what is beyond a ceiling, behind all else; draw its line, and return its name."""
    if axis.ceiling is None:
        return []
    corners = [x.low, x.high, x.high, x.low], [axis.ceiling] * 2 + [y.high] * 2
    hatched = _area(*_xy(rows, *corners).values())
    data.insert(0, hatched | {"fillcolor": "clear", "fillpattern": HATCH})
    along, across = ("x", "y") if rows else ("y", "x")
    place = {f"{along}0": axis.ceiling, f"{along}1": axis.ceiling}
    ends = {f"{across}ref": "paper", f"{across}0": 0, f"{across}1": 1}
    shapes.append({"type": "line", "line": {"color": "accent", "width": 2.2}, **place, **ends})
    name = {"text": f"<b>{axis.ceiling_name}</b>", "showarrow": False, "font": {"color": "accent"}}
    if rows:
        where = {"x": axis.ceiling, "xanchor": "right", "yref": "paper", "y": 1, "yanchor": "top"}
    else:
        where = {"xref": "paper", "x": 0, "xanchor": "left", "y": axis.ceiling}
        where |= {"yanchor": "bottom"}
    return [name | where]


def _chance(panel: Panel, results: Table | None, cells: list[Cell]) -> list[Spec]:
    """Return grey rectangles over what random directions give, behind the rows of each cell."""
    found, here = list[Spec](), [cell for cell in cells if cell.series is not None]
    for series in filter(is_chance, panel.series):
        for x in sorted({cell.x for cell in here}):
            if results is None or not len(results.values(series.key, x)):
                continue
            own, rows = curve(results, series.key, (x,)), [c.at for c in here if c.x == x]
            ends = {"x0": float(own.low[0]), "x1": float(own.high[0])}
            across = {"y0": min(rows) - 0.5, "y1": max(rows) + 0.5, "layer": "below"}
            fill = {"fillcolor": f"{CHANCE}/.18", "line": {"width": 1, "color": f"{CHANCE}/.5"}}
            found.append({"type": "rect", **ends, **across, **fill})
    return found


def _place_axis(axis: cards.Axis) -> Axis:
    """Return the axis of places: each has a tick where there is room for it."""
    low, high = axis.values[0], axis.values[-1]
    if not axis.log:
        room = ROOM * (high - low) or 1.0
        return Axis(low - room, high + room, title=axis.label, tick_format=",~g")
    low, high = low / 1.08, high * 1.08
    ticks = list[float]()
    for place in axis.values if high / low < FEW_DECADES else ():
        if not ticks or np.log(place / ticks[-1]) >= LEAST_APART * np.log(high / low):
            ticks.append(place)
    texts = tuple(f"{v:,g}" for v in ticks)
    form = "~g" if high < 1000 else count_format(high)
    return Axis(low, high, True, axis.label, tuple(ticks), texts, form, ",.3~r")


def _value_axis(axis: cards.Axis, found: Sequence[Array]) -> Axis:
    """Return the axis of what is measured, wide enough for our numbers and those on record."""
    values = np.concatenate([np.empty(0), *found])
    values = values[values > 0] if axis.log else values
    least, most = (values.min(), values.max()) if len(values) else (0.1, 1.0)
    most = max(most, axis.ceiling or most)
    if axis.log:
        low, high = 10 ** np.floor(np.log10(least)), 10 ** np.ceil(np.log10(most))
        form = POWERS if high / low > 1e4 else ",~r"
        return Axis(axis.low or float(low), axis.high or float(high), log=True, tick_format=form)
    room = ROOM * (most - least or 1.0)
    low = least - room if axis.low is None else min(axis.low, least) - ROOM * (most - axis.low) / 2
    high = most + room if axis.high is None else axis.high + ROOM * (axis.high - low) / 2
    return Axis(float(low), float(max(high, most + room / 2)))


THUMB = (120.0, 56.0, 4.0)
"""Width, height and edge of a small picture."""


def thumbnail(card: Card, theme: Theme) -> str:
    """Return a small picture of a card's first chart as SVG: our means, and printed numbers."""
    width, height, edge = THUMB
    spec = resolve(figure(card, card.panels[0], card.stored), theme)
    found = list[str]()
    for trace in spec["data"]:
        if "fill" in trace:
            continue
        places = []
        for name, size in (("x", width), ("y", height)):
            axis, values = spec["layout"][f"{name}axis"], np.array(trace[name], dtype=float)
            with np.errstate(divide="ignore", invalid="ignore"):
                values = np.log10(values) if axis.get("type") == "log" else values
            low, high = axis["range"]
            places.append(edge + (size - 2 * edge) * (values - low) / (high - low))
        x, y = places[0], height - places[1]
        points = [(a, b) for a, b in zip(x, y, strict=True) if np.isfinite(a + b)]
        if trace["mode"] == "lines":
            line, spots = trace["line"], " ".join(f"{a:.1f},{b:.1f}" for a, b in points)
            dash = ' stroke-dasharray="2 3"' if line["dash"] != "solid" else ""
            look = f'stroke="{line["color"]}" stroke-width="{line["width"] / 1.3:.1f}"{dash}'
            found.append(f'<polyline points="{spots}" fill="none" {look}/>')
        else:
            color = trace["marker"]["color"]
            look = f'fill="{"none" if "symbol" in trace["marker"] else color}" stroke="{color}"'
            found += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="1.8" {look}/>' for a, b in points]
    box = f'viewBox="0 0 {width:g} {height:g}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {box}>{"".join(found)}</svg>'
