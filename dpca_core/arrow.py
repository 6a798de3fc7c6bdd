"""Arrow's columns as NumPy's tables."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from dpca_core.linalg import Array

_ROWS = 1024


def as_float(column: Any) -> Array:
    """Numbers as 64 bits (n,), NaN where missing."""
    return np.asarray(column.cast("float64", safe=False).to_numpy(zero_copy_only=False))


def side_by_side(columns: Sequence[Array], rows: int) -> Array:
    """Put columns (n,) into a table (n, p), a few rows of all columns at a time."""
    out = np.empty((rows, len(columns)))
    for start in range(0, rows, _ROWS):
        for j, column in enumerate(columns):
            out[start : start + _ROWS, j] = column[start : start + _ROWS]
    return out
