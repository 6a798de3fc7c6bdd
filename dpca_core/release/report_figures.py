"""The drawings of a report, as SVG without words: the numbers stand beside them, in a table's row.

They need no script and no hover, and are as wide as there is room. Every number in them is a
released one, in four digits: libraries whose last digits differ write the same file.
"""

from math import isfinite

import numpy as np
from markupsafe import Markup

from dpca_core.linalg.arrays import Array

WIDE, HIGH = 200, 16
"""Of a bar's own units: it is stretched to its cell."""


def bar(
    value: float, low: float, high: float, ends: tuple[float, float], noise: float = 0.0
) -> Markup:
    """Return a bar from 0 with the line of its interval, unless that is NaN.

    ``ends`` are what the left and the right edge stand for. What noise alone reaches from 0 is
    drawn behind the bar, if it is known.
    """

    def place(number: float) -> float:
        inside = min(max(number, ends[0]), ends[1])
        return WIDE * (inside - ends[0]) / (ends[1] - ends[0])

    zero, end = place(0.0), place(value)
    parts = [_box("value", min(zero, end), HIGH / 4, abs(end - zero), HIGH / 2)]
    if isfinite(noise):
        parts.insert(0, _box("noise", zero, 0, place(noise) - zero, HIGH))
    parts.append(_line("zero", zero, 0, zero, HIGH))
    if isfinite(low) and isfinite(high):
        parts.append(_line("interval", place(low), HIGH / 2, place(high), HIGH / 2))
    size = f'viewBox="0 0 {WIDE} {HIGH}" preserveAspectRatio="none"'
    return Markup(f'<svg class="bar" {size} aria-hidden="true">{"".join(parts)}</svg>')


def squares(counts: Array, noise: float, name: str) -> Markup:
    """Return a histogram (b₁, b₂) with the first score to the right and the second upwards.

    What is below twice the ``noise``, the standard deviation of a count, stays empty. A screen
    reader says the ``name``.
    """
    across, up = counts.shape
    most = max(float(counts.max()), 1.0)
    found = []
    for (i, j), count in np.ndenumerate(counts):
        if count >= 2 * noise:
            shade = f' fill-opacity="{_short(0.12 + 0.88 * count / most)}"'
            found.append(_box("value", i + 0.04, up - 1 - j + 0.04, 0.92, 0.92, shade))
    frame = _box("frame", 0, 0, across, up)
    return Markup(
        f'<svg class="squares" viewBox="0 0 {across} {up}" role="img" aria-label="{name}">'
        f"{frame}{''.join(found)}</svg>"
    )


def _box(kind: str, x: float, y: float, wide: float, high: float, more: str = "") -> str:
    numbers = zip(("x", "y", "width", "height"), (x, y, max(wide, 0.0), high), strict=True)
    placed = " ".join(f'{name}="{_short(number)}"' for name, number in numbers)
    return f'<rect class="{kind}" {placed}{more}/>'


def _line(kind: str, x1: float, y1: float, x2: float, y2: float) -> str:
    numbers = zip(("x1", "y1", "x2", "y2"), (x1, y1, x2, y2), strict=True)
    placed = " ".join(f'{name}="{_short(number)}"' for name, number in numbers)
    return f'<line class="{kind}" {placed}/>'


def _short(number: float) -> str:
    return f"{number:.4g}"
