"""How reliable each released direction is at one ε: a refinement, measured step by step.

It needs the released bases, and more releases than a curve does. Nothing here is published.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from time import perf_counter
from typing import NamedTuple

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
from dpca_core.problem import Problem
from dpca_core.runtime.cached_property import cached_property
from dpca_core.runtime.offload import expected_seconds, run
from dpca_core.simulation.trials import MOST_KEPT, releases_with_means

FEWEST = fewest(NINE_OF_TEN)
"""Releases that a statement on 9 of 10 with 95 % confidence needs."""
QUICK = 0.25
"""Expected seconds up to which reliability is measured before the other mechanisms are."""
MEANS_SECONDS = 2.0
"""The same where each release also draws a mean: fewer releases would settle nothing."""
MOST_SECONDS = 5.0
"""Expected seconds above which reliability is not measured at all."""
MOST_SECONDS_EVERYWHERE = 4.0
"""Expected seconds for all ε together up to which they are measured without being asked for."""
STEP_SECONDS = 0.02
CHANCE_DRAWS = 2**20
"""Entries drawn to find the angle of random directions."""


class Angles(NamedTuple):
    """Largest angles of releases in degrees: their median, and what 9 of 10 do not exceed."""

    median: float
    upper: float


def angles_of_sines(sines: Array) -> Angles:
    """Sum up angles by their sines (T,); NaN is left out."""
    return _quantiles(np.degrees(np.arcsin(np.clip(sines, 0, 1))))


def _quantiles(angles: Array) -> Angles:
    median, upper = np.nanquantile(angles, (0.5, 0.9))
    return Angles(float(median), float(upper))


@dataclass(frozen=True)
class ReliabilityAtEpsilon:
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
    def span_angles(self) -> Angles | None:
        """Summary of the angles; None where more than 1 in 10 releases are refused."""
        return _quantiles(self.angles) if np.isfinite(self.angles).mean() >= 0.9 else None


@dataclass(frozen=True)
class FreshMeans:
    """Releases of a data set whose centre is paid for, each with a mean of its own.

    Attributes
    ----------
    dataset, k, n
        As for ``Dataset.problem``.
    budgets
        Of mean and mechanism together, at each ε.
    """

    dataset: Dataset
    k: int
    n: float
    budgets: Sequence[Budget]

    @property
    def seconds(self) -> float:
        """Expected seconds that the mean of one release takes."""
        return float(self.dataset.rows.size * (6e-8 + self.dataset.d * 5e-10))

    def agreement(self, mechanism: Mechanism, index: int, seed: int, trials: range) -> Array:
        """Cosines (T, k, k) of releases at one ε with the directions of exactly centred rows."""
        data, budget = self.dataset, self.budgets[index]
        bases = releases_with_means(data, mechanism, self.k, budget, seed, trials, self.n)
        return agreement(data.true_problem(self.k, self.n), bases)


class ReliabilityMeasurements:
    """Reliability of a mechanism's directions along ε, found step by step.

    Parameters
    ----------
    mechanism, points, seed
        Problem and budget at each ε; the releases are those of the curves, and more.
    means
        Where ε also pays for a mean: every release then draws its own.
    """

    def __init__(
        self,
        mechanism: Mechanism,
        points: Sequence[tuple[Problem, Budget]],
        seed: int,
        means: FreshMeans | None = None,
    ) -> None:
        self._mechanism, self._points, self._seed, self._means = mechanism, points, seed, means
        self._found: dict[int, ReliabilityAtEpsilon | None] = {}
        self._parts: list[Array] = []
        self._index: int | None = None
        d = points[-1][0].d
        solve = (float(d) ** 2.1 * 4e-8 + 2e-5) * mechanism.cost
        spend = QUICK
        if means is not None:
            solve, spend = solve + means.seconds, MEANS_SECONDS
        self.trials = int(np.clip(spend / solve, FEWEST, RELEASES_JUDGED))
        """Releases at one ε: by public numbers, so that a link shows the same again."""
        self.seconds = self.trials * solve
        """Expected time for one ε."""
        self._chunk = max(1, min(self.trials, MOST_KEPT // d**2, int(STEP_SECONDS / solve)))
        self.spent = 0.0
        """Seconds that measuring took so far."""
        self._releases = 0
        self._able = mechanism.role != "baseline" and self.seconds <= MOST_SECONDS

    @property
    def is_quick(self) -> bool:
        """Whether one ε is measured before the other mechanisms are refined."""
        return bool(self.seconds <= QUICK * 1.01)

    def at(self, index: int) -> ReliabilityAtEpsilon | None:
        """Return what is known at one ε; None where nothing is."""
        return self._found.get(index)

    def next(self, epsilon_index: int) -> int | None:
        """Return where to measure next: at the chosen ε, then elsewhere if quick; None at the end.

        Parameters
        ----------
        epsilon_index
            The chosen ε.
        """
        if not self._able:
            return None
        others = range(len(self._points)) if self._everywhere else ()
        return next((i for i in (epsilon_index, *others) if i not in self._found), None)

    def seconds_left(self, epsilon_index: int) -> float:
        """Return the seconds until it is measured wherever it will be, by what it took so far."""
        if not self._able:
            return 0.0
        indices = {epsilon_index, *(range(len(self._points)) if self._everywhere else ())}
        missing = len(indices - self._found.keys())
        if not self._releases:
            return float(self.seconds * missing)
        begun = sum(len(part) for part in self._parts) if missing else 0
        return float(self.spent / self._releases * (missing * self.trials - begun))

    @property
    def _everywhere(self) -> bool:
        return bool(self.seconds * len(self._points) <= MOST_SECONDS_EVERYWHERE)

    def step(self, index: int) -> None:
        """Draw some more releases at one ε; after the last of them judge how reliable they are."""
        if self._index != index:
            self._index, self._parts = index, []
        start = perf_counter()
        begun = sum(len(part) for part in self._parts)
        trials = range(begun, min(begun + self._chunk, self.trials))
        problem, budget = self._points[index]
        try:
            if self._means is not None:
                found = self._means.agreement(self._mechanism, index, self._seed, trials)
            else:
                seconds = expected_seconds(problem.d, self._mechanism.cost) * len(trials)
                work = (self._mechanism, problem, budget, self._seed, trials)
                found = run(seconds, simulated, *work)
            self._parts.append(found)
        except InfeasibleBudget:
            self._found[index], self._index, self._parts = None, None, []
            return
        if trials.stop == self.trials:
            self._found[index] = _judge(problem, np.concatenate(self._parts), self._mechanism)
            self._index, self._parts = None, []
        self.spent += perf_counter() - start
        self._releases += len(trials)


def _judge(problem: Problem, cosines: Array, mechanism: Mechanism) -> ReliabilityAtEpsilon:
    angles = np.full(len(cosines), np.nan)
    given = np.isfinite(cosines).all(axis=(1, 2))
    smallest = np.linalg.svd(cosines[given], compute_uv=False)[:, -1]
    angles[given] = np.degrees(np.arccos(np.minimum(smallest, 1.0)))
    return ReliabilityAtEpsilon(
        angles, judged(problem, cosines, ordered=mechanism.publishes_matrix)
    )


@lru_cache(maxsize=256)
def chance_angle(d: int, k: int) -> float:
    """Median largest angle between k random directions of d and k given ones, in degrees."""
    draws = int(np.clip(CHANCE_DRAWS // (d * k), 20, 400))
    bases = np.linalg.qr(np.random.default_rng(0).standard_normal((draws, d, k)))[0]
    return float(np.degrees(np.median(principal_angles(np.eye(d, k), bases)[:, -1])))
