"""The tanh–sinh rule: integrals of functions that may be singular, or have corners, at the ends."""

from typing import NamedTuple

import numpy as np

from dpca_core.linalg.arrays import Array

_REACH = 3.1
"""The nodes beyond weigh less than rounding."""


class TanhSinh(NamedTuple):
    """∫ f over [a, b] ≈ (b − a)·Σ weight·f(a + (b − a)·above), with 1 − above = below.

    Both distances to the ends are there to full relative precision.
    """

    above: Array
    below: Array
    weight: Array


def tanh_sinh(nodes: int) -> TanhSinh:
    """Return the rule with a number of nodes."""
    u, step = np.linspace(-_REACH, _REACH, nodes, retstep=True)
    below = 1 / (1 + np.exp(np.pi * np.sinh(u)))
    weight = np.pi / 4 * np.cosh(u) / np.cosh(np.pi / 2 * np.sinh(u)) ** 2 * step
    return TanhSinh(below[::-1], below, weight)
