"""What the cards show: stored tables of single releases, and runs while somebody waits."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from time import perf_counter

import numpy as np

from dpca_core.linalg.arrays import Array
from papers.card import Run, Series, Verdict
from papers.comparison import comparison_of
from papers.registry import CARDS
from papers.store import PRINTED_COLUMNS, printed_of
from papers.table import Table
from ui.server.scheduler import never_yield

FEWEST_IN_BAND = 5
"""Releases at a place from which on a line has a band."""
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


@cache
def counted() -> dict[Verdict, int]:
    """Return how many cards have each verdict, as their stored tables bear it out."""
    found = dict.fromkeys(Verdict, 0)
    for card in CARDS:
        found[card.judged(card.stored)] += 1
    return found


@cache
def recorded() -> tuple[str, ...]:
    """Return the keys of the cards of which values of the paper itself are on record."""
    return tuple(one.key for one in CARDS if comparison_of(one, one.stored).printed)


@dataclass(frozen=True)
class Curve:
    """Means of a series along its places (p,), and the band of four releases in five; NaN: none."""

    means: Array
    low: Array
    high: Array
    most: int
    """Releases at a place, at most."""


def curve(results: Table, series: Series, places: tuple[float, ...]) -> Curve:
    """Return what is drawn of a series."""
    values = [results.values(series.key, x) for x in places]
    nothing = (np.nan, np.nan, np.nan)
    found = [(v.mean(), *np.quantile(v, FOUR_OF_FIVE)) if len(v) else nothing for v in values]
    means, low, high = np.array(found, dtype=np.float64).reshape(-1, 3).T
    return Curve(means, low, high, max(map(len, values), default=0))


def advance(run: Run, seconds: float, should_yield: Callable[[], bool] = never_yield) -> None:
    """Measure for about so many seconds: one place at least.

    Raises
    ------
    DataMissingError
        Where nothing can be measured for want of data.
    """
    end = perf_counter() + seconds
    while not run.complete:
        run.step()
        if perf_counter() >= end or should_yield():
            return
