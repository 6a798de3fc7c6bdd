"""A row for each name as a figure: each number has a mark that tells what it is."""

from collections.abc import Sequence
from typing import Any

from dpca_core.figures.axes import Axis
from dpca_core.figures.layout import Spec, shared_layout
from dpca_core.figures.line_names import text_width
from dpca_core.figures.panel_rows import (
    BELOW,
    EDGE,
    MARK,
    ROW_SIZES,
    USUAL,
    Row,
    RowMark,
    RowSize,
    inside,
)
from dpca_core.figures.panels import Rule
from dpca_core.figures.panels_chart import CROSS_HATCHED
from dpca_core.figures.row_words import ANNOTATIONS, row_words

BAR_HEIGHT = 0.3
"""Of the hatched bars, relative to the distance of rows."""
_TOP, _RULED_TOP, _BOTTOM, _RIGHT = 6.0, 30.0, 48.0, 22.0


def rows_figure(
    x: Axis, rows: Sequence[Row], rules: Sequence[Rule] = (), revision: str = ""
) -> Spec:
    """Return rows of marks as a figure; ``sizes`` holds the words and margins of each width.

    A trace's ``meta``, a name's ``name`` and the ``name`` of the area behind a row are the row's
    name; the areas are invisible until a page lights one. ``table`` holds the numbers with what
    they are, which the places of points do not say.
    """
    count = len(rows)
    layout = shared_layout(annotations=ANNOTATIONS) | {
        "uirevision": revision,
        "barmode": "overlay",
        "xaxis": x.layout() | {"anchor": "y"},
        "yaxis": _rows_axis(count),
        "shapes": [*map(_area, range(count), rows), *map(_rule_line, rules)],
        **_frame(rows, rules, ROW_SIZES[USUAL]),
    }
    return {
        "data": [trace for i, row in enumerate(rows) for trace in _traces(i, row, x)],
        "layout": layout,
        "sizes": {
            str(width): {
                "type": size.type_size,
                "annotations": row_words(x, rows, rules, size, width),
                "layout": _frame(rows, rules, size),
            }
            for width, size in ROW_SIZES.items()
        },
        "table": _table(x, rows),
    }


def _table(x: Axis, rows: Sequence[Row]) -> list[list[str | float | None]]:
    """Return the numbers as a table with a line for each mark, those beyond the axis included."""
    found: list[list[str | float | None]] = [
        ["name", "standing", "what", x.title, "from", "to", "note"]
    ]
    for row in rows:
        for mark in row.marks:
            what = mark.kind if mark.kind == "measured" else f"{mark.kind}: {mark.text}"
            found.append([row.name, row.label, what, mark.x, mark.low, mark.high, row.note])
        if not row.marks:
            found.append([row.name, row.label, "", None, None, None, row.note])
    return found


def _frame(rows: Sequence[Row], rules: Sequence[Rule], size: RowSize) -> dict[str, Any]:
    """Return margins and height at one width; words of rules need room above the rows."""
    top = _RULED_TOP if rules else _TOP
    return {
        "margin": {"l": _gutter(rows, size) + EDGE, "r": _RIGHT, "t": top, "b": _BOTTOM},
        "height": len(rows) * size.step + top + _BOTTOM,
    }


def _rows_axis(count: int) -> dict[str, Any]:
    """Return the axis of rows: row i has its line at i, downwards."""
    return {
        "range": [count - 1 + BELOW, BELOW - 1],
        "tickmode": "array",
        "tickvals": list(range(count)),
        "showticklabels": False,
        "gridcolor": "hair",
        "zeroline": False,
        "fixedrange": True,
    }


def _area(number: int, row: Row) -> dict[str, Any]:
    """Return what lies behind a row, its name included: shown where the row is lit."""
    return {
        "type": "rect",
        "name": row.name,
        "layer": "below",
        "xref": "paper",
        "x0": -1,
        "x1": 1,
        "y0": number + BELOW,
        "y1": number + BELOW - 1,
        "fillcolor": "panel",
        "line": {"width": 0},
        "visible": False,
    }


def _rule_line(rule: Rule) -> dict[str, Any]:
    return {
        "type": "line",
        "layer": "below",
        "yref": "paper",
        "y0": 0,
        "y1": 1,
        "x0": rule.value,
        "x1": rule.value,
        "line": {"color": rule.color, "width": rule.width, "dash": rule.dash},
    }


def _traces(number: int, row: Row, x: Axis) -> list[dict[str, Any]]:
    """Return the traces of a row, measurements on top."""
    drawn = {"measured": _measured, "enough": _enough, "few": _too_few, "order": _order}
    marks = sorted(inside(row, x), key=lambda mark: mark.kind == "measured")
    enough = [mark.x for mark in marks if mark.kind == "enough"]
    found = [_beyond(min(enough), number, row.color, x)] if enough else []
    found += [trace for m in marks for trace in drawn[m.kind](m, number, row.color, x)]
    return [trace | {"name": row.name, "meta": row.name} for trace in found]


def _points(mark: RowMark, number: int, marker: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [mark.x],
        "y": [number],
        "marker": marker,
        "cliponaxis": False,
        "hovertemplate": f"%{{fullData.name}}: {mark.text}<extra></extra>",
    }


def _measured(mark: RowMark, number: int, color: str, x: Axis) -> list[dict[str, Any]]:
    low = x.low if mark.low is None else mark.low
    high = x.high if mark.high is None else mark.high
    interval = {
        "type": "data",
        "array": [high - mark.x],
        "arrayminus": [mark.x - low],
        "color": f"{color}/.3",
        "thickness": 5,
        "width": 0,
    }
    marker = {"size": 12, "color": color}
    return [_points(mark, number, marker) | {"error_x": interval}]


def _beyond(least: float, number: int, color: str, x: Axis) -> dict[str, Any]:
    """Return dashes over all numbers that are enough by a theorem."""
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [least, x.high],
        "y": [number, number],
        "line": {"color": color, "width": 1.6, "dash": "7px,4px"},
        "hoverinfo": "skip",
    }


def _enough(mark: RowMark, number: int, color: str, x: Axis) -> list[dict[str, Any]]:
    return [_points(mark, number, _stroke(color))]


def _too_few(mark: RowMark, number: int, color: str, x: Axis) -> list[dict[str, Any]]:
    """Return a hatched bar over all numbers that are too few, and a stroke at its end."""
    bar = {
        "type": "bar",
        "orientation": "h",
        "base": [x.low],
        "x": [mark.x - x.low],
        "y": [number],
        "width": BAR_HEIGHT,
        "marker": {"color": "clear", "line": {"width": 0}, "pattern": CROSS_HATCHED},
        "hoverinfo": "skip",
    }
    return [bar, _points(mark, number, _stroke(color))]


def _stroke(color: str) -> dict[str, Any]:
    return {"symbol": "line-ns", "size": MARK, "line": {"color": color, "width": 2.4}}


def _order(mark: RowMark, number: int, color: str, x: Axis) -> list[dict[str, Any]]:
    marker = {"symbol": "diamond-open", "size": 12, "color": color, "line": {"width": 1.5}}
    return [_points(mark, number, marker)]


def _gutter(rows: Sequence[Row], size: RowSize) -> float:
    """Return the width of the names at the left, as wide as the longest in bold."""
    if size.named_above:
        return 0.0
    return max((text_width(row.name, size.type_size, bold=True) for row in rows), default=0.0)
