"""One view of the data, measured bit by bit: every mechanism along the ε axis, chosen one first."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from dpca_core.budget import Adjacency, Budget, Guarantee, InfeasibleBudget
from dpca_core.dataset import Dataset
from dpca_core.inverse import people_needed, smallest_epsilon
from dpca_core.linalg import Array
from dpca_core.mechanism import Mechanism
from dpca_core.problem import Problem
from dpca_core.trace import Draws, noise_norms, trace
from ui.load import nobody

_STEPS = (1, 1.5, 2, 3, 5, 7)
EPSILONS = (*(float(f"{step}e{decade}") for decade in range(-3, 2) for step in _STEPS), 100.0)
"""The stops of the rule."""

FIRST, BANDS, FULL, OTHERS = 20, 60, 200, 40
"""Releases for the first paint, for bands, and at the end: of the chosen one, of the others."""

STEP, BUSY_STEP, BUSY_FIRST, BLINK = 2, 6, 10, 0.15
"""Of how many stops the first paint measures one; that and its releases while the server is busy;
seconds after which it is shown as far as it is."""

Task = Callable[[], bool]
"""Measures something and tells whether there was anything to measure."""

_PASSES = [range(start, len(EPSILONS), step) for start, step in ((0, 6), (2, 6), (4, 6), (1, 2))]
"""In which order stops are measured: coarse first, every other one before the rest."""


@dataclass(frozen=True)
class View:
    """Everything that defines the picture but not the chosen ε and the target."""

    mechanism: Mechanism
    k: int
    delta: float
    n: float
    adjacency: Adjacency
    seed: int


@dataclass
class Measured:
    """Metrics of one mechanism along ε: (G, T) arrays, NaN where not done yet or refused.

    ``norms`` (T,) are those of unit noise on S; NaN without such noise.
    """

    captured: Array
    sin_theta: Array
    refused: np.ndarray
    done: np.ndarray
    norms: Array
    notes: dict[int, str] = field(default_factory=dict)

    @classmethod
    def empty(cls, points: int, trials: int) -> "Measured":
        """Nothing measured yet."""
        missing = np.full((points, trials), np.nan)
        no = np.zeros((points, trials), dtype=bool)
        return cls(missing, missing.copy(), no, no.copy(), missing[0].copy())

    def trials(self) -> int:
        """Trials done at every point."""
        return int(self.done.all(axis=0).sum())

    def known(self) -> tuple[NDArray[np.intp], int]:
        """Points that are measured, and how many trials each of them has at least."""
        at = np.flatnonzero(self.done[:, 0])
        return at, int(self.done[at].all(axis=0).sum()) if len(at) else 0


class Study:
    """The measurements behind the Explore page for one data set and view.

    Work is a queue of small tasks; ``advance`` does what fits into a time slice, so the page can
    paint early, refine, and be interrupted by the next move of a control.
    """

    def __init__(self, dataset: Dataset, view: View, others: tuple[Mechanism, ...]) -> None:
        self.dataset, self.view = dataset, view
        self.mechanisms = (view.mechanism, *(m for m in others if m.key != view.mechanism.key))
        self.points = self._axis()
        self.problem = self.points[-1][0]
        self.measured = {
            m.key: Measured.empty(len(EPSILONS), FULL if m is view.mechanism else OTHERS)
            for m in self.mechanisms
        }
        self.people: dict[tuple[float, int, float | None], float | None] = {}
        self._guarantees: dict[str, list[Guarantee | None]] = {}
        self._needed: dict[tuple[str, float, int], float | None] = {}
        self.stage = 0

    @cached_property
    def _tasks(self) -> deque[Task]:
        """What is to do yet; thought of when there is time for it."""
        return deque(self._plan())

    @property
    def complete(self) -> bool:
        """Whether all is measured."""
        return "_tasks" in vars(self) and not self._tasks

    @property
    def chosen(self) -> Measured:
        """Measurements of the chosen mechanism."""
        return self.measured[self.view.mechanism.key]

    def advance(self, seconds: float, wanted: Callable[[], bool] = nobody) -> None:
        """Work for about ``seconds``, at least one task, and no more where others are waiting."""
        end = perf_counter() + seconds
        while self._tasks:
            if self._tasks.popleft()() and (perf_counter() >= end or wanted()):
                break
        self.stage += 1

    def first_paint(self, index: int, busy: bool = False) -> None:
        """Measure the chosen mechanism's first releases at every other ε and at stop ``index``.

        Stops earlier where that is not done in a blink; while the server is busy, at every sixth ε.
        """
        end = perf_counter() + BLINK
        step, trials = (BUSY_STEP, BUSY_FIRST) if busy else (STEP, FIRST)
        stops = range(len(EPSILONS))
        points = list(dict.fromkeys([index, *stops[::BUSY_STEP], *stops[::step]]))
        for work in self._measure(self.view.mechanism, 0, trials, [points]):
            work()
            if perf_counter() >= end:
                break
        self.stage += 1

    def budget(self, epsilon: float) -> Budget:
        """Return what is asked for at ε, for mechanism and preprocessing together."""
        return Budget(epsilon, self.view.delta, self.view.adjacency)

    def guarantees(self, mechanism: Mechanism) -> list[Guarantee | None]:
        """What holds at each ε for the mechanism's part of the budget; None where infeasible."""
        if mechanism.key not in self._guarantees:
            self._guarantees[mechanism.key] = [_guarantee(mechanism, *p) for p in self.points]
        return self._guarantees[mechanism.key]

    def needed(self, mechanism: Mechanism, target: float) -> float | None:
        """Smallest ε that keeps the target in 9 of 10 releases; NaN while unmeasured."""
        measured = self.measured[mechanism.key]
        at, trials = measured.known()
        if trials == 0:
            return float("nan")
        key = (mechanism.key, target, trials * len(at))
        if key not in self._needed:
            captured = measured.captured[at, :trials]
            self._needed[key] = smallest_epsilon([EPSILONS[i] for i in at], captured, target)
        return self._needed[key]

    @property
    def people_quick(self) -> bool:
        """Whether "how many people" needs no new releases."""
        try:
            return self.view.mechanism.relative_noise(*self.points[-1]) is not None
        except InfeasibleBudget:
            return True

    def people_needed(self, target: float, index: int) -> float | None:
        """Return how many people the chosen mechanism needs at stop ``index`` for the target."""
        needed = self.needed(self.view.mechanism, target)
        key = (target, index, needed)
        if key not in self.people:
            problem, budget = self.points[index]
            self.people[key] = people_needed(
                self.view.mechanism, problem, budget,
                epsilon_needed=self._split(needed), target=target, seed=self.view.seed,
            )  # fmt: skip
        return self.people[key]

    def _split(self, epsilon: float | None) -> float | None:
        """Return the mechanism's part of an ε that is paid in all."""
        if epsilon is None or np.isnan(epsilon):
            return None
        return self.dataset.split(self.budget(epsilon))[1].epsilon

    def _axis(self) -> list[tuple[Problem, Budget]]:
        """One point for each ε; the problem is the same for all unless ε also pays for a mean."""
        budgets = [self.budget(epsilon) for epsilon in EPSILONS]
        view = self.view
        if self.dataset.mean_share == 0:
            problem = self.dataset.problem(view.k, view.n)
            return [(problem, budget) for budget in budgets]
        return [
            (self.dataset.problem(view.k, view.n, b, view.seed), self.dataset.split(b)[1])
            for b in budgets
        ]

    def _plan(self) -> list[Task]:
        chosen, *others = self.mechanisms
        tasks = self._measure(chosen, 0, FIRST) + self._measure(chosen, FIRST, BANDS)
        for other in others:
            tasks += self._measure(other, 0, FIRST)
        tasks += self._measure(chosen, BANDS, FULL)
        for other in others:
            tasks += self._measure(other, FIRST, OTHERS)
        return tasks

    def _measure(
        self,
        mechanism: Mechanism,
        start: int,
        stop: int,
        passes: Sequence[Sequence[int]] = _PASSES,
    ) -> list[Task]:
        """Tasks of about 50 ms: coarse points first, few at a time where d is large."""
        cost = (float(self.problem.d) ** 2.1 * 4e-8 + 2e-5) * mechanism.effort
        solves = max(1, int(0.05 / cost))
        chunk = max(1, min(stop - start, solves // len(EPSILONS)))
        size = max(1, solves // chunk)
        groups = [passing[i : i + size] for passing in passes for i in range(0, len(passing), size)]
        return [
            self._task(mechanism, range(t, min(t + chunk, stop)), points)
            for t in range(start, stop, chunk)
            for points in groups
        ]

    def _task(self, mechanism: Mechanism, trials: range, points: Sequence[int]) -> Task:
        def work() -> bool:
            measured, block = self.measured[mechanism.key], np.ix_(points, trials)
            if measured.done[block].all():
                return False
            draws = Draws(mechanism, self.view.seed, trials)
            result = trace(draws, [self.points[i] for i in points])
            measured.captured[block] = result.captured
            measured.sin_theta[block] = result.sin_theta
            measured.refused[block] = result.refused
            measured.done[block] = True
            measured.notes |= {i: n for i, n in zip(points, result.notes, strict=True) if n}
            if np.isnan(measured.norms[trials]).any():
                norms = noise_norms(draws, self.problem.d, self.view.k)
                measured.norms[trials] = np.nan if norms is None else norms
            return True

        return work


def _guarantee(mechanism: Mechanism, problem: Problem, budget: Budget) -> Guarantee | None:
    try:
        return mechanism.guarantee(problem, budget)
    except InfeasibleBudget:
        return None


def norm_in_people(study: Study, mechanism: Mechanism) -> Array | None:
    """Spectral norm (G, T) of a mechanism's noise on S along ε, in people; None without one."""
    norms = study.measured[mechanism.key].norms
    norms = norms[np.isfinite(norms)]
    if len(norms) == 0:
        return None
    scales = []
    for problem, budget in study.points:
        try:
            scales.append(mechanism.calibrate(problem, budget).scale)
        except InfeasibleBudget:
            scales.append(np.nan)
    return np.outer(scales, norms)


def view_id(dataset: Dataset, view: View) -> str:
    """Name the picture: same data and view give the same short digest."""
    text = repr((dataset.digest, view))
    return sha256(text.encode()).hexdigest()[:12]
