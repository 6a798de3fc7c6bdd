"""Two looks once more, written naively: whole bases, A as a matrix, every entry by itself.

The rows are multiples of the eigenvectors of S, shortened unevenly in rescaled axes.
"""

from math import sqrt

import numpy as np

from dpca_core.linalg.symmetric import rows_with_sum
from tests.references.comparison import compared
from tests.references.second_moments import D, K, S, people, sigma, top

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
        total = sum_of_products(z / np.sqrt(np.maximum(1.0, (z * z).sum(axis=1)))[:, None])
        inverse = np.linalg.inv(a)
        second = inverse @ (total + second_noise) @ inverse
        in_basis = vectors.T @ (second - first) @ vectors
        for i in range(D):
            for j in range(D):
                v2 = variances[1] / (factors[i] ** 2 * factors[j] ** 2)
                in_basis[i, j] *= variances[0] / (variances[0] + v2)
        found.append(first + vectors @ in_basis @ vectors.T)
    return top(np.stack(found))


def sum_of_products(rows):
    """Σ zzᵀ."""
    return np.einsum("ni,nj->ij", rows, rows)


def symmetric(rng, size):
    n = rng.normal(size=(size, D, D))
    return (n + n.swapaxes(1, 2)) / 2


@compared(0.5, 0.7)
def second_look(budget, rng, releases):
    change = people(budget.adjacency, 1, sqrt(2))
    tau = sigma(budget.epsilon, budget.delta, 1) * change
    t1, t2 = tau / sqrt(SHARE), tau / sqrt(1 - SHARE)
    noises = zip(t1 * symmetric(rng, releases), t2 * symmetric(rng, releases), strict=True)
    return looked_twice((t1**2 / 2, t2**2 / 2), t1 * sqrt(2 * D), noises)


def wisharts(s, rng, size):
    x, y = rng.normal(0, sqrt(s), (2, size, D, D + 1))
    return x @ x.swapaxes(1, 2) - y @ y.swapaxes(1, 2)


@compared(1.5, 3.0)
def second_look_pure(budget, rng, releases):
    change = people(budget.adjacency, 1, 2)
    s1, s2 = (change / (2 * part * budget.epsilon) for part in (SHARE, 1 - SHARE))
    noises = zip(wisharts(s1, rng, releases), wisharts(s2, rng, releases), strict=True)
    variances = tuple(2 * (D + 1) * s**2 for s in (s1, s2))
    return looked_twice(variances, 3.33 * D * s1, noises)
