"""Two neighbouring data sets that a mechanism finds hard to hide, as far as is known."""

from dataclasses import dataclass
from math import atan2, cos, sin, sqrt

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.base import MatrixNoise, Mechanism
from dpca_core.mechanisms.exponential import inverse_temperature
from dpca_core.mechanisms.local import LOCAL
from dpca_core.privacy.budget import Adjacency, Budget
from dpca_core.problem import Problem

_LEAST_ROOM = 4.0


@dataclass(frozen=True, eq=False)
class Pair:
    """Two data sets that differ in one person, on top of the same others.

    Attributes
    ----------
    with_person, without_person
        The two problems.
    person
        x (d,), a unit vector.
    stand_in
        y (d,), a unit vector: who has the person's place (local: the person's other record); None
        if the person comes or goes.
    name
        What makes the pair hard to hide.
    local
        Whether these are two records of the one person there is, for any neighbours.
    """

    with_person: Problem
    without_person: Problem
    person: Array
    stand_in: Array | None
    name: str
    local: bool = False


def worst_pair(mechanism: Mechanism, d: int, k: int, n: int, budget: Budget) -> Pair:
    """Choose the person and the others; heuristic, so an audit's bound may be too low, never wrong.

    Independent noise in a triangle fears a person who fills one entry (Gaussian) or all alike
    (Laplace). PPCA fears one who fills the direction that is almost the k-th, three factors of e
    away from it. A local mechanism promises something of every single report: its data sets are one
    person, with one record or another, and what is published is the report. All else fears one
    halfway between the k-th direction and the next: the power
    method where both outlast its rounds, the others where the gap is largest.

    Parameters
    ----------
    d, k
        Columns, and directions kept.
    n
        People without the person.

    Raises
    ------
    InfeasibleBudget
        Where the mechanism has no noise for the budget.
    ValueError
        Unless 1 ≤ k < d, and where n people are too few to fix the other directions.
    """
    if not 1 <= k < d:
        raise ValueError(f"k must be a whole number from 1 to {d - 1}, not {k}.")
    room = (n - d) / k
    if room < _LEAST_ROOM:
        raise ValueError(
            f"{n} people are too few to audit k = {k} of d = {d}; take {d + 4 * k} or more."
        )
    if mechanism.family == LOCAL:
        return _one_report(d, k)
    axes = np.eye(d)
    x, y = (axes[k - 1] + axes[k]) / sqrt(2), (axes[k] - axes[k - 1]) / sqrt(2)
    name = "a person halfway between two directions"
    high, upper, lower = room, room, 1.0
    if isinstance(mechanism, MatrixNoise) and mechanism.family == "laplace":
        x, y = _spread(d, budget.adjacency)
        name = "a person with all entries alike"
    elif isinstance(mechanism, MatrixNoise):
        x, y, name = axes[0], axes[1], "a person with one entry"
    elif mechanism.family == "exponential":
        x, y, name = axes[k], axes[k - 1], "a person in a direction that is almost kept"
        gap = min(3 / inverse_temperature(budget), room / 2)
        upper, lower = (room + gap) / 2, (room - gap) / 2
    elif mechanism.family == "power":
        separated = Problem.from_moment(np.diag(_levels(d, k, room, room, 1.0)), n, k)
        noise = mechanism.calibrate(separated, budget).scale
        high = upper = min(max(5 * noise, _LEAST_ROOM), room / 2)
        lower = 0.8 * upper
    without = np.diag(_levels(d, k, high, upper, lower))
    moment = without + np.outer(x, x)
    if budget.adjacency is Adjacency.ADD_OR_REMOVE_ONE:
        with_person = Problem.from_moment(moment, n + 1, k)
        return Pair(with_person, Problem.from_moment(without, n, k), x, None, name)
    with_person = Problem.from_moment(moment - np.outer(y, y), n, k)
    return Pair(with_person, Problem.from_moment(without, n, k), x, y, name)


def _one_report(d: int, k: int) -> Pair:
    """Two records of one entry: the triangle moves by √2, as far as it can."""
    x, y = np.eye(d)[:2]
    here, there = (Problem.from_moment(np.outer(z, z), 1, k) for z in (x, y))
    return Pair(here, there, x, y, "the record of their only person, whose report is seen", True)


def _levels(d: int, k: int, high: float, upper: float, lower: float) -> Array:
    """Eigenvalues (d,) in people; at least 1, so that everybody's stand-in is among them."""
    return np.array([high] * (k - 1) + [upper, lower] + [1.0] * (d - k - 1))


def _spread(d: int, adjacency: Adjacency) -> tuple[Array, Array]:
    """Person and stand-in whose exchange moves the upper triangle far in ℓ₁ norm.

    Added: x = 1/√d, the most there is. Replaced: with a entries of one kind, b of the other and an
    angle φ between them, ½(d + 2)·cos 2φ + √(ab)·sin 2φ, within 5 % of the sensitivity.
    """
    if adjacency is Adjacency.ADD_OR_REMOVE_ONE:
        return np.full(d, 1 / sqrt(d)), np.zeros(d)
    a = (d + 1) // 2
    first = np.where(np.arange(d) < a, 1 / sqrt(a), 0.0)
    second = np.where(np.arange(d) < a, 0.0, 1 / sqrt(d - a))
    angle = atan2(sqrt(a * (d - a)), (d + 2) / 2) / 2
    return cos(angle) * first + sin(angle) * second, cos(angle) * second - sin(angle) * first
