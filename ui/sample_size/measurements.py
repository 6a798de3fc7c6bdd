"""People needed, measured mechanism by mechanism in what time there is; what is known is kept."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

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
from dpca_core.privacy.budget import Guarantee, InfeasibleBudget, Notion
from ui.sample_size.query import EPSILON_CHOICES, MANY_PEOPLE, SampleSizeQuery
from ui.server.scheduler import GrowingSlices, never_yield

MOST_MEASURED_COLUMNS = 200
_SHORTEST_SLICE, _LONGEST_SLICE = 0.12, 0.5
_MOST_MEASUREMENTS, _MOST_BUDGETS, _MOST_AIMS = 400, 4_000, 100
_UNKNOWN = Needed(None, None, None)


@dataclass
class Measurement:
    """A measurement under way."""

    steps: Iterator[NoiseTable | None]
    table: NoiseTable | None = None
    done: bool = False

    @property
    def share(self) -> float:
        """How much of it is done."""
        return 1.0 if self.done else self.table.trials / TRIALS if self.table else 0.0


@dataclass(frozen=True)
class MechanismResult:
    """One mechanism: what is known of the people it needs, or why there is none.

    Attributes
    ----------
    trials
        Releases measured at each size.
    ranked
        Whether it keeps the budget.
    note
        Why there is no release; "" where there is.
    """

    mechanism: Mechanism
    needed: Needed = _UNKNOWN
    trials: int = 0
    guarantee: Guarantee | None = None
    ranked: bool = False
    note: str = ""

    @property
    def trusts_a_curator(self) -> bool:
        """Whether somebody sees the rows: people needed in the local model are no comparison."""
        return self.guarantee is not None and self.guarantee.notion is not Notion.LOCAL


class SampleSizeMeasurements:
    """All measurements of a session, advanced in slices."""

    def __init__(self) -> None:
        self._measurements: FIFOCache[object, Measurement] = FIFOCache(_MOST_MEASUREMENTS)
        self._at_budget: FIFOCache[object, PeopleAt] = FIFOCache(_MOST_BUDGETS)
        self._slices = GrowingSlices(_SHORTEST_SLICE, _LONGEST_SLICE)

    @property
    def stage(self) -> int:
        """How often something was measured."""
        return self._slices.stage

    def results(self, query: SampleSizeQuery) -> list[MechanismResult]:
        """Return what is known now: those that keep the budget by the people they need, others."""
        found = [self._result(query, MECHANISMS[key]) for key in query.keys]
        return sorted(found, key=lambda each: (not each.ranked, each.needed.n or float("inf")))

    def share(self, query: SampleSizeQuery) -> float:
        """Share of the releases measured."""
        under_way = self._under_way(query)
        return sum(each.share for each in under_way) / len(under_way) if under_way else 1.0

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
        while unfinished := [each for each in self._under_way(query) if not each.done]:
            found = min(unfinished, key=lambda each: each.share)
            try:
                found.table = next(found.steps) or found.table
            except (StopIteration, InfeasibleBudget):
                found.done = True
            except BaseException:
                # Interrupted in the middle of a step: a generator cannot go on from there.
                for key in [k for k, v in self._measurements.items() if v is found]:
                    self._measurements.pop(key)
                raise
            yield

    def _under_way(self, query: SampleSizeQuery) -> list[Measurement]:
        """Return the measurements of the mechanisms that have a release, cheap ones first."""
        if query.d > MOST_MEASURED_COLUMNS:
            return []
        chosen = sorted((MECHANISMS[key] for key in query.keys), key=lambda m: m.cost)
        return [self._measurement(query, m) for m in chosen if not query.why_infeasible(m)]

    def _measurement(self, query: SampleSizeQuery, mechanism: Mechanism) -> Measurement:
        key = _law(query, mechanism)
        if key not in self._measurements:
            steps = measure(mechanism, *query.point_at(MANY_PEOPLE), query.seed)
            self._measurements[key] = Measurement(steps)
        return self._measurements[key]

    def _result(self, query: SampleSizeQuery, mechanism: Mechanism) -> MechanismResult:
        if note := query.why_infeasible(mechanism):
            return MechanismResult(mechanism, note=note)
        guarantee = mechanism.guarantee(*query.point_at(MANY_PEOPLE))
        measured = query.d <= MOST_MEASURED_COLUMNS
        table = self._measurement(query, mechanism).table if measured else None
        return MechanismResult(
            mechanism,
            self.at_budget(query, mechanism) if table else _UNKNOWN,
            table.trials if table else 0,
            guarantee,
            guarantee.meets(query.mechanism_budget),
        )

    def at_budget(self, query: SampleSizeQuery, mechanism: Mechanism) -> Needed:
        """Read a measurement at the budget asked for, whichever it was made at."""
        noise = self._borne(query, mechanism, query.aim)
        return Needed(*(self._people(query, mechanism, each) for each in noise))

    def by_epsilon(self, query: SampleSizeQuery, mechanism: Mechanism) -> list[float | None]:
        """People needed at other ε as far as known; nothing where ε cannot be carried over."""
        noise = self._borne(query, mechanism, query.aim)[0]
        if not query.carries_over(mechanism):
            return [None] * len(EPSILON_CHOICES)
        return [self._people(query.with_epsilon(e), mechanism, noise) for e in EPSILON_CHOICES]

    def by_aim(
        self, query: SampleSizeQuery, mechanism: Mechanism, levels: tuple[float, ...]
    ) -> list[float | None]:
        """People needed for other levels of the same aim, as far as known."""
        noises = [self._borne(query, mechanism, replace(query, level=v).aim)[0] for v in levels]
        return [self._people(query, mechanism, noise) for noise in noises]

    def _borne(self, query: SampleSizeQuery, mechanism: Mechanism, aim: Aim) -> list[float | None]:
        """Noise that an aim bears and its limits, as far as they are measured."""
        table = self._measurement(query, mechanism).table
        return [None] * 3 if table is None else table.borne(aim)

    def _people(
        self, query: SampleSizeQuery, mechanism: Mechanism, noise: float | None
    ) -> float | None:
        """People who have at most a noise at the query's budget: remembered, as few change."""
        if noise is None or query.why_infeasible(mechanism):
            return None
        key = _law(query, mechanism), query.budget
        if key not in self._at_budget:
            found = people_at(mechanism, *query.point_at(MANY_PEOPLE))
            self._at_budget[key] = lru_cache(maxsize=_MOST_AIMS)(found)
        return self._at_budget[key](noise)


def _law(query: SampleSizeQuery, mechanism: Mechanism) -> object:
    """Return what the law of a mechanism's releases depends on."""
    shape = (query.columns, query.gap) if query.data is None else (query.data.identity, query.k)
    spent = None if query.carries_over(mechanism) else query.budget
    return shape, mechanism, query.seed, spent
