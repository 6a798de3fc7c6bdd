"""Gaussian noise: its accounting against 60 digits, and what it means to one person."""

from itertools import product
from math import inf, log, sqrt

import mpmath
import numpy as np
import pytest

from dpca_core.privacy.gaussian import gaussian_delta, gaussian_epsilon, gaussian_sigma
from dpca_core.privacy.inference_risk import gaussian_guess_probability, guess_probability

EPSILONS = [m * 10.0**e for e in range(-6, 4) for m in (1, 3)]
DELTAS = [m * 10.0**-e for e in range(2, 13) for m in (1, 3)]


def exact_delta(sigma, epsilon, sensitivity=1.0):
    """Balle & Wang 2018, Theorem 8, to 60 digits."""
    with mpmath.workdps(60):
        s, e, change = mpmath.mpf(sigma), mpmath.mpf(epsilon), mpmath.mpf(sensitivity)
        half, shift = change / (2 * s), e * s / change
        return mpmath.ncdf(half - shift) - mpmath.exp(e) * mpmath.ncdf(-half - shift)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_sigma_is_the_smallest_private_one_and_its_epsilon_the_inverse(epsilon):
    for delta in DELTAS:
        sigma = gaussian_sigma(epsilon, delta, 1.0)
        assert exact_delta(sigma, epsilon) <= delta
        assert exact_delta(sigma * (1 - 1e-12), epsilon) > delta
        assert gaussian_epsilon(sigma, delta, 1.0) == pytest.approx(epsilon, rel=1e-11, abs=1e-13)


@pytest.mark.parametrize("delta", DELTAS)
def test_true_epsilon_is_the_smallest_one_and_its_sigma_the_inverse(delta):
    for sigma in np.geomspace(1e-2, 1e6, 17):
        epsilon = gaussian_epsilon(sigma, delta, 1.0)
        # 2e-15: δ itself is a rounded number.
        assert exact_delta(sigma, epsilon) <= delta * (1 + 2e-15)
        if epsilon > 0:
            assert exact_delta(sigma, epsilon * (1 - 1e-12) - 1e-14) > delta
        if epsilon > 1e-3:
            assert gaussian_sigma(epsilon, delta, 1.0) == pytest.approx(sigma, rel=1e-11)


def test_delta_keeps_its_digits_in_any_unit():
    for sigma, epsilon in product(np.geomspace(0.05, 1e6, 25), 10.0 ** np.arange(-7, 4)):
        exact = exact_delta(sigma, epsilon)
        if exact > 1e-280:
            assert abs(gaussian_delta(sigma, epsilon, 1.0) / exact - 1) < 1e-11
    sigma, epsilon = gaussian_sigma(0.7, 1e-6, 1.0), gaussian_epsilon(3.0, 1e-6, 1.0)
    for change in (0.1, sqrt(2), 7.0):
        assert gaussian_sigma(0.7, 1e-6, change) == pytest.approx(change * sigma, rel=1e-14)
        assert gaussian_epsilon(3.0 * change, 1e-6, change) == pytest.approx(epsilon, rel=1e-12)
        exact = float(exact_delta(3.0, 0.2, change))
        assert gaussian_delta(3.0, 0.2, change) == pytest.approx(exact, rel=1e-12)


def test_corners():
    assert gaussian_delta(0.0, 1.0, 1.0) == gaussian_delta(1e-200, 1.0, 1.0) == 1.0
    assert gaussian_delta(0.0, 1.0, 0.0) == gaussian_delta(1.0, 1e308, 1.0) == 0.0
    assert gaussian_epsilon(1.0, 0.0, 1.0) == gaussian_epsilon(0.0, 1e-6, 1.0) == inf
    assert gaussian_epsilon(10.0, 0.1, 1.0) == 0.0  # δ(0) = 2Φ(0.05) − 1 = 0.04
    with pytest.raises(ValueError, match=r"δ > 0, not 0: choose a positive δ, or a pure mechanism"):
        gaussian_sigma(1.0, 0.0, 1.0)


def test_even_odds():
    assert guess_probability(0.0, 0.0) == 0.5
    assert guess_probability(log(3), 0.2) == pytest.approx(0.8, rel=1e-15)
    assert guess_probability(inf, 0.0) == guess_probability(0.1, 1.0) == 1.0
    for multiplier in (0.3, 1.0, 4.22, 30.0):
        deltas = [(e, gaussian_delta(multiplier, e, 1.0)) for e in np.linspace(0, 5, 200)]
        bounds = [guess_probability(*each) for each in deltas]
        assert gaussian_guess_probability(multiplier) == pytest.approx(min(bounds), rel=1e-12)
