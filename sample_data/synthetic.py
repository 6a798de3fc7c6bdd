"""The papers' synthetic data: rows of a centred Gaussian, shortened to the unit ball."""

from typing import Any, NamedTuple

import numpy as np

from dpca_core.data.clipping import to_ball
from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import orthonormal

CHAUDHURI_SPECTRUM = (0.5, 0.30, 0.04, 0.03, 0.02, 0.01, 0.004, 0.003, 0.001, 0.001)
DENSE_K, SPARSE_S = (5, 10, 15, 20), (15, 20, 40, 80)
"""Wang & Xu: k of Figure 3 and s of Figure 4."""
_MOST_KEPT, _SAMPLED, _BLOCK = 1_000_000, 2000, 4096
"""Values of a set whose rows are all kept, rows kept of a larger one, rows drawn at a time."""


def chaudhuri(n: int, radius: float, seed: int) -> dict[str, Any]:
    """Rows with the eigenvalues of Chaudhuri et al. 2013, Figure 5, along the axes.

    The paper divides by the largest norm of the sample, not by R, which is not private.
    """
    return _gaussian(np.array(CHAUDHURI_SPECTRUM), n, radius, seed, turned=False)


def imtiaz(n: int, d: int, k: int, share: float, radius: float, seed: int) -> dict[str, Any]:
    """A head of k eigenvalues that fall by 0.7 and hold ``share`` of the trace, and a flat tail.

    Imtiaz & Sarwate 2016 print n, d, k and that the top k hold at least 90 %, not their covariance.
    """
    head, tail = 0.7 ** np.arange(k), np.full(d - k, (1 - share) / (d - k))
    return _gaussian(np.concatenate([share * head / head.sum(), tail]), n, radius, seed)


def wangxu(n: int, p: int, k: int, strength: float, seed: int) -> dict[str, Any]:
    """Rows with the eigenvalues of ``spiked_eigenvalues``: Wang & Xu 2020, Figure 3."""
    return _gaussian(spiked_eigenvalues(p, k, strength), n, 1.0, seed)


def _gaussian(
    values: Array, n: int, radius: float, seed: int, *, turned: bool = True
) -> dict[str, Any]:
    """Draw n rows with these eigenvalues; a large set keeps S and its first rows alone."""
    d, rng = len(values), np.random.default_rng(seed)
    axes = orthonormal(np.random.default_rng(seed + 1).standard_normal((d, d))).T
    is_small = n * d <= _MOST_KEPT
    kept, summed, clipped = list[Array](), np.zeros((d, d)), 0
    for start in range(0, n, _BLOCK):
        drawn = rng.standard_normal((min(_BLOCK, n - start), d)) * np.sqrt(values)
        rows = to_ball(drawn @ axes if turned else drawn, radius)
        summed += rows.values.T @ rows.values
        clipped += rows.changed
        if is_small or start == 0:
            kept.append(rows.values)
    return {
        "rows": np.concatenate(kept) if is_small else kept[0][:_SAMPLED].copy(),
        "columns": tuple(f"x{i + 1}" for i in range(d)),
        "clipped_rows": clipped / n,
        "people": n,
        "summed": None if is_small else summed,
    }


class Design(NamedTuple):
    """Rows (n, p) in the unit ball, V (p, k), the columns (p,) it uses, the share shortened."""

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
    """Return those (p,) of Σ = (λVVᵀ + I)/(5p(λ + 1)): Wang & Xu 2020, section 6.1."""
    return np.asarray(np.where(np.arange(p) < k, strength + 1, 1) / (5 * p * (strength + 1)))


def directions_of(p: int, k: int, columns: int, rng: np.random.Generator) -> Array:
    """Draw V (p, k): a uniform frame on ``columns`` columns, which are drawn too."""
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

    Σ and V as in ``sample_rows`` with the same seed. No row is shortened: one longer than 1 has
    nine times its mean squared length or more, and is in no sample here.
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
