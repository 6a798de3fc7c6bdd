"""The top of a symmetric matrix by LAPACK, without holding the interpreter's lock.

Reduction to tridiagonal form, all of its eigenvalues, inverse iteration for the top k eigenvectors,
and their transformation back: for a small share of a hundred columns or more that takes about 0.7
of the time of all eigenvectors.
"""

import ctypes
from functools import partial

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.cython_api import pointers, routine

_BLOCK = 64
_NEGLIGIBLE = 1e-14
"""Off-diagonal entries this small in relation to the diagonal split the tridiagonal form."""
_routine = partial(routine, "lapack")


class TopEigenvectors:
    """Finds the eigenvectors of the k largest eigenvalues of matrices (d, d), one after another.

    Memory and arguments are allocated once. Fill ``matrix`` (both triangles) and call ``find``.
    """

    def __init__(self, d: int, k: int) -> None:
        self.d, self.k, self.matrix = d, k, np.empty((d, d))
        self._diagonal, self._off_diagonal, tau = np.empty(d), np.empty(d), np.empty(d)
        self._values, self._scratch, self._top_values = np.empty(d), np.empty(d), np.empty(k)
        self._vectors, work = np.empty((k, d)), np.empty(_BLOCK * d)
        # LAPACK's names: the tridiagonal form is one block that ends at row d.
        iblock, isplit = np.ones(d, dtype=np.intc), np.array([d], dtype=np.intc)
        iwork, ifail = np.empty(d, dtype=np.intc), np.empty(k, dtype=np.intc)
        rows, columns, lwork = (np.array([v], dtype=np.intc) for v in (d, k, len(work)))
        self._info = np.zeros(1, dtype=np.intc)
        self._alive = [tau, work, iblock, isplit, iwork, ifail, rows, columns, lwork]
        at_a, at_d, at_k, info = pointers(self.matrix, rows, columns, self._info)
        diagonal, off_diagonal = pointers(self._diagonal, self._off_diagonal)
        vectors, at_tau, at_work, at_lwork = pointers(self._vectors, tau, work, lwork)
        lower, left, no_transpose = (ctypes.c_char_p(letter) for letter in (b"L", b"L", b"N"))
        self._dsytrd = (
            lower, at_d, at_a, at_d, diagonal, off_diagonal, at_tau, at_work, at_lwork, info,
        )  # fmt: skip
        self._dsterf = (at_d, *pointers(self._values, self._scratch), info)
        self._dstein = (
            at_d, diagonal, off_diagonal, at_k, *pointers(self._top_values, iblock, isplit),
            vectors, at_d, at_work, *pointers(iwork, ifail), info,
        )  # fmt: skip
        self._dormtr = (
            left, lower, no_transpose, at_d, at_k, at_a, at_d, at_tau, vectors, at_d, at_work,
            at_lwork, info,
        )  # fmt: skip

    def find(self) -> Array:
        """Eigenvectors (d, k), largest eigenvalue first: a view that the next call overwrites.

        Raises
        ------
        numpy.linalg.LinAlgError
            Where LAPACK does not converge.
        """
        _routine("dsytrd")(*self._dsytrd)
        smallest = np.abs(self._off_diagonal[:-1]).min(initial=np.inf)
        if smallest <= _NEGLIGIBLE * max(1e-300, np.abs(self._diagonal).max()):
            raise np.linalg.LinAlgError("The tridiagonal form splits into blocks.")
        self._values[:], self._scratch[:] = self._diagonal, self._off_diagonal
        _routine("dsterf")(*self._dsterf)
        self._top_values[:] = self._values[self.d - self.k :]
        _routine("dstein")(*self._dstein)
        if self._info[0]:
            raise np.linalg.LinAlgError(f"LAPACK did not converge (code {self._info[0]}).")
        _routine("dormtr")(*self._dormtr)
        return self._vectors[::-1].T

    @property
    def values(self) -> Array:
        """All eigenvalues (d,) of the last matrix, ascending: a view, as above."""
        return self._values


def top_eigenvectors(symmetric: Array, k: int) -> Array:
    """Eigenvectors (d, k) of the k largest eigenvalues of one matrix (d, d), largest first."""
    solver = TopEigenvectors(len(symmetric), k)
    solver.matrix[:] = symmetric
    return solver.find()
