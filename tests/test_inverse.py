"""Inverse questions: 19 of 20 releases, the ε needed, the people needed."""

import numpy as np
import pytest
from scipy.stats import binom

from dpca_core import MECHANISMS, Budget, Problem
from dpca_core.inverse import lower_bound, people_needed, round_up, smallest_epsilon
from dpca_core.metrics import quality


def spiked(k: int = 2) -> Problem:
    return Problem.from_moment(np.diag([900.0, 600.0, 300.0, 120.0, 60.0]), 2000, k)


@pytest.mark.parametrize(("trials", "rank"), [(59, 1), (100, 2), (200, 5)])
def test_rank_of_the_lower_bound(trials: int, rank: int) -> None:
    """The rank is the last whose binomial tail is at least 95 % (scipy's own binomial law)."""
    values = np.random.default_rng(0).permutation(trials).astype(float)
    assert lower_bound(values) == rank - 1
    assert binom.sf(rank - 1, trials, 0.05) >= 0.95 > binom.sf(rank, trials, 0.05)


def test_too_few_releases_promise_nothing() -> None:
    assert lower_bound(np.ones(58)) is None
    assert lower_bound(np.where(np.arange(200) < 12, np.nan, 1.0)) is None


def test_lower_bound_holds_as_often_as_it_says() -> None:
    """P(bound ≤ true 5 % point) ≥ 0.95; 4000 repetitions, below 0.935 in < 1e-5 of runs."""
    draws = np.random.default_rng(1).random((4000, 200))
    holds = np.mean([lower_bound(row) <= 0.05 for row in draws])  # type: ignore[operator]
    assert 0.935 < holds < 0.99


def test_smallest_epsilon_interpolates_and_rounds_up() -> None:
    epsilons = (0.1, 1.0, 10.0)
    captured = np.repeat([[0.4], [0.8], [1.0]], 20, axis=1)
    # 0.9 is half way from 0.8 to 1 between ε = 1 and 10: 10^0.5 = 3.162…
    assert smallest_epsilon(epsilons, captured, 0.9) == 3.2
    assert smallest_epsilon(epsilons, captured, 0.3) == 0.1
    assert smallest_epsilon(epsilons, captured * 0.8, 0.9) is None


def test_a_dip_after_the_target_counts_as_a_miss() -> None:
    captured = np.repeat([[0.95], [0.5], [1.0]], 20, axis=1)
    assert smallest_epsilon((0.1, 1.0, 10.0), captured, 0.9) > 1  # type: ignore[operator]


def test_refusals_count_as_misses() -> None:
    captured = np.ones((2, 20))
    captured[0, :3] = np.nan  # 15 % refused: not 9 of 10
    assert smallest_epsilon((1.0, 2.0), captured, 0.9) > 1.0  # type: ignore[operator]


@pytest.mark.parametrize(("value", "up"), [(0.0881, 0.089), (3.0, 3.0), (12345, 13000), (0.1, 0.1)])
def test_round_up(value: float, up: float) -> None:
    assert round_up(value) == pytest.approx(up, rel=1e-12)


@pytest.mark.parametrize("key", ["gaussian", "laplace", "wishart_difference"])
def test_people_needed_by_rescaling_is_what_releases_say(key: str) -> None:
    """At the n found, noise over n equals that at the ε needed: same draws, same captured share."""
    problem, mechanism = spiked(), MECHANISMS[key]
    budget, enough = Budget(0.02, 1e-6), Budget(0.5, 1e-6)
    n = people_needed(mechanism, problem, budget, epsilon_needed=0.5, target=0.9)
    assert n is not None
    assert n > problem.n
    scaled = problem.scaled(n)
    there = mechanism.release(scaled, budget, np.random.default_rng(0), 200).bases
    here = mechanism.release(problem, enough, np.random.default_rng(0), 200).bases
    np.testing.assert_allclose(
        quality(scaled, there).captured, quality(problem, here).captured, atol=2e-3
    )


def test_people_needed_where_the_mechanism_may_refuse() -> None:
    """Gap release: at the n found 9 of 10 releases keep the target, at 0.9·n they don't."""
    problem, mechanism, budget = spiked(), MECHANISMS["gap_release"], Budget(0.3, 1e-6)
    n = people_needed(mechanism, problem, budget, epsilon_needed=None, target=0.9, trials=200)
    assert n is not None
    kept = []
    for factor in (0.9, 1.0):
        scaled = problem.scaled(n * factor)
        release = mechanism.release(scaled, budget, np.random.default_rng(5), 400)
        good = np.nan_to_num(quality(scaled, release.bases).captured) >= 0.9
        kept.append(good.mean())
    # 400 releases: the share's standard deviation is 0.015 at 0.9.
    assert kept[0] < 0.9
    assert kept[1] > 0.9 - 0.06


def test_no_number_of_people_helps_a_random_subspace() -> None:
    random = MECHANISMS["random_projection"]
    found = people_needed(random, spiked(), Budget(1.0, 1e-6), epsilon_needed=None, target=0.99)
    assert found is None


def test_an_infeasible_budget_needs_no_number() -> None:
    gaussian = MECHANISMS["gaussian"]
    assert people_needed(gaussian, spiked(), Budget(1.0), epsilon_needed=0.5, target=0.9) is None
