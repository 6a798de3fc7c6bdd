"""From a table of numbers to rows in the unit ball: public bounds and clipping.

Preprocessing is part of the mechanism. What is bounded here by public numbers costs nothing; what
reads the data is either paid for (``private_mean``) or not private (``as_in_papers``).
"""

from typing import NamedTuple

import numpy as np

from dpca_core.linalg.arrays import Array

HUGE = 1e300
"""What is larger is cut to this before it is scaled."""
_TINY = 1e-300
_ROUNDING = 1e-14


class Clipped(NamedTuple):
    """An array after clipping, and the share of its entries (or rows) that were changed."""

    values: Array
    share: float


def to_unit_range(
    values: Array, low: Array, high: Array, out: Array | None = None, *, finite: bool = False
) -> Clipped:
    """Clip columns (n, p) to public ranges [low, high] and map those to [−1, 1].

    NaN becomes 0, the centre of the range. Where memory (n, p) for the result is given, the values
    are overwritten on the way. A caller may know that all of them are finite.
    """
    scaled = _centred(values, low, high, None if out is None else values)
    if not finite:
        scaled[np.isnan(scaled)] = 0
    inside = np.clip(scaled, -1, 1, out=out)
    return Clipped(inside, np.count_nonzero(inside != scaled) / max(scaled.size, 1))


def centred(values: Array, low: Array, high: Array) -> Array:
    """Map public ranges to [−1, 1] without clipping; NaN becomes 0."""
    scaled = _centred(values, low, high)
    if not np.isfinite(scaled).all():
        np.nan_to_num(scaled, copy=False, posinf=HUGE, neginf=-HUGE)
    return scaled


def _centred(values: Array, low: Array, high: Array, out: Array | None = None) -> Array:
    """Map public ranges to [−1, 1]; what is out of all proportion becomes infinite."""
    with np.errstate(over="ignore"):
        width = high - low
        if ((width > _TINY) & (width < HUGE)).all():
            scaled = np.subtract(values, low, out=out)
            scaled *= 2 / width
        else:
            scaled = np.multiply(values, 0.5, out=out)
            scaled -= low / 2
            scaled /= high / 4 - low / 4
    scaled -= 1
    return np.asarray(scaled)


def to_ball(rows: Array, radius: float = 1.0) -> Clipped:
    """Divide rows (n, d) by a public radius and shorten those longer than 1 to norm 1."""
    largest = np.maximum(np.abs(rows).max(axis=1, initial=0.0, keepdims=True), _TINY)
    direction = rows / largest
    length = np.sqrt(np.square(direction).sum(axis=1, keepdims=True))
    with np.errstate(over="ignore"):
        long = (largest / radius) * length > 1
        inside = np.where(long, direction / np.maximum(length, _TINY), rows / radius)
    return Clipped(inside, float(long.mean()) if len(rows) else 0.0)


def as_in_papers(rows: Array) -> Array:
    """Subtract the sample mean and divide by the largest norm: not private, it reads both.

    Rows that differ by no more than rounding become 0.
    """
    size = float(np.abs(rows).max(initial=0.0))
    inside = rows / max(size, np.finfo(float).tiny)
    if not len(rows):
        return np.asarray(inside)
    moved = inside - inside.mean(axis=0)
    largest = float(np.sqrt(np.square(moved).sum(axis=1).max(initial=0.0)))
    return np.asarray(moved / largest if largest > _ROUNDING else np.zeros_like(moved))
