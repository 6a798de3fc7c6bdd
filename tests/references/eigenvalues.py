"""Symmetric matrices by their eigenvalues alone: a random walk, and eigenvectors at random."""

import numpy as np


def eigenvalues(d, log_weight, step, steps, rng, chains):
    """Metropolis on the density ∏|λ_i − λ_j|·e^(Σ log_weight(λ_i)), one coordinate in turn.

    Chains (chains, d) after so many steps from normal values, each of the size of ``step``.
    """

    def log_density(x):
        apart = np.abs(x[:, :, None] - x[:, None, :]) + np.eye(d)
        return np.log(apart).sum(axis=(1, 2)) / 2 + log_weight(x).sum(axis=1)

    now = rng.normal(0, step, (chains, d))
    here = log_density(now)
    for turn in range(steps):
        proposed = now.copy()
        proposed[:, turn % d] += rng.normal(0, step, chains)
        there = log_density(proposed)
        taken = np.log(rng.random(chains)) < there - here
        now[taken], here[taken] = proposed[taken], there[taken]
    return now


def turned(values, rng):
    """Matrices of these eigenvalues (m, d) with eigenvectors that favour no direction."""
    m, d = values.shape
    bases = np.linalg.qr(rng.normal(size=(m, d, d)))[0]
    bases *= rng.choice([-1, 1], (m, 1, d))
    f = (bases * values[:, None, :]) @ bases.swapaxes(1, 2)
    return (f + f.swapaxes(1, 2)) / 2
