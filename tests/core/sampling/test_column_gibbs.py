"""Gibbs sampling without eigenvectors of what is left against that with them."""

from itertools import islice

import numpy as np
import pytest

from dpca_core.mechanisms.exponential import WIDE_COLUMNS, gibbs
from dpca_core.sampling.column_gibbs import sweeps_beside


@pytest.mark.parametrize("k", [1, 3])
def test_the_mechanism_draws_so_on_wide_tables(k):
    weights, start = np.linspace(40, 0, WIDE_COLUMNS), np.eye(WIDE_COLUMNS)[:, :k]
    frame, scores = gibbs(weights, start, 3, np.random.default_rng(1))
    given = weights, start, np.random.default_rng(1)
    chain = [sweep.copy() for sweep in islice(sweeps_beside(*given), 3)]
    np.testing.assert_array_equal(frame, chain[-1])
    assert scores == pytest.approx([(np.square(f).T @ weights).sum() for f in chain])
    narrow, few = weights[1:], start[:-1]
    eigen = gibbs(narrow, few, 3, np.random.default_rng(1))[0]
    other = next(islice(sweeps_beside(narrow, few, np.random.default_rng(1)), 2, None))
    assert not np.allclose(eigen, other), "and otherwise on others"


def test_chains_capture_what_the_mechanisms_do():
    """Scores of 40 chains after 10 sweeps each; six standard errors fail once in 10⁸."""
    weights, k = np.array([30.0, 22, 15, 9, 4, 2, 1, 0]), 3
    start = np.eye(8)[:, :k]
    found = np.empty((2, 40))
    for i in range(40):
        frame = next(islice(sweeps_beside(weights, start, np.random.default_rng(i)), 9, None))
        assert frame.T @ frame == pytest.approx(np.eye(k), abs=1e-9)
        found[0, i] = (np.square(frame).T @ weights).sum()
        found[1, i] = gibbs(weights, start, 10, np.random.default_rng(1000 + i))[1][-1]
    error = np.sqrt(found.var(axis=1).sum() / 40)
    assert abs(found[0].mean() - found[1].mean()) < 6 * error
