"""People needed, measured mechanism by mechanism in what time there is; what is known is kept."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import nan
from time import perf_counter

from dpca_core.analysis.sample_size import (
    TRIALS,
    Aim,
    Inverse,
    Needed,
    Table,
    invert_relative_noise,
    measure,
    relative_noise_at,
)
from dpca_core.mechanisms.base import Mechanism
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import Budget, Guarantee, InfeasibleBudget
from ui.sample_size.query import Asked, Name, infeasible
from ui.server.scheduler import never_yield

MOST_COLUMNS, KEPT, REMEMBERED = 200, 400, 20_000
SHORTEST, GROWTH, LONGEST = 0.12, 1.25, 0.5
NOBODY = Needed(None, None, None)


@dataclass
class Run:
    """A measurement under way, with the budget at which it is made."""

    asked: Asked
    steps: Iterator[Table | None]
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
        self._runs: dict[Name, Run] = {}
        self._inverses: dict[tuple[Name, Budget], Inverse] = {}
        self._known: dict[tuple[Name, int, Aim, Budget], float | None] = {}
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
        self, asked: Asked, seconds: float = LONGEST, should_yield: Callable[[], bool] = never_yield
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
            self._step(asked, min(open_, key=lambda m: self._turn(asked, m)))
            if perf_counter() >= end or should_yield():
                return

    def _turn(self, asked: Asked, mechanism: Mechanism) -> tuple[float, float]:
        return self._progress(asked, mechanism), mechanism.relative_cost

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

    def _step(self, asked: Asked, mechanism: Mechanism) -> None:
        run = self._run(asked, mechanism)
        try:
            run.table = next(run.steps) or run.table
        except (StopIteration, InfeasibleBudget):
            run.done = True
        except BaseException:
            # Given up in the midst: its steps cannot go on from there.
            self._runs.pop(asked.of(mechanism), None)
            raise

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
        move = self._move(asked.of(mechanism), run, asked, mechanism)
        return run.table.needed(asked.aim).moved(move)

    def along(self, asked: Asked, mechanism: Mechanism, epsilons: tuple[float, ...]) -> list[float]:
        """People needed at other ε, NaN where unknown; all NaN where ε cannot be carried over."""
        if not asked.reusable(mechanism):
            return [nan] * len(epsilons)
        others = [asked.with_epsilon(e) for e in epsilons]
        return [self._people(asked, mechanism, asked.aim, other) for other in others]

    def by_aim(self, asked: Asked, mechanism: Mechanism, levels: tuple[float, ...]) -> list[float]:
        """People needed for other levels of the same aim, NaN where unknown."""
        aims = [replace(asked, level=v).aim for v in levels]
        return [self._people(asked, mechanism, aim, asked) for aim in aims]

    def _people(self, asked: Asked, mechanism: Mechanism, aim: Aim, other: Asked) -> float:
        """People needed for an aim at another budget: remembered, for lines change in part only."""
        run, name = self._run(asked, mechanism), asked.of(mechanism)
        if run.table is None:
            return nan
        key = (name, run.table.trials, aim, other.budget)
        if key not in self._known:
            while len(self._known) >= REMEMBERED:
                del self._known[next(iter(self._known))]
            n = None if infeasible(other, mechanism) else run.table.estimate(aim)
            move = self._move(name, run, other, mechanism)
            self._known[key] = None if n is None else move(n)
        known = self._known[key]
        return nan if known is None else known

    def _move(self, name: Name, run: Run, asked: Asked, mechanism: Mechanism) -> Inverse:
        """Take sizes from the budget at which they were measured to the one asked for."""
        table = run.table
        if table is None or table.relative is None or run.asked.budget == asked.budget:
            return lambda n: n
        if (name, asked.budget) not in self._inverses:
            while len(self._inverses) >= REMEMBERED:
                del self._inverses[next(iter(self._inverses))]
            self._inverses[name, asked.budget] = invert_relative_noise(mechanism, *asked.at(1e6))
        inverse = self._inverses[name, asked.budget]
        return lambda n: inverse(relative_noise_at(table, n))
