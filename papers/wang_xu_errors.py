"""Errors ‖V̂V̂ᵀ − VVᵀ‖_F of Wang & Xu 2020, their ends, and how well a support is found."""

from math import sqrt
from typing import NamedTuple

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


class Recovery(NamedTuple):
    """How well a support was found: of what is named, what is right; of what is right, named."""

    precision: float
    recall: float


def recovery(estimated: np.ndarray, true: np.ndarray) -> Recovery:
    """Compare two supports (d,), both as booleans; precision is 1 where nothing is named."""
    both, named, there = ((estimated & true).sum(), estimated.sum(), true.sum())
    return Recovery(float(both / named) if named else 1.0, float(both / there) if there else 1.0)
