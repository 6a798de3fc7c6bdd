"""The top of a symmetric matrix in single precision by LAPACK, without the interpreter's lock.

Reduction to tridiagonal form, bisection for the eigenvalues asked for, inverse iteration and the
transformation back: LAPACK's drivers for a range of eigenvalues do the same. Nothing here is
certain: ``linalg.certificate`` bounds the error.
"""

from ctypes import c_char_p, c_void_p
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpca_core.linalg.cython_api import pointers, routine

SingleArray = NDArray[np.float32]

_BLOCK, _REFLECTIONS = 16, 32
"""Columns reduced at a time, and reflections applied to many vectors at a time."""
_FEW_VECTORS = 16
"""Up to so many vectors one reflection at a time is faster."""
_EIGENVALUE_TOLERANCE = 5e-3
"""Share of the norm, over d or 100, to which eigenvalues are bisected: inverse iteration finds the
same vectors as from full precision, and the certificate needs no more."""
_routine = partial(routine, "lapack")


class Top(NamedTuple):
    """Eigenvectors (count, d) as rows and eigenvalues (count,), the largest first.

    ``next`` is the eigenvalue after them to the tolerance, rounded up. Views that the next call of
    ``SingleTop.find`` overwrites.
    """

    rows: SingleArray
    values: SingleArray
    next: float


class SingleTop:
    """Finds the top eigenvectors of matrices (d, d), one after another, and one eigenvalue more.

    Memory and arguments are allocated once. Fill ``matrices`` (both triangles), all at once so that
    threads seldom ask for the interpreter, and call ``find`` for each.

    Parameters
    ----------
    d, count
        Columns, and eigenvectors wanted: fewer than d.
    at_once
        Matrices that there is memory for.
    """

    def __init__(self, d: int, count: int, at_once: int = 1) -> None:
        self.d, self.count = d, count
        self.matrices = np.empty((at_once, d, d), dtype=np.float32)
        blocks = count if count <= _FEW_VECTORS else _REFLECTIONS * (count + 4 * _REFLECTIONS)
        work_size = max(_BLOCK * d, blocks)
        self._values, self._vectors = np.empty(d, np.float32), np.empty((count, d), np.float32)
        single = {
            name: np.empty(size, np.float32)
            for name, size in (("diagonal", d), ("off", d), ("tau", d), ("work", work_size))
        }
        self._block, split, iwork = (np.empty(size, np.intc) for size in (d, d, 3 * d))
        fail, self._found, splits = np.empty(d, np.intc), np.zeros(1, np.intc), np.zeros(1, np.intc)
        sizes = [np.array([v], np.intc) for v in (d, count, work_size, d - count, d, count + 1)]
        unused, self._tolerance = np.zeros(1, np.float32), np.zeros(1, np.float32)
        self._diagonal, self._off_diagonal = single["diagonal"], single["off"]
        self._infos = [np.zeros(1, np.intc) for _ in range(4)]
        self._alive = [*single.values(), split, iwork, fail, splits, *sizes, unused]
        at_d, at_count, at_size, first, last, at_blocks = pointers(*sizes)
        diagonal, off, tau, work = pointers(*single.values())
        values, vectors, block = pointers(self._values, self._vectors, self._block)
        # Inverse iteration takes all eigenvalues but the lowest, which only shows the gap.
        upper, upper_block = pointers(self._values[1:], self._block[1:])
        nothing, at_split, at_iwork, at_fail, found, at_splits, tolerance = pointers(
            unused, split, iwork, fail, self._found, splits, self._tolerance
        )
        a = self._matrix = c_void_p()
        reduced, bisected, iterated, turned = pointers(*self._infos)
        lower, left, plain, index, entire = (
            c_char_p(letter) for letter in (b"L", b"L", b"N", b"I", b"E")
        )
        self._steps = (
            ("ssytrd", (lower, at_d, a, at_d, diagonal, off, tau, work, at_size, reduced)),
            ("sstebz", (
                index, entire, at_d, nothing, nothing, first, last, tolerance, diagonal, off,
                found, at_splits, values, block, at_split, work, at_iwork, bisected,
            )),
            ("sstein", (
                at_d, diagonal, off, at_count, upper, upper_block, at_split, vectors, at_d, work,
                at_iwork, at_fail, iterated,
            )),
            ("sormtr", (
                left, lower, plain, at_d, at_count, a, at_d, tau, vectors, at_d, work, at_blocks,
                turned,
            )),
        )  # fmt: skip
        self._splits = splits

    @property
    def matrix(self) -> SingleArray:
        """The first of ``matrices``."""
        first: SingleArray = self.matrices[0]
        return first

    def find(self, i: int = 0) -> Top | None:
        """Return the top of the i-th matrix, which is overwritten, or None.

        None where LAPACK does not converge or the tridiagonal form splits into blocks.
        """
        self._matrix.value = self.matrices.ctypes.data + i * self.matrices.strides[0]
        for name, arguments in self._steps:
            _routine(name)(*arguments)
            if name == "ssytrd":
                size = np.abs(self._diagonal).max() + 2 * np.abs(self._off_diagonal[:-1]).max()
                self._tolerance[0] = _EIGENVALUE_TOLERANCE / max(self.d, 100) * size
            elif name == "sstebz" and (self._splits[0] != 1 or self._found[0] != self.count + 1):
                return None
        if any(info[0] for info in self._infos):
            return None
        after = float(self._values[0] + self._tolerance[0])
        return Top(self._vectors[::-1], self._values[self.count : 0 : -1], after)
