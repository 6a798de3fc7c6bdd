"""Samples against laws, and what the Bingham tests share: costs, naive rejection, families.

Each comparison fails by chance once in 10⁸ for a fresh seed, or more rarely; seeds are fixed, and
``pytest.mark.chance`` counts the comparisons of a test. Where a law has a scale, sample sizes are
such that costs or noise 1.1 times too large fail with a chance of more than 99 %.
"""

from functools import cache
from math import sqrt

import numpy as np
from scipy.integrate import cumulative_simpson
from scipy.special import ive
from scipy.stats import kstest

from dpca_core.sampling.matrix_bingham import (
    Complement,
    NearlyUniform,
    best_concentration,
    reversed_costs,
)
from dpca_core.sampling.matrix_bingham_sampler_choice import (
    nearly_uniform,
    split,
    truncation,
)

CERTAIN = 1e-8
ERRORS = 5.73
"""So many standard errors are exceeded once in 10⁸, on either side."""
MANY = 6.5
"""The same where dozens are compared at once: exceeded once in 10¹⁰."""
SEEN = ERRORS + 2.33
"""What lies so many standard errors away is noticed 99 times in 100."""
PUBLISHED = np.array([0.0, 0.3, 0.8, 2.0])


def assert_law(sample, law):
    """Assert that a sample follows a law: a CDF or another sample."""
    assert kstest(sample, law).pvalue > CERTAIN


def assert_mean(sample, mean):
    """Assert means, one for each column, by the standard errors of this sample."""
    error = sample.std(axis=0) / sqrt(len(sample))
    assert (np.abs(sample.mean(axis=0) - mean) <= ERRORS * error + 1e-12).all()


def assert_frames(frames, atol=1e-9):
    """Assert that the columns of each matrix of a stack are orthonormal."""
    gram = frames.swapaxes(1, 2) @ frames
    np.testing.assert_allclose(gram, np.broadcast_to(np.eye(gram.shape[1]), gram.shape), atol=atol)


def diagonals(frames):
    """Diagonals (draws, d) of the projectors VVᵀ: a sampler's coordinates; tr VᵀCV is c·them."""
    return np.square(frames).sum(axis=2)


@cache
def _haar_rejection(costs, k, seed, proposals):
    rng = np.random.default_rng(seed)
    g = rng.standard_normal((proposals, len(costs), k))
    turned = np.linalg.solve(g.swapaxes(1, 2) @ g, g.swapaxes(1, 2)).swapaxes(1, 2)
    found = (g * turned).sum(axis=2)
    kept = rng.random(proposals) < np.exp(np.sort(costs)[:k].sum() - found @ costs)
    drawn = found[kept]
    drawn.setflags(write=False)
    return drawn


def haar_rejection(costs, k, seed, proposals):
    """Diagonals of exact draws: uniform subspaces, kept with chance exp(−(tr VᵀCV − least))."""
    return _haar_rejection(tuple(costs), k, seed, proposals)


def families(costs, k):
    """Every kind of sampler of one law: each cut below and above k, and one within another."""
    d, dual = len(costs), reversed_costs(costs)
    kinds = {
        "nearly uniform": NearlyUniform(costs, k, best_concentration(costs, k)),
        "its complement": Complement(NearlyUniform(dual, d - k, best_concentration(dual, d - k))),
    }
    for cut in range(1, k):
        kinds[f"split at {cut}"] = split(costs, k, cut, nearly_uniform)
        at = truncation(dual, d - k, d - cut, nearly_uniform)
        kinds[f"complement of a truncation at {d - cut}"] = at and Complement(at)
    for cut in range(k + 1, d):
        kinds[f"truncation at {cut}"] = truncation(costs, k, cut, nearly_uniform)
        at = split(dual, d - k, d - cut, nearly_uniform)
        kinds[f"complement of a split at {d - cut}"] = at and Complement(at)
    kinds["both"] = truncation(
        costs, k, d - 1, lambda c, few: split(c, few, 1, nearly_uniform) or nearly_uniform(c, few)
    )
    return {kind: sampler for kind, sampler in kinds.items() if sampler is not None}


def height_law(costs):
    """CDF of u₁ (by its square) and E u₁² at three columns, costs (0, c₂, c₃), by quadrature."""
    z = np.linspace(0, 1, 20_001)
    rest = 1 - z**2
    mean, half = (costs[1] + costs[2]) / 2, (costs[2] - costs[1]) / 2
    density = np.exp(-(mean - half) * rest) * ive(0, half * rest)
    mass = cumulative_simpson(density, x=z, initial=0)
    second = cumulative_simpson(density * z**2, x=z, initial=0)[-1] / mass[-1]
    return (lambda square: np.interp(np.sqrt(square), z, mass / mass[-1])), second
