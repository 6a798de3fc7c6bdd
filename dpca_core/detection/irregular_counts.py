"""How irregularly often whole numbers occur: neighbouring measurements do about equally often.

Codes have no neighbours: 17 is as rare or frequent as it likes, whatever 16 and 18 are.
"""

import numpy as np
from numpy.typing import NDArray

from dpca_core.linalg.arrays import Array

IRREGULAR = 0.2
"""Mean relative difference from what both neighbours suggest, beyond chance.

Ages, numbers of visits and family sizes have at most 0.1; plans, occupations and branches of
industry 0.25 or more, but months of a loan too, which come in half years.
"""
_FEWEST_CELLS = 300
_NEVER = 0.5
"""Stands for a count of 0, which has no geometric mean with others."""


def irregularity(values: Array, counts: NDArray[np.intp]) -> float:
    """Return how much counts (v,) of distinct whole numbers (v,) differ from their neighbours'.

    Each is compared with the geometric mean of both neighbours, which is exact where counts rise or
    fall by a constant factor. 0 where they differ by chance only; at most 1. Numbers between the
    first and the last that do not occur have a count of 0.
    """
    low, high = int(values.min()), int(values.max())
    if counts.sum() < _FEWEST_CELLS or high - low < 2:
        return 0.0
    times = np.full(high - low + 1, _NEVER)
    times[(values - low).astype(np.intp)] += counts
    middle = np.sqrt(times[:-2] * times[2:])
    off = np.abs(times[1:-1] - middle)
    # Twice the mean absolute deviation of a normal law with the variance of Poisson counts.
    chance = 2 * np.sqrt(2 / np.pi * (times[1:-1] + middle / 2))
    both = times[1:-1] + middle
    weights = np.sqrt(both)
    return float((np.maximum(off - chance, 0) / both) @ weights / weights.sum())
