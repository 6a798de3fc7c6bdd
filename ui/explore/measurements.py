"""Measurements behind the Explore page: every mechanism along ε, the chosen one first."""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from time import perf_counter

import numpy as np

from dpca_core.analysis.needed import (
    EpsilonNeeded,
    PeopleNeeded,
    people_needed,
    smallest_epsilon,
)
from dpca_core.data.dataset import Dataset
from dpca_core.data.mean_direction import MOSTLY, offset_shares
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.privacy.budget import Budget, InfeasibleBudget
from dpca_core.runtime.cached_property import cached_property
from dpca_core.runtime.offload import expected_seconds
from dpca_core.simulation.trials import Point, noise_norms, run_trials
from ui.explore.calibrations import Calibrations
from ui.explore.first_release import measured_first
from ui.explore.measurement_plan import (
    BAND_TRIALS,
    BUSY_STRIDE,
    BUSY_TRIALS,
    CHOSEN_TRIALS,
    COARSE,
    FIRST_STRIDE,
    FIRST_TRIALS,
    RIVAL_TRIALS,
    cut,
    planned,
)
from ui.explore.measurement_tasks import LatestDraws, MeasurementTask, Pace, requeue_on_interruption
from ui.explore.metric_grid import Bases, MetricGrid
from ui.explore.query import ExploreQuery
from ui.explore.reliability import FreshMeans, ReliabilityMeasurements
from ui.server.growing_slices import GrowingSlices
from ui.server.refinement import take_steps
from ui.server.scheduler import never_yield
from ui.state.slider_stops import EPSILON_STOPS

__all__ = ["BAND_TRIALS", "BUSY_TRIALS", "CHOSEN_TRIALS", "FIRST_TRIALS", "RIVAL_TRIALS", "Study"]

FIRST_PAINT_SECONDS, WIDE_PAINT, MOST_PAINT_SECONDS = 0.15, 30, 0.4
"""Time after which the first paint is shown as it is; on wide tables so many releases, or less."""
SLICE_SECONDS, COARSE_SECONDS, LONGEST_SECONDS = 0.15, 0.4, 3.0
"""The first slice of measuring, and the longest before and after every mechanism has curves: later
slices change little, and are worth a new picture less often."""


class Study:
    """The measurements for one data set and query.

    Work is a queue of short tasks; ``advance`` does what fits into a time slice, so the page can
    paint early, refine, and be interrupted when a control changes.

    Parameters
    ----------
    others
        Mechanisms to compare the chosen one with.
    """

    def __init__(
        self, dataset: Dataset, query: ExploreQuery, others: tuple[Mechanism, ...]
    ) -> None:
        self.dataset, self.query = dataset, query
        self.mechanisms = (query.mechanism, *(m for m in others if m.key != query.mechanism.key))
        self.points = self._axis()
        self.problem = self.points[-1][0].true_problem
        self.measured = {
            m.key: MetricGrid.empty(
                len(EPSILON_STOPS), CHOSEN_TRIALS if m is query.mechanism else RIVAL_TRIALS
            )
            for m in self.mechanisms
        }
        self.calibrations = Calibrations(self.points)
        budgets = [self.budget(epsilon) for epsilon in EPSILON_STOPS]
        means = FreshMeans(dataset, query.k, query.n, budgets) if dataset.mean_share else None
        self.reliability = ReliabilityMeasurements(query.mechanism, self.points, query.seed, means)
        self.stage = 0
        self.share = 0.0
        self.pace = Pace(self.problem.d)
        self._slices = GrowingSlices(SLICE_SECONDS, LONGEST_SECONDS)
        self._draws = LatestDraws(query.seed)
        self._epsilon_index = 0
        self.single_releases: dict[int, Bases | None] = {}
        self._people_needed: dict[tuple[float, int, EpsilonNeeded | None], PeopleNeeded] = {}
        self._epsilon_needed: dict[tuple[str, float, int, int], EpsilonNeeded] = {}

    @cached_property
    def _tasks(self) -> deque[MeasurementTask]:
        """Tasks still to do; planned when there is time for it."""
        chosen, *others = self.mechanisms
        index, quick = self._epsilon_index, self.reliability.is_quick
        return deque(planned(chosen, others, self.pace, index, bands_early=quick))

    @property
    def complete(self) -> bool:
        """Whether all is measured."""
        no_task = "_tasks" in vars(self) and not self._tasks
        return no_task and self.reliability.next(self._epsilon_index) is None

    @property
    def chosen(self) -> MetricGrid:
        """Measurements of the chosen mechanism."""
        return self.measured[self.query.mechanism.key]

    @cached_property
    def mean_directions(self) -> list[int]:
        """Numbers, from 1, of the directions that are mostly the mean of uncentred rows."""
        shares = offset_shares(self.dataset, self.query.k)
        return [] if shares is None else [int(j) + 1 for j in np.flatnonzero(shares >= MOSTLY)]

    def advance(
        self, seconds: float | None = None, should_yield: Callable[[], bool] = never_yield
    ) -> None:
        """Work for ``seconds``, at least one task, and no more where others are waiting.

        By default slices grow while nothing else is asked.
        """
        most = LONGEST_SECONDS if self.has_all_curves else COARSE_SECONDS
        if seconds is None:
            self._slices.take(self._epsilon_index, self._steps(), should_yield, most)
        else:
            take_steps(self._steps(), seconds, should_yield)
        self._draws.forget()
        spent, left = self.pace.spent + self.reliability.spent, self.seconds_left
        self.share = 1.0 if self.complete else max(self.share, spent / max(spent + left, 1e-9))
        self.stage += 1

    def _steps(self) -> Iterator[None]:
        while not self.complete:
            if self._refine():
                yield

    def has_curve(self, mechanism: Mechanism) -> bool:
        """Tell whether a mechanism is measured along the whole axis, however coarsely."""
        return bool(self.measured[mechanism.key].done[COARSE, 0].all())

    @property
    def has_all_curves(self) -> bool:
        """Whether every mechanism is measured along the whole axis."""
        return all(self.has_curve(mechanism) for mechanism in self.mechanisms)

    @property
    def seconds_left(self) -> float:
        """Seconds of measuring until all is complete, by what releases took so far."""
        left = self.reliability.seconds_left(self._epsilon_index)
        for mechanism in self.mechanisms:
            left += self.pace.average(mechanism) * int((~self.measured[mechanism.key].done).sum())
        return left

    def first_paint(self, epsilon_index: int, busy: bool = False) -> None:
        """Measure the chosen mechanism's first releases at the chosen ε and at every other ε.

        Ends early where that takes long; while the server is busy, measures at every sixth ε. Where
        something is measured already, only the chosen ε may lack releases.
        """
        self._epsilon_index = epsilon_index
        if self.chosen.done[epsilon_index].any():
            return
        wide = WIDE_PAINT * expected_seconds(self.problem.d)
        end = perf_counter() + max(FIRST_PAINT_SECONDS, min(wide, MOST_PAINT_SECONDS))
        stride, trials = (BUSY_STRIDE, BUSY_TRIALS) if busy else (FIRST_STRIDE, FIRST_TRIALS)
        stops = () if self.chosen.begun else range(len(EPSILON_STOPS))
        points = list(dict.fromkeys([epsilon_index, *stops[::BUSY_STRIDE], *stops[::stride]]))
        tasks = deque(cut(self.query.mechanism, range(trials), self.pace, [points]))
        while tasks and perf_counter() < end:
            self._do_next(tasks)
        self.stage = max(self.stage, 1)

    def budget(self, epsilon: float) -> Budget:
        """Return the budget at ε, for mechanism and preprocessing together."""
        return Budget(epsilon, self.query.delta, self.query.adjacency)

    def epsilon_needed(self, mechanism: Mechanism, target: float) -> EpsilonNeeded | None:
        """Find the smallest ε that keeps the target in 9 of 10 releases; None while unmeasured.

        Never certain where ε also pays for a mean: all releases measured share one draw of it.
        """
        measured = self.measured[mechanism.key]
        known, trials = measured.known()
        if trials == 0:
            return None
        # The same number of releases for all: more would make the chosen one seem to need less.
        trials = min(trials, RIVAL_TRIALS)
        indices = np.array([i for i in known if not self.not_simulated(mechanism, i)], dtype=int)
        if len(indices) == 0:
            return EpsilonNeeded(None, False)
        key = (mechanism.key, target, len(indices), trials)
        if key not in self._epsilon_needed:
            captured = measured.captured[indices, :trials]
            found = smallest_epsilon([EPSILON_STOPS[i] for i in indices], captured, target)
            self._epsilon_needed[key] = found.as_estimate if self.dataset.mean_share else found
        return self._epsilon_needed[key]

    def not_simulated(self, mechanism: Mechanism, index: int) -> bool:
        """Tell whether a release exists but takes too long to be simulated on a page."""
        noted = index in self.measured[mechanism.key].notes
        return noted and self.calibrations.guarantees(mechanism)[index] is not None

    @property
    def people_needed_is_quick(self) -> bool:
        """Whether "how many people" needs no new releases."""
        try:
            return self.query.mechanism.relative_noise(*self.points[-1]) is not None
        except InfeasibleBudget:
            return True

    def people_needed(self, target: float, index: int) -> PeopleNeeded:
        """Find how many people the chosen mechanism needs at ``EPSILON_STOPS[index]``."""
        needed = self.epsilon_needed(self.query.mechanism, target)
        key = (target, index, needed)
        if key not in self._people_needed:
            problem, budget = self.points[index]
            self._people_needed[key] = people_needed(
                self.query.mechanism,
                problem,
                budget,
                epsilon_needed=self._mechanism_epsilon(needed),
                target=target,
                seed=self.query.seed,
            )
        return self._people_needed[key]

    def _mechanism_epsilon(self, needed: EpsilonNeeded | None) -> EpsilonNeeded | None:
        """Return the mechanism's part of an ε that also pays for the preprocessing."""
        needed = needed and needed.stated
        if needed is None or needed.epsilon is None:
            return needed
        mechanism_budget = self.dataset.mechanism_budget(self.budget(needed.epsilon))
        return replace(needed, epsilon=mechanism_budget.epsilon)

    def _axis(self) -> list[Point]:
        """Return a point at each ε; one problem for all unless ε also pays for a mean."""
        query = self.query
        budgets = [self.budget(epsilon) for epsilon in EPSILON_STOPS]
        if self.dataset.mean_share == 0:
            problem = self.dataset.problem(query.k, query.n)
            return [(problem, budget) for budget in budgets]
        return [self.dataset.point(query.k, query.n, b, query.seed) for b in budgets]

    def _refine(self) -> bool:
        """Measure a little more; tell whether there was anything to measure.

        Reliability at the chosen ε comes before the rivals where it is quick, else last.
        """
        index = self.reliability.next(self._epsilon_index)
        banded = self.chosen.trials() >= BAND_TRIALS
        soon = self.reliability.is_quick and index == self._epsilon_index and banded
        if index is not None and (not self._tasks or soon):
            self.reliability.step(index)
            return True
        return bool(self._tasks) and self._do_next(self._tasks)

    def _do_next(self, tasks: deque[MeasurementTask]) -> bool:
        """Do the next task, or a slice of it; tell whether there was anything to measure.

        A rival's guarantees come first: no sentence about it is possible without all of them.
        """
        mechanism, trials, points = tasks[0]
        measured = self.measured[mechanism.key]
        missing = [i for i in points if not measured.done[i, trials].all()]
        if not missing:
            tasks.popleft()
            return False
        rival = mechanism is not self.query.mechanism
        if rival and not self.calibrations.find_guarantees(mechanism, self.pace.task_seconds):
            return True
        task, rest = self.pace.take_slice(tasks.popleft()._replace(points=missing))
        if rest.points:
            tasks.appendleft(rest)
        with self.pace.timed(task), requeue_on_interruption(tasks, task):
            draws = self._draws.of(mechanism, trials)
            # On a very wide table the first answer does not wait for norms.
            first = self.stage == 0 and self.pace.task_seconds < expected_seconds(self.problem.d)
            measure = measured_first if first else run_trials
            found = measure(draws, [self.points[i] for i in task.points])
            if not first and np.isnan(measured.norms[trials]).any():
                norms = noise_norms(draws, self.problem.d)
                measured.norms[trials] = np.nan if norms is None else norms
            measured.enter(task.points, trials, found)
        return True

    def noise_norms_in_people(self, mechanism: Mechanism) -> Array | None:
        """Return spectral norms (G, T) of the noise on S along ε, in people; None without noise."""
        norms = self.measured[mechanism.key].norms
        norms = norms[np.isfinite(norms)]
        return np.outer(self.calibrations.scales(mechanism), norms) if len(norms) else None
