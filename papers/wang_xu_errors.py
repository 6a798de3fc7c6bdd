"""Errors ‖V̂V̂ᵀ − VVᵀ‖_F of Wang & Xu 2020, their ends, and how well a support is found."""

from math import sqrt

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.metrics import sin_theta


def projector_distance(truth: Array, bases: Array) -> Array:
    """‖V̂V̂ᵀ − VVᵀ‖_F (T,) of bases (T, d, k): √2 times sin Θ, at most √(2k)."""
    return sqrt(2) * sin_theta(truth, bases)


def largest_distance(k: int) -> float:
    """Largest distance between two subspaces, for k ≤ d/2: √(2k)."""
    return sqrt(2 * k)


def random_distance(d: int, k: int) -> float:
    """Root mean square distance of uniformly random directions: √(2k(1 − k/d))."""
    return sqrt(2 * k * (1 - k / d))


def recovery(estimated: np.ndarray, true: np.ndarray) -> tuple[float, float]:
    """Return the precision, 1 where nothing is named, and recall of a support (d,), as booleans."""
    both, named = (estimated & true).sum(), estimated.sum()
    return float(both / named) if named else 1.0, float(both / true.sum())
