"""Limits of probabilities, and the epsilon that an audit can be expected to show."""

from math import exp, inf, sqrt

import numpy as np
import pytest
from scipy.stats import binom, binomtest

from dpca_core import (
    MECHANISMS,
    Budget,
)
from dpca_core.audit.epsilon_bounds import (
    clopper_pearson_lower,
    clopper_pearson_upper,
    expected_lower_bound,
    smallest_detectable_epsilon,
)
from dpca_core.mechanisms.gaussian import Gaussian
from tests.core.audit.audited import audited

# --- Clopper–Pearson limits ---


@pytest.mark.parametrize("trials", [1, 7, 1000])
def test_limits_are_those_of_scipy(trials):
    for successes in {0, 1, trials // 3, trials - 1, trials}:
        interval = binomtest(successes, trials).proportion_ci(0.95, "exact")
        limits = (
            clopper_pearson_lower(successes, trials, 0.975),
            clopper_pearson_upper(successes, trials, 0.975),
        )
        assert limits == pytest.approx((interval.low, interval.high), rel=1e-9, abs=1e-12)


def test_limits_hold_with_their_level_at_every_probability():
    trials, level = 40, 0.95
    counts = np.arange(trials + 1)
    lower = clopper_pearson_lower(counts, trials, level)
    upper = clopper_pearson_upper(counts, trials, level)
    for p in np.linspace(0.001, 0.999, 499):
        chances = binom.pmf(counts, trials, p)
        assert chances[lower > p].sum() <= 1 - level
        assert chances[upper < p].sum() <= 1 - level


# --- What so many releases can show ---


def coin(epsilon, delta, tested, rng, audits):
    """How often the leakiest mechanism shows something, and what on average: binomial counts."""
    wrong = (1 - delta) / (1 + exp(epsilon))
    accusations = rng.binomial(tested, [[1 - wrong], [wrong]], (2, audits))
    lower = clopper_pearson_lower(accusations[0], tested, 0.975)
    upper = clopper_pearson_upper(accusations[1], tested, 0.975)
    return (lower - delta > upper).mean()


@pytest.mark.parametrize(
    ("tested", "delta"), [(200, 0.0), (2000, 1e-6), (2000, 0.05), (50_000, 0.0)]
)
def test_below_the_least_epsilon_nothing_is_to_be_expected(tested, delta):
    """10,000 audits: half show something there, few at half of it, most at twice."""
    least, rng = smallest_detectable_epsilon(tested, delta, 0.95), np.random.default_rng(3)
    assert coin(least, delta, tested, rng, 10_000) == pytest.approx(0.5, abs=0.06)
    assert coin(least / 2, delta, tested, rng, 10_000) < 0.2
    assert coin(2 * least, delta, tested, rng, 10_000) > 0.9


def test_the_least_epsilon_falls_with_the_releases():
    found = [
        smallest_detectable_epsilon(tested, 0.0, 0.95) for tested in (1, 500, 2000, 10_000, 50_000)
    ]
    assert found[0] == inf
    assert found[1:] == pytest.approx([0.180, 0.0887, 0.0394, 0.0176], rel=0.01)
    assert smallest_detectable_epsilon(2000, 0.0, 0.999) > found[2]


def test_what_gaussian_noise_shows_is_what_is_expected_of_it():
    """Ten audits at either δ: their mean within four standard errors."""
    for delta in (0.01, 1e-6):
        budget = Budget(1.0, delta)
        audits = [audited(Gaussian(), budget, 2, 1, releases=4000, seed=seed) for seed in range(10)]
        shown = [found.epsilon_lower for found in audits]
        error = 4 * np.std(shown, ddof=1) / sqrt(10)
        assert error < 0.2
        assert audits[0].expected_lower_bound == pytest.approx(np.mean(shown), abs=error)
        assert any(found.is_optimal for found in audits)


def test_what_tells_all_shows_as_much_as_its_releases_allow():
    found = audited(MECHANISMS["non_private"], Budget(1.0, 0.01), releases=1000)
    assert found.expected_lower_bound == pytest.approx(found.epsilon_lower)
    refuted = audited(MECHANISMS["wishart_sn"], Budget(1.0), releases=4000)
    assert refuted.expected_lower_bound == pytest.approx(refuted.epsilon_lower, abs=0.2)
    assert expected_lower_bound(refuted.guarantee, 2000, 1.0, 0.95) == 0
