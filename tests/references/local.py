"""The local model written naively like the rest: every person adds noise to their own record.

S has 280 people in its eigenvectors' directions, as many as the eigenvalues say, and 20 with a
record of zeros.
"""

from math import log, sqrt

import numpy as np

from tests.references.comparison import compared
from tests.references.second_moments import D, K, S, isotropic, sigma, top, triangle

_values, _vectors = np.linalg.eig(S)
RECORDS = np.zeros((300, D))
RECORDS[:280] = np.repeat(_vectors.T, _values.round().astype(int), axis=0)


def summed(noise):
    """The sum of all reports: each person in turn draws noise of their own."""
    return sum(np.outer(record, record) + noise() for record in RECORDS)


@compared(7.0, 9.0)
def local_gaussian(budget, rng, releases):
    tau = sigma(budget.epsilon, budget.delta, sqrt(2))
    return top(summed(lambda: isotropic(tau, rng, releases)))


@compared(5.0, 6.0)
def local_printed(budget, rng, releases):
    scale = sqrt(2 * log(1.25 / budget.delta)) / budget.epsilon
    return top(summed(lambda: triangle(lambda: rng.normal(0, scale, releases))))


def soft(matrices, threshold):
    return np.sign(matrices) * np.maximum(np.abs(matrices) - threshold, 0)


def nearest_in_the_fantope(matrices):
    """Eigenvalues lowered by what makes the clipped ones add up to K, read off at the corners."""
    values, vectors = np.linalg.eigh(matrices)
    corners = np.sort(np.concatenate([values, values - 1], axis=1))[:, ::-1]
    sums = np.clip(values[:, None, :] - corners[:, :, None], 0, 1).sum(axis=2)
    shift = [np.interp(K, at, corner) for at, corner in zip(sums, corners, strict=True)]
    clipped = np.clip(values - np.array(shift)[:, None], 0, 1)
    return (vectors * clipped[:, None, :]) @ vectors.swapaxes(1, 2)


@compared(8.0, 10.0, draws=((2_600, 3_600), (500, 1_000)))
def local_sparse(budget, rng, releases):
    """Wang & Xu's Algorithm 2 to the letter, ρ fixed, for 100 rounds."""
    tau = sigma(budget.epsilon, budget.delta, sqrt(2))
    average = summed(lambda: isotropic(tau, rng, releases)) / 300
    penalty = tau / sqrt(2) / sqrt(300) * sqrt(log(D))
    rho = np.abs(np.linalg.eigvalsh(average)).max(axis=1)[:, None, None]
    y = u = np.zeros((releases, D, D))
    for _ in range(100):
        x = nearest_in_the_fantope(y - u + average / rho)
        y = soft(x + u, penalty / rho)
        u = u + x - y
    # Its largest eigenvalues are often all 1, where a solver for any matrix may give parallel ones.
    return np.linalg.eigh((y + y.swapaxes(1, 2)) / 2)[1][:, :, ::-1][:, :, :K]
