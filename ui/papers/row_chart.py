"""A printed table run again: a row a cell, ◇ what is printed, ● ours, random directions in grey."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import Any

from dpca_core.figures.colours import CHANCE
from dpca_core.figures.layout import Spec, shared_layout
from dpca_core.figures.line_names import LINE_HEIGHT, text_width
from dpca_core.figures.rows import EDGE
from dpca_core.text.privacy_numbers import with_subscripts
from papers.card import Axis, Panel
from ui.papers.line_chart import Shown, hatched_box, value_axis
from ui.papers.measurements import curve
from ui.papers.parts import Part
from ui.papers.row_marks import mark_traces
from ui.papers.styles import Style, is_chance, styles_of
from ui.papers.table_rows import Cell, cells_of, table_of

MARGINS = {"t": 8.0, "b": 48.0, "r": 22.0}
"""Around the rows, in pixels."""
WALL_NAME = 20.0
"""Room above the rows for what the wall is called, in pixels."""
HALF = 0.36
"""Half the height of a row's marks and bands, relative to the distance of rows."""


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


def row_chart(shown: Shown, part: Part) -> Spec:
    """Return a panel of named places, or some of them, as a figure of rows."""
    number = part.panel
    own = shown.series(number)
    cells = cells_of(shown, part)
    styles = styles_of(shown.experiment)
    places = shown.experiment.panels[number].x.values
    found = [curve(shown.results, s, places) for s in own] if shown.results else []
    measured = shown.experiment.panels[number].y
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
        "shapes": [*_chance(shown, shown.experiment.panels[number], cells), *_wall(ceiling)],
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
