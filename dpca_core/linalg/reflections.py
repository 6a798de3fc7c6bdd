"""Turning eigenvectors of tridiagonal forms back, in single precision, many at a time.

LAPACK's routine for it finds the product of some reflections column by column; here it comes from
their inner products, and all is done by matrix products.
"""

from ctypes import c_char_p

import numpy as np
from numpy.typing import NDArray

from dpca_core.linalg.cython_api import pointers, routine

SingleArray = NDArray[np.float32]

_BLOCK = 32
"""Reflections that are applied at a time."""
_LEFT, _LOWER, _PLAIN, _TRANSPOSED = (c_char_p(letter) for letter in (b"L", b"L", b"N", b"T"))


class Reflections:
    """Turns rows (count, d) by the reflections to which ``ssytrd`` reduced a matrix (d, d).

    Memory and arguments are allocated once. Reflections I − τ·v·vᵀ one after the other are
    I − V·T·Vᵀ, where the inverse of T has 1/τ on its diagonal and is VᵀV above (Schreiber & Van
    Loan 1989; Puglisi 1992).
    """

    def __init__(self, d: int, count: int) -> None:
        self._d = d
        block = min(_BLOCK, d)
        self._vectors = np.zeros((block, d), np.float32)
        self._inverse = np.empty((block, block), np.float32)
        self._parts = np.empty((count, block), np.float32)
        self._below, self._identity = (
            np.tri(block, k=-1, dtype=np.float32),
            np.eye(block, dtype="f"),
        )
        numbers = [np.array([v], np.intc) for v in (d, block, count)]
        numbers += [np.array([v], np.float32) for v in (0, 1, -1)]
        self._width, self._length = np.empty((2, 1), np.intc)
        arrays = self._vectors, self._inverse, self._parts, self._width, self._length, *numbers
        self._at, self._alive = pointers(*arrays), arrays

    def turn(self, matrix: SingleArray, tau: SingleArray, rows: SingleArray) -> None:
        """Turn rows in place.

        Parameters
        ----------
        matrix, tau
            (d, d) and (d,) as ``ssytrd`` left them of an upper triangle in the order of Fortran:
            the last entry of τ means nothing.
        """
        vectors, inverse, parts, width, length, d, block, count, zero, one, minus = self._at
        add, solve, multiply = (routine("blas", name) for name in ("ssyrk", "strsm", "sgemm"))
        (at_rows,) = pointers(rows)
        tau = tau[: self._d - 1]
        # All other τ are from 1 to 2.
        none = tau == 0
        diagonal = 1 / np.where(none, 1, tau)
        size = len(self._inverse)
        for start in range(0, self._d - 1, size):
            stop = min(start + size, self._d - 1)
            w = self._width[0] = stop - start
            self._length[0] = stop
            # The i-th vector has i entries, which are in the row after it, and then a 1.
            reflected = self._vectors[:w, :stop]
            reflected[:] = matrix[start + 1 : stop + 1, :stop]
            corner = reflected[:, start:]
            corner *= self._below[:w, :w]
            corner += self._identity[:w, :w]
            if none[start:stop].any():
                reflected[none[start:stop]] = 0
            add(_LOWER, _TRANSPOSED, width, length, one, vectors, d, zero, inverse, block)
            self._inverse.reshape(-1)[: w * (size + 1) : size + 1] = diagonal[start:stop]
            multiply(
                _TRANSPOSED, _PLAIN, width, count, length, one, vectors, d, at_rows, d, zero,
                parts, block,
            )  # fmt: skip
            solve(_LEFT, _LOWER, _PLAIN, _PLAIN, width, count, one, inverse, block, parts, block)
            multiply(
                _PLAIN, _PLAIN, length, count, width, minus, vectors, d, parts, block, one,
                at_rows, d,
            )  # fmt: skip
