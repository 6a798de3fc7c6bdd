"""Measurements behind the Compare page: many mechanisms along one axis, bit by bit."""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from dpca_core.analysis.needed import EpsilonNeeded, smallest_epsilon
from dpca_core.analysis.order_statistics import quantiles
from dpca_core.data.dataset import Dataset
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.equalise import equalised
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.privacy.budget import Guarantee, InfeasibleBudget, Notion
from dpca_core.simulation.trials import Point, TrialDraws, run_trials
from ui.compare.query import CompareQuery
from ui.compare.release_cache import Key, Metrics, ReleaseCache
from ui.server.refinement import take_steps
from ui.server.scheduler import never_yield
from ui.text.noise import MOST_REFUSED

FIRST_TRIALS = 8
"""Releases at each point before all others."""
COARSE_STRIDE = 5
"""Every fifth point is measured before the rest."""
TASK_SECONDS = 0.06
FEWEST_POINTS = 3
"""Points that "which value of the axis is needed" takes at least."""
QUANTILES = {
    "lo95": 0.025,
    "lo80": 0.1,
    "lo50": 0.25,
    "median": 0.5,
    "hi50": 0.75,
    "hi80": 0.9,
    "hi95": 0.975,
}
"""Curves of a line by name: its median and the limits of its bands."""
BAND_TRIALS = 20
"""Releases at every point from which on bands are drawn."""


@dataclass
class MeasuredLine:
    """One mechanism along the axis: metrics (G, T), NaN where not measured yet or refused.

    Attributes
    ----------
    points
        Problem and budget that the mechanism is run at: with equal true ε not the stated budget.
    notes
        Why there is no release at a point; "" where there is one.
    ranked
        Where what is proved meets the mechanism's budget.
    """

    mechanism: Mechanism
    points: list[Point]
    guarantees: list[Guarantee | None]
    notes: list[str]
    captured: Array
    sin_theta: Array
    refused: np.ndarray
    done: np.ndarray
    ranked: np.ndarray
    milliseconds: float = float("nan")
    prepared: bool = False

    @classmethod
    def empty(cls, mechanism: Mechanism, points: list[Point], trials: int) -> "MeasuredLine":
        """Return a line of which nothing is measured yet."""
        count, shape = len(points), (len(points), trials)
        return cls(
            mechanism,
            list(points),
            guarantees=[None] * count,
            notes=[""] * count,
            captured=np.full(shape, np.nan),
            sin_theta=np.full(shape, np.nan),
            refused=np.zeros(shape, dtype=bool),
            done=np.zeros(shape, dtype=bool),
            ranked=np.zeros(count, dtype=bool),
        )

    @property
    def trials(self) -> int:
        """Releases measured at every point."""
        return int(self.done.all(axis=0).sum())

    def releases(self, index: int) -> Array:
        """Return captured shares of the releases at a point; NaN where refused."""
        return np.asarray(self.captured[index][self.done[index]])

    def quantiles(self, values: Array) -> dict[str, Array]:
        """Return ``QUANTILES`` of metrics (G, T) along the axis; NaN where many are refused."""
        found = quantiles(values, tuple(QUANTILES.values()))
        refused = [self.refused_share(i) for i in range(len(self.points))]
        drawn = (np.array(refused) <= MOST_REFUSED) & self.done.any(axis=1)
        return dict(zip(QUANTILES, np.where(drawn, found, np.nan), strict=True))

    def median_captured(self, index: int) -> float:
        """Return the median captured share at a point; NaN where nothing is known."""
        values = self.captured[index]
        known = values[np.isfinite(values)]
        return float(np.median(known)) if len(known) else float("nan")

    def refused_share(self, index: int) -> float:
        """Return the share of releases refused at a point; 0 where nothing is measured."""
        refused = (self.refused[index] & self.done[index]).sum()
        return float(refused / max(1, self.done[index].sum()))

    def enter(self, index: int, trials: range, metrics: Metrics) -> None:
        """Enter the metrics of some trials at a point."""
        columns = slice(trials.start, trials.stop)
        self.captured[index, columns], self.sin_theta[index, columns] = metrics[:2]
        self.refused[index, columns] = metrics[2]
        self.done[index, columns] = True


class Comparison:
    """The measurements for one data set and query.

    Work is a queue of short tasks; ``advance`` does what fits into a time slice.

    Parameters
    ----------
    cache
        Releases that were measured before, for this query or another.
    """

    def __init__(self, dataset: Dataset, query: CompareQuery, cache: ReleaseCache) -> None:
        self.dataset, self.query, self.cache = dataset, query, cache
        self.values = query.axis_values(dataset.d)
        self.points = [query.with_axis_value(v).point(dataset) for v in self.values]
        self.lines = [MeasuredLine.empty(m, self.points, query.trials) for m in query.mechanisms]
        for line in self.lines:
            line.milliseconds = cache.milliseconds.get(line.mechanism, float("nan"))
        self.stage = 0
        self._tasks = deque(self._plan())
        self._planned = len(self._tasks)

    @property
    def complete(self) -> bool:
        """Whether all is measured."""
        return not self._tasks

    @property
    def progress(self) -> float:
        """Share of the work that is done."""
        return 1 - len(self._tasks) / self._planned if self._planned else 1.0

    def advance(self, seconds: float, should_yield: Callable[[], bool] = never_yield) -> None:
        """Work for about ``seconds``, at least one task, and no more where others are waiting."""
        take_steps(self._steps(), seconds, should_yield)
        self.stage += 1

    def _steps(self) -> Iterator[None]:
        while self._tasks:
            # A task leaves the queue once it is done: it may be interrupted.
            self._tasks[0]()
            self._tasks.popleft()
            yield

    def needed_axis_value(self, line: MeasuredLine, target: float) -> EpsilonNeeded | None:
        """Find the value of the axis from which on 9 of 10 releases keep the target.

        By the rule of the Explore page. None while there are too few points, where nothing is
        ranked, and for a baseline.
        """
        known = np.flatnonzero(line.done[:, 0])
        trials = int(line.done[known].all(axis=0).sum()) if len(known) else 0
        if line.mechanism.role == "baseline" or not line.ranked.any():
            return None
        if len(known) < FEWEST_POINTS or not trials:
            return None
        values = [self.values[i] for i in known]
        found = smallest_epsilon(values, line.captured[known, :trials], target)
        return found.as_estimate if self.dataset.mean_share > 0 else found

    def _plan(self) -> list[Callable[[], None]]:
        """Coarse and few first, cheap mechanisms first; then all releases, cheap ones first."""
        lines = sorted(self.lines, key=lambda line: line.mechanism.cost)
        every = range(len(self.points))
        start = int(np.argmin(np.abs(np.log(np.array(self.values) / self.query.axis_value))))
        coarse = every[start % COARSE_STRIDE :: COARSE_STRIDE]
        rest = [i for i in every if (i - start) % COARSE_STRIDE]
        few = range(min(FIRST_TRIALS, self.query.trials))
        more = range(few.stop, self.query.trials)
        tasks = []
        for indices, trials in ((coarse, few), (rest, few), (every, more)):
            for line in lines:
                tasks += self._cut(line, list(indices), trials)
        return tasks

    def _cut(
        self, line: MeasuredLine, indices: list[int], trials: range
    ) -> list[Callable[[], None]]:
        """Cut trials at some points into tasks that are expected to take ``TASK_SECONDS``."""
        seconds = (float(self.dataset.d) ** 2.1 * 2.5e-8 + 2e-5) * line.mechanism.cost
        releases = max(1, int(TASK_SECONDS / seconds))
        size = max(1, min(len(trials), releases // max(1, len(indices))))
        width = max(1, min(len(indices), releases // size))
        return [
            self._task(line, range(t, min(t + size, trials.stop)), indices[p : p + width])
            for t in range(trials.start, trials.stop, size)
            for p in range(0, len(indices), width)
        ]

    def _task(self, line: MeasuredLine, trials: range, indices: list[int]) -> Callable[[], None]:
        def measure() -> None:
            if not line.prepared:
                self._prepare(line)
            missing = [i for i in indices if not line.done[i, list(trials)].all()]
            missing = [i for i in missing if not self._enter_cached(line, i, trials)]
            if missing:
                self._measure(line, trials, missing)

        return measure

    def _prepare(self, line: MeasuredLine) -> None:
        """Find what the mechanism guarantees at each point, and where it has no release."""
        line.prepared = True
        for i, (problem, mechanism_budget) in enumerate(self.points):
            try:
                run_at = mechanism_budget
                if self.query.equalise:
                    run_at = equalised(line.mechanism, problem, mechanism_budget)
                guarantee = line.mechanism.guarantee(problem, run_at)
                line.mechanism.calibrate(problem, run_at)
            except InfeasibleBudget as error:
                line.notes[i] = str(error)
                line.done[i] = True
                continue
            line.points[i], line.guarantees[i] = (problem, run_at), guarantee
            line.ranked[i] = guarantee.meets(mechanism_budget)

    def _measure(self, line: MeasuredLine, trials: range, indices: list[int]) -> None:
        begun = perf_counter()
        draws = TrialDraws(line.mechanism, self.query.seed, trials)
        found = run_trials(draws, [line.points[i] for i in indices])
        spent = (perf_counter() - begun) / (len(indices) * len(trials)) * 1e3
        known = self.cache.milliseconds
        line.milliseconds = min(spent, known.get(line.mechanism, spent))
        known[line.mechanism] = line.milliseconds
        for place, i in enumerate(indices):
            metrics = found.captured[place], found.sin_theta[place], found.refused[place]
            line.enter(i, trials, metrics)
            self.cache.put(self._key(line, i, trials), metrics)

    def _enter_cached(self, line: MeasuredLine, index: int, trials: range) -> bool:
        """Enter what the cache has of some trials at a point; tell whether it has them."""
        metrics = self.cache.get(self._key(line, index, trials))
        if metrics is None:
            return False
        line.enter(index, trials, metrics)
        return True

    def _key(self, line: MeasuredLine, index: int, trials: range) -> Key:
        """Return what the law at a point depends on: of a pure mechanism not δ."""
        (problem, budget), guarantee = line.points[index], line.guarantees[index]
        claim = line.mechanism.claim(problem, budget) if guarantee is not None else None
        pure = Notion.PURE in {g.notion for g in (guarantee, claim) if g is not None}
        delta = 0.0 if pure and self.dataset.mean_share == 0 else budget.delta
        return (
            self.dataset.identity,
            line.mechanism,
            problem.n,
            problem.k,
            budget.epsilon,
            delta,
            budget.adjacency,
            self.query.seed,
            trials.start,
            trials.stop,
        )
