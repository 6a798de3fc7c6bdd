"""Sparse directions in the local model: the penalty, what is found, and what it costs."""

from math import log, sqrt

import numpy as np
import pytest
from scipy.optimize import brentq

from dpca_core import MECHANISMS, Budget, Problem
from dpca_core.linalg.symmetric import orthonormal
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


def test_a_release_says_how_far_it_got():
    info = (
        LocalSparse().release(sparse_problem(), Budget(4.0, 0.01), np.random.default_rng(5), 4).info
    )
    assert set(info) == {"iterations", "primal", "change", "converged", "columns"}
    assert (info["converged"] == 1).all()
    assert np.maximum(info["primal"], info["change"]).max() <= 1e-3
    assert info["iterations"].min() >= 1


def test_many_trials_are_those_of_single_ones(monkeypatch):
    """Trials go through the solver in blocks; the block does not matter."""
    problem, budget = sparse_problem(), Budget(1.0, 1e-4)
    whole = LocalSparse().release(problem, budget, np.random.default_rng(6), 5)
    monkeypatch.setattr("dpca_core.mechanisms.local_sparse._ENTRIES", 2 * 60**2)
    parts = LocalSparse().release(problem, budget, np.random.default_rng(6), 5)
    np.testing.assert_allclose(parts.bases, whole.bases, atol=1e-9)


def test_turned_data_do_not_give_turned_directions():
    """Same noise, turned along: the dense mechanism does not mind, the penalty does."""
    problem, budget = sparse_problem(), Budget(1.0, 1e-4)
    turn = orthonormal(np.random.default_rng(7).standard_normal((60, 60)))
    moment = turn @ problem.moment @ turn.T
    turned = Problem.from_moment((moment + moment.T) / 2, problem.n, 2)
    (unit,) = LocalSparse().unit(60, 2, np.random.default_rng(8), 1)
    along = turn @ unit @ turn.T
    along = (along + along.swapaxes(1, 2)) / 2
    for mechanism, same in ((MECHANISMS["local_gaussian"], True), (LocalSparse(), False)):
        here = mechanism.apply(problem, budget, (unit,)).bases[0]
        there = mechanism.apply(turned, budget, (along,)).bases[0]
        assert (float(sin_theta(turn @ here, there)) < 1e-6) == same


def test_only_noise_over_people_matters_to_sparse_directions():
    """Four times the people with twice the noise of a report: the same directions."""
    mechanism, problem, budget = LocalSparse(), sparse_problem(), Budget(1.0, 1e-4)
    tau = MECHANISMS["local_gaussian"].calibrate(problem.scaled(1), budget).scale

    def excess(epsilon):
        found = MECHANISMS["local_gaussian"].calibrate(problem.scaled(1), Budget(epsilon, 1e-4))
        return found.scale - 2 * tau

    less = Budget(brentq(excess, 0.1, 1), 1e-4)
    many = problem.scaled(4 * problem.n)
    assert mechanism.relative_noise(many, less) == pytest.approx(
        mechanism.relative_noise(problem, budget)
    )
    here = mechanism.release(problem, budget, np.random.default_rng(9), 3).bases
    there = mechanism.release(many, less, np.random.default_rng(9), 3).bases
    np.testing.assert_allclose(sin_theta(here, there), 0, atol=1e-6)
