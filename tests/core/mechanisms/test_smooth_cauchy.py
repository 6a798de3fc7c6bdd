"""Cauchy noise by smooth sensitivity: the largest loss found, against √(α² + (mβ)²)."""

from math import exp, sqrt

import numpy as np
import pytest

from dpca_core import MECHANISMS, Budget, Problem
from dpca_core.privacy.sensitivity import smooth_sensitivity

Z = np.sinh(np.linspace(-14, 14, 4001))
RANDOM = np.random.default_rng(1)


def largest_change(moves, tau):
    """sup over z of the change of a coordinate's log density, for each move of its centre.

    From scale 1 to scale e^τ and the centre by ``moves``; a grid of z, then two finer ones.
    """
    z, rows = np.broadcast_to(Z, (len(moves), len(Z))), np.arange(len(moves))
    for _ in range(3):
        change = np.log1p(((z - moves[:, None]) * exp(-tau)) ** 2) - np.log1p(z * z) + tau
        place = change.argmax(axis=1)
        width = 2 * np.gradient(z, axis=1)[rows, place]
        z = z[rows, place][:, None] + np.linspace(-1, 1, 401) * width[:, None]
    return change.max(axis=1)


def worst(alpha, beta, m):
    """Largest loss over scales and splits of the move among m coordinates.

    ``alpha`` is √m·U over the noise: a neighbour's centre is at most α/√m scales away.
    """
    found = 0.0
    splits = [np.full(m, 1 / sqrt(m)), np.eye(m)[0], *np.abs(RANDOM.standard_normal((4, m)))]
    for tau in np.linspace(-beta, beta, 9):
        reach = alpha / sqrt(m) * min(1.0, exp(tau))
        moves = np.stack([split / np.linalg.norm(split) * reach for split in splits])
        each = largest_change(moves.ravel(), tau).reshape(moves.shape)
        found = max(found, each.sum(axis=1).max())
    return found


def constants(key, epsilon, m):
    """α and β of a mechanism at d = m, k = 1, from its noise and its smooth bound."""
    mechanism, budget = MECHANISMS[key], Budget(epsilon)
    problem = Problem.from_moment(np.diag([900.0, *np.linspace(10, 1, m - 1)]), 1000, 1)
    beta, _ = mechanism.constants(m, budget)
    bound = smooth_sensitivity(problem.gap, m, 1, beta, budget.adjacency).bound
    return sqrt(m) * bound / mechanism.calibrate(problem, budget).scale, beta


@pytest.mark.parametrize(("epsilon", "share"), [(0.1, 0.998), (1.0, 0.983), (5.0, 0.917)])
def test_the_largest_loss_is_just_below_epsilon(epsilon, share):
    found = [worst(*constants("smooth_cauchy", epsilon, m), m) / epsilon for m in (2, 3, 6, 10)]
    assert max(found) <= 1
    assert max(found) == pytest.approx(share, abs=1e-3)


@pytest.mark.parametrize("m", [2, 10])
def test_the_printed_constants_spend_less_than_a_quarter(m):
    problem = Problem.from_moment(np.diag(np.arange(m, 0, -1.0)), 100, 1)
    promise = MECHANISMS["smooth_cauchy_printed"].guarantee(problem, Budget(0.3))
    assert promise.epsilon == pytest.approx(0.2357 * 0.3, abs=1e-4 * 0.3)
    found = worst(*constants("smooth_cauchy_printed", 0.3, m), m)
    assert 0.98 * promise.epsilon < found <= promise.epsilon


def test_two_per_cent_less_noise_would_break_the_promise():
    for m in (2, 10):
        alpha, beta = constants("smooth_cauchy", 0.1, m)
        assert worst(1.02 * alpha, beta, m) > 0.1
