"""Where the words of vertical rules and of dots stand: near their marks, on no curve."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpca_core.figures.line_names import LINE_HEIGHT, Box, NamedLine, PlacedName, place_names
from dpca_core.figures.panels import Dot, Rule
from dpca_core.linalg.arrays import Array

_DOT_STEPS = (0.0, -9.0, 9.0, -20.0, 20.0, -36.0, 36.0)
"""How far above or below a dot its words may begin, in pixels."""


@dataclass(frozen=True)
class Plot:
    """The frame of a panel and the size of its type, in pixels."""

    width: float
    height: float
    type_size: float

    @property
    def half_line(self) -> float:
        """Half the height of a line of type."""
        return LINE_HEIGHT * self.type_size / 2


def place_rule_words(
    rule: Rule, at: float, plot: Plot, curves: Sequence[NamedLine], taken: Sequence[Box]
) -> PlacedName | None:
    """Find a place for a rule's words: at its upper or lower end, else anywhere along it.

    Parameters
    ----------
    at
        The rule's x, in pixels.
    curves
        Lines that the words may not touch.
    taken
        What they may not cover.
    """
    top, bottom = plot.half_line + 4, plot.height - plot.half_line - 2
    first = [bottom] if rule.low else [top]
    for levels in (first, [top, bottom], np.linspace(top, bottom, 40)):
        y = np.asarray(levels, dtype=np.float64)
        if found := _placed(rule.text, np.full(len(y), at), y, plot, curves, taken):
            return found
    return None


def place_dot_words(
    dot: Dot,
    at: tuple[float, float],
    plot: Plot,
    curves: Sequence[NamedLine],
    taken: Sequence[Box],
) -> PlacedName | None:
    """Find a place for a dot's words, as near to it as possible.

    Parameters
    ----------
    at
        The dot's x and y, in pixels.
    """
    for step in _DOT_STEPS:
        x, y = np.array([at[0]]), np.array([at[1] + step])
        if found := _placed(dot.text, x, y, plot, curves, taken):
            return found
    return None


def _placed(
    text: str,
    x: Array,
    y: Array,
    plot: Plot,
    curves: Sequence[NamedLine],
    taken: Sequence[Box],
) -> PlacedName | None:
    mark = NamedLine(text, x, y, bold=True)
    found = place_names(
        [mark], plot.width, plot.height, size=plot.type_size, taken=taken, unnamed=curves
    )
    return found[0] if found else None
