"""Sums of squares of rows by BLAS, without holding the interpreter's lock."""

from ctypes import byref, c_char_p, c_double, c_int

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.cython_api import routine

_BYTES = 8
_UPPER, _NO_TRANSPOSE, _TRANSPOSE = (c_char_p(letter) for letter in (b"U", b"N", b"T"))
_ONE = byref(c_double(1.0))


def add_square(moment: Array, rows: Array, factor: float = 1.0) -> None:
    """Add factor·rowsᵀ·rows of rows (n, d) to the upper triangle of a (d, d) in Fortran's order.

    Rows in row-major or column-major order are read in place; anything else is copied.
    """
    n, d = rows.shape
    if n == 0:
        return
    row_major, stride = True, _leading_dimension(rows, d)
    if stride is None:
        row_major, stride = False, _leading_dimension(rows.T, n)
    if stride is None:
        rows, row_major, stride = np.ascontiguousarray(rows, dtype=np.float64), True, d
    at_d, at_n, at_stride = (byref(c_int(size)) for size in (d, n, stride))
    routine("blas", "dsyrk")(
        _UPPER,
        _NO_TRANSPOSE if row_major else _TRANSPOSE,
        at_d,
        at_n,
        byref(c_double(factor)),
        rows.ctypes.data,
        at_stride,
        _ONE,
        moment.ctypes.data,
        at_d,
    )


def _leading_dimension(lines: Array, length: int) -> int | None:
    """Return the distance between lines in numbers, as BLAS takes it; None for other layouts."""
    between, within = lines.strides
    contiguous = lines.dtype == np.float64 and lines.flags.aligned and within == _BYTES
    fits = between % _BYTES == 0 and between >= length * _BYTES
    return between // _BYTES if contiguous and fits else None
