"""A printed table run again: a row a cell, ◇ what is printed, ● ours, random directions in grey."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import Any

import numpy as np

from dpca_core.figures.colours import CHANCE
from dpca_core.figures.layout import Spec, shared_layout
from dpca_core.figures.line_names import LINE_HEIGHT, text_width
from dpca_core.figures.panel_rows import EDGE
from dpca_core.text.privacy_numbers import with_subscripts
from papers.card import Axis, Panel, Series
from papers.table import Table
from ui.papers import text
from ui.papers.line_chart import Shown, hatched_box, spread_bars, value_axis
from ui.papers.measurements import Printed, curve
from ui.papers.parts import Part
from ui.papers.styles import Style, is_chance, styles_of

MARGINS = {"t": 8.0, "b": 48.0, "r": 22.0}
"""Around the rows, in pixels."""
WALL_NAME = 20.0
"""Room above the rows for what the wall is called, in pixels."""


@dataclass(frozen=True)
class RowSize:
    """How rows are laid out at one width of the plot: distance and type, in pixels."""

    step: float
    type_size: float
    above: bool = False
    """Whether names stand above their rows; else at the left of the plot."""


MIDDLE = 480
SIZES = {
    60: RowSize(38, 12.0, above=True),
    120: RowSize(24, 12.0),
    MIDDLE: RowSize(24, 12.5),
    1000: RowSize(29, 15.0),
}
"""By width of the plot beside the names; where names leave too little room they stand above."""


GAP = 0.4
"""Between a cell of several rows and what stands beside it, in rows."""


@dataclass(frozen=True)
class Cell:
    """A row: its place from the top, its name, and what is measured there; a heading has none."""

    at: float
    name: str
    series: Series | None = None
    x: float = 0.0


def row_chart(shown: Shown, part: Part) -> Spec:
    """Return a panel of named places, or some of them, as a figure of rows."""
    number = part.panel
    own = shown.series(number)
    cells = cells_of(shown, part)
    styles = styles_of(shown.card)
    places = shown.card.panels[number].x.values
    found = [curve(shown.results, s, places) for s in own] if shown.results else []
    measured = shown.card.panels[number].y
    x_axis = value_axis(measured, found, shown.printed, own)
    count = cells[-1].at + 1
    traces = mark_traces(shown, cells, styles)
    ceiling = measured.ceiling
    if ceiling is not None:
        traces.insert(0, hatched_box((ceiling, x_axis.high), (-0.5, count - 0.5)))
    usual = SIZES[MIDDLE]
    x_layout = x_axis.layout() | {"anchor": "y", "tickangle": 0}
    x_layout["title"] = {
        "text": with_subscripts(escape(measured.label, quote=False)),
        "standoff": 6,
    }
    layout = shared_layout() | {
        "uirevision": f"{shown.revision} {part.key}",
        "xaxis": x_layout,
        "yaxis": {
            "range": [count - 0.5, -0.5],
            "tickmode": "array",
            "tickvals": [cell.at for cell in cells if cell.series is not None],
            "showticklabels": False,
            "gridcolor": "hair",
            "zeroline": False,
            "fixedrange": True,
        },
        "shapes": [*_chance(shown, shown.card.panels[number], cells), *_wall(ceiling)],
        **_frame(cells, count, usual, ceiling),
    }
    return {
        "data": traces,
        "layout": layout,
        "sizes": {
            str(width): {
                "type": size.type_size,
                "annotations": _words(measured, cells, styles, size),
                "layout": _frame(cells, count, size, ceiling),
            }
            for width, size in SIZES.items()
        },
        "table": table_of(shown, cells),
        "cuts": _cuts(cells),
    }


def _cuts(cells: Sequence[Cell]) -> list[float]:
    """Return the places between cells at which the chart can be cut where there is no room."""
    ends = [b.at - a.at > 1 or b.series is None for a, b in pairwise(cells)]
    alone = all(cell.series is not None for cell in cells)
    between = [(a.at + b.at) / 2 for a, b in pairwise(cells)]
    found = [at for at, end in zip(between, ends, strict=True) if end or alone]
    return [*found, cells[-1].at + 0.5]


def _chance(shown: Shown, panel: Panel, cells: Sequence[Cell]) -> list[dict[str, Any]]:
    """Return grey rectangles over what random directions give, behind the rows of each cell."""
    found = []
    random = [s for s in panel.series if is_chance(s)]
    for x in sorted({cell.x for cell in cells if cell.series is not None}):
        rows = [cell for cell in cells if cell.series is not None and cell.x == x]
        for series in random:
            if shown.results is None or not len(shown.results.values(series.key, x)):
                continue
            own = curve(shown.results, series, (x,))
            found.append(
                {
                    "type": "rect",
                    "layer": "below",
                    "x0": float(own.low[0]),
                    "x1": float(own.high[0]),
                    "y0": rows[0].at - 0.5,
                    "y1": rows[-1].at + 0.5,
                    "fillcolor": f"{CHANCE}/.18",
                    "line": {"width": 1, "color": f"{CHANCE}/.5"},
                }
            )
    return found


def _wall(ceiling: float | None) -> list[dict[str, Any]]:
    if ceiling is None:
        return []
    common = {"type": "line", "layer": "above", "yref": "paper", "y0": 0, "y1": 1}
    line = {"color": "accent", "width": 2.2}
    return [common | {"x0": ceiling, "x1": ceiling, "line": line}]


def _frame(
    cells: Sequence[Cell], count: float, size: RowSize, ceiling: float | None
) -> dict[str, Any]:
    """Return margins and height at one width."""
    names = [cell.name for cell in cells]
    gutter = max((text_width(name, size.type_size, bold=True) for name in names), default=0.0)
    left = 0.0 if size.above else gutter
    top = MARGINS["t"] + (WALL_NAME if ceiling is not None else 0.0)
    return {
        "margin": MARGINS | {"l": left + EDGE, "t": top},
        "height": round(count * size.step + top + MARGINS["b"]),
    }


def _words(
    axis: Axis, cells: Sequence[Cell], styles: Mapping[str, Style], size: RowSize
) -> list[dict[str, Any]]:
    """Return names of rows, headings of cells, and what the wall is."""
    found = []
    left: dict[str, Any] = {"xref": "paper", "x": 0, "yanchor": "middle"}
    for cell in cells:
        name = escape(cell.name, quote=False)
        if cell.series is None:
            words: dict[str, Any] = {"text": f"<b>{name}</b>", "font": {"color": "ink"}}
            place = {"xanchor": "left"} if size.above else {"xanchor": "right", "xshift": -EDGE}
            found.append(left | words | place | {"y": cell.at})
            continue
        struck = f"<s>{name}</s>" if styles[cell.series.key].refuted else name
        words = {"text": struck, "y": cell.at, "font": {"color": "ink"}}
        if size.above:
            found.append(left | words | {"xanchor": "left", "yshift": LINE_HEIGHT * size.type_size})
        else:
            found.append(left | words | {"xanchor": "right", "xshift": -EDGE})
    if axis.ceiling is not None and axis.ceiling_name:
        found.append(
            {
                "text": f"<b>{escape(axis.ceiling_name, quote=False)}</b>",
                "x": axis.ceiling,
                "xanchor": "right",
                "yref": "paper",
                "y": 1,
                "yanchor": "bottom",
                "yshift": 4,
                "font": {"color": "accent"},
            }
        )
    return found


def cells_of(shown: Shown, part: Part) -> list[Cell]:
    """Return the rows: where a cell has several they stand together, under its name."""
    panel = shown.card.panels[part.panel]
    rows = [s for s in panel.series if not is_chance(s) or s.key in shown.printed]
    places = [
        (x, name)
        for x, name in zip(panel.x.values, panel.x.names, strict=True)
        if not part.places or x in part.places
    ]
    if len(rows) == 1:
        return [Cell(float(i), name, rows[0], x) for i, (x, name) in enumerate(places)]
    found, at = list[Cell](), 0.0
    for x, name in places:
        here = [s for s in rows if _known(shown, s, x)]
        if not here:
            continue
        if len(here) == 1:
            found.append(Cell(at, name, here[0], x))
            at += 1
            continue
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


def printed_here(shown: Shown, cell: Cell) -> list[Printed]:
    """Return what is printed of a cell."""
    key = cell.series.key if cell.series is not None else ""
    return [point for point in shown.printed.get(key, ()) if point.x == cell.x]


def table_of(shown: Shown, cells: Sequence[Cell]) -> list[list[str | float | None]]:
    """Return the numbers of the rows, for those who save them."""
    found: list[list[str | float | None]] = [list(text.TABLE_HEADS)]
    for cell in cells:
        if cell.series is None:
            continue
        axis = shown.card.panel_of(cell.series).x
        own = curve(shown.results, cell.series, (cell.x,)) if shown.results else None
        printed = printed_here(shown, cell)
        ours: list[float | None] = [None, None, None]
        if own is not None and np.isfinite(own.means[0]):
            ours = [float(own.means[0]), float(own.low[0]), float(own.high[0])]
        found.append(
            [
                axis.names[axis.values.index(cell.x)],
                cell.series.label,
                printed[0].value if printed else None,
                *ours,
            ]
        )
    return found


def mark_traces(
    shown: Shown, cells: Sequence[Cell], styles: Mapping[str, Style]
) -> list[dict[str, Any]]:
    """Return a trace for each series of ours and of a reader's own run, and one of printed marks.

    Their points are as many as there are cells: few traces are drawn much sooner than many.
    """
    by_series: dict[str, list[Cell]] = {}
    for cell in cells:
        if cell.series is not None:
            by_series.setdefault(cell.series.key, []).append(cell)
    found = []
    for key, own in by_series.items():
        if shown.results is not None:
            found.append(_ours(shown.results, own, styles[key]))
        if shown.fresh is not None:
            found.append(_own_run(shown.fresh, own, styles[key]))
    return [trace for trace in (*found, _printed(shown, cells)) if trace["x"]]


def _trace(x: list[float], y: list[float], names: list[str], said: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "x": x,
        "y": y,
        "text": names,
        "name": said,
        "cliponaxis": False,
        "hovertemplate": f"<b>%{{text}}</b>, {said}: %{{x}}<extra></extra>",
    }


def _ours(results: Table, cells: Sequence[Cell], style: Style) -> dict[str, Any]:
    """Return a dot for each cell of a series, with the band of four releases in five."""
    known = [(cell, curve(results, cell.series, (cell.x,))) for cell in cells if cell.series]
    known = [(cell, own) for cell, own in known if np.isfinite(own.means[0])]
    x = [float(own.means[0]) for _, own in known]
    low = [float(own.low[0]) for _, own in known]
    high = [float(own.high[0]) for _, own in known]
    found = _trace(x, [cell.at for cell, _ in known], [c.name for c, _ in known], text.OURS)
    found["marker"] = {"color": style.color, "size": 10}
    if any(own.most > 1 for _, own in known):
        found["error_x"] = {
            "type": "data",
            "symmetric": False,
            "array": [max(b - a, 0.0) for a, b in zip(x, high, strict=True)],
            "arrayminus": [max(a - b, 0.0) for a, b in zip(x, low, strict=True)],
            "color": f"{style.color}/.3",
            "thickness": 5,
            "width": 0,
        }
    return found


def _own_run(results: Table, cells: Sequence[Cell], style: Style) -> dict[str, Any]:
    """Return a ring for each cell of a series that a reader's own run has reached."""
    means = [(c, results.mean(c.series.key, c.x)) for c in cells if c.series is not None]
    known = [(cell, mean) for cell, mean in means if np.isfinite(mean)]
    x, y = [mean for _, mean in known], [cell.at for cell, _ in known]
    found = _trace(x, y, [cell.name for cell, _ in known], text.OWN_RUN)
    ring = {"symbol": "circle-open", "size": 7, "color": style.color, "line": {"width": 1.6}}
    return found | {"marker": ring}


def _printed(shown: Shown, cells: Sequence[Cell]) -> dict[str, Any]:
    """Return a hollow diamond for each printed number."""
    known = [(cell, point) for cell in cells for point in printed_here(shown, cell)]
    points = [point for _, point in known]
    x, y = [point.value for point in points], [cell.at for cell, _ in known]
    found = _trace(x, y, [cell.name for cell, _ in known], text.IN_PAPER)
    found["marker"] = {
        "symbol": "diamond-open",
        "size": 12,
        "color": "ink",
        "line": {"width": 1.6},
    }
    return found | {"error_x": spread_bars(points, "ink")}
