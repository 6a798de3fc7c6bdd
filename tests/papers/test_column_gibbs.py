"""The quick Gibbs sampler against the one of the mechanism, and against the law of one column."""

from itertools import islice

import numpy as np
import pytest

from dpca_core.linalg.symmetric import orthonormal
from dpca_core.mechanisms.exponential import gibbs
from dpca_core.sampling.bingham import vector_bingham
from papers.column_gibbs import column_given_others, sweeps


@pytest.mark.parametrize("height", [3.0, 60.0])
def test_a_column_has_the_law_of_the_complement(height):
    """Mean squares of 2,000 draws of either kind; six standard errors fail once in 10⁸."""
    rng, d, k = np.random.default_rng(1), 7, 3
    weights = height * np.sort(rng.random(d))[::-1]
    others = orthonormal(rng.standard_normal((d, k - 1)))
    free = np.linalg.qr(others, mode="complete")[0][:, k - 1 :]
    values, vectors = np.linalg.eigh((free.T * weights) @ free)
    exact = vector_bingham(values[-1] - values, rng, 2000) @ (free @ vectors).T
    quick, t = np.empty_like(exact), 2 * float(weights.max()) + 1
    for i in range(len(quick)):
        quick[i], t = column_given_others(weights, others, t, rng)
    assert np.abs(quick @ others).max() < 1e-8
    apart = np.square(quick).mean(axis=0) - np.square(exact).mean(axis=0)
    error = np.sqrt((np.square(quick).var(axis=0) + np.square(exact).var(axis=0)) / len(quick))
    assert (np.abs(apart) < 6 * error + 1e-12).all()


def test_chains_capture_what_the_mechanisms_do():
    """Scores of 40 chains after 10 sweeps each; six standard errors fail once in 10⁸."""
    weights, k = np.array([30.0, 22, 15, 9, 4, 2, 1, 0]), 3
    start = np.eye(8)[:, :k]
    found = np.empty((2, 40))
    for i in range(40):
        frame = next(islice(sweeps(weights, start, np.random.default_rng(i)), 9, None))
        assert frame.T @ frame == pytest.approx(np.eye(k), abs=1e-9)
        found[0, i] = (np.square(frame).T @ weights).sum()
        found[1, i] = gibbs(weights, start, 10, np.random.default_rng(1000 + i))[1][-1]
    error = np.sqrt(found.var(axis=1).sum() / 40)
    assert abs(found[0].mean() - found[1].mean()) < 6 * error
