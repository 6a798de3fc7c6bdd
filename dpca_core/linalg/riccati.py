"""The top directions of Λ + σE for many σ at once, where the noise is small against the gap."""

from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpca_core.linalg.arrays import Array

AnyFloats = NDArray[np.floating[Any]]

REACH, DIVERGED, ROUNDS, ROUGH_ROUNDS = 0.6, 30.0, 40, 15
WILD, ROUNDING = 1e3, 4e-16
TOLERANCE, AIM, ROUGH = 1e-7, 5e-8, 1e-5
"""Largest η that is accepted; and the share of its first residual at which an iteration stops."""


class Solved(NamedTuple):
    """Metrics of T draws at G scales; ``certain`` where they are within the tolerance.

    ``weights`` (T, G, d) is the part of the released subspace in each eigenvector of S: the squared
    lengths of its projections, which sum to k.
    """

    weights: Array
    certain: np.ndarray
    error: Array


def roughness(noises: Array) -> float:
    """About ‖E‖: 2√d times the root mean square of the entries of a stack."""
    return 2 * sqrt(noises.shape[-1]) * float(np.sqrt(np.square(noises).mean()))


def small_noise(spectrum: Array, noises: Array, scales: Array, k: int) -> Solved:
    """Solve the algebraic Riccati equation for the top-k subspace, with a certificate.

    Parameters
    ----------
    spectrum
        Λ (d,), descending.
    noises
        E (T, d, d), symmetric, in the eigenbasis of S.
    scales
        σ (G,) ≥ 0; larger ones than the gap allows are not tried.

    Notes
    -----
    With [I X] a basis of the subspace, Z = σ[I X]E, T = Λ₁ + Z₁, the residual is
    R = XΛ₂ + Z₂ − TX; X grows by R over the differences of the diagonal. At the end
    μ = λ_{k+1} + σλ₁(E₂₂) is above all eigenvalues but k, and the k-th is above
    θ = λ_min(sym(L⁻¹TL)) − ‖R‖, LLᵀ = I + XXᵀ, so η = ‖R‖_F/(θ − μ) ≥ ‖sin Θ‖_F to the true
    subspace (Davis & Kahan 1970), rounding included. ``error`` is η, ∞ where nothing is certified.
    """
    shape = len(noises), len(scales)
    weights, error = np.full((*shape, len(spectrum)), np.nan), np.full(shape, np.inf)
    low, high, gap = spectrum[:k], spectrum[k:], float(spectrum[k - 1] - spectrum[k])
    rough, order = roughness(noises), np.argsort(scales)
    at = order[: np.searchsorted(scales[order] * rough, REACH * gap, side="right")]
    if gap > 0 and len(at):
        x = _started(low, high, noises, scales[at], scales[at] * rough / gap)
        weights[:, at], error[:, at] = _certified(low, high, noises, scales[at], x)
    return Solved(weights, error <= TOLERANCE, error)


def _started(low: Array, high: Array, noises: Array, scales: Array, rates: Array) -> Array:
    """X (T, G, k, d − k): to five digits or so in single precision, the rest in double."""
    k = len(low)
    first = scales * np.sqrt(np.square(noises[:, :k, k:]).sum(axis=(1, 2)))[:, None]
    x: AnyFloats = np.zeros((len(noises), len(scales), k, len(high)))
    for kind, aim, rounds in ((np.float32, ROUGH, ROUGH_ROUNDS), (np.float64, AIM, ROUNDS)):
        x = np.asarray(_tame(x), dtype=kind)
        parts: list[Any] = [part.astype(kind) for part in (low, high, noises, scales, rates)]
        _iterate(x, *parts, enough=(aim * first).astype(kind), rounds=rounds)
    return np.asarray(_tame(x), dtype=np.float64)


def _tame(x: AnyFloats) -> AnyFloats:
    """Begin anew where the iteration ran away: that is never certified."""
    size = np.abs(x).max(axis=(-2, -1), keepdims=True)
    return np.asarray(np.where(size < WILD, x, 0))


def _iterate(
    x: AnyFloats,
    low: AnyFloats,
    high: AnyFloats,
    noises: AnyFloats,
    scales: AnyFloats,
    rates: AnyFloats,
    *,
    enough: AnyFloats,
    rounds: int,
) -> None:
    """Improve X (T, G, k, d − k) for ascending scales; larger ones need more rounds, or too many.

    So what still moves is always a slice: its start rises as small noise converges, its end falls
    where large noise does not. Rounds are combined by Chebyshev's recurrence for a contraction with
    real eigenvalues within ``rates``.
    """
    k, count = len(low), len(scales)
    sigma, top = scales[:, None, None], np.diag(low)
    diagonal = scales[:, None] * np.diagonal(noises, axis1=1, axis2=2)[:, None, :]
    step = 1 / ((low + diagonal[..., :k])[..., None] - (high + diagonal[..., k:])[..., None, :])
    last, omega, least = np.zeros_like(x), np.ones_like(scales), np.full_like(enough, np.inf)
    start, stop = 0, count
    for done in range(rounds):
        at = slice(start, stop)
        now, before = x[:, at], last[:, at]
        z = _times(now, noises)
        z *= sigma[at]
        z[..., :k] += top
        residual = z[..., k:]
        residual += now * high
        residual -= z[..., :k] @ now
        size = np.sqrt(np.einsum("tgij,tgij->tg", residual, residual))
        residual *= step[:, at]
        if done:
            omega = 1 / (1 - rates**2 * omega / (2 if done == 1 else 4))
        residual += now
        residual -= before  # zero in the first round
        residual *= omega[at][:, None, None]
        residual += before
        last[:, at] = now
        x[:, at] = residual
        moving = (size > enough[:, at]).any(axis=0)
        lost = moving & (size > DIVERGED * least[:, at]).any(axis=0)
        least[:, at] = np.minimum(least[:, at], size)
        if lost.any():
            stop = start + int(np.argmax(lost))
        start += int(np.argmax(np.append(moving[: stop - start], True)))
        if start >= stop:
            break


def _times(x: AnyFloats, noises: AnyFloats) -> AnyFloats:
    """[I X]·E (T, G, k, d) of a stack X (T, G, k, d − k): one matrix product for each draw."""
    trials, count, k, rest = x.shape
    product = x.reshape(trials, count * k, rest) @ noises[:, k:]
    product = product.reshape(trials, count, k, -1)
    product += noises[:, None, :k]
    return product


def _certified(
    low: Array, high: Array, noises: Array, scales: Array, x: Array
) -> tuple[Array, Array]:
    """Diagonals of the projectors on the spans of [I X] (T, G, d), and η (T, G)."""
    k, one = len(low), np.eye(len(low))
    z = _times(x, noises)
    z *= scales[:, None, None]
    t = z[..., :k] + np.diag(low)
    residual = x * high + z[..., k:] - t @ x
    size = np.sqrt(np.einsum("tgij,tgij->tg", residual, residual))
    gram = one + x @ x.swapaxes(-1, -2)
    root = np.linalg.cholesky(gram)
    turned = np.linalg.solve(root, t @ root)
    least = np.linalg.eigvalsh((turned + turned.swapaxes(-1, -2)) / 2)[..., 0]
    above = high[0] + scales * np.linalg.eigvalsh(noises[:, k:, k:])[:, -1:]
    size = size + ROUNDING * x.shape[-1] * np.abs(np.diagonal(t, axis1=-2, axis2=-1)).max(axis=-1)
    clear = least - size - above
    eta = np.where(clear > 0, size / np.where(clear > 0, clear, 1.0), np.inf)
    inverse = np.linalg.inv(gram)
    head = np.diagonal(inverse, axis1=-2, axis2=-1)
    tail = np.einsum("tgij,tgij->tgj", x, inverse @ x)
    return np.concatenate([head, tail], axis=-1), eta
