"""Noise on S once more, written naively: literal, and nothing shared with the product.

Each mechanism takes a budget and a generator and makes independent releases for one problem, S, as
a stack of bases (releases, d, k); a refused one is NaN.
"""

from functools import cache
from math import ceil, exp, log, pi, sqrt

import numpy as np
from scipy.optimize import brentq
from scipy.stats import chi2, norm

from dpca_core import Adjacency, Problem
from dpca_core.linalg.symmetric import rows_with_sum
from tests.references.comparison import compared
from tests.references.eigenvalues import eigenvalues, turned

D, K = 6, 3
ADD = Adjacency.ADD_OR_REMOVE_ONE


def rotated(spectrum, seed):
    """S with a given spectrum, eigenvectors in no special direction."""
    q = np.linalg.svd(np.random.default_rng(seed).standard_normal((len(spectrum),) * 2))[0]
    return q @ np.diag(spectrum) @ q.T


S = rotated([90.0, 70.0, 60.0, 30.0, 20.0, 10.0], 0)
PROBLEM = Problem.from_moment((S + S.T) / 2, 300, K, rows=rows_with_sum(S))


def top(matrices):
    values, vectors = np.linalg.eig(matrices)
    order = np.argsort(-values.real, axis=-1)[..., None, :K]
    return np.take_along_axis(vectors, order, axis=-1).real


def gram_schmidt(columns):
    basis = []
    for j in range(columns.shape[-1]):
        column = columns[..., j]
        for b in basis:
            column = column - (b * column).sum(axis=-1, keepdims=True) * b
        basis.append(column / np.sqrt((column * column).sum(axis=-1, keepdims=True)))
    return np.stack(basis, axis=-1)


@cache
def sigma(epsilon, delta, change):
    """Balle & Wang 2018, Theorem 8, solved for σ."""

    def excess(s):
        shift = epsilon * s / change
        half = change / (2 * s)
        return norm.cdf(half - shift) - exp(epsilon) * norm.cdf(-half - shift) - delta

    return brentq(excess, 1e-3, 1e3)


def people(adjacency, add, replace):
    return add if adjacency is ADD else replace


def triangle(draw):
    """Symmetric, each entry of the upper triangle drawn on its own."""
    rows = [[None] * D for _ in range(D)]
    for i in range(D):
        for j in range(i, D):
            rows[i][j] = rows[j][i] = draw()
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


@compared(0.3, 0.4)
def gaussian(budget, rng, releases):
    tau = sigma(budget.epsilon, budget.delta, people(budget.adjacency, 1, sqrt(2)))
    e = triangle(lambda: rng.normal(0, tau / sqrt(2), releases))
    for i in range(D):
        e[:, i, i] = rng.normal(0, tau, releases)
    return top(S + e)


@compared(0.5, 0.6)
def analyze_gauss(budget, rng, releases):
    scale = sqrt(2 * log(1.25 / budget.delta)) / budget.epsilon
    return top(S + triangle(lambda: rng.normal(0, scale, releases)))


@compared(10.0, 11.0)
def sulq(budget, rng, releases):
    beta = sqrt(8 * D**2 * log(D / budget.delta) ** 2 / budget.epsilon**2)
    e = rng.normal(0, beta, (releases, D, D))
    return top(S + (e + e.swapaxes(1, 2)) / 2)


@compared(2.5, 3.0)
def mod_sulq(budget, rng, releases):
    inside = log((D**2 + D) / (2 * budget.delta * sqrt(2 * pi)))
    beta = (D + 1) * sqrt(2 * inside) / budget.epsilon + budget.epsilon**-0.5
    return top(S + triangle(lambda: rng.normal(0, beta, releases)))


def laplace_of_scale(b, rng, releases):
    return top(
        S + triangle(lambda: b * (rng.exponential(size=releases) - rng.exponential(size=releases)))
    )


@compared(1.2, 1.4)
def laplace(budget, rng, releases):
    change = people(budget.adjacency, (D + 1) / 2, min(D / sqrt(2) + 1, sqrt(D * (D + 3) / 2)))
    return laplace_of_scale(change / budget.epsilon, rng, releases)


@compared(3.0, 3.5)
def laplace_printed(budget, rng, releases):
    return laplace_of_scale(2 * D / budget.epsilon, rng, releases)


@compared(0.5, 1.0)
def wishart_difference(budget, rng, releases):
    s = people(budget.adjacency, 1, 2) / (2 * budget.epsilon)
    e = np.zeros((releases, D, D))
    for sign in (1, -1):
        for _ in range(D + 1):
            x = rng.normal(0, sqrt(s), (releases, D))
            e += sign * x[:, :, None] * x[:, None, :]
    return top(S + e)


@compared(0.5, 1.0)
def nuclear_norm(budget, rng, releases):
    e = turned(eigenvalues(D, lambda x: -np.abs(x), 3.0, 1_200, rng, releases), rng)
    return top(S + people(budget.adjacency, 1, 2) / budget.epsilon * e)


def one_wishart(p, s, rng, releases):
    """S plus the sum of p outer products of normal vectors."""
    x = rng.normal(0, sqrt(s), (releases, D, p))
    return top(S + x @ x.swapaxes(1, 2))


@compared(0.1, 0.12)
def wishart_sn(budget, rng, releases):
    return one_wishart(D + 1, 1 / (2 * budget.epsilon), rng, releases)


@compared(0.3, 0.36)
def wishart_jiang(budget, rng, releases):
    return one_wishart(D + 1, 3 / (2 * budget.epsilon), rng, releases)


@compared(0.9, 0.95)
def wishart_sheffet(budget, rng, releases):
    p = ceil(D + 28 * log(4 / budget.delta) / budget.epsilon**2)
    return one_wishart(p, 1, rng, releases)


@cache
def degrees_of_freedom(epsilon, delta):
    """Fewest p at s = 1: (1 - exp(ε - loss))₊ averaged over the ranks of χ², in both directions."""
    ranks = (np.arange(4_000) + 0.5) / 4_000
    p = D + 2
    while True:
        q = chi2.ppf(ranks, p - D + 1)
        absent = np.full(len(q), np.inf)  # where subtracting the person leaves no Wishart matrix
        absent[q > 1] = -1 / 2 - (p - D - 1) / 2 * np.log(1 - 1 / q[q > 1])
        present = 1 / 2 - (p - D - 1) / 2 * np.log(1 + 1 / q)
        if all(np.mean(-np.expm1(np.minimum(epsilon - x, 0))) <= delta for x in (absent, present)):
            return p
        p += 1


@compared(0.12, 0.35, draws=((6_000, 12_000), (6_000, 12_000)))
def wishart(budget, rng, releases):
    """Replacing is removing and adding, each with half of ε."""
    half = budget.epsilon / 2
    p = degrees_of_freedom(
        people(budget.adjacency, budget.epsilon, half),
        people(budget.adjacency, budget.delta, budget.delta / (1 + exp(half))),
    )
    return one_wishart(p, 1, rng, releases)
