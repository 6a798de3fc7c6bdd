"""Errors of releases with and without a curator, measured bit by bit."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import nan

import numpy as np
from cachetools import FIFOCache

from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.registry import (
    DEFAULT,
    LOCAL_DEFAULT,
    LOCAL_PRINTED,
    LOCAL_SPARSE,
    MECHANISMS,
)
from dpca_core.privacy.budget import InfeasibleBudget
from dpca_core.simulation.trials import TrialDraws
from dpca_core.sparse.fantope import support
from papers.wang_xu_errors import projector_distance, recovery
from ui.local_model.query import LocalModelQuery
from ui.server.growing_slices import GrowingSlices
from ui.server.scheduler import never_yield

ERROR, PRECISION, RECALL = 0, 1, 2
"""Columns of a result."""
WITHOUT_PRIVACY = ""
"""Stands for PCA of the sample itself, whose error is that of the sample."""
CURATOR_KEY = DEFAULT.key
LOCAL_KEY = LOCAL_DEFAULT.key
PRINTED_KEY = LOCAL_PRINTED.key
SPARSE_KEY = LOCAL_SPARSE.key
_SHORTEST_SLICE, _LONGEST_SLICE = 0.04, 0.4
_MOST_RESULTS = 20_000
_FIRST_REPETITIONS = 2
"""Releases that every point has before any has more."""


@dataclass(frozen=True)
class MechanismPoint:
    """One mechanism, by key, at one setting."""

    query: LocalModelQuery
    key: str

    @property
    def mechanism(self) -> Mechanism | None:
        """The mechanism with its settings; None stands for PCA of the sample itself."""
        if self.key == WITHOUT_PRIVACY:
            return None
        found = MECHANISMS[self.key]
        if self.key != SPARSE_KEY:
            return found
        return replace(found, sparsity=self.query.factor)  # type: ignore[call-arg]

    @property
    def law(self) -> tuple[object, ...]:
        """What the law of the errors depends on."""
        q = self.query
        design = (q.source, q.p, q.columns * q.is_sparse)
        ground = (q.data.identity,) if q.data else design
        factor = q.factor * (self.key == SPARSE_KEY)
        spent = () if self.key == WITHOUT_PRIVACY else (q.epsilon, q.delta)
        return (*ground, q.k, q.n, q.seed, self.key, factor, spent)

    @property
    def repetitions(self) -> int:
        """Releases to measure: fewer where one takes long."""
        if self.key == WITHOUT_PRIVACY:
            return 1
        if self.key == SPARSE_KEY and self.query.d > 60:
            return min(self.query.repetitions, 3 if self.query.d <= 200 else 1)
        return self.query.repetitions


def mechanism_keys(query: LocalModelQuery) -> tuple[str, ...]:
    """Lines that are drawn: the sample's own error where it is not 0, sparse where it is meant."""
    first = () if query.data else (WITHOUT_PRIVACY,)
    last = (SPARSE_KEY,) if query.is_sparse else ()
    return (*first, CURATOR_KEY, LOCAL_KEY, PRINTED_KEY, *last)


def points_to_measure(query: LocalModelQuery) -> list[MechanismPoint]:
    """Return all that is measured: what is asked first, then the axes; quick lines before slow."""
    keys, axes = mechanism_keys(query), query.axis_queries()
    quick = [key for key in keys if key != SPARSE_KEY]
    points = [MechanismPoint(query, key) for key in keys]
    points += [
        MechanismPoint(other, key)
        for name in axes
        if name != "factor"
        for other in axes[name]
        for key in quick
    ]
    if SPARSE_KEY in keys:
        points += [MechanismPoint(other, SPARSE_KEY) for name in axes for other in axes[name]]
    return list({point.law: point for point in points}.values())


class ErrorMeasurements:
    """All errors of a session."""

    def __init__(self) -> None:
        self._results: FIFOCache[tuple[object, ...], Array] = FIFOCache(_MOST_RESULTS)
        self._slices = GrowingSlices(_SHORTEST_SLICE, _LONGEST_SLICE)

    @property
    def stage(self) -> int:
        """How often something was measured."""
        return self._slices.stage

    def results(self, point: MechanismPoint) -> Array:
        """Return error, precision and recall (T, 3) so far; NaN where there is no release."""
        return self._results.get(point.law, np.empty((0, 3)))

    def mean(self, point: MechanismPoint, column: int = ERROR) -> float:
        """Return the mean of one of them, as the paper plots the error; NaN where unknown."""
        values = self.results(point)[:, column]
        return float(values.mean()) if len(values) else nan

    def is_new(self, query: LocalModelQuery) -> bool:
        """Tell whether nothing was measured since this was asked."""
        return self._slices.is_new(query)

    def share(self, points: list[MechanismPoint]) -> float:
        """Share of the repetitions that are measured."""
        all_ = sum(point.repetitions for point in points)
        done = sum(min(len(self.results(point)), point.repetitions) for point in points)
        return done / all_ if all_ else 1.0

    def advance(
        self,
        query: LocalModelQuery,
        points: list[MechanismPoint],
        should_yield: Callable[[], bool] = never_yield,
    ) -> None:
        """Measure for a moment: every point a little first, then each to the end, in their order.

        At least once; no more where others are waiting.
        """
        self._slices.take(query, self._steps(points), should_yield)

    def _steps(self, points: list[MechanismPoint]) -> Iterator[None]:
        for point, repetitions in _in_rounds(points):
            while len(self.results(point)) < repetitions:
                self._measure_more(point)
                yield

    def _measure_more(self, point: MechanismPoint) -> None:
        known = self.results(point)
        size = max(1, min(20, int(2e6 / point.query.d**2.5)))
        trials = range(len(known), min(point.repetitions, len(known) + size))
        self._results[point.law] = np.concatenate([known, _measured(point, trials)])


def _in_rounds(points: list[MechanismPoint]) -> list[tuple[MechanismPoint, int]]:
    """Return points with the repetitions that they are measured to, first few, then all."""
    first = [(point, min(_FIRST_REPETITIONS, point.repetitions)) for point in points]
    return first + [(point, point.repetitions) for point in points]


def _measured(point: MechanismPoint, trials: range) -> Array:
    problem, truth, used = point.query.ground_truth
    mechanism = point.mechanism
    if mechanism is None:
        return _judged(problem.basis[None], truth, used)
    try:
        draws = TrialDraws(mechanism, point.query.seed, trials)
        release = draws.release(problem, point.query.mechanism_budget)
    except InfeasibleBudget:
        return np.full((len(trials), 3), nan)
    return _judged(release.bases, truth, used)


def _judged(bases: Array, truth: Array, used: np.ndarray) -> Array:
    columns = [recovery(selected, used) for selected in support(bases)]
    return np.column_stack([projector_distance(truth, bases), np.array(columns)])
