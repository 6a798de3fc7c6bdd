"""The two directions along which scores are counted: whole numbers made of the released matrix."""

import numpy as np

SCORE_GRID = 2**20
"""Grid units of a direction's length 1."""


def score_directions(matrix: np.ndarray) -> np.ndarray:
    """Return the two top eigenvectors (d, 2) of a released matrix, times ``SCORE_GRID``; int64.

    The entry of largest size is positive in each. The matrix (d, d) is whole numbers; d ≥ 2.
    """
    _, vectors = np.linalg.eigh(np.asarray(matrix, dtype=float))
    top = vectors[:, ::-1][:, :2]
    largest = np.abs(top).argmax(axis=0)
    signs = np.where(top[largest, [0, 1]] < 0, -1.0, 1.0)
    return np.asarray(np.rint(top * signs * SCORE_GRID), dtype=np.int64)
