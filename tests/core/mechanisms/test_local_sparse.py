"""Sparse directions from the reports of the local model, beside the dense ones."""

import numpy as np
import pytest

from dpca_core import MECHANISMS, Budget, Problem
from dpca_core.mechanisms.local_sparse import LocalSparse
from dpca_core.metrics import sin_theta
from dpca_core.sparse.fantope import support
from sample_data.wang_xu import sample_rows

DENSE, SPARSE, BUDGET = MECHANISMS["local_gaussian"], LocalSparse(), Budget(1.0, 1e-4)
SAMPLE = sample_rows(4000, 60, 2, 8, strength=200, seed=1)
PROBLEM = Problem.from_rows(SAMPLE.rows, 2).scaled(2e8)


@pytest.mark.chance(1e-7)
def test_few_columns_are_found_where_dense_directions_are_lost(monkeypatch):
    """Two directions on 8 of 60 columns, the same reports by either; also two trials at a time."""
    sparse, dense = (m.release(PROBLEM, BUDGET, 4, 20) for m in (SPARSE, DENSE))
    better, worse = (sin_theta(SAMPLE.directions, r.bases) for r in (sparse, dense))
    assert better.mean() < worse.mean()
    used = support(sparse.bases)
    assert used[:, SAMPLE.support].mean() > 0.75
    assert used[:, ~SAMPLE.support].mean() < 0.02
    assert support(dense.bases).sum(axis=1).min() > 50
    np.testing.assert_array_equal(sparse.info["columns"], used.sum(axis=1))
    assert (sparse.info["converged"] == 1).all()
    monkeypatch.setattr("dpca_core.mechanisms.local_sparse._ENTRIES", 2 * 60**2)
    parts = SPARSE.release(PROBLEM, BUDGET, 4, 5)
    np.testing.assert_allclose(parts.bases, sparse.bases[:5], atol=1e-9)
