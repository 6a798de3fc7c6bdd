"""Differences of random pairs of people, each of length 1: no range, bound or centre is needed.

Where a person is replaced by another, one row changes. Proof and where it pays: docs/pairs.md.
"""

from dataclasses import replace
from secrets import token_bytes

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpca_core.data.clipping import to_length_one
from dpca_core.linalg.arrays import Array
from dpca_core.privacy.budget import Guarantee
from dpca_core.problem import Problem, real


def matching(n: int, rng: np.random.Generator | None = None) -> NDArray[np.intp]:
    """Return who of n people is compared with whom, (2, ⌊n/2⌋), each matching as likely as another.

    Never by place: files are sorted, and one person more early in a file would change all pairs.
    Without a generator it is drawn from the system's bits, for a release, and never published.
    """
    if rng is not None:
        order = rng.permutation(n)
    else:
        keys = np.zeros(2, np.uint64)
        while len(keys) != n or len(np.unique(keys)) < n:
            keys = np.frombuffer(token_bytes(8 * n), np.uint64)
        order = np.argsort(keys)
    return order[: n // 2 * 2].reshape(2, -1)


def pair_rows(rows: Array, rng: np.random.Generator | None = None) -> Array:
    """Return the differences (⌊n/2⌋, d) of randomly paired rows (n, d), of length 1 or 0.

    A coordinate that is missing (NaN) in either row is 0, as is a row that is not finite: nobody is
    left out, and n counts everybody.
    """
    first, second = rows[matching(len(rows), rng)]
    with np.errstate(invalid="ignore"):
        half = first / 2 - second / 2
    half[np.isnan(first) | np.isnan(second)] = 0.0
    half[~np.isfinite(half).all(axis=1)] = 0.0
    return to_length_one(half)


def of_pairs(guarantee: Guarantee) -> Guarantee:
    """Return what holds of people in pairs: the same, and it is open whether all of it is spent."""
    source = f"{guarantee.source}; of pairs, docs/pairs.md"
    return replace(guarantee, source=source, exact=False)


def problem_of_pairs(rows: ArrayLike, k: int, rng: np.random.Generator | None = None) -> Problem:
    """Return the problem of k directions of differences of pairs of any rows (n, d), n ≥ 1.

    Mechanisms run on it where a person is replaced, and no local one. With ``rng`` it simulates.
    """
    table = real("Rows", rows)
    if table.ndim != 2 or len(table) == 0:
        raise ValueError(f"Rows must be a table (n, d) with n ≥ 1, not shape {table.shape}.")
    units = pair_rows(table, rng)
    return replace(Problem.from_moment(units.T @ units, len(table), k, rows=units), pairs=True)
