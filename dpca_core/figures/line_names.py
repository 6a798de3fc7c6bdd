"""Where each line of a chart carries its name: beside itself, on no other line and on no name."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, isnan
from typing import Literal

import numpy as np

from dpca_core.linalg.arrays import Array

LETTER, BOLD_LETTER, MARGIN = 0.53, 0.56, 8.0
"""Width of a letter relative to the size of the type, and pixels added to a name's width."""
LINE_HEIGHT = 1.24
"""Height of a name relative to the size of the type."""
CLEARANCE = 2.0
"""Pixels that a name keeps from every other line."""

COLUMN = 2.0
"""Pixels between the columns at which lines are sampled."""
_REACH = 4.0
"""Pixels to both sides of a name in which other lines count."""
_PLACES = ((1, 0), (-1, 0), (1, -1), (-1, -1), (1, 1), (-1, 1))
"""Candidates at a point: to its right (1) or left; level with it (0), above (-1) or below."""
_POINTS = 60
"""Points along a line beside which places are looked for."""
_SHARES = np.linspace(0.0, 1.0, _POINTS)
_POINT = np.repeat(np.arange(_POINTS), len(_PLACES))
_SIDE, _LEVEL = np.tile(np.array(_PLACES, dtype=float).T, _POINTS)
_ASIDE = _SIDE * np.where(_LEVEL == 0, 8.0, 2.0)
_LEFTWARDS = np.where(_SIDE > 0, 0.0, 1.0)
_RAISED = np.where(_LEVEL == 0, _SIDE * 2.0, 0.0)
_PENALTY = 0.05 * _POINT + 4.0 * (_LEVEL != 0)
"""All candidates beside a line: each point with each place, in this order."""
_MOST_ROOM = 30.0
_NOWHERE = 1e9


@dataclass(frozen=True)
class NamedLine:
    """A line in pixels of the plot, from its top left corner; NaN is a gap.

    Attributes
    ----------
    name
        Its text; empty for a line that needs none and only must not be covered.
    x, y
        Arrays (p,); x does not decrease.
    bold
        Whether the name is in bold type.
    """

    name: str
    x: Array
    y: Array
    bold: bool = False


@dataclass(frozen=True)
class Box:
    """A rectangle in pixels of the plot; y grows downwards."""

    left: float
    right: float
    top: float
    bottom: float

    def overlaps(self, other: "Box", apart: float = 4.0) -> bool:
        """Tell whether two boxes overlap, or are less than ``apart`` pixels from each other."""
        across = self.left < other.right + apart and other.left < self.right + apart
        return across and self.top < other.bottom and other.top < self.bottom


@dataclass(frozen=True)
class PlacedName:
    """Where a name stands: ``anchor`` is the side of the text that is at ``x``.

    Attributes
    ----------
    line
        Number of the line.
    x, y
        Pixels; y is the middle of the text's height.
    box
        What the text covers.
    """

    line: int
    x: float
    y: float
    anchor: Literal["left", "right"]
    box: Box


def text_width(name: str, size: float, bold: bool = False) -> float:
    """Return about how wide a name is, in pixels, at a size of type in pixels."""
    return len(name) * (BOLD_LETTER if bold else LETTER) * size + MARGIN


def place_names(
    lines: Sequence[NamedLine],
    width: float,
    height: float,
    *,
    size: float = 12.5,
    taken: Sequence[Box] = (),
    unnamed: Sequence[NamedLine] = (),
) -> list[PlacedName]:
    """Find a place for the names of lines, the first line first.

    A place is inside the plot, ``CLEARANCE`` away from every other line, nearer to its own line
    than to any other, not on it, and on no name found before. Of these the one with most room wins.
    A line without a place gets none.

    Parameters
    ----------
    lines
        In the order in which they choose.
    width, height
        Of the plot, in pixels.
    size
        Of the type, in pixels.
    taken
        What no name may cover.
    unnamed
        Further lines that no name may touch.
    """
    everything = [*lines, *unnamed]
    if not everything:
        return []
    heights = _Heights(everything, width)
    boxes, placed = list(taken), list[PlacedName]()
    for number, line in enumerate(lines):
        spot = _best_place(number, line, heights, (width, height), size, boxes)
        if spot is not None:
            boxes.append(spot.box)
            placed.append(spot)
    return placed


class _Heights:
    """The least and greatest y of each line between any two columns, in constant time.

    Level l of the table holds the extremes of 2^l neighbouring columns.
    """

    def __init__(self, lines: Sequence[NamedLine], width: float) -> None:
        self.columns = np.arange(-2.0, int(width / COLUMN) + 3.0) * COLUMN
        values = np.array([self._levels(line) for line in lines])
        gaps = np.isnan(values)
        self._table = [(np.where(gaps, _NOWHERE, values), np.where(gaps, -_NOWHERE, values))]

    def _levels(self, line: NamedLine) -> Array:
        """Return a line's y at each column, and at the columns on both sides of where it ends."""
        y = sampled(line, self.columns)
        known = np.isfinite(line.y)
        inner = np.zeros(len(known), dtype=bool)
        inner[1:-1] = known[:-2] & known[2:]
        ends = np.flatnonzero(known & ~inner)
        for across, level in zip(line.x[ends].tolist(), line.y[ends].tolist(), strict=True):
            before = floor((across - self.columns[0]) / COLUMN)
            for column in (before, before + 1):
                near = min(max(column, 0), len(y) - 1)
                if isnan(y[near]):
                    y[near] = level
        return y

    def _extremes(self, level: int) -> tuple[Array, Array]:
        while len(self._table) <= level:
            low, high = self._table[-1]
            step = 2 ** (len(self._table) - 1)
            lower = np.minimum(low[:, :-step], low[:, step:])
            self._table.append((lower, np.maximum(high[:, :-step], high[:, step:])))
        return self._table[level]

    def between(self, left: Array, span: float, lines: slice = slice(None)) -> tuple[Array, Array]:
        """Return the extremes (L, C) of lines between ``left`` (C,) and ``left + span``."""
        count = min(int(np.ceil(span / COLUMN)) + 2, len(self.columns))
        level = count.bit_length() - 1
        first = np.floor((left - self.columns[0]) / COLUMN).astype(int)
        first = np.minimum(np.maximum(first, 0), len(self.columns) - count)
        last = first + count - 2**level
        low, high = (extreme[lines] for extreme in self._extremes(level))
        low = np.minimum(low[:, first], low[:, last])
        return low, np.maximum(high[:, first], high[:, last])


def sampled(line: NamedLine, columns: Array) -> Array:
    """Return a line's y at columns; NaN outside it and in its gaps."""
    known = np.isfinite(line.y)
    if known.all() and len(known):
        return np.interp(columns, line.x, line.y, left=np.nan, right=np.nan)
    if not known.any():
        return np.full(len(columns), np.nan)
    y = np.interp(columns, line.x[known], line.y[known], left=np.nan, right=np.nan)
    # Between two known points that have a gap between them there is no line.
    segment = np.searchsorted(line.x, columns, side="right") - 1
    broken = ~(known[:-1] & known[1:])
    inside = (segment >= 0) & (segment < len(broken))
    y[inside] = np.where(broken[segment[inside]], np.nan, y[inside])
    return y


def _best_place(
    number: int,
    line: NamedLine,
    heights: _Heights,
    plot: tuple[float, float],
    size: float,
    taken: Sequence[Box],
) -> PlacedName | None:
    if not line.name or not len(line.x):
        return None
    width, height = plot
    first, last = max(float(line.x[0]), 0.0), min(float(line.x[-1]), width)
    along = first + (last - first) * _SHARES
    levels = sampled(line, along)
    span, half = text_width(line.name, size, line.bold), LINE_HEIGHT * size / 2
    x = along[_POINT] + _ASIDE
    y = levels[_POINT] - _RAISED + _LEVEL * (half + 3.0)
    left = x - span * _LEFTWARDS
    top = y - half
    # Nothing compares with the NaN of a gap: no place there is inside.
    fits = (left >= 2) & (left + span <= width - 2) & (top >= 0) & (y + half <= height)
    inside = np.flatnonzero(fits)
    if not len(inside):
        return None
    x, y, left, top = x[inside], y[inside], left[inside], top[inside]
    bottom = y + half

    low, high = heights.between(left - _REACH, span + 2 * _REACH)
    room = np.maximum(np.maximum(low - bottom, top - high), 0)
    own = room[number].copy()
    room[number] = _NOWHERE
    least = room.min(axis=0)
    only = slice(number, number + 1)
    # Letters begin or end at the anchor; the margin is at the other side.
    ink = left + MARGIN * _LEFTWARDS[inside]
    inner_low, inner_high = heights.between(ink, max(span - MARGIN, 1.0), only)
    off_own = np.maximum(inner_low[0] - bottom, top - inner_high[0]) > 0
    # A name belongs to the line that it is nearest to.
    fits = (least >= CLEARANCE) & (least > own) & (off_own | (own > 0))
    off_middle = np.abs(levels[_POINT[inside]] / height - 0.45) * 12
    score = np.minimum(least, _MOST_ROOM) - off_middle - _PENALTY[inside]
    possible = np.flatnonzero(fits)
    for i in possible[np.argsort(-score[possible], kind="stable")]:
        box = Box(float(left[i]), float(left[i] + span), float(top[i]), float(bottom[i]))
        if not any(box.overlaps(other) for other in taken):
            anchor: Literal["left", "right"] = "right" if _LEFTWARDS[inside[i]] else "left"
            return PlacedName(number, float(x[i]), float(y[i]), anchor, box)
    return None
