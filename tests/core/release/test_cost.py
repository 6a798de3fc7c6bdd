"""Exact costs: against numerical privacy-loss distributions, and against every stopping rule."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest
from dp_accounting.pld.privacy_loss_distribution import (
    from_gaussian_mechanism,
    from_laplace_mechanism,
)
from scipy.stats import norm

from dpca_core.privacy.gaussian import gaussian_delta
from dpca_core.privacy.inference_risk import gaussian_guess_probability
from dpca_core.release.cost import Cost, most_mu2, planned_mu2

DELTA = Fraction("1e-6")


def gaussian(mu: float) -> Cost:
    return Cost(mu2=Fraction(mu) ** 2)


@pytest.mark.parametrize(("first", "second"), [(0.3, 0.4), (0.05, 1.0)])
def test_two_gaussians_agree_with_numerical_composition(first, second):
    both = gaussian(first) + gaussian(second)
    numerical = from_gaussian_mechanism(1 / first).compose(from_gaussian_mechanism(1 / second))
    expected = numerical.get_epsilon_for_delta(float(DELTA))
    assert both.epsilon(DELTA) == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize(("mu", "pure"), [(0.2, 0.3), (0.5, 0.1), (1.0, 1.0), (0.05, 0.5)])
def test_mixed_noise_costs_a_little_more_than_numerical_composition(mu, pure):
    cost = gaussian(mu) + Cost(pure=Fraction(pure))
    numerical = from_gaussian_mechanism(1 / mu).compose(from_laplace_mechanism(1 / pure))
    expected = numerical.get_epsilon_for_delta(float(DELTA))
    # The numerical value is rounded up by its grid, by 10⁻⁴ at most.
    assert expected * (1 - 1e-4) <= cost.epsilon(DELTA) <= expected * 1.04


def test_no_stopping_rule_gets_more_than_the_bound_of_two_steps():
    """All rules "stop after one step where the loss is above, or below, a threshold"."""
    grid = np.linspace(-9, 9, 4001)
    weights = norm.pdf(grid) * (grid[1] - grid[0])
    worst = 0.0
    for whole, first, epsilon in [(1.0, 0.5, 1.0), (0.4, 0.2, 0.3), (2.0, 0.1, 3.0), (1, 0.9, 0)]:
        loss = first / 2 + np.sqrt(first) * grid
        stopped = np.maximum(0, -np.expm1(epsilon - loss))
        rest = np.sqrt(whole - first)
        ahead = epsilon - loss
        going_on = norm.cdf(rest / 2 - ahead / rest) - np.exp(ahead) * norm.cdf(
            -rest / 2 - ahead / rest
        )
        bound = gaussian_delta(whole**-0.5, epsilon, 1.0)
        for threshold in np.linspace(-8, 8, 81):
            for stops in (grid > threshold, grid <= threshold):
                spent = float(weights @ np.where(stops, stopped, going_on))
                worst = max(worst, spent / bound)
    # One rule is never to stop, which spends the bound itself.
    assert worst == pytest.approx(1.0, abs=2e-5)
    assert worst <= 1 + 1e-6


def exact_delta(mu2: Fraction, epsilon: Fraction) -> mpmath.mpf:
    """δ of Gaussian noise to 60 digits."""
    mu, at = mpmath.sqrt(mpmath.mpf(mu2.numerator) / mu2.denominator), mpmath.mpf(epsilon.numerator)
    at /= epsilon.denominator
    near, far = mu / 2 - at / mu, -mu / 2 - at / mu
    return mpmath.ncdf(near) - mpmath.exp(at) * mpmath.ncdf(far)


def test_every_rounding_is_to_the_private_side():
    rng = np.random.default_rng(12)
    with mpmath.workdps(60):
        for _ in range(150):
            epsilon = Fraction(f"{10 ** rng.uniform(-6, 3):.5g}")
            delta = Fraction(f"{10 ** rng.uniform(-29, -0.01):.5g}")
            most = most_mu2(epsilon, delta)
            allowed = mpmath.mpf(delta.numerator) / delta.denominator
            assert exact_delta(most, epsilon) <= allowed
            assert exact_delta(most, epsilon) >= allowed * (1 - 1e-9)
            assert Cost(most).delta(epsilon) >= exact_delta(most, epsilon)
            assert exact_delta(most, Fraction(Cost(most).epsilon(delta))) <= allowed * (1 + 1e-12)


def test_costs_add_exactly():
    cost = Cost(Fraction(1, 3), Fraction(1, 10))
    assert cost + cost == 2 * cost == Cost(Fraction(2, 3), Fraction(1, 5))


@pytest.mark.parametrize("epsilon", ["0.001", "0.1", "1", "8", "50"])
@pytest.mark.parametrize("delta", ["1e-12", "1e-6", "0.1"])
def test_epsilon_and_delta_are_inverse_and_on_the_private_side(epsilon, delta):
    cost = Cost(mu2=most_mu2(Fraction(epsilon), Fraction(delta)))
    found = cost.epsilon(Fraction(delta))
    assert found == pytest.approx(float(epsilon), rel=1e-8)
    assert cost.delta(found) <= float(delta) * (1 + 1e-9)
    assert Cost(cost.mu2 * (1 + Fraction(1, 10**6))).epsilon(Fraction(delta)) > found


@pytest.mark.parametrize("pure", ["0", "0.3"])
def test_what_is_planned_fits_and_a_little_more_does_not(pure):
    epsilon = Fraction("0.8")
    most = planned_mu2(epsilon - Fraction(pure), DELTA)
    assert Cost(most, Fraction(pure)).fits(epsilon, DELTA)
    assert not Cost(most * (1 + Fraction(1, 10**9)), Fraction(pure)).fits(epsilon, DELTA)


def test_pure_limits_are_compared_as_fractions():
    tenth = Cost(pure=Fraction("0.1"))
    assert (10 * tenth).fits(Fraction(1), Fraction(0))
    assert not (10 * tenth + Cost(pure=Fraction(1, 10**50))).fits(Fraction(1), Fraction(0))
    assert not gaussian(0.01).fits(Fraction(100), Fraction(0))


def test_even_odds_are_those_of_the_noise():
    assert gaussian(0.5).guess_probability() == pytest.approx(gaussian_guess_probability(2.0))
    assert Cost(pure=Fraction(1)).guess_probability() == pytest.approx(1 / (1 + np.exp(-1)))
    assert Cost().guess_probability() == pytest.approx(0.5)
    mixed = Cost(Fraction(1, 4), Fraction(1)).guess_probability()
    assert gaussian(0.5).guess_probability() < mixed < 1


def test_below_the_pure_part_nothing_is_known():
    assert Cost(pure=Fraction(1)).delta(0.5) == 1.0
    assert Cost(pure=Fraction(1)).delta(1) == 0.0
