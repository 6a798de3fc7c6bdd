"""Piles of dots on one axis: a dot is one release, or one round of a game."""

from collections.abc import Callable, Sequence
from html import escape

import numpy as np

from dpca_core.linalg.arrays import Array
from ui.learn.pictures.svg import coloured, dots, picture, text
from ui.page.markup import element

_NARROW, _WIDE = 580.0, 1160.0
_LEFT, _ROW, _STEP = 24.0, 112.0, 12.9
_TYPE = {_NARROW: 18.5, _WIDE: 16.0}


def piles(
    groups: Sequence[tuple[str, Sequence[float] | Array, str]],
    low: float,
    high: float,
    ticks: Sequence[tuple[float, str]],
    label: str,
    *,
    wide: bool = False,
) -> str:
    """Return SVG of groups of dots, one above the other, on the axis that they share.

    Parameters
    ----------
    groups
        Name, values, and role of the colour.
    low, high
        Ends of the axis; values beyond them lie at the end.
    ticks
        Places on the axis, and what is written there.
    wide
        For a picture that has the whole width of a page.
    """
    width = _WIDE if wide else _NARROW
    right, size = width - 30, _TYPE[width]

    def across(value: float) -> float:
        return _LEFT + (right - _LEFT) * min(1.0, max(0.0, (value - low) / (high - low)))

    parts = []
    for number, (name, values, role) in enumerate(groups):
        base = (number + 1) * _ROW
        parts.append(coloured(role, _pile(np.asarray(values, dtype=float), across, base)))
        parts.append(text(_LEFT, base - _ROW + 24, escape(name), size, bold=True))
        parts.append(element("path", d=f"M{_LEFT:g} {base:g}H{right:g}", stroke="var(--rule)"))
    bottom = len(groups) * _ROW
    parts.append(element("path", d=f"M{_LEFT:g} {bottom:g}H{right:g}", stroke="currentColor"))
    for value, written in ticks:
        x = across(value)
        parts.append(element("path", d=f"M{x:.1f} {bottom:g}v6", stroke="currentColor"))
        parts.append(text(x, bottom + 26, escape(written), size, text_anchor="middle"))
    places = {"data_x0": f"{_LEFT:g}", "data_x1": f"{right:g}", "data_y": f"{bottom:g}"}
    return picture(width, bottom + 36, label, *parts, **places)


def _pile(values: Array, across: Callable[[float], float], base: float) -> str:
    """Dots above their bins, as large as fit."""
    places = np.array([across(float(value)) for value in values])
    if not len(places):
        return ""
    columns = np.round(places / _STEP).astype(int)
    tallest = int(np.bincount(columns).max())
    height = min(_STEP, (_ROW - 34) / tallest)
    filled: dict[int, int] = {}
    found = []
    for column in columns:
        level = filled[column] = filled.get(column, 0) + 1
        found.append((column * _STEP, base - (level - 0.5) * height))
    return dots(found, 0.46 * min(_STEP, max(height, 3.0)), "var(--role)", opacity="0.9")
