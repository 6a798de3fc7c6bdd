"""Sparse directions in the local model: the penalty, what is found, and what it costs."""

from math import log, sqrt

import numpy as np
import pytest

from dpca_core import MECHANISMS, Budget, Problem
from dpca_core.mechanisms.local_sparse import LocalSparse
from dpca_core.metrics import sin_theta
from dpca_core.simulation.wang_xu import sparse_design
from dpca_core.sparse.sparse_pca import recovery, support

SPARSE = sparse_design(4000, 60, 2, 8, strength=200, seed=1)


def sparse_problem(n=2e8):
    return Problem.from_rows(SPARSE.rows, 2).scaled(n)


def test_the_penalty_is_a_multiple_of_the_noise_and_reads_no_data():
    """λ = c·s·√(ln d), s the standard deviation of an off-diagonal entry of the average noise."""
    budget, problem = Budget(1.0, 1e-4), sparse_problem(5000)
    tau = MECHANISMS["local_gaussian"].calibrate(problem.scaled(1), budget).scale
    expected = tau / sqrt(2 * 5000) * sqrt(log(60))
    assert LocalSparse().penalty(problem, budget) == pytest.approx(expected)
    assert LocalSparse(sparsity=2.5).penalty(problem, budget) == pytest.approx(2.5 * expected)
    other = Problem.from_moment(np.diag(np.linspace(80, 1, 60)), 5000, 2)
    assert LocalSparse().penalty(other, budget) == LocalSparse().penalty(problem, budget)


def test_without_a_penalty_it_is_the_local_gaussian():
    problem, budget = sparse_problem(), Budget(1.0, 1e-4)
    sparse, dense = (
        m.release(problem, budget, np.random.default_rng(3), 3, keep="moment")
        for m in (LocalSparse(sparsity=0.0), MECHANISMS["local_gaussian"])
    )
    np.testing.assert_array_equal(sparse.moment, dense.moment)
    np.testing.assert_allclose(sin_theta(sparse.bases, dense.bases), 0, atol=1e-9)


def test_few_columns_are_found_where_dense_directions_are_lost():
    """Two directions on 8 of 60 columns, the same reports by either."""
    problem, budget = sparse_problem(), Budget(1.0, 1e-4)
    sparse, dense = (
        m.release(problem, budget, np.random.default_rng(4), 20)
        for m in (LocalSparse(), MECHANISMS["local_gaussian"])
    )
    better, worse = (sin_theta(SPARSE.directions, r.bases) for r in (sparse, dense))
    assert better.mean() < worse.mean()
    found = [recovery(s, SPARSE.support) for s in support(sparse.bases)]
    assert np.mean([r.precision for r in found]) > 0.95
    assert np.mean([r.recall for r in found]) > 0.8
    assert support(dense.bases).sum(axis=1).min() > 50
    np.testing.assert_array_equal(sparse.info["columns"], support(sparse.bases).sum(axis=1))
    assert (sparse.info["converged"] == 1).all()
    assert np.maximum(sparse.info["primal"], sparse.info["change"]).max() <= 1e-3
    assert sparse.info["iterations"].min() >= 1


def test_many_trials_are_those_of_single_ones(monkeypatch):
    """Trials go through the solver in blocks; the block does not matter."""
    problem, budget = sparse_problem(), Budget(1.0, 1e-4)
    whole = LocalSparse().release(problem, budget, np.random.default_rng(6), 5)
    monkeypatch.setattr("dpca_core.mechanisms.local_sparse._ENTRIES", 2 * 60**2)
    parts = LocalSparse().release(problem, budget, np.random.default_rng(6), 5)
    np.testing.assert_allclose(parts.bases, whole.bases, atol=1e-9)
