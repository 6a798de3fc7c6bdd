"""The Local page's measurements: errors of releases with and without a curator, bit by bit."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import nan, sqrt
from time import perf_counter

import numpy as np

from dpca_core.data.dataset import Dataset
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.base import Mechanism
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import Adjacency, Budget, InfeasibleBudget
from dpca_core.problem import Problem
from dpca_core.runtime.cached_property import cached_property
from dpca_core.simulation.draws import Draws
from dpca_core.simulation.wang_xu import sample_moment
from dpca_core.sparse.sparse_pca import recovery, support
from ui.server.scheduler import never_yield

SHORTEST, GROWTH, LONGEST, KEPT = 0.04, 1.25, 0.4, 20_000
CENTRAL = "gaussian"
ERROR, PRECISION, RECALL = 0, 1, 2


@dataclass(frozen=True)
class Asked:
    """One setting: a design of Wang & Xu ("dense", "sparse") or a data set.

    Attributes
    ----------
    columns
        s: how many columns the directions of the sparse design use.
    factor
        c of the sparse mechanism's penalty.
    """

    source: str
    data: Dataset | None
    p: int
    k: int
    columns: int
    n: float
    epsilon: float
    delta: float
    factor: float = 1.0
    repetitions: int = 20
    seed: int = 0

    @property
    def d(self) -> int:
        """Columns of the data."""
        return self.data.d if self.data else self.p

    @property
    def budget(self) -> Budget:
        """Between any two records of a person: what a curator is asked under replacement."""
        return Budget(self.epsilon, self.delta, Adjacency.REPLACE_ONE)

    @cached_property
    def ground(self) -> tuple[Problem, Array, np.ndarray]:
        """The problem, the directions that errors are measured from, and the columns they use."""
        if self.data is not None:
            problem = self.data.problem(self.k, self.n, self.budget, self.seed)
            return problem, problem.basis, np.ones(self.d, dtype=bool)
        used = self.columns if self.source == "sparse" else self.p
        drawn = sample_moment(self.n, self.p, self.k, used, seed=self.seed)
        return Problem(drawn.moment, self.n, self.k), drawn.directions, drawn.support

    def moved(self, **changes: float) -> "Asked":
        """Return another setting, with k and the columns used kept within p."""
        other = replace(self, **changes)  # type: ignore[arg-type]
        other = replace(other, k=min(int(other.k), other.d - 1))
        return replace(other, columns=min(max(other.columns, other.k), other.d))

    def runs(self, mechanism: Mechanism | None) -> int:
        """Repetitions: fewer where one takes long."""
        if mechanism is None:
            return 1
        if mechanism.key == "local_sparse" and self.d > 60:
            return min(self.repetitions, 3 if self.d <= 200 else 1)
        return self.repetitions


def mechanism_of(asked: Asked, key: str) -> Mechanism | None:
    """Return a mechanism with its settings; None stands for PCA of the sample itself."""
    if key == "none":
        return None
    found = MECHANISMS[key]
    return replace(found, sparsity=asked.factor) if key == "local_sparse" else found  # type: ignore[call-arg]


@dataclass(frozen=True)
class Cell:
    """One mechanism at one setting."""

    asked: Asked
    key: str

    @cached_property
    def name(self) -> tuple[object, ...]:
        """What the law of the errors depends on."""
        a = self.asked
        ground = (
            (a.data.identity,) if a.data else (a.source, a.p, a.columns * (a.source == "sparse"))
        )
        spent = () if self.key == "none" else (a.epsilon, a.delta)
        return (*ground, a.k, a.n, a.seed, self.key, a.factor * (self.key == "local_sparse"), spent)

    @property
    def wanted(self) -> int:
        """Repetitions asked for."""
        return self.asked.runs(mechanism_of(self.asked, self.key))


def distance(truth: Array, bases: Array) -> Array:
    """‖V̂V̂ᵀ − VVᵀ‖_F (T,) of bases (T, d, k): √2 times sin Θ, at most √(2k)."""
    overlap = np.square(truth.T @ bases).sum(axis=(-2, -1))
    return np.asarray(np.sqrt(np.maximum(2 * (truth.shape[1] - overlap), 0)))


def ceiling(k: int) -> float:
    """Largest distance there is, for k ≤ d/2."""
    return sqrt(2 * k)


def at_random(d: int, k: int) -> float:
    """Root mean square distance of uniformly random directions: √(2k(1 − k/d))."""
    return sqrt(2 * k * (1 - k / d))


class Runs:
    """All errors of a session."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], Array] = {}
        self._last: object = None
        self._slices = 0
        self.stage = 0

    def found(self, cell: Cell) -> Array:
        """Return error, precision and recall (T, 3) so far; NaN where there is no release."""
        return self._known.get(cell.name, np.empty((0, 3)))

    def mean(self, cell: Cell, what: int = ERROR) -> float:
        """Return the mean of one of them, as the paper plots the error; NaN where unknown."""
        values = self.found(cell)[:, what]
        return float(values.mean()) if len(values) else nan

    def fresh(self, asked: Asked) -> bool:
        """Tell whether nothing was measured since this was asked."""
        return asked != self._last

    def share(self, cells: list[Cell]) -> float:
        """Share of the repetitions that are measured."""
        wanted = sum(cell.wanted for cell in cells)
        done = sum(min(len(self.found(cell)), cell.wanted) for cell in cells)
        return done / wanted if wanted else 1.0

    def advance(
        self, asked: Asked, cells: list[Cell], should_yield: Callable[[], bool] = never_yield
    ) -> None:
        """Measure for a moment, longer as nobody moves: the first missing cells first.

        At least once; no more where others are waiting.
        """
        self._slices = 0 if asked != self._last else self._slices + 1
        self._last, self.stage = asked, self.stage + 1
        end = perf_counter() + min(LONGEST, SHORTEST * GROWTH**self._slices)
        for few in (2, 10**9):
            for cell in cells:
                while len(self.found(cell)) < min(few, cell.wanted):
                    self._more(cell)
                    if perf_counter() >= end or should_yield():
                        return

    def _more(self, cell: Cell) -> None:
        known = self.found(cell)
        size = max(1, min(20, int(2e6 / cell.asked.d**2.5)))
        trials = range(len(known), min(cell.wanted, len(known) + size))
        more = _measured(cell, trials)
        self._known[cell.name] = np.concatenate([known, more])
        while len(self._known) > KEPT:
            del self._known[next(iter(self._known))]


def _measured(cell: Cell, trials: range) -> Array:
    problem, truth, used = cell.asked.ground
    mechanism = mechanism_of(cell.asked, cell.key)
    if mechanism is None:
        return _judged(problem.basis[None], truth, used)
    try:
        release = Draws(mechanism, cell.asked.seed, trials).release(problem, cell.asked.budget)
    except InfeasibleBudget:
        return np.full((len(trials), 3), nan)
    return _judged(release.bases, truth, used)


def _judged(bases: Array, truth: Array, used: np.ndarray) -> Array:
    columns = [recovery(named, used) for named in support(bases)]
    return np.column_stack([distance(truth, bases), np.array(columns)])
