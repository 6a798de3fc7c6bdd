"""The nearest point of the Fantope {X: 0 ⪯ X ⪯ I, tr X = k} to a symmetric matrix."""

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.eigh_top import eigh_top
from dpca_core.linalg.symmetric import gram


def fantope_shift(values: Array, k: int) -> Array:
    """Return the θ (…) with Σ_i clip(γ_i − θ, 0, 1) = k, exactly, for eigenvalues (…, d); k < d.

    The sum is piecewise linear in θ and falls from d to 0; its corners are γ_i − 1 and γ_i.
    """
    corners = np.concatenate([values - 1, values], axis=-1)
    order = np.argsort(corners, axis=-1, kind="stable")
    corners = np.take_along_axis(corners, order, axis=-1)
    d = values.shape[-1]
    slopes = np.cumsum(np.where(order < d, 1, -1), axis=-1)[..., :-1]
    falls = np.cumsum(slopes * np.diff(corners, axis=-1), axis=-1)
    piece = np.minimum((d - falls > k).sum(axis=-1), 2 * d - 2)[..., None]
    low, high = (np.take_along_axis(corners, piece + i, axis=-1) for i in (0, 1))
    middle = (low + high) / 2
    active = (values > middle) & (values - 1 < middle)
    whole, count = (values - 1 >= middle).sum(axis=-1), active.sum(axis=-1)
    inside = (np.where(active, values, 0).sum(axis=-1) + whole - k) / np.maximum(count, 1)
    return np.asarray(np.where(count > 0, inside, middle[..., 0]))


def project(symmetric: Array, k: int) -> Array:
    """Nearest matrix of the Fantope in Frobenius norm: eigenvalues (…, d, d) shifted and clipped.

    Raises
    ------
    ValueError
        Unless 1 ≤ k < d.
    """
    if not 1 <= k < symmetric.shape[-1]:
        raise ValueError(f"k must be a whole number from 1 to {symmetric.shape[-1] - 1}, not {k}.")
    values, vectors = np.linalg.eigh(symmetric)
    return gram(vectors * clipped_roots(values, k)[..., None, :])


def partial_projection(target: Array, k: int, room: int) -> Array | None:
    """Eigenvectors times the roots of clipped eigenvalues; None if ``room`` or more count."""
    values, rows = eigh_top(target[None].copy(), room)
    # Where the least of them is not clipped to 0, those below may count too.
    roots = clipped_roots(values[0], k)
    return np.asarray(rows[0].T * roots) if roots[-1] == 0 else None


def clipped_roots(values: Array, k: int) -> Array:
    """Square roots (…, d) of the eigenvalues of the projection."""
    return np.sqrt(np.clip(values - fantope_shift(values, k)[..., None], 0, 1))
