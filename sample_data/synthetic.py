"""The papers' synthetic spectra: rows of a centred Gaussian, shortened to the unit ball."""

import numpy as np

from dpca_core.data.clipping import to_ball
from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import orthonormal
from sample_data.source import Contents
from sample_data.wang_xu import spiked_eigenvalues

CHAUDHURI_SPECTRUM = (0.5, 0.30, 0.04, 0.03, 0.02, 0.01, 0.004, 0.003, 0.001, 0.001)
_MOST_KEPT, _SAMPLED, _BLOCK = 1_000_000, 2000, 4096
"""Values of a set whose rows are all kept, rows kept of a larger one, rows drawn at a time."""


def chaudhuri(n: int, radius: float, seed: int) -> Contents:
    """Rows with the eigenvalues of Chaudhuri et al. 2013, Figure 5, along the axes.

    A row is divided by ``radius`` and shortened to norm 1: the paper divides by the largest norm
    of the sample, which is not private.
    """
    return _gaussian(np.array(CHAUDHURI_SPECTRUM), n, radius, seed, turned=False)


def imtiaz(n: int, d: int, k: int, share: float, radius: float, seed: int) -> Contents:
    """A falling head of k eigenvalues that holds ``share`` of the trace, and a flat tail.

    Imtiaz & Sarwate 2016 give d = 100, n = 60,000, k = 10 and that the top k hold at least 90 %;
    their covariance is not printed. Eigenvalues fall by a factor 0.7 here.
    """
    head = 0.7 ** np.arange(k)
    tail = np.full(d - k, (1 - share) / (d - k))
    return _gaussian(np.concatenate([share * head / head.sum(), tail]), n, radius, seed)


def wangxu(n: int, p: int, k: int, strength: float, seed: int) -> Contents:
    """Rows from N(0, Σ), Σ = λVVᵀ/(5p(λ + 1)) + I/(5p(λ + 1)): Wang & Xu 2020, Figure 3."""
    return _gaussian(spiked_eigenvalues(p, k, strength), n, 1.0, seed)


def _gaussian(values: Array, n: int, radius: float, seed: int, *, turned: bool = True) -> Contents:
    """Draw n rows with these eigenvalues, along the axes or in directions turned by the seed.

    A large set keeps S and its first rows only: everybody may ask for one by a link.
    """
    d, rng = len(values), np.random.default_rng(seed)
    axes = orthonormal(np.random.default_rng(seed + 1).standard_normal((d, d))).T
    is_small = n * d <= _MOST_KEPT
    kept = list[Array]()
    summed, clipped = np.zeros((d, d)), 0
    for start in range(0, n, _BLOCK):
        drawn = rng.standard_normal((min(_BLOCK, n - start), d)) * np.sqrt(values)
        if turned:
            drawn = drawn @ axes
        rows = to_ball(drawn, radius)
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
