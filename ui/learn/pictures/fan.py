"""A fan of needles: how far releases are off, in degrees."""

from collections.abc import Sequence
from math import cos, radians, sin

import numpy as np

from dpca_core.linalg.arrays import Array
from ui.learn.pictures.svg import SMALL_TEXT, TEXT, coloured, dots, picture, text
from ui.page.markup import element

_WIDTH, _HEIGHT, _X, _Y, _RADIUS = 320.0, 292.0, 16.0, 258.0, 228.0
_TICKS = (0, 15, 30, 45, 60, 75, 90)
RIGHT_ANGLE = 90.0
"""Degrees by which a direction can be off at most."""
_UNMARKED_FROM = 75.0
_TRUTH = "PCA without privacy"


def fan(
    angles: Sequence[float] | Array, median: float | None, label: str, *, family_role: str
) -> str:
    """Return SVG of a quarter circle with one needle for each angle, in degrees.

    Parameters
    ----------
    angles
        0 to 90; none for an empty fan.
    median
        The angle of the thick needle; None without one.
    label
        What the picture says, for those who do not see it.
    family_role
        Role of the needles' colour.
    """
    needles = [_at(float(angle), _RADIUS) for angle in np.sort(np.asarray(angles, dtype=float))]
    lines = "".join(f"M{_X:g} {_Y:g}L{x:.1f} {y:.1f}" for x, y in needles)
    parts = [element("path", d=lines, stroke="var(--role)", stroke_width="1.1", opacity="0.55")]
    parts.append(dots(needles, 4.5, "var(--role)", opacity="0.9"))
    if median is not None:
        parts += _thick(median)
    return picture(
        _WIDTH,
        _HEIGHT,
        label,
        _ground(),
        coloured(family_role, *(parts if needles else [])),
        _truth(),
        data_x=f"{_X:g}",
        data_y=f"{_Y:g}",
        data_r=f"{_RADIUS:g}",
    )


def _at(angle: float, radius: float) -> tuple[float, float]:
    return _X + radius * cos(radians(angle)), _Y - radius * sin(radians(angle))


def _ground() -> str:
    arc = f"A{_RADIUS:g} {_RADIUS:g} 0 0 0 {_X:g} {_Y - _RADIUS:g}Z"
    top = f"M{_X:g} {_Y:g}L{_X + _RADIUS:g} {_Y:g}{arc}"
    marks = []
    for tick in _TICKS:
        (x, y), (u, v) = _at(tick, _RADIUS + 3), _at(tick, _RADIUS + 9)
        marks.append(element("path", d=f"M{x:.1f} {y:.1f}L{u:.1f} {v:.1f}", stroke="var(--grey)"))
        a, b = _at(tick, _RADIUS + 14)
        anchor = "middle" if tick == RIGHT_ANGLE else "start"
        lowered = 0 if tick >= _UNMARKED_FROM else 4
        marks.append(text(a, b + lowered, f"{tick}°", SMALL_TEXT, text_anchor=anchor))
    return element("path", d=top, fill="var(--panel)") + "".join(marks)


def _thick(median: float) -> list[str]:
    x, y = _at(median, _RADIUS)
    arc = _at(0, 68), _at(median, 68)
    bow = f"M{arc[0][0]:.1f} {arc[0][1]:.1f}A68 68 0 0 0 {arc[1][0]:.1f} {arc[1][1]:.1f}"
    return [
        element(
            "path", d=f"M{_X:g} {_Y:g}L{x:.1f} {y:.1f}", stroke="var(--role)", stroke_width="4"
        ),
        element("path", d=bow, fill="none", stroke="currentColor", stroke_width="1.3"),
    ]


def _truth() -> str:
    line = f"M{_X:g} {_Y:g}L{_X + _RADIUS:g} {_Y:g}"
    named = text(_X + _RADIUS / 2, _Y + 22, _TRUTH, TEXT, bold=True, text_anchor="middle")
    return element("path", d=line, stroke="currentColor", stroke_width="3.5") + named
