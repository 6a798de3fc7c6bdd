"""The sum of squares of rows by BLAS, where other threads go on meanwhile."""

from ctypes import byref, c_char_p, c_double, c_int

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.cython_api import routine

_CELL = 8
_UPPER, _ROWS, _COLUMNS = (c_char_p(letter) for letter in (b"U", b"N", b"T"))
_ONE = byref(c_double(1.0))


def add_square(moment: Array, rows: Array, times: float = 1.0) -> None:
    """Add times·rowsᵀ·rows of rows (n, d) to the upper triangle of a (d, d) in Fortran's order.

    Rows may lie in memory one after another, or columns may; anything else is copied.
    """
    n, d = rows.shape
    if n == 0:
        return
    by_rows, step = True, _step(rows, d)
    if step is None:
        by_rows, step = False, _step(rows.T, n)
    if step is None:
        rows, by_rows, step = np.ascontiguousarray(rows, dtype=np.float64), True, d
    at_d, at_n, at_step = (byref(c_int(size)) for size in (d, n, step))
    routine("blas", "dsyrk")(
        _UPPER, _ROWS if by_rows else _COLUMNS, at_d, at_n, byref(c_double(times)),
        rows.ctypes.data, at_step, _ONE, moment.ctypes.data, at_d,
    )  # fmt: skip


def _step(lines: Array, length: int) -> int | None:
    """How many numbers each line is after the one before; None where they do not lie so."""
    between, within = lines.strides
    plain = lines.dtype == np.float64 and lines.flags.aligned and within == _CELL
    fits = between % _CELL == 0 and between >= length * _CELL
    return between // _CELL if plain and fits else None
