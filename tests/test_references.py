"""Every mechanism once more, written naively, must release with the same law.

Entry by entry, one release at a time, with nothing shared with the product but the problem. The
captured share of 3,000 naive releases is compared with that of 30,000 of the product's by a
Kolmogorov-Smirnov test at p < 10⁻⁶ (the false-failure probability of each); noise 1.1 times too
large or too small fails it with a chance of more than 99 %.
"""

from functools import cache
from math import exp, log, sin, sqrt

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import kstest, norm

from dpca_core import MECHANISMS, Adjacency, Budget, Problem
from dpca_core.linalg import top_basis
from dpca_core.metrics import quality

D, K = 6, 3
ADD = Adjacency.ADD_OR_REMOVE_ONE


def rotated(spectrum, seed):
    """S with a given spectrum, eigenvectors in no special direction."""
    q = np.linalg.svd(np.random.default_rng(seed).standard_normal((len(spectrum),) * 2))[0]
    return q @ np.diag(spectrum) @ q.T


S = rotated([90.0, 70.0, 60.0, 30.0, 20.0, 10.0], 0)
PROBLEM = Problem.from_moment((S + S.T) / 2, 300, K)


def top(matrix):
    values, vectors = np.linalg.eig(matrix)
    return vectors[:, np.argsort(-values.real)[:K]].real


def gram_schmidt(columns):
    basis = []
    for column in columns.T:
        for b in basis:
            column = column - (b @ column) * b
        basis.append(column / np.sqrt(column @ column))
    return np.array(basis).T


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
    e = np.empty((D, D))
    for i in range(D):
        for j in range(i, D):
            e[i, j] = e[j, i] = draw()
    return e


def gaussian(budget, rng):
    tau = sigma(budget.epsilon, budget.delta, people(budget.adjacency, 1, sqrt(2)))
    e = triangle(lambda: rng.normal(0, tau / sqrt(2)))
    for i in range(D):
        e[i, i] = rng.normal(0, tau)
    return top(S + e)


def analyze_gauss(budget, rng):
    scale = sqrt(2 * log(1.25 / budget.delta)) / budget.epsilon
    return top(S + triangle(lambda: rng.normal(0, scale)))


def laplace_of_scale(b, rng):
    return top(S + triangle(lambda: b * (rng.exponential() - rng.exponential())))


def laplace(budget, rng):
    change = people(
        budget.adjacency, (D + 1) / 2, min(D / sqrt(2) + 1, sqrt(D * (D + 3) / 2))
    )  # fmt: skip
    return laplace_of_scale(change / budget.epsilon, rng)


def laplace_printed(budget, rng):
    return laplace_of_scale(2 * D / budget.epsilon, rng)


def wishart_difference(budget, rng):
    s = people(budget.adjacency, 1, 2) / (2 * budget.epsilon)
    e = np.zeros((D, D))
    for sign in (1, -1):
        for _ in range(D + 1):
            x = rng.normal(0, sqrt(s), D)
            e += sign * np.outer(x, x)
    return top(S + e)


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


def smooth_gaussian_printed(budget, rng):
    step = people(budget.adjacency, 1, 2)
    smoothness = budget.epsilon / (4 * (D * K + log(2 / budget.delta)))
    bound = max(exp(-smoothness * j) * local(30.0 - j * step, step) for j in range(40))
    return noisy_basis(5 * bound * sqrt(2 * log(2 / budget.delta)) / budget.epsilon, rng)


def random_projection(budget, rng):
    return gram_schmidt(rng.normal(size=(D, K)))


def non_private(budget, rng):
    return top(S)


# ε for each under add/remove and replace, where the noise matters but does not overwhelm.
REFERENCES = {
    gaussian: (0.3, 0.4), analyze_gauss: (0.5, 0.6), laplace: (1.2, 1.4),
    laplace_printed: (3.0, 3.5), wishart_difference: (0.5, 1.0), gap_release: (2.8, 5.6),
    smooth_gaussian_printed: (9.0, 16.0), random_projection: (1.0, 1.0), non_private: (1.0, 1.0),
}  # fmt: skip


def test_every_mechanism_has_a_reference():
    """A new mechanism comes with a naive version of itself in this file."""
    assert {f.__name__ for f in REFERENCES} == set(MECHANISMS)


@pytest.mark.parametrize("adjacency", Adjacency)
@pytest.mark.parametrize("naive", REFERENCES, ids=lambda f: f.__name__)
def test_release_has_the_law_of_the_naive_mechanism(naive, adjacency):
    budget = Budget(people(adjacency, *REFERENCES[naive]), 0.01, adjacency)
    rng = np.random.default_rng(1)
    bases = [naive(budget, rng) for _ in range(3_000)]
    release = MECHANISMS[naive.__name__].release(PROBLEM, budget, rng, 30_000)
    refusals = np.mean([b is None for b in bases])
    assert release.refused.mean() == pytest.approx(refusals, abs=5 * 0.5 / sqrt(3_000))
    expected = [np.trace(b.T @ S @ b) / 220 for b in bases if b is not None]
    captured = quality(PROBLEM, release.bases[~release.refused]).captured
    if naive is non_private:
        np.testing.assert_allclose(captured, 1, rtol=1e-12)
        np.testing.assert_allclose(expected, 1, rtol=1e-12)
    else:
        assert kstest(expected, captured).pvalue > 1e-6


def test_eigenvectors_are_ranked_by_signed_eigenvalue():
    """A large negative eigenvalue is no direction of large variance."""
    matrix = rotated([3.0, 2.0, 1.0, -10.0], 3)
    _, vectors = np.linalg.eigh(matrix)
    for k in (1, 2, 3):
        basis = top_basis(matrix, k)
        for i in range(k):
            assert abs(basis[:, i] @ vectors[:, -1 - i]) == pytest.approx(1, abs=1e-12)
    # Through a release: noise that is mostly negative must not be chosen for its size.
    problem = Problem.from_moment(np.diag([2.0, 1.0, 0.0]), 10, 1)
    release = MECHANISMS["gaussian"].release(
        problem, Budget(0.05, 1e-3), np.random.default_rng(4), 200, keep="moment"
    )
    smallest, largest = np.linalg.eigvalsh(release.moment)[:, [0, 2]].T
    assert (-smallest > largest).any()
    rayleigh = np.einsum(
        "ti,tij,tj->t", release.bases[..., 0], release.moment, release.bases[..., 0]
    )
    np.testing.assert_allclose(rayleigh, largest, rtol=1e-10, atol=1e-9)
