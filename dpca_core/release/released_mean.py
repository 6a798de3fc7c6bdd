"""The mean that later passes subtract: whole numbers made of a released table, public by then."""

from math import isqrt

import numpy as np

from dpca_core.release.grid import GRID


def released_mean(means: np.ndarray) -> np.ndarray:
    """Return the mean (d,) in grid units, of norm at most ``GRID``; int64.

    Parameters
    ----------
    means
        (d + 1,) as released: noisy sums of the rows, then the noisy number of rows, all in grid
        units. Fewer than one row count as one.
    """
    *totals, rows = (int(value) for value in means)
    count = max(rows, GRID)
    mean = [_nearest(total * GRID, count) for total in totals]
    square = sum(value * value for value in mean)
    if square > GRID * GRID:
        # Towards zero, and by a length that is rounded up: the result is inside the ball.
        length = isqrt(square - 1) + 1
        mean = [_towards_zero(value * GRID, length) for value in mean]
    return np.array(mean, dtype=np.int64)


def _nearest(over: int, under: int) -> int:
    """Round a quotient to the nearest whole number; halves upwards."""
    return (2 * over + under) // (2 * under)


def _towards_zero(over: int, under: int) -> int:
    return over // under if over >= 0 else -(-over // under)
