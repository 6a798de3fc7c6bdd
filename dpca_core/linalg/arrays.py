"""The type of an array of real numbers."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
