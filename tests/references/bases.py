"""Mechanisms that don't publish a noisy S, written naively."""

from functools import cache
from math import ceil, exp, log, sin, sqrt

import numpy as np
from scipy.optimize import brentq

from tests.references.accounting import scaled_gaussian_delta
from tests.references.comparison import compared
from tests.references.second_moments import D, K, S, people, sigma, top

FEW = ((4_000, 5_500), (4_000, 5_500))
"""Draws of what is slow."""


def gram_schmidt(columns):
    basis = []
    for j in range(columns.shape[-1]):
        column = columns[..., j]
        for b in basis:
            column = column - (b * column).sum(axis=-1, keepdims=True) * b
        basis.append(column / np.sqrt((column * column).sum(axis=-1, keepdims=True)))
    return np.stack(basis, axis=-1)


def iterated(rounds, noise, rng, releases):
    basis = gram_schmidt(rng.normal(size=(releases, D, K)))
    for _ in range(rounds):
        basis = gram_schmidt(S @ basis + noise(basis))
    return basis


@compared(0.3, 0.5, draws=FEW)
def power(budget, rng, releases):
    change = people(budget.adjacency, 1, sqrt(2))
    tau = sigma(budget.epsilon, budget.delta, sqrt(4) * change)
    return iterated(4, lambda v: rng.normal(0, tau, v.shape), rng, releases)


@compared(2.0, 3.5, draws=FEW)
def power_pure(budget, rng, releases):
    b = 4 * people(budget.adjacency, 1, sqrt(2)) * sqrt(D * K) / budget.epsilon
    return iterated(4, lambda v: rng.laplace(0, b, v.shape), rng, releases)


def largest_entry(bases):
    return np.abs(bases).max(axis=(1, 2), keepdims=True)


def rounds_by_the_gap():
    """L = ⌈σ_k/(σ_k - σ_{k+1})·ln d⌉, σ the singular values of the data."""
    singular = np.sqrt(np.sort(np.linalg.eigvals(S).real)[::-1])
    return ceil(singular[K - 1] / (singular[K - 1] - singular[K]) * log(D))


@compared(1.2, 1.4, draws=FEW)
def power_printed(budget, rng, releases):
    rounds = rounds_by_the_gap()
    chi = sqrt(4 * K * rounds * log(1 / budget.delta)) / budget.epsilon
    return iterated(rounds, lambda v: largest_entry(v) * rng.normal(0, chi, v.shape), rng, releases)


@compared(45.0, 50.0, draws=FEW)
def power_pure_printed(budget, rng, releases):
    rounds = rounds_by_the_gap()
    b = 10 * K * rounds * sqrt(D) / budget.epsilon
    return iterated(rounds, lambda v: largest_entry(v) * rng.laplace(0, b, v.shape), rng, releases)


def noisy_basis(scale, rng, releases):
    rotation = gram_schmidt(rng.normal(size=(releases, K, K)))
    return gram_schmidt(top(S) @ rotation + scale * rng.normal(size=(releases, D, K)))


def local(gap, step):
    """LS of docs/local-sensitivity.md, where it can be far from certain the diameter."""
    return 2 * sin(np.arcsin(step / gap) / 4) if gap > step else sqrt(2 * min(K, D - K))


@compared(2.8, 5.6)
def gap_release(budget, rng, releases):
    step = people(budget.adjacency, 1, 2)
    first, second = 0.1 * budget.epsilon, 0.9 * budget.epsilon
    width = step / first
    seen = 30.0 + rng.laplace(0, width, releases) - width * log(1 / (2 * (budget.delta / 2)))
    scales = np.array([local(gap, step) if gap > step else np.nan for gap in seen])
    factor = sigma(second, budget.delta / 2, 1)
    return noisy_basis(factor * scales[:, None, None], rng, releases)


def smooth(beta, step):
    return max(exp(-beta * j) * local(30.0 - j * step, step) for j in range(40))


@compared(9.0, 16.0)
def smooth_gaussian_printed(budget, rng, releases):
    step = people(budget.adjacency, 1, 2)
    bound = smooth(budget.epsilon / (4 * (D * K + log(2 / budget.delta))), step)
    factor = 5 * sqrt(2 * log(2 / budget.delta)) / budget.epsilon
    return noisy_basis(factor * bound, rng, releases)


def largest_delta(epsilon, beta, inverse):
    """Divergence of N(0, I) from N(min(1, r)/c·e₁, r²·I) at the worst r."""
    ratios = np.exp(beta * np.linspace(-1, 1, 5))
    return max(
        scaled_gaussian_delta(min(1, r) * inverse, r, epsilon, D * K, coarse=4) for r in ratios
    )


@cache
def gaussian_factor(epsilon, delta, beta):
    """Smallest c; at these budgets the change of scale alone spends no more than δ/2."""
    assert largest_delta(epsilon, beta, 0) <= delta / 2
    return brentq(lambda c: largest_delta(epsilon, beta, 1 / c) - delta, 0.02, 50)


@compared(6.0, 10.0)
def smooth_gaussian(budget, rng, releases):
    beta = min(0.25, budget.epsilon / (4 * (D * K + log(2 / budget.delta))))
    factor = gaussian_factor(budget.epsilon, budget.delta, beta)
    return noisy_basis(factor * smooth(beta, people(budget.adjacency, 1, 2)), rng, releases)


def cauchy_basis(times, budget, rng, releases):
    """Noise per entry of Cauchy's law: √m times the smooth bound U, over ε/times."""
    m, each = D * K, budget.epsilon / times
    scale = sqrt(m) * smooth(each / m, people(budget.adjacency, 1, 2)) / each
    rotation = gram_schmidt(rng.normal(size=(releases, K, K)))
    return gram_schmidt(top(S) @ rotation + scale * rng.standard_cauchy((releases, D, K)))


MANY = ((11_000, 28_000), (11_000, 28_000))
"""Draws for the tails of the Cauchy law."""


@compared(5.0, 8.0, draws=MANY)
def smooth_cauchy(budget, rng, releases):
    return cauchy_basis(sqrt(2), budget, rng, releases)


@compared(15.0, 24.0, draws=MANY)
def smooth_cauchy_printed(budget, rng, releases):
    return cauchy_basis(6, budget, rng, releases)


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


@compared(0.1, 0.2)
def ppca(budget, rng, releases):
    """Uniform subspaces, each kept with chance exp(tr VᵀBV) over the largest possible.

    Once a score that is high enough is drawn, subspaces that can't reach it are dropped early.
    """
    largest = np.sort(np.linalg.eigvals(S).real)[::-1]
    found = np.empty((0, D, K))
    while len(found) < releases:
        enough = largest[:K].sum() + np.log(rng.random(100_000)) / temperature(budget)
        basis = np.empty((0, D, 100_000))
        for left in reversed(range(K)):
            basis = np.array([*basis, uniform_next(basis, len(enough), rng)])
            able = sum(map(scores, basis)) + largest[:left].sum() >= enough
            basis, enough = basis[:, :, able], enough[able]
        found = np.concatenate([found, basis.transpose(2, 1, 0)])
    return found[:releases]


# A Gibbs draw is slow. The relation changes the temperature only, by a factor of 2, and ε is twice
# as large here: the law is the same. 400 of them still notice an ε that is a quarter off.
@compared(0.15, 0.3, draws=((4_000, 400), (6_000, 1_900)))
def ppca_gibbs(budget, rng, releases):
    """Long enough, it would be exact."""
    return ppca(budget, rng, releases)


def one_by_one(weight, rng, releases):
    """Uniform directions in what is left, each kept with chance exp(weight·xᵀSx) over a bound."""
    basis = np.empty((0, D, releases))
    for _ in range(K):
        left = np.eye(D) - np.einsum("jar,jbr->rab", basis, basis)
        most = np.linalg.eigvals(left @ S @ left).real.max(axis=-1)
        chosen, missing = np.empty((D, releases)), np.arange(releases)
        while len(missing):
            x = uniform_next(basis[:, :, missing], len(missing), rng)
            chance = np.exp(weight * (scores(x) - most[missing]))
            kept = rng.random(len(missing)) < chance
            chosen[:, missing[kept]], missing = x[:, kept], missing[~kept]
        basis = np.array([*basis, chosen])
    return basis.transpose(2, 1, 0)


@compared(0.5, 1.0, draws=((12_000, 2_000), (12_000, 2_000)))
def ppca_sequential(budget, rng, releases):
    return one_by_one(temperature(budget) / K, rng, releases)


@compared(4.0, 4.0, draws=((12_000, 2_000), (12_000, 2_000)))
def eigenvector_sampling(budget, rng, releases):
    """Half of ε is for the eigenvalues; the paper divides by 4 whoever is added or replaced."""
    return one_by_one(budget.epsilon / 2 / K / 4, rng, releases)


@compared(1.0, 1.0)
def random_projection(budget, rng, releases):
    return gram_schmidt(rng.normal(size=(releases, D, K)))


@compared(1.0, 1.0)
def non_private(budget, rng, releases):
    return np.stack([top(S)] * releases)
