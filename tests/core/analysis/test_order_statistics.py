"""What a sample promises of all releases: ranks by scipy's binomial law."""

import numpy as np
import pytest
from scipy.stats import binom

from dpca_core.analysis import order_statistics as ranks


@pytest.mark.parametrize(("share", "least"), [(0.5, 5), (0.9, 29), (0.95, 59)])
def test_the_lower_bound_is_the_last_that_holds_in_95_percent_of_samples(share, least):
    """The r-th smallest of T holds where at least r fall short of what the share reaches."""
    assert ranks.fewest(share) == least
    for trials in (least, 100, 200):
        values = np.random.default_rng(0).permutation(trials).astype(float)
        rank = int(ranks.lower_bound(values, share)) + 1
        assert binom.sf(rank - 1, trials, 1 - share) >= 0.95 > binom.sf(rank, trials, 1 - share)
        values[:rank] = np.nan
        assert ranks.lower_bound(values, share) is None, "so many refused"
    for too_few in (least - 1, 0):
        assert ranks.lower_bound(np.ones(too_few), share) is None
    for all_or_none in (1.0, 0.0):
        with pytest.raises(ValueError, match="below 1"):
            ranks.fewest(all_or_none)


@pytest.mark.parametrize("trials", [10, 29, 200])
def test_kept_by_is_the_lower_bound_at_every_point(trials):
    rng = np.random.default_rng(2)
    values = rng.random((50, trials)).round(1)
    values[rng.random(values.shape) < 0.02] = np.nan
    for target in (0.0, 0.1, 0.2):
        bounds = [ranks.lower_bound(row, 0.9) for row in values]
        expected = [bound is not None and bound >= target for bound in bounds]
        np.testing.assert_array_equal(ranks.kept_by(values, target), expected)


@pytest.mark.parametrize("trials", [41, 6, 20, 200])
def test_the_median_lies_within_in_95_percent_of_samples(trials):
    """Unless fewer than r of T values lie on one side of it: the narrowest such limits."""
    low, high = ranks.median_interval(np.arange(trials, 0.0, -1))
    assert low + high == trials + 1
    assert binom.cdf(low - 1, trials, 0.5) <= 0.025 < binom.cdf(low, trials, 0.5)
    refused = np.where(np.arange(20) < 6, np.nan, np.arange(20.0))
    assert ranks.median_interval(refused) == (-np.inf, 14)
    assert ranks.median_interval(np.ones(5)) is None


@pytest.mark.parametrize("among", [1, 12, 50])
def test_better_is_beyond_the_intervals_of_both_medians_wider_among_many(among):
    """The limits are the r-th of 40 values from below and from above; at 95 % r = 14."""
    low, error = np.arange(40.0), 0.05 / among
    rank = int(binom.ppf(error / 2, 40, 0.5))
    assert 2 * binom.cdf(rank - 1, 40, 0.5) <= error < 2 * binom.cdf(rank, 40, 0.5)
    apart = 41 - 2 * rank
    assert ranks.better(low + apart + 0.5, low, among=among)
    assert not ranks.better(low + apart, low, among=among)
    assert not ranks.better(np.ones(5), np.zeros(5)), "too few to tell"
    assert not ranks.better(np.full(40, np.nan), np.zeros(40))
    assert ranks.better(np.zeros(40), np.full(40, np.nan))


def test_a_median_within_the_margin_of_chance_is_no_better():
    values = np.arange(40.0)
    assert ranks.no_better_than_chance(values, 13 - 0.03), "the 14th is 13"
    assert not ranks.no_better_than_chance(values, 13 - 0.031)
