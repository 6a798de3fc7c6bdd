"""Pairs of neighbouring data sets that are hard to hide: for each mechanism the hardest known."""

from dataclasses import dataclass
from math import atan2, cos, sin, sqrt

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import rows_with_sum
from dpca_core.mechanisms.mechanism import Family, Mechanism
from dpca_core.mechanisms.noise_on_s import NoiseOnS
from dpca_core.mechanisms.second_look import Looks
from dpca_core.privacy.budget import Adjacency, Budget
from dpca_core.problem import Problem

LEAST_EIGENVALUE = 4.0
"""People along each direction that is kept, at least."""


@dataclass(frozen=True, eq=False)
class Pair:
    """Two data sets that differ in one person, on top of the same others."""

    with_person: Problem
    without_person: Problem
    person: Array
    stand_in: Array | None
    """Unit vectors (d,); the record in the person's place is None if one is added or removed."""
    name: str
    """What makes the pair hard to hide."""
    local: bool = False
    """Whether these are two records of a single person, under either adjacency."""


@dataclass(frozen=True)
class PairSize:
    """The size of a pair: d columns, k directions kept, n people besides the person."""

    d: int
    k: int
    n: int
    adjacency: Adjacency

    @property
    def added(self) -> bool:
        """Whether the person is added, or replaces the stand-in."""
        return self.adjacency is Adjacency.ADD_OR_REMOVE_ONE

    @property
    def largest(self) -> float:
        """People that each of the first k directions can have if every other one has 1."""
        return (self.n - self.d) / self.k

    def levels(self, high: float, upper: float, lower: float) -> Array:
        """Eigenvalues (d,) in people; at least 1, so that every stand-in is among the people."""
        return np.array([high] * (self.k - 1) + [upper, lower] + [1.0] * (self.d - self.k - 1))

    def pair(self, person: Array, stand_in: Array, eigenvalues: Array, name: str) -> Pair:
        """Add the person to people of these eigenvalues, or let the person replace the stand-in."""
        without = np.diag(eigenvalues)
        others = without if self.added else without - np.outer(stand_in, stand_in)
        rest = rows_with_sum(others)
        before = rest if self.added else np.vstack([rest, stand_in])
        absent = Problem.from_moment(without, self.n, self.k, rows=before)
        moment = others + np.outer(person, person)
        after = np.vstack([rest, person])
        present = Problem.from_moment(moment, self.n + self.added, self.k, rows=after)
        return Pair(present, absent, person, None if self.added else stand_in, name)


def _equal_entries(size: PairSize) -> tuple[Array, Array]:
    """A person and a stand-in whose exchange moves the upper triangle as far in ℓ₁ as is known."""
    d = size.d
    if size.added:
        return np.full(d, 1 / sqrt(d)), np.zeros(d)
    a = (d + 1) // 2
    first = np.where(np.arange(d) < a, 1 / sqrt(a), 0.0)
    second = np.where(np.arange(d) < a, 0.0, 1 / sqrt(d - a))
    angle = atan2(sqrt(a * (d - a)), (d + 2) / 2) / 2
    return cos(angle) * first + sin(angle) * second, cos(angle) * second - sin(angle) * first


def worst_pair(mechanism: Mechanism, d: int, k: int, n: int, budget: Budget) -> Pair:
    """Return neighbouring data sets that a mechanism finds hard to hide: n people and one more.

    Heuristic: another pair may be harder, so an audit's bound may be too low, never wrong. Unless
    more is known, a person halfway between two directions, where the gap is largest; 1 ≤ k < d.
    ValueError where n is not enough; InfeasibleBudget where no noise level is there to choose by.
    """
    size = PairSize(d, k, n, budget.adjacency)
    if size.largest < LEAST_EIGENVALUE:
        raise ValueError(
            f"{n} people are too few to audit k = {k} of d = {d}; take {d + 4 * k} or more."
        )
    axes, largest = np.eye(d), size.largest
    if mechanism.local:
        # Two records of one entry: a single report moves by √2, as far as it can.
        here, there = (Problem.from_moment(np.outer(z, z), 1, k) for z in axes[:2])
        name = "the record of their only person, whose report is seen"
        return Pair(here, there, axes[0], axes[1], name, local=True)
    eigenvalues = size.levels(largest, largest, 1.0)
    if mechanism.family is Family.LAPLACE:
        return size.pair(*_equal_entries(size), eigenvalues, "a person with all entries alike")
    if isinstance(mechanism, NoiseOnS):
        # A single entry of S: the farthest in Frobenius norm on a triangle.
        return size.pair(axes[0], axes[1], eigenvalues, "a person with one entry")
    if isinstance(mechanism, Looks):
        # Rescaled axes make the person as long as any.
        name = "a person beside the first directions, along which all others lie"
        return size.pair(axes[k], axes[k - 1], eigenvalues, name)
    if mechanism.family in (Family.EXPONENTIAL, Family.POWER):
        noise = mechanism.calibrate(Problem.from_moment(np.diag(eigenvalues), n, k), budget).scale
        if mechanism.family is Family.EXPONENTIAL:
            # The first direction that is not kept is almost kept: three factors of e away.
            gap = min(3 * noise, largest / 2)
            eigenvalues = size.levels(largest, (largest + gap) / 2, (largest - gap) / 2)
            name = "a person in a direction that is almost kept"
            return size.pair(axes[k], axes[k - 1], eigenvalues, name)
        # Both directions outlast the rounds' noise.
        upper = min(max(5 * noise, LEAST_EIGENVALUE), largest / 2)
        eigenvalues = size.levels(upper, upper, 0.8 * upper)
    person, stand_in = (axes[k - 1] + axes[k]) / sqrt(2), (axes[k] - axes[k - 1]) / sqrt(2)
    return size.pair(person, stand_in, eigenvalues, "a person halfway between two directions")
