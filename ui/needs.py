"""People needed, measured mechanism by mechanism in what time there is; what is known is kept."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import nan
from time import perf_counter

from dpca_core.bounds import Case
from dpca_core.budget import Adjacency, Budget, Guarantee, InfeasibleBudget
from dpca_core.dataset import Dataset
from dpca_core.enough import TRIALS, Aim, Needed, Table, measure, noise_at, people_at, spiked
from dpca_core.mechanism import Mechanism
from dpca_core.problem import Problem
from dpca_core.registry import MECHANISMS
from dpca_core.trace import Point
from ui.load import nobody

MOST_COLUMNS, KEPT = 200, 400
SHORTEST, GROWTH, LONGEST = 0.04, 1.25, 0.4
NOBODY = Needed(None, None, None)


@dataclass(frozen=True)
class Asked:
    """What is asked: of one spike (``data`` None) or of a data set's own spectrum."""

    data: Dataset | None
    columns: int
    gap: float
    k: int
    kind: str
    level: float
    share: float
    epsilon: float
    delta: float
    adjacency: Adjacency
    keys: tuple[str, ...]
    seed: int = 0

    @property
    def budget(self) -> Budget:
        """The whole budget, a private mean's part included."""
        return Budget(self.epsilon, self.delta, self.adjacency)

    @property
    def aim(self) -> Aim:
        """The aim in the terms of a measurement."""
        match self.kind:
            case "captured":
                return Aim.captured(self.level, self.share)
            case "sin":
                return Aim("sin", self.level, self.share)
        return Aim.correlation(self.level, self.share)

    @property
    def d(self) -> int:
        """Columns."""
        return self.data.d if self.data else self.columns

    @cached_property
    def _whole(self) -> Point:
        if self.data is None:
            return _spike(self.columns, self.gap), self.budget
        return self.data.point(self.k, None, self.budget, self.seed)

    def at(self, n: float) -> Point:
        """Problem and budget at n people."""
        problem, budget = self._whole
        return problem.scaled(n), budget

    @property
    def spectrum(self) -> tuple[float, float, float]:
        """λ₁, λ₂ and the least eigenvalue of A, shares of 1."""
        problem = self.at(1.0)[0]
        return float(problem.spectrum[0]), float(problem.spectrum[1]), float(problem.spectrum[-1])

    @property
    def rho(self) -> float | None:
        """The aim as a correlation, where it is one: at k = 1, captured on one spike only."""
        if self.k != 1:
            return None
        if self.kind == "correlation":
            return self.level
        if self.kind == "sin":
            return float((1 - self.level**2) ** 0.5)
        top, second, least = self.spectrum
        squared = (self.level * top - second) / (top - second)
        return float(squared**0.5) if 0 < squared < 1 and least > second * (1 - 1e-9) else None

    @property
    def case(self) -> Case | None:
        """What the theorems are asked; None where they do not speak of it."""
        rho = self.rho
        top, second, _ = self.spectrum
        if rho is None or top - second <= 0:
            return None
        budget = self.at(1.0)[1]
        return Case(
            self.d, top - second, top, budget.epsilon, budget.delta, self.adjacency, rho,
            1 - self.share,
        )  # fmt: skip

    def of(self, mechanism: Mechanism) -> tuple[object, ...]:
        """What the law of a mechanism's releases depends on."""
        shape = (self.columns, self.gap) if self.data is None else (self.data.digest, self.k)
        spent = None if self.reusable(mechanism) else self.budget
        return shape, mechanism, self.seed, spent

    def reusable(self, mechanism: Mechanism) -> bool:
        """Tell whether one number carries a measurement over to other budgets."""
        if mechanism.key not in self._reusable:
            self._reusable[mechanism.key] = self._carries(mechanism)
        return self._reusable[mechanism.key]

    @cached_property
    def _reusable(self) -> dict[str, bool]:
        return {}

    def _carries(self, mechanism: Mechanism) -> bool:
        if self.data is not None and self.data.mean_share > 0:
            return False
        try:
            return mechanism.relative_noise(*self.at(1e6)) is not None
        except InfeasibleBudget:
            return True


@dataclass
class Run:
    """A measurement under way, with the budget at which it is made."""

    asked: Asked
    steps: Iterator[Table]
    table: Table | None = None
    done: bool = False


@dataclass(frozen=True)
class Row:
    """One mechanism: what is known of the people it needs, or why there is none."""

    mechanism: Mechanism
    needed: Needed
    trials: int
    guarantee: Guarantee | None
    note: str = ""


class Needs:
    """All measurements of a session, advanced in slices."""

    def __init__(self) -> None:
        self._runs: dict[tuple[object, ...], Run] = {}
        self.stage = 0
        self._last: Asked | None = None
        self._slices = 0

    def rows(self, asked: Asked) -> list[Row]:
        """Return what is known now, in the order of the registry."""
        return [self._row(asked, MECHANISMS[key]) for key in asked.keys]

    def share(self, asked: Asked) -> float:
        """Share of the releases measured."""
        waiting = [m for m in self._able(asked)]
        if not waiting or asked.d > MOST_COLUMNS:
            return 1.0
        return sum(self._progress(asked, m) for m in waiting) / len(waiting)

    def fresh(self, asked: Asked) -> bool:
        """Tell whether nothing was measured since this was asked: someone may still be moving."""
        return asked != self._last

    def advance(
        self, asked: Asked, seconds: float = LONGEST, wanted: Callable[[], bool] = nobody
    ) -> None:
        """Measure for a moment, longer as nobody moves: whoever has fewest releases comes first.

        At least one step; no more where others are waiting.
        """
        self._slices = 0 if asked != self._last else self._slices + 1
        self._last = asked
        end = perf_counter() + min(seconds, SHORTEST * GROWTH**self._slices)
        self.stage += 1
        while asked.d <= MOST_COLUMNS:
            open_ = [m for m in self._able(asked) if not self._run(asked, m).done]
            if not open_:
                return
            self._step(self._run(asked, min(open_, key=lambda m: self._turn(asked, m))))
            if perf_counter() >= end or wanted():
                return

    def _turn(self, asked: Asked, mechanism: Mechanism) -> tuple[float, float]:
        return self._progress(asked, mechanism), mechanism.effort

    def _progress(self, asked: Asked, mechanism: Mechanism) -> float:
        run = self._run(asked, mechanism)
        if run.done or run.table is None:
            return float(run.done)
        return run.table.trials / TRIALS

    def _able(self, asked: Asked) -> list[Mechanism]:
        chosen = [MECHANISMS[key] for key in asked.keys]
        return [m for m in chosen if not infeasible(asked, m)]

    def _run(self, asked: Asked, mechanism: Mechanism) -> Run:
        name = asked.of(mechanism)
        if name not in self._runs:
            steps = measure(mechanism, asked.at, asked.seed)
            self._runs[name] = Run(asked, steps)
            while len(self._runs) > KEPT:
                del self._runs[next(iter(self._runs))]
        return self._runs[name]

    @staticmethod
    def _step(run: Run) -> None:
        try:
            run.table = next(run.steps)
        except (StopIteration, InfeasibleBudget):
            run.done = True

    def _row(self, asked: Asked, mechanism: Mechanism) -> Row:
        note = infeasible(asked, mechanism)
        if note:
            return Row(mechanism, NOBODY, 0, None, note)
        guarantee = mechanism.guarantee(*asked.at(1e6))
        table = self._run(asked, mechanism).table if asked.d <= MOST_COLUMNS else None
        if table is None:
            return Row(mechanism, NOBODY, 0, guarantee)
        needed = self.at_budget(asked, mechanism)
        return Row(mechanism, needed, table.trials, guarantee)

    def at_budget(self, asked: Asked, mechanism: Mechanism) -> Needed:
        """Read a measurement at the budget asked for, whichever it was made at."""
        run = self._run(asked, mechanism)
        if run.table is None or infeasible(asked, mechanism):
            return NOBODY
        found = run.table.needed(asked.aim)
        return found.moved(lambda n: _carried(run, asked, mechanism, n))

    def along(self, asked: Asked, mechanism: Mechanism, epsilons: tuple[float, ...]) -> list[float]:
        """People needed at other ε, NaN where unknown; all NaN where ε cannot be carried over."""
        others = [replace(asked, epsilon=e) for e in epsilons]
        if not asked.reusable(mechanism):
            return [nan] * len(epsilons)
        return self._each(asked, mechanism, [asked.aim] * len(others), others)

    def by_aim(self, asked: Asked, mechanism: Mechanism, levels: tuple[float, ...]) -> list[float]:
        """People needed for other levels of the same aim, NaN where unknown."""
        aims = [replace(asked, level=v).aim for v in levels]
        return self._each(asked, mechanism, aims, [asked] * len(aims))

    def _each(
        self, asked: Asked, mechanism: Mechanism, aims: list[Aim], others: list[Asked]
    ) -> list[float]:
        run = self._run(asked, mechanism)
        if run.table is None:
            return [nan] * len(aims)
        known = [run.table.needed(aim).n for aim in aims]
        moved = [
            None if n is None or infeasible(other, mechanism)
            else _carried(run, other, mechanism, n)
            for n, other in zip(known, others, strict=True)
        ]  # fmt: skip
        return [nan if n is None else n for n in moved]


def _carried(run: Run, asked: Asked, mechanism: Mechanism, n: float) -> float | None:
    """Take a size from the budget at which it was measured to the one asked for."""
    if run.table is None or run.table.relative is None or run.asked.budget == asked.budget:
        return n
    problem, budget = asked.at(1e6)
    return people_at(mechanism, problem, budget, noise_at(run.table, n))


def infeasible(asked: Asked, mechanism: Mechanism) -> str:
    """Say why a mechanism has no release at this budget, however many people; else nothing."""
    try:
        mechanism.calibrate(*asked.at(1e6))
    except InfeasibleBudget as error:
        return str(error)
    return ""


@lru_cache(maxsize=32)
def _spike(d: int, gap: float) -> Problem:
    return spiked(d, gap)
