"""What the Eigengap page measures: noise per entry, and how far releases turn the directions."""

from math import asin, pi, sqrt

import numpy as np

from dpca_core.analysis.choose_k import chances
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.registry import DEFAULT
from dpca_core.privacy.budget import Budget, InfeasibleBudget
from dpca_core.privacy.sensitivity import gap_change
from dpca_core.problem import Problem
from ui.eigengap.query import EigengapQuery

FAN_RELEASES = 25
"""Releases in a fan."""
WIDE_FAN_RELEASES, WIDE_FAN_COLUMNS = 8, 130
"""Releases in a fan of data with more columns than this, which take long."""


def largest_rotation(query: EigengapQuery) -> float:
    """Largest angle by which one person turns the top subspace, in radians."""
    steps = query.gap / gap_change(query.adjacency)
    return asin(1 / steps) / 2 if steps > 1 else pi / 2


def entry_noise(mechanism: Mechanism, problem: Problem, budget: Budget) -> float:
    """Noise per entry of a direction; NaN where there is no release."""
    try:
        scale = mechanism.calibrate(problem, budget).scale
    except InfeasibleBudget:
        return float("nan")
    return scale if np.isfinite(scale) else float("nan")


def input_noise(gap: float, budget: Budget) -> float:
    """Gaussian noise on S over the gap: what it adds to an entry, to first order."""
    if budget.delta == 0:
        return float("nan")
    any_problem = Problem(np.eye(2), 2.0, 1)
    return DEFAULT.calibrate(any_problem, budget).scale / sqrt(2) / gap


def release_angles(query: EigengapQuery, mechanism: Mechanism) -> Array:
    """Largest angles (T,) between releases at this gap and the true subspace, in radians.

    Raises
    ------
    InfeasibleBudget
        Where the mechanism has no release.
    """
    problem, rng = query.problem_with_gap(), np.random.default_rng(0)
    count = FAN_RELEASES if query.data.d <= WIDE_FAN_COLUMNS else WIDE_FAN_RELEASES
    release = mechanism.release(problem, query.mechanism_budget, rng, count)
    return largest_angles(problem.basis, release.bases)


def largest_angles(truth: Array, bases: Array) -> Array:
    """Largest principal angles (T,) between a basis (d, k) and T others, in radians."""
    cosines = np.linalg.svd(truth.T @ bases, compute_uv=False)[:, -1]
    return np.asarray(np.arccos(np.clip(cosines, 0, 1)))


def choice_probabilities(query: EigengapQuery) -> Array:
    """Probabilities (k_max,) of the private choice for k from 1 to k_max."""
    epsilon = query.choice_budget.epsilon
    return chances(query.problem, epsilon, query.most_directions, query.adjacency)
