"""Wang & Xu's experiments run again: the pieces of papers/wang_xu.py at tiny sizes."""

from math import sqrt

import numpy as np
import pytest

from dpca_core import MECHANISMS, Problem
from dpca_core.linalg.symmetric import orthonormal, top_basis
from dpca_core.mechanisms.local import reports
from dpca_core.metrics import largest_distance, projector_distance, random_distance
from dpca_core.sparse.fantope import objective, solve
from dpca_core.sparse.sparse_pca import support
from papers import wang_xu, wang_xu_runs, wang_xu_sparse
from papers.wang_xu_runs import LOCAL, PRINTED, SAMPLE, SPARSE, SPARSE_SAMPLE, Setting

TINY = Setting(60, 8, 2, 4, 1.0)


def some_rows(n=30, d=12, seed=0):
    rows = np.random.default_rng(seed).standard_normal((n, d)) * np.linspace(2, 0.2, d)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


# --- Error, random baseline, ceiling ---


def test_the_error_is_the_distance_of_projectors():
    frames = orthonormal(np.random.default_rng(0).standard_normal((20, 9, 3)))
    truth = frames[0]
    brute = [np.linalg.norm(frame @ frame.T - truth @ truth.T) for frame in frames]
    np.testing.assert_allclose(projector_distance(truth, frames), brute, atol=1e-7)


@pytest.mark.parametrize(("d", "k"), [(6, 1), (6, 3), (9, 2)])
def test_random_directions_have_the_error_that_is_printed_beside(d, k):
    """The mean square of 5000 within 6 standard errors: 2e-9 for each of three."""
    frames = orthonormal(np.random.default_rng(1).standard_normal((5000, d, k)))
    truth = np.eye(d)[:, :k]
    squares = np.array([np.linalg.norm(f @ f.T - truth @ truth.T) ** 2 for f in frames])
    assert abs(squares.mean() - random_distance(d, k) ** 2) < 6 * squares.std() / sqrt(len(squares))


@pytest.mark.parametrize("k", [1, 4, 10])
def test_no_error_is_above_the_ceiling_which_orthogonal_directions_reach(k):
    truth, other = np.eye(2 * k)[:, :k], np.eye(2 * k)[:, k:]
    assert np.linalg.norm(other @ other.T - truth @ truth.T) == pytest.approx(largest_distance(k))
    frames = orthonormal(np.random.default_rng(k).standard_normal((50, 2 * k, k)))
    assert (projector_distance(truth, frames) <= largest_distance(k)).all()


def test_one_printed_value_is_above_the_ceiling_and_those_of_colon_are_not():
    assert largest_distance(wang_xu_sparse.K) < wang_xu_sparse.LEUKEMIA_AT_A_TENTH
    assert max(wang_xu_sparse.TABLES_1_AND_2.values()) < largest_distance(wang_xu_sparse.K)


# --- Synthetic designs and Covertype ---


def test_every_mechanism_of_the_figures_is_measured():
    keys = (PRINTED, LOCAL, SPARSE, wang_xu_runs.CENTRAL, SAMPLE, SPARSE_SAMPLE)
    found = wang_xu_runs.measured(TINY, keys, 2)
    assert tuple(found) == keys
    for values in found.values():
        assert values.shape == (2, 3)
        assert ((values[:, 0] > 0) & (values[:, 0] <= largest_distance(TINY.k))).all()
        assert ((values[:, 1:] >= 0) & (values[:, 1:] <= 1)).all()


def test_repetitions_are_those_of_a_longer_run():
    few, more = (wang_xu_runs.measured(TINY, (LOCAL,), t)[LOCAL] for t in (2, 3))
    np.testing.assert_array_equal(few, more[:2])
    assert len(np.unique(more[:, 0])) == 3


def test_the_first_reading_is_the_printed_mechanism():
    as_printed = wang_xu_runs.reading_errors(wang_xu_runs.READINGS[0], TINY._replace(columns=8), 3)
    released = wang_xu_runs.measured(TINY._replace(columns=8), (PRINTED,), 3)[PRINTED][:, 0]
    np.testing.assert_allclose(as_printed, released, rtol=1e-9)


def test_the_slope_is_that_of_a_power_law_where_the_error_is_low():
    people = [10.0**i for i in range(1, 8)]
    errors = [min(2.9, 30 / sqrt(n)) for n in people]
    assert wang_xu_runs.slope(people, errors, 3.0) == pytest.approx(-0.5)
    assert np.isnan(wang_xu_runs.slope(people, [2.9] * 7, 3.0))


def test_growing_moments_are_those_of_nested_samples_and_end_with_all_rows():
    rows = some_rows()
    first, whole = wang_xu_runs.growing_moments(rows, (10, 30), seed=3)
    np.testing.assert_allclose(whole, rows.T @ rows, atol=1e-12)
    assert np.linalg.eigvalsh(whole - first)[0] > -1e-12
    assert np.trace(first) == pytest.approx(10)


def test_all_rows_without_noise_have_no_error():
    rows = some_rows()
    moment = rows.T @ rows
    truth = Problem.from_moment(moment, 30, 2).basis
    found = wang_xu_runs.table_errors([(30, moment)] * 2, truth, (SAMPLE, LOCAL), 1.0)
    assert found[SAMPLE][:, 0] == pytest.approx(0, abs=1e-6)
    assert (found[LOCAL][:, 0] > 0.1).all()


# --- Colon ---


def test_the_largest_entry_as_penalty_leaves_the_axes_of_the_largest_diagonal():
    moment = some_rows().T @ some_rows() / 30
    largest = np.abs(moment - np.diag(np.diag(moment))).max()
    axes = wang_xu_sparse.axes(moment, 2)
    best = objective(moment, axes @ axes.T, largest)
    solved = solve(moment, 2, largest, tolerance=1e-8, limit=20_000)
    assert solved.converged
    assert best >= objective(moment, solved.feasible, largest) - 1e-6
    np.testing.assert_allclose(solved.feasible, axes @ axes.T, atol=1e-4)


def test_columns_without_a_large_entry_can_be_left_out():
    rows = some_rows(200, 30, seed=5)
    moment = rows.T @ rows / 200
    kept, least = wang_xu_sparse.screened(moment, 2, 6)
    assert len(kept) < 15
    whole = solve(moment, 2, 1.01 * least, tolerance=1e-8, limit=20_000)
    part = solve(moment[np.ix_(kept, kept)], 2, 1.01 * least, tolerance=1e-8, limit=20_000)
    assert whole.converged
    assert part.converged
    np.testing.assert_allclose(whole.feasible[np.ix_(kept, kept)], part.feasible, atol=1e-4)
    assert np.trace(part.feasible) == pytest.approx(2)


def test_the_reference_uses_the_columns_asked_for():
    rows = some_rows(200, 30, seed=5)
    moment = rows.T @ rows / 200
    for columns in (2, 5):
        found = wang_xu_sparse.of_records(moment, 2, columns)
        assert found.columns == support(found.basis).sum() == columns
        np.testing.assert_allclose(found.basis.T @ found.basis, np.eye(2), atol=1e-10)


def test_the_average_is_that_of_reports():
    """Entry by entry, 500 averages: variances within 6 standard errors: 3e-8 an entry."""
    rows = some_rows(20, 3)
    moment = rows.T @ rows / 20
    rng = np.random.default_rng(7)
    mechanism, budget = MECHANISMS[LOCAL], wang_xu_runs.budget_of(1.0)
    averages = np.array([reports(mechanism, rows, budget, rng).mean(axis=0) for _ in range(500)])
    short = wang_xu_sparse.Reports(moment, 20, 1, 0)
    diagonal = np.eye(3, dtype=bool)
    expected = np.where(diagonal, short.scale(1.0), short.off_diagonal_noise(1.0)) ** 2
    np.testing.assert_allclose(averages.var(axis=0), expected, rtol=6 * sqrt(2 / 500))
    np.testing.assert_allclose(short.average(1.0) - moment, short.scale(1.0) * short.unit)


def test_the_table_has_every_line_and_a_new_epsilon_starts_from_the_one_before():
    rows = some_rows(30, 20)
    cells = ((8.0, 2), (8.0, 5), (8.0, 8), (4.0, 5))
    seen = list(wang_xu_sparse.colon_rows(rows, 2, 1.5, 2, cells))
    assert [(row.epsilon, row.s) for _, row, _, _ in seen] == 2 * list(cells)
    assert all(
        len(row.errors) == 2 and max(row.errors) <= largest_distance(2) for _, row, _, _ in seen
    )
    assert all(row.columns == [2, 2] for _, row, _, _ in seen if row.s == 2)
    one = wang_xu_sparse.Reports(rows.T @ rows / 30, 30, 2, 0)
    held = wang_xu_sparse.cold_start(one.average(8.0), one.off_diagonal_noise(8.0), 2, 1.5)
    moved = wang_xu_sparse.warm_start(
        held, one.average(4.0), one.off_diagonal_noise(4.0), 2
    ).solution
    fresh = solve(
        one.average(4.0), 2, 1.5 * one.off_diagonal_noise(4.0), tolerance=1e-6, limit=5000
    )
    apart = projector_distance(top_basis(fresh.sparse, 2), top_basis(moved.sparse, 2)[None])
    assert apart[0] < 0.2


@pytest.mark.parametrize("columns", [4, 7, 10])
def test_the_penalty_is_bisected_to_the_number_of_columns(columns):
    rows = some_rows(30, 20)
    one = wang_xu_sparse.Reports(rows.T @ rows / 30, 30, 2, 0)
    average, beside = one.average(4.0), one.off_diagonal_noise(4.0)
    start = wang_xu_sparse.cold_start(average, beside, 2, 1.5)
    found, rounds = wang_xu_sparse.for_columns(start, average, beside, 2, columns)
    on_a_grid = [
        wang_xu_sparse.chosen(
            wang_xu_sparse.cold_start(average, beside, 2, multiple).solution, 2
        ).columns
        for multiple in np.linspace(0.5, 2.5, 41)
    ]
    nearest = min(abs(used - columns) for used in on_a_grid)
    assert abs(wang_xu_sparse.chosen(found.solution, 2).columns - columns) <= nearest + 1
    assert rounds > 0


# --- The output ---


def test_panels_print_every_setting(capsys):
    wang_xu.panel("n", [TINY, TINY._replace(n=120)], (SPARSE, LOCAL), 2)
    wang_xu.panel("ε", [TINY._replace(epsilon=0.25)], (LOCAL, SAMPLE), 2)
    printed = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in printed if line] == ["n", "60", "120", "ε", "0.25"]
    assert printed[1].split()[-1] == f"{largest_distance(TINY.k):.3f}"
    assert printed[1].split()[-2] == f"{random_distance(TINY.p, TINY.k):.3f}"
