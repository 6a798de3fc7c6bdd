"""Second moments of Wang & Xu's designs at any number of people, without their rows."""

from typing import NamedTuple

import numpy as np

from dpca_core.linalg import Array
from dpca_core.local_designs import directions_of, spiked_eigenvalues


class Sample(NamedTuple):
    """S (p, p) of a sample in people, the true directions V (p, k), the columns (p,) they use."""

    moment: Array
    directions: Array
    support: np.ndarray


def sample_moment(
    n: float, p: int, k: int, columns: int, *, strength: float = 1.0, seed: int = 0
) -> Sample:
    """Draw S of n rows of N(0, Σ): a Wishart matrix, by Bartlett's decomposition, O(p³) at any n.

    Σ and V as in ``sparse_design`` with the same seed. No row is shortened: a row longer than 1
    has a squared length nine times its mean or more, which happens in no sample that is drawn here.

    Parameters
    ----------
    n
        People, at least p.

    Raises
    ------
    ValueError
        Unless n ≥ p, 1 ≤ k ≤ columns ≤ p and k < p.
    """
    if n < p:
        raise ValueError(f"Take at least as many people as columns, not {n:g} and {p}.")
    directions = directions_of(p, k, columns, np.random.default_rng(seed))
    rng = np.random.default_rng([seed, p])
    lower = np.tril(rng.standard_normal((p, p)), -1)
    lower[np.diag_indices(p)] = np.sqrt(rng.chisquare(n - np.arange(p)))
    floor, top = np.sqrt(spiked_eigenvalues(p, k, strength)[[-1, 0]])
    factor = floor * lower + (top - floor) * directions @ (directions.T @ lower)
    return Sample(factor @ factor.T, directions, np.asarray(directions.any(axis=1)))
