"""Matrix-t noise once more, written naively: eigenvalues by a random walk, δ by summing a grid."""

from functools import cache
from math import exp

import numpy as np
from scipy.optimize import brentq
from scipy.stats import beta

from tests.references.comparison import compared
from tests.references.eigenvalues import eigenvalues, turned
from tests.references.second_moments import ADD, D, S, top

Q = 1.2 * D + 0.0085 * D**2 + 1.2
STEP, BURN_IN = 0.35, 600


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


@compared(0.4, 0.8)
def matrix_t(budget, rng, releases):
    """Replacing is removing and adding, each with half of ε."""
    if budget.adjacency is ADD:
        c = scale(budget.epsilon, budget.delta)
    else:
        half = budget.epsilon / 2
        c = scale(half, budget.delta / (1 + exp(half)))
    f = turned(eigenvalues(D, lambda x: -Q * np.log1p(x * x), STEP, BURN_IN, rng, releases), rng)
    return top(S + c * f)
