"""Gaussian noise, plain and scaled: its accounting, and what it means to one person."""

from itertools import product
from math import exp, inf, log, sqrt

import mpmath
import numpy as np
import pytest
from scipy.stats import chi2, norm

from dpca_core import MECHANISMS, Budget
from dpca_core.privacy.gaussian import gaussian_delta, gaussian_epsilon, gaussian_sigma
from dpca_core.privacy.inference_risk import (
    gaussian_guess_probability,
    gaussian_roc,
    guess_probability,
    membership_roc,
    posterior_bounds,
)
from dpca_core.privacy.smooth_gaussian import smooth_gaussian_delta
from tests.cases import sampled
from tests.core.mechanisms.every_mechanism import PROBLEM
from tests.references.accounting import scaled_gaussian_delta

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


# --- What it means to one person ---


def test_even_odds():
    assert guess_probability(0.0, 0.0) == 0.5
    assert guess_probability(log(3), 0.2) == pytest.approx(0.8, rel=1e-15)
    assert guess_probability(inf, 0.0) == guess_probability(0.1, 1.0) == 1.0
    for multiplier in (0.3, 1.0, 4.22, 30.0):
        deltas = [(e, gaussian_delta(multiplier, e, 1.0)) for e in np.linspace(0, 5, 200)]
        bounds = [guess_probability(*each) for each in deltas]
        assert gaussian_guess_probability(multiplier) == pytest.approx(min(bounds), rel=1e-12)


def test_posterior_bounds_are_bayes_with_the_largest_likelihood_ratio():
    prior = np.array([0.01, 0.5, 0.9])
    low, high = posterior_bounds(prior, log(3))
    np.testing.assert_allclose(high, 3 * prior / (3 * prior + 1 - prior), rtol=1e-12)
    np.testing.assert_allclose(low, prior / (prior + 3 * (1 - prior)), rtol=1e-12)
    np.testing.assert_allclose(posterior_bounds(np.array([0.0, 1.0]), 1e9), [[0, 1], [0, 1]])


def test_no_gaussian_test_beats_the_bound_and_one_touches_it():
    """The exact Gaussian curve lies below the (ε, δ) one at every ε of its profile, and touches."""
    rates = np.linspace(1e-6, 1 - 1e-6, 20_001)
    promise = MECHANISMS["gaussian"].guarantee(PROBLEM, Budget(1.0, 1e-3))
    exact = gaussian_roc(rates, promise.noise_multiplier)
    bound = membership_roc(rates, promise.epsilon, promise.delta)
    assert (exact <= bound + 1e-9).all()
    assert (bound - exact).min() < 1e-6
    np.testing.assert_allclose(membership_roc(rates, 0.0, 0.0), rates, rtol=1e-12)
    assert membership_roc(np.array([0.0]), 1.0, 0.25)[0] == 0.25


# --- Scaled by a smooth bound: against quadrature and quantiles ---


@pytest.mark.parametrize("m", [2, 3, 10])
@pytest.mark.parametrize(("beta", "epsilon", "c"), [(0.05, 0.5, 1.5), (0.01, 1.0, 1.0)])
def test_smooth_delta_is_the_worst_hockey_stick_divergence(m, beta, epsilon, c):
    ratios = (-beta, -beta / 2, 0, beta / 2, beta)
    worst = max(scaled_gaussian_delta(min(1, exp(t)) / c, exp(t), epsilon, m) for t in ratios)
    assert smooth_gaussian_delta(c, epsilon, beta, m) == pytest.approx(worst, rel=1e-4)


@pytest.mark.parametrize(
    ("c", "epsilon", "beta", "m"),
    sampled(
        [(0.76, 3e-3, 6.5e-6, 87), (4.0, 1e-6, 5e-8, 2), (9.0, 1e-6, 1e-9, 6)],
        2,
        "half a second of quantiles each",
    ),
)
def test_smooth_delta_where_the_centre_of_the_distances_is_remote(c, epsilon, beta, m):
    """Naive: a midpoint rule over quantiles of the m − 1 directions without shift and of the rest.

    SciPy's noncentral χ² is NaN there: noncentralities of 1e11 to 2e17 on the grid of scales.
    """
    others = chi2.ppf((np.arange(400) + 0.5) / 400, m - 1)[:, None]
    along = norm.ppf((np.arange(20_000) + 0.5) / 20_000)
    worst = gaussian_delta(c, epsilon, 1.0)
    for t in (-beta, beta):
        shift = min(1.0, exp(t)) / c
        squares = ((along - shift) ** 2 + others) * exp(-2 * t) - along**2 - others
        worst = max(worst, np.maximum(0.0, -np.expm1(epsilon - squares / 2 - m * t)).mean())
    assert smooth_gaussian_delta(c, epsilon, beta, m) == pytest.approx(worst, rel=2e-4)


def test_smooth_delta_where_the_scales_are_as_far_apart_as_numbers_go_or_the_same():
    """Noise e^28 times smaller at the neighbour gives nearly every release away, quietly."""
    epsilon, delta = 10**2.75, 0.1
    beta = epsilon / (4 * (2 + log(2 / delta)))
    printed = 5 * sqrt(2 * log(2 / delta)) / epsilon
    assert smooth_gaussian_delta(printed, epsilon, beta, 2) == pytest.approx(1.0, abs=1e-9)
    assert smooth_gaussian_delta(2.0, 1.0, 0.0, 10) == gaussian_delta(2.0, 1.0, 1.0)


def test_printed_smooth_noise_is_private_where_it_is_stated():
    for m, epsilon, delta in product((2, 20, 1000), (0.001, 0.1, 0.99), (1e-2, 1e-6, 1e-9)):
        beta = epsilon / (4 * (m + log(2 / delta)))
        c = 5 * sqrt(2 * log(2 / delta)) / epsilon
        assert smooth_gaussian_delta(c, epsilon, beta, m) <= delta
