"""Rows of real numbers on a grid of whole ones, each by itself: Lemmas 1 and 2 of docs/release.md.

Every step is elementwise and correctly rounded (``/ * rint sqrt``), a maximum, or a sum of whole
numbers below 2⁵³, which is exact in any order. So a row on the grid is a function of this row and
of public settings alone: not of other rows, of their number, of blocks, threads or memory.
No warning is given on the way: what a program prints must not depend on a row either.
"""

import numpy as np
from numpy.typing import NDArray

from dpca_core.data.column_names import MAX_COLUMNS
from dpca_core.linalg.arrays import Array

Whole = NDArray[np.int64]

GRID = 2**16
"""M, the length of a row of norm 1 in grid units: what one person moves a table by is exact."""
FINE = 2**19
"""Steps of the grid on which a row's direction is written before its length is set."""
_LEAST_ENTRY = 1e-300
_SLACK = 1 - 2.0**-40


@np.errstate(all="ignore")
def to_grid(rows: Array, radius: float = 1.0) -> Whole:
    """Divide rows (n, d) by a public radius R > 0, cut to norm 1 what is longer, round to the grid.

    Returns rows y (n, d) with ‖y‖ ≤ ``GRID``, always; d is at most ``MAX_COLUMNS``. A row with an
    entry that is not finite becomes 0.
    """
    largest = np.maximum(_largest(rows), _LEAST_ENTRY)
    fine, length = _direction(rows, largest)
    return _rounded(fine, _inner(rows) / np.maximum(length, FINE * (radius / largest)))


@np.errstate(all="ignore")
def to_grid_of_length_one(rows: Array) -> Whole:
    """Divide rows (n, d) by their own length, and round to the grid (n, d).

    A row whose largest entry is denormal or 0 becomes 0, as it has no direction; so does one with
    an entry that is not finite.
    """
    largest = _largest(rows)
    some = largest >= np.finfo(float).tiny
    fine, length = _direction(rows, np.where(some, largest, 1.0))
    return _rounded(fine, np.where(some, _inner(rows) / np.maximum(length, FINE), 0.0))


def _inner(rows: Array) -> float:
    """Return the length to which rows are cut: rounding to the grid adds √d/2 at most."""
    d = rows.shape[1]
    if d > MAX_COLUMNS:
        raise ValueError(f"Rows may have at most {MAX_COLUMNS:,} columns, not {d:,}.")
    return (GRID - float(np.sqrt(d)) / 2) * _SLACK


def _largest(rows: Array) -> Array:
    """Largest absolute value of each row (n, 1); not finite where an entry is not."""
    most, least = (f(axis=1, initial=0.0, keepdims=True) for f in (rows.max, rows.min))
    return np.asarray(np.maximum(most, -least))


def _direction(rows: Array, largest: Array) -> tuple[Array, Array]:
    """Rows over their largest entries in whole steps of 1/``FINE``, and how long those are."""
    fine = rows / largest
    fine *= FINE
    np.rint(fine, out=fine)
    return fine, np.sqrt(_squares(fine)[:, None])


def _squares(fine: Array) -> Array:
    """Squared lengths (n,) of rows of whole numbers, exact in any order of adding."""
    return np.asarray(np.einsum("ij,ij->i", fine, fine))


def _rounded(fine: Array, factor: Array) -> Whole:
    """Whole numbers (n, d) next to fine·factor; what is not inside the ball is brought there."""
    fine *= factor
    np.rint(fine, out=fine)
    # Not “greater than”: a row that is not a number is never greater.
    outside = np.flatnonzero(~(_squares(fine) <= GRID**2))
    for place in outside:
        fine[place] = moved_inside(fine[place])
    return fine.astype(np.int64)


def moved_inside(row: Array) -> Whole:
    """Bring a row (d,) of whole numbers into the ball, by steps of 1; what is not finite becomes 0.

    Of the entries that are largest in absolute value the first moves towards 0, until it is inside.
    """
    if not np.isfinite(row).all():
        return np.zeros(len(row), dtype=np.int64)
    inside = np.clip(row, -GRID, GRID).astype(np.int64)
    while int(np.square(inside).sum()) > GRID**2:
        place = int(np.abs(inside).argmax())
        inside[place] -= np.sign(inside[place])
    return inside
