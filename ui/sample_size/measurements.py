"""People needed, measured mechanism by mechanism in what time there is; what is known is kept."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from cachetools import FIFOCache

from dpca_core.analysis.needed import TRIALS, Needed, NoiseTable, PeopleAt, measure, people_at
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import Guarantee, InfeasibleBudget
from ui.sample_size.query import SampleSizeQuery
from ui.server.scheduler import GrowingSlices

MOST_MEASURED_COLUMNS = 200
_SHORTEST_SLICE, _LONGEST_SLICE = 0.12, 0.5
_MOST_MEASUREMENTS, _MOST_BUDGETS, _MOST_AIMS = 400, 4_000, 100
_UNKNOWN = Needed(None, None, None)


@dataclass
class Measurement:
    """A measurement under way, and its last table."""

    steps: Iterator[NoiseTable | None]
    table: NoiseTable | None = None
    done: bool = False

    @property
    def trials(self) -> int:
        """Releases at each number of people so far."""
        return self.table.trials if self.table else 0

    @property
    def share(self) -> float:
        """How much of it is done."""
        return 1.0 if self.done else self.trials / TRIALS


@dataclass(frozen=True)
class MechanismResult:
    """One mechanism: what is known of the people it needs, from so many trials at each size.

    ``ranked``: whether it keeps the budget; ``note``: why there is no release, or "".
    """

    mechanism: Mechanism
    needed: Needed = _UNKNOWN
    trials: int = 0
    guarantee: Guarantee | None = None
    ranked: bool = False
    note: str = ""


class SampleSizeMeasurements(GrowingSlices):
    """All measurements of a session."""

    def __init__(self) -> None:
        super().__init__(_SHORTEST_SLICE, _LONGEST_SLICE)
        self._measurements: FIFOCache[object, Measurement] = FIFOCache(_MOST_MEASUREMENTS)
        self._people_at: FIFOCache[object, PeopleAt] = FIFOCache(_MOST_BUDGETS)

    def results(self, query: SampleSizeQuery) -> list[MechanismResult]:
        """Return what is known now: those that keep the budget by the people they need, others."""
        found = [self._result(query, MECHANISMS[key]) for key in query.keys]
        return sorted(found, key=lambda each: (not each.ranked, each.needed.n or float("inf")))

    def share(self, query: SampleSizeQuery) -> float:
        """Share of the releases measured."""
        under_way = self._under_way(query)
        return sum(each.share for each in under_way) / len(under_way) if under_way else 1.0

    def steps(self, query: SampleSizeQuery) -> Iterator[None]:
        """Measure step by step, always the mechanism with the fewest releases."""
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
        released = [MECHANISMS[key] for key in query.keys if key not in query.refusals]
        return [self._measurement(query, m) for m in sorted(released, key=lambda m: m.cost)]

    def _measurement(self, query: SampleSizeQuery, mechanism: Mechanism) -> Measurement:
        law = _law(query, mechanism)
        if law not in self._measurements:
            self._measurements[law] = Measurement(measure(mechanism, *query.point, query.seed))
        return self._measurements[law]

    def _result(self, query: SampleSizeQuery, mechanism: Mechanism) -> MechanismResult:
        if note := query.refusals.get(mechanism.key, ""):
            return MechanismResult(mechanism, note=note)
        guarantee = mechanism.guarantee(*query.point)
        ranked = guarantee.meets(query.point[1])
        needed, trials = _UNKNOWN, 0
        if query.d <= MOST_MEASURED_COLUMNS:
            needed = self.needed(query, mechanism)
            trials = self._measurement(query, mechanism).trials
        return MechanismResult(mechanism, needed, trials, guarantee, ranked)

    def needed(self, query: SampleSizeQuery, mechanism: Mechanism) -> Needed:
        """Read a measurement at the budget asked for, whichever it was made at."""
        table = self._measurement(query, mechanism).table
        people = self._people(_law(query, mechanism), query, mechanism)
        return table.needed(query.aim, people) if table else _UNKNOWN

    def elsewhere(
        self, query: SampleSizeQuery, mechanism: Mechanism, others: Sequence[SampleSizeQuery]
    ) -> Array:
        """People needed for other aims and budgets; NaN where ε cannot be carried over to them."""
        table, law = self._measurement(query, mechanism).table, _law(query, mechanism)
        found = np.full(len(others), np.nan)
        same = all(other.budget == query.budget for other in others)
        if table is None or not (same or mechanism.key in query.carried_over):
            return found
        for i, other in enumerate(others):
            noise = table.borne(other.aim)[0]
            people = None if noise is None else self._people(law, other, mechanism)(noise)
            found[i] = np.nan if people is None else people
        return found

    def _people(self, law: object, query: SampleSizeQuery, mechanism: Mechanism) -> PeopleAt:
        """People who have at most a noise at the query's budget: remembered, as few change."""
        key = law, query.budget
        if key not in self._people_at:
            found = people_at(mechanism, *query.point)
            self._people_at[key] = lru_cache(maxsize=_MOST_AIMS)(found)
        return self._people_at[key]


def _law(query: SampleSizeQuery, mechanism: Mechanism) -> object:
    """Return what the law of a mechanism's releases depends on."""
    shape = (query.columns, query.gap) if query.data is None else (query.data.identity, query.k)
    spent = None if mechanism.key in query.carried_over else query.budget
    return shape, mechanism, query.seed, spent
