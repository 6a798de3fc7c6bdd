"""Bingham directions beside given ones against draws in eigenvectors of what is left."""

import numpy as np
import pytest

from dpca_core.linalg.symmetric import orthonormal
from dpca_core.sampling.bingham import vector_bingham
from dpca_core.sampling.bingham_complement import bingham_beside, first_t


def left(weights, others):
    """Return eigenvalues and eigenvectors of diag(weights) beside others (d, m), ascending."""
    free = np.linalg.qr(others, mode="complete")[0][:, others.shape[1] :]
    values, vectors = np.linalg.eigh((free.T * weights) @ free)
    return values, free @ vectors


@pytest.mark.parametrize("height", [3.0, 60.0])
def test_a_direction_has_the_law_of_the_complement(height):
    """Mean squares of 2,000 draws of either kind; six standard errors fail once in 10⁸."""
    rng, d, k = np.random.default_rng(1), 7, 3
    weights = height * np.sort(rng.random(d))[::-1]
    others = orthonormal(rng.standard_normal((d, k - 1)))
    values, vectors = left(weights, others)
    exact = vector_bingham(values[-1] - values, rng, 2000) @ vectors.T
    quick, t = np.empty_like(exact), 2 * float(weights.max()) + 1
    for i in range(len(quick)):
        quick[i], t = bingham_beside(weights, others, t, rng)
    assert np.abs(quick @ others).max() < 1e-8
    apart = np.square(quick).mean(axis=0) - np.square(exact).mean(axis=0)
    error = np.sqrt((np.square(quick).var(axis=0) + np.square(exact).var(axis=0)) / len(quick))
    assert (np.abs(apart) < 6 * error + 1e-12).all()


@pytest.mark.parametrize("m", [1, 2, 6])
@pytest.mark.parametrize(
    ("height", "near"),
    [(1e-3, False), (1.0, False), (1e2, False), (1e-3, True), (1e2, True), (1e6, True)],
)
def test_the_search_begins_within_its_bounds_and_ends_at_a_good_envelope(m, height, near):
    """At 10⁶ others far from the first axes have a chance of e^(−10⁵) to be drawn."""
    rng, d = np.random.default_rng(2), 40
    weights = height * 0.8 ** np.arange(d)
    frames = rng.standard_normal((d, m)) * (1e-3 if near else 1.0)
    others = orthonormal(frames + np.eye(d, m))
    values, _ = left(weights, others)
    begun = first_t(weights, others)
    # By interlacing, and by Ky Fan; to rounding.
    most = weights[: m + 1].sum() - (weights @ np.square(others)).sum()
    assert 2 * weights[m] + 1 <= begun <= 2 * most + 1 + 1e-9 * height
    _, found = bingham_beside(weights, others, begun, rng)
    assert (1 / (found - 2 * values)).sum() == pytest.approx(1, abs=0.11)
