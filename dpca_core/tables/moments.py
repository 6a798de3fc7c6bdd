"""Sums over rows: all that a mechanism needs of them, and sums of parts that add up."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dpca_core.data.recipe import Recipe
from dpca_core.linalg.arrays import Array
from dpca_core.problem import Problem


@dataclass(frozen=True, eq=False, repr=False)
class RowSample:
    """A simple random sample: the at most ``size`` rows (m, d) with the smallest draws (m,)."""

    size: int
    draws: Array
    rows: Array

    @classmethod
    def of(cls, size: int, draws: Array, rows: Array) -> "RowSample":
        """Keep at most so many of rows (b, d), which are copied, by uniform random numbers (b,)."""
        kept = np.argsort(draws)[:size]
        return cls(size, draws[kept], rows[kept])

    def __add__(self, other: "RowSample") -> "RowSample":
        """Join the sample of other rows, drawn with other random numbers."""
        draws = np.concatenate([self.draws, other.draws])
        rows = np.concatenate([self.rows, other.rows])
        return self.of(min(self.size, other.size), draws, rows)


@dataclass(frozen=True, eq=False, repr=False)
class Moments:
    """Sums over rows of norm at most 1: Σxxᵀ (d, d), Σx (d,) and what is said of the rows.

    ``rows`` are those of one person averaged, or the first m of them, made of ``read`` rows of the
    table; ``clipped`` of them were shortened, and ``cut`` values cut to their range. ``mean`` (d,)
    is a released one that was subtracted. Where rows are of length 1 and some are shown,
    ``at_most_r`` is Σxxᵀ of the same rows at most R.
    """

    moment: Array
    total: Array
    recipe: Recipe
    people: int
    rows: int
    read: int
    clipped: int
    cut: int
    mean: Array | None = None
    sample: RowSample | None = None
    at_most_r: Array | None = None

    def __repr__(self) -> str:
        """Return the sizes alone: what is printed is soon published."""
        return f"Moments(d={len(self.total)}, n={self.people})"

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the d columns after coding."""
        return self.recipe.coded_names

    def problem(self, k: int) -> Problem:
        """Return the problem of k directions; of no rows, which a refusal would tell, n is 1."""
        m = self.recipe.rows_per_person
        return Problem.from_moment(self.moment / m, max(self.people, 1), k, m)


def merge(a: Moments, b: Moments) -> Moments:
    """Add two parts of a sum, of disjoint rows: from two machines, files or days.

    ``ValueError`` unless both were prepared in the same way, each row another person.
    """
    means = [() if one.mean is None else tuple(one.mean) for one in (a, b)]
    # By their text: a range that was not asked for is NaN, which equals nothing.
    if repr(a.recipe) != repr(b.recipe) or means[0] != means[1]:
        raise ValueError("The parts were prepared differently; use one recipe and one mean.")
    if a.recipe.names_persons:
        raise ValueError(
            "Rows of one person may lie in both parts, so their sums cannot be added: sum up all "
            "parts as one table."
        )
    return added(replace(a, moment=a.moment.copy()), b)


def added(a: Moments, b: Moments) -> Moments:
    """Add sums of more rows, prepared in the same way; ``a.moment`` is written over."""
    a.moment[...] += b.moment
    sums: dict[str, Any] = {}
    for name in ("total", "rows", "clipped", "cut", "people", "read", "sample", "at_most_r"):
        one, other = getattr(a, name), getattr(b, name)
        sums[name] = None if one is None or other is None else one + other
    return replace(a, **sums)
