"""Exact costs: against numerical privacy-loss distributions, stopping rules, and the filter."""

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
from dpca_core.release.spending import Limit, Spending

DELTA = Fraction("1e-6")


def of_mu(mu: float) -> Cost:
    return Cost(mu2=Fraction(mu) ** 2)


@pytest.mark.parametrize(("first", "second"), [(0.3, 0.4), (0.05, 1.0)])
def test_two_gaussians_agree_with_numerical_composition(first, second):
    both = of_mu(first) + of_mu(second)
    numerical = from_gaussian_mechanism(1 / first).compose(from_gaussian_mechanism(1 / second))
    expected = numerical.get_epsilon_for_delta(float(DELTA))
    assert both.epsilon(DELTA) == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize(("mu", "pure"), [(0.2, 0.3), (0.5, 0.1), (1.0, 1.0), (0.05, 0.5)])
def test_mixed_noise_costs_a_little_more_than_numerical_composition(mu, pure):
    cost = of_mu(mu) + Cost(pure=Fraction(pure))
    numerical = from_gaussian_mechanism(1 / mu).compose(from_laplace_mechanism(1 / pure))
    expected = numerical.get_epsilon_for_delta(float(DELTA))
    # The numerical value is rounded up by its grid, by 10⁻⁴ at most.
    assert expected * (1 - 1e-4) <= cost.epsilon(DELTA) <= expected * 1.04


def test_no_stopping_rule_gets_more_than_the_bound_of_two_steps():
    """All rules "stop after one step where the loss is above, or below, a threshold"."""
    grid = np.linspace(-9, 9, 4001)
    weights, worst = norm.pdf(grid) * (grid[1] - grid[0]), 0.0
    for whole, first, epsilon in [(1.0, 0.5, 1.0), (0.4, 0.2, 0.3), (2.0, 0.1, 3.0), (1, 0.9, 0)]:
        ahead = epsilon - first / 2 - np.sqrt(first) * grid
        stopped, rest = np.maximum(0, -np.expm1(ahead)), np.sqrt(whole - first)
        far = norm.cdf(-rest / 2 - ahead / rest)
        going_on = norm.cdf(rest / 2 - ahead / rest) - np.exp(ahead) * far
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


@pytest.mark.parametrize("epsilon", ["0.001", "1", "50"])
@pytest.mark.parametrize("delta", ["1e-12", "0.1"])
def test_epsilon_and_delta_are_inverse_and_on_the_private_side(epsilon, delta):
    cost = Cost(mu2=most_mu2(Fraction(epsilon), Fraction(delta)))
    found = cost.epsilon(Fraction(delta))
    assert found == pytest.approx(float(epsilon), rel=1e-8)
    assert cost.delta(found) <= float(delta) * (1 + 1e-9)
    assert Cost(cost.mu2 * (1 + Fraction(1, 10**6))).epsilon(Fraction(delta)) > found
    # Below the pure part nothing is known.
    assert [Cost(pure=Fraction(1)).delta(at) for at in (0.5, 1)] == [1.0, 0.0]


@pytest.mark.parametrize("pure", ["0", "0.3"])
def test_what_is_planned_fits_and_a_little_more_does_not(pure):
    epsilon = Fraction("0.8")
    most = planned_mu2(epsilon - Fraction(pure), DELTA)
    assert Cost(most, Fraction(pure)).fits(epsilon, DELTA)
    assert not Cost(most * (1 + Fraction(1, 10**9)), Fraction(pure)).fits(epsilon, DELTA)


def test_pure_limits_are_compared_as_fractions():
    tenth = Cost(pure=Fraction("0.1"))
    assert tenth + tenth == 2 * tenth
    assert (10 * tenth).fits(Fraction(1), Fraction(0))
    assert not (10 * tenth + Cost(pure=Fraction(1, 10**50))).fits(Fraction(1), Fraction(0))
    assert not of_mu(0.01).fits(Fraction(100), Fraction(0))


def test_even_odds_are_those_of_the_noise():
    assert of_mu(0.5).guess_probability() == pytest.approx(gaussian_guess_probability(2.0))
    assert Cost(pure=Fraction(1)).guess_probability() == pytest.approx(1 / (1 + np.exp(-1)))
    assert Cost().guess_probability() == pytest.approx(0.5)
    mixed = Cost(Fraction(1, 4), Fraction(1)).guess_probability()
    assert of_mu(0.5).guess_probability() < mixed < 1


LIMIT = Limit(Fraction(1), Fraction("1e-6"))

PURE = Cost(pure=Fraction("0.4"))


def gaussian(epsilon: str) -> Cost:
    return Cost(mu2=planned_mu2(Fraction(epsilon), LIMIT.delta))


def test_pure_noise_may_come_first():
    spent = Spending.of([PURE, PURE])
    assert spent.fits(LIMIT)
    assert spent.pure_left(LIMIT) == Fraction("0.2")
    assert spent.after(gaussian("0.2")).fits(LIMIT)
    assert not spent.after(gaussian("0.21")).fits(LIMIT)


def test_pure_noise_after_gaussian_noise_takes_what_was_set_aside():
    spent = Spending.of([gaussian("0.1"), PURE])
    assert not spent.fits(LIMIT)
    aside = Limit(LIMIT.epsilon, LIMIT.delta, Fraction("0.4"))
    assert spent.fits(aside)
    assert not spent.after(Cost(pure=Fraction(1, 10**9))).fits(aside)
    # It is set aside whether or not it is used.
    assert not Spending.of([gaussian("0.61")]).fits(aside)
    assert Spending.of([gaussian("0.6")]).fits(aside)


@pytest.mark.parametrize("costs", [[], [PURE], [gaussian("0.3")], [PURE, gaussian("0.2")]])
def test_what_is_left_fits_and_more_does_not(costs):
    spent = Spending.of(costs)
    left = spent.mu2_left(LIMIT)
    assert left > 0
    assert spent.after(Cost(mu2=left)).fits(LIMIT)
    assert not spent.after(Cost(mu2=left * (1 + Fraction(1, 10**12)))).fits(LIMIT)
    pure = spent.pure_left(LIMIT)
    assert spent.after(Cost(pure=pure)).fits(LIMIT)
    assert not spent.after(Cost(pure=pure + Fraction(1, 10**12))).fits(LIMIT)
