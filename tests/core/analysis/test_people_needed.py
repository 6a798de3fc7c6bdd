"""Inverse questions: the ε needed, the people needed; what a plan needs, against a scan.

How often the ε needed is right is in test_order_statistics.py.
"""

import numpy as np
import pytest

from dpca_core import MECHANISMS, Budget, Problem
from dpca_core.analysis.expected_spectrum import expected_spectrum
from dpca_core.analysis.needed_epsilon_and_people import (
    EpsilonNeeded,
    PeopleNeeded,
    people_needed,
    smallest_epsilon,
)
from dpca_core.analysis.people_needed import MOST_NEEDED, ROUND_PEOPLE, Goal
from dpca_core.analysis.people_needed import people_needed as people_planned
from dpca_core.analysis.planned_reliability import planned_reliability
from dpca_core.mechanisms.registry import DEFAULT
from dpca_core.metrics import quality

EPSILONS = (0.1, 1.0, 10.0)
SPIKED = Problem.from_moment(np.diag([900.0, 600.0, 300.0, 120.0, 60.0]), 2000, 2)


def about(epsilon: float | None) -> EpsilonNeeded:
    return EpsilonNeeded(epsilon, certain=False)


def surely(epsilon: float | None) -> EpsilonNeeded:
    return EpsilonNeeded(epsilon, certain=True)


def needed(key: str, budget: Budget, epsilon: EpsilonNeeded | None, **more: int) -> PeopleNeeded:
    return people_needed(
        MECHANISMS[key], SPIKED, budget, epsilon_needed=epsilon, target=0.9, **more
    )


def rows(shares: list[float], trials: int) -> np.ndarray:
    return np.repeat(np.array(shares)[:, None], trials, axis=1)


def answered(captured: np.ndarray, target: float) -> EpsilonNeeded:
    """The answer alone, without the estimate and the number of releases beside it."""
    found = smallest_epsilon(EPSILONS, captured, target)
    assert found.releases == captured.shape[-1]
    return EpsilonNeeded(found.epsilon, found.certain)


# --- The ε needed ---


def test_few_releases_give_an_estimate_and_29_a_stop_with_confidence() -> None:
    for trials, said in ((28, about), (29, surely)):
        captured = rows([0.4, 0.8, 1.0], trials)
        # 0.9 is half way from 0.8 to 1 between ε = 1 and 10: 10^0.5 = 3.162…
        assert answered(captured, 0.9) == said(3.2 if said is about else 10.0)
        assert answered(captured, 0.3) == said(0.1)
        assert answered(captured * 0.8, 0.9) == said(None)


@pytest.mark.parametrize(("trials", "missed"), [(29, 0), (60, 1), (200, 12)])
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


@pytest.mark.parametrize("trials", [20, 40])
def test_a_dip_after_the_target_and_refusals_count_as_misses(trials: int) -> None:
    refused = np.ones((3, trials))
    refused[:2, : trials * 3 // 20] = np.nan  # 15 % refused: not 9 of 10
    for captured in (rows([0.95, 0.5, 1.0], trials), refused):
        assert (smallest_epsilon(EPSILONS, captured, 0.9).epsilon or 0) > 1


# --- The people needed ---


@pytest.mark.parametrize("key", ["gaussian", "laplace", "wishart_difference"])
def test_people_needed_by_rescaling_is_what_releases_say(key: str) -> None:
    """At the n found, noise over n equals that at the ε needed: same draws, same captured share."""
    budget, enough = Budget(0.02, 1e-6), Budget(0.5, 1e-6)
    found, guess = needed(key, budget, surely(0.5)), needed(key, budget, about(0.5))
    assert (found.certain, guess.certain) == (True, False), "as the ε it follows from"
    assert found.n == guess.n
    assert found.n is not None
    assert found.n > SPIKED.n
    scaled = SPIKED.scaled(found.n)
    there = MECHANISMS[key].release(scaled, budget, np.random.default_rng(0), 200).bases
    here = MECHANISMS[key].release(SPIKED, enough, np.random.default_rng(0), 200).bases
    np.testing.assert_allclose(
        quality(scaled, there).captured, quality(SPIKED, here).captured, atol=2e-3
    )


@pytest.mark.chance(1e-7)
def test_people_needed_where_the_mechanism_may_refuse() -> None:
    """Gap release: nearly all releases keep the target at 1.3·n, hardly any at 0.7·n.

    n is read from 200 trials, at which 0.876 of all keep it; 0.02 do at 0.7·n.
    """
    budget = Budget(0.3, 1e-6)
    found = needed("gap_release", budget, surely(1.0), trials=200)
    assert not found.certain, "counted on scaled spectra: an estimate"
    assert found.n is not None
    kept = []
    for factor in (0.7, 1.3):
        scaled = SPIKED.scaled(found.n * factor)
        release = MECHANISMS["gap_release"].release(scaled, budget, np.random.default_rng(5), 400)
        kept.append(np.mean(np.nan_to_num(quality(scaled, release.bases).captured) >= 0.9))
    assert kept[0] < 0.5
    assert kept[1] > 0.9


def test_where_no_number_of_people_helps_there_is_none() -> None:
    """Neither for a random subspace nor without a feasible budget nor without an ε."""
    assert needed("random_projection", Budget(1.0, 1e-6), None).n is None
    assert needed("gaussian", Budget(1.0), surely(0.5)) == PeopleNeeded(None, certain=False)
    assert needed("gaussian", Budget(0.02, 1e-6), surely(None)).n is None


# --- The people that a plan needs ---

SHARES = expected_spectrum(1, (0.5, 0.2), 5)


@pytest.mark.parametrize("goal", Goal)
def test_the_search_finds_what_a_scan_finds(goal: Goal) -> None:
    budget = Budget(1.0, 1e-6)
    for people in ROUND_PEOPLE:
        found = planned_reliability(DEFAULT, SHARES * people, 2, budget)
        if found.first_held if goal is Goal.FIRST else found.all_held:
            break
    assert people_planned(DEFAULT, SHARES, 2, budget, goal) == people


def test_people_are_round_numbers_up_to_ten_million() -> None:
    assert ROUND_PEOPLE[:9] == (1, 2, 3, 5, 7, 10, 15, 20, 30)
    assert ROUND_PEOPLE[-1] == MOST_NEEDED == 10_000_000
    assert (np.diff(ROUND_PEOPLE) > 0).all()
    close = expected_spectrum(1, (0.3000001, 0.3), 4)
    assert people_planned(DEFAULT, close, 1, Budget(0.01, 1e-6)) is None
