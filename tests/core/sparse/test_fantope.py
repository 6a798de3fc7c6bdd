"""The Fantope: projections, the best point by its dual, how an iteration ends, and who uses it."""

from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpca_core import MECHANISMS, Budget, Problem
from dpca_core.linalg.symmetric import symmetrized, top_basis
from dpca_core.metrics import sin_theta
from dpca_core.sparse.fantope import Solution, project, solve, support
from sample_data.synthetic import sample_rows

FINE = {"tolerance": 1e-7, "limit": 50_000}


def symmetric(d, seed, scale=1.0):
    return symmetrized(np.random.default_rng(seed).standard_normal((d, d)) * scale)


def spiked(d, k, seed):
    rows = sample_rows(4000, d, k, 8, strength=4, seed=seed).rows
    return rows.T @ rows / len(rows)


def assert_feasible(x, k):
    values = np.linalg.eigvalsh(x)
    assert values.min() >= -1e-8
    assert values.max() <= 1 + 1e-8
    assert np.trace(x) == pytest.approx(k, abs=1e-8)
    np.testing.assert_allclose(x, x.T, atol=1e-12)


@settings(deadline=None, max_examples=40)
@given(st.integers(2, 6), st.integers(1, 5), st.integers(0, 10**6), st.floats(0.01, 100))
def test_no_point_of_the_fantope_is_nearer_than_the_projection(d, k, seed, scale):
    """⟨A − P(A), X − P(A)⟩ ≤ 0 for every X of the Fantope, here for random ones and its corners."""
    k = min(k, d - 1)
    target = symmetric(d, seed, scale)
    near = project(target, k)
    assert_feasible(near, k)
    np.testing.assert_allclose(project(near, k), near, atol=1e-12)
    rng = np.random.default_rng(seed + 1)
    frames = [top_basis(symmetric(d, int(rng.integers(1 << 30))), k) for _ in range(20)]
    for frame in (*frames, top_basis(target - near, k)):
        other = frame @ frame.T
        mixed = other + rng.random() * (project(other + symmetric(d, 1), k) - other)
        for point in (other, mixed):
            assert ((target - near) * (point - near)).sum() <= 1e-9 * max(1, scale)


@pytest.mark.parametrize(
    ("moment", "k", "penalty"),
    [
        (symmetric(6, 1), 2, 0.1),
        (symmetric(10, 5), 9, 0.2),
        (symmetric(12, 4), 5, 0.05),
        (spiked(110, 2, 2), 2, 2e-4),
        (np.diag(np.linspace(1, 0, 150)), 5, 0.01),
    ],
)
def test_no_point_of_the_fantope_has_a_larger_objective(moment, k, penalty):
    """The dual closes the gap; of 110 columns only the eigenvectors that count are found.

    For |W| ≤ λ entrywise no X has an objective above the k largest eigenvalues of M − W together.
    """
    found = solve(moment, k, penalty, **FINE)
    assert found.converged
    assert_feasible(found.feasible, k)
    price = found.rho * found.dual
    assert np.abs(price).max() <= penalty * (1 + 1e-12)
    best = np.linalg.eigvalsh(moment - price)[-k:].sum()
    objective = (moment * found.feasible - penalty * np.abs(found.feasible)).sum()
    assert objective == pytest.approx(best, rel=1e-5)


def test_without_a_penalty_it_is_pca_and_with_a_large_one_the_largest_of_the_diagonal():
    moment = spiked(30, 3, 0)
    found, basis = solve(moment, 3, 0.0), top_basis(moment, 3)
    assert found.converged
    for each in (found.feasible, found.sparse):
        np.testing.assert_allclose(each, basis @ basis.T, atol=1e-6)
    moment = symmetric(9, 7)
    largest = np.isin(np.arange(9), np.argsort(-np.diag(moment))[:4])
    found = solve(moment, 4, float(np.abs(moment).max()), **FINE)
    np.testing.assert_allclose(found.feasible, np.diag(largest), atol=1e-5)


def test_it_ends_within_the_tolerance_or_at_the_limit():
    moment = symmetric(12, 8)
    found, short = solve(moment, 3, 0.2), solve(moment, 3, 0.2, tolerance=1e-12, limit=7)
    assert found.converged
    assert max(found.primal, found.change) <= 1e-3
    assert (short.converged, short.iterations) == (False, 7)


@pytest.mark.parametrize("d", [8, 110])
def test_a_stack_is_each_of_its_own(d):
    stack = np.stack([symmetric(d, seed) * scale for seed, scale in enumerate((1, 5, 0.3))])
    together = solve(stack, 3, 0.4)
    for i, moment in enumerate(stack):
        alone = solve(moment, 3, 0.4)
        for field in fields(Solution):
            parts = (getattr(each, field.name) for each in (together.at(i), alone))
            np.testing.assert_allclose(*parts, rtol=1e-7, atol=1e-8)
    assert len(set(together.iterations)) > 1


def test_a_column_is_used_where_its_row_is_longer_than_a_hundredth():
    basis = np.array([[1.0, 0], [0, 1], [0.02, 0], [0.005, 0.005]])
    np.testing.assert_array_equal(support(basis), [True, True, True, False])


@pytest.mark.chance(1e-7)
def test_few_columns_are_found_where_dense_directions_are_lost(monkeypatch):
    """Two directions on 8 of 60 columns, the same reports by either; also two trials at a time."""
    sample, budget = sample_rows(4000, 60, 2, 8, strength=200, seed=1), Budget(1.0, 1e-4)
    problem = Problem.from_rows(sample.rows, 2).scaled(2e8)
    ours, plain = MECHANISMS["local_sparse"], MECHANISMS["local_gaussian"]
    sparse, dense = (each.release(problem, budget, 4, 20) for each in (ours, plain))
    better, worse = (sin_theta(sample.directions, r.bases) for r in (sparse, dense))
    assert better.mean() < worse.mean()
    used = support(sparse.bases)
    assert used[:, sample.support].mean() > 0.75
    assert used[:, ~sample.support].mean() < 0.02
    assert support(dense.bases).sum(axis=1).min() > 50
    np.testing.assert_array_equal(sparse.info["columns"], used.sum(axis=1))
    assert (sparse.info["converged"] == 1).all()
    monkeypatch.setattr("dpca_core.mechanisms.local_sparse._ENTRIES", 2 * 60**2)
    parts = ours.release(problem, budget, 4, 5)
    np.testing.assert_allclose(parts.bases, sparse.bases[:5], atol=1e-9)
