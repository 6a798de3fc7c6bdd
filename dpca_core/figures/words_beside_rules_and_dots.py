"""Where the words of vertical rules and of dots stand: near their marks, on no curve."""

from collections.abc import Sequence

import numpy as np

from dpca_core.figures.line_names import (
    CLEARANCE,
    COLUMN,
    LINE_HEIGHT,
    Box,
    NamedLine,
    PlacedName,
    sampled,
    text_width,
)
from dpca_core.figures.panels import Dot, Rule
from dpca_core.linalg.arrays import Array
from dpca_core.runtime.cached_property import cached_property

_BESIDE = 8.0
"""Pixels from a mark to its words."""
_DOT_STEPS = (0.0, -9.0, 9.0, -20.0, 20.0, -36.0, 36.0)
"""How far above or below a dot its words may stand, in pixels."""


class Surroundings:
    """What the words of marks must keep clear of in the frame of a panel, in pixels.

    Parameters
    ----------
    width, height
        Of the frame.
    size
        Of the type.
    curves
        Lines that words may not touch.
    taken
        Boxes that they may not cover; what is placed is added.
    """

    def __init__(
        self,
        width: float,
        height: float,
        size: float,
        curves: Sequence[NamedLine],
        taken: list[Box],
    ) -> None:
        self.width, self.height, self.size, self.taken = width, height, size, taken
        self.half_line = LINE_HEIGHT * size / 2
        self._columns = np.arange(0.0, width + COLUMN, COLUMN)
        self._curves = curves

    @cached_property
    def _y(self) -> Array:
        """Heights (L, columns) of all curves; found for the first words."""
        return np.array([sampled(line, self._columns) for line in self._curves])

    def place(self, text: str, x: float, y: float) -> PlacedName | None:
        """Place bold words at the right or left of a point, where both have room."""
        span = text_width(text, self.size, bold=True)
        for side in (1, -1):
            at = x + side * _BESIDE
            left = at if side > 0 else at - span
            box = Box(left, left + span, y - self.half_line, y + self.half_line)
            if self._is_free(box):
                self.taken.append(box)
                return PlacedName(0, at, y, "left" if side > 0 else "right", box)
        return None

    def _is_free(self, box: Box) -> bool:
        inside = box.left >= 2 and box.right <= self.width - 2
        if not (inside and box.top >= 0 and box.bottom <= self.height):
            return False
        if any(box.overlaps(other) for other in self.taken):
            return False
        first, last = np.searchsorted(self._columns, (box.left - COLUMN, box.right + 2 * COLUMN))
        near = self._y[:, max(first - 1, 0) : last] if len(self._y) else np.empty((0, 1))
        known = near[np.isfinite(near).any(axis=1)]
        above = np.nanmax(known, axis=1, initial=-np.inf) < box.top - CLEARANCE
        below = np.nanmin(known, axis=1, initial=np.inf) > box.bottom + CLEARANCE
        return bool((above | below).all())


def place_rule_words(rule: Rule, at: float, around: Surroundings) -> PlacedName | None:
    """Find a place for a rule's words: at its upper or lower end, else anywhere along it.

    Parameters
    ----------
    at
        The rule's x, in pixels.
    """
    top, bottom = around.half_line + 4, around.height - around.half_line - 2
    ends = [bottom, top] if rule.low else [top, bottom]
    for level in (*ends, *np.linspace(top, bottom, 40)):
        if found := around.place(rule.text, at, float(level)):
            return found
    return None


def place_dot_words(dot: Dot, at: tuple[float, float], around: Surroundings) -> PlacedName | None:
    """Find a place for a dot's words, as near to it as possible.

    Parameters
    ----------
    at
        The dot's x and y, in pixels.
    """
    for step in _DOT_STEPS:
        if found := around.place(dot.text, at[0], at[1] + step):
            return found
    return None
