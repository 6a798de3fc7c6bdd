"""Gibbs sampling of Bingham-distributed frames, column by column, in O(dk²) a column.

The law is the one of ``dpca_core.mechanisms.exponential.gibbs``: a column given the others has
density ∝ exp(yᵀWy), W = diag(weights), on the unit sphere of their complement, and is drawn exactly
without a basis of it: 40,000 sweeps take minutes, not hours.
"""

from collections.abc import Iterator

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.sampling.bingham_complement import bingham_beside


def sweeps(weights: Array, start: Array, rng: np.random.Generator) -> Iterator[Array]:
    """Yield the frame (d, k) after each sweep over its columns: the same memory every time."""
    frame, k = start.copy(), start.shape[1]
    searched = np.full(k, 2 * float(weights.max()) + 1)
    others_of = [np.delete(np.arange(k), j) for j in range(k)]
    while True:
        for j in range(k):
            others = frame[:, others_of[j]]
            frame[:, j], searched[j] = bingham_beside(weights, others, searched[j], rng)
        if (error := np.abs(frame.T @ frame - np.eye(k)).max()) > 1e-9:
            frame[:] = np.linalg.qr(frame)[0]
            assert error < 1e-3
        yield frame
