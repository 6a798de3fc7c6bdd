"""What a guarantee means to one person: guesses, posteriors, and a test for membership."""

from math import exp

import numpy as np
import scipy

from dpca_core.linalg.arrays import Array


def guess_probability(epsilon: float, delta: float) -> float:
    """Largest chance that a guess is right from even odds: (e^ε + δ)/(1 + e^ε).

    The guess is whether one person is in the data (or which of two records is), by anyone who
    sees the release and knows everything else. Holds for every (ε, δ)-DP mechanism.
    """
    return min(1.0, (1 + delta * exp(-epsilon)) / (1 + exp(-epsilon)))


def gaussian_guess_probability(noise_multiplier: float) -> float:
    """Return the exact chance Φ(Δ/2σ) that the best guess is right under Gaussian noise."""
    return float(scipy.special.ndtr(0.5 / noise_multiplier))


def posterior_bounds(prior: Array, epsilon: float) -> tuple[Array, Array]:
    """Least and largest belief after a pure ε-DP release, whatever is released.

    p/(p + (1 − p)·e^{±ε}) from prior p. With δ > 0 no such bound holds for every output.
    """
    rest = 1 - prior
    small = np.exp(-min(epsilon, 700.0))
    return small * prior / (small * prior + rest), prior / (prior + small * rest)


def membership_roc(false_rate: Array, epsilon: float, delta: float) -> Array:
    """Largest true-positive rate of any test for one person's membership under (ε, δ)-DP.

    min(e^ε·FPR + δ, 1 − e^{−ε}(1 − δ − FPR)), at most 1.
    """
    small = np.exp(-min(epsilon, 700.0))
    steep = np.where(false_rate > 0, false_rate / small, 0.0) + delta
    flat = 1 - small * np.maximum(1 - delta - false_rate, 0)
    return np.asarray(np.minimum(np.minimum(steep, flat), 1.0))


def gaussian_roc(false_rate: Array, noise_multiplier: float) -> Array:
    """Return the exact largest true-positive rate under Gaussian noise: Φ(Φ⁻¹(FPR) + Δ/σ)."""
    return np.asarray(scipy.special.ndtr(scipy.special.ndtri(false_rate) + 1 / noise_multiplier))
