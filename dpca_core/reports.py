"""What single people send in the local model: the long way round, for teaching and for tests."""

import numpy as np
from numpy.typing import ArrayLike

from dpca_core.budget import Budget
from dpca_core.linalg import Array
from dpca_core.mechanism import MatrixNoise, Mechanism
from dpca_core.mechanisms.local import LOCAL
from dpca_core.problem import Problem


def reports(
    mechanism: Mechanism, rows: ArrayLike, budget: Budget, rng: np.random.Generator
) -> Array:
    """Return each person's noisy report x·xᵀ + Z, independent: (n, d, d), symmetric.

    Their sum has the law of the matrix that ``mechanism.release`` publishes with
    ``keep="moment"``, which costs O(d²) instead of O(n·d²) (docs/local.md).

    Parameters
    ----------
    mechanism
        One that releases the top k of the sum of the reports: local_gaussian or local_printed.
    rows
        (n, d), of norm at most 1, one a person.

    Raises
    ------
    ValueError
        For another mechanism, and for rows that are no finite table in the unit ball.
    InfeasibleBudget
        At δ = 0.
    """
    if mechanism.family != LOCAL or not isinstance(mechanism, MatrixNoise):
        raise ValueError(f"{mechanism.name} has no reports; choose a local Gaussian mechanism.")
    everybody = Problem.from_rows(rows, 1)
    records = np.asarray(rows, dtype=float)
    one = everybody.scaled(1.0)
    noise = mechanism.matrices(everybody.d, rng, len(records))
    return np.asarray(
        records[:, :, None] * records[:, None, :] + mechanism.calibrate(one, budget).scale * noise
    )
