"""How reliable each released direction is at a stop of the rule: a refinement, measured in pieces.

It needs the released bases, and more releases than a curve does. Nothing here is published.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from dpca_core.analysis.order_statistics import fewest
from dpca_core.analysis.reliability import TRIALS, Reliabilities, judged, simulated
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.base import Mechanism
from dpca_core.metrics import principal_angles
from dpca_core.privacy.budget import Budget, InfeasibleBudget
from dpca_core.problem import Problem
from dpca_core.runtime.cached_property import cached_property
from dpca_core.runtime.offload import done, expected
from dpca_core.simulation.draws import MOST_KEPT

FEWEST = fewest(0.9)
"""Releases that a statement on 9 of 10 with 95 % confidence needs."""
QUICK, LONGEST, EVERYWHERE = 0.25, 5.0, 4.0
"""Seconds expected: of what goes before the rivals are measured; of what is measured at all; and
for all stops together, where they are measured without being asked for."""
CHANCE_DRAWS = 2**20
"""Entries drawn to find the angle of random directions."""


class Angles(NamedTuple):
    """Largest angles in degrees: what half of the releases pass, and what 9 of 10 do not."""

    half: float
    most: float


def angles_of_sines(sines: Array) -> Angles:
    """Sum up sines (T,) of angles; NaN is left out."""
    half, most = np.nanquantile(np.degrees(np.arcsin(np.clip(sines, 0, 1))), (0.5, 0.9))
    return Angles(float(half), float(most))


@dataclass(frozen=True)
class StopReliability:
    """Where the directions of many releases lie at one ε.

    Attributes
    ----------
    angles
        (T,) largest angle between the released and the true span in degrees; NaN where refused.
    directions
        What 9 of 10 releases reach, direction by direction.
    """

    angles: Array
    directions: Reliabilities

    @property
    def trials(self) -> int:
        """T."""
        return len(self.angles)

    @cached_property
    def turns(self) -> Angles | None:
        """Summary of the angles; None where more than 1 in 10 releases are refused."""
        if np.isfinite(self.angles).mean() < 0.9:
            return None
        half, most = np.nanquantile(self.angles, (0.5, 0.9))
        return Angles(float(half), float(most))


class ReliabilityMeasurements:
    """Reliability of a mechanism's directions at the stops of an axis, found piece by piece.

    Parameters
    ----------
    mechanism, points, seed
        Releases are those of the same numbers as along the curves, and more.
    """

    def __init__(
        self, mechanism: Mechanism, points: Sequence[tuple[Problem, Budget]], seed: int
    ) -> None:
        self._mechanism, self._points, self._seed = mechanism, points, seed
        self._found: dict[int, StopReliability | None] = {}
        self._parts: list[Array] = []
        self._at: int | None = None
        d = points[-1][0].d
        solve = (float(d) ** 2.1 * 4e-8 + 2e-5) * mechanism.relative_cost
        self.trials = int(np.clip(QUICK / solve, FEWEST, TRIALS))
        """Releases at a stop: by public numbers, so that a link shows the same again."""
        self.seconds = self.trials * solve
        """Expected time for a stop."""
        self._chunk = max(1, min(self.trials, MOST_KEPT // d**2, int(0.05 / solve)))
        self._able = mechanism.family != "baseline" and self.seconds <= LONGEST

    def at(self, index: int) -> StopReliability | None:
        """What is known at a stop."""
        return self._found.get(index)

    def next(self, here: int) -> int | None:
        """Stop to measure next: the rule's, then the others if they are quick; None at the end."""
        if not self._able:
            return None
        others = range(len(self._points)) if self._everywhere else ()
        return next((i for i in (here, *others) if i not in self._found), None)

    @property
    def _everywhere(self) -> bool:
        return bool(self.seconds * len(self._points) <= EVERYWHERE)

    def step(self, index: int) -> None:
        """Draw some more releases at a stop; after the last of them say how reliable they are."""
        if self._at != index:
            self._at, self._parts = index, []
        begun = sum(len(part) for part in self._parts)
        trials = range(begun, min(begun + self._chunk, self.trials))
        problem, budget = self._points[index]
        try:
            seconds = expected(problem.d, self._mechanism.relative_cost) * len(trials)
            work = (self._mechanism, problem, budget, self._seed, trials)
            self._parts.append(done(seconds, simulated, *work))
        except InfeasibleBudget:
            self._found[index], self._at = None, None
            return
        if trials.stop == self.trials:
            self._found[index] = _turned(problem, np.concatenate(self._parts), self._mechanism)
            self._at, self._parts = None, []


def _turned(problem: Problem, cosines: Array, mechanism: Mechanism) -> StopReliability:
    angles = np.full(len(cosines), np.nan)
    given = np.isfinite(cosines).all(axis=(1, 2))
    smallest = np.linalg.svd(cosines[given], compute_uv=False)[:, -1]
    angles[given] = np.degrees(np.arccos(np.minimum(smallest, 1.0)))
    return StopReliability(angles, judged(problem, cosines, ordered=mechanism.publishes_matrix))


@lru_cache(maxsize=256)
def chance_angle(d: int, k: int) -> float:
    """Median largest angle between k random directions of d and k given ones, in degrees."""
    draws = int(np.clip(CHANCE_DRAWS // (d * k), 20, 400))
    bases = np.linalg.qr(np.random.default_rng(0).standard_normal((draws, d, k)))[0]
    return float(np.degrees(np.median(principal_angles(np.eye(d, k), bases)[:, -1])))
