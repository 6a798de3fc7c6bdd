"""What a sample promises of all releases: ranks, coverage, and the search for the ε needed."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import binom

from dpca_core.analysis.needed import smallest_epsilon
from dpca_core.analysis.order_statistics import (
    better,
    fewest,
    kept_by,
    lower_bound,
    median_interval,
)
from tests.cases import sampled
from ui.state.slider_stops import EPSILON_STOPS

STUDIES = 1500


# --- One sample ---


@pytest.mark.parametrize("share", [0.5, 0.9, 0.95])
@pytest.mark.parametrize("trials", [59, 100, 200])
def test_rank_of_the_lower_bound(trials: int, share: float) -> None:
    """The rank is the last whose binomial tail is at least 95 % (scipy's own binomial law)."""
    values = np.random.default_rng(0).permutation(trials).astype(float)
    rank = int(lower_bound(values, share)) + 1
    assert binom.sf(rank - 1, trials, 1 - share) >= 0.95 > binom.sf(rank, trials, 1 - share)
    values[:rank] = np.nan
    assert lower_bound(values, share) is None, "so many refused"


@pytest.mark.parametrize(("share", "trials"), [(0.9, 29), (0.95, 59), (0.5, 5)])
def test_the_fewest_releases_that_promise_anything(share: float, trials: int) -> None:
    """.9²⁸ = .0523 > .05 ≥ .9²⁹ = .0471."""
    assert fewest(share) == trials
    assert share ** (trials - 1) > 0.05 >= share**trials
    assert lower_bound(np.ones(trials), share) == 1
    for too_few in (trials - 1, 0):
        assert lower_bound(np.ones(too_few), share) is None


@pytest.mark.parametrize("share", [1.0, 0.0])
def test_no_number_of_releases_is_enough_for_all(share: float) -> None:
    with pytest.raises(ValueError, match="below 1"):
        fewest(share)


@pytest.mark.chance(1e-7)
def test_lower_bound_holds_as_often_as_it_says() -> None:
    """P(bound ≤ true 5 % point) ≥ 0.95 is known; 4000 repetitions within its 10⁻⁷ limits."""
    draws = np.random.default_rng(1).random((4000, 200))
    holds = sum(lower_bound(row, 0.95) <= 0.05 for row in draws)  # type: ignore[operator]
    low, high = binom.ppf([5e-8, 1 - 5e-8], 4000, binom.sf(4, 200, 0.05))
    assert low <= holds <= high


@pytest.mark.parametrize("trials", [10, 29, 200])
def test_kept_by_is_the_lower_bound_at_every_point(trials: int) -> None:
    rng = np.random.default_rng(2)
    values = rng.random((50, trials)).round(1)
    values[rng.random(values.shape) < 0.02] = np.nan
    for target in (0.0, 0.1, 0.2):
        bounds = [lower_bound(row, 0.9) for row in values]
        expected = [bound is not None and bound >= target for bound in bounds]
        np.testing.assert_array_equal(kept_by(values, target), expected)


# --- Medians ---


@pytest.mark.chance(1e-7)
@pytest.mark.parametrize("trials", sampled([41, 6, 20, 200], 4, "the same law of order"))
def test_the_median_lies_within_as_often_as_order_statistics_say(trials: int) -> None:
    """How often is binomial with a known probability of at least .95: its 10⁻⁷ limits."""
    draws = np.random.default_rng(3).standard_exponential((5000, trials))
    found = np.array([median_interval(row) for row in draws])
    held = ((found[:, 0] <= np.log(2)) & (np.log(2) <= found[:, 1])).sum()
    rank = int((found[0, 0] >= draws[0]).sum())
    often = 1 - 2 * binom.cdf(rank - 1, trials, 0.5)
    assert often >= 0.95 > 1 - 2 * binom.cdf(rank, trials, 0.5)
    low, high = binom.ppf([5e-8, 1 - 5e-8], 5000, often)
    assert low <= held <= high
    refused = np.where(np.arange(20) < 6, np.nan, np.arange(20.0))
    assert median_interval(refused) == (-np.inf, 14)
    assert median_interval(np.ones(5)) is None


@pytest.mark.chance(1e-7)
@pytest.mark.parametrize(
    ("rivals", "trials"), sampled([(12, 40), (1, 20), (1, 200)], 3, "the same with fewer rivals")
)
def test_equals_are_seldom_called_better(rivals: int, trials: int) -> None:
    """1000 times the best of some rivals with the same law: an error in at most 5 % (10⁻⁷)."""
    rng, wrong = np.random.default_rng(4), 0
    for _ in range(1000):
        own, *others = rng.random((1 + rivals, trials))
        best = max(others, key=lambda values: float(np.median(values)))
        wrong += better(best, own, among=rivals)
    assert wrong <= binom.isf(1e-7, 1000, 0.05)


def test_the_best_of_many_must_be_better_by_more() -> None:
    """40 values: the limits at 95 % are the 14th and 27th, at 99.9 % the 10th and 31st."""
    low = np.arange(40.0)
    assert better(low + 13.5, low)
    assert not better(low + 12.5, low)
    assert not better(low + 13.5, low, among=50)
    assert better(low + 21.5, low, among=50)
    assert not better(low + 20.5, low, among=50)
    assert not better(np.ones(5), np.zeros(5)), "too few to tell"
    assert not better(np.full(40, np.nan), np.zeros(40))
    assert better(np.zeros(40), np.full(40, np.nan))


# --- The search for the ε needed, in studies simulated from laws that are known exactly ---

LAWS = {
    "a plateau just short": [0.895] * 27 + [0.99] * 4,
    "up and down": [0.97, 0.89] * 13 + [0.895, 0.98, 0.96, 1, 1],
}
"""Share of releases that keep the target, stop by stop; stops share no randomness."""


@pytest.mark.chance(1e-7)
@pytest.mark.parametrize(
    ("trials", "name"),
    sampled(product([200, 29, 40, 60], LAWS), 2, "the same promise for another law or number"),
)
def test_nine_of_ten_releases_keep_the_target_at_the_answer(name: str, trials: int) -> None:
    """In 95 % of 1500 studies, the whole search included, and 95 % of them get an answer at 200.

    A study is wrong where it accepts the first stop below .9, which is .895: at 200 trials with
    probability P(Bin(200, .105) ≤ 12) = .019, at fewer with less, since the stops above it must be
    passed as well. More than 75 of 1500 are wrong in 10⁻¹³ of runs with a fresh seed. No answer at
    200 comes with probability below 10⁻³ a study.
    """
    truth = np.array(LAWS[name])
    rng, found = np.random.default_rng([21, trials]), []
    for _ in range(STUDIES):
        missed = rng.choice([0.5, np.nan], size=(len(truth), trials))
        kept = rng.random((len(truth), trials)) < truth[:, None]
        needed = smallest_epsilon(EPSILON_STOPS, np.where(kept, 0.95, missed), 0.9)
        assert needed.certain
        found.append(needed.epsilon)
    wrong = sum(e is not None and truth[EPSILON_STOPS.index(e)] < 0.9 for e in found)
    assert wrong <= 0.05 * STUDIES
    if trials == 200:
        assert sum(e is not None for e in found) >= 0.95 * STUDIES
