"""Arrow's columns as NumPy's."""

from typing import Any

import numpy as np

from dpca_core.linalg.arrays import Array


def as_float(column: Any) -> Array:
    """Numbers as 64 bits (n,), NaN where missing; Arrow's own memory where they are already so."""
    import pyarrow as pa

    if column.type != pa.float64():
        column = column.cast("float64", safe=False)
    return np.asarray(column.to_numpy(zero_copy_only=False))
