"""Exact accounting of Gaussian noise."""

from functools import lru_cache
from math import exp, inf, log, nextafter, pi, sqrt

import numpy as np
import scipy

from dpca_core.privacy.roots import bisect

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(8)


def gaussian_delta(sigma: float, epsilon: float, sensitivity: float) -> float:
    """Smallest δ at which Gaussian noise is (ε, δ)-DP.

    δ(ε) = Φ(Δ/2σ − εσ/Δ) − e^ε·Φ(−Δ/2σ − εσ/Δ), exact for every ε ≥ 0, where Δ (``sensitivity``)
    is the largest Euclidean change of what is published: Balle & Wang 2018, Theorem 8.

    Both terms share the factor φ(a) = e^ε·φ(b); taking it out below a = 0 keeps full relative
    precision where δ is tiny. What remains is a difference of Mills ratios M, M'(x) = x·M(x) − 1:
    where σ ≫ Δ it cancels, so its derivative is integrated instead.
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
    """Smallest σ at which Gaussian noise is (ε, δ)-DP, rounded to the private side; δ > 0."""
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
