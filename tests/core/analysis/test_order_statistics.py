"""What a sample promises of all releases: ranks by scipy's binomial law, and coverage."""

import numpy as np
import pytest
from scipy.stats import binom

from dpca_core.analysis.order_statistics import (
    better,
    fewest,
    kept_by,
    lower_bound,
    median_interval,
    no_better_than_chance,
    quantiles,
)


@pytest.mark.parametrize("share", [0.5, 0.9, 0.95])
@pytest.mark.parametrize("trials", [59, 100, 200])
def test_the_lower_bound_is_the_last_that_holds_in_95_percent_of_samples(trials, share):
    """The r-th smallest holds where at least r of T fall short of what the share reaches."""
    values = np.random.default_rng(0).permutation(trials).astype(float)
    rank = int(lower_bound(values, share)) + 1
    assert binom.sf(rank - 1, trials, 1 - share) >= 0.95 > binom.sf(rank, trials, 1 - share)
    values[:rank] = np.nan
    assert lower_bound(values, share) is None, "so many refused"


@pytest.mark.parametrize(("share", "trials"), [(0.9, 29), (0.95, 59), (0.5, 5)])
def test_the_fewest_releases_that_promise_anything(share, trials):
    """.9²⁸ = .0523 > .05 ≥ .9²⁹ = .0471."""
    assert fewest(share) == trials
    assert lower_bound(np.ones(trials), share) == 1
    for too_few in (trials - 1, 0):
        assert lower_bound(np.ones(too_few), share) is None
    for all_or_none in (1.0, 0.0):
        with pytest.raises(ValueError, match="below 1"):
            fewest(all_or_none)


@pytest.mark.parametrize("trials", [10, 29, 200])
def test_kept_by_is_the_lower_bound_at_every_point(trials):
    rng = np.random.default_rng(2)
    values = rng.random((50, trials)).round(1)
    values[rng.random(values.shape) < 0.02] = np.nan
    for target in (0.0, 0.1, 0.2):
        bounds = [lower_bound(row, 0.9) for row in values]
        expected = [bound is not None and bound >= target for bound in bounds]
        np.testing.assert_array_equal(kept_by(values, target), expected)


@pytest.mark.parametrize("trials", [41, 6, 20, 200])
def test_the_median_lies_within_in_95_percent_of_samples(trials):
    """Unless fewer than r of T values lie on one side of it: the narrowest such limits."""
    low, high = median_interval(np.arange(trials, 0.0, -1))
    assert low + high == trials + 1
    assert binom.cdf(low - 1, trials, 0.5) <= 0.025 < binom.cdf(low, trials, 0.5)
    refused = np.where(np.arange(20) < 6, np.nan, np.arange(20.0))
    assert median_interval(refused) == (-np.inf, 14)
    assert median_interval(np.ones(5)) is None


@pytest.mark.chance(1e-7)
def test_equals_are_seldom_called_better():
    """1000 times the best of 12 rivals with the same law: an error in at most 5 % (10⁻⁷)."""
    rng, wrong = np.random.default_rng(4), 0
    for _ in range(1000):
        own, *others = rng.random((13, 40))
        best = max(others, key=lambda values: float(np.median(values)))
        wrong += better(best, own, among=12)
    assert wrong <= binom.isf(1e-7, 1000, 0.05)


def test_the_best_of_many_must_be_better_by_more():
    """40 values: the limits at 95 % are the 14th and 27th, at 99.9 % the 10th and 31st."""
    low = np.arange(40.0)
    for among, apart in ((1, 13), (50, 21)):
        assert better(low + apart + 0.5, low, among=among)
        assert not better(low + apart - 0.5, low, among=among)
    assert not better(np.ones(5), np.zeros(5)), "too few to tell"
    assert not better(np.full(40, np.nan), np.zeros(40))
    assert better(np.zeros(40), np.full(40, np.nan))
    assert no_better_than_chance(low, 13 - 0.03), "the 14th is 13"
    assert not no_better_than_chance(low, 13 - 0.031)


def test_quantiles_are_those_of_the_finite_values():
    values = np.array([[3.0, np.nan, 1.0, 2.0], [5.0, 5.0, np.nan, np.nan], [np.nan] * 4])
    expected = np.nanquantile(values[:2], [0.1, 0.5], axis=1)
    np.testing.assert_allclose(quantiles(values, (0.1, 0.5))[:, :2], expected)
    assert np.isnan(quantiles(values, (0.1, 0.5))[:, 2]).all()
