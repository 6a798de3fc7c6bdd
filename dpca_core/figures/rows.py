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
STEPS, BELOW = {NARROW: 66.0, USUAL: 38.0}, 0.3
"""From row to row, in pixels; share of a row below its line: the words are above."""
STROKE, EDGE, SMALL = 16.0, 10.0, 0.86 * TYPE
"""Pixels: height of a stroke; between the plot and the names to its left; size of a label."""
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
_BELOW = {"type": "line", "layer": "below"}


@dataclass(frozen=True)
class Mark:
    """A number in a row, with words above it where there is room; the bold ones go first.

    ``what`` it is, a table says. A trail lies between ``low`` and ``high``, None for the end of the
    axis: an interval as a pale bar, a way as a thin line, dashes over what is enough, or a broad
    bar over what is too few.
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

    ``names`` are as ``chart`` has them, by the names of rows; ``table`` holds the numbers with what
    they are, those beyond the axis too.
    """
    lines = [line for line in lines if x.reaches(line.at)]
    names: dict[str, Spec] = {}
    for width in STEPS:
        words = [_line_words(line, x) for line in lines]
        for i, row in enumerate(rows):
            words += [each | {"y": i} for each in _row_words(row, x, width, lines)]
        frame = _frame(rows, lines, width)
        names[str(width)] = {"annotations": words, "legend": [], "layout": frame}
    base = {"xref": "paper", "x0": 0, "x1": 1, "line": {"color": "hair", "width": 1}, **_BELOW}
    bases = [base | {"y0": i, "y1": i} for i, row in enumerate(rows) if _inside(row, x)]
    across = [{"x0": at.at, "x1": at.at, "line": at.style(), **_BELOW} for at in lines]
    # Between two rows lines would run through the names that stand there.
    ends = [{"y0": i - 0.38, "y1": i + BELOW} for i in range(len(rows))]
    short = [line | end for line in across for end in ends]
    names[str(NARROW)]["layout"]["shapes"] = [*bases, *short]
    whole = [line | {"yref": "paper", "y0": 0, "y1": 1} for line in across]
    low, high = len(rows) - 1 + BELOW, BELOW - 1
    layout = shared_layout(
        **_frame(rows, lines, USUAL),
        uirevision=revision,
        xaxis=x.layout(),
        yaxis={"range": [low, high], "visible": False, "fixedrange": True},
        shapes=[*bases, *whole],
    )
    data = [trace for i, row in enumerate(rows) for trace in _traces(i, row, x)]
    table: list[list[Any]] = [["name", "standing", "what", x.title, "from", "to", "note"]]
    for row in rows:
        numbers: list[Any] = [(m.what, m.x, m.low, m.high) for m in row.marks] or [
            ("", None, None, None)
        ]
        table += [[row.name, row.label, *each, row.note] for each in numbers]
    return {"data": data, "layout": layout, "names": names, "table": table}


def _inside(row: Row, x: Axis) -> list[Mark]:
    """Return the marks of a row that the axis reaches."""
    return [mark for mark in row.marks if x.low * 0.999 <= mark.x <= x.high * 1.001]


def _frame(rows: Sequence[Row], lines: Sequence[Line], width: int) -> Spec:
    """Return margins and height at one width."""
    margin = {"l": EDGE, "r": 22.0, "t": 30.0 if lines else 6.0, "b": 48.0}
    if width == USUAL:
        names = [text_width(row.name, bold=True) for row in rows]
        margin["l"] += max([*names, *(text_width(row.label, SMALL) for row in rows)], default=0.0)
    return {"margin": margin, "height": len(rows) * STEPS[width] + margin["t"] + margin["b"]}


def _traces(number: int, row: Row, x: Axis) -> list[Spec]:
    """Return the traces of a row: trails below marks, and what is in bold on top."""
    marks = sorted(_inside(row, x), key=lambda mark: mark.bold)
    shared = {"type": "scatter", "name": row.name, "meta": row.name}
    found: list[Spec] = []
    for mark in (mark for mark in marks if mark.trail):
        low = x.low if mark.low is None else max(mark.low, x.low)
        high = x.high if mark.high is None else min(mark.high, x.high)
        opacity, width, dash = _TRAILS[mark.trail]
        line = {"color": f"{row.color}{opacity}", "width": width, "dash": dash}
        trail = {"mode": "lines", "x": [low, high], "y": [number] * 2, "line": line}
        found.append(shared | trail | {"hoverinfo": "skip"})
    for mark in marks:
        symbol, size, width = _MARKERS[mark.shape]
        line = {"color": row.color, "width": width}
        marker = {"symbol": symbol, "size": size, "color": row.color, "line": line}
        hover = f"%{{fullData.name}}: {mark.text}<extra></extra>"
        place = {"mode": "markers", "x": [mark.x], "y": [number], "cliponaxis": False}
        found.append(shared | place | {"marker": marker, "hovertemplate": hover})
    return found


# ---- Words ----


def _line_words(line: Line, x: Axis) -> Spec:
    """Return a line's words above all rows, on the side on which there is more room."""
    return {
        "text": f"<b>{line.text}</b>",
        "x": round(float(x.position(line.at)), 5),
        "xanchor": "left" if x.share(line.at) < 0.6 else "right",
        "yref": "paper",
        "y": 1,
        "yanchor": "bottom",
        "yshift": 3,
        "font": {"color": line.color},
    }


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
