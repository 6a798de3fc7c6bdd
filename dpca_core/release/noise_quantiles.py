"""How large noise matrices are, by simulation from a public seed: the same numbers in every run.

Confidence limits of quantiles are order statistics, so that a simulation of N draws errs to the
wide side with 95 % confidence; they are rounded up to three decimals, so that libraries whose last
digits differ write the same file.
"""

from functools import lru_cache
from math import ceil, log, sqrt

import numpy as np
import scipy

from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.noise_laws import ExactNoise

MOST_SIMULATED = 200
"""Columns up to which eigenvalues of noise are simulated."""
_SEED = 20
_MOST_DRAWS, _WORK = 2000, 5e8
_SURENESS = 0.95


@lru_cache(maxsize=64)
def norm_quantile(noise: ExactNoise, d: int, level: float) -> float:
    """Return a bound that the spectral norm of unit noise (d, d) exceeds with chance 1 − level.

    Unit noise: Gaussian with standard deviation 1 on the diagonal and 1/√2 off it; a difference of
    Wisharts of scale 1; Laplace of scale 1 in the upper triangle. NaN for pure noise of more than
    ``MOST_SIMULATED`` columns.

    Notes
    -----
    Gaussian noise of more columns: ‖E‖ ≤ √(2d) + √(2·ln(2/(1 − level))), as E λ_max ≤ √(2d) and
    both ends of the spectrum are 1-Lipschitz in Frobenius norm (docs/release.md).
    """
    if d <= MOST_SIMULATED:
        ends = _simulated(noise, d)
        return _limit(np.maximum(ends[:, 0], -ends[:, -1]), level)
    if noise is ExactNoise.GAUSSIAN:
        return sqrt(2 * d) + sqrt(2 * log(2 / (1 - level)))
    return float("nan")


@lru_cache(maxsize=64)
def top_sum_quantile(noise: ExactNoise, d: int, k: int, level: float) -> float:
    """Return a bound that the sum of unit noise's top k eigenvalues exceeds with chance 1 − level.

    Notes
    -----
    Gaussian noise of more than ``MOST_SIMULATED`` columns: the sum's mean is at most k·√(2d), and
    it is √k-Lipschitz.
    """
    if d <= MOST_SIMULATED:
        return _limit(_simulated(noise, d)[:, :k].sum(axis=1), level)
    if noise is ExactNoise.GAUSSIAN:
        return k * sqrt(2 * d) + sqrt(2 * k * log(1 / (1 - level)))
    return float("nan")


def _limit(values: Array, level: float) -> float:
    """Upper confidence limit of a quantile, rounded up."""
    rank = int(scipy.stats.binom.ppf(_SURENESS, len(values), level))
    return ceil(float(np.sort(values)[min(rank, len(values) - 1)]) * 1000) / 1000


@lru_cache(maxsize=8)
def _simulated(noise: ExactNoise, d: int) -> Array:
    """Eigenvalues of unit noise, largest first: (draws, d)."""
    draws = int(np.clip(_WORK / d**3, 300, _MOST_DRAWS))
    rng = np.random.default_rng(_SEED)
    return np.array([_eigenvalues(noise, d, rng)[::-1] for _ in range(draws)])


def _eigenvalues(noise: ExactNoise, d: int, rng: np.random.Generator) -> Array:
    """Eigenvalues (d,) of one unit noise matrix, least first."""
    if noise is ExactNoise.GAUSSIAN:
        # The tridiagonal matrix of Dumitriu & Edelman 2002 has the same eigenvalues in law.
        beside = np.sqrt(rng.chisquare(np.arange(d - 1, 0, -1)) / 2) if d > 1 else np.empty(0)
        found = scipy.linalg.eigvalsh_tridiagonal(rng.standard_normal(d), beside)
        return np.asarray(found)
    if noise is ExactNoise.WISHART_DIFFERENCE:
        g = rng.standard_normal((2, d, d + 1))
        return np.linalg.eigvalsh(g[0] @ g[0].T - g[1] @ g[1].T)
    upper = np.triu(rng.laplace(size=(d, d)))
    return np.asarray(np.linalg.eigvalsh(upper + np.triu(upper, 1).T), dtype=np.float64)
