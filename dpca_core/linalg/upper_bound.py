"""What all eigenvalues of a noisy matrix but the top ones are below, proved.

Proofs are in ``docs/sweep-precision.md``.
"""

from ctypes import c_char_p
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.cython_api import pointers, routine

AnyFloats = NDArray[np.floating[Any]]

_LOWER, _PLAIN = c_char_p(b"L"), c_char_p(b"N")
_SQUARINGS, _ROUNDED_UP = 3, 1 + 1e-6


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
        self._matrices = np.empty((at_once, d, d))

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
        matrices = self._matrices[: len(scales)]
        np.multiply(self._noise, scales[:, None, None], out=matrices)
        diagonals = scales[:, None] * np.diagonal(self._noise)
        noises = diagonals, np.abs(scales) * np.linalg.norm(self._noise)
        return proved_in_place(matrices, self._spectrum, noises, rows, values, bounds)


def proved_in_place(
    matrices: AnyFloats,
    spectrum: Array,
    noises: tuple[Array, Array],
    rows: AnyFloats,
    values: AnyFloats,
    bounds: Array,
) -> Array:
    """Return numbers (G,) as ``UpperBound``, shown in the precision of matrices.

    Parameters
    ----------
    matrices
        (G, d, d), above their diagonals Λ + σE, in the order of C. Overwritten.
    noises
        Diagonals (G, d) of σE and its Frobenius norms (G,).
    """
    diagonals, size = noises
    lifted = np.ascontiguousarray(_lifted(rows, values, bounds), matrices.dtype)
    below = bounds[:, None] - spectrum
    matrices.reshape(len(matrices), -1)[:, :: len(spectrum) + 1] = diagonals - below
    trace = (below - diagonals).sum(axis=1) + np.square(lifted).sum(axis=(1, 2), dtype=np.float64)
    add = routine("blas", "dsyrk" if matrices.dtype == np.float64 else "ssyrk")
    factorise = _Cholesky(matrices)
    m, d = rows.shape[1:]
    numbers = np.array([d], np.intc), np.array([m], np.intc), *np.array([[1], [-1]], matrices.dtype)
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


def norm_bound(symmetric: Array) -> Array:
    """Numbers (T,) that no eigenvalue of a stack (T, d, d) exceeds: (Σλ¹⁶)^(1/16), rounded up.

    About 5 % above the largest of a Gaussian matrix of 100 columns, for a third of its cost.
    """
    size = np.linalg.norm(symmetric, axis=(1, 2))
    power = symmetric / np.where(size > 0, size, 1)[:, None, None]
    for _ in range(_SQUARINGS):
        power = power @ power
    root = np.linalg.norm(power, axis=(1, 2)) ** (1 / 2**_SQUARINGS)
    return np.asarray(size * root * _ROUNDED_UP)
