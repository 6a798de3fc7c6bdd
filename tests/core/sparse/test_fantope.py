"""The Fantope: projections, a trusted convex solver, and how an iteration ends."""

import warnings
from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import brentq

from dpca_core.linalg.symmetric import top_basis
from dpca_core.sparse.fantope import Solution, duality_gap, objective, solve
from dpca_core.sparse.fantope_projection import fantope_shift, project
from tests.core.sparse.matrices import spiked, symmetric

FINE = 1e-7


def by_cvxpy(moment, k, penalty):
    """Best objective, by Clarabel."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import cvxpy

        d = len(moment)
        x = cvxpy.Variable((d, d), symmetric=True)
        gain = cvxpy.trace(moment @ x) - penalty * cvxpy.sum(cvxpy.abs(x))
        within = [x >> 0, np.eye(d) - x >> 0, cvxpy.trace(x) == k]
        problem = cvxpy.Problem(cvxpy.Maximize(gain), within)
        problem.solve(solver=cvxpy.CLARABEL)
    assert problem.status == "optimal"
    return problem.value


def assert_feasible(x, k):
    values = np.linalg.eigvalsh(x)
    assert values.min() >= -1e-8
    assert values.max() <= 1 + 1e-8
    assert np.trace(x) == pytest.approx(k, abs=1e-8)
    np.testing.assert_allclose(x, x.T, atol=1e-12)


@settings(deadline=None, max_examples=300)
@given(
    arrays(float, st.integers(2, 12), elements=st.floats(-1e3, 1e3)),
    st.integers(1, 11),
)
def test_the_shift_is_the_root(values, k):
    """Ties, clusters and wide spreads: the clipped sum is k, as a bracketing root finder has it."""
    k = min(k, len(values) - 1)

    def excess(theta):
        return np.clip(values - theta, 0, 1).sum() - k

    theta = float(fantope_shift(values, k))
    assert excess(theta) == pytest.approx(0, abs=1e-9)
    root = brentq(excess, values.min() - 1.5, values.max() + 0.5, xtol=1e-12)
    np.testing.assert_allclose(
        np.clip(values - theta, 0, 1), np.clip(values - root, 0, 1), atol=1e-9
    )


def test_shifts_of_a_stack_are_those_of_its_rows():
    values = np.random.default_rng(0).normal(size=(4, 5, 9)) * 3
    together = fantope_shift(values, 4)
    for i in np.ndindex(4, 5):
        assert together[i] == fantope_shift(values[i], 4)


@settings(deadline=None, max_examples=100)
@given(st.integers(2, 6), st.integers(1, 5), st.integers(0, 10**6), st.floats(0.01, 100))
def test_no_point_of_the_fantope_is_nearer_than_the_projection(d, k, seed, scale):
    """⟨A − P(A), X − P(A)⟩ ≤ 0 for every X of the Fantope, here for random ones and its corners."""
    k = min(k, d - 1)
    target = symmetric(d, seed, scale)
    near = project(target, k)
    assert_feasible(near, k)
    rng = np.random.default_rng(seed + 1)
    for _ in range(50):
        corners = top_basis(symmetric(d, int(rng.integers(1 << 30))), k)
        other = corners @ corners.T
        other += rng.random() * (project(other + symmetric(d, 1, rng.random()), k) - other)
        assert ((target - near) * (other - near)).sum() <= 1e-9 * max(1, scale)
    best = top_basis(target - near, k)
    assert ((target - near) * (best @ best.T - near)).sum() <= 1e-9 * max(1, scale)


def test_what_is_in_the_fantope_stays():
    inside = project(symmetric(7, 3), 3)
    np.testing.assert_allclose(project(inside, 3), inside, atol=1e-12)


CASES = [
    (5, 1, 0.3, 0), (6, 2, 0.1, 1), (8, 3, 0.5, 2), (10, 2, 1.0, 3), (12, 5, 0.05, 4),
    (10, 9, 0.2, 5), (4, 2, 5.0, 6),
]  # fmt: skip


@pytest.mark.parametrize(("d", "k", "penalty", "seed"), CASES)
@pytest.mark.parametrize("adaptive", [True, False])
def test_the_objective_is_that_of_a_trusted_solver(d, k, penalty, seed, adaptive):
    moment = symmetric(d, seed)
    found = solve(moment, k, penalty, tolerance=FINE, limit=50_000, adaptive=adaptive)
    assert found.converged
    assert_feasible(found.feasible, k)
    best = by_cvxpy(moment, k, penalty)
    assert objective(moment, found.feasible, penalty) == pytest.approx(best, rel=1e-5)


def test_a_spiked_sample_is_solved_as_by_a_trusted_solver():
    moment, _ = spiked(20, 2, 5)
    penalty = float(np.abs(moment - np.diag(np.diag(moment))).max()) / 3
    found = solve(moment, 2, penalty, tolerance=FINE, limit=50_000)
    best = by_cvxpy(moment * 100, 2, penalty * 100) / 100
    assert objective(moment, found.feasible, penalty) == pytest.approx(best, rel=1e-5)


@pytest.mark.parametrize(("d", "k", "penalty", "seed"), CASES)
def test_the_gap_bounds_what_is_missing(d, k, penalty, seed):
    """At any stage, converged or not; and it closes."""
    moment, best = symmetric(d, seed), by_cvxpy(symmetric(d, seed), k, penalty)
    gaps = []
    for limit in (1, 3, 10, 100, 3000):
        found = solve(moment, k, penalty, tolerance=1e-12, limit=limit)
        assert_feasible(found.feasible, k)
        gaps.append(float(duality_gap(moment, k, penalty, found)))
        assert gaps[-1] >= best - objective(moment, found.feasible, penalty) - 1e-6 * abs(best)
        assert np.abs(found.rho * found.dual).max() <= penalty * (1 + 1e-12)
    assert gaps[-1] <= 1e-6 * abs(best) < gaps[0]


@pytest.mark.parametrize("penalty", [0.0, 1e-9])
def test_without_a_penalty_it_is_pca(penalty):
    moment, _ = spiked()
    found = solve(moment, 3, penalty * float(moment.max()), tolerance=1e-9, limit=5000)
    basis = top_basis(moment, 3)
    assert found.converged
    np.testing.assert_allclose(found.feasible, basis @ basis.T, atol=1e-6)
    np.testing.assert_allclose(found.sparse, basis @ basis.T, atol=1e-6)


def test_a_large_penalty_leaves_the_largest_of_the_diagonal():
    moment = symmetric(9, 7)
    largest = np.argsort(-np.diag(moment))[:4]
    found = solve(moment, 4, float(np.abs(moment).max()), tolerance=FINE, limit=50_000)
    np.testing.assert_allclose(found.feasible, np.diag(np.isin(np.arange(9), largest)), atol=1e-5)


def test_partial_and_whole_eigenvectors_give_the_same(monkeypatch):
    """From 100 columns on only those that count are found."""
    moment, _ = spiked(120, 3, 12, seed=2)
    penalty = float(np.abs(moment - np.diag(np.diag(moment))).max()) / 4
    found = [solve(moment, 3, penalty, tolerance=1e-6)]
    monkeypatch.setattr("dpca_core.sparse.fantope._PARTIAL_FROM", 10_000)
    found.append(solve(moment, 3, penalty, tolerance=1e-6))
    assert found[0].iterations == found[1].iterations > 10
    np.testing.assert_allclose(found[0].feasible, found[1].feasible, atol=1e-9)
    np.testing.assert_allclose(found[0].sparse, found[1].sparse, atol=1e-9)


def test_a_matrix_in_blocks_is_solved():
    """The tridiagonal form of a diagonal matrix falls apart: all eigenvectors then."""
    found = solve(np.diag(np.linspace(1, 0, 150)), 5, 0.01, tolerance=1e-6)
    np.testing.assert_allclose(np.diag(found.feasible)[:5], 1, atol=1e-4)


def test_residuals_are_those_of_what_is_returned():
    moment = symmetric(12, 8)
    found = solve(moment, 3, 0.2)
    assert found.converged
    assert max(found.primal, found.change) <= 1e-3
    size = max(np.linalg.norm(found.feasible), np.linalg.norm(found.sparse))
    apart = np.linalg.norm(found.feasible - found.sparse)
    assert found.primal == pytest.approx(apart / size, rel=1e-12)


def test_the_change_is_the_distance_from_a_stationary_point():
    """M − ρU is normal to the Fantope at X but for ρ·change·‖U‖, before ρ is balanced."""
    moment = symmetric(12, 9)
    for limit in (2, 5, 25):
        found = solve(moment, 3, 0.2, limit=limit, adaptive=False, tolerance=1e-12)
        miss = float(found.change) * np.linalg.norm(found.dual)
        step = project(found.feasible + moment / found.rho - found.dual, 3) - found.feasible
        assert np.linalg.norm(step) <= miss * (1 + 1e-9)
        assert miss > 0


def test_a_limit_is_stated_and_kept():
    found = solve(symmetric(12, 8), 3, 0.2, tolerance=1e-12, limit=7)
    assert not found.converged
    assert found.iterations == 7


def test_progress_is_reported_and_can_stop():
    seen = []

    def progress(residual):
        seen.append(residual)
        return len(seen) < 5

    found = solve(symmetric(12, 8), 3, 0.2, tolerance=1e-9, on_progress=progress)
    assert found.iterations == len(seen) == 5
    assert not found.converged
    assert seen[-1] == max(found.primal, found.change)


def test_a_warm_start_goes_on_where_the_other_ended():
    moment = symmetric(15, 10)
    cold = solve(moment, 3, 0.2, tolerance=1e-6, limit=20_000)
    again = solve(moment, 3, 0.2, tolerance=1e-6, start=cold)
    assert again.iterations <= 2
    near = solve(moment, 3, 0.21, tolerance=1e-6, limit=20_000, start=cold)
    fresh = solve(moment, 3, 0.21, tolerance=1e-6, limit=20_000)
    assert near.iterations < fresh.iterations
    np.testing.assert_allclose(near.feasible, fresh.feasible, atol=1e-4)


@pytest.mark.parametrize("d", [8, 110])
def test_a_stack_is_each_of_its_own(d):
    stack = np.stack([symmetric(d, seed) * scale for seed, scale in enumerate((1, 5, 0.3))])
    together = solve(stack, 3, 0.4)
    for i, moment in enumerate(stack):
        alone = solve(moment, 3, 0.4)
        for field in fields(Solution):
            np.testing.assert_allclose(
                getattr(together.at(i), field.name),
                getattr(alone, field.name),
                rtol=1e-9,
                atol=1e-10,
            )
    assert len(set(together.iterations)) > 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((0, 0.1), r"k must be a whole number from 1 to 4, not 0\."),
        ((5, 0.1), r"k must be a whole number from 1 to 4, not 5\."),
        ((2, -0.1), r"λ must be a number of at least 0, not -0\.1\."),
        ((2, float("nan")), r"λ must be a number of at least 0, not nan\."),
    ],
)
def test_bad_input_is_refused_in_one_sentence(arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        solve(symmetric(5, 0), *arguments)
    with pytest.raises(ValueError, match=r"k must be a whole number from 1 to 4, not 5\."):
        project(symmetric(5, 0), 5)
    with pytest.raises(ValueError, match="tolerance must be positive and the limit at least 1"):
        solve(symmetric(5, 0), 2, 0.1, limit=0)
