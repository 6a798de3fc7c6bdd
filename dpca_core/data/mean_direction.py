"""How much of a direction is only the average person: rows that are not centred have a mean."""

from math import degrees

import numpy as np

from dpca_core.data.dataset import Dataset
from dpca_core.linalg.arrays import Array
from dpca_core.metrics import principal_angles

MOSTLY = 0.5
"""From this share on a direction is mostly the average, not a difference between people."""


def offset_shares(dataset: Dataset, k: int) -> Array | None:
    """Return the share of each eigenvalue λ_1 … λ_k of S that the mean of the rows alone makes.

    n·⟨v_j, x̄⟩²/λ_j; NaN for a direction that all rows are orthogonal to. It reads the data, or a
    sample of rows: for pages, never for a release. None without a row, and where ε pays for a mean.
    """
    if dataset.draws or len(dataset.rows) == 0:
        return None
    along = dataset.rows @ dataset.problem(k).basis
    squares = np.square(along).sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.square(along.sum(axis=0)) / (len(along) * squares)
    return np.where(squares > len(along) * np.finfo(float).eps ** 2, share, np.nan)


def centring_turn(dataset: Dataset, k: int) -> float | None:
    """Return by how many degrees centring would turn the first k directions at most; as above."""
    if dataset.draws or len(dataset.rows) == 0:
        return None
    centred = dataset.centred_directions[:, :k]
    return degrees(float(principal_angles(dataset.problem(k).basis, centred)[-1]))
