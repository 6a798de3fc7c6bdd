"""A row for each name: numbers on a common axis, each with a mark that tells what it is."""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from dpca_core.figures.axes import Axis
from dpca_core.figures.chart import CROSS_HATCHED
from dpca_core.figures.line_names import BOLD_LETTER, LETTER, LINE_HEIGHT, text_width
from dpca_core.figures.panels import Rule
from dpca_core.figures.theme import Spec, shared_layout

Kind = Literal["measured", "enough", "few", "order"]
"""What a number is: a measurement; by a theorem enough, too few, or an order."""


@dataclass(frozen=True)
class RowMark:
    """A number in a row.

    Attributes
    ----------
    text
        Written above it, where there is room, and said in the hover.
    low, high
        Interval of a measurement; None where it reaches the end of the axis.
    """

    kind: Kind
    x: float
    text: str
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Row:
    """A row: its name, what is special about it, its numbers, or why it has none.

    Attributes
    ----------
    label
        Beside the name, in small type; in the accent's colour where ``alarming``.
    note
        Stands in the row where no mark does.
    apart
        Whether the row is not compared with the others: its name is grey.
    """

    name: str
    color: str
    marks: Sequence[RowMark] = ()
    label: str = ""
    alarming: bool = False
    note: str = ""
    apart: bool = False


@dataclass(frozen=True)
class RowSize:
    """How rows are laid out at one width of the plot.

    Attributes
    ----------
    step
        From row to row, in pixels.
    type_size
        Of words and ticks, in pixels.
    named_above
        Whether names stand above their rows; else at the left of the plot.
    """

    step: float
    type_size: float
    named_above: bool = False


USUAL = 480
ROW_SIZES = {
    250: RowSize(58, 12.0, named_above=True),
    USUAL: RowSize(37, 12.5),
    900: RowSize(37, 12.5),
    1140: RowSize(45, 15.0),
}
"""By width of the plot beside names at its left, in pixels, from which on they hold."""

BELOW = 12.0
"""Pixels of a row below its line; the words are above."""
MARK = 16.0
"""Height of the marks of theorems, in pixels."""
BAR_HEIGHT = 0.3
"""Of the hatched bars, relative to the distance of rows."""
HALO = "page/.75"
"""Role of the colour behind words, which keeps lines off them."""
_TOP, _BOTTOM, _RIGHT, _EDGE = 30.0, 48.0, 22.0, 10.0
_APART = 6.0
"""Pixels between two words of a row."""
_SMALL = 0.86
"""Size of a label relative to the other type."""


def rows_figure(x: Axis, rows: Sequence[Row], rules: Sequence[Rule] = ()) -> Spec:
    """Return rows of marks as a figure; ``sizes`` holds the words and margins of each width.

    A trace's ``meta``, a name's ``name`` and the ``name`` of the area behind a row are the row's
    name; the areas are invisible until a page lights one. ``table`` holds the numbers with what
    they are, which the places of points do not say.
    """
    usual = ROW_SIZES[USUAL]
    layout = shared_layout() | {
        "xaxis": x.layout() | {"fixedrange": False, "anchor": "y"},
        "barmode": "overlay",
        "shapes": [*_areas(rows, usual), *map(_rule_line, rules)],
        **_frame(rows, usual),
    }
    return {
        "data": [trace for i, row in enumerate(rows) for trace in _traces(i, row, x)],
        "layout": layout,
        "sizes": {
            str(width): {
                "scale": 1.0,
                "type": size.type_size,
                "annotations": _words(x, rows, rules, size, width),
                "layout": _frame(rows, size)
                | {"shapes": [*_areas(rows, size), *map(_rule_line, rules)]},
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


def _frame(rows: Sequence[Row], size: RowSize) -> dict[str, Any]:
    """Return margins, height and the axis of rows: row i has its line at i, downwards."""
    count, below = len(rows), BELOW / size.step
    return {
        "margin": {"l": _gutter(rows, size) + _EDGE, "r": _RIGHT, "t": _TOP, "b": _BOTTOM},
        "height": count * size.step + _TOP + _BOTTOM,
        "yaxis": {
            "range": [count - 1 + below, below - 1],
            "tickmode": "array",
            "tickvals": list(range(count)),
            "showticklabels": False,
            "gridcolor": "hair",
            "zeroline": False,
            "fixedrange": True,
        },
    }


def _gutter(rows: Sequence[Row], size: RowSize) -> float:
    """Return the width of the names at the left, as wide as the longest in bold."""
    if size.named_above:
        return 0.0
    return max((text_width(row.name, size.type_size, bold=True) for row in rows), default=0.0)


def _areas(rows: Sequence[Row], size: RowSize) -> list[dict[str, Any]]:
    """Return what lies behind each row, its name included: shown where the row is lit."""
    below = BELOW / size.step
    return [
        {
            "type": "rect",
            "name": row.name,
            "layer": "below",
            "xref": "paper",
            "x0": -1,
            "x1": 1,
            "y0": i + below,
            "y1": i + below - 1,
            "fillcolor": "panel",
            "line": {"width": 0},
            "visible": False,
        }
        for i, row in enumerate(rows)
    ]


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
    common = {"name": row.name, "meta": row.name}
    return [trace | common for m in marks for trace in drawn[m.kind](m, number, row.color, x)]


def inside(row: Row, x: Axis) -> list[RowMark]:
    """Return the marks of a row that the axis reaches."""
    return [mark for mark in row.marks if x.low * 0.999 <= mark.x <= x.high * 1.001]


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


def _enough(mark: RowMark, number: int, color: str, x: Axis) -> list[dict[str, Any]]:
    """Return a stroke where a number is enough, and dashes over all larger numbers."""
    beyond = {
        "type": "scatter",
        "mode": "lines",
        "x": [mark.x, x.high],
        "y": [number, number],
        "line": {"color": color, "width": 1.6, "dash": "7px,4px"},
        "hoverinfo": "skip",
    }
    return [beyond, _points(mark, number, _stroke(color))]


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


def _words(
    x: Axis, rows: Sequence[Row], rules: Sequence[Rule], size: RowSize, width: float
) -> list[dict[str, Any]]:
    found = [_rule_words(rule, x) for rule in rules if x.low <= rule.value <= x.high]
    for i, row in enumerate(rows):
        marks = inside(row, x)
        found += [words | {"y": i} for words in _name(row, size)]
        found += [words | {"y": i} for words in _mark_words(marks, x, size, width)]
        if row.note and not marks:
            found.append(_note(row.note, size, width) | {"y": i})
    return found


def _rule_words(rule: Rule, x: Axis) -> dict[str, Any]:
    rightwards = float(x.share(rule.value)) < 0.6
    return {
        "text": f"<b>{rule.text}</b>",
        "x": round(float(x.position(rule.value)), 5),
        "yref": "paper",
        "y": 1,
        "yanchor": "bottom",
        "yshift": 3,
        "xanchor": "left" if rightwards else "right",
        "font": {"color": rule.color},
    }


def _name(row: Row, size: RowSize) -> list[dict[str, Any]]:
    """Return a row's name and label: at its left, or above the words of its marks."""
    height = LINE_HEIGHT * size.type_size
    name: dict[str, Any] = {
        "name": row.name,
        "xref": "paper",
        "x": 0,
        "yanchor": "middle",
        "captureevents": True,
        "text": row.name,
        "bgcolor": HALO,
        "font": {"color": "grey" if row.apart else "ink"},
    }
    small = {"color": "accent" if row.alarming else "grey", "size": size.type_size * _SMALL}
    label = {"text": row.label, "font": small, "yanchor": "middle", "xref": "paper"}
    if size.named_above:
        level = MARK / 2 + 2 + 1.5 * height
        name |= {"xanchor": "left", "yshift": level}
        label |= {"x": 1, "xanchor": "right", "yshift": level}
    else:
        half = 0.5 * height if row.label else 0.0
        name |= {"xanchor": "right", "xshift": -_EDGE, "yshift": half}
        label |= {"x": 0, "xanchor": "right", "xshift": -_EDGE, "yshift": -half}
    return [name, label] if row.label else [name]


def _mark_words(
    marks: Sequence[RowMark], x: Axis, size: RowSize, width: float
) -> list[dict[str, Any]]:
    """Return words above marks; of two that would touch, the measurement's, else the first's."""
    level = MARK / 2 + 2 + LINE_HEIGHT * size.type_size / 2
    taken, found = list[tuple[float, float]](), []
    for mark in sorted(marks, key=lambda m: (m.kind != "measured", m.x)):
        bold = mark.kind == "measured"
        span = len(mark.text) * (BOLD_LETTER if bold else LETTER) * size.type_size
        at = float(x.share(mark.x)) * width
        anchor = {"few": "right", "enough": "left"}.get(mark.kind, "center")
        left = at - span * {"left": 0.0, "center": 0.5, "right": 1.0}[anchor]
        place: dict[str, Any] = {"x": round(float(x.position(mark.x)), 5), "xanchor": anchor}
        if left < 0 or left + span > width:
            end = int(left >= 0)
            left = end * (width - span)
            place = {"xref": "paper", "x": end, "xanchor": ("left", "right")[end]}
        if any(left < right + _APART and start < left + span + _APART for start, right in taken):
            continue
        taken.append((left, left + span))
        words = {
            "text": f"<b>{mark.text}</b>" if bold else mark.text,
            "yanchor": "middle",
            "yshift": level,
            "bgcolor": HALO,
            "font": {"color": "ink" if bold else "grey"},
        }
        found.append(place | words)
    return found


def _note(note: str, size: RowSize, width: float) -> dict[str, Any]:
    """Return a row's note, in two lines where one is not wide enough."""
    letters = int(width / (LETTER * size.type_size))
    return {
        "text": "<br>".join(textwrap.wrap(note, letters)),
        "align": "left",
        "xref": "paper",
        "x": 0,
        "xanchor": "left",
        "yanchor": "middle",
        "bgcolor": HALO,
        "font": {"color": "grey"},
    }
