"""The top directions of Λ + σE for many σ at once, where the noise is small against the gap."""

from math import sqrt
from typing import NamedTuple

import numpy as np

from dpca_core.linalg import Array

REACH, CONTRACTION, ROUNDS = 0.62, 0.8, 40
TOLERANCE = 1e-7


class Solved(NamedTuple):
    """Metrics at G scales of one draw; ``certain`` where they are within the tolerance.

    ``weights`` (G, d) is the part of the released subspace in each eigenvector of S: the squared
    lengths of its projections, which sum to k.
    """

    weights: Array
    certain: np.ndarray
    error: Array


def small_noise(spectrum: Array, noise: Array, scales: Array, k: int) -> Solved:
    """Solve the algebraic Riccati equation for the top-k subspace, with a certificate.

    Parameters
    ----------
    spectrum
        Λ (d,), descending.
    noise
        E (d, d), symmetric, in the eigenbasis of S.
    scales
        σ (G,) ≥ 0.

    Notes
    -----
    With [I X] a basis of the subspace, Z = σ[I X]E, T = Λ₁ + Z₁, the residual is
    R = XΛ₂ + Z₂ − TX; X grows by R over the differences of the diagonal. At the end
    μ = λ_{k+1} + σλ₁(E₂₂) is above all eigenvalues but k, and the k-th is above
    θ = λ_min(sym(L⁻¹TL)) − ‖R‖, LLᵀ = I + XXᵀ, so η = ‖R‖_F/(θ − μ) ≥ ‖sin Θ‖_F to the true
    subspace (Davis & Kahan 1970). ``error`` is η; it is ∞ where nothing is certified.
    """
    d, count = len(spectrum), len(scales)
    weights, error = np.full((count, d), np.nan), np.full(count, np.inf)
    low, high = spectrum[:k], spectrum[k:]
    gap = float(low[-1] - high[0])
    rough = 2 * sqrt(d - k) * float(np.sqrt(np.square(noise[k:, k:]).mean()))
    at = np.flatnonzero(scales * rough <= REACH * gap) if gap > 0 else np.array([], dtype=int)
    if len(at) == 0:
        return Solved(weights, error <= TOLERANCE, error)
    top = float(np.linalg.eigvalsh(noise[k:, k:])[-1])
    sigma = scales[at][:, None, None]
    diagonal = spectrum + sigma[:, :, 0] * np.diagonal(noise)
    spread = diagonal[:, :k, None] - diagonal[:, None, k:]
    x, before = np.zeros((len(at), k, d - k)), np.full(len(at), np.inf)
    going = np.arange(len(at))
    for _ in range(ROUNDS):
        z = sigma[going] * _times(x[going], noise, k)
        t = z[:, :, :k] + np.diag(low)
        residual = x[going] * high + z[:, :, k:] - t @ x[going]
        size = np.sqrt(np.square(residual).sum(axis=(1, 2)))
        eta = _certified(t, x[going], size, high[0] + scales[at][going] * top)
        done = eta <= TOLERANCE
        error[at[going[done]]] = eta[done]
        weights[at[going[done]]] = _weights(x[going[done]])
        keep = ~done & (size < CONTRACTION * before[going])
        before[going] = size
        if not keep.any():
            break
        going, residual = going[keep], residual[keep]
        x[going] += residual / spread[going]
    return Solved(weights, error <= TOLERANCE, error)


def _times(x: Array, noise: Array, k: int) -> Array:
    """[I X]·E (G, k, d) of a stack X (G, k, d − k): one matrix product for all."""
    g, _, rest = x.shape
    return noise[:k] + (x.reshape(g * k, rest) @ noise[k:]).reshape(g, k, -1)


def _certified(t: Array, x: Array, size: Array, above: Array) -> Array:
    """η (G,), ∞ where the subspace is not certain to be the top one."""
    k = t.shape[-1]
    likely = size <= 1e3 * TOLERANCE * np.maximum(np.abs(above), 1.0)
    eta = np.full(len(t), np.inf)
    if not likely.any():
        return eta
    root = np.linalg.cholesky(np.eye(k) + x[likely] @ x[likely].swapaxes(1, 2))
    turned = np.linalg.solve(root, t[likely] @ root)
    least = np.linalg.eigvalsh((turned + turned.swapaxes(1, 2)) / 2)[:, 0]
    clear = least - size[likely] - above[likely]
    eta[likely] = np.where(clear > 0, size[likely] / np.where(clear > 0, clear, 1.0), np.inf)
    return eta


def _weights(x: Array) -> Array:
    """Diagonal of the projector onto the span of [I X] (G, d)."""
    g, k, _ = x.shape
    frame = np.concatenate([np.broadcast_to(np.eye(k), (g, k, k)), x], axis=2)
    solved = np.linalg.solve(frame @ frame.swapaxes(1, 2), frame)
    return np.asarray((frame * solved).sum(axis=1))
