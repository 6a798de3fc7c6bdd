"""What stands among measurements and is none: codes of missing values, and codes of categories.

Found, never decided: 99999 in capital gains is a top code, and 88 may be somebody's age.
"""

import numpy as np
from numpy.typing import NDArray

from dpca_core.detection import CODES
from dpca_core.linalg.arrays import Array

_FEW_STEPS, _TAIL = 7, 0.01
"""Values of a scale, at most, codes among them; a share of cells at either end."""
IRREGULAR = 0.2
"""Beyond chance.

Ages, visits and family sizes have at most 0.1; plans, occupations and branches of industry 0.25 or
more, but months of a loan too, which come in half years.
"""
_FEWEST_CELLS, _NEVER = 300, 0.5
"""Cells that are needed; what stands for a count of 0, which has no geometric mean with others."""


def missing_codes(values: Array, counts: NDArray[np.intp]) -> list[float]:
    """Find codes among the distinct numbers (v,) of a column that occur so often (v,).

    A large one lies apart from others, by half the range between their first and last hundredth or
    at twice the largest; or so from their last hundredth, and occurs more often than all beyond it.
    A negative one is a code where no other value is.
    """
    order = np.argsort(values)
    values, counts = values[order], counts[order]
    start = int(np.searchsorted(values, 0.0))
    # −2, 0, 2 is a coding of three steps; −1, 0, 1 may be one too, or yes and no with a code.
    mirrored = np.array_equal(values, -values[::-1]) and [*values[:-2]] != [-1]
    if mirrored or not CODES["negative"].issuperset(values[:start]):
        start = 0
    rest, counts = values[start:], counts[start:]
    few = len(rest) <= _FEW_STEPS and bool((rest % 1 == 0).all())
    large = np.isin(rest, [*CODES["large"], *(CODES["above_a_scale"] if few else ())])
    # From the last value on that is no code, the first that lies apart and all above it.
    known = 1 + int(np.flatnonzero(~large).max(initial=0))
    for place in range(known, len(rest)):
        step, last = _half_range(rest[:place], counts[:place])[0], rest[place - 1]
        if rest[place] - last >= step or 0 < 2 * last <= rest[place]:
            large[:place] = False
            break
    else:
        step, high = _half_range(rest[~large], counts[~large])
        beyond = counts[~large & (rest > high)].sum()
        large &= (rest - high >= step) & (counts > beyond)
    return [*values[:start].tolist(), *rest[large].tolist()] if (~large).sum() >= 2 else []


def _half_range(values: Array, counts: NDArray[np.intp]) -> tuple[float, float]:
    """Return half the range between the first and the last hundredth, 1 at least, and its end."""
    if not len(values):
        return np.inf, np.inf
    reached = np.cumsum(counts) / counts.sum()
    low, high = values[np.searchsorted(reached, [_TAIL, 1 - _TAIL])]
    return max((high - low) / 2, 1), high


def irregularity(values: Array, counts: NDArray[np.intp]) -> float:
    """Return how much counts (v,) of distinct whole numbers (v,) differ from their neighbours'.

    Each is compared with the geometric mean of both neighbours, which is exact where counts rise or
    fall by a constant factor, as those of measurements nearly do. 0 for chance alone; at most 1.
    """
    low, high = int(values.min()), int(values.max())
    if counts.sum() < _FEWEST_CELLS or high - low < 2:
        return 0.0
    times = np.full(high - low + 1, _NEVER)
    times[(values - low).astype(np.intp)] += counts
    middle = np.sqrt(times[:-2] * times[2:])
    both = times[1:-1] + middle
    # Twice the mean absolute deviation of a normal law with the variance of Poisson counts.
    chance = 2 * np.sqrt(2 / np.pi * (both - middle / 2))
    beyond = np.maximum(np.abs(times[1:-1] - middle) - chance, 0)
    return float(np.average(beyond / both, weights=np.sqrt(both)))
