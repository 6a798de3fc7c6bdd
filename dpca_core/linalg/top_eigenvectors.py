"""The top of a symmetric matrix by LAPACK, without holding the interpreter's lock.

Reduction to tridiagonal form, all eigenvalues of that, inverse iteration for the k eigenvectors
wanted, and their way back: for a small share of a hundred columns or more that takes about 0.7 of
the time of all eigenvectors.
"""

import ctypes
from functools import partial

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.cython_api import pointers, routine

_BLOCK = 64
_NEGLIGIBLE = 1e-14
_routine = partial(routine, "lapack")


class TopEigenvectors:
    """Finds the eigenvectors of the k largest eigenvalues of matrices (d, d), one after another.

    Memory and arguments are made once. Fill ``matrix`` (both triangles) and call ``find``.
    """

    def __init__(self, d: int, k: int) -> None:
        self.d, self.k, self.matrix = d, k, np.empty((d, d))
        self._diagonal, self._beside, turns = np.empty(d), np.empty(d), np.empty(d)
        self._values, self._spare, self._wanted = np.empty(d), np.empty(d), np.empty(k)
        self._vectors, work = np.empty((k, d)), np.empty(_BLOCK * d)
        one_block, end = np.ones(d, dtype=np.intc), np.array([d], dtype=np.intc)
        whole, bad = np.empty(d, dtype=np.intc), np.empty(k, dtype=np.intc)
        size, some, length = (np.array([v], dtype=np.intc) for v in (d, k, len(work)))
        self._failed = np.zeros(1, dtype=np.intc)
        self._kept = [turns, work, one_block, end, whole, bad, size, some, length]
        a, at_d, at_k, failed = pointers(self.matrix, size, some, self._failed)
        diagonal, beside, vectors = pointers(self._diagonal, self._beside, self._vectors)
        at_turns, at_work, at_length = pointers(turns, work, length)
        lower, left, plain = (ctypes.c_char_p(letter) for letter in (b"L", b"L", b"N"))
        self._reduce = (
            lower, at_d, a, at_d, diagonal, beside, at_turns, at_work, at_length, failed,
        )  # fmt: skip
        self._solve = (at_d, *pointers(self._values, self._spare), failed)
        self._iterate = (
            at_d, diagonal, beside, at_k, *pointers(self._wanted, one_block, end), vectors, at_d,
            at_work, *pointers(whole, bad), failed,
        )  # fmt: skip
        self._return = (
            left, lower, plain, at_d, at_k, a, at_d, at_turns, vectors, at_d, at_work, at_length,
            failed,
        )  # fmt: skip

    def find(self) -> Array:
        """Eigenvectors (d, k), largest eigenvalue first: a view that the next call overwrites.

        Raises
        ------
        numpy.linalg.LinAlgError
            Where LAPACK does not converge.
        """
        _routine("dsytrd")(*self._reduce)
        beside = np.abs(self._beside[:-1])
        if beside.min(initial=np.inf) <= _NEGLIGIBLE * max(1e-300, np.abs(self._diagonal).max()):
            raise np.linalg.LinAlgError("The tridiagonal form falls into blocks.")
        self._values[:], self._spare[:] = self._diagonal, self._beside
        _routine("dsterf")(*self._solve)
        self._wanted[:] = self._values[self.d - self.k :]
        _routine("dstein")(*self._iterate)
        if self._failed[0]:
            raise np.linalg.LinAlgError(f"LAPACK did not converge (code {self._failed[0]}).")
        _routine("dormtr")(*self._return)
        return self._vectors[::-1].T

    @property
    def values(self) -> Array:
        """All eigenvalues (d,) of the matrix last solved, ascending: a view, as above."""
        return self._values


def top_eigenvectors(symmetric: Array, k: int) -> Array:
    """Eigenvectors (d, k) of the k largest eigenvalues of one matrix (d, d), largest first."""
    solver = TopEigenvectors(len(symmetric), k)
    solver.matrix[:] = symmetric
    return solver.find()
