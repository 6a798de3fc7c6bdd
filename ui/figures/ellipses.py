"""Ellipses {v : vᵀM⁻¹v ≤ 1} of 2 × 2 matrices: their axes and angles, for whoever draws them."""

from math import degrees, sqrt
from typing import NamedTuple

import numpy as np

from dpca_core.linalg.arrays import Array


class Ellipse(NamedTuple):
    """One ellipse about the origin.

    Attributes
    ----------
    long, short
        Half axes, in the unit of the root of M.
    angle
        Of the long axis, in degrees; clockwise, as screens turn.
    """

    long: float
    short: float
    angle: float


def ellipses_of(matrices: Array) -> list[Ellipse]:
    """Return the ellipses of symmetric matrices (T, 2, 2); a negative eigenvalue counts as 0."""
    values, vectors = np.linalg.eigh(matrices)
    return [
        Ellipse(sqrt(max(high, 0.0)), sqrt(max(low, 0.0)), screen_angle(frame[:, 1]))
        for (low, high), frame in zip(values, vectors, strict=True)
    ]


def screen_angle(vector: Array) -> float:
    """Return the angle of a vector (2,) in degrees; clockwise, as y grows downwards on screens."""
    return -degrees(np.arctan2(vector[1], vector[0]))


def largest_reach(scale: float) -> float:
    """Return how far the ellipses of Wishart noise of this scale reach, about: needles reach 1."""
    return max(1.25, 3.0 * sqrt(scale))
