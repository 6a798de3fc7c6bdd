"""A panel of a card as a figure: our releases with bands, printed numbers as hollow marks.

Of a panel whose places are numbers a line is drawn along them; of one whose places have names, a
table's cells, each cell is a row.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np

from dpca_core.figures.chart import POWERS, Axis, Spec, count_format, shared_layout
from dpca_core.figures.colours import CHANCE, Theme, resolve
from dpca_core.linalg.arrays import Array
from dpca_core.text.privacy_numbers import with_subscripts
from papers import card as cards
from papers.card import Card, Role, Series
from papers.table import Table
from ui.page.files import NOT_PRIVATE
from ui.papers import text
from ui.papers.parts import Part, parts_of
from ui.papers.stored import FEWEST_IN_BAND, Curve, Printed, curve, printed_points
from ui.papers.styles import Style, is_chance, is_truth, styles_of

HEIGHT, BESIDE_HEIGHT, ROW_HEIGHT = 400, 300, 24
"""Of the only chart of a card, of one of several, and of a row, in pixels."""
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


@dataclass(frozen=True)
class Shown:
    """What a card's charts are drawn from.

    Attributes
    ----------
    results
        Single releases; None while ours are hidden.
    fresh
        A run of the reader's own over the stored one.
    """

    card: Card
    results: Table | None
    fresh: Table | None = None

    @property
    def printed(self) -> Mapping[str, Sequence[Printed]]:
        """Numbers on record by series."""
        return printed_points(self.card.key)

    def curve(self, series: Series, places: Sequence[float]) -> Curve | None:
        """Return our releases of a series; the ends of the scale are never hidden."""
        ends = is_truth(series) or is_chance(series)
        results = self.results or (self.card.stored if ends else None)
        return None if results is None else curve(results, series, tuple(places))


@dataclass(frozen=True)
class Cell:
    """A row: its place from the top, its name, and what is measured there; a heading has none."""

    at: float
    name: str
    series: Series | None = None
    x: float = 0.0


def figures(shown: Shown) -> list[tuple[Part, Spec]]:
    """Return the charts of a card, in roles of colours."""
    draw = _rows if shown.card.panels[0].x.names else _lines
    return [(part, draw(shown, part)) for part in parts_of(shown.card)]


def _lines(shown: Shown, part: Part) -> Spec:
    panel, styles = shown.card.panels[part.panel], styles_of(shown.card)
    own = sorted(panel.series, key=lambda s: ORDER.index(s.role))
    x = sorted({x for s in own for x in shown.card.panel_of(s).x.values})
    found = [(s, c) for s in own if (c := shown.curve(s, x)) is not None]
    fresh = [
        (s, curve(shown.fresh, s, tuple(x)))
        for s in own
        if shown.fresh is not None and shown.card.trials_of(s) > 1
    ]
    places = _place_axis(panel.x, np.array(x))
    values = _value_axis(panel.y, [c for _, c in (*found, *fresh)], shown.printed, own)
    data = [_impossible((places.low, places.high), (panel.y.ceiling, values.high))]
    for series, line in found:
        band = line.most >= FEWEST_IN_BAND and not is_chance(series)
        data += [_band(x, line, styles[series.key])] * band
        data.append(_line(x, line, series, styles[series.key], panel.x.label))
    data += [_fresh(x, line.means, s.label, styles[s.key]) for s, line in fresh]
    for series in own:
        if points := shown.printed.get(series.key):
            along = [p.x for p in points], [p.value for p in points]
            name = f"{series.label}, {text.mark_name(points[0])}"
            mark = _marks(*along, name, styles[series.key].color)
            data.append(mark | {"error_y": _spread(points, styles[series.key].color)})
    alone = len(shown.card.panels) == 1
    names = sum(trace is not None and trace.get("showlegend", False) for trace in data)
    legend = {"orientation": "h", "x": 0, "y": -0.16 if alone else -0.24, "yanchor": "top"}
    layout = {
        "xaxis": places.layout() | {"automargin": True},
        "yaxis": values.layout() | {"automargin": True},
        "shapes": _ceiling(panel.y, upright=False),
        "height": (HEIGHT if alone else BESIDE_HEIGHT) + 22 * ((names + 1) // 2),
        "showlegend": True,
        "legend": legend | {"font": {"color": "ink"}},
    }
    return _figure(data, layout, f"{shown.card.key} {part.key}")


def _rows(shown: Shown, part: Part) -> Spec:
    panel, styles = shown.card.panels[part.panel], styles_of(shown.card)
    cells = cells_of(shown, part)
    known = [c for s in panel.series if (c := shown.curve(s, panel.x.values)) is not None]
    values = _value_axis(panel.y, known, shown.printed, panel.series)
    data = [_impossible((panel.y.ceiling, values.high), (-0.5, cells[-1].at + 0.5))]
    for series in panel.series:
        own = [cell for cell in cells if cell.series is series]
        data += _row_dots(shown, series, own, styles[series.key])
    points = [(c, p) for c in cells if c.series for p in shown.printed.get(c.series.key, ())]
    points = [(cell, p) for cell, p in points if p.x == cell.x]
    if points:
        value, at = [p.value for _, p in points], [cell.at for cell, _ in points]
        mark = _marks(value, at, text.IN_PAPER, "ink")
        names = {"text": [c.name for c, _ in points], "hovertemplate": _hover("x", "%{text}")}
        data.append(mark | names | {"error_x": _spread([p for _, p in points], "ink")})
    label = with_subscripts(escape(panel.y.label, quote=False))
    layout = {
        "xaxis": values.layout() | {"title": {"text": label, "standoff": 6}, "automargin": True},
        "yaxis": {
            "range": [cells[-1].at + 0.5, -0.5],
            "tickvals": [cell.at for cell in cells],
            "ticktext": [_row_name(cell, styles) for cell in cells],
            "tickfont": {"color": "ink"},
            "ticklabelstandoff": 8,
            "gridcolor": "hair",
            "zeroline": False,
            "fixedrange": True,
            "automargin": True,
        },
        "shapes": [*_chance(shown, panel, cells), *_ceiling(panel.y, upright=True)],
        "height": round(90 + ROW_HEIGHT * (cells[-1].at + 1)),
    }
    return _figure(data, layout, f"{shown.card.key} {part.key}")


def _row_name(cell: Cell, styles: Mapping[str, Style]) -> str:
    name = escape(cell.name, quote=False)
    if cell.series is None:
        return f"<b>{name}</b>"
    return f"<s>{name}</s>" if styles[cell.series.key].refuted else name


def _figure(data: Sequence[Spec | None], layout: Spec, revision: str) -> Spec:
    mark = {"text": NOT_PRIVATE, "font": {"size": 10, "color": "faint"}, "showarrow": False}
    corner = {"xref": "paper", "x": 1, "xanchor": "right", "yref": "paper", "y": 1}
    margin = {"l": 8, "r": 12, "t": 22, "b": 8}
    found = shared_layout(**layout, margin=margin, uirevision=revision)
    found["annotations"] = [mark | corner | {"yanchor": "bottom"}, *_ceiling_name(layout)]
    drawn = [trace for trace in data if trace is not None]
    # Plotly draws no figure without a trace, not even its axes.
    return {"data": drawn or [{"type": "scatter", "x": [], "y": []}], "layout": found}


def cells_of(shown: Shown, part: Part) -> list[Cell]:
    """Return the rows: where a cell has several they stand together, under its name."""
    panel = shown.card.panels[part.panel]
    series = [s for s in panel.series if not is_chance(s) or s.key in shown.printed]
    found, at = list[Cell](), 0.0
    for x, name in zip(panel.x.values, panel.x.names, strict=True):
        if part.places and x not in part.places:
            continue
        here = [s for s in series if len(series) == 1 or _known(shown, s, x)]
        if len(here) == 1:
            found.append(Cell(at, name, here[0], x))
            at += 1
        elif here:
            at += GAP if found else 0.0
            found.append(Cell(at, name))
            found += [Cell(at + 1 + i, s.label, s, x) for i, s in enumerate(here)]
            at += 1 + len(here) + GAP
    return found


def _known(shown: Shown, series: Series, x: float) -> bool:
    """Tell whether anything is printed or measured of a series at a place."""
    if any(point.x == x for point in shown.printed.get(series.key, ())):
        return True
    return shown.results is None or len(shown.results.values(series.key, x)) > 0


def _row_dots(shown: Shown, series: Series, cells: Sequence[Cell], style: Style) -> list[Spec]:
    """Return a dot for each cell of a series, with the band of four releases in five."""
    found, at = list[Spec](), np.array([cell.at for cell in cells])
    names = [cell.name for cell in cells]
    places = tuple(cell.x for cell in cells)
    if shown.results is not None and cells:
        own = curve(shown.results, series, places)
        bars = {
            "type": "data",
            "symmetric": False,
            "array": list(np.maximum(own.high - own.means, 0)),
            "arrayminus": list(np.maximum(own.means - own.low, 0)),
            "color": f"{style.color}/.3",
            "thickness": 5,
            "width": 0,
            "visible": own.most > 1,
        }
        dots = {"marker": {"color": style.color, "size": 10}, "error_x": bars}
        found.append(_dots(own.means, at, names, text.OURS) | dots)
    if shown.fresh is not None and cells:
        means = curve(shown.fresh, series, places).means
        found.append(_dots(means, at, names, text.OWN_RUN) | {"marker": _ring(style.color)})
    return [trace for trace in found if np.isfinite(trace["x"]).any()]


def _dots(x: Array, y: Array, names: Sequence[str], said: str) -> Spec:
    hover = _hover("x", "%{text}, " + said)
    common = {"type": "scatter", "mode": "markers", "name": said, "cliponaxis": False}
    return common | {"x": list(x), "y": list(y), "text": list(names), "hovertemplate": hover}


def _ring(color: str) -> Spec:
    return {"symbol": "circle-open", "size": 7, "color": color, "line": {"width": 1.6}}


def _hover(axis: str, name: str = "%{fullData.name}") -> str:
    return f"<b>{name}</b>: %{{{axis}}}<extra></extra>"


def _line(x: Sequence[float], line: Curve, series: Series, style: Style, label: str) -> Spec:
    name = f"<s>{series.label}</s>" if style.refuted else series.label
    return {
        "type": "scatter",
        "mode": "lines",
        "meta": series.key,
        "name": name,
        "x": list(x),
        "y": list(line.means),
        "connectgaps": True,
        "line": {"color": style.color, "dash": style.dash, "width": style.width},
        "showlegend": True,
        "hovertemplate": f"<b>{series.label}</b>: {label} = %{{x}} → %{{y}}<extra></extra>",
    }


def _band(x: Sequence[float], line: Curve, style: Style) -> Spec:
    known = np.isfinite(line.low)
    across, low, high = np.array(x)[known], line.low[known], line.high[known]
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [*across, *across[::-1]],
        "y": [*high, *low[::-1]],
        "fill": "toself",
        "fillcolor": f"{style.color}/.13",
        "line": {"width": 0},
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _fresh(x: Sequence[float], means: Array, label: str, style: Style) -> Spec:
    """Return the means of a reader's own run as dots."""
    known = np.isfinite(means)
    return {
        "type": "scatter",
        "mode": "markers",
        "name": f"{label}, {text.OWN_RUN}",
        "x": list(np.array(x)[known]),
        "y": list(means[known]),
        "marker": {"size": 6, "color": style.color, "line": {"color": "page", "width": 1}},
        "hovertemplate": _hover("y"),
        "showlegend": False,
    }


def _marks(x: Sequence[float], y: Sequence[float], name: str, color: str) -> Spec:
    """Return printed points as hollow marks."""
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "x": list(x),
        "y": list(y),
        "marker": {"symbol": "diamond-open", "size": 11, "color": color, "line": {"width": 1.6}},
        "cliponaxis": False,
        "hovertemplate": _hover("y"),
        "showlegend": False,
    }


def _spread(points: Sequence[Printed], color: str) -> Spec:
    """Return error bars of one printed standard deviation."""
    spread = [float(np.nan_to_num(p.spread)) for p in points]
    shown = {"visible": any(spread), "thickness": 1, "width": 4, "color": color}
    return {"type": "data", "array": spread, **shown}


def _impossible(x: tuple[float | None, float], y: tuple[float | None, float]) -> Spec | None:
    """Return the area beyond a ceiling, hatched: nothing can be there; None without a ceiling."""
    if x[0] is None or y[0] is None:
        return None
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [x[0], x[1], x[1], x[0]],
        "y": [y[0], y[0], y[1], y[1]],
        "fill": "toself",
        "fillcolor": "clear",
        "fillpattern": HATCH,
        "line": {"width": 0},
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _ceiling(axis: cards.Axis, *, upright: bool) -> list[Spec]:
    if axis.ceiling is None:
        return []
    along, across = ("x", "y") if upright else ("y", "x")
    place = {f"{along}0": axis.ceiling, f"{along}1": axis.ceiling}
    ends = {f"{across}ref": "paper", f"{across}0": 0, f"{across}1": 1, "name": axis.ceiling_name}
    return [{"type": "line", "line": {"color": "accent", "width": 2.2}, **place, **ends}]


def _ceiling_name(layout: Spec) -> list[Spec]:
    """Return what a ceiling is, at its line's end."""
    found = list[Spec]()
    for shape in layout["shapes"]:
        if name := shape.get("name"):
            upright = shape.get("yref") == "paper"
            words = {"text": f"<b>{escape(name, quote=False)}</b>", "showarrow": False}
            x, y = (
                ({"x": shape["x0"]}, 1.0) if upright else ({"xref": "paper", "x": 0}, shape["y0"])
            )
            place = {"yref": "paper", "yanchor": "top"} if upright else {"yanchor": "bottom"}
            side = {"xanchor": "right" if upright else "left", "font": {"color": "accent"}}
            found.append(words | x | {"y": y} | place | side)
    return found


def _chance(shown: Shown, panel: cards.Panel, cells: Sequence[Cell]) -> list[Spec]:
    """Return grey rectangles over what random directions give, behind the rows of each cell."""
    found, here = list[Spec](), [cell for cell in cells if cell.series is not None]
    for series in filter(is_chance, panel.series):
        for x in sorted({cell.x for cell in here}):
            if shown.results is None or not len(shown.results.values(series.key, x)):
                continue
            own, rows = curve(shown.results, series, (x,)), [c.at for c in here if c.x == x]
            ends = {"x0": float(own.low[0]), "x1": float(own.high[0])}
            across = {"y0": min(rows) - 0.5, "y1": max(rows) + 0.5, "layer": "below"}
            fill = {"fillcolor": f"{CHANCE}/.18", "line": {"width": 1, "color": f"{CHANCE}/.5"}}
            found.append({"type": "rect", **ends, **across, **fill})
    return found


def _place_axis(axis: cards.Axis, x: Array) -> Axis:
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


def _value_axis(
    axis: cards.Axis,
    found: Sequence[Curve],
    printed: Mapping[str, Sequence[Printed]],
    own: Sequence[Series],
) -> Axis:
    """Return the axis of what is measured, wide enough for our numbers and those on record."""
    values = [v for c in found for line in (c.means, c.low, c.high) for v in line]
    for point in (p for s in own for p in printed.get(s.key, ())):
        spread = float(np.nan_to_num(point.spread))
        values += [point.value - spread, point.value, point.value + spread]
    known = np.array([v for v in values if np.isfinite(v) and (v > 0 or not axis.log)])
    least, most = (known.min(), known.max()) if len(known) else (0.1, 1.0)
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
    part, spec = figures(Shown(card, card.stored))[0]
    spec = resolve(spec, theme)
    axes = [spec["layout"][name] for name in ("xaxis", "yaxis")]
    rows = bool(card.panels[part.panel].x.names)

    def place(values: Any, axis: Spec, size: float) -> Array:
        numbers = np.array(values, dtype=float)
        if axis.get("type") == "log":
            numbers = np.log10(np.where(numbers > 0, numbers, np.nan))
        low, high = axis["range"]
        return np.asarray(edge + (size - 2 * edge) * (numbers - low) / (high - low))

    found = list[str]()
    for trace in spec["data"]:
        if "fill" in trace:
            continue
        x, y = place(trace["x"], axes[0], width), height - place(trace["y"], axes[1], height)
        known = np.isfinite(x) & np.isfinite(y)
        points = list(zip(x[known].tolist(), y[known].tolist(), strict=True))
        if trace["mode"] == "lines":
            line = trace["line"]
            dash = ' stroke-dasharray="2 3"' if line["dash"] != "solid" else ""
            thick, spots = line["width"] / 1.3, " ".join(f"{a:.1f},{b:.1f}" for a, b in points)
            look = f'stroke="{line["color"]}" stroke-width="{thick:.1f}"{dash}'
            found.append(f'<polyline points="{spots}" fill="none" {look}/>')
            continue
        color, hollow = trace["marker"]["color"], "symbol" in trace["marker"]
        look = f'fill="none" stroke="{color}"' if hollow else f'fill="{color}"'
        size = 1.4 if rows and len(points) > 20 else 2.2
        found += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="{size}" {look}/>' for a, b in points]
    box = f'viewBox="0 0 {width:g} {height:g}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {box}>{"".join(found)}</svg>'
