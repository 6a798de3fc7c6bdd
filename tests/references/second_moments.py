"""Mechanisms that publish a noisy S, written naively: literal, and nothing shared with the product.

Each mechanism takes a budget and a generator and makes independent releases for one problem, S, as
a stack of bases (releases, d, k); a refused one is NaN.
"""

from functools import cache
from math import ceil, exp, log, pi, sqrt

import numpy as np
from scipy.optimize import brentq
from scipy.stats import norm

from dpca_core import Adjacency, Problem
from dpca_core.linalg.symmetric import rows_with_sum
from tests.references import accounting
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


def isotropic(tau, rng, releases):
    """Symmetric, of deviation τ on the diagonal, τ/√2 off it."""
    e = triangle(lambda: rng.normal(0, tau / sqrt(2), releases))
    for i in range(D):
        e[:, i, i] *= sqrt(2)
    return e


def wishart_of(p, s, rng, releases):
    """The sum of p outer products of normal vectors."""
    e = np.zeros((releases, D, D))
    for _ in range(p):
        x = rng.normal(0, sqrt(s), (releases, D))
        e += x[:, :, None] * x[:, None, :]
    return e


def wisharts(s, rng, releases):
    return wishart_of(D + 1, s, rng, releases) - wishart_of(D + 1, s, rng, releases)


@compared(0.3, 0.4)
def gaussian(budget, rng, releases):
    tau = sigma(budget.epsilon, budget.delta, people(budget.adjacency, 1, sqrt(2)))
    return top(S + isotropic(tau, rng, releases))


@compared(0.5, 0.6)
def analyze_gauss(budget, rng, releases):
    scale = sqrt(2 * log(1.25 / budget.delta)) / budget.epsilon
    return top(S + triangle(lambda: rng.normal(0, scale, releases)))


@compared(10.0, 11.0)
def sulq(budget, rng, releases):
    beta = sqrt(8 * D**2 * log(D / budget.delta) ** 2 / budget.epsilon**2)
    return top(S + isotropic(beta, rng, releases))


@compared(2.5, 3.0)
def mod_sulq(budget, rng, releases):
    inside = log((D**2 + D) / (2 * budget.delta * sqrt(2 * pi)))
    beta = (D + 1) * sqrt(2 * inside) / budget.epsilon + budget.epsilon**-0.5
    return top(S + triangle(lambda: rng.normal(0, beta, releases)))


@compared(1.2, 1.4)
def laplace(budget, rng, releases):
    change = people(budget.adjacency, (D + 1) / 2, min(D / sqrt(2) + 1, sqrt(D * (D + 3) / 2)))
    return top(S + triangle(lambda: rng.laplace(0, change / budget.epsilon, releases)))


@compared(3.0, 3.5)
def laplace_printed(budget, rng, releases):
    return top(S + triangle(lambda: rng.laplace(0, 2 * D / budget.epsilon, releases)))


@compared(0.5, 1.0)
def wishart_difference(budget, rng, releases):
    return top(S + wisharts(people(budget.adjacency, 1, 2) / (2 * budget.epsilon), rng, releases))


@compared(0.5, 1.0)
def nuclear_norm(budget, rng, releases):
    e = turned(eigenvalues(D, lambda x: -np.abs(x), 3.0, 400, rng, releases), rng)
    return top(S + people(budget.adjacency, 1, 2) / budget.epsilon * e)


def removed_and_added(budget):
    """What is left of (ε, δ) for one person who comes or goes: replacing is both, with ε/2 each."""
    half = budget.epsilon / 2
    each = half, budget.delta / (1 + exp(half))
    return people(budget.adjacency, (budget.epsilon, budget.delta), each)


@compared(0.4, 0.8)
def matrix_t(budget, rng, releases):
    q, (epsilon, delta) = 1.2 * D + 0.0085 * D**2 + 1.2, removed_and_added(budget)
    c = brentq(lambda c: accounting.matrix_t_delta(epsilon, D, q, c) - delta, 0.5, 200, xtol=1e-2)
    f = turned(eigenvalues(D, lambda x: -q * np.log1p(x * x), 0.35, 600, rng, releases), rng)
    return top(S + c * f)


@compared(0.1, 0.12)
def wishart_sn(budget, rng, releases):
    return top(S + wishart_of(D + 1, 1 / (2 * budget.epsilon), rng, releases))


@compared(0.3, 0.36)
def wishart_jiang(budget, rng, releases):
    return top(S + wishart_of(D + 1, 3 / (2 * budget.epsilon), rng, releases))


@compared(0.9, 0.95)
def wishart_sheffet(budget, rng, releases):
    p = ceil(D + 28 * log(4 / budget.delta) / budget.epsilon**2)
    return top(S + wishart_of(p, 1, rng, releases))


@compared(0.12, 0.35, draws=((6_000, 12_000), (6_000, 12_000)))
def wishart(budget, rng, releases):
    """Fewest degrees of freedom at s = 1."""
    (epsilon, delta), p = removed_and_added(budget), D + 2
    while accounting.wishart_delta_of_few(epsilon, p - D + 1, 1) > delta:
        p += 1
    return top(S + wishart_of(p, 1, rng, releases))
