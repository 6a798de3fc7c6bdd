"""A mean of rows under differential privacy, and what one person moves it by."""

from math import sqrt

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.privacy.budget import Adjacency, Budget
from dpca_core.privacy.gaussian import gaussian_sigma


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


def private_mean_of_sum(
    total: Array, n: float, budget: Budget, rng: np.random.Generator, rows_per_person: int = 1
) -> Array:
    """Noisy sum over noisy count, in the unit ball: (ε, δ)-DP, pure by Laplace noise at δ = 0.

    ``total`` is the sum (d,) of n rows of norm at most 1, not yet divided by √m.
    """
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
