"""How reliable each released direction is at one ε: a refinement, measured step by step.

It needs the released bases, and more releases than a curve does. Nothing here is published.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from time import perf_counter

import numpy as np

from dpca_core.analysis.order_statistics import NINE_OF_TEN, fewest
from dpca_core.analysis.reliability import (
    RELEASES_JUDGED,
    Reliabilities,
    agreement,
    judged,
    simulated,
)
from dpca_core.data.dataset import Dataset
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.metrics import principal_angles
from dpca_core.privacy.budget import Budget, InfeasibleBudget
from dpca_core.runtime.offload import expected_seconds, run
from dpca_core.simulation.trials import MOST_KEPT, Point, releases_with_means
from ui.explore.query import Along

FEWEST = fewest(NINE_OF_TEN)
"""Releases that a statement on 9 of 10 with 95 % confidence needs."""
QUICK, MEANS_SECONDS = 0.25, 2.0
"""Expected seconds up to which reliability is measured before the other mechanisms are; the same
where each release also draws a mean: fewer releases would settle nothing."""
MOST_SECONDS, MOST_SECONDS_EVERYWHERE = 5.0, 4.0
"""Expected seconds above which it is not measured at all; for all ε together, up to which they are
measured without being asked for."""
STEP_SECONDS = 0.02
CHANCE_DRAWS = 2**20
"""Entries drawn to find the angle of random directions."""


@dataclass(frozen=True)
class ReliabilityAtEpsilon:
    """Largest angles (T,) of releases to the true span in degrees, NaN where refused; verdicts."""

    angles: Array
    directions: Reliabilities


class ReliabilityMeasurements:
    """Reliability of a mechanism's directions along ε, found step by step.

    The releases are those of the curves, and more. Where ε also pays for a mean, by ``budgets`` of
    mean and mechanism together at each ε, every release draws its own.
    """

    def __init__(
        self,
        mechanism: Mechanism,
        dataset: Dataset,
        asked: Along,
        points: Sequence[Point],
        budgets: Sequence[Budget],
    ) -> None:
        self._mechanism, self._dataset, self._asked = mechanism, dataset, asked
        self._points, self._budgets = points, budgets
        self._found: dict[int, ReliabilityAtEpsilon | None] = {}
        self._index, self._parts = -1, list[Array]()
        d, mean = dataset.d, dataset.rows.size * (6e-8 + dataset.d * 5e-10)
        solve = (float(d) ** 2.1 * 4e-8 + 2e-5) * mechanism.cost + (mean if dataset.draws else 0)
        spend = MEANS_SECONDS if dataset.draws else QUICK
        # By public numbers, so that a link shows the same again.
        self.trials = int(np.clip(spend / solve, FEWEST, RELEASES_JUDGED))
        self.seconds = self.trials * solve
        """Expected time for one ε."""
        self.is_quick = self.seconds <= QUICK * 1.01
        """Whether one ε is measured before the other mechanisms are refined."""
        self._chunk = max(1, min(self.trials, MOST_KEPT // d**2, int(STEP_SECONDS / solve)))
        self._spent, self._releases = 0.0, 0
        self._able = mechanism.role != "baseline" and self.seconds <= MOST_SECONDS
        everywhere = self.seconds * len(points) <= MOST_SECONDS_EVERYWHERE
        self._others = range(len(points) if everywhere else 0)

    def at(self, index: int) -> ReliabilityAtEpsilon | None:
        """Return what is known at one ε; None where nothing is."""
        return self._found.get(index)

    def missing(self, index: int) -> list[int]:
        """Return where to measure: at the chosen ε first, then elsewhere if quick."""
        wanted = dict.fromkeys([index, *self._others]) if self._able else {}
        return [i for i in wanted if i not in self._found]

    def seconds_left(self, index: int) -> float:
        """Return the seconds until it is measured wherever it will be, by what it took so far."""
        each = self._spent / self._releases if self._releases else self.seconds / self.trials
        return each * max(0, len(self.missing(index)) * self.trials - sum(map(len, self._parts)))

    def step(self, index: int) -> None:
        """Draw some more releases at one ε; after the last of them judge how reliable they are."""
        if self._index != index:
            self._index, self._parts = index, []
        start, begun = perf_counter(), sum(map(len, self._parts))
        trials = range(begun, min(begun + self._chunk, self.trials))
        try:
            self._parts.append(self._drawn(index, trials))
        except InfeasibleBudget:
            self._found[index], self._index, self._parts = None, -1, []
            return
        if trials.stop == self.trials:
            self._found[index] = self._judged(index, np.concatenate(self._parts))
            self._index, self._parts = -1, []
        self._spent += perf_counter() - start
        self._releases += len(trials)

    def _drawn(self, index: int, trials: range) -> Array:
        """Cosines (T, k, k) of releases with the true directions, those of exactly centred rows."""
        mechanism, data, asked = self._mechanism, self._dataset, self._asked
        if not data.draws:
            problem, budget = self._points[index]
            seconds = expected_seconds(problem.d, mechanism.cost) * len(trials)
            return run(seconds, simulated, mechanism, problem, budget, asked.seed, trials)
        k, n, whole = asked.k, asked.n, self._budgets[index]
        bases = releases_with_means(data, mechanism, k, whole, asked.seed, trials, n)
        return agreement(data.true_problem(k, n), bases)

    def _judged(self, index: int, cosines: Array) -> ReliabilityAtEpsilon:
        angles = np.full(len(cosines), np.nan)
        given = np.isfinite(cosines).all(axis=(1, 2))
        smallest = np.linalg.svd(cosines[given], compute_uv=False)[:, -1]
        angles[given] = np.degrees(np.arccos(np.minimum(smallest, 1.0)))
        ordered = self._mechanism.publishes_matrix
        return ReliabilityAtEpsilon(
            angles, judged(self._points[index][0], cosines, ordered=ordered)
        )


def median_angle(angles: Array) -> float | None:
    """Median of angles (T,), NaN where refused; None where more than 1 in 10 releases are."""
    known = np.isfinite(angles)
    return float(np.median(angles[known])) if known.mean() >= 0.9 else None


@lru_cache(maxsize=256)
def chance_angle(d: int, k: int) -> float:
    """Median largest angle between k random directions of d and k given ones, in degrees."""
    draws = int(np.clip(CHANCE_DRAWS // (d * k), 20, 400))
    bases = np.linalg.qr(np.random.default_rng(0).standard_normal((draws, d, k)))[0]
    return float(np.degrees(np.median(principal_angles(np.eye(d, k), bases)[:, -1])))
