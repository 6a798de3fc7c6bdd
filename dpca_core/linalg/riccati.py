"""The top directions of Λ + σE for many σ at once, where the noise is small against the gap."""

from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpca_core.linalg.arrays import Array

AnyFloats = NDArray[np.floating[Any]]

LARGEST_NOISE = 0.6
"""Largest norm of the noise, in units of the gap, at which the iteration is tried."""
TOLERANCE = 1e-7
"""Largest η that is certified."""
_STAGES: tuple[tuple[Any, float, int], ...] = ((np.float32, 1e-5, 15), (np.float64, 5e-8, 40))
"""Precision, share of its first residual at which the iteration stops, and most iterations: to five
digits or so in single precision, the rest in double."""
_SCREEN_STAGE: tuple[Any, float, int] = (np.float32, 1e-5, 15)
"""The same for numbers that a screen shows."""
_GRAPH_STAGES: tuple[tuple[Any, float, int], ...] = (_SCREEN_STAGE, (np.float64, 1e-7, 15))
"""The same for directions that are taken out before LAPACK finds others in single precision."""
_DIVERGENCE_RATIO = 30.0
"""A residual that is so many times the least one seen means divergence."""
_LARGEST_ITERATE = 1e3
"""Entries beyond this come from divergence."""
_LARGEST_SQUARE = 1e3
"""Sum of squares of an iterate beyond which it is given up on screens."""
_ROUNDING = 4e-16


class Solved(NamedTuple):
    """Metrics of T draws at G scales; ``certain`` where they are within the tolerance.

    ``weights`` (T, G, d) is the part of the released subspace in each eigenvector of S: the squared
    lengths of its projections, which sum to k.
    """

    weights: Array
    certain: np.ndarray
    error: Array


def noise_norm(noises: Array) -> float:
    """Estimate ‖E‖ of a stack: 2√d times the root mean square of its entries."""
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
        σ (G,) ≥ 0; those too large for the gap are not tried.

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
    leading, trailing, gap = spectrum[:k], spectrum[k:], float(spectrum[k - 1] - spectrum[k])
    norm, order = noise_norm(noises), np.argsort(scales)
    at = order[: np.searchsorted(scales[order] * norm, LARGEST_NOISE * gap, side="right")]
    if gap > 0 and len(at):
        rates = scales[at] * norm / gap
        x = _iterates(leading, trailing, noises, scales[at], rates, _STAGES).astype(np.float64)
        weights[:, at], error[:, at] = _certified(leading, trailing, noises, scales[at], x)
    return Solved(weights, error <= TOLERANCE, error)


class Nearly(NamedTuple):
    """Bases of T draws at G scales from the iteration, and what the other eigenvalues are below.

    ``rows`` (T, G, k, d), about orthonormal; ``above`` (T, G), proved. Nothing else is certain.
    """

    rows: AnyFloats
    above: Array


def nearly(
    spectrum: Array,
    noises: Array,
    scales: Array,
    k: int,
    largest: Array,
    *,
    refine: bool = False,
) -> Nearly:
    """Iterate as ``small_noise`` does, in single precision alone unless ``refine`` says otherwise.

    For scales that are small against the gap; parameters as there, and ``largest`` (T,), which is
    at least the largest eigenvalue of each E.
    """
    leading, trailing, gap = spectrum[:k], spectrum[k:], float(spectrum[k - 1] - spectrum[k])
    order = np.argsort(scales)
    at, rates = scales[order], scales[order] * noise_norm(noises) / gap
    stages = (_SCREEN_STAGE, *_STAGES[1:]) if refine else (_SCREEN_STAGE,)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        x = _iterates(leading, trailing, noises, at, rates, stages)
    # So that single precision finds 1 + XXᵀ positive definite; what is certified is far smaller.
    x[np.einsum("tgij,tgij->tg", x, x) > _LARGEST_SQUARE] = 0
    gram = np.eye(k, dtype=x.dtype) + x @ x.swapaxes(-1, -2)
    inverse = np.linalg.inv(np.linalg.cholesky(gram))
    rows, above = np.empty((*x.shape[:3], len(spectrum)), x.dtype), np.empty(x.shape[:2])
    rows[:, order, :, :k], rows[:, order, :, k:] = inverse, inverse @ x
    above[:, order] = trailing[0] + at * largest[:, None]
    return Nearly(rows, above)


def graphs_of_tops(spectrum: Array, noises: Array, scales: Array, k: int) -> Array:
    """Return X (T, G, k, d − k): rows [I X] about span the tops of Λ + σE; 0 where that diverges.

    For scales that are small against the gap; parameters as ``small_noise``. Nothing is certain.
    """
    leading, trailing, gap = spectrum[:k], spectrum[k:], float(spectrum[k - 1] - spectrum[k])
    order = np.argsort(scales)
    x = np.empty((len(noises), len(scales), k, len(trailing)))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        at, rates = scales[order], scales[order] * noise_norm(noises) / gap
        x[:, order] = _iterates(leading, trailing, noises, at, rates, _GRAPH_STAGES)
    return x


def _iterates(
    leading: Array,
    trailing: Array,
    noises: Array,
    scales: Array,
    rates: Array,
    stages: tuple[tuple[Any, float, int], ...],
) -> AnyFloats:
    """X (T, G, k, d − k), by stages: precision, share of the first residual, most iterations."""
    k = len(leading)
    first = scales * np.sqrt(np.square(noises[:, :k, k:]).sum(axis=(1, 2)))[:, None]
    x: AnyFloats = np.zeros((len(noises), len(scales), k, len(trailing)), stages[0][0])
    for dtype, target, most in stages:
        x = np.asarray(_reset_diverged(x), dtype=dtype)
        parts: list[Any] = [
            part.astype(dtype) for part in (leading, trailing, noises, scales, rates)
        ]
        _improve(x, *parts, targets=(target * first).astype(dtype), most=most)
    return _reset_diverged(x)


def _reset_diverged(x: AnyFloats) -> AnyFloats:
    """Reset diverged iterates to 0; they are never certified."""
    size = np.abs(x).max(axis=(-2, -1), keepdims=True)
    return np.asarray(np.where(size < _LARGEST_ITERATE, x, 0))


def _improve(
    x: AnyFloats,
    leading: AnyFloats,
    trailing: AnyFloats,
    noises: AnyFloats,
    scales: AnyFloats,
    rates: AnyFloats,
    *,
    targets: AnyFloats,
    most: int,
) -> None:
    """Improve X (T, G, k, d − k) in place, for ascending scales.

    Larger scales take more iterations, or diverge, so the scales still iterated are always a slice:
    its start rises as small noise converges, its end falls where large noise diverges. Iterates are
    accelerated by Chebyshev's recurrence for a contraction with real eigenvalues within ``rates``.

    X + R/(λ_i + σE_ii − λ_j − σE_jj) is σ(E₁₂ + XE₂₂ − (E₁₁ + XE₂₁)X), over the same, of noise
    without its diagonal. A residual is bounded by the largest of these denominators in its row.
    """
    k, start, stop = len(leading), 0, len(scales)
    d = k + len(trailing)
    diagonal = scales[:, None] * np.diagonal(noises, axis1=1, axis2=2)[:, None, :]
    upper, lower = leading + diagonal[..., :k], trailing + diagonal[..., k:]
    factor = scales[:, None, None] / (upper[..., None] - lower[..., None, :])
    squares = np.square(upper - lower.min(axis=-1, keepdims=True))
    beside = noises.copy()
    beside.reshape(len(noises), -1)[:, :: d + 1] = 0
    now, before = np.zeros((2, *x.shape[:3], d), x.dtype)
    now[..., :k] = before[..., :k] = np.eye(k, dtype=x.dtype)
    now[..., k:] = x
    products, parts = np.empty_like(now), np.empty_like(x)
    omega, least = np.ones_like(scales), np.full_like(targets, np.inf)
    for iteration in range(most):
        at = slice(start, stop)
        basis, last = now[:, at], before[:, at, :, k:]
        z, part, old = products[:, at], parts[:, at], basis[..., k:]
        wide = len(noises), -1, d
        np.matmul(basis.reshape(wide), beside, out=z.reshape(wide))
        new = z[..., k:]
        new -= np.matmul(z[..., :k], old, out=part)
        new *= factor[:, at]
        np.subtract(new, old, out=part)
        size = np.sqrt((np.einsum("tgij,tgij->tgi", part, part) * squares[:, at]).sum(axis=-1))
        if iteration:
            omega = 1 / (1 - rates**2 * omega / (2 if iteration == 1 else 4))
            new *= omega[at, None, None]
        last *= (1 - omega)[at, None, None]  # to zero in the first iteration
        last += new
        now, before = before, now
        active = (size > targets[:, at]).any(axis=0)
        diverged = active & (size > _DIVERGENCE_RATIO * least[:, at]).any(axis=0)
        least[:, at] = np.minimum(least[:, at], size)
        if diverged.any():
            stop = start + int(np.argmax(diverged))
        start += int(np.argmax(np.append(active[: stop - start], True)))
        done = (slice(at.start, start), slice(stop, at.stop))
        for some in done:
            x[:, some] = now[:, some, :, k:]
        if start >= stop:
            break
    x[:, start:stop] = now[:, start:stop, :, k:]


def _times(x: AnyFloats, noises: AnyFloats) -> AnyFloats:
    """[I X]·E (T, G, k, d) of a stack X (T, G, k, d − k): one matrix product for each draw."""
    trials, count, k, rest = x.shape
    product = x.reshape(trials, count * k, rest) @ noises[:, k:]
    product = product.reshape(trials, count, k, -1)
    product += noises[:, None, :k]
    return product


def _certified(
    leading: Array, trailing: Array, noises: Array, scales: Array, x: Array
) -> tuple[Array, Array]:
    """Diagonals of the projectors on the spans of [I X] (T, G, d), and η (T, G)."""
    k, one = len(leading), np.eye(len(leading))
    z = _times(x, noises)
    z *= scales[:, None, None]
    t = z[..., :k] + np.diag(leading)
    residual = x * trailing + z[..., k:] - t @ x
    size = np.sqrt(np.einsum("tgij,tgij->tg", residual, residual))
    gram = one + x @ x.swapaxes(-1, -2)
    root = np.linalg.cholesky(gram)
    turned = np.linalg.solve(root, t @ root)
    least = np.linalg.eigvalsh((turned + turned.swapaxes(-1, -2)) / 2)[..., 0]
    above = trailing[0] + scales * np.linalg.eigvalsh(noises[:, k:, k:])[:, -1:]
    size = size + _ROUNDING * x.shape[-1] * np.abs(np.diagonal(t, axis1=-2, axis2=-1)).max(axis=-1)
    clear = least - size - above
    eta = np.where(clear > 0, size / np.where(clear > 0, clear, 1.0), np.inf)
    inverse = np.linalg.inv(gram)
    head = np.diagonal(inverse, axis1=-2, axis2=-1)
    tail = np.einsum("tgij,tgij->tgj", x, inverse @ x)
    return np.concatenate([head, tail], axis=-1), eta
