"""What the Claims page draws at random: releases in which an absent record gives itself away."""

from math import cos, pi, sin, sqrt

import numpy as np

from dpca_core.analysis.claims import example
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.base import Mechanism
from dpca_core.privacy.budget import Budget
from dpca_core.problem import Problem

RECORD = np.array([cos(pi / 3), sin(pi / 3)])
"""The record in question (2,)."""
OTHER_RECORDS = np.diag([30.0, 12.0])
"""S (2, 2) of all other records."""
PUBLISHED = 100
"""Releases drawn one by one."""
_MOST_ENTRIES, _MOST_RELEASES = 2_000_000, 20_000


def released_remainders(
    mechanism: Mechanism, budget: Budget, present: bool, trials: int, seed: int
) -> Array:
    """Return (trials, 2, 2) published matrices minus all other records.

    Parameters
    ----------
    present
        Whether the record in question is in the data.
    """
    moment = OTHER_RECORDS + np.outer(RECORD, RECORD) if present else OTHER_RECORDS
    problem = Problem.from_moment((moment + moment.T) / 2, 60, 1)
    rng = np.random.default_rng([seed, present])
    release = mechanism.release(problem, budget, rng, trials, keep="moment")
    return np.asarray(release.moment) - OTHER_RECORDS


def proves_absence(matrices: Array, x: Array) -> np.ndarray:
    """Tell which positive matrices (trials, d, d) do not dominate xxᵀ: there xᵀM⁻¹x > 1."""
    solved = np.linalg.solve(matrices, np.broadcast_to(x[:, None], (*matrices.shape[:2], 1)))
    return np.asarray(x @ solved[..., 0].T > 1 + 1e-9)


def count_proofs(mechanism: Mechanism, budget: Budget, d: int, seed: int) -> tuple[int, int]:
    """Count proofs of absence among many releases with d columns: (proofs, releases)."""
    trials = min(_MOST_RELEASES, _MOST_ENTRIES // d**2)
    problem = example(d, 1, 1000)
    rng = np.random.default_rng([seed, d])
    release = mechanism.release(problem, budget, rng, trials, keep="moment")
    x = np.full(d, 1 / sqrt(d))
    remainders = np.asarray(release.moment) - problem.moment
    return int(proves_absence(remainders, x).sum()), trials
