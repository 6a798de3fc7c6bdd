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

_LOWER, _PLAIN, _TRANSPOSED = (c_char_p(letter) for letter in (b"L", b"N", b"T"))
_WIDE, _ROUNDINGS, _STRETCHES = 200, 20, 2
"""From so many columns on what single precision loses is bounded by the factor: roundings of its
i-th row beyond i, and steps of that bound."""
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
        Diagonals (G, d) of σE and its Frobenius norms (G,), or what bounds rounding like them.
    """
    diagonals, size = noises
    lifted = np.ascontiguousarray(_lifted(rows, values, bounds), matrices.dtype)
    below = bounds[:, None] - spectrum
    matrices.reshape(len(matrices), -1)[:, :: len(spectrum) + 1] = diagonals - below
    add = routine("blas", "dsyrk" if matrices.dtype == np.float64 else "ssyrk")
    factorise = _Cholesky(matrices)
    m, d = rows.shape[1:]
    numbers = np.array([d], np.intc), np.array([m], np.intc), *np.array([[1], [-1]], matrices.dtype)
    at_d, at_m, one, minus = pointers(*numbers)
    at, step = lifted.ctypes.data, lifted.strides[0]
    lost = np.full(len(matrices), np.inf)
    entries = below - diagonals + np.einsum("gij,gij->gj", lifted, lifted)
    for i in range(len(matrices)):
        add(_LOWER, _PLAIN, at_d, at_m, one, at + i * step, at_d, minus, factorise.at(i), at_d)
        if factorise(i):
            lost[i] = factorise.lost(i, entries[i])
    lost += (m + 8) * np.square(lifted).sum(axis=(1, 2), dtype=np.float64)
    lost += 6 * size + 4 * np.linalg.norm(below, axis=1)
    shown = bounds + lost * (np.finfo(matrices.dtype).eps / 2)
    # Of what overflowed a factorisation may succeed; its pivots tell.
    pivots = matrices.reshape(len(matrices), -1)[:, :: len(spectrum) + 1]
    sound = np.isfinite(shown) & np.isfinite(pivots).all(axis=1) & (entries > 0).all(axis=1)
    return np.where(sound, shown, np.inf)


def _lifted(rows: AnyFloats, values: AnyFloats, bounds: Array) -> Array:
    """Rows so long that they lift the top to the same distance from bounds, far from singular."""
    lifts = np.maximum(values + values[:, :1] - 2 * bounds[:, None], 0)
    return np.asarray(rows * np.sqrt(lifts)[..., None])


class _Cholesky:
    """Factorises the upper triangles, in the order of C, of matrices (G, d, d), one by one."""

    def __init__(self, matrices: AnyFloats) -> None:
        self._matrices, d = matrices, matrices.shape[1]
        self._start, self._step = matrices.ctypes.data, matrices.strides[0]
        self._weights = np.sqrt(np.arange(1, d + 1) + _ROUNDINGS)
        self._vector = np.empty(d, matrices.dtype)
        self._numbers = np.zeros(1, np.intc), np.array([d], np.intc), np.ones(1, np.intc)
        self._at_info, self._at_size, self._at_one = pointers(*self._numbers)
        self._at_vector = self._vector.ctypes.data
        double = matrices.dtype == np.float64
        self._routine = routine("lapack", "dpotrf" if double else "spotrf")
        self._multiply = routine("blas", "dtrmv" if double else "strmv")
        self._exact = double or d < _WIDE

    def at(self, i: int) -> int:
        """Where the i-th matrix is."""
        return self._start + i * self._step

    def __call__(self, i: int) -> bool:
        """Overwrite a matrix, and tell whether it is positive definite."""
        self._routine(_LOWER, self._at_size, self.at(i), self._at_size, self._at_info)
        return not self._numbers[0][0]

    def lost(self, i: int, diagonal: Array) -> float:
        """Bound the norm of what the factorisation lost by rounding, in units of u.

        ``diagonal`` (d,) is that of what was factorised. Overwrites the factor.
        """
        trace = float(np.square(self._weights) @ diagonal)
        return trace if self._exact else min(trace, self._norm(i))

    def _norm(self, i: int) -> float:
        """Bound ‖N½ |R|ᵀ|R| N½‖ by how much it stretches the entries of a positive vector."""
        np.abs(self._matrices[i], out=self._matrices[i])
        x = np.ones_like(self._weights)
        for _ in range(_STRETCHES):
            before = x
            self._vector[:] = self._weights * x
            for letter in (_TRANSPOSED, _PLAIN):
                self._multiply(
                    _LOWER, letter, _PLAIN, self._at_size, self.at(i), self._at_size,
                    self._at_vector, self._at_one,
                )  # fmt: skip
            x = self._weights * self._vector
            stretch = float((x / before).max())
            x /= x.max()
        return stretch * (1 + 8 * len(x) * float(np.finfo(self._vector.dtype).eps))


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
