"""Gibbs sampling of Bingham-distributed frames, column by column.

A column given the others has density ∝ exp(yᵀWy), W = diag(weights), on the unit sphere of their
complement, and is drawn exactly.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.sampling.bingham import vector_bingham_batch
from dpca_core.sampling.bingham_complement import bingham_beside


def sweeps_in_eigenvectors(
    weights: Array, starts: Array, rngs: Sequence[np.random.Generator]
) -> Iterator[Array]:
    """Yield the frames (chains, d, k) of many chains after each sweep: the same memory every time.

    As ``sweeps_beside`` from each start and generator, but by eigenvectors on each complement:
    O(d³) a column.
    """
    frames, (chains, d, k) = starts.copy(), starts.shape
    while True:
        for j in range(k):
            free = np.broadcast_to(np.eye(d), (chains, d, d))
            if k > 1:
                others = np.delete(frames, j, axis=2)
                free = np.linalg.qr(others, mode="complete")[0][..., k - 1 :]
            values, vectors = np.linalg.eigh((free.swapaxes(1, 2) * weights) @ free)
            y = vector_bingham_batch(values[:, -1:] - values, rngs)
            frames[..., j] = (free @ (vectors @ y[..., None]))[..., 0]
        yield frames


def sweeps_beside(weights: Array, start: Array, rng: np.random.Generator) -> Iterator[Array]:
    """Yield the frame (d, k) after each sweep over its columns: the same memory every time.

    Density ∝ exp(tr VᵀWV), from an orthonormal start (d, k), in O(dk²) a column: no basis of its
    complement is needed. A column's search for a good envelope begins where that of the sweep
    before ended, which sets the speed and not the law.
    """
    frame, k = start.copy(), start.shape[1]
    searched = np.full(k, 2 * float(weights.max()) + 1)
    others_of = [np.delete(np.arange(k), j) for j in range(k)]
    while True:
        for j in range(k):
            others = frame[:, others_of[j]]
            y, searched[j] = bingham_beside(weights, others, searched[j], rng)
            y -= others @ (others.T @ y)
            frame[:, j] = y / np.linalg.norm(y)
        yield frame
