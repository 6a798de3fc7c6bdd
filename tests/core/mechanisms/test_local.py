"""The local model: what a single report promises; sparse directions of their sum.

That the sum of n reports has the law of what is released is tested in tests/references.
"""

from math import log, sqrt

import numpy as np
import pytest

from dpca_core import MECHANISMS, Budget, Notion, Problem, Standing
from dpca_core.mechanisms.local_sparse import LocalSparse
from dpca_core.metrics import sin_theta
from dpca_core.privacy.gaussian import gaussian_epsilon
from dpca_core.sparse.fantope import recovery, support
from sample_data.wang_xu import sample_rows
from tests.core.mechanisms.every_mechanism import BOTH


def wide_gap(n=1000):
    return Problem.from_moment(n * np.diag([0.45, 0.3, 0.15, 0.06, 0.03]), n, 2)


@BOTH
@pytest.mark.parametrize(
    ("epsilon", "delta", "standing"),
    [
        (0.5, 1e-4, Standing.PROVED),
        (1.0, 1e-6, Standing.WEAKER),
        (1.0, 1e-2, Standing.PROVED),
        (10.0, 1e-2, Standing.WEAKER),
    ],
)
def test_the_true_epsilon_of_the_printed_noise(epsilon, delta, standing, adjacency):
    budget = Budget(epsilon, delta, adjacency)
    found = MECHANISMS["local_printed"].guarantee(wide_gap(), budget)
    sigma = sqrt(2 * log(1.25 / delta)) / epsilon
    assert found.epsilon == gaussian_epsilon(sigma, delta, sqrt(2))
    assert (found.notion, found.standing) == (Notion.LOCAL, standing)
    assert found.noise_multiplier == pytest.approx(sigma / sqrt(2))
    for n in (1, 10**6):
        assert MECHANISMS["local_printed"].guarantee(wide_gap(n), budget) == found
    if standing is Standing.WEAKER:
        assert found.erratum.endswith(f"true ε = {found.epsilon:.3g}.")
        assert ("only for ε ≤ 1" in found.erratum) == (epsilon > 1)


# --- Sparse directions ---

SPARSE = sample_rows(4000, 60, 2, 8, strength=200, seed=1)


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


@pytest.mark.chance(1e-7)
def test_few_columns_are_found_where_dense_directions_are_lost():
    """Two directions on 8 of 60 columns, the same reports by either; six errors from each limit."""
    problem, budget = sparse_problem(), Budget(1.0, 1e-4)
    sparse, dense = (
        m.release(problem, budget, np.random.default_rng(4), 20)
        for m in (LocalSparse(), MECHANISMS["local_gaussian"])
    )
    better, worse = (sin_theta(SPARSE.directions, r.bases) for r in (sparse, dense))
    assert better.mean() < worse.mean()
    found = [recovery(s, SPARSE.support) for s in support(sparse.bases)]
    assert np.mean([r.precision for r in found]) > 0.9
    assert np.mean([r.recall for r in found]) > 0.75
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
