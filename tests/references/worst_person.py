"""The person who changes S the most, found by search: nothing of how far they may change it."""

import numpy as np
from scipy.optimize import minimize

from dpca_core import Adjacency


def changes(pairs, adjacency):
    """What S changes by (…, d, d) where of pairs (…, 2, d) the second becomes the first."""
    x, y = pairs[..., 0, :], pairs[..., 1, :] * (adjacency is Adjacency.REPLACE_ONE)
    return x[..., :, None] * x[..., None, :] - y[..., :, None] * y[..., None, :]


def any_person(rng, d):
    """Nobody, one row or several, of any length: positive semi-definite, of trace at most 1."""
    rows = rng.standard_normal((rng.integers(1, 4), d)) ** rng.choice([1, 3])
    return rows.T @ rows / np.square(rows).sum() * rng.choice([0.0, 0.3, 1.0])


def into_ball(x):
    return x / np.maximum(1, np.linalg.norm(x, axis=-1, keepdims=True))


def climb(score, shape, rng, rounds=50):
    """Best score over points in balls: random moves uphill from many starts, then quasi-Newton."""
    points = into_ball(rng.standard_normal(shape))
    best, step = score(points), np.ones((len(points), *(1,) * (len(shape) - 1)))
    for turn in range(rounds):
        move = step * rng.standard_normal(shape)
        if turn % 2 == 0:
            first, second = (points[rng.permutation(len(points))] for _ in range(2))
            move = 0.5 * (points[best.argmax()] - points) + 0.6 * (first - second)
        trial = into_ball(points + move)
        value = score(trial)
        better = value > best
        points[better], best[better] = trial[better], value[better]
        if turn % 2:
            step *= np.where(better, 1.6, 0.8).reshape(step.shape)
    start = points[best.argmax()]

    def loss_and_slope(flat):
        nudged = flat + 1e-6 * np.vstack([np.zeros(start.size), np.eye(start.size)])
        nudged = nudged.reshape(-1, *start.shape)
        values = score(nudged / np.linalg.norm(nudged, axis=-1, keepdims=True))
        return -values[0], (values[0] - values[1:]) / 1e-6

    return max(best.max(), -minimize(loss_and_slope, start.ravel(), jac=True, method="BFGS").fun)


def worst_pair(signs, adjacency):
    """Largest Σ_{i≤j} signs_ij·change_ij of signs (…, d, d), and the pair that attains it.

    It is a quadratic form in both records: the answer is in the eigenvalues of its matrix.
    """
    upper = np.triu(signs)
    values, vectors = np.linalg.eigh((upper + upper.swapaxes(-1, -2)) / 2)
    pair = np.stack([vectors[..., :, -1], vectors[..., :, 0] * (values[..., :1] < 0)], axis=-2)
    replaced = adjacency is Adjacency.REPLACE_ONE
    return values[..., -1] - replaced * np.minimum(values[..., 0], 0), pair
