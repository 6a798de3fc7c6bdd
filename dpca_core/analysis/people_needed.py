"""How many people a plan would need, as a round number: found by simulation, not by a bound."""

from collections.abc import Callable, Generator
from enum import StrEnum

import numpy as np

from dpca_core.analysis.planned_reliability import (
    PlannedReleases,
    PlannedReliability,
    relative_noise,
)
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.base import Mechanism
from dpca_core.privacy.budget import Budget

ROUND_STEPS = (1, 1.5, 2, 3, 5, 7)
"""Round numbers of a decade."""

MOST_NEEDED = 10_000_000
"""Above it the answer is "more than 10 million"."""

_NUMBERS = (step * 10**decade for decade in range(7) for step in ROUND_STEPS)
ROUND_PEOPLE = (*(int(n) for n in _NUMBERS if n == int(n)), MOST_NEEDED)
"""Numbers of people that an answer may name."""


class Goal(StrEnum):
    """What people are needed for."""

    FIRST = "the first direction"
    ALL = "all directions"


class PeopleSearch:
    """Looks for the smallest round number of people at which plans with the same shares hold.

    What one budget has shown serves the others: a plan holds where its noise over people is at
    most one at which it held, and fails where it is at least one at which it failed.

    Parameters
    ----------
    releases
        Simulated releases, whose results are shared.
    """

    def __init__(self, releases: PlannedReleases) -> None:
        self._releases = releases
        self._held = dict.fromkeys(Goal, 0.0)
        self._failed = dict.fromkeys(Goal, np.inf)

    def steps(self, scale: float, goal: Goal) -> Generator[None, None, int | None]:
        """Search for a noise on S of this scale, in people, a short step at a time.

        Returns
        -------
        int or None
            A number of ``ROUND_PEOPLE``; None where even the largest is not enough.
        """
        low, high = 0, len(ROUND_PEOPLE)
        while low < high:
            middle = (low + high) // 2
            noise = scale / ROUND_PEOPLE[middle]
            if not self._held[goal] < noise < self._failed[goal]:
                holds = noise <= self._held[goal]
            else:
                yield from self._releases.steps_at(noise)
                self._note(noise)
                holds = noise <= self._held[goal]
            low, high = (low, middle) if holds else (middle + 1, high)
        return ROUND_PEOPLE[low] if low < len(ROUND_PEOPLE) else None

    def _note(self, noise: float) -> None:
        found = self._releases.at(noise)
        assert found is not None
        for goal, holds in _HOLDS.items():
            if holds(found):
                self._held[goal] = max(self._held[goal], noise)
            else:
                self._failed[goal] = min(self._failed[goal], noise)


def people_needed(
    mechanism: Mechanism, shares: Array, k: int, budget: Budget, goal: Goal = Goal.ALL
) -> int | None:
    """Return the smallest round number of people at which the goal is reached.

    Parameters
    ----------
    mechanism
        One that publishes a noisy matrix.
    shares
        (d,) of the eigenvalues, descending, sum 1.
    k
        Directions kept.

    Returns
    -------
    int or None
        A number of ``ROUND_PEOPLE``; None where even the largest is not enough.

    Raises
    ------
    InfeasibleBudget
        Where the mechanism has no noise level for the budget.
    """
    search = PeopleSearch(PlannedReleases(mechanism, shares, k))
    scale = relative_noise(mechanism, len(shares), budget)
    return _result(search.steps(scale, goal))


def _result(steps: Generator[None, None, int | None]) -> int | None:
    try:
        while True:
            next(steps)
    except StopIteration as end:
        found: int | None = end.value
        return found


def _first_held(found: PlannedReliability) -> bool:
    return found.first_held


def _all_held(found: PlannedReliability) -> bool:
    return found.all_held


_HOLDS: dict[Goal, Callable[[PlannedReliability], bool]] = {
    Goal.FIRST: _first_held,
    Goal.ALL: _all_held,
}
