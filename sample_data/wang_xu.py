"""The synthetic data of Wang & Xu 2020: k equal spikes over a floor, dense or on a few columns."""

from typing import NamedTuple

import numpy as np

from dpca_core.data.clipping import to_ball
from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import orthonormal

DENSE_K, SPARSE_S = (5, 10, 15, 20), (15, 20, 40, 80)
"""k of Figure 3 (p = 40, ε = 0.5, δ = 10⁻⁴); s of Figure 4 (p = 400, n = 2000, k = 10, ε = 1)."""


class Design(NamedTuple):
    """Rows (n, p) in the unit ball, V (p, k), the columns (p,) it uses, the share shortened.

    The paper assumes that no row is.
    """

    rows: Array
    directions: Array
    support: np.ndarray
    clipped: float


class Sample(NamedTuple):
    """S (p, p) of a sample in people, the true directions V (p, k), the columns (p,) they use."""

    moment: Array
    directions: Array
    support: np.ndarray


def spiked_eigenvalues(p: int, k: int, strength: float = 1.0) -> Array:
    """Return those (p,) of Σ = λVVᵀ/(5p(λ + 1)) + I/(5p(λ + 1)): k of 1/5p, the rest λ + 1 less.

    Wang & Xu 2020, section 6.1.
    """
    return np.asarray(np.where(np.arange(p) < k, strength + 1, 1) / (5 * p * (strength + 1)))


def directions_of(p: int, k: int, columns: int, rng: np.random.Generator) -> Array:
    """Draw V (p, k): a uniform frame on ``columns`` columns, which are drawn too.

    Raises
    ------
    ValueError
        Unless 1 ≤ k ≤ columns ≤ p and k < p.
    """
    if not (1 <= k <= columns <= p and k < p):
        raise ValueError(
            f"Take 1 ≤ k ≤ columns used ≤ p and k < p, not k = {k}, {columns} columns, p = {p}."
        )
    directions = np.zeros((p, k))
    directions[rng.permutation(p)[:columns]] = orthonormal(rng.standard_normal((columns, k)))
    return directions


def sample_rows(
    n: int, p: int, k: int, columns: int, *, strength: float = 1.0, seed: int = 0
) -> Design:
    """Draw n rows of N(0, Σ), V as in ``directions_of``: Wang & Xu 2020, Figures 3 and 4."""
    rng = np.random.default_rng(seed)
    directions = directions_of(p, k, columns, rng)
    floor, top = np.sqrt(spiked_eigenvalues(p, k, strength)[[-1, 0]])
    white = rng.standard_normal((n, p))
    rows = to_ball(floor * white + (top - floor) * (white @ directions) @ directions.T)
    return Design(rows.values, directions, np.asarray(directions.any(axis=1)), rows.share)


def sample_moment(
    n: float, p: int, k: int, columns: int, *, strength: float = 1.0, seed: int = 0
) -> Sample:
    """Draw S of n ≥ p rows of N(0, Σ): a Wishart matrix, by Bartlett's decomposition, O(p³).

    Σ and V as in ``sample_rows`` with the same seed. No row is shortened: a row longer than 1
    has a squared length nine times its mean or more, which happens in no sample that is drawn here.
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
