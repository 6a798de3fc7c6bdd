"""The words of a chart of rows: names, labels, what numbers say, and notes."""

import textwrap
from collections.abc import Sequence
from typing import Any

from dpca_core.figures.axes import Axis
from dpca_core.figures.line_names import BOLD_LETTER, LETTER, LINE_HEIGHT, text_width
from dpca_core.figures.panel_rows import EDGE, MARK, Row, RowMark, RowSize, inside
from dpca_core.figures.panels import Rule

ANNOTATIONS = {"yanchor": "middle"}
"""What all words have in common."""
_APART = 6.0
"""Pixels between two words of a row."""
_SMALL = 0.86
"""Size of a label relative to the other type."""


def row_words(
    x: Axis, rows: Sequence[Row], rules: Sequence[Rule], size: RowSize, width: float
) -> list[dict[str, Any]]:
    """Return the words as Plotly's annotations, at a width of the plot in pixels.

    Words stand where their marks are, moved by whole pixels: a wider plot has more room for them.
    """
    found = [_rule_words(rule, x) for rule in rules if x.low <= rule.value <= x.high]
    for i, row in enumerate(rows):
        marks = inside(row, x)
        label = _label_lines(row, size, width)
        # A label of two lines reaches down to the words of marks.
        low = max(map(len, label)) * LETTER * size.type_size if len(label) > 1 else 0.0
        found += [words | {"y": i} for words in _name(row, "<br>".join(label), size)]
        found += [words | {"y": i} for words in _mark_words(marks, x, size, width, low)]
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


def _label_lines(row: Row, size: RowSize, width: float) -> list[str]:
    """Return a row's label in lines: more than one where it does not fit beside the name."""
    if not size.named_above or text_width(row.name + row.label, size.type_size) < width:
        return [row.label]
    letters = int(width / (LETTER * size.type_size)) - len(row.name) - 2
    return textwrap.wrap(row.label, max(letters, 1))


def _name(row: Row, text: str, size: RowSize) -> list[dict[str, Any]]:
    """Return a row's name and its label's text: at its left, or above the words of its marks."""
    height = LINE_HEIGHT * size.type_size
    name: dict[str, Any] = {
        "name": row.name,
        "xref": "paper",
        "x": 0,
        "text": row.name,
        "font": {"color": "grey" if row.apart else "ink"},
    }
    small = {"color": "accent" if row.alarming else "grey", "size": size.type_size * _SMALL}
    label: dict[str, Any] = {"text": text, "font": small, "xref": "paper", "align": "right"}
    if size.named_above:
        level = MARK / 2 + 2 + 1.5 * height
        name |= {"xanchor": "left", "yshift": level}
        label |= {"x": 1, "xanchor": "right", "yshift": level}
    else:
        half = 0.5 * height + 0.5 if row.label else 0.0
        name |= {"xanchor": "right", "xshift": -EDGE, "yshift": half}
        label |= {"x": 0, "xanchor": "right", "xshift": -EDGE, "yshift": -half}
    return [name, label] if row.label else [name]


def _mark_words(
    marks: Sequence[RowMark], x: Axis, size: RowSize, width: float, label: float
) -> list[dict[str, Any]]:
    """Return words above marks; of two that would touch, the measurement's, else the first's.

    Parameters
    ----------
    label
        Pixels at the right end that the row's label covers.
    """
    level = MARK / 2 + 2 + LINE_HEIGHT * size.type_size / 2
    taken, found = [(width - label, width)] if label else [], []
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
            "yshift": level,
            "font": {"color": "ink" if bold else "grey"},
        }
        found.append(place | words)
    return found


def _note(note: str, size: RowSize, width: float) -> dict[str, Any]:
    """Return a row's note in the lines that a row has room for; ``table`` has all of it."""
    letters, most = int(width / (LETTER * size.type_size)), 3 if size.named_above else 2
    lines = textwrap.wrap(note, letters, max_lines=most, placeholder="…")
    return {
        "text": "<br>".join(lines),
        "align": "left",
        "xref": "paper",
        "x": 0,
        "xanchor": "left",
        "yshift": 2.5 if size.named_above else 5 * (len(lines) - 1),
        "bgcolor": "page",
        "font": {"color": "grey"},
    }
