"""Inverse questions: the ε needed, the people needed. What an ε is worth: test_order_statistics."""

import numpy as np
import pytest

from dpca_core import MECHANISMS, Budget, Problem
from dpca_core.analysis.needed_epsilon_and_people import (
    EpsilonNeeded,
    PeopleNeeded,
    people_needed,
    round_up,
    smallest_epsilon,
)
from dpca_core.metrics import quality


def spiked(k: int = 2) -> Problem:
    return Problem.from_moment(np.diag([900.0, 600.0, 300.0, 120.0, 60.0]), 2000, k)


EPSILONS = (0.1, 1.0, 10.0)


def about(epsilon: float | None) -> EpsilonNeeded:
    return EpsilonNeeded(epsilon, certain=False)


def surely(epsilon: float | None) -> EpsilonNeeded:
    return EpsilonNeeded(epsilon, certain=True)


def rows(shares: list[float], trials: int) -> np.ndarray:
    return np.repeat(np.array(shares)[:, None], trials, axis=1)


def answered(captured: np.ndarray, target: float) -> EpsilonNeeded:
    """The answer alone, without the estimate and the number of releases beside it."""
    found = smallest_epsilon(EPSILONS, captured, target)
    assert found.releases == captured.shape[-1]
    return EpsilonNeeded(found.epsilon, found.certain)


def test_few_releases_give_an_estimate_between_the_stops() -> None:
    captured = rows([0.4, 0.8, 1.0], 28)
    # 0.9 is half way from 0.8 to 1 between ε = 1 and 10: 10^0.5 = 3.162…
    assert answered(captured, 0.9) == about(3.2)
    assert answered(captured, 0.3) == about(0.1)
    assert answered(captured * 0.8, 0.9) == about(None)


@pytest.mark.parametrize("trials", [29, 200])
def test_enough_releases_give_a_stop_and_a_confidence(trials: int) -> None:
    captured = rows([0.4, 0.8, 1.0], trials)
    assert answered(captured, 0.9) == surely(10.0)
    assert answered(captured, 0.3) == surely(0.1)
    assert answered(captured * 0.8, 0.9) == surely(None)


@pytest.mark.parametrize(("trials", "missed"), [(29, 0), (40, 0), (60, 1), (200, 12)])
def test_so_many_releases_may_miss(trials: int, missed: int) -> None:
    """Of 200 not 20, which is 9 of 10 of the sample, but 12."""
    captured = rows([0.0, 0.95, 0.95], trials)
    captured[1, :missed] = 0.89
    assert answered(captured, 0.9) == surely(1.0)
    captured[1, missed] = np.nan
    assert answered(captured, 0.9) == surely(10.0)


def test_an_estimate_stands_beside_the_certain_answer() -> None:
    """13 of 200 miss at 1: the sample keeps it in 9 of 10 there, but that is not certain."""
    captured = rows([0.5, 1.0, 1.0], 200)
    captured[1, :13] = 0.5
    found = smallest_epsilon(EPSILONS, captured, 0.9)
    assert (found.epsilon, found.certain, found.releases) == (10.0, True, 200)
    assert found.estimate is not None
    assert 0.1 < found.estimate <= 1.0
    assert (found.is_sure_at(1.0), found.is_estimated_at(1.0)) == (False, True)
    assert (found.is_sure_at(10.0), found.is_estimated_at(10.0)) == (True, True)
    assert found.stated is found
    assert found.as_estimate.stated.epsilon == found.estimate
    assert not found.as_estimate.is_sure_at(10.0)


def test_what_is_not_certain_anywhere_is_stated_as_an_estimate() -> None:
    captured = rows([0.5, 0.95, 0.95], 40)
    captured[2, 0] = 0.5  # one miss of 40 in the last stop is one too many to be certain
    found = smallest_epsilon(EPSILONS, captured, 0.9)
    assert found.epsilon is None
    assert found.stated.epsilon == found.estimate
    assert not found.stated.certain
    problem, budget = spiked(), Budget(1.0, 1e-6)
    people = people_needed(
        MECHANISMS["gaussian"], problem, budget, epsilon_needed=found, target=0.9
    )
    assert people.n is not None
    assert not people.certain


@pytest.mark.parametrize("trials", [29, 40, 100, 200])
def test_an_estimate_is_never_above_the_certain_answer(trials: int) -> None:
    rng = np.random.default_rng(trials)
    epsilons, compared = np.geomspace(0.01, 100, 13).round(2), 0
    for _ in range(200):
        captured = rng.beta(np.linspace(2, 60, 13)[:, None], 2.0, (13, trials))
        found = smallest_epsilon(tuple(epsilons), captured, 0.85)
        if found.epsilon is not None:
            assert found.estimate is not None
            assert found.estimate <= found.epsilon
            compared += 1
    assert compared > 100


@pytest.mark.parametrize("trials", [20, 40])
def test_a_dip_after_the_target_counts_as_a_miss(trials: int) -> None:
    found = smallest_epsilon(EPSILONS, rows([0.95, 0.5, 1.0], trials), 0.9)
    assert found.epsilon is not None
    assert found.epsilon > 1


@pytest.mark.parametrize("trials", [20, 40])
def test_refusals_count_as_misses(trials: int) -> None:
    captured = np.ones((2, trials))
    captured[0, : trials * 3 // 20] = np.nan  # 15 % refused: not 9 of 10
    found = smallest_epsilon((1.0, 2.0), captured, 0.9)
    assert found.epsilon is not None
    assert found.epsilon > 1


@pytest.mark.parametrize(("value", "up"), [(0.0881, 0.089), (3.0, 3.0), (12345, 13000), (0.1, 0.1)])
def test_round_up(value: float, up: float) -> None:
    assert round_up(value) == pytest.approx(up, rel=1e-12)


@pytest.mark.parametrize("key", ["gaussian", "laplace", "wishart_difference"])
def test_people_needed_by_rescaling_is_what_releases_say(key: str) -> None:
    """At the n found, noise over n equals that at the ε needed: same draws, same captured share."""
    problem, mechanism = spiked(), MECHANISMS[key]
    budget, enough = Budget(0.02, 1e-6), Budget(0.5, 1e-6)
    found = people_needed(mechanism, problem, budget, epsilon_needed=surely(0.5), target=0.9)
    assert found.certain
    n = found.n
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
    found = people_needed(
        mechanism, problem, budget, epsilon_needed=surely(1.0), target=0.9, trials=200
    )
    assert not found.certain, "counted on scaled spectra: an estimate"
    n = found.n
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
    assert found.n is None


def test_an_infeasible_budget_needs_no_number() -> None:
    gaussian = MECHANISMS["gaussian"]
    found = people_needed(gaussian, spiked(), Budget(1.0), epsilon_needed=surely(0.5), target=0.9)
    assert found == PeopleNeeded(None, certain=False)


def test_people_are_as_certain_as_the_epsilon_they_follow_from() -> None:
    problem, gaussian, budget = spiked(), MECHANISMS["gaussian"], Budget(0.02, 1e-6)
    sure, guess, none, unknown = (
        people_needed(gaussian, problem, budget, epsilon_needed=needed, target=0.9)
        for needed in (surely(0.5), about(0.5), surely(None), None)
    )
    assert (sure.certain, guess.certain) == (True, False)
    assert sure.n == guess.n
    assert none.n is unknown.n is None
