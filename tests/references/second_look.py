"""Two looks once more, written naively: whole bases, A as a matrix, every entry by itself.

The rows are multiples of the eigenvectors of S, shortened unevenly in rescaled axes.
"""

from math import sqrt

import numpy as np

from dpca_core.linalg.symmetric import rows_with_sum
from tests.references.comparison import compared
from tests.references.second_moments import D, K, S, isotropic, people, sigma, top, wisharts

SHARE, TAIL = 0.3, 0.65


def looked_twice(variances, edge, noises):
    """Return what both looks say, for each pair of noise matrices (2, D, D) at their scales."""
    found = []
    rows = rows_with_sum(S)
    for first_noise, second_noise in noises:
        first = S + first_noise
        values, vectors = np.linalg.eigh(first)
        values, vectors = values[::-1], vectors[:, ::-1]
        seen = [i for i in range(K) if values[i] > edge]
        m = len(seen)
        factors = np.ones(D)
        if m:
            n_hat = max(1.0, np.trace(first))
            p = [(values[i] + sqrt(values[i] ** 2 - edge**2)) / 2 / n_hat for i in seen]
            rho = max(0.02, 1 - sum(p))
            own = [sqrt((1 - TAIL) / (m * max(q, 0.1 * rho / (D - m)))) for q in p]
            rest = sqrt(TAIL / rho)
            if rest * max(own) >= 1.2:
                factors = np.array(own + [rest] * (D - m))
        a = vectors @ np.diag(factors) @ vectors.T
        z = rows @ a
        z = z / np.sqrt(np.maximum(1.0, (z * z).sum(axis=1)))[:, None]
        inverse = np.linalg.inv(a)
        second = inverse @ (np.einsum("ni,nj->ij", z, z) + second_noise) @ inverse
        in_basis = vectors.T @ (second - first) @ vectors
        for i in range(D):
            for j in range(D):
                v2 = variances[1] / (factors[i] ** 2 * factors[j] ** 2)
                in_basis[i, j] *= variances[0] / (variances[0] + v2)
        found.append(first + vectors @ in_basis @ vectors.T)
    return top(np.stack(found))


@compared(0.5, 0.7)
def second_look(budget, rng, releases):
    tau = sigma(budget.epsilon, budget.delta, people(budget.adjacency, 1, sqrt(2)))
    t1, t2 = tau / sqrt(SHARE), tau / sqrt(1 - SHARE)
    noises = zip(isotropic(t1, rng, releases), isotropic(t2, rng, releases), strict=True)
    return looked_twice((t1**2 / 2, t2**2 / 2), t1 * sqrt(2 * D), noises)


@compared(1.5, 3.0)
def second_look_pure(budget, rng, releases):
    change = people(budget.adjacency, 1, 2)
    s1, s2 = (change / (2 * part * budget.epsilon) for part in (SHARE, 1 - SHARE))
    noises = zip(wisharts(s1, rng, releases), wisharts(s2, rng, releases), strict=True)
    return looked_twice([2 * (D + 1) * s**2 for s in (s1, s2)], 3.33 * D * s1, noises)
