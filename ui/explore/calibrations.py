"""Guarantees and noise scales of mechanisms along ε, computed when they are first needed."""

from collections.abc import Sequence
from time import perf_counter

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.privacy.budget import Budget, Guarantee, InfeasibleBudget
from dpca_core.problem import Problem
from dpca_core.simulation.trials import Point


class Calibrations:
    """What every mechanism guarantees, and how much noise it adds, at each point of the ε axis.

    Parameters
    ----------
    points
        Problem and mechanism's budget at each ε.
    """

    def __init__(self, points: Sequence[Point]) -> None:
        self._points = points
        self._guarantees: dict[str, list[Guarantee | None]] = {}
        self._scales: dict[str, Array] = {}

    def guarantees(self, mechanism: Mechanism) -> list[Guarantee | None]:
        """Return what holds at each ε for the mechanism's budget; None where infeasible."""
        self.find_guarantees(mechanism, float("inf"))
        return self._guarantees[mechanism.key]

    def find_guarantees(self, mechanism: Mechanism, seconds: float) -> bool:
        """Compute guarantees for about so long, at least one; tell whether all are known.

        With smooth sensitivity one takes as long to find as a number of releases.
        """
        found, end = self._guarantees.setdefault(mechanism.key, []), perf_counter() + seconds
        for problem, budget in self._points[len(found) :]:
            try:
                found.append(mechanism.guarantee(problem, budget))
            except InfeasibleBudget:
                found.append(None)
            if perf_counter() >= end:
                break
        return len(found) == len(self._points)

    def scales(self, mechanism: Mechanism) -> Array:
        """Return the noise scale (G,) in the mechanism's own unit; NaN where infeasible."""
        if mechanism.key not in self._scales:
            self._scales[mechanism.key] = np.array([_scale(mechanism, *p) for p in self._points])
        return self._scales[mechanism.key]


def _scale(mechanism: Mechanism, problem: Problem, budget: Budget) -> float:
    try:
        return mechanism.calibrate(problem, budget).scale
    except InfeasibleBudget:
        return float("nan")
