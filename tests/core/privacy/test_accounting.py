"""What noise spends, and what is spent means: against 30 to 60 digits, quadrature, quantiles.

Every calibration is the inverse of its accounting, and rounded to the private side. What is spent
at the worst pair, by drawing: tests/core/mechanisms/test_privacy_loss.py.
"""

from fractions import Fraction
from itertools import product
from math import exp, inf, log, sqrt

import mpmath as mp
import numpy as np
import pytest
from scipy.stats import chi2, norm

from dpca_core import MECHANISMS, Budget
from dpca_core.privacy import inference_risk, matrix_t, wishart
from dpca_core.privacy.gaussian import gaussian_delta, gaussian_epsilon, gaussian_sigma
from dpca_core.privacy.inference_risk import gaussian_guess_probability, guess_probability
from dpca_core.privacy.matrix_t import exponent, matrix_t_delta, matrix_t_scale, pure_scale
from dpca_core.privacy.roots import falls_to
from dpca_core.privacy.smooth_gaussian import smooth_gaussian_delta
from dpca_core.privacy.wishart import wishart_degrees_of_freedom, wishart_delta, wishart_epsilon
from dpca_core.sampling import matrix_t as sampler
from tests.cases import sampled
from tests.core.mechanisms.every_mechanism import ADD, BOTH, PROBLEM, REPLACE
from tests.core.sampling.laws import assert_mean
from tests.references import accounting

# --- Gaussian noise ---

DELTAS = [m * 10.0**-e for e in range(2, 13) for m in (1, 3)]


def exact_delta(sigma, epsilon, sensitivity=1.0):
    return accounting.gaussian_delta((Fraction(sensitivity) / Fraction(sigma)) ** 2, epsilon)


@pytest.mark.parametrize("epsilon", [m * 10.0**e for e in range(-6, 4) for m in (1, 3)])
def test_gaussian_sigma_is_the_smallest_private_one_and_its_epsilon_the_inverse(epsilon):
    for delta in DELTAS:
        sigma = gaussian_sigma(epsilon, delta, 1.0)
        assert exact_delta(sigma, epsilon) <= delta
        assert exact_delta(sigma * (1 - 1e-12), epsilon) > delta
        assert gaussian_epsilon(sigma, delta, 1.0) == pytest.approx(epsilon, rel=1e-11, abs=1e-13)
        # Of any other σ, too: 2e-15, as δ itself is a rounded number.
        found = gaussian_epsilon(1.7 * sigma, delta, 1.0)
        assert exact_delta(1.7 * sigma, found) <= delta * (1 + 2e-15)
        assert found == 0 or exact_delta(1.7 * sigma, found * (1 - 1e-12) - 1e-14) > delta


def test_gaussian_delta_keeps_its_digits_in_any_unit():
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


def test_gaussian_corners():
    assert gaussian_delta(0.0, 1.0, 1.0) == gaussian_delta(1e-200, 1.0, 1.0) == 1.0
    assert gaussian_delta(0.0, 1.0, 0.0) == gaussian_delta(1.0, 1e308, 1.0) == 0.0
    assert gaussian_epsilon(1.0, 0.0, 1.0) == gaussian_epsilon(0.0, 1e-6, 1.0) == inf
    assert gaussian_epsilon(10.0, 0.1, 1.0) == 0.0  # δ(0) = 2Φ(0.05) − 1 = 0.04
    with pytest.raises(ValueError, match=r"δ > 0, not 0: choose a positive δ, or a pure mechanism"):
        gaussian_sigma(1.0, 0.0, 1.0)


# --- Gaussian noise scaled by a smooth bound ---


@pytest.mark.parametrize("m", [2, 3, 10])
@pytest.mark.parametrize(("beta", "epsilon", "c"), [(0.05, 0.5, 1.5), (0.01, 1.0, 1.0)])
def test_smooth_delta_is_the_worst_hockey_stick_divergence(m, beta, epsilon, c):
    """On a grid of ratios twice as fine as the product's."""
    ratios = np.exp(beta * np.linspace(-1, 1, 33))
    worst = max(accounting.scaled_gaussian_delta(min(1, r) / c, r, epsilon, m, 2) for r in ratios)
    assert smooth_gaussian_delta(c, epsilon, beta, m) == pytest.approx(worst, rel=1e-4)


@pytest.mark.parametrize(
    ("c", "epsilon", "beta", "m"), [(0.76, 3e-3, 6.5e-6, 87), (9.0, 1e-6, 1e-9, 6)]
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


# --- One Wishart matrix ---


def assert_ten_digits_and_rounded_up(found, true):
    assert true * (1 - mp.mpf("1e-15")) <= found <= true * (1 + mp.mpf("2e-10"))


@pytest.mark.parametrize(("freedom", "scale"), [(1e4, 0.05), (1e7, 1), (1e9, 0.05), (1e12, 1)])
def test_wishart_delta_has_ten_digits_in_both_directions(freedom, scale):
    for noise in (0.3, 2.0, 5.0):  # thresholds from the bulk to twenty deviations out
        for epsilon in noise / (scale * (2 * freedom) ** 0.5) * np.array([1, 5]):
            true = accounting.wishart_delta(epsilon, freedom, scale)
            assert_ten_digits_and_rounded_up(wishart_delta(epsilon, freedom, scale), true)


@pytest.mark.parametrize("freedom", [2, 2.5, 3, 7, 30])
def test_wishart_delta_where_the_density_and_the_loss_have_corners(freedom):
    for scale, epsilon in product((0.05, 0.5, 20.0), (0.0, 0.1, 5.0)):
        true = accounting.wishart_delta_of_few(epsilon, freedom, scale)
        assert_ten_digits_and_rounded_up(wishart_delta(epsilon, freedom, scale), true)
        replaced = wishart_delta(epsilon, freedom, 2 * scale, REPLACE)
        assert_ten_digits_and_rounded_up(replaced, true)


@BOTH
def test_wishart_calibration_and_true_epsilon_are_inverse_and_smallest(adjacency):
    settings = product((0.003, 0.1, 1.0, 4.0), (1e-3, 1e-6, 1e-12), (0.05, 1.0))
    for epsilon, delta, scale in settings:
        freedom = wishart_degrees_of_freedom(epsilon, delta, scale, adjacency)
        true = wishart_epsilon(delta, freedom, scale, adjacency)
        assert true <= epsilon * (1 + 1e-11)
        assert wishart_delta(true, freedom, scale, adjacency) <= delta
        assert wishart_delta(true * (1 - 1e-9), freedom, scale, adjacency) > delta
        if freedom > 2:
            assert wishart_epsilon(delta, freedom - 1, scale, adjacency) > epsilon


def test_the_ends_of_the_wishart_calibration():
    assert wishart_degrees_of_freedom(1.0, 0.5, 20.0, ADD) == 2
    assert wishart_degrees_of_freedom(1e-6, 1e-9, 0.05, ADD) is None
    assert wishart_epsilon(0.5, 2, 20.0, ADD) == 0.0
    assert wishart_epsilon(1e-12, 2, 0.5, ADD) == inf  # an output may prove absence, at every ε
    assert wishart_delta(1e9, 10, 0.5) == wishart_delta(600.0, 10, 0.5) > 0
    assert wishart_delta(0.0, wishart.MOST_DEGREES_OF_FREEDOM, 20.0) < 1e-7
    assert wishart_delta(3.0, 2, 0.5) == pytest.approx(1 - exp(-1), rel=1e-15)


# --- Matrix-t noise ---


@pytest.mark.parametrize(
    ("d", "epsilon"),
    sampled(product((3, 19, 64), (0.5, 0.01, 5.0)), 3, "a tenth of a second of quadrature each"),
)
def test_matrix_t_delta_against_adaptive_quadrature(d, epsilon):
    q = exponent(d)
    c = matrix_t_scale(epsilon, 1e-3, d, q)
    found = accounting.matrix_t_delta(epsilon, d, q, c)
    assert matrix_t_delta(epsilon, d, q, c) == pytest.approx(found, rel=2e-5)


@pytest.mark.parametrize("d", [2, 5, 7, 19, 64])
def test_the_matrix_t_scale_is_enough_and_not_much_more_and_the_pure_one_ends_delta(d):
    q = exponent(d)
    for epsilon, delta in product((1e-3, 0.1, 1.0, 10.0), (1e-9, 1e-6, 1e-2)):
        scale = matrix_t_scale(epsilon, delta, d, q)
        assert matrix_t_delta(epsilon, d, q, scale) <= delta
        assert matrix_t_delta(epsilon, d, q, scale * (1 - 1e-6)) > delta
        pure = matrix_t_scale(epsilon, 0.0, d, q)
        assert scale <= pure == pure_scale(epsilon, q)
        assert matrix_t_delta(epsilon, d, q, pure) == 0
        assert matrix_t_delta(epsilon, d, q, pure * 0.99) > 0


@pytest.mark.chance(5e-7)  # squares of Student variables have long tails
@pytest.mark.parametrize(
    ("d", "q"), sampled([(5, 7.0), (2, 4.0), (19, 30.0)], 3, "the widest takes seconds")
)
def test_variances_of_matrix_t_entries(d, q):
    drawn = sampler.matrix_t(d, q, np.random.default_rng(d), 20_000)
    entries = drawn[:, [0, -1, 0, d - 2], [0, -1, 1, d - 1]]
    assert_mean(entries**2, np.square(np.repeat(matrix_t.unit_entry_std(d, q), 2)))


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
    low, high = inference_risk.posterior_bounds(prior, log(3))
    np.testing.assert_allclose(high, 3 * prior / (3 * prior + 1 - prior), rtol=1e-12)
    np.testing.assert_allclose(low, prior / (prior + 3 * (1 - prior)), rtol=1e-12)


def test_no_gaussian_test_beats_the_bound_and_one_touches_it():
    """The exact Gaussian curve lies below the (ε, δ) one at every ε of its profile, and touches."""
    rates = np.linspace(1e-6, 1 - 1e-6, 20_001)
    promise = MECHANISMS["gaussian"].guarantee(PROBLEM, Budget(1.0, 1e-3))
    room = inference_risk.membership_roc(rates, promise.epsilon, promise.delta)
    room -= inference_risk.gaussian_roc(rates, promise.noise_multiplier)
    assert -1e-9 < room.min() < 1e-6
    np.testing.assert_allclose(inference_risk.membership_roc(rates, 0.0, 0.0), rates, rtol=1e-12)
    assert inference_risk.membership_roc(np.array([0.0]), 1.0, 0.25)[0] == 0.25


# --- Roots ---


@pytest.mark.parametrize("tolerance", [1e-9, 1e-6])
def test_a_root_is_rounded_up_wherever_the_search_starts_and_kept_between_ends(tolerance):
    def found(start, **ends):
        return falls_to(0.25, lambda x: exp(-x), start, tolerance=tolerance, **ends)

    for start in (-20.0, 1.3, 9.0):
        assert exp(-found(start)) <= 0.25 < exp(tolerance - found(start))
    assert found(3.0, least=1.5) == 1.5
    assert found(0.0, most=1.3) == inf
    assert found(0.0, most=1.4) == pytest.approx(1.3862944)
