"""Mechanisms that don't publish a noisy S, written naively like those in naive.py."""

from functools import cache
from math import ceil, exp, log, sin, sqrt

import numpy as np
from scipy.optimize import brentq
from scipy.stats import chi2, norm

from tests.references.second_moments import D, K, S, gram_schmidt, people, sigma, top


def iterated(rounds, noise, rng):
    basis = gram_schmidt(rng.normal(size=(D, K)))
    for _ in range(rounds):
        basis = gram_schmidt(S @ basis + noise(basis))
    return basis


def power(budget, rng):
    change = people(budget.adjacency, 1, sqrt(2))
    tau = sigma(budget.epsilon, budget.delta, sqrt(4) * change)
    return iterated(4, lambda _: rng.normal(0, tau, (D, K)), rng)


def power_pure(budget, rng):
    b = 4 * people(budget.adjacency, 1, sqrt(2)) * sqrt(D * K) / budget.epsilon
    return iterated(4, lambda _: b * signed_exponentials(rng), rng)


def signed_exponentials(rng):
    return rng.exponential(size=(D, K)) * rng.choice([-1, 1], (D, K))


def rounds_by_the_gap():
    """L = ⌈σ_k/(σ_k - σ_{k+1})·ln d⌉, σ the singular values of the data."""
    singular = np.sqrt(np.sort(np.linalg.eigvals(S).real)[::-1])
    return ceil(singular[K - 1] / (singular[K - 1] - singular[K]) * log(D))


def power_printed(budget, rng):
    rounds = rounds_by_the_gap()
    chi = sqrt(4 * K * rounds * log(1 / budget.delta)) / budget.epsilon
    return iterated(rounds, lambda v: rng.normal(0, np.abs(v).max() * chi, (D, K)), rng)


def power_pure_printed(budget, rng):
    rounds = rounds_by_the_gap()
    chi = 10 * K * rounds * sqrt(D) / budget.epsilon
    return iterated(rounds, lambda v: np.abs(v).max() * chi * signed_exponentials(rng), rng)


def noisy_basis(scale, rng):
    rotation = gram_schmidt(rng.normal(size=(K, K)))
    return gram_schmidt(top(S) @ rotation + scale * rng.normal(size=(D, K)))


def local(gap, step):
    """LS of docs/local-sensitivity.md, where it can be far from certain the diameter."""
    return 2 * sin(np.arcsin(step / gap) / 4) if gap > step else sqrt(2 * min(K, D - K))


def gap_release(budget, rng):
    step = people(budget.adjacency, 1, 2)
    first, second = 0.1 * budget.epsilon, 0.9 * budget.epsilon
    width = step / first
    seen = 30.0 + rng.laplace(0, width) - width * log(1 / (2 * (budget.delta / 2)))
    if seen <= step:
        return None
    return noisy_basis(sigma(second, budget.delta / 2, 1) * local(seen, step), rng)


def smooth(beta, step):
    return max(exp(-beta * j) * local(30.0 - j * step, step) for j in range(40))


def smooth_gaussian_printed(budget, rng):
    step = people(budget.adjacency, 1, 2)
    bound = smooth(budget.epsilon / (4 * (D * K + log(2 / budget.delta))), step)
    return noisy_basis(5 * bound * sqrt(2 * log(2 / budget.delta)) / budget.epsilon, rng)


def largest_delta(epsilon, beta, inverse):
    """Hockey-stick divergence of N(0, I) from N(min(1, r)/c·e₁, r²·I) at the worst r, by a grid.

    Cells equally likely under the first: a normal coordinate, and the χ² of the others.
    """
    ranks = (np.arange(400) + 0.5) / 400
    x, rest = norm.ppf(ranks)[:, None], chi2.ppf(ranks, D * K - 1)
    worst = 0
    for r in np.exp(beta * np.linspace(-1, 1, 9)):
        other = -D * K * log(r) - ((x - min(1, r) * inverse) ** 2 + rest) / (2 * r**2)
        ratio = np.exp(np.minimum(epsilon + other + (x**2 + rest) / 2, 0))
        worst = max(worst, np.mean(1 - ratio))
    return worst


@cache
def gaussian_factor(epsilon, delta, beta):
    """Smallest c; at these budgets the change of scale alone spends no more than δ/2."""
    assert largest_delta(epsilon, beta, 0) <= delta / 2
    return brentq(lambda c: largest_delta(epsilon, beta, 1 / c) - delta, 0.02, 50)


def smooth_gaussian(budget, rng):
    beta = min(0.25, budget.epsilon / (4 * (D * K + log(2 / budget.delta))))
    factor = gaussian_factor(budget.epsilon, budget.delta, beta)
    return noisy_basis(factor * smooth(beta, people(budget.adjacency, 1, 2)), rng)


def cauchy_basis(beta, factor, budget, rng):
    """Noise per entry: a factor times √m·U times the ratio of two normals."""
    scale = factor * sqrt(D * K) * smooth(beta, people(budget.adjacency, 1, 2))
    ratio = rng.normal(size=(D, K)) / rng.normal(size=(D, K))
    return gram_schmidt(top(S) @ gram_schmidt(rng.normal(size=(K, K))) + scale * ratio)


def smooth_cauchy(budget, rng):
    root = sqrt(2)
    return cauchy_basis(budget.epsilon / (root * D * K), root / budget.epsilon, budget, rng)


def smooth_cauchy_printed(budget, rng):
    return cauchy_basis(budget.epsilon / (6 * D * K), 6 / budget.epsilon, budget, rng)


def temperature(budget):
    return people(budget.adjacency, budget.epsilon, budget.epsilon / 2)


def scores(x):
    """xᵀSx of columns."""
    return (x * (S @ x)).sum(axis=0)


def uniform_next(basis, count, rng):
    """Unit columns, uniform in the complement of the columns of other arrays."""
    x = rng.normal(size=(D, count))
    for b in basis:
        x = x - (b * x).sum(axis=0) * b
    return x / np.sqrt((x * x).sum(axis=0))


def ppca(budget, rng):
    """A uniform subspace, kept with chance exp(tr VᵀBV) over the largest possible.

    Once a score that is high enough is drawn, subspaces that can't reach it are dropped early.
    """
    largest = np.sort(np.linalg.eigvals(S).real)[::-1]
    while True:
        enough = largest[:K].sum() + np.log(rng.random(1_000)) / temperature(budget)
        basis = np.empty((0, D, 1_000))
        for left in reversed(range(K)):
            basis = np.array([*basis, uniform_next(basis, len(enough), rng)])
            able = sum(map(scores, basis)) + largest[:left].sum() >= enough
            basis, enough = basis[:, :, able], enough[able]
        if len(enough):
            return basis[:, :, 0].T


def ppca_gibbs(budget, rng):
    """Long enough, it would be exact."""
    return ppca(budget, rng)


def ppca_sequential(budget, rng):
    """A uniform direction in what is left, kept with chance exp(xᵀBx/k) over a bound."""
    basis = []
    while len(basis) < K:
        left = np.eye(D) - sum((b @ b.T for b in basis), np.zeros((D, D)))
        most = np.linalg.eigvals(left @ S @ left).real.max()
        x = uniform_next(basis, 50, rng)
        kept = np.flatnonzero(rng.random(50) < np.exp(temperature(budget) / K * (scores(x) - most)))
        if len(kept):
            basis.append(x[:, kept[:1]])
    return np.hstack(basis)


def random_projection(budget, rng):
    return gram_schmidt(rng.normal(size=(D, K)))


def non_private(budget, rng):
    return top(S)
