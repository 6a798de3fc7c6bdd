"""The local model written naively like the rest: every person adds noise to their own record.

S has 280 people in its eigenvectors' directions, as many as the eigenvalues say, and 20 with a
record of zeros.
"""

from math import log, sqrt

import numpy as np

from tests.references.second_moments import D, K, S, sigma, top

_values, _vectors = np.linalg.eig(S)
RECORDS = np.zeros((300, D))
RECORDS[:280] = np.repeat(_vectors.T, _values.round().astype(int), axis=0)


def summed(noises):
    """The sum of all reports, one after another."""
    total = np.zeros((D, D))
    for record, noise in zip(RECORDS, noises, strict=True):
        total += np.outer(record, record) + noise
    return total


def isotropic(tau, rng):
    """Symmetric, for 300 people: τ on the diagonal, τ/√2 off it."""
    noises = rng.normal(0, tau / sqrt(2), (300, D, D))
    for i in range(D):
        noises[:, i, i] = rng.normal(0, tau, 300)
        for j in range(i):
            noises[:, i, j] = noises[:, j, i]
    return noises


def local_gaussian(budget, rng):
    return top(summed(isotropic(sigma(budget.epsilon, budget.delta, sqrt(2)), rng)))


def local_printed(budget, rng):
    noises = rng.normal(0, sqrt(2 * log(1.25 / budget.delta)) / budget.epsilon, (300, D, D))
    for i in range(D):
        for j in range(i):
            noises[:, i, j] = noises[:, j, i]
    return top(summed(noises))


def soft(matrix, threshold):
    return np.sign(matrix) * np.maximum(np.abs(matrix) - threshold, 0)


def nearest_in_the_fantope(matrix):
    """Eigenvalues lowered by what makes the clipped ones add up to K, read off at the corners."""
    values, vectors = np.linalg.eigh(matrix)
    corners = np.sort(np.append(values, values - 1))[::-1]
    sums = np.clip(values - corners[:, None], 0, 1).sum(axis=1)
    return vectors @ np.diag(np.clip(values - np.interp(K, sums, corners), 0, 1)) @ vectors.T


def local_sparse(budget, rng):
    """Wang & Xu's Algorithm 2 to the letter, ρ fixed, for 100 rounds."""
    tau = sigma(budget.epsilon, budget.delta, sqrt(2))
    average = summed(isotropic(tau, rng)) / 300
    penalty = tau / sqrt(2) / sqrt(300) * sqrt(log(D))
    rho = np.abs(np.linalg.eigvalsh(average)).max()
    y = u = np.zeros((D, D))
    for _ in range(100):
        x = nearest_in_the_fantope(y - u + average / rho)
        y = soft(x + u, penalty / rho)
        u = u + x - y
    # Its largest eigenvalues are often all 1, where a solver for any matrix may give parallel ones.
    return np.linalg.eigh((y + y.T) / 2)[1][:, ::-1][:, :K]
