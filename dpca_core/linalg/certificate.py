"""How far bases of a noisy matrix's top may be from the true ones, whoever found them.

Proofs are in ``docs/sweep-precision.md``.
"""

from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpca_core.linalg.arrays import Array

AnyFloats = NDArray[np.floating[Any]]

NEARLY_ORTHONORMAL = 1e-8
"""Defect of rows from orthonormal ones from which on they are made so by a second step."""
_ROUNDING, _POWER_STEPS, _HALF = 2.0**-52, 2, 0.5


class Certified(NamedTuple):
    """Subspaces of Λ + σE at G scales, with bounds on their errors.

    Attributes
    ----------
    weights
        (G, d) squared projections on the axes, which sum to k.
    captured_error
        (G,) bound on the error of Σ_j λ_j·weights_j; ∞ where nothing is certain.
    sine_error
        (G,) bound on the error of ‖sin Θ‖_F to the first k axes.
    """

    weights: Array
    captured_error: Array
    sine_error: Array


class Frames(NamedTuple):
    """Rows v (G, m, d), orthonormal but for ``skew`` (G,), and their images v·A.

    In coordinates in which S is diagonal.
    """

    rows: Array
    images: Array
    skew: Array


def _orthonormal(rows: AnyFloats, nearly: float = NEARLY_ORTHONORMAL) -> tuple[Array, Array]:
    """Steps towards orthonormal rows, and how far from it they may still be.

    One step, and another where that is far: vectors of near eigenvalues are hardly orthogonal in
    single precision. Rows that overflowed become 0 with a ``skew`` of 1, so nothing is certified.
    """
    v = np.array(rows, dtype=np.float64)
    broken = ~np.isfinite(v).all(axis=(1, 2))
    v[broken] = 0
    v, skew = _nearer_orthonormal(v)
    far = np.flatnonzero(skew > nearly)
    if len(far):
        v[far], skew[far] = _nearer_orthonormal(v[far])
    skew[broken] = 1
    return v, skew


def _nearer_orthonormal(v: Array) -> tuple[Array, Array]:
    m, d = v.shape[1:]
    defect = v @ v.swapaxes(1, 2) - np.eye(m)
    skew = 2 * np.sqrt(m) * np.square(defect).sum(axis=(1, 2)) + 8 * d * _ROUNDING
    return v - 0.5 * (defect @ v), skew


def frames_along(
    rows: AnyFloats,
    spectrum: Array,
    noises: Array,
    scales: Array,
    nearly: float = NEARLY_ORTHONORMAL,
) -> Frames:
    """Return rows (T·G, m, d) and their images under Λ + σE, E (T, d, d), at each of G scales.

    ``nearly`` is how far from orthonormal rows may be that get one step.
    """
    v, skew = _orthonormal(rows, nearly)
    images = (v.reshape(len(noises), -1, len(spectrum)) @ noises).reshape(v.shape)
    images *= np.tile(scales, len(noises))[:, None, None]
    images += v * spectrum
    return Frames(v, images, skew)


def nearer_frames(
    first: Frames,
    spectrum: Array,
    noises: Array,
    scales: Array,
    middles: Array,
    above: Array,
    nearly: float = NEARLY_ORTHONORMAL,
) -> tuple[Frames, Array]:
    """Return frames nearer to the top of Λ + σE than the first ones, and what ``above`` is there.

    By steps of the power method from the middles (T·G,) of all other eigenvalues: what single
    precision leaves in their eigenvectors gets about three times smaller.

    Parameters
    ----------
    first, spectrum, noises, scales, nearly
        As from and for ``frames_along``.
    above
        (T·G,) numbers from ``upper_bound`` for the first; those returned are so for the nearer.
    """
    m, frames = first.rows.shape[1], first
    inner = first.rows @ first.images.swapaxes(1, 2)
    outside, sums = first.images - inner @ first.rows, np.abs(inner).sum(axis=2).max(axis=1)
    lost = np.sqrt(m) * first.skew
    size = np.sqrt(np.einsum("gij,gij->g", outside, outside)) + lost * sums
    for _ in range(_POWER_STEPS):
        image = frames.images - middles[:, None, None] * frames.rows
        # A row of zeros certifies nothing, as its skew says.
        with np.errstate(invalid="ignore", divide="ignore"):
            image /= np.linalg.norm(image, axis=-1, keepdims=True)
        frames = frames_along(image, spectrum, noises, scales, nearly)
    turn = frames.rows @ first.rows.swapaxes(1, 2)
    square = np.linalg.norm(np.eye(m) - turn @ turn.swapaxes(1, 2), axis=(1, 2))
    square += 3 * (lost + np.sqrt(m) * frames.skew)
    raised = 2 * np.sqrt(square) * size + square * np.maximum(sums - above, 0)
    return frames, np.where(first.skew <= _HALF, above + raised, np.inf)


def frames_of(rows: AnyFloats, matrices: Array, eigenvectors: Array) -> Frames:
    """Return rows (T, m, d) and their images under matrices (T, d, d), in the eigenbasis of S."""
    v, skew = _orthonormal(rows)
    return Frames(v @ eigenvectors, v @ matrices @ eigenvectors, skew)


def certified(spectrum: Array, frames: Frames, k: int, above: Array, *, ritz: bool) -> Certified:
    """Turn approximate bases of the top of matrices A into metrics with bounds.

    Parameters
    ----------
    spectrum
        Λ (d,), which metrics refer to.
    frames
        m ≥ k vectors that nearly span the top, the largest first.
    above
        (G,) numbers as from ``upper_bound``; where m = k, any that k eigenvalues exceed at most.
    ritz
        Whether the vectors are to be turned within their span to eigenvectors of what A is there.
        Needed where they are not near eigenvectors, and where m > k.
    """
    v, image, skew = frames
    if ritz:
        turn = np.linalg.eigh(v @ image.swapaxes(1, 2))[1][..., ::-1].swapaxes(1, 2)
        v, image = turn @ v, turn @ image
    theta = np.vecdot(v, image)
    image -= theta[..., None] * v
    inside = (skew * np.abs(theta).max(axis=1))[:, None]
    size = np.linalg.norm(image, axis=-1) + inside
    angle = _angles(theta, size, inside, k, above)
    top = v[:, :k]
    eta = np.sqrt(np.square(angle).sum(axis=1)) + skew
    range_ = spectrum[0] - spectrum[-1]
    weights = np.square(top).sum(axis=1)
    sine = np.sqrt(weights[:, k:].sum(axis=1))
    beyond = (np.arange(len(spectrum)) >= k).astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        captured_error = 2 * (_leaks(top, spectrum) * angle).sum(axis=1)
        captured_error += range_ * np.square(eta) + spectrum[0] * skew
        square_error = 2 * (_leaks(top, beyond) * angle).sum(axis=1) + np.square(eta)
        # Rounding of the small parts themselves is relative to them.
        square_error += np.square(sine) * skew + np.square(skew)
        sine_error = np.minimum(eta, square_error / (sine + np.maximum(sine - eta, 0)))
    unknown = ~(eta < 1)
    captured_error[unknown] = sine_error[unknown] = np.inf
    return Certified(weights, captured_error, sine_error)


def certified_block(spectrum: Array, frames: Frames, above: Array) -> Certified:
    """Return the same for m = k vectors that need be near no eigenvectors, with wider bounds.

    For noise that is small against the gap: the least eigenvalue within their span is bounded by
    Gershgorin's discs, or by the Frobenius norm off the diagonal.
    """
    v, image, skew = frames
    k = v.shape[1]
    inner = v @ image.swapaxes(1, 2)
    image -= inner @ v
    diagonal, rows = np.diagonal(inner, axis1=1, axis2=2), np.abs(inner).sum(axis=2)
    beside = np.square(inner).sum(axis=(1, 2)) - np.square(diagonal).sum(axis=1)
    disc = (diagonal - (rows - np.abs(diagonal))).min(axis=1)
    least = np.maximum(disc, diagonal.min(axis=1) - np.sqrt(np.maximum(beside, 0)))
    lost = sqrt(k) * skew * rows.max(axis=1)
    gap = least - lost - above
    size = np.sqrt(np.einsum("gij,gij->g", image, image)) + lost
    eta = np.where(gap > 0, size / np.where(gap > 0, gap, 1), np.inf) + skew
    eta[~(eta < 1)] = np.inf
    scaled = np.multiply(v, spectrum, out=image)
    square, inside = np.einsum("gij,gij->g", scaled, scaled), scaled @ v.swapaxes(1, 2)
    # What cancels is lost in relation to the square; ``skew`` is at least the rounding of sums.
    leak = square * (1 + (k + 2) * skew) - np.einsum("gij,gij->g", inside, inside)
    captured_error = 2 * np.sqrt(np.maximum(leak, 0)) * eta + spectrum[0] * skew
    captured_error += (spectrum[0] - spectrum[-1]) * np.square(eta)
    return Certified(np.einsum("gij,gij->gj", v, v), captured_error, eta)


def _angles(theta: Array, size: Array, inside: Array, k: int, above: Array) -> Array:
    """Bounds (G, k) on the length of each vector outside the true top-k subspace.

    Residuals are at most ``size`` (G, m) long, ``inside`` (G, 1) of which may lie in the span.
    """
    m = theta.shape[1]
    top, rest = theta[:, :k], theta[:, k:]
    gap = top - above[:, None]
    angle = np.where(gap > 0, size[:, :k] / np.where(gap > 0, gap, 1), np.inf)
    if m == k:
        return angle
    whole = np.sqrt(np.square(size).sum(axis=1))[:, None]
    beside, upper = rest - above[:, None], np.maximum(rest, above[:, None])
    shares = np.where(beside > 0, np.minimum(1, whole / np.where(beside > 0, beside, 1)), 1)
    near = top[:, :, None] - upper[:, None, :] - whole[:, None]
    # What lies in the span is not shortened by the little that the others have outside it.
    parts = size[:, :k, None] * shares[:, None, :] + inside[..., None]
    parts /= np.where(near > 0, near, 1)
    parts = np.where(near > 0, parts, np.inf)
    return np.asarray(np.sqrt(np.square(angle) + np.square(parts).sum(axis=-1)))


def _leaks(rows: Array, diagonal: Array) -> Array:
    """Norms (G, k) of what diag·v has outside the span of the rows v (G, k, d)."""
    image = rows * diagonal
    image -= (image @ rows.swapaxes(1, 2)) @ rows
    return np.asarray(np.linalg.norm(image, axis=-1))
