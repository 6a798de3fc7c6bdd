"""What the cards show: stored tables of single releases, and runs while somebody waits."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from time import perf_counter

import numpy as np

from dpca_core.linalg.arrays import Array
from papers.comparison import comparison_of
from papers.experiment import Experiment, Results, Series, Verdict
from papers.registry import EXPERIMENTS
from papers.store import PRINTED_COLUMNS, at_hand, printed_of, results_of, with_stored
from papers.tables import required
from ui.server.scheduler import never_yield

FOUR_OF_FIVE = (0.1, 0.9)
"""Quantiles between which four releases of five lie."""


@dataclass(frozen=True)
class Printed:
    """A number on record: printed in the paper, or stored by its authors.

    Attributes
    ----------
    spread
        Its printed standard deviation; NaN where none is printed.
    read
        How it was read: "typed" or "digitised ±0.01"; anything else is not in the paper.
    """

    x: float
    value: float
    spread: float
    page: str
    read: str


@cache
def printed_points(key: str) -> dict[str, tuple[Printed, ...]]:
    """Return the printed numbers of a figure by series; none where no points are on record."""
    found: dict[str, list[Printed]] = {}
    rows = printed_of(key)[list(PRINTED_COLUMNS)].to_numpy().tolist()
    for series, x, value, spread, page, read in rows:
        point = Printed(float(x), float(value), float(spread), str(page), str(read))
        found.setdefault(str(series), []).append(point)
    return {series: tuple(points) for series, points in found.items()}


def recorded_points(key: str) -> list[Printed]:
    """Return all numbers on record of a figure."""
    return [point for points in printed_points(key).values() for point in points]


def stored(experiment: Experiment) -> Results:
    """Return the releases that come with the project."""
    return results_of(experiment.key)


@cache
def counted() -> dict[Verdict, int]:
    """Return how many cards have each verdict, as their stored tables bear it out."""
    found = dict.fromkeys(Verdict, 0)
    for experiment in EXPERIMENTS:
        found[experiment.judged(stored(experiment))] += 1
    return found


@cache
def recorded() -> tuple[str, ...]:
    """Return the keys of the cards of which values of the paper itself are on record."""
    return tuple(one.key for one in EXPERIMENTS if comparison_of(one, stored(one)).printed)


@dataclass(frozen=True)
class Curve:
    """Means of a series along its places (p,), and the band of four releases in five; NaN: none."""

    means: Array
    low: Array
    high: Array
    most: int
    """Releases at a place, at most."""


def curve(results: Results, series: Series, places: tuple[float, ...]) -> Curve:
    """Return what is drawn of a series."""
    values = [results.values(series.key, x) for x in places]
    nothing = (np.nan, np.nan, np.nan)
    found = [(v.mean(), *np.quantile(v, FOUR_OF_FIVE)) if len(v) else nothing for v in values]
    means, low, high = np.array(found, dtype=np.float64).reshape(-1, 3).T
    return Curve(means, low, high, max(map(len, values), default=0))


@dataclass
class LiveRun:
    """A run of a card with a seed of its own, in steps of one place of one series."""

    experiment: Experiment
    seed: int
    _rows: list[tuple[str, float, int, float]] = field(default_factory=list)
    _done: int = 0
    _results: Results | None = None

    @property
    def steps(self) -> list[tuple[Series, float]]:
        """Series and places in the order in which they are measured, of what data are at hand."""
        able = [series for series in self.experiment.series if at_hand(series)]
        return [(series, x) for series in able for x in self.experiment.places(series)]

    @property
    def share(self) -> float:
        """How much is measured, from 0 to 1."""
        return self._done / max(len(self.steps), 1)

    @property
    def complete(self) -> bool:
        """Whether all is measured."""
        return self._done == len(self.steps)

    def advance(self, seconds: float, should_yield: Callable[[], bool] = never_yield) -> None:
        """Measure for about so many seconds: one step at least.

        Raises
        ------
        DataMissingError
            Where a data file is not at hand.
        """
        for name in self.experiment.needs:
            required(name)
        end = perf_counter() + seconds
        for _ in self._measured():
            if perf_counter() >= end or should_yield():
                return

    def _measured(self) -> Iterator[None]:
        for series, x in self.steps[self._done :]:
            trials = range(self.experiment.trials_of(series))
            values = self.experiment.measure(series, (x,), trials, self.seed)
            self._rows += [(series.key, x, t, float(v)) for t, v in enumerate(np.ravel(values))]
            self._done += 1
            self._results = None
            yield

    @property
    def results(self) -> Results:
        """What is measured so far, as the stored tables are."""
        from pandas import DataFrame

        if self._results is None:
            table = DataFrame(self._rows, columns=["series", "x", "trial", "value"])
            self._results = Results(table.dropna())
        return self._results

    @property
    def whole(self) -> Results:
        """What is measured, with what is stored of series whose data are not at hand."""
        return with_stored(self.experiment, self.results)
