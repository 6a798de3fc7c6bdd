"""Errors of releases with and without a curator, measured bit by bit."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import nan

import numpy as np
from cachetools import FIFOCache

from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms import registry
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.privacy.budget import InfeasibleBudget
from dpca_core.simulation.trials import TrialDraws
from dpca_core.sparse.fantope import support
from papers.wang_xu_errors import projector_distance, recovery
from ui.local_model.query import LocalModelQuery
from ui.server.scheduler import GrowingSlices

ERROR, PRECISION, RECALL = 0, 1, 2
"""Columns of a result."""
SAMPLE = "sample"
"""Stands for PCA of the sample itself, whose error is that of the sample."""
CURATOR, LOCAL = registry.DEFAULT.key, registry.LOCAL_DEFAULT.key
PRINTED, SPARSE = registry.LOCAL_PRINTED.key, registry.LOCAL_SPARSE.key
_SHORTEST_SLICE, _LONGEST_SLICE = 0.04, 0.4
_MOST_RESULTS = 20_000
_FIRST_REPETITIONS = 2
"""Releases that every point has before any has more."""


@dataclass(frozen=True)
class Point:
    """One mechanism, by key, at one setting."""

    query: LocalModelQuery
    key: str

    @property
    def mechanism(self) -> Mechanism | None:
        """The mechanism with its settings; None stands for PCA of the sample itself."""
        if self.key == SPARSE:
            return replace(registry.LOCAL_SPARSE, sparsity=self.query.factor)
        return registry.MECHANISMS.get(self.key)

    @property
    def law(self) -> tuple[object, ...]:
        """What the law of the errors depends on."""
        q = self.query
        ground = q.data.identity if q.data else (q.source, q.p, q.columns * q.is_sparse)
        factor = q.factor * (self.key == SPARSE)
        spent = () if self.key == SAMPLE else (q.budget,)
        return ground, q.k, q.n, q.seed, self.key, factor, spent

    @property
    def repetitions(self) -> int:
        """Releases to measure: fewer where one takes long."""
        if self.key == SAMPLE:
            return 1
        if self.key == SPARSE and self.query.d > 60:
            return min(self.query.repetitions, 3 if self.query.d <= 200 else 1)
        return self.query.repetitions


def keys_drawn(query: LocalModelQuery) -> tuple[str, ...]:
    """Lines that are drawn: the sample's own error where it is not 0, sparse where it is meant."""
    first = () if query.data else (SAMPLE,)
    last = (SPARSE,) if query.is_sparse else ()
    return (*first, CURATOR, LOCAL, PRINTED, *last)


def points_to_measure(query: LocalModelQuery) -> list[Point]:
    """Return all that is measured: what is asked first, then the axes; quick lines before slow."""
    keys, axes = keys_drawn(query), query.axis_queries()
    errors = [*axes["n"], *axes["epsilon"]]
    points = [Point(query, key) for key in keys]
    points += [Point(other, key) for other in errors for key in keys if key != SPARSE]
    points += [Point(other, key) for other in errors for key in keys if key == SPARSE]
    points += [Point(other, SPARSE) for other in axes["factor"]]
    return list({point.law: point for point in points}.values())


class ErrorMeasurements(GrowingSlices):
    """All errors of a session."""

    def __init__(self) -> None:
        super().__init__(_SHORTEST_SLICE, _LONGEST_SLICE)
        self._results: FIFOCache[tuple[object, ...], Array] = FIFOCache(_MOST_RESULTS)

    def results(self, point: Point) -> Array:
        """Return error, precision and recall (T, 3) so far; NaN where there is no release."""
        return self._results.get(point.law, np.empty((0, 3)))

    def mean(self, point: Point, column: int = ERROR) -> float:
        """Return the mean of one of them, as the paper plots the error; NaN where unknown."""
        values = self.results(point)[:, column]
        return float(values.mean()) if len(values) else nan

    def share(self, points: Sequence[Point]) -> float:
        """Share of the repetitions that are measured."""
        done = sum(min(len(self.results(point)), point.repetitions) for point in points)
        return done / sum(point.repetitions for point in points)

    def steps(self, points: Sequence[Point]) -> Iterator[None]:
        """Measure bit by bit: every point a little first, then each to the end, in their order."""
        for most in (_FIRST_REPETITIONS, max(point.repetitions for point in points)):
            for point in points:
                while (known := len(self.results(point))) < min(most, point.repetitions):
                    size = max(1, min(20, int(2e6 / point.query.d**2.5)))
                    trials = range(known, min(point.repetitions, known + size))
                    found = [self.results(point), _measured(point, trials)]
                    self._results[point.law] = np.concatenate(found)
                    yield


def _measured(point: Point, trials: range) -> Array:
    problem, truth, used = point.query.ground_truth
    mechanism, bases = point.mechanism, problem.basis[None]
    if mechanism is not None:
        try:
            draws = TrialDraws(mechanism, point.query.seed, trials)
            bases = draws.release(problem, point.query.mechanism_budget).bases
        except InfeasibleBudget:
            return np.full((len(trials), 3), nan)
    found = [recovery(selected, used) for selected in support(bases)]
    return np.column_stack([projector_distance(truth, bases), np.array(found)])
