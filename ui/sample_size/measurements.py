"""People needed, measured mechanism by mechanism in what time there is; what is known is kept."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from math import nan

from cachetools import FIFOCache

from dpca_core.analysis.needed import (
    TRIALS,
    Aim,
    Needed,
    NoiseTable,
    PeopleAt,
    measure,
    people_at,
)
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import Budget, Guarantee, InfeasibleBudget
from ui.sample_size.query import MANY_PEOPLE, LawKey, SampleSizeQuery
from ui.server.growing_slices import GrowingSlices
from ui.server.scheduler import never_yield

MOST_MEASURED_COLUMNS = 200
_SHORTEST_SLICE, _LONGEST_SLICE = 0.12, 0.5
_MOST_MEASUREMENTS, _MOST_BUDGETS, _MOST_AIMS = 400, 4_000, 100
UNKNOWN_NEED = Needed(None, None, None)


@dataclass
class Measurement:
    """A measurement under way."""

    steps: Iterator[NoiseTable | None]
    table: NoiseTable | None = None
    done: bool = False


@dataclass(frozen=True)
class MechanismResult:
    """One mechanism: what is known of the people it needs, or why there is none.

    Attributes
    ----------
    trials
        Releases measured at each size.
    note
        Why there is no release; "" where there is.
    """

    mechanism: Mechanism
    needed: Needed
    trials: int
    guarantee: Guarantee | None
    note: str = ""


class SampleSizeMeasurements:
    """All measurements of a session, advanced in slices."""

    def __init__(self) -> None:
        self._measurements: FIFOCache[LawKey, Measurement] = FIFOCache(_MOST_MEASUREMENTS)
        self._at_budget: FIFOCache[tuple[LawKey, Budget], PeopleAt] = FIFOCache(_MOST_BUDGETS)
        self._slices = GrowingSlices(_SHORTEST_SLICE, _LONGEST_SLICE)

    @property
    def stage(self) -> int:
        """How often something was measured."""
        return self._slices.stage

    def results(self, query: SampleSizeQuery) -> list[MechanismResult]:
        """Return what is known now, in the order of the registry."""
        return [self._result(query, MECHANISMS[key]) for key in query.keys]

    def share(self, query: SampleSizeQuery) -> float:
        """Share of the releases measured."""
        feasible = self._feasible(query)
        if not feasible or query.d > MOST_MEASURED_COLUMNS:
            return 1.0
        return sum(self._progress(query, m) for m in feasible) / len(feasible)

    def is_new(self, query: SampleSizeQuery) -> bool:
        """Tell whether nothing was measured since this was asked."""
        return self._slices.is_new(query)

    def advance(
        self,
        query: SampleSizeQuery,
        seconds: float = _LONGEST_SLICE,
        should_yield: Callable[[], bool] = never_yield,
    ) -> None:
        """Measure for a moment: the mechanism with the fewest releases first.

        At least one step; no more where others are waiting.
        """
        self._slices.take(query, self._steps(query), should_yield, seconds)

    def _steps(self, query: SampleSizeQuery) -> Iterator[None]:
        while query.d <= MOST_MEASURED_COLUMNS:
            unfinished = [m for m in self._feasible(query) if not self._measurement(query, m).done]
            if not unfinished:
                return
            self._step(query, min(unfinished, key=lambda m: self._priority(query, m)))
            yield

    def _priority(self, query: SampleSizeQuery, mechanism: Mechanism) -> tuple[float, float]:
        """The least comes first: fewest releases, then the lowest cost."""
        return self._progress(query, mechanism), mechanism.cost

    def _progress(self, query: SampleSizeQuery, mechanism: Mechanism) -> float:
        found = self._measurement(query, mechanism)
        if found.done or found.table is None:
            return float(found.done)
        return found.table.trials / TRIALS

    def _feasible(self, query: SampleSizeQuery) -> list[Mechanism]:
        chosen = [MECHANISMS[key] for key in query.keys]
        return [m for m in chosen if not query.why_infeasible(m)]

    def _measurement(self, query: SampleSizeQuery, mechanism: Mechanism) -> Measurement:
        key = query.law_key(mechanism)
        if key not in self._measurements:
            steps = measure(mechanism, *query.point_at(MANY_PEOPLE), query.seed)
            self._measurements[key] = Measurement(steps)
        return self._measurements[key]

    def _step(self, query: SampleSizeQuery, mechanism: Mechanism) -> None:
        found = self._measurement(query, mechanism)
        try:
            found.table = next(found.steps) or found.table
        except (StopIteration, InfeasibleBudget):
            found.done = True
        except BaseException:
            # Interrupted in the middle of a step: a generator cannot go on from there.
            self._measurements.pop(query.law_key(mechanism), None)
            raise

    def _result(self, query: SampleSizeQuery, mechanism: Mechanism) -> MechanismResult:
        note = query.why_infeasible(mechanism)
        if note:
            return MechanismResult(mechanism, UNKNOWN_NEED, 0, None, note)
        guarantee = mechanism.guarantee(*query.point_at(MANY_PEOPLE))
        measured = query.d <= MOST_MEASURED_COLUMNS
        table = self._measurement(query, mechanism).table if measured else None
        if table is None:
            return MechanismResult(mechanism, UNKNOWN_NEED, 0, guarantee)
        needed = self.at_budget(query, mechanism)
        return MechanismResult(mechanism, needed, table.trials, guarantee)

    def at_budget(self, query: SampleSizeQuery, mechanism: Mechanism) -> Needed:
        """Read a measurement at the budget asked for, whichever it was made at."""
        table = self._measurement(query, mechanism).table
        if table is None or query.why_infeasible(mechanism):
            return UNKNOWN_NEED
        return table.needed(query.aim, self._people_at(query, mechanism))

    def by_epsilon(
        self, query: SampleSizeQuery, mechanism: Mechanism, epsilons: tuple[float, ...]
    ) -> list[float]:
        """People needed at other ε, NaN where unknown; all NaN where ε cannot be carried over."""
        if not query.carries_over(mechanism):
            return [nan] * len(epsilons)
        noise = self._borne(query, mechanism, query.aim)
        return [self._people(query.with_epsilon(e), mechanism, noise) for e in epsilons]

    def by_aim(
        self, query: SampleSizeQuery, mechanism: Mechanism, levels: tuple[float, ...]
    ) -> list[float]:
        """People needed for other levels of the same aim, NaN where unknown."""
        aims = [replace(query, level=level).aim for level in levels]
        return [self._people(query, mechanism, self._borne(query, mechanism, aim)) for aim in aims]

    def _borne(self, query: SampleSizeQuery, mechanism: Mechanism, aim: Aim) -> float | None:
        """Noise that an aim bears, as far as it is measured."""
        table = self._measurement(query, mechanism).table
        return None if table is None else table.borne(aim)[0]

    def _people(self, query: SampleSizeQuery, mechanism: Mechanism, noise: float | None) -> float:
        """People who have at most a noise, NaN where unknown."""
        if noise is None or query.why_infeasible(mechanism):
            return nan
        known = self._people_at(query, mechanism)(noise)
        return nan if known is None else known

    def _people_at(self, query: SampleSizeQuery, mechanism: Mechanism) -> PeopleAt:
        """How many people it takes at the query's budget: remembered, since few answers change."""
        key = query.law_key(mechanism), query.budget
        if key not in self._at_budget:
            found = people_at(mechanism, *query.point_at(MANY_PEOPLE))
            self._at_budget[key] = lru_cache(maxsize=_MOST_AIMS)(found)
        return self._at_budget[key]
