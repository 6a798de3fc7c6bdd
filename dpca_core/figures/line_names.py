"""Where each line of a chart carries its name: beside itself, on no other line and on no name."""

from collections.abc import Sequence
from dataclasses import dataclass
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
_SIDES_AND_LEVELS = np.array(_PLACES).T
_POINTS = 60
"""Points along a line beside which places are looked for."""
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
        self.low = self._table(np.where(np.isnan(values), _NOWHERE, values), np.minimum)
        self.high = self._table(np.where(np.isnan(values), -_NOWHERE, values), np.maximum)

    def _levels(self, line: NamedLine) -> Array:
        """Return a line's y at each column, and at the columns on both sides of where it ends."""
        y = sampled(line, self.columns)
        known = np.isfinite(line.y)
        inner = np.zeros(len(known), dtype=bool)
        inner[1:-1] = known[:-2] & known[2:]
        ends = np.flatnonzero(known & ~inner)
        before = np.floor((line.x[ends] - self.columns[0]) / COLUMN).astype(int)
        for side in (0, 1):
            near = np.minimum(np.maximum(before + side, 0), len(self.columns) - 1)
            missing = np.isnan(y[near])
            y[near[missing]] = line.y[ends][missing]
        return y

    @staticmethod
    def _table(values: Array, extreme: np.ufunc) -> list[Array]:
        levels, step = [values], 1
        while 2 * step <= values.shape[1]:
            before = levels[-1]
            levels.append(extreme(before[:, :-step], before[:, step:]))
            step *= 2
        return levels

    def between(self, left: Array, span: float, lines: slice = slice(None)) -> tuple[Array, Array]:
        """Return the extremes (L, C) of lines between ``left`` (C,) and ``left + span``."""
        count = min(int(np.ceil(span / COLUMN)) + 2, len(self.columns))
        level = count.bit_length() - 1
        first = np.floor((left - self.columns[0]) / COLUMN).astype(int)
        first = np.minimum(np.maximum(first, 0), len(self.columns) - count)
        last = first + count - 2**level
        low, high = self.low[level][lines], self.high[level][lines]
        low = np.minimum(low[:, first], low[:, last])
        return low, np.maximum(high[:, first], high[:, last])


def sampled(line: NamedLine, columns: Array) -> Array:
    """Return a line's y at columns; NaN outside it and in its gaps."""
    if not len(line.x):
        return np.full(len(columns), np.nan)
    known = np.isfinite(line.y)
    if not known.any():
        return np.full(len(columns), np.nan)
    y = np.interp(columns, line.x[known], line.y[known], left=np.nan, right=np.nan)
    if known.all():
        return y
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
    along = np.linspace(max(line.x[0], 0.0), min(line.x[-1], width), _POINTS)
    levels = sampled(line, along)
    known = np.flatnonzero(np.isfinite(levels))
    span, half = text_width(line.name, size, line.bold), LINE_HEIGHT * size / 2
    point = np.repeat(known, len(_PLACES))
    side, level = np.tile(_SIDES_AND_LEVELS, len(known))
    x = along[point] + side * np.where(level == 0, 8.0, 2.0)
    y = levels[point] - np.where(level == 0, side * 2.0, 0.0) + level * (half + 3.0)
    left = np.where(side > 0, x, x - span)
    top, bottom = y - half, y + half
    inside = (left >= 2) & (left + span <= width - 2) & (top >= 0) & (bottom <= height)
    if not inside.any():
        return None
    point, side, level, x, y = (v[inside] for v in (point, side, level, x, y))
    left, top, bottom = left[inside], top[inside], bottom[inside]

    low, high = heights.between(left - _REACH, span + 2 * _REACH)
    room = np.maximum(np.maximum(low - bottom, top - high), 0)
    own = room[number].copy()
    room[number] = _NOWHERE
    least = room.min(axis=0)
    only = slice(number, number + 1)
    # Letters begin or end at the anchor; the margin is at the other side.
    ink = np.where(side > 0, left, left + MARGIN)
    inner_low, inner_high = heights.between(ink, max(span - MARGIN, 1.0), only)
    off_own = np.maximum(inner_low[0] - bottom, top - inner_high[0]) > 0
    # A name belongs to the line that it is nearest to.
    fits = (least >= CLEARANCE) & (least > own) & (off_own | (own > 0))
    off_middle = np.abs(levels[point] / height - 0.45) * 12
    score = np.minimum(least, _MOST_ROOM) - off_middle - 0.05 * point - 4.0 * (level != 0)
    possible = np.flatnonzero(fits)
    for i in possible[np.argsort(-score[possible], kind="stable")]:
        box = Box(float(left[i]), float(left[i] + span), float(top[i]), float(bottom[i]))
        if not any(box.overlaps(other) for other in taken):
            anchor: Literal["left", "right"] = "left" if side[i] > 0 else "right"
            return PlacedName(number, float(x[i]), float(y[i]), anchor, box)
    return None
