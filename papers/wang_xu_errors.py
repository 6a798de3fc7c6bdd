"""Errors ‖V̂V̂ᵀ − VVᵀ‖_F of Wang & Xu 2020: their ends, and those of the method as it is printed."""

from functools import lru_cache
from math import isinf, sqrt
from typing import NamedTuple

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.registry import LOCAL_PRINTED, RANDOM_DEFAULT
from dpca_core.metrics import sin_theta
from dpca_core.privacy.budget import Adjacency, Budget
from dpca_core.problem import Problem
from dpca_core.simulation.trials import TrialDraws, noise_norms
from papers.card import Axis
from sample_data.synthetic import Sample, directions_of, sample_moment

DELTA = 1e-4
"""Of all that is run: the paper prints it for Figure 3 only."""


def budget_of(epsilon: float) -> Budget:
    """(ε, δ) between any two records of one person."""
    return Budget(epsilon, DELTA, Adjacency.REPLACE_ONE)


def projector_distance(truth: Array, bases: Array) -> Array:
    """‖V̂V̂ᵀ − VVᵀ‖_F (T,) of bases (T, d, k): √2 times sin Θ, at most √(2k)."""
    return sqrt(2) * sin_theta(truth, bases)


def largest_distance(k: int) -> float:
    """Largest distance between two subspaces, for k ≤ d/2: √(2k)."""
    return sqrt(2 * k)


def random_distance(d: int, k: int) -> float:
    """Root mean square distance of uniformly random directions: √(2k(1 − k/d))."""
    return sqrt(2 * k * (1 - k / d))


def bounded(k: int, low: float = 0.0) -> Axis:
    """Return the axis of errors of k directions, with their ceiling."""
    ceiling = largest_distance(k)
    return Axis("error ‖V̂V̂ᵀ − VVᵀ‖_F", low=low, ceiling=ceiling, ceiling_name="√(2k)")


class Recovery(NamedTuple):
    """How well a support was found: of what is named, what is right; of what is right, named."""

    precision: float
    recall: float


def recovery(estimated: np.ndarray, true: np.ndarray) -> Recovery:
    """Compare two supports (d,), both as booleans; precision is 1 where nothing is named."""
    both, named, there = ((estimated & true).sum(), estimated.sum(), true.sum())
    return Recovery(float(both / named) if named else 1.0, float(both / there) if there else 1.0)


class PrintedErrors(NamedTuple):
    """What runs at one setting give.

    Attributes
    ----------
    mean
        Of the error ‖V̂V̂ᵀ − VVᵀ‖_F, √2 times that of sin Θ; at most √(2k).
    gap, noise
        Eigengap of S, and the median spectral norm of the noise, in people.
    """

    mean: float
    gap: float
    noise: float


def dense_sample(n: float, p: int, k: int, strength: float, seed: int) -> Sample:
    """Draw the dense design; with λ = ∞ all records have length 1, in the k directions."""
    if not isinf(strength):
        return sample_moment(n, p, k, p, strength=strength, seed=seed)
    directions = directions_of(p, k, p, np.random.default_rng(seed))
    return Sample(n / k * directions @ directions.T, directions, np.ones(p, dtype=bool))


@lru_cache(maxsize=512)
def printed_errors(
    n: float, p: int, k: int, strength: float, budget: Budget, *, runs: int = 20, seed: int = 0
) -> PrintedErrors:
    """Run the printed method on the dense design of Figure 3.

    Parameters
    ----------
    strength
        λ; ∞ for the strongest data there can be: all records of length 1, in the k directions.
    """
    sample = dense_sample(n, p, k, strength, seed)
    problem = Problem.from_moment(sample.moment, n, k)
    draws = TrialDraws(LOCAL_PRINTED, seed, range(runs))
    errors = projector_distance(sample.directions, draws.release(problem, budget).bases)
    norms = noise_norms(draws, p)
    assert norms is not None
    scale = LOCAL_PRINTED.calibrate(problem, budget).scale
    return PrintedErrors(float(errors.mean()), problem.gap, scale * float(np.median(norms)))


@lru_cache(maxsize=16)
def random_errors(p: int, k: int, share: float, draws: int = 1000) -> tuple[float, float]:
    """Return between which errors this share of directions lie that are drawn at random."""
    mechanism = RANDOM_DEFAULT
    sample = dense_sample(float(p), p, k, np.inf, 0)
    problem = Problem.from_moment(sample.moment, p, k)
    release = mechanism.release(problem, Budget(1.0), np.random.default_rng(0), draws)
    errors = projector_distance(sample.directions, release.bases)
    low, high = np.quantile(errors, [(1 - share) / 2, (1 + share) / 2])
    return float(low), float(high)
