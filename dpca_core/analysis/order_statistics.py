"""What a sample of releases says of all releases, whatever their law: classical order statistics.

Each statement holds with ``CONFIDENCE``. A refused release is NaN: a miss, below every other.
docs/order-statistics.md has the proofs.
"""

from functools import lru_cache
from itertools import count
from math import inf
from typing import NamedTuple

import numpy as np
import scipy

from dpca_core.linalg.arrays import Array

CONFIDENCE = 0.95
NINE_OF_TEN, NINETEEN_OF_TWENTY = 0.9, 0.95
"""Shares of all releases of which pages speak."""
MARGIN = 0.03
"""By how much a captured share must pass that of random directions to be worth a word."""


class Interval(NamedTuple):
    """Limits that hold an unknown number; ``low`` is −∞ where refusals leave nothing to say."""

    low: float
    high: float


@lru_cache(maxsize=1024)
def rank(trials: int, share: float, confidence: float) -> int:
    """Largest r with P(Binomial(T, 1 − share) ≥ r) ≥ confidence: the r-th smallest; 0 for none."""
    if trials == 0:
        return 0
    below = scipy.special.bdtr(np.arange(trials), trials, 1 - share)
    return int((1 - below >= confidence).sum())


def fewest(share: float) -> int:
    """Smallest T from which ``lower_bound`` can answer: 59 for 19 of 20, 29 for 9 of 10."""
    if not 0 < share < 1:
        raise ValueError(f"Ask for a share of all releases below 1, not {share:g}.")
    return next(trials for trials in count(1) if 1 - share**trials >= CONFIDENCE)


def lower_bound(values: Array, share: float) -> float | None:
    """What at least this share of all releases reach; None of too few, or too many refused."""
    place = rank(len(values), share, CONFIDENCE)
    bound = float(_in_order(values)[place - 1]) if place else -inf
    return bound if bound > -inf else None


def kept_by(values: Array, target: float) -> np.ndarray:
    """Where 9 of 10 releases reach a target, (…,) of (…, T): wrongly with at most .05."""
    misses = (~(values >= target)).sum(axis=-1)
    return np.asarray(misses < rank(values.shape[-1], NINE_OF_TEN, CONFIDENCE))


def median_interval(values: Array, confidence: float = CONFIDENCE) -> Interval | None:
    """Limits that hold the median of one release’s law; None where T is too small (6 at 95 %)."""
    place = rank(len(values), 0.5, (1 + confidence) / 2)
    if place == 0:
        return None
    ordered = _in_order(values)
    return Interval(float(ordered[place - 1]), float(ordered[-place]))


def better(a: Array, b: Array, *, among: int = 1) -> bool:
    """Tell whether the median of a's law is above that of b's, by median intervals that lie apart.

    Wrongly with probability at most .05, whether or not the two samples share randomness, and
    whether or not the pair was picked ``among`` many.
    """
    each = 1 - (1 - CONFIDENCE) / among
    first, second = median_interval(a, each), median_interval(b, each)
    return first is not None and second is not None and first.low > second.high


def no_better_than_chance(values: Array, random: float) -> bool:
    """Whether the median is not shown to be ``MARGIN`` above ``random``; False of few releases."""
    median = median_interval(values)
    return median is not None and median.low <= random + MARGIN


def quantiles(values: Array, shares: tuple[float, ...]) -> Array:
    """Quantiles (shares, G) over the finite entries of each row; NaN where there are none."""
    finite = np.isfinite(values)
    some = finite.any(axis=0)
    ordered = np.sort(values[:, some], axis=1) if some.any() else values
    last = np.maximum(finite.sum(axis=1) - 1, 0)
    place = np.multiply.outer(shares, last)
    low, rows = place.astype(int), np.arange(len(values))
    high = np.minimum(low + 1, last)
    step = ordered[rows, high] - ordered[rows, low]
    return np.asarray(ordered[rows, low] + (place - low) * step)


def _in_order(values: Array) -> Array:
    return np.sort(np.where(np.isnan(values), -inf, values))
