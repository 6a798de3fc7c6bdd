"""The Fantope: the best point by its dual, stacks, and who uses it."""

from dataclasses import fields

import numpy as np
import pytest

from dpca_core import MECHANISMS, Budget, Problem
from dpca_core.linalg.symmetric import symmetrized
from dpca_core.sparse.fantope import Solution, solve, support
from sample_data.synthetic import sample_rows

FINE = {"tolerance": 1e-7, "limit": 50_000}


def symmetric(d, seed):
    return symmetrized(np.random.default_rng(seed).standard_normal((d, d)))


def spiked(d, k, seed):
    rows = sample_rows(4000, d, k, 8, strength=4, seed=seed).rows
    return rows.T @ rows / len(rows)


@pytest.mark.parametrize(
    ("moment", "k", "penalty"),
    [
        (symmetric(10, 5), 9, 0.2),
        (symmetric(12, 4), 5, 0.05),
        (spiked(110, 2, 2), 2, 2e-4),
    ],
)
def test_no_point_of_the_fantope_has_a_larger_objective(moment, k, penalty):
    """The dual closes the gap; of 110 columns only the eigenvectors that count are found.

    For |W| ≤ λ entrywise no X has an objective above the k largest eigenvalues of M − W together.
    """
    found = solve(moment, k, penalty, **FINE)
    assert found.converged
    values = np.linalg.eigvalsh(found.feasible)
    assert -1e-8 <= values.min() <= values.max() <= 1 + 1e-8
    assert values.sum() == pytest.approx(k, abs=1e-8)
    price = found.rho * found.dual
    assert np.abs(price).max() <= penalty * (1 + 1e-12)
    best = np.linalg.eigvalsh(moment - price)[-k:].sum()
    objective = (moment * found.feasible - penalty * np.abs(found.feasible)).sum()
    assert objective == pytest.approx(best, rel=1e-5)


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


def test_reports_that_do_not_fit_together_are_solved_in_parts(monkeypatch):
    """Two trials at a time, on 8 of 60 columns."""
    sample, budget = sample_rows(4000, 60, 2, 8, strength=200, seed=1), Budget(1.0, 1e-4)
    problem = Problem.from_rows(sample.rows, 2).scaled(2e8)
    whole = MECHANISMS["local_sparse"].release(problem, budget, 4, 5)
    np.testing.assert_array_equal(whole.info["columns"], support(whole.bases).sum(axis=1))
    monkeypatch.setattr("dpca_core.mechanisms.local_sparse._ENTRIES", 2 * 60**2)
    parts = MECHANISMS["local_sparse"].release(problem, budget, 4, 5)
    np.testing.assert_allclose(parts.bases, whole.bases, atol=1e-9)
