"""The local model written naively like the rest: every person adds noise to their own record.

S has 280 people in its eigenvectors' directions, as many as the eigenvalues say, and 20 with a
record of zeros.
"""

from math import log, sqrt

import numpy as np

from tests.naive import D, S, sigma, top

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
