"""Exact accounting of Gaussian noise."""

from functools import lru_cache
from math import exp, inf, log, nextafter, pi, sqrt

import numpy as np
import scipy

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.roots import bisect

_FAR = 50.0
_REMOTE = 1e10
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(8)


def gaussian_delta(sigma: float, epsilon: float, sensitivity: float) -> float:
    """Smallest δ at which Gaussian noise is (ε, δ)-DP.

    δ(ε) = Φ(Δ/2σ − εσ/Δ) − e^ε·Φ(−Δ/2σ − εσ/Δ), exact for every ε ≥ 0.

    Parameters
    ----------
    sigma
        Standard deviation of the noise in the direction of the worst change.
    epsilon
        Privacy parameter, ε ≥ 0.
    sensitivity
        Δ, the largest Euclidean change of the published vector, in the unit of ``sigma``.

    Notes
    -----
    Balle & Wang 2018, Theorem 8. Both terms share the factor φ(a) = e^ε·φ(b); taking it out below
    a = 0 keeps full relative precision where δ is tiny. What remains is a difference of Mills
    ratios M, M'(x) = x·M(x) − 1: where σ ≫ Δ it cancels, so its derivative is integrated instead.
    """
    if sigma == 0:
        return 1.0 if sensitivity > 0 else 0.0
    erfcx = scipy.special.erfcx
    half = sensitivity / (2 * sigma)
    shift = epsilon * sigma / sensitivity
    a, b = half - shift, -half - shift
    density = exp(-a * a / 2) / sqrt(2 * pi)
    if density == 0:
        return float(a > 0)
    if half < 0.1:
        x = shift + half * _NODES
        return density * half * float(_WEIGHTS @ (1 - x * sqrt(pi / 2) * erfcx(x / sqrt(2))))
    if a < 0:
        return float(max(0.0, density * sqrt(pi / 2) * (erfcx(-a / sqrt(2)) - erfcx(-b / sqrt(2)))))
    return float(max(0.0, scipy.special.ndtr(a) - density * sqrt(pi / 2) * erfcx(-b / sqrt(2))))


@lru_cache(maxsize=4096)
def gaussian_sigma(epsilon: float, delta: float, sensitivity: float) -> float:
    """Smallest σ at which Gaussian noise is (ε, δ)-DP, rounded to the private side.

    Parameters
    ----------
    epsilon, delta
        ε > 0 and 0 < δ < 1.
    sensitivity
        Δ > 0, Euclidean.

    Raises
    ------
    ValueError
        At δ = 0: no Gaussian noise is enough for pure privacy.
    """
    if delta <= 0:
        raise ValueError(
            f"Gaussian noise needs δ > 0, not {delta:g}: choose a positive δ, or a pure mechanism."
        )

    def private(log_multiplier: float) -> bool:
        return gaussian_delta(exp(log_multiplier), epsilon, 1.0) <= delta

    enough = bisect(private, -700.0, 700.0, absolute=1e-14, relative=1e-14)
    return nextafter(exp(enough) * (1 + 1e-13), inf) * sensitivity


@lru_cache(maxsize=4096)
def gaussian_epsilon(sigma: float, delta: float, sensitivity: float) -> float:
    """True ε of Gaussian noise at a given δ, rounded up; 0 where δ alone covers it, ∞ at δ = 0."""
    if delta <= 0 or sigma == 0:
        return inf
    if gaussian_delta(sigma, 0.0, sensitivity) <= delta:
        return 0.0
    multiplier = sigma / sensitivity
    # From δ(ε) ≤ Φ(Δ/2σ − εσ/Δ): this ε is enough.
    enough = (0.5 / multiplier - float(scipy.special.ndtri(delta))) / multiplier

    def holds(epsilon: float) -> bool:
        return gaussian_delta(sigma, epsilon, sensitivity) <= delta

    return bisect(holds, 0.0, max(1e-300, enough), relative=1e-14) * (1 + 1e-13)


def classic_gaussian_sigma(epsilon: float, delta: float) -> float:
    """σ = √(2 ln(1.25/δ))/ε at sensitivity 1 (Dwork & Roth 2014, Theorem A.1; proved for ε ≤ 1)."""
    return sqrt(2 * log(1.25 / delta)) / epsilon


@lru_cache(maxsize=4096)
def smooth_gaussian_delta(
    noise_multiplier: float, epsilon: float, beta: float, m: int, steps: int = 8
) -> float:
    """δ of Gaussian noise c·U on m numbers, U a β-smooth bound on their sensitivity, ε > 0.

    The hockey-stick divergence of N(0, I_m) and N(D·e₁, r²·I_m), D = min(1, r)/c, at the worst
    r in [e^{−β}, e^{β}] (both ends and a grid between them).

    Parameters
    ----------
    noise_multiplier
        c, noise per unit of U.
    beta
        Smoothness: U changes by at most a factor e^β from one data set to the next.
    steps
        Points of the grid between each end and 1.
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
    """Hockey-stick divergences at e^ε of N(0, I_m) from N(D·e₁, r²·I_m), ln r all of one sign.

    The log-likelihood ratio is a squared distance from a point, noncentral χ² under both.
    """
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

    From 1e10 on, where SciPy's series gives NaN, the square root is normal but for the other m − 1
    directions, which enter by their mean and variance: an error below 1e-10.
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
