"""The tops of symmetric matrices in single precision by LAPACK, without the interpreter's lock.

Reduction to tridiagonal form, eigenvalues and eigenvectors of that, and the transformation back:
LAPACK's drivers for a range of eigenvalues do the same. Of many matrices the tridiagonal forms are
solved all at once. Nothing here is certain: ``linalg.certificate`` bounds the error.
"""

from ctypes import c_char_p
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpca_core.linalg.cython_api import pointers, routine
from dpca_core.linalg.top_of_many_tridiagonals import top_of_tridiagonals

AnyFloats = NDArray[np.floating[Any]]

_BLOCK = 8
"""Columns reduced at a time."""
_MANY_EIGENVALUES = 200
"""From so many eigenvalues on all tridiagonal forms at once are faster than one after another."""
_EIGENVALUE_TOLERANCE = 5e-3
"""Share of the norm, over d or 100, to which eigenvalues are bisected: inverse iteration finds the
same vectors as from full precision, and the certificate needs no more."""
_routine = partial(routine, "lapack")
_UPPER, _LEFT, _PLAIN, _INDEX, _ENTIRE = (c_char_p(x) for x in (b"U", b"L", b"N", b"I", b"E"))


class Tops(NamedTuple):
    """Eigenvectors (G, count, d) as rows and eigenvalues (G, count), the largest first.

    ``next`` (G,) is about the eigenvalue after them; NaN where nothing was found, with axes for
    eigenvectors.
    """

    rows: AnyFloats
    values: AnyFloats
    next: AnyFloats


class SingleTop:
    """Finds the top eigenvectors of matrices (d, d), and one eigenvalue more.

    Memory and arguments are allocated once. Fill ``matrices`` (both triangles) and call ``find``.

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
        self._diagonal, self._beside, self._tau = np.empty((3, at_once, d), np.float32)
        work = np.empty(max(_BLOCK * d, 5 * d), np.float32)
        sizes = [np.array([v], np.intc) for v in (d, count, len(work), d - count)]
        self._values, self._tolerance = np.empty(d, np.float32), np.zeros(1, np.float32)
        self._rows = np.empty((count, d), np.float32)
        self._block, split, iwork, fail = np.empty((4, 3 * d), np.intc)
        self._found, self._splits, self._info = np.zeros((3, 1), np.intc)
        self._alive = [work, split, iwork, fail, *sizes]
        self._work, self._split, self._iwork, self._fail, *at = pointers(*self._alive)
        self._d, self._count, self._size, self._first = at
        self._at_info, self._at_tolerance = pointers(self._info, self._tolerance)

    def find(self, count: int | None = None) -> Tops:
        """Return the tops of the first matrices, or of all.

        Of each matrix the upper triangle without the diagonal stays, in the order of C; all else is
        overwritten.
        """
        self.reduce(count)
        return self.finish(count)

    def reduce(self, count: int | None = None) -> None:
        """Reduce the first matrices to tridiagonal form, which ``finish`` goes on from."""
        matrices, d = self.matrices[:count], self.d
        reduce, at, step = _routine("ssytrd"), matrices.ctypes.data, matrices.strides[0]
        diagonal, beside, tau = (a.ctypes.data for a in (self._diagonal, self._beside, self._tau))
        for i in range(len(matrices)):
            row = 4 * d * i
            reduce(
                _UPPER, self._d, at + i * step, self._d, diagonal + row, beside + row, tau + row,
                self._work, self._size, self._at_info,
            )  # fmt: skip

    def finish(self, count: int | None = None) -> Tops:
        """Return the tops of the first matrices, which were reduced."""
        many, d = len(self.matrices[:count]), self.d
        turn, at, step = _routine("sormtr"), self.matrices.ctypes.data, self.matrices.strides[0]
        found, tau = self._solved(many), self._tau.ctypes.data
        rows = found.rows.ctypes.data
        # With memory for one reflection LAPACK applies them singly: its blocks take longer.
        for i in range(many):
            turn(
                _LEFT, _UPPER, _PLAIN, self._d, self._count, at + i * step, self._d,
                tau + 4 * d * i, rows + 4 * d * self.count * i, self._d, self._work, self._count,
                self._at_info,
            )  # fmt: skip
        unknown = ~(np.isfinite(found.rows).all(axis=(1, 2)) & np.isfinite(found.next))
        found.rows[unknown], found.values[unknown] = np.eye(self.count, self.d), 0
        found.next[unknown] = np.nan
        return found

    def _solved(self, many: int) -> Tops:
        """The tops of the first tridiagonal forms."""
        if many * (self.count + 1) >= _MANY_EIGENVALUES:
            values, rows = top_of_tridiagonals(
                self._diagonal[:many], self._beside[:many, :-1], self.count + 1
            )
            rows = np.ascontiguousarray(rows[:, :-1])
            found = Tops(rows, values[:, :-1], values[:, -1])
        else:
            found = Tops(
                np.empty((many, self.count, self.d), np.float32),
                np.empty((many, self.count), np.float32),
                np.empty(many, np.float32),
            )
            for i in range(many):
                self._bisect(i, found)
        return found

    def _bisect(self, i: int, found: Tops) -> None:
        """Fill in the top of one tridiagonal form, or NaN: it splits, or LAPACK fails."""
        d, diagonal, beside = self._d, self._diagonal[i], self._beside[i]
        size = np.abs(diagonal).max() + 2 * np.abs(beside[:-1]).max()
        self._tolerance[0] = _EIGENVALUE_TOLERANCE / max(self.d, 100) * size
        at_diagonal, at_beside, values, block, many, splits = pointers(
            diagonal, beside, self._values, self._block, self._found, self._splits
        )
        _routine("sstebz")(
            _INDEX, _ENTIRE, d, None, None, self._first, d, self._at_tolerance, at_diagonal,
            at_beside, many, splits, values, block, self._split, self._work, self._iwork,
            self._at_info,
        )  # fmt: skip
        if self._info[0] or self._splits[0] != 1 or self._found[0] != self.count + 1:
            found.next[i] = np.nan
            return
        # Inverse iteration takes all eigenvalues but the lowest, which only shows the gap.
        upper, upper_block, rows = pointers(self._values[1:], self._block[1:], self._rows)
        _routine("sstein")(
            d, at_diagonal, at_beside, self._count, upper, upper_block, self._split, rows, d,
            self._work, self._iwork, self._fail, self._at_info,
        )  # fmt: skip
        found.rows[i], found.values[i] = self._rows[::-1], self._values[self.count : 0 : -1]
        found.next[i] = np.nan if self._info[0] else self._values[0] + self._tolerance[0]
