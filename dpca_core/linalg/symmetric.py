"""Symmetric matrices in stacks: eigenvectors in descending order, triangles, orthonormal frames."""

import numpy as np

from dpca_core.linalg.arrays import Array


def eigh_descending(symmetric: Array) -> tuple[Array, Array]:
    """Eigenvalues (…, d) from the largest down, and their eigenvectors (…, d, d) as columns."""
    values, vectors = np.linalg.eigh(symmetric)
    return values[..., ::-1], vectors[..., ::-1]


def top_basis(symmetric: Array, k: int) -> Array:
    """Eigenvectors of the k largest (signed) eigenvalues: (…, d, d) to (…, d, k)."""
    return np.linalg.eigh(symmetric)[1][..., : -k - 1 : -1]


def symmetrized(square: Array) -> Array:
    """(N + Nᵀ)/2 of a stack (…, d, d)."""
    return (square + square.swapaxes(-1, -2)) / 2


def mirrored(square: Array) -> Array:
    """Symmetric matrices with the upper triangle and diagonal of a stack (…, d, d)."""
    upper = np.triu(square)
    return upper + np.triu(square, 1).swapaxes(-1, -2)


def orthonormal(frames: Array) -> Array:
    """Orthonormal bases of the column spans of (…, d, k), by QR with a positive diagonal.

    Of standard normal frames this is Haar-uniform.
    """
    q, r = np.linalg.qr(frames)
    return np.asarray(q * np.copysign(1.0, np.diagonal(r, axis1=-2, axis2=-1))[..., None, :])


def with_eigenvalues(values: Array, rng: np.random.Generator) -> Array:
    """Symmetric matrices of eigenvalues (N, d), their eigenvectors uniform (Haar)."""
    size, d = values.shape
    vectors = orthonormal(rng.standard_normal((size, d, d)))
    return symmetrized((vectors * values[:, None, :]) @ vectors.swapaxes(1, 2))


def gram(frames: Array) -> Array:
    """G·Gᵀ of a stack (…, d, p)."""
    return frames @ frames.swapaxes(-1, -2)


def rows_with_sum(moment: Array) -> Array:
    """Rows (N, d) of norm at most 1 whose sum of x·xᵀ is a positive semi-definite (d, d)."""
    values, vectors = eigh_descending(moment)
    values = np.maximum(values, 0.0)
    copies = np.maximum(np.ceil(values), 1).astype(int)
    return np.repeat((vectors * np.sqrt(values / copies)).T, copies, axis=0)
