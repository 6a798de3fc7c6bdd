"""Sums over rows on the grid, in whole numbers: Σyyᵀ, Σy and their number, exact modulo 2⁶⁴."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from dpca_core.data.errors import RecipeError
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
    settings
        Everything that was decided about the rows.
    addable
        Whether no person can be in two parts of the table.
    """

    T: Whole
    t: Whole
    c: int
    settings: str = ""
    addable: bool = False


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
    about = None if centre is None else tuple(centre.tolist())
    settings = repr((source.settings, GRID, about, length_one))
    return ExactSums(table, total, count, settings, source.addable)


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


def sums_of_parts(parts: Sequence[ExactSums]) -> ExactSums:
    """Add the sums of parts of a table: other files, days or machines.

    Raises
    ------
    RecipeError
        Where a person may be in two parts, or parts were read with different settings.
    """
    first, *others = parts
    if others and not all(part.addable for part in parts):
        raise RecipeError(
            "Rows of one person may lie in several parts, so their sums cannot be added: read all "
            "parts as one table."
        )
    if any(part.settings != first.settings for part in others):
        raise RecipeError("Sums add only if all parts were read with the same settings.")
    table, total = first.T.copy(), first.t.copy()
    for part in others:
        table += part.T
        total += part.t
    return ExactSums(table, total, sum(p.c for p in parts), first.settings, first.addable)
