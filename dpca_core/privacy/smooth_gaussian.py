"""Exact accounting of Gaussian noise that is scaled by a smooth bound on the sensitivity."""

from functools import lru_cache

import numpy as np
import scipy

from dpca_core.linalg.arrays import Array
from dpca_core.privacy.gaussian import gaussian_delta

_FAR = 50.0
_REMOTE = 1e10


@lru_cache(maxsize=4096)
def smooth_gaussian_delta(
    noise_multiplier: float, epsilon: float, beta: float, m: int, steps: int = 8
) -> float:
    """δ of Gaussian noise c·U on m numbers, U a β-smooth bound on their sensitivity, ε > 0.

    The hockey-stick divergence of N(0, I_m) and N(D·e₁, r²·I_m), D = min(1, r)/c, at the worst
    r in [e^{−β}, e^{β}]: both ends and a grid of ``steps`` points between each and 1.
    """
    unscaled = gaussian_delta(1.0, epsilon, 1 / noise_multiplier)
    if beta == 0:
        return unscaled
    if beta > _FAR:
        return 1.0
    ratios = beta * np.arange(1, steps + 1) / steps
    ends = [_scaled_delta(noise_multiplier, t, epsilon, m).max() for t in (-ratios, ratios)]
    return float(max(unscaled, *ends))


def _scaled_delta(noise_multiplier: float, log_ratios: Array, epsilon: float, m: int) -> Array:
    """Hockey-stick divergences at e^ε of N(0, I_m) from N(D·e₁, r²·I_m), ln r all of one sign."""
    excess = np.expm1(-2 * log_ratios)  # 1/r² − 1
    shift = np.minimum(1.0, np.exp(log_ratios)) / noise_multiplier
    beyond, square = 2 * (epsilon - m * log_ratios) / excess, np.exp(2 * log_ratios)
    first, second = -(1 + excess) * shift**2 / excess, shift**2 / excess
    centre, above = (1 + excess) * shift / excess, bool(excess[0] > 0)
    inside, other = _distance_tail(
        np.stack([beyond + first, (beyond + second) / square]),
        m,
        np.stack([centre**2, (shift / excess) ** 2 / square]),
        above,
    )
    with np.errstate(divide="ignore"):
        weighed = np.exp(np.minimum(epsilon + np.log(other), 1.0))
    return np.asarray(np.maximum(0.0, inside - weighed))


def _distance_tail(beyond: Array, m: int, square: Array, above: bool) -> Array:
    """Chance that a noncentral χ² of m degrees is above, or below, its noncentrality + beyond.

    From 10¹⁰ on, where SciPy's series gives NaN, the square root is normal but for the other m − 1
    directions, which enter by their mean and variance: an error below 10⁻¹⁰.
    """
    limit, rest = square + beyond, m - 1
    tail = np.full(limit.shape, float(above))
    near, remote = (limit > 0) & (square < _REMOTE), (limit > 0) & (square >= _REMOTE)
    if remote.any():
        centre, past = square[remote], beyond[remote] - rest
        far = past / (np.sqrt(np.maximum(centre + past, 0.0)) + np.sqrt(centre))
        far /= np.sqrt(1 + rest / (2 * centre))
        tail[remote] = scipy.special.ndtr(-far if above else far)
    if near.any():
        # What scipy.stats.ncx2 calls in the end: its checks take many times as long.
        with np.errstate(over="ignore"):
            chance = scipy.special._ufuncs._ncx2_sf if above else scipy.special.chndtr
            tail[near] = chance(limit[near], m, square[near])
    return tail
