"""How many rows have which first two scores: counts in public bins, in whole numbers."""

from fractions import Fraction
from math import ceil

import numpy as np

from dpca_core.release.exact_sums import rows_about
from dpca_core.release.grid import GRID, Whole
from dpca_core.release.score_directions import SCORE_GRID
from dpca_core.release.table_source import Source


def score_counts(
    source: Source,
    directions: Whole,
    bins: tuple[int, int],
    reach: Fraction,
    centre: Whole | None = None,
    *,
    length_one: bool = False,
) -> Whole:
    """Count rows by their scores along two public directions.

    Parameters
    ----------
    source, centre, length_one
        As for ``exact_sums``.
    directions
        (d, 2), unit vectors in whole steps of 1/``SCORE_GRID``: what was released made them.
    bins
        How many there are each way, 50 at most.
    reach
        Where the outermost bins end, from 0 to 1; scores beyond count in those.

    Returns
    -------
    (bins[0], bins[1]) array of int64
        Each row counts once.
    """
    end, counts = ceil(reach * GRID * SCORE_GRID), np.zeros(bins, np.int64)
    for rows in rows_about(source, centre, length_one=length_one):
        scores = rows @ directions
        places = [_bin(scores[:, axis], end, count) for axis, count in enumerate(bins)]
        flat = np.ravel_multi_index((places[0], places[1]), bins)
        counts += np.bincount(flat, minlength=counts.size).reshape(bins)
    return counts


def _bin(scores: Whole, end: int, count: int) -> Whole:
    """Return the bin (b,) of whole scores between −end and end, from 0 to count − 1."""
    return np.clip((scores + end) * count // (2 * end), 0, count - 1)
