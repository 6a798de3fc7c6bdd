"""Arrow's columns as NumPy's tables."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from dpca_core.linalg import Array


def as_float(column: Any) -> Array:
    """Numbers as 64 bits (n,), NaN where missing."""
    return np.asarray(column.cast("float64", safe=False).to_numpy(zero_copy_only=False))


def side_by_side(columns: Sequence[Array], rows: int) -> Array:
    """Put columns (n,) into a table (n, p) whose columns are contiguous in memory."""
    if not columns:
        return np.empty((rows, 0))
    return np.concatenate(columns).reshape(len(columns), rows).T
