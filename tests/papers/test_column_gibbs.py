"""The quick Gibbs sampler against the one of the mechanism."""

from itertools import islice

import numpy as np
import pytest

from dpca_core.mechanisms.exponential import gibbs
from papers.column_gibbs import sweeps


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
