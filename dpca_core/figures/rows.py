"""Rows of marks as a Plotly figure: a row for each name, the numbers of all on one axis."""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from dpca_core.figures.chart import (
    LETTER,
    LINE_HEIGHT,
    TEXT_MARGIN,
    TYPE,
    Axis,
    Line,
    Spec,
    shared_layout,
    text_width,
)

Shape = Literal["dot", "ring", "cross", "stroke", "diamond"]
Trail = Literal["", "interval", "way", "dashes", "few"]

NARROW, USUAL = 290, 480
"""Widths of the plot, in pixels, from which on names stand above their rows, and left of them."""
STEPS = {NARROW: 66.0, USUAL: 38.0}
"""From row to row, in pixels."""
BELOW = 0.3
"""Share of a row below its line; the words are above."""
STROKE, EDGE = 16.0, 10.0
"""Pixels: height of a stroke; between the plot and the names to its left."""
SMALL = 0.86 * TYPE
"""Size of a label."""
_HALF_LINE = LINE_HEIGHT * TYPE / 2
_ABOVE_MARKS = STROKE / 2 + 2 + _HALF_LINE
"""From a row's line up to the middle of the words of its marks, in pixels."""
_MARKERS: dict[Shape, tuple[str, float, float]] = {
    "dot": ("circle", 12, 0),
    "ring": ("circle-open", 12, 2.0),
    "cross": ("x-thin", 10, 2.4),
    "stroke": ("line-ns", STROKE, 2.4),
    "diamond": ("diamond-open", 12, 1.5),
}
"""Plotly's symbol, its size and the width of its lines, in pixels."""
_TRAILS: dict[Trail, tuple[str, float, str]] = {
    "interval": ("/.3", 5, "solid"),
    "way": ("", 1.6, "solid"),
    "dashes": ("", 1.6, "7px,4px"),
    "few": ("/.18", 12, "solid"),
}
"""Opacity, width and dashes of the line."""


@dataclass(frozen=True)
class Mark:
    """A number in a row, with words above it where there is room.

    Attributes
    ----------
    what
        What the number is, in a table.
    bold
        Whether its words are in bold type, and go first.
    trail
        What lies between ``low`` and ``high`` (None: the end of the axis): an interval as a pale
        bar, a way as a thin line, dashes over what is enough, or a broad bar over what is too few.
    """

    x: float
    text: str = ""
    shape: Shape = "dot"
    what: str = ""
    bold: bool = False
    trail: Trail = ""
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Row:
    """A row: its name, a label beside it in small type, its marks, or a note on why it has none.

    The label is in the accent's colour where ``alarming``; the name is grey where the row stands
    ``apart``, not compared with the others, and bold where it is ``chosen``.
    """

    name: str
    color: str
    marks: Sequence[Mark] = ()
    label: str = ""
    alarming: bool = False
    note: str = ""
    apart: bool = False
    chosen: bool = False


def rows_chart(
    x: Axis, rows: Sequence[Row], lines: Sequence[Line] = (), revision: str = ""
) -> Spec:
    """Return rows of marks, from the top, below the words of lines across all of them.

    A trace's ``meta`` and a name's ``name`` are the row's name. ``names`` is as ``chart`` has it.
    ``table`` holds the numbers with what they are, those beyond the axis too.
    """
    lines = [line for line in lines if x.reaches(line.at)]
    names: dict[str, Spec] = {}
    for width in STEPS:
        words = [words for line in lines for words in _line_words(line, x)]
        for i, row in enumerate(rows):
            words += [each | {"y": i} for each in _row_words(row, x, width, lines)]
        frame = _frame(rows, lines, width)
        names[str(width)] = {"annotations": words, "legend": [], "layout": frame}
    bases = [_shape(y0=i, y1=i) for i, row in enumerate(rows) if _inside(row, x)]
    # Between two rows lines would run through the names that stand there.
    short = [_shape(line, i - 0.38, i + BELOW) for line in lines for i in range(len(rows))]
    names[str(NARROW)]["layout"]["shapes"] = [*bases, *short]
    whole = [_shape(line, 0, 1) | {"yref": "paper"} for line in lines]
    low, high = len(rows) - 1 + BELOW, BELOW - 1
    layout = shared_layout(
        **_frame(rows, lines, USUAL),
        uirevision=revision,
        xaxis=x.layout(),
        yaxis={"range": [low, high], "visible": False, "fixedrange": True},
        shapes=[*bases, *whole],
    )
    data = [trace for i, row in enumerate(rows) for trace in _traces(i, row, x)]
    return {"data": data, "layout": layout, "names": names, "table": _table(x, rows)}


def _inside(row: Row, x: Axis) -> list[Mark]:
    """Return the marks of a row that the axis reaches."""
    return [mark for mark in row.marks if x.low * 0.999 <= mark.x <= x.high * 1.001]


def _table(x: Axis, rows: Sequence[Row]) -> list[list[str | float | None]]:
    """Return a head, and a line for each mark or for a row without one."""
    found: list[list[str | float | None]] = [
        ["name", "standing", "what", x.title, "from", "to", "note"]
    ]
    for row in rows:
        for mark in row.marks:
            numbers = (mark.what, mark.x, mark.low, mark.high)
            found.append([row.name, row.label, *numbers, row.note])
        if not row.marks:
            found.append([row.name, row.label, "", None, None, None, row.note])
    return found


def _frame(rows: Sequence[Row], lines: Sequence[Line], width: int) -> Spec:
    """Return margins and height at one width."""
    margin = {"l": EDGE, "r": 22.0, "t": 30.0 if lines else 6.0, "b": 48.0}
    if width == USUAL:
        names = [text_width(row.name, bold=True) for row in rows]
        margin["l"] += max([*names, *(text_width(row.label, SMALL) for row in rows)], default=0.0)
    return {"margin": margin, "height": len(rows) * STEPS[width] + margin["t"] + margin["b"]}


def _shape(line: Line | None = None, y0: float = 0, y1: float = 0) -> Spec:
    """Return a line across all rows; without one, that on which the marks of a row stand."""
    if line is None:
        ends, style = {"xref": "paper", "x0": 0, "x1": 1}, {"color": "hair", "width": 1}
    else:
        ends = {"x0": line.at, "x1": line.at}
        style = {"color": line.color, "width": line.width, "dash": line.dash}
    return {"type": "line", "layer": "below", **ends, "y0": y0, "y1": y1, "line": style}


def _traces(number: int, row: Row, x: Axis) -> list[Spec]:
    """Return the traces of a row: trails below marks, and what is in bold on top."""
    marks = sorted(_inside(row, x), key=lambda mark: mark.bold)
    found = [_trail(mark, row.color, x) for mark in marks if mark.trail]
    for mark in marks:
        symbol, size, width = _MARKERS[mark.shape]
        line = {"color": row.color, "width": width}
        found.append(
            {
                "type": "scatter",
                "mode": "markers",
                "x": [mark.x],
                "marker": {"symbol": symbol, "size": size, "color": row.color, "line": line},
                "cliponaxis": False,
                "hovertemplate": f"%{{fullData.name}}: {mark.text}<extra></extra>",
            }
        )
    shared = {"name": row.name, "meta": row.name}
    return [trace | shared | {"y": [number] * len(trace["x"])} for trace in found]


def _trail(mark: Mark, color: str, x: Axis) -> Spec:
    low = x.low if mark.low is None else max(mark.low, x.low)
    high = x.high if mark.high is None else min(mark.high, x.high)
    opacity, width, dash = _TRAILS[mark.trail]
    line = {"color": f"{color}{opacity}", "width": width, "dash": dash}
    return {"type": "scatter", "mode": "lines", "x": [low, high], "line": line, "hoverinfo": "skip"}


# ---- Words ----


def _line_words(line: Line, x: Axis) -> list[Spec]:
    """Return a line's words above all rows, on the side on which there is more room."""
    words = {
        "text": f"<b>{line.text}</b>",
        "x": round(float(x.position(line.at)), 5),
        "xanchor": "left" if x.share(line.at) < 0.6 else "right",
        "yref": "paper",
        "y": 1,
        "yanchor": "bottom",
        "yshift": 3,
        "font": {"color": line.color},
    }
    return [words] if line.text else []


def _row_words(row: Row, x: Axis, width: int, lines: Sequence[Line]) -> list[Spec]:
    """Return the words of a row, without its place: name, label, and of its marks or the note."""
    narrow = width == NARROW
    text = f"<b>{row.name}</b>" if row.chosen else row.name
    name = _at_end(text, "left", "grey" if row.apart else "ink")
    name |= {"name": row.name, "captureevents": True}
    label = _at_end(row.label, "right" if narrow else "left", "accent" if row.alarming else "grey")
    label["font"]["size"] = SMALL
    if narrow:
        level = _ABOVE_MARKS + 2 * _HALF_LINE
        long = text_width(row.name, bold=True) + text_width(row.label, SMALL) > width
        name["yshift"], label["yshift"] = level, level + (2 * _HALF_LINE if long else 0)
    else:
        apart = _HALF_LINE + 0.5
        for words, shift in ((name, apart if row.label else 0), (label, -apart)):
            words |= {"xanchor": "right", "xshift": -EDGE, "yshift": shift}
    found = [name, label] if row.label else [name]
    if marks := _inside(row, x):
        return found + _mark_words(marks, x, width, lines)
    note = textwrap.wrap(row.note, int(width / (LETTER * TYPE)), max_lines=2, placeholder="…")
    span = max(map(text_width, note), default=0.0)
    struck = any(0 <= float(x.share(line.at)) * width <= span for line in lines)
    # Two lines of it keep off the words of the next row's marks.
    side, level = "right" if struck else "left", 5.0 * (len(note) - 1)
    words = _at_end("<br>".join(note), side, "grey", level)
    return [*found, words] if note else found


def _at_end(text: str, side: str, color: str, level: float = 0.0) -> Spec:
    """Return words at the left or right end of the plot, so many pixels above a row's line."""
    place: dict[str, Any] = {"xref": "paper", "x": int(side == "right"), "xanchor": side}
    style = {"text": text, "align": side, "yanchor": "middle", "font": {"color": color}}
    return place | {"yshift": level} | style


def _mark_words(marks: Sequence[Mark], x: Axis, width: int, lines: Sequence[Line]) -> list[Spec]:
    """Return words above marks, off lines; of two that would touch the bold one, or the first."""
    found = list[Spec]()
    taken = [(at - 1, at + 1) for at in (float(x.share(line.at)) * width for line in lines)]
    for mark in sorted(marks, key=lambda mark: (not mark.bold, mark.x)):
        text, color = (f"<b>{mark.text}</b>", "ink") if mark.bold else (mark.text, "grey")
        span, at = text_width(text) - TEXT_MARGIN, float(x.share(mark.x)) * width
        usual = {"few": "right", "dashes": "left"}.get(mark.trail, "center")
        for anchor, shift in ((usual, 0), ("left", 8), ("right", -8)) if mark.text else ():
            start = at + shift - span * {"left": 0.0, "center": 0.5, "right": 1.0}[anchor]
            left = min(max(start, 0.0), width - span)
            if any(left < b + 4 and a < left + span + 4 for a, b in taken):
                continue
            words = _at_end(text, "left" if start < 0 else "right", color, _ABOVE_MARKS)
            if left == start:
                place = {"xref": "x", "x": round(float(x.position(mark.x)), 5)}
                words |= place | {"xanchor": anchor, "xshift": shift}
            taken.append((left, left + span))
            found.append(words)
            break
    return found
