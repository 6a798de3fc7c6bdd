"""Sums over rows on the grid, in whole numbers: Σyyᵀ, Σy and their number, exact modulo 2⁶⁴."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dpca_core.release.grid import GRID, Whole, to_grid, to_grid_of_length_one
from dpca_core.release.table_source import Source

_MOST_ROWS = 2**20
"""Rows of a product: every partial sum is whole and at most 2²⁰·M² = 2⁵², so floats are exact."""


@dataclass(frozen=True)
class ExactSums:
    """Sums of rows y on the grid; private, and never shown without noise.

    Attributes
    ----------
    T
        Σyyᵀ (d, d), modulo 2⁶⁴; nothing is lost below 2³¹ rows.
    t
        Σy (d,).
    c
        Number of rows.
    """

    T: Whole
    t: Whole
    c: int


def exact_sums(
    source: Source, centre: Whole | None = None, *, length_one: bool = False
) -> ExactSums:
    """Sum up a source's rows in one pass.

    Parameters
    ----------
    source
        Rows on the grid.
    centre
        Public vector (d,) of whole numbers, subtracted from every row; None for 0.
    length_one
        Whether rows are made of length 1 after the centre is subtracted, not cut to norm 1.
    """
    d = len(source.columns)
    table, total, count = np.zeros((d, d), np.int64), np.zeros(d, np.int64), 0
    for rows in rows_about(source, centre, length_one=length_one):
        for start in range(0, len(rows), _MOST_ROWS):
            part = rows[start : start + _MOST_ROWS].astype(np.float64)
            table += (part.T @ part).astype(np.int64)
        total += rows.sum(axis=0)
        count += len(rows)
    return ExactSums(table, total, count)


def rows_about(
    source: Source, centre: Whole | None, *, length_one: bool = False
) -> Iterator[Whole]:
    """Yield rows on the grid (b, d), less a public centre (d,) and then on the grid again.

    Each is a function of its own row and of the centre: y′ = grid(y − centre), cut to norm 1 or
    made of length 1.
    """
    for rows in source.blocks():
        if centre is None:
            yield rows
            continue
        moved = (rows - centre).astype(np.float64)
        yield to_grid_of_length_one(moved) if length_one else to_grid(moved, GRID)
