"""How many people a mechanism needs for an aim: measured on a spectrum scaled to other n."""

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import exp, isclose, isfinite, log, nan, sqrt

import numpy as np
import scipy

from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.base import Mechanism
from dpca_core.metrics import random_baseline
from dpca_core.privacy.budget import Budget, InfeasibleBudget
from dpca_core.problem import Problem
from dpca_core.runtime.cached_property import cached_property
from dpca_core.simulation.draws import TrialDraws
from dpca_core.simulation.trials import Point, run_trials

COARSE = tuple(float(10 ** (e / 2)) for e in range(2, 25))
GRID, FEW, TRIALS = 26, 8, 100
_PART = 3
_SHARP = 0.02
_MOST, _EXACT, _UNKNOWN, _LEAST = 1e12, 1e-3, 100.0, 1e-12
PointAt = Callable[[float], Point]
Inverse = Callable[[float], float | None]


@dataclass(frozen=True)
class Aim:
    """What a release must reach, in a share of all releases.

    Attributes
    ----------
    loss
        "captured": 1 − captured share of what PCA captures; "sin": sin Θ (Frobenius).
    most
        The largest loss allowed.
    share
        In how many of all releases: 1 − η.
    """

    loss: str
    most: float
    share: float

    @classmethod
    def captured(cls, at_least: float, share: float) -> "Aim":
        """Ask for a share of the second moment that PCA captures."""
        return cls("captured", 1 - at_least, share)

    @classmethod
    def correlation(cls, rho: float, share: float) -> "Aim":
        """Ask for |⟨v̂, v⟩| ≥ ρ, at k = 1."""
        return cls("sin", sqrt(1 - rho**2), share)


@dataclass(frozen=True)
class Needed:
    """People needed: the estimate, and an interval that holds it with 95 % confidence.

    None: not within what was measured (``low``: perhaps no one; ``high``: perhaps far more).
    """

    n: float | None
    low: float | None
    high: float | None

    def moved(self, move: Callable[[float], float | None]) -> "Needed":
        """Apply a rising function to all three."""
        return Needed(*(None if v is None else move(v) for v in (self.n, self.low, self.high)))


@dataclass(frozen=True)
class Table:
    """Losses of T releases on a grid of G sizes; infinite where nothing was released.

    ``relative`` holds the mechanism's relative noise (G,) where it fixes the law, so that a table
    answers for other budgets too; None where it does not.
    """

    people: Array
    captured: Array
    sin: Array
    relative: Array | None

    @property
    def trials(self) -> int:
        """T."""
        return int(self.sin.shape[1])

    def joined(self, other: "Table") -> "Table":
        """Add the trials of another table on the same grid."""
        return Table(
            self.people,
            np.hstack([self.captured, other.captured]),
            np.hstack([self.sin, other.sin]),
            self.relative,
        )

    @cached_property
    def _ordered(self) -> dict[str, Array]:
        return {"captured": np.sort(self.captured, axis=1), "sin": np.sort(self.sin, axis=1)}

    def needed(self, aim: Aim) -> Needed:
        """Read the people needed for an aim, between the grid's points in log-log."""
        middle, first, last = _ranks(self.trials, aim.share)
        return Needed(*(self._crossing(aim, rank) for rank in (middle, first, last)))

    def estimate(self, aim: Aim) -> float | None:
        """Read the estimate alone."""
        return self._crossing(aim, _ranks(self.trials, aim.share)[0])

    def _crossing(self, aim: Aim, rank: int | None) -> float | None:
        ordered = self._ordered[aim.loss]
        return None if rank is None else _crossing(self.people, ordered[:, rank], aim.most)


@lru_cache(maxsize=512)
def _ranks(trials: int, share: float) -> tuple[int, int | None, int | None]:
    """Places of the sorted losses: the quantile's, and those of its 95 % interval."""
    ranks = np.arange(trials)
    below = scipy.special.bdtr(ranks, trials, share)
    first, last = np.flatnonzero(below <= 0.025), np.flatnonzero(below >= 0.975)
    return (
        min(trials - 1, int(np.ceil(share * trials - 1e-9)) - 1),
        int(first[-1]) if len(first) else None,
        int(last[0]) if len(last) else None,
    )


def _crossing(people: Array, losses: Array, most: float) -> float | None:
    """Smallest n of the grid's range from which on the losses stay at most ``most``."""
    misses = np.flatnonzero(~(losses <= most))
    if len(misses) == 0:
        return float(people[0])
    last = int(misses[-1])
    if last == len(people) - 1:
        return None
    above, under = losses[last], max(losses[last + 1], 1e-15)
    part = log(above / most) / log(above / under) if isfinite(above) else 1.0
    return float(people[last] * (people[last + 1] / people[last]) ** part)


def measure(
    mechanism: Mechanism, at: PointAt, seed: int = 0, *, trials: int = TRIALS, slice_: int = 10
) -> Iterator[Table | None]:
    """Measure a mechanism where its releases turn from useless to exact; a better table each time.

    Parameters
    ----------
    at
        The problem and the budget at a number of people.
    trials, slice_
        Releases in the end, and how many more a step adds.

    Yields
    ------
    Table or None
        First coarse, then on a grid of its own of which every table has more releases; None in
        between, so that somebody who moves a control need not wait.

    Raises
    ------
    InfeasibleBudget
        Where the mechanism has no release at any size.
    """
    coarse = yield from _in_parts(mechanism, at, COARSE, seed, range(FEW))
    yield coarse
    people = _window(coarse, at)
    table: Table | None = None
    for start in range(0, trials, slice_):
        some = range(start, min(start + slice_, trials))
        more = yield from _in_parts(mechanism, at, people, seed, some)
        table = more if table is None else table.joined(more)
        yield table


def _in_parts(
    mechanism: Mechanism, at: PointAt, people: tuple[float, ...], seed: int, trials: range
) -> Generator[None, None, Table]:
    """Measure a few trials at a time."""
    first, *others = (trials[i : i + _PART] for i in range(0, len(trials), _PART))
    table = _measured(mechanism, at, people, seed, first)
    for some in others:
        yield None
        table = table.joined(_measured(mechanism, at, people, seed, some))
    return table


def _measured(
    mechanism: Mechanism, at: PointAt, people: tuple[float, ...], seed: int, trials: range
) -> Table:
    points = [at(n) for n in people]
    found = run_trials(TrialDraws(mechanism, seed, trials), points)
    if all(found.notes):
        raise InfeasibleBudget(found.notes[-1])
    noise = [_relative(mechanism, point) for point in points]
    return Table(
        np.array(people),
        _losses(1 - found.captured),
        _losses(found.sin_theta),
        None if any(r is None for r in noise) else np.array(noise, dtype=float),
    )


def _losses(values: Array) -> Array:
    return np.where(np.isnan(values), np.inf, np.maximum(values, 0.0))


def _relative(mechanism: Mechanism, point: Point) -> float | None:
    try:
        return mechanism.relative_noise(*point)
    except InfeasibleBudget:
        return nan


def _window(coarse: Table, at: PointAt) -> tuple[float, ...]:
    """Sizes from the last at which all is lost to the first at which more people hardly help."""
    random = random_baseline(at(float(coarse.people[0]))[0]).sin_theta
    lost = np.flatnonzero(np.median(coarse.sin, axis=1) >= 0.9 * random)
    limit = np.where(np.isfinite(coarse.sin[-1]), coarse.sin[-1], 0.0)
    exact = np.flatnonzero(np.max(coarse.sin - limit, axis=1) <= _SHARP)
    low = lost[-1] if len(lost) else 0
    after = exact[exact > low]
    high = after[0] if len(after) else len(coarse.people) - 1
    return tuple(
        np.geomspace(coarse.people[low], coarse.people[max(high, low + 1)], GRID)
        if low + 1 < len(coarse.people)
        else coarse.people[-2:]
    )


def invert_relative_noise(mechanism: Mechanism, problem: Problem, budget: Budget) -> Inverse:
    """Return the smallest n with at most a relative noise, on the spectrum of ``problem``.

    Closed where the relative noise falls as 1/n or 1/√n, else searched for to 0.1 %; None beyond
    10¹² people.
    """
    known = [_relative(mechanism, (problem.scaled(n), budget)) for n in (10.0, 1e4, 1e7)]
    if all(known):
        small, middle, large = (float(v) for v in known if v)
        for power in (1.0, 0.5):
            factor = 1000**power
            if all(isclose(v, factor, rel_tol=1e-9) for v in (small / middle, middle / large)):
                return lambda noise: _within(10 * (small / noise) ** (1 / power))

    def found(noise: float) -> float | None:
        def excess(size: float) -> float:
            """ln of noise at e^size people over the noise allowed; large where none is known."""
            here = _relative(mechanism, (problem.scaled(exp(size)), budget))
            known = here is not None and isfinite(here) and here > 0
            # Just enough counts as enough: on a step the first size is looked for, not any.
            return log(here / noise) - _LEAST if known and here is not None else _UNKNOWN

        if excess(0.0) <= 0:
            return 1.0
        if excess(log(_MOST)) > 0:
            return None
        size = float(scipy.optimize.brentq(excess, 0.0, log(_MOST), xtol=_EXACT / 16))
        return _within(exp(size + _EXACT / 4))

    return found


def _within(n: float) -> float | None:
    return n if n < 0.99 * _MOST else None


def relative_noise_at(table: Table, n: float) -> float:
    """Relative noise that the table's mechanism had at n people, between the grid's points."""
    assert table.relative is not None
    known = np.isfinite(table.relative) & (table.relative > 0)
    logs = np.interp(log(n), np.log(table.people[known]), np.log(table.relative[known]))
    return float(np.exp(logs))


def single_spike(d: int, gap: float, n: float = 1e6) -> Problem:
    """One direction above a flat rest: λ₁ − λ₂ = gap, the trace of A is 1.

    The rows behind it have length 1. k = 1.
    """
    rest = (1 - gap) / d
    return Problem.from_moment(np.diag([rest + gap] + [rest] * (d - 1)) * n, n, 1)
