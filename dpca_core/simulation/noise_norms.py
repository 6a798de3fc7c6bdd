"""Spectral norms of noise, measured."""

from functools import lru_cache

import numpy as np

from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import Budget, InfeasibleBudget
from dpca_core.problem import Problem
from dpca_core.simulation.draws import TrialDraws, noise_norms

NORM_TRIALS = 8


@lru_cache(maxsize=64)
def _norm(key: str, d: int) -> float:
    norms = noise_norms(TrialDraws(MECHANISMS[key], 0, range(NORM_TRIALS)), d)
    return float(np.median(norms)) if norms is not None else float("nan")


def measured_norm(key: str, d: int, budget: Budget) -> float:
    """Median spectral norm of a mechanism's noise on S, in people; NaN where there is none."""
    problem = Problem(np.eye(d), float(d), 1)
    try:
        return MECHANISMS[key].calibrate(problem, budget).scale * _norm(key, d)
    except InfeasibleBudget:
        return float("nan")
