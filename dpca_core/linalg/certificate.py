"""How far bases of a noisy matrix's top may be from the true ones, whoever found them.

Proofs are in ``docs/sweep-precision.md``.
"""

from ctypes import c_char_p
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.cython_api import pointers, routine

AnyFloats = NDArray[np.floating[Any]]
SingleArray = NDArray[np.float32]

_ROUNDING = 2.0**-52
_LOWER, _PLAIN = c_char_p(b"L"), c_char_p(b"N")


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


class UpperBound:
    """Proves that all eigenvalues of Λ + σE but the top ones lie below a number, by Cholesky.

    Parameters
    ----------
    spectrum, noise
        Λ (d,) and E (d, d).
    at_once
        Scales that there is memory for.
    """

    def __init__(self, spectrum: Array, noise: Array, at_once: int = 1) -> None:
        d = len(spectrum)
        self._spectrum, self._noise = spectrum, noise
        self._matrices = np.empty((2, at_once, d, d))

    def proved(self, scale: float, rows: AnyFloats, values: AnyFloats, bound: float) -> float:
        """Return a number that xᵀ(Λ + σE)x ≤ |x|² times it for all x orthogonal to the rows.

        So m eigenvalues exceed it at most. It is next to ``bound``, or ∞ if that is not shown.

        Parameters
        ----------
        rows, values
            m vectors (m, d) of the top and about their eigenvalues (m,): they only need to be near.
        """
        given = np.array([scale]), rows[None], values[None], np.array([bound])
        return float(self.proved_along(*given)[0])

    def proved_along(
        self, scales: Array, rows: AnyFloats, values: AnyFloats, bounds: Array
    ) -> Array:
        """Return the same of each of G scales (G,): rows (G, m, d), values (G, m), bounds (G,)."""
        lifted = np.asarray(_lifted(rows, values, bounds), np.float64)
        matrices, scaled = self._matrices[:, : len(scales)]
        np.matmul(lifted.swapaxes(1, 2), lifted, out=matrices)
        np.multiply(self._noise, scales[:, None, None], out=scaled)
        matrices -= scaled
        diagonals = matrices.reshape(len(scales), -1)[:, :: len(self._spectrum) + 1]
        below = bounds[:, None] - self._spectrum
        diagonals += below
        trace, factorise = diagonals.sum(axis=1), _Cholesky(matrices)
        positive = np.array([factorise(i) for i in range(len(scales))])
        size = np.abs(scales) * np.linalg.norm(self._noise)
        return _shown(bounds, below, size, trace, lifted, positive)


def proved_in_place(
    matrices: SingleArray,
    spectrum: Array,
    noises: tuple[Array, Array],
    rows: AnyFloats,
    values: AnyFloats,
    bounds: Array,
) -> Array:
    """Return numbers (G,) as ``UpperBound``, shown in single precision.

    Parameters
    ----------
    matrices
        (G, d, d), above their diagonals Λ + σE, in the order of C. Overwritten.
    noises
        Diagonals (G, d) of σE and its Frobenius norms (G,).
    """
    diagonals, size = noises
    lifted = np.ascontiguousarray(_lifted(rows, values, bounds), np.float32)
    below = bounds[:, None] - spectrum
    matrices.reshape(len(matrices), -1)[:, :: len(spectrum) + 1] = diagonals - below
    trace = (below - diagonals).sum(axis=1) + np.square(lifted).sum(axis=(1, 2), dtype=np.float64)
    add, factorise = routine("blas", "ssyrk"), _Cholesky(matrices)
    m, d = rows.shape[1:]
    numbers = np.array([d], np.intc), np.array([m], np.intc), *np.array([[1], [-1]], np.float32)
    at_d, at_m, one, minus = pointers(*numbers)
    at, step = lifted.ctypes.data, lifted.strides[0]
    positive = np.empty(len(matrices), dtype=bool)
    for i in range(len(matrices)):
        add(_LOWER, _PLAIN, at_d, at_m, one, at + i * step, at_d, minus, factorise.at(i), at_d)
        positive[i] = factorise(i)
    return _shown(bounds, below, size, trace, lifted, positive)


def _lifted(rows: AnyFloats, values: AnyFloats, bounds: Array) -> Array:
    """Rows so long that they lift the top to the same distance from bounds, far from singular."""
    lifts = np.maximum(values + values[:, :1] - 2 * bounds[:, None], 0)
    return np.asarray(rows * np.sqrt(lifts)[..., None])


class _Cholesky:
    """Factorises the upper triangles, in the order of C, of matrices (G, d, d), one by one."""

    def __init__(self, matrices: AnyFloats) -> None:
        self._start, self._step = matrices.ctypes.data, matrices.strides[0]
        self._info, self._size = np.zeros(1, np.intc), np.array(matrices.shape[1:2], np.intc)
        self._at_size, self._at_info = pointers(self._size, self._info)
        self._routine = routine("lapack", "dpotrf" if matrices.dtype == np.float64 else "spotrf")

    def at(self, i: int) -> int:
        """Where the i-th matrix is."""
        return self._start + i * self._step

    def __call__(self, i: int) -> bool:
        """Overwrite a matrix, and tell whether it is positive definite."""
        self._routine(_LOWER, self._at_size, self.at(i), self._at_size, self._at_info)
        return not self._info[0]


def _shown(
    bounds: Array,
    below: Array,
    size_of_noise: Array,
    trace: Array,
    lifted: AnyFloats,
    positive: np.ndarray,
) -> Array:
    """Bounds, raised by what factorisations lose by rounding; ∞ where they failed."""
    m, d = lifted.shape[1:]
    lost = (d + 20) * trace + (m + 8) * np.square(lifted).sum(axis=(1, 2), dtype=np.float64)
    lost += 6 * size_of_noise + 4 * np.linalg.norm(below, axis=1)
    shown = bounds + lost * (np.finfo(lifted.dtype).eps / 2)
    return np.where(positive & (trace > 0), shown, np.inf)


class Frames(NamedTuple):
    """Rows v (G, m, d), orthonormal but for ``skew`` (G,), and their images v·A.

    In coordinates in which S is diagonal.
    """

    rows: Array
    images: Array
    skew: Array


def _orthonormal(rows: AnyFloats) -> tuple[Array, Array]:
    """One step towards orthonormal rows, and how far from it they may still be."""
    v = np.asarray(rows, dtype=np.float64)
    m, d = v.shape[1:]
    defect = v @ v.swapaxes(1, 2) - np.eye(m)
    skew = 2 * np.sqrt(m) * np.square(defect).sum(axis=(1, 2)) + 8 * d * _ROUNDING
    return v - 0.5 * (defect @ v), skew


def frames_along(rows: AnyFloats, spectrum: Array, noises: Array, scales: Array) -> Frames:
    """Return rows (T·G, m, d) and their images under Λ + σE, E (T, d, d), at each of G scales."""
    v, skew = _orthonormal(rows)
    images = (v.reshape(len(noises), -1, len(spectrum)) @ noises).reshape(v.shape)
    images *= np.tile(scales, len(noises))[:, None, None]
    images += v * spectrum
    return Frames(v, images, skew)


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
        (G,) numbers as from ``UpperBound``; where m = k, any that k eigenvalues exceed at most.
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
    size = np.linalg.norm(image, axis=-1)
    size += (skew * np.abs(theta).max(axis=1))[:, None]
    angle = _angles(theta, size, k, above)
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


def _angles(theta: Array, size: Array, k: int, above: Array) -> Array:
    """Bounds (G, k) on the length of each vector outside the true top-k subspace."""
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
    parts = size[:, :k, None] * shares[:, None, :] / np.where(near > 0, near, 1)
    parts = np.where(near > 0, parts, np.inf)
    return np.asarray(np.sqrt(np.square(angle) + np.square(parts).sum(axis=-1)))


def _leaks(rows: Array, diagonal: Array) -> Array:
    """Norms (G, k) of what diag·v has outside the span of the rows v (G, k, d)."""
    image = rows * diagonal
    image -= (image @ rows.swapaxes(1, 2)) @ rows
    return np.asarray(np.linalg.norm(image, axis=-1))
