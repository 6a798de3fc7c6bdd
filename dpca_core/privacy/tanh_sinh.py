"""The tanh–sinh rule: integrals of functions that may be singular, or have corners, at the ends."""

import numpy as np

from dpca_core.linalg.arrays import Array

_REACH = 3.1
"""The nodes beyond weigh less than rounding."""


def tanh_sinh(nodes: int) -> tuple[Array, Array]:
    """Points, exact even next to 0, and weights: ∫₀¹ f ≈ Σ weight·f(point)."""
    u, step = np.linspace(-_REACH, _REACH, nodes, retstep=True)
    points = 1 / (1 + np.exp(-np.pi * np.sinh(u)))
    return points, np.pi / 4 * np.cosh(u) / np.cosh(np.pi / 2 * np.sinh(u)) ** 2 * step
