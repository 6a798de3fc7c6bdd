"""One query of the data, measured bit by bit: every mechanism along the ε axis, chosen one first."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from time import perf_counter

import numpy as np

from dpca_core.analysis.requirements import (
    EpsilonNeeded,
    PeopleNeeded,
    people_needed,
    smallest_epsilon,
)
from dpca_core.data.dataset import Dataset
from dpca_core.data.mean_direction import MOSTLY, offset_shares
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.base import Mechanism
from dpca_core.privacy.budget import Budget, Guarantee, InfeasibleBudget
from dpca_core.problem import Problem
from dpca_core.runtime.cached_property import cached_property
from dpca_core.simulation.draws import Draws, noise_norms
from dpca_core.simulation.trials import trace
from ui.explore.measurement_tasks import (
    AT_ONCE,
    MetricGrid,
    Pace,
    MeasurementTask,
    guarantee_or_none,
    requeue_on_interruption,
    scale_or_nan,
)
from ui.explore.query import ExploreQuery
from ui.explore.reliability import QUICK, ReliabilityMeasurements
from ui.server.scheduler import never_yield
from ui.state.slider_stops import EPSILON_STOPS

FIRST, BANDS, FULL, OTHERS = 20, 60, 200, 40
"""Releases for the first paint, for bands, and at the end: of the chosen one, of the others."""

STEP, BUSY_STEP, BUSY_FIRST, BLINK, LAST = 2, 6, 10, 0.15, 0.5
"""Of how many stops the first paint measures one; that and its releases while the server is busy;
seconds after which it is shown as far as it is; seconds of a slice of the last refinement."""

Passes = Sequence[Sequence[int]]
_PASSES: Passes = [
    range(start, len(EPSILON_STOPS), step) for start, step in ((0, 6), (2, 6), (4, 6), (1, 2))
]
"""In which order stops are measured: coarse first, every other one before the rest."""


class Study:
    """The measurements behind the Explore page for one data set and query.

    Work is a queue of small pieces; ``advance`` does what fits into a time slice, so the page can
    paint early, refine, and be interrupted by the next move of a control.
    """

    def __init__(self, dataset: Dataset, query: ExploreQuery, others: tuple[Mechanism, ...]) -> None:
        self.dataset, self.query = dataset, query
        self.mechanisms = (query.mechanism, *(m for m in others if m.key != query.mechanism.key))
        self.points = self._axis()
        self.problem = self.points[-1][0]
        self.measured = {
            m.key: MetricGrid.empty(len(EPSILON_STOPS), FULL if m is query.mechanism else OTHERS)
            for m in self.mechanisms
        }
        self.people: dict[tuple[float, int, EpsilonNeeded | None], PeopleNeeded] = {}
        self._guarantees: dict[str, list[Guarantee | None]] = {}
        self._scales: dict[str, Array] = {}
        self._needed: dict[tuple[str, float, int, int], EpsilonNeeded] = {}
        self.stage, self._pace = 0, Pace(self.problem.d)
        self.reliable = ReliabilityMeasurements(query.mechanism, self.points, query.seed)
        self._here = 0

    @cached_property
    def _left(self) -> deque[MeasurementTask]:
        """What is to do yet; thought of when there is time for it."""
        return deque(self._plan())

    @property
    def complete(self) -> bool:
        """Whether all is measured."""
        done = "_left" in vars(self) and not self._left
        return done and self._reliable_next() is None

    @property
    def chosen(self) -> MetricGrid:
        """Measurements of the chosen mechanism."""
        return self.measured[self.query.mechanism.key]

    @cached_property
    def averages(self) -> list[int]:
        """Numbers of the directions that are mostly the average of rows which nobody centred."""
        shares = offset_shares(self.dataset, self.query.k)
        return [] if shares is None else [int(j) + 1 for j in np.flatnonzero(shares >= MOSTLY)]

    def advance(self, seconds: float, should_yield: Callable[[], bool] = never_yield) -> None:
        """Work for about ``seconds``, at least one piece, and no more where others are waiting."""
        begun = perf_counter()
        while not self.complete:
            measured = self._refine()
            # What comes last changes little: it is worth a new picture less often.
            most = seconds if self._left else max(seconds, LAST)
            if measured and (perf_counter() - begun >= most or should_yield()):
                break
        self.stage += 1

    def first_paint(self, index: int, busy: bool = False) -> None:
        """Measure the chosen mechanism's first releases at stop ``index`` and at every other ε.

        Stops earlier where that is not done in a blink; while the server is busy, at every sixth ε.
        Where something is measured, it is only stop ``index`` that may want it.
        """
        self._here = index
        if self.chosen.done[index].any():
            return
        end = perf_counter() + BLINK
        step, trials = (BUSY_STEP, BUSY_FIRST) if busy else (STEP, FIRST)
        stops = () if self.chosen.begun else range(len(EPSILON_STOPS))
        points = list(dict.fromkeys([index, *stops[::BUSY_STEP], *stops[::step]]))
        left = deque(self._pieces(self.query.mechanism, 0, trials, [points]))
        while left and perf_counter() < end:
            self._next(left)
        self.stage = max(self.stage, 1)

    def budget(self, epsilon: float) -> Budget:
        """Return what is asked for at ε, for mechanism and preprocessing together."""
        return Budget(epsilon, self.query.delta, self.query.adjacency)

    def guarantees(self, mechanism: Mechanism) -> list[Guarantee | None]:
        """What holds at each ε for the mechanism's part of the budget; None where infeasible."""
        self._guaranteed(mechanism, float("inf"))
        return self._guarantees[mechanism.key]

    def _guaranteed(self, mechanism: Mechanism, seconds: float) -> bool:
        """Find guarantees for about so long, at least one; tell whether all are known.

        That of smooth noise takes as long to find as a number of its releases.
        """
        found, end = self._guarantees.setdefault(mechanism.key, []), perf_counter() + seconds
        for point in self.points[len(found) :]:
            found.append(guarantee_or_none(mechanism, *point))
            if perf_counter() >= end:
                break
        return len(found) == len(self.points)

    def scales(self, mechanism: Mechanism) -> Array:
        """Noise (G,) along ε, in the mechanism's own unit; NaN where infeasible."""
        if mechanism.key not in self._scales:
            self._scales[mechanism.key] = np.array([scale_or_nan(mechanism, *p) for p in self.points])
        return self._scales[mechanism.key]

    def needed(self, mechanism: Mechanism, target: float) -> EpsilonNeeded | None:
        """Find the smallest ε that keeps the target in 9 of 10 releases; None while unmeasured.

        Never certain where ε also pays for a mean: all releases measured share one draw of it.
        """
        measured = self.measured[mechanism.key]
        at, trials = measured.known()
        if trials == 0:
            return None
        # One rule and as many releases for all, or whoever is chosen would seem to need less.
        trials = min(trials, OTHERS)
        at = np.array([i for i in at if not self.unmeasured(mechanism, i)], dtype=int)
        if len(at) == 0:
            return EpsilonNeeded(None, False)
        key = (mechanism.key, target, len(at), trials)
        if key not in self._needed:
            captured = measured.captured[at, :trials]
            found = smallest_epsilon([EPSILON_STOPS[i] for i in at], captured, target)
            certain = found.certain and self.dataset.mean_share == 0
            self._needed[key] = replace(found, certain=certain)
        return self._needed[key]

    def unmeasured(self, mechanism: Mechanism, i: int) -> bool:
        """Tell whether a page has no simulation at stop i though there is a release: too slow."""
        noted = i in self.measured[mechanism.key].notes
        return noted and self.guarantees(mechanism)[i] is not None

    @property
    def people_quick(self) -> bool:
        """Whether "how many people" needs no new releases."""
        try:
            return self.query.mechanism.relative_noise(*self.points[-1]) is not None
        except InfeasibleBudget:
            return True

    def people_needed(self, target: float, index: int) -> PeopleNeeded:
        """Find how many people the chosen mechanism needs at stop ``index`` for the target."""
        needed = self.needed(self.query.mechanism, target)
        key = (target, index, needed)
        if key not in self.people:
            problem, budget = self.points[index]
            self.people[key] = people_needed(
                self.query.mechanism, problem, budget,
                epsilon_needed=self._split(needed), target=target, seed=self.query.seed,
            )  # fmt: skip
        return self.people[key]

    def _split(self, needed: EpsilonNeeded | None) -> EpsilonNeeded | None:
        """Return the mechanism's part of an ε that is paid in all."""
        if needed is None or needed.epsilon is None:
            return needed
        return replace(needed, epsilon=self.dataset.split(self.budget(needed.epsilon))[1].epsilon)

    def _axis(self) -> list[tuple[Problem, Budget]]:
        """One point for each ε; the problem is the same for all unless ε also pays for a mean."""
        budgets = [self.budget(epsilon) for epsilon in EPSILON_STOPS]
        query = self.query
        if self.dataset.mean_share == 0:
            problem = self.dataset.problem(query.k, query.n)
            return [(problem, budget) for budget in budgets]
        return [
            (self.dataset.problem(query.k, query.n, b, query.seed), self.dataset.split(b)[1])
            for b in budgets
        ]

    def _plan(self) -> list[MeasurementTask]:
        chosen, *others = self.mechanisms
        plan = self._pieces(chosen, 0, FIRST) + self._pieces(chosen, FIRST, BANDS)
        for other in others:
            plan += self._pieces(other, 0, FIRST)
        plan += self._pieces(chosen, BANDS, FULL)
        for other in others:
            plan += self._pieces(other, FIRST, OTHERS)
        return plan

    def _pieces(
        self, mechanism: Mechanism, start: int, stop: int, passes: Passes = _PASSES
    ) -> list[MeasurementTask]:
        """Coarse points first, few trials at a time where a release takes long."""
        size = self._pace.trials(mechanism, len(EPSILON_STOPS))
        return [
            MeasurementTask(mechanism, range(t, min(t + size, stop)), points)
            for t in range(start, stop, size)
            for points in passes
        ]

    def _reliable_next(self) -> int | None:
        """Stop at which reliability is to be measured next; all releases there share no mean."""
        return None if self.dataset.mean_share else self.reliable.next(self._here)

    def _refine(self) -> bool:
        """Measure a little more; tell whether there was anything to measure.

        Reliability at the rule comes before the rivals where it is quick, else last.
        """
        stop = self._reliable_next()
        soon = stop == self._here and self.reliable.seconds <= QUICK * 1.01
        if stop is not None and (not self._left or (soon and self.chosen.trials() >= BANDS)):
            self.reliable.step(stop)
            return True
        return self._next(self._left)

    def _next(self, left: deque[MeasurementTask]) -> bool:
        """Do the next piece, or as much of it as goes at once; tell whether it was to do.

        Of a rival guarantees first: what is to be said of it asks for all of them.
        """
        rival = left[0].mechanism is not self.query.mechanism
        if rival and not self._guaranteed(left[0].mechanism, AT_ONCE):
            return True
        piece, rest = self._pace.take_slice(left.popleft())
        if rest.points:
            left.appendleft(rest)
        mechanism, trials, points = piece
        measured, block = self.measured[mechanism.key], np.ix_(points, trials)
        if measured.done[block].all():
            return False
        with self._pace.timed(piece), requeue_on_interruption(left, piece):
            draws = Draws(mechanism, self.query.seed, trials)
            found = trace(draws, [self.points[i] for i in points])
            if np.isnan(measured.norms[trials]).any():
                norms = noise_norms(draws, self.problem.d)
                measured.norms[trials] = np.nan if norms is None else norms
            measured.note(piece, found)
        return True


def norm_in_people(study: Study, mechanism: Mechanism) -> Array | None:
    """Spectral norm (G, T) of a mechanism's noise on S along ε, in people; None without one."""
    norms = study.measured[mechanism.key].norms
    norms = norms[np.isfinite(norms)]
    if len(norms) == 0:
        return None
    return np.outer(study.scales(mechanism), norms)
