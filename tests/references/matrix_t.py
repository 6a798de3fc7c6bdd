"""Matrix-t noise once more, written naively: eigenvalues by a random walk, δ by summing a grid."""

from functools import cache
from math import exp

import numpy as np
from scipy.optimize import brentq
from scipy.stats import beta

from tests.references.comparison import compared
from tests.references.second_moments import ADD, D, S, top

Q = 1.2 * D + 0.0085 * D**2 + 1.2
STEPS, BURN_IN = 0.35, 600


GRID = np.linspace(-4, 4, 4_001)
"""Of y: what is beyond has a chance of 10⁻¹⁰."""
RANKS = beta(2 * Q - 1 - (D - 1) / 2, (D - 1) / 2).ppf((np.arange(200) + 0.5) / 200)
"""Of B: equally likely values."""


def density(y):
    """Of y, up to a factor."""
    return (1 + y * y) ** -Q


def delta_of(c, epsilon):
    """Average over the ranks of B of the sum over a fine grid of y."""
    here = density(GRID)
    total = 0.0
    for b in RANKS:
        total += np.maximum(here - exp(epsilon) * density(GRID + b / c), 0).sum()
    return total / len(RANKS) / here.sum()


@cache
def scale(epsilon, delta):
    return brentq(lambda c: delta_of(c, epsilon) - delta, 0.5, 200, xtol=1e-4)


def eigenvalues(rng, releases):
    """Metropolis on the density ∏|λ_i − λ_j|·∏(1 + λ_i²)^(−q): one coordinate after the other."""

    def log_density(x):
        apart = np.abs(x[:, :, None] - x[:, None, :]) + np.eye(D)
        return np.log(apart).sum(axis=(1, 2)) / 2 - Q * np.log1p(x * x).sum(axis=1)

    now = rng.normal(0, 0.4, (releases, D))
    here = log_density(now)
    for step in range(BURN_IN):
        proposed = now.copy()
        proposed[:, step % D] += rng.normal(0, STEPS, releases)
        there = log_density(proposed)
        taken = np.log(rng.random(releases)) < there - here
        now[taken], here[taken] = proposed[taken], there[taken]
    return now


@compared(0.4, 0.8)
def matrix_t(budget, rng, releases):
    """Replacing is removing and adding, each with half of ε."""
    if budget.adjacency is ADD:
        c = scale(budget.epsilon, budget.delta)
    else:
        half = budget.epsilon / 2
        c = scale(half, budget.delta / (1 + exp(half)))
    bases = np.linalg.qr(rng.normal(size=(releases, D, D)))[0]
    bases *= rng.choice([-1, 1], (releases, 1, D))
    f = (bases * eigenvalues(rng, releases)[:, None, :]) @ bases.swapaxes(1, 2)
    return top(S + c * (f + f.swapaxes(1, 2)) / 2)
