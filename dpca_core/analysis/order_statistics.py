"""What a sample of releases says of all releases, whatever their law: classical order statistics.

docs/order-statistics.md has the proofs.
"""

from functools import lru_cache
from math import inf
from typing import NamedTuple

import numpy as np
import scipy

from dpca_core.linalg.arrays import Array

MARGIN = 0.03
"""By how much a captured share must pass that of random directions to be worth a word."""


class Interval(NamedTuple):
    """Limits that hold an unknown number with the confidence asked for.

    ``low`` is −∞ where refusals leave nothing that could be said.
    """

    low: float
    high: float


def fewest(share: float = 0.95, confidence: float = 0.95) -> int:
    """Smallest T from which ``lower_bound`` can answer: 1 − share^T ≥ confidence.

    59 for 19 of 20, 29 for 9 of 10, both at 95 %.

    Raises
    ------
    ValueError
        Unless 0 < share < 1 and confidence < 1: of all releases no number of them is enough.
    """
    if not (0 < share < 1 and confidence < 1):
        raise ValueError(
            f"Ask for a share and a confidence below 1, not {share:g} and {confidence:g}."
        )
    trials = 1
    while 1 - share**trials < confidence:
        trials += 1
    return trials


def lower_bound(values: Array, share: float = 0.95, confidence: float = 0.95) -> float | None:
    """Return what at least ``share`` of all releases reach, with the confidence given.

    The r-th smallest of T values, r the largest with P(Binomial(T, 1 − share) ≥ r) ≥ confidence:
    distribution-free. None where T is too small (below 59 for 19 of 20) or where too many releases
    were refused (NaN counts as a miss).

    Notes
    -----
    docs/order-statistics.md.
    """
    rank = _rank(len(values), share, confidence)
    if rank == 0:
        return None
    bound = float(np.sort(_with_misses(values))[rank - 1])
    return bound if bound > -inf else None


def kept_by(
    values: Array, target: float, share: float = 0.9, confidence: float = 0.95
) -> np.ndarray:
    """Tell where ``share`` of all releases reach the target, with the confidence given.

    Parameters
    ----------
    values
        (…, T) of T independent releases each; NaN (refused) is a miss.

    Returns
    -------
    np.ndarray
        (…,) of booleans: the same as ``lower_bound`` ≥ target. Where fewer than ``share`` of the
        releases reach the target, True comes with probability at most 1 − confidence.
    """
    misses = (~(values >= target)).sum(axis=-1)
    return np.asarray(misses < _rank(values.shape[-1], share, confidence))


def reached(captured: Array, share: float) -> Array:
    """Estimate what ``share`` of the releases (…, T) reach: a quantile of the sample.

    A refusal counts as 0. Without any confidence: the truth is below it about every other time.
    """
    return np.asarray(np.quantile(np.nan_to_num(captured, nan=0.0), 1 - share, axis=-1))


def median_interval(values: Array, confidence: float = 0.95) -> Interval | None:
    """Return limits that hold the median of one release's law with the confidence given.

    The r-th smallest and the r-th largest of T values, r the largest with
    2·P(Binomial(T, ½) < r) ≤ 1 − confidence. None where T is too small (below 6 at 95 %).

    Parameters
    ----------
    values
        (T,) independent releases; NaN (refused) counts as −∞.
    """
    trials = len(values)
    rank = _rank(trials, 0.5, (1 + confidence) / 2)
    if rank == 0:
        return None
    ordered = np.sort(_with_misses(values))
    return Interval(float(ordered[rank - 1]), float(ordered[trials - rank]))


def better(a: Array, b: Array, *, confidence: float = 0.95, among: int = 1) -> bool:
    """Tell whether the median of a's law is above that of b's, beyond Monte-Carlo error.

    True where the median intervals of both, each at the confidence, lie apart. If the median of a
    is not above that of b, one of the two limits compared is wrong, and True comes with
    probability at most 1 − confidence, whether or not the two samples share randomness.

    Parameters
    ----------
    a, b
        (T,) releases of two mechanisms, not necessarily as many; NaN (refused) counts as −∞.
    among
        How many comparisons the pair was picked from, as the best of so many rivals is: the
        chance of an error is divided by it.
    """
    each = 1 - (1 - confidence) / among
    first, second = median_interval(a, each), median_interval(b, each)
    return first is not None and second is not None and first.low > second.high


def above_chance(
    values: Array, random: float, *, margin: float = MARGIN, confidence: float = 0.95
) -> bool:
    """Tell whether half of all releases are surely better than random directions.

    True where the median's interval lies above ``random + margin``; False where it reaches that,
    and where there are too few releases to tell.

    Parameters
    ----------
    values
        (T,) captured shares; NaN (refused) counts as −∞.
    random
        What random directions capture (``metrics.random_baseline``).
    """
    found = median_interval(values, confidence)
    return found is not None and found.low > random + margin


@lru_cache(maxsize=1024)
def _rank(trials: int, share: float, confidence: float) -> int:
    """Largest r with P(Binomial(T, 1 − share) ≥ r) ≥ confidence; 0 where there is none."""
    if trials == 0:
        return 0
    below = scipy.special.bdtr(np.arange(trials), trials, 1 - share)
    return int((1 - below >= confidence).sum())


def _with_misses(values: Array) -> Array:
    return np.where(np.isnan(values), -inf, values)


def quantiles(values: Array, shares: tuple[float, ...]) -> Array:
    """Quantiles (shares, G) over the finite entries of each row; NaN where there are none."""
    finite = np.isfinite(values)
    some = finite.any(axis=0)
    ordered = np.sort(values[:, some], axis=1) if some.any() else values
    last = finite.sum(axis=1) - 1
    place = np.multiply.outer(shares, np.maximum(last, 0))
    low = place.astype(int)
    high, rows = np.minimum(low + 1, np.maximum(last, 0)), np.arange(len(values))
    return np.asarray(
        ordered[rows, low] + (place - low) * (ordered[rows, high] - ordered[rows, low])
    )


def no_better_than_chance(values: Array, random: float) -> bool:
    """Tell whether there are releases enough to tell, and they are not above chance."""
    return median_interval(values) is not None and not above_chance(values, random)
