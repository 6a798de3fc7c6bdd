"""Exact draws of symmetric matrices with density proportional to det(I + F²)^{−q}."""

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import with_eigenvalues


def matrix_t(d: int, q: float, rng: np.random.Generator, size: int) -> Array:
    """Draw independent symmetric matrices F (size, d, d), density ∝ det(I + F²)^{−q}, q > d/2.

    One column is added after the other (docs/matrix-t.md): given the matrix G of the columns so
    far, F = [[f, vᵀ], [v, G]] with v = (I + G²)^{1/2}·w and f = wᵀGw + (1 + |w|²)·y, where y and w
    are Student variables independent of G. The law is invariant under rotations, so only
    eigenvalues are carried along: G = diag(λ) in its own eigenbasis, where the law of w is the
    same, and the last eigenvalues get eigenvectors that are uniform over the orthogonal group.
    """
    values: Array = _student(2 * (q - (d - 1) / 2) - 1, rng, size)[:, None]
    for m in range(2, d + 1):
        degrees = 2 * (q - (d - m) / 2) - 1
        y = _student(degrees, rng, size)
        w = rng.standard_normal((size, m - 1))
        w /= np.sqrt(rng.chisquare(2 * degrees - (m - 1), size))[:, None]
        grown = np.zeros((size, m, m))
        grown[:, 0, 0] = (w * w * values).sum(axis=1) + (1 + (w * w).sum(axis=1)) * y
        grown[:, 0, 1:] = grown[:, 1:, 0] = np.sqrt(1 + values * values) * w
        grown[:, range(1, m), range(1, m)] = values
        values = np.asarray(np.linalg.eigvalsh(grown))
    return with_eigenvalues(values, rng)


def _student(degrees: float, rng: np.random.Generator, size: int) -> Array:
    """Draw y (size,) with density ∝ (1 + y²)^{−(degrees + 1)/2}."""
    return np.asarray(rng.standard_t(degrees, size) / np.sqrt(degrees))
