"""From a table of numbers to rows in the unit ball: public bounds, clipping, and a private mean.

Preprocessing is part of the mechanism. What is bounded here by public numbers costs nothing; what
reads the data is either paid for (``private_mean``) or not private (``as_in_papers``).
"""

from math import sqrt
from typing import NamedTuple

import numpy as np

from dpca_core.accounting import gaussian_sigma
from dpca_core.budget import Adjacency, Budget
from dpca_core.growing import Growing
from dpca_core.linalg import Array

_HUGE, _TINY = 1e300, 1e-300
_ROUNDING = 1e-14


class Clipped(NamedTuple):
    """An array after clipping, and the share of its entries (or rows) that were changed."""

    values: Array
    share: float


def to_unit_range(
    values: Array, low: Array, high: Array, out: Array | None = None, *, finite: bool = False
) -> Clipped:
    """Clip columns (n, p) to public ranges [low, high] and map those to [−1, 1].

    NaN becomes 0, the centre of the range. Where memory (n, p) for the result is given, the values
    are overwritten on the way. A caller may know that all of them are finite.
    """
    scaled = _centred(values, low, high, None if out is None else values)
    if not finite:
        scaled[np.isnan(scaled)] = 0
    inside = np.clip(scaled, -1, 1, out=out)
    return Clipped(inside, np.count_nonzero(inside != scaled) / max(scaled.size, 1))


def centred(values: Array, low: Array, high: Array) -> Array:
    """Map public ranges to [−1, 1] without clipping; NaN becomes 0."""
    scaled = _centred(values, low, high)
    if not np.isfinite(scaled).all():
        np.nan_to_num(scaled, copy=False, posinf=_HUGE, neginf=-_HUGE)
    return scaled


def _centred(values: Array, low: Array, high: Array, out: Array | None = None) -> Array:
    """Map public ranges to [−1, 1]; what is out of all proportion becomes infinite."""
    with np.errstate(over="ignore"):
        width = high - low
        if ((width > _TINY) & (width < _HUGE)).all():
            scaled = np.subtract(values, low, out=out)
            scaled *= 2 / width
        else:
            scaled = np.multiply(values, 0.5, out=out)
            scaled -= low / 2
            scaled /= high / 4 - low / 4
    scaled -= 1
    return np.asarray(scaled)


def to_ball(rows: Array, radius: float = 1.0) -> Clipped:
    """Divide rows (n, d) by a public radius and shorten those longer than 1 to norm 1."""
    largest = np.maximum(np.abs(rows).max(axis=1, initial=0.0, keepdims=True), _TINY)
    direction = rows / largest
    length = np.sqrt(np.square(direction).sum(axis=1, keepdims=True))
    with np.errstate(over="ignore"):
        long = (largest / radius) * length > 1
        inside = np.where(long, direction / np.maximum(length, _TINY), rows / radius)
    return Clipped(inside, float(long.mean()) if len(rows) else 0.0)


def as_in_papers(rows: Array) -> Array:
    """Subtract the sample mean and divide by the largest norm: not private, it reads both.

    Rows that differ by no more than rounding become 0.
    """
    size = float(np.abs(rows).max(initial=0.0))
    inside = rows / max(size, np.finfo(float).tiny)
    if not len(rows):
        return np.asarray(inside)
    moved = inside - inside.mean(axis=0)
    largest = float(np.sqrt(np.square(moved).sum(axis=1).max(initial=0.0)))
    return np.asarray(moved / largest if largest > _ROUNDING else np.zeros_like(moved))


class Averages:
    """Averages of the rows of each person, NaN entries left out; rows come a block at a time.

    A person's rows are added one after another, in the order in which they come, and the sum is
    divided by their number: other people's rows change nothing of it, not its last digit.
    """

    def __init__(self, width: int) -> None:
        self._sums, self._counts = Growing(width), Growing(width)

    def add(self, groups: np.ndarray, rows: Array) -> None:
        """Add rows (b, width) of the persons with these numbers (b,), which are 0, 1, …."""
        people = max(int(groups.max(initial=-1)) + 1, len(self._sums))
        self._sums.grow(people)
        self._counts.grow(people)
        known = ~np.isnan(rows)
        with np.errstate(over="ignore", invalid="ignore"):
            for j in range(rows.shape[1]):
                np.add.at(self._sums.values()[:, j], groups, np.where(known[:, j], rows[:, j], 0.0))
                np.add.at(self._counts.values()[:, j], groups, known[:, j].astype(float))

    def rows(self, start: int = 0, stop: int | None = None) -> Array:
        """Return the averages of some persons; an entry missing in all of their rows is NaN."""
        sums, counts = (part.values()[start:stop] for part in (self._sums, self._counts))
        return np.asarray(np.where(counts > 0, sums / np.maximum(counts, 1), np.nan))


def average_by(groups: np.ndarray, rows: Array) -> Array:
    """Average the rows (n, p) of each group (n,), NaN entries left out, as ``Averages`` does."""
    found = Averages(rows.shape[1])
    found.add(groups, rows)
    return found.rows()


def first_of_each(groups: np.ndarray, most: int, before: np.ndarray | None = None) -> np.ndarray:
    """Tell which rows (n,) are among the first ``most`` of their person.

    ``before`` tells how many rows of each person came before these.
    """
    order = np.argsort(groups, kind="stable")
    ordered = groups[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
    place = np.arange(len(groups)) - np.repeat(starts, np.diff(np.r_[starts, len(groups)]))
    if before is not None:
        place += before[ordered]
    kept = np.zeros(len(groups), dtype=bool)
    kept[order[place < most]] = True
    return kept


def mean_sensitivity(rows_per_person: int, adjacency: Adjacency) -> float:
    """Largest Euclidean change of (Σx, n)/√m when one person's m or fewer rows change.

    One row x of norm ≤ 1 adds (x, 1): √2. Replacing (x, 1) by (y, 1) moves it by 2. With r and r'
    rows of m the square is at most ((r + r')² + (r − r')²)/m = 2(r² + r'²)/m ≤ 4m.
    """
    factor = sqrt(2) if adjacency is Adjacency.ADD_OR_REMOVE_ONE else 2.0
    return factor * sqrt(rows_per_person)


def mean_sensitivity_l1(d: int, rows_per_person: int, adjacency: Adjacency) -> float:
    """Return the same change in ℓ₁ norm: √d + 1 a row, or 2√d where one row takes another's place.

    With r and r' of m rows: ((r + r')√d + |r − r'|)/√m, largest at r = r' = m.
    """
    add = adjacency is Adjacency.ADD_OR_REMOVE_ONE
    return ((sqrt(d) + 1) if add else 2 * sqrt(d)) * sqrt(rows_per_person)


def private_mean(
    rows: Array, budget: Budget, rng: np.random.Generator, rows_per_person: int = 1
) -> Array:
    """Noisy sum over noisy count, moved into the unit ball: (ε, δ)-DP, pure at δ = 0.

    Gaussian noise on (Σx, n) for δ > 0, Laplace noise at δ = 0, at the exact sensitivities above.

    Parameters
    ----------
    rows
        (n, d) of norm at most 1, not yet divided by √m.
    """
    return private_mean_of_sum(rows.sum(axis=0), len(rows), budget, rng, rows_per_person)


def private_mean_of_sum(
    total: Array, n: int, budget: Budget, rng: np.random.Generator, rows_per_person: int = 1
) -> Array:
    """Return the private mean (d,) from the sum of the rows (d,) and their number."""
    d = len(total)
    summary = np.append(total, n) / sqrt(rows_per_person)
    if budget.delta > 0:
        sensitivity = mean_sensitivity(rows_per_person, budget.adjacency)
        sigma = gaussian_sigma(budget.epsilon, budget.delta, sensitivity)
        noisy = summary + sigma * rng.standard_normal(d + 1)
    else:
        scale = mean_sensitivity_l1(d, rows_per_person, budget.adjacency) / budget.epsilon
        noisy = summary + rng.laplace(scale=scale, size=d + 1)
    mean = noisy[:-1] / max(noisy[-1], 1.0)
    return np.asarray(mean / max(1.0, float(np.linalg.norm(mean))))
