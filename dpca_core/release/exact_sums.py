"""Whole-number tables of a source's rows, exact modulo 2⁶⁴: sums, and counts of scores.

They are private, and never shown without noise. What later passes over the rows use, a mean and two
directions, is made of released numbers, and public by then.
"""

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, isqrt
from typing import NamedTuple

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.release.grid import GRID, Whole, to_grid, to_grid_of_length_one
from dpca_core.release.table_source import Source

SCORE_GRID = 2**20
"""Grid units of a direction's length 1."""
_MOST_ROWS = 2**20
"""Rows of a product: every partial sum is whole and at most 2²⁰·M² = 2⁵², so floats are exact."""


class ExactSums(NamedTuple):
    """Of rows y on the grid T = Σyyᵀ (d, d), modulo 2⁶⁴, t = Σy (d,), and their number c."""

    T: Whole
    t: Whole
    c: int


def exact_sums(
    source: Source, centre: Whole | None = None, *, length_one: bool = False
) -> ExactSums:
    """Sum up a source's rows in one pass, as ``rows_about`` makes them."""
    d = len(source.columns)
    table, total, count = np.zeros((d, d), np.int64), np.zeros(d, np.int64), 0
    for rows in rows_about(source, centre, length_one=length_one):
        for start in range(0, len(rows), _MOST_ROWS):
            part = rows[start : start + _MOST_ROWS].astype(np.float64)
            table += (part.T @ part).astype(np.int64)
        total += rows.sum(axis=0)
        count += len(rows)
    return ExactSums(table, total, count)


def score_counts(
    source: Source,
    directions: Whole,
    bins: tuple[int, int],
    reach: Fraction,
    centre: Whole | None = None,
    *,
    length_one: bool = False,
) -> Whole:
    """Count rows (bins) by their scores along two public ``score_directions``, each row once.

    Bins end at ``reach``; scores beyond count in the outermost.
    """
    end, counts = ceil(reach * GRID * SCORE_GRID), np.zeros(bins, np.int64)
    for rows in rows_about(source, centre, length_one=length_one):
        scores = rows @ directions
        across, up = (
            np.clip((scores[:, axis] + end) * count // (2 * end), 0, count - 1)
            for axis, count in enumerate(bins)
        )
        flat = np.ravel_multi_index((across, up), bins)
        counts += np.bincount(flat, minlength=counts.size).reshape(bins)
    return counts


def rows_about(
    source: Source, centre: Whole | None, *, length_one: bool = False
) -> Iterator[Whole]:
    """Yield rows on the grid (b, d), less a public centre (d,), then cut to norm 1 or made of it.

    Each is a function of its own row and of the centre: y′ = grid(y − centre).
    """
    for rows in source.blocks():
        if centre is None:
            yield rows
            continue
        moved = (rows - centre).astype(np.float64)
        yield to_grid_of_length_one(moved) if length_one else to_grid(moved, GRID)


def released_mean(means: Whole) -> Whole:
    """Return the mean (d,) of norm at most ``GRID`` from released means (d + 1,), all in its units.

    Those are noisy sums of the rows, then their noisy number; fewer than one row count as one.
    """
    *totals, rows = (int(value) for value in means)
    count = max(rows, GRID)
    # Rounded to the nearest whole number; halves upwards.
    mean = [(2 * total * GRID + count) // (2 * count) for total in totals]
    square = sum(value * value for value in mean)
    if square > GRID * GRID:
        # Towards zero, and by a length that is rounded up: the result is inside the ball.
        length = isqrt(square - 1) + 1
        mean = [abs(value) * GRID // length * (1 if value > 0 else -1) for value in mean]
    return np.array(mean, dtype=np.int64)


def score_directions(matrix: Whole) -> Whole:
    """Return the two top eigenvectors (d, 2) of a released matrix (d, d), times ``SCORE_GRID``.

    The entry of largest size is positive in each.
    """
    vectors: Array = np.linalg.eigh(matrix.astype(np.float64))[1]
    top = vectors[:, ::-1][:, :2]
    largest = np.abs(top).argmax(axis=0)
    signs = np.where(top[largest, [0, 1]] < 0, -1.0, 1.0)
    return np.asarray(np.rint(top * signs * SCORE_GRID), dtype=np.int64)
