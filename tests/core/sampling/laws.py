"""Samples against laws, and the reference of all samplers of subspaces.

Each comparison fails by chance once in 10⁸ for a fresh seed, or more rarely; seeds are fixed, and
``pytest.mark.chance`` counts the comparisons of a test. Where a law has a scale, sample sizes are
such that costs or noise 1.1 times too large fail with a chance of more than 99 %.
"""

from math import sqrt

import numpy as np
from scipy.stats import kstest

CERTAIN = 1e-8
ERRORS = 5.73
"""So many standard errors are exceeded once in 10⁸, on either side."""
MANY = 6.5
"""The same where dozens are compared at once: exceeded once in 10¹⁰."""
SEEN = ERRORS + 2.33
"""What lies so many standard errors away is noticed 99 times in 100."""


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


def haar_rejection(costs, k, seed, proposals):
    """Diagonals of exact draws: uniform subspaces, kept with chance exp(−(tr VᵀCV − least))."""
    rng = np.random.default_rng(seed)
    g = rng.standard_normal((proposals, len(costs), k))
    turned = np.linalg.solve(g.swapaxes(1, 2) @ g, g.swapaxes(1, 2)).swapaxes(1, 2)
    found = (g * turned).sum(axis=2)
    return found[rng.random(proposals) < np.exp(np.sort(costs)[:k].sum() - found @ costs)]
