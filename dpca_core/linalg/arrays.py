"""Types of arrays of real numbers."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
AnyFloats = NDArray[np.floating[Any]]
"""Of single or double precision."""
