"""From a table of numbers to rows in the unit ball: public bounds, which cost nothing."""

from typing import NamedTuple

import numpy as np

from dpca_core.linalg.arrays import Array

_TINY = 1e-300
_ROUNDING = 1e-14


class Clipped(NamedTuple):
    """An array after clipping, and how many of its entries (or rows) were changed, of how many."""

    values: Array
    changed: int
    of: int

    @property
    def share(self) -> float:
        """Share of the entries (or rows) that were changed."""
        return self.changed / max(self.of, 1)


def to_unit_range(
    values: Array, low: Array, high: Array, typical: Array | None = None, missing: float = 0.0
) -> Clipped:
    """Clip columns (n, p) to public ranges [low, high] and map those into [−1, 1].

    x ↦ (x − t)/max(high − t, t − low) with t the public typical value of its column (p,), or the
    middle of its range. NaN becomes ``missing``.
    """
    scaled, ends = (_scaled(part, low, high, typical) for part in (values, np.stack([low, high])))
    inside = np.clip(scaled, ends[0], ends[1])
    gone = np.isnan(scaled)
    changed = np.count_nonzero(inside != scaled) - np.count_nonzero(gone)
    inside[gone] = missing
    return Clipped(inside, int(changed), scaled.size)


def _scaled(values: Array, low: Array, high: Array, typical: Array | None) -> Array:
    """Map ranges into [−1, 1], by halves: a width may be beyond the largest number.

    The middle of a range is reached from its lower end: in a narrow one no number may lie there.
    """
    start, half, end = low, high / 4 - low / 4, 1.0
    if typical is not None:
        start, half, end = typical, np.maximum(high / 2 - typical / 2, typical / 2 - low / 2), 0.0
    with np.errstate(over="ignore"):
        scaled = values * 0.5
        scaled -= start / 2
        scaled /= half
    return np.asarray(scaled - end)


def rounded_outwards(low: float, high: float) -> tuple[float, float]:
    """Round a range outwards to two digits. It was read from the data: not private."""
    step = 10.0 ** np.floor(np.log10(max(abs(low), abs(high), _TINY)) - 1)
    with np.errstate(over="ignore"):
        ends = np.floor(low / step) * step, np.ceil(high / step) * step
    most = float(np.finfo(float).max)
    first, last = (float(np.clip(float(f"{end:.6g}"), -most, most)) for end in ends)
    return first, last


def to_ball(rows: Array, radius: float = 1.0) -> Clipped:
    """Divide rows (n, d) by a public radius and shorten those longer than 1 to norm 1."""
    largest = np.maximum(np.abs(rows).max(axis=1, initial=0.0, keepdims=True), _TINY)
    direction = rows / largest
    length = _lengths(direction)
    with np.errstate(over="ignore"):
        long = (largest / radius) * length > 1
        inside = np.where(long, direction / np.maximum(length, _TINY), rows / radius)
    return Clipped(inside, int(np.count_nonzero(long)), len(rows))


def to_length_one(rows: Array) -> Array:
    """Divide every row (n, d) by its length; one whose largest entry is denormal becomes 0.

    Rows are divided by that entry first, so that no square vanishes or overflows.
    """
    most, least = (f(axis=1, initial=0.0, keepdims=True) for f in (rows.max, rows.min))
    largest = np.maximum(most, -least)
    some = largest >= np.finfo(float).tiny
    direction = np.asarray(rows / np.where(some, largest, np.inf))
    length = _lengths(direction)
    direction /= np.where(some, length, 1.0)
    return direction


def _lengths(rows: Array) -> Array:
    """Return lengths (n, 1) to the last bit, where NumPy's sums depend on a row's place."""
    rows = np.ascontiguousarray(rows)
    return np.asarray(np.sqrt(np.einsum("ij,ij->i", rows, rows))[:, None])


def as_in_papers(rows: Array) -> Array:
    """Subtract the sample mean and divide by the largest norm: not private, it reads both."""
    size = float(np.abs(rows).max(initial=0.0))
    inside = rows / max(size, np.finfo(float).tiny)
    if not len(rows):
        return np.asarray(inside)
    moved = inside - inside.mean(axis=0)
    largest = float(np.sqrt(np.square(moved).sum(axis=1).max(initial=0.0)))
    return np.asarray(moved / largest if largest > _ROUNDING else np.zeros_like(moved))
