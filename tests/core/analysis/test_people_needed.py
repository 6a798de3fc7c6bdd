"""People that a plan needs: the search against a scan of all round numbers."""

import numpy as np
import pytest

from dpca_core.analysis.expected_spectrum import expected_spectrum
from dpca_core.analysis.people_needed import (
    MOST_NEEDED,
    ROUND_PEOPLE,
    Goal,
    PeopleSearch,
    people_needed,
)
from dpca_core.analysis.planned_reliability import (
    PlannedReleases,
    planned_reliability,
    relative_noise,
)
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.registry import DEFAULT
from dpca_core.privacy.budget import Budget

SHARES = expected_spectrum(1, (0.5, 0.2), 5)


def scanned(shares: Array, k: int, budget: Budget, goal: Goal) -> int:
    """Return the first of the round numbers, from the smallest, at which a plan holds."""
    for people in ROUND_PEOPLE:
        found = planned_reliability(DEFAULT, shares * people, k, budget)
        if found.first_held if goal is Goal.FIRST else found.all_held:
            return people
    raise AssertionError


@pytest.mark.parametrize("goal", Goal)
@pytest.mark.parametrize("epsilon", [0.5, 5.0])
def test_the_search_finds_what_a_scan_finds(goal: Goal, epsilon: float) -> None:
    budget = Budget(epsilon, 1e-6)
    found = people_needed(DEFAULT, SHARES, 2, budget, goal)
    assert found == scanned(SHARES, 2, budget, goal)


def test_round_numbers_rise() -> None:
    assert ROUND_PEOPLE[:9] == (1, 2, 3, 5, 7, 10, 15, 20, 30)
    assert ROUND_PEOPLE[-2:] == (7_000_000, MOST_NEEDED)
    assert (np.diff(ROUND_PEOPLE) > 0).all()


def test_more_than_ten_million_are_not_counted() -> None:
    close = expected_spectrum(1, (0.3000001, 0.3), 4)
    assert people_needed(DEFAULT, close, 1, Budget(0.01, 1e-6)) is None


def test_what_one_budget_has_shown_serves_the_others() -> None:
    """A search after others simulates less, and finds the same."""
    releases = PlannedReleases(DEFAULT, SHARES, 2)
    search = PeopleSearch(releases)

    def run(epsilon: float) -> tuple[int | None, int]:
        steps = search.steps(relative_noise(DEFAULT, 5, Budget(epsilon, 1e-6)), Goal.ALL)
        count = 0
        while True:
            try:
                next(steps)
            except StopIteration as end:
                return end.value, count
            count += 1

    _, first = run(0.1)
    found, second = run(1.0)
    assert second < first
    assert found == people_needed(DEFAULT, SHARES, 2, Budget(1.0, 1e-6))
