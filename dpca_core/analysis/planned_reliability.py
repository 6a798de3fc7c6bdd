"""Which directions a release can be expected to hold, before anything is computed from data.

Releases of diag(λ) plus the mechanism's noise are simulated, λ a spectrum that is expected
(``expected_spectrum``), and judged by the levels of ``reliability``. How far noise on S turns the
directions of diag(λ) depends on the shares λ/n and on noise over n alone (``relative_noise``): so
one simulation serves every budget and every number of people with that quotient.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dpca_core.analysis.order_statistics import fewest, lower_bound
from dpca_core.analysis.reliability import (
    EQUAL,
    RELEASES_JUDGED,
    SIMILAR,
    Reliabilities,
    Reliability,
    judged,
    simulated,
)
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.base import Mechanism
from dpca_core.mechanisms.family import Family
from dpca_core.privacy.budget import Budget
from dpca_core.problem import Problem
from dpca_core.runtime.offload import expected_seconds

MOST_PLANNED_COLUMNS = 2000
"""Columns up to which a plan is simulated."""

_SECONDS, _SECONDS_A_STEP = 2.0, 0.05
_SHARE, _CONFIDENCE = 0.9, 0.95
_REFERENCE = Budget(1.0, 1e-6)
"""Any budget would do: what counts is noise over people, and the people are chosen to fit."""


@dataclass(frozen=True)
class PlannedReliability:
    """What to expect of the directions of a release.

    Attributes
    ----------
    reliabilities
        Levels of the k directions.
    held, recognised
        Shares (k,) of the simulated releases whose direction i is within 18° of the true one
        (c ≥ .95), and within 32° (c ≥ .85).
    first_held, all_held
        Whether the first direction, and all k, are reliable: alone, or together with those of
        their neighbours that are not reliable alone.
    """

    reliabilities: Reliabilities
    held: tuple[float, ...]
    recognised: tuple[float, ...]
    first_held: bool
    all_held: bool


class PlannedReleases:
    """Simulated releases of diag(shares) with a mechanism's noise, at any noise over people.

    All noises share the randomness of each trial, so that more people never look worse by chance.

    Parameters
    ----------
    mechanism
        One that publishes a noisy matrix, with as much noise for any number of people.
    shares
        (d,), descending, sum 1.
    k
        Directions that are judged, 1 ≤ k < d.

    Raises
    ------
    ValueError
        Above ``MOST_PLANNED_COLUMNS``; for a local mechanism, whose noise grows with the people.
    """

    def __init__(self, mechanism: Mechanism, shares: Array, k: int, seed: int = 0) -> None:
        self.d = len(shares)
        if self.d > MOST_PLANNED_COLUMNS:
            raise ValueError(
                f"A plan is simulated for at most {MOST_PLANNED_COLUMNS:,} columns after coding, "
                f"not {self.d:,}; leave some out."
            )
        if mechanism.family is Family.LOCAL:
            raise ValueError(
                f"{mechanism.name} cannot be planned by noise over people, since its noise grows "
                "with the people; choose a mechanism with a curator."
            )
        self._mechanism, self._seed, self._k = mechanism, seed, k
        self._shares, self._axes = np.asarray(shares), np.eye(self.d)
        seconds = expected_seconds(self.d, mechanism.relative_cost)
        self.trials = int(np.clip(_SECONDS / seconds, fewest(_SHARE, _CONFIDENCE), RELEASES_JUDGED))
        """Releases at one noise: as many as levels need, fewer where columns are many."""
        self._at_once = max(1, int(_SECONDS_A_STEP / seconds))
        self._known: dict[float, PlannedReliability] = {}
        self._parts: dict[float, dict[int, Array]] = {}

    def at(self, noise: float) -> PlannedReliability | None:
        """Return what is known at a noise over people; None before it was simulated."""
        return self._known.get(noise)

    def steps_at(self, noise: float) -> Iterator[None]:
        """Simulate and judge the releases at a noise over people, a short step at a time.

        What was simulated stays: whoever breaks off goes on where it ended.
        """
        if noise in self._known:
            return
        people = relative_noise(self._mechanism, self.d, _REFERENCE) / noise
        problem = Problem.from_spectrum(self._shares * people, people, self._k, self._axes)
        parts = self._parts.setdefault(noise, {})
        for start in range(0, self.trials, self._at_once):
            if start not in parts:
                trials = range(start, min(start + self._at_once, self.trials))
                parts[start] = simulated(self._mechanism, problem, _REFERENCE, self._seed, trials)
                yield
        cosines = np.concatenate([parts[start] for start in sorted(parts)])
        self._known[noise] = judged_plan(problem, cosines, ordered=self._mechanism.publishes_matrix)
        self._parts.pop(noise, None)


def planned_reliability(
    mechanism: Mechanism, spectrum: Array, k: int, budget: Budget, seed: int = 0
) -> PlannedReliability:
    """Judge the first k directions of simulated releases of diag(spectrum).

    Parameters
    ----------
    mechanism
        One that publishes a noisy matrix.
    spectrum
        (d,) in people, descending, as of rows of length 1: it sums to the number of people.

    Raises
    ------
    InfeasibleBudget
        Where the mechanism has no noise level for the budget.
    ValueError
        Above ``MOST_PLANNED_COLUMNS``.
    """
    people = float(spectrum.sum())
    releases = PlannedReleases(mechanism, spectrum / people, k, seed)
    noise = relative_noise(mechanism, len(spectrum), budget) / people
    for _ in releases.steps_at(noise):
        pass
    found = releases.at(noise)
    assert found is not None
    return found


def relative_noise(mechanism: Mechanism, d: int, budget: Budget, people: float = 1.0) -> float:
    """Return the noise of a mechanism on S of so many people and d columns, divided by the people.

    Raises
    ------
    InfeasibleBudget
        Where the mechanism has no noise level for the budget.
    """
    flat = Problem.from_spectrum(np.full(d, people / d), people, 1)
    return mechanism.calibrate(flat, budget).scale / people


def judged_plan(problem: Problem, cosines: Array, *, ordered: bool) -> PlannedReliability:
    """Judge by the cosines (T, k, k) between true directions and released ones.

    Parameters
    ----------
    ordered
        ``Mechanism.publishes_matrix``.
    """
    found = judged(problem, cosines, ordered=ordered)
    alone = [d.level is Reliability.RELIABLE for d in found.directions]
    own = np.abs(np.diagonal(cosines, axis1=1, axis2=2))
    held, recognised = (tuple((own >= c).mean(axis=0).tolist()) for c in (EQUAL, SIMILAR))
    place = first = _end_of_block(cosines, alone, 0)
    while place is not None and place < len(alone):
        place = _end_of_block(cosines, alone, place)
    return PlannedReliability(found, held, recognised, first is not None, place is not None)


def _end_of_block(cosines: Array, alone: list[bool], start: int) -> int | None:
    """Return what follows the shortest reliable block from ``start``; None where there is none.

    A direction that is reliable alone is a block of its own and in no other.
    """
    if alone[start]:
        return start + 1
    for end in range(start + 1, len(alone)):
        if alone[end]:
            return None
        if _holds_together(cosines, start, end):
            return end + 1
    return None


def _holds_together(cosines: Array, first: int, last: int) -> bool:
    """Tell whether the span of neighbours is reliable by its smallest cosine."""
    block = cosines[:, first : last + 1, first : last + 1]
    smallest = np.asarray(np.linalg.svd(block, compute_uv=False)[:, -1], dtype=float)
    bound = lower_bound(smallest, _SHARE, _CONFIDENCE)
    return bound is not None and bound >= EQUAL
