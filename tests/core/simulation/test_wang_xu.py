"""Wang & Xu's experiments run again at tiny sizes: their designs, errors, and papers/wang_xu.py."""

from math import inf, sqrt

import numpy as np
import pytest

from dpca_core import MECHANISMS, Budget, Problem
from dpca_core.linalg.symmetric import orthonormal
from dpca_core.mechanisms.local import reports
from dpca_core.metrics import largest_distance, projector_distance, random_distance
from dpca_core.simulation.draws import trial_generator
from dpca_core.simulation.wang_xu import (
    DENSE_K,
    SPARSE_S,
    dense_design,
    sample_moment,
    sparse_design,
    spiked_eigenvalues,
)
from dpca_core.simulation.wang_xu_errors import printed_errors, random_errors
from dpca_core.sparse.fantope import objective, solve
from dpca_core.sparse.sparse_pca import support
from papers import wang_xu, wang_xu_runs, wang_xu_sparse
from papers.wang_xu_runs import LOCAL, PRINTED, SAMPLE, SPARSE, SPARSE_SAMPLE, Setting
from tests.cases import sampled

TINY = Setting(60, 8, 2, 4, 1.0)

# --- The designs ---


@pytest.mark.parametrize("columns", sampled(SPARSE_S, 9, "the same with more columns"))
def test_the_sparse_design_is_as_printed(columns):
    drawn, again = (sparse_design(2000, 400, 10, columns, seed=columns) for _ in range(2))
    assert drawn.rows.shape == (2000, 400)
    assert drawn.clipped == 0
    assert drawn.support.sum() == columns
    np.testing.assert_allclose(drawn.directions.T @ drawn.directions, np.eye(10), atol=1e-12)
    assert not drawn.directions[~drawn.support].any()
    np.testing.assert_allclose(again.rows, drawn.rows, rtol=1e-12)


@pytest.mark.chance(1e-7)
@pytest.mark.parametrize("k", sampled(DENSE_K, 9, "the same with more directions"))
def test_rows_have_the_covariance_printed(k):
    """λ = 1: k eigenvalues 1/5p and p − k of 1/10p; 820 entries within 7 standard errors."""
    n, p = 100_000, 40
    drawn = dense_design(n, p, k, seed=k)
    assert drawn.clipped == 0
    assert drawn.support.all()
    v = drawn.directions
    expected = v @ v.T / (10 * p) + np.eye(p) / (10 * p)
    values = np.linalg.eigvalsh(expected)[::-1]
    np.testing.assert_allclose(values, spiked_eigenvalues(p, k), rtol=1e-11)
    found = drawn.rows.T @ drawn.rows / n
    variance = expected**2 + np.outer(np.diag(expected), np.diag(expected))
    assert (np.abs(found - expected) < 7 * np.sqrt(variance / n)).all()


def test_long_rows_are_shortened_and_counted():
    drawn = dense_design(5000, 2, 1, strength=1, seed=1)
    lengths = np.linalg.norm(drawn.rows, axis=1)
    assert lengths.max() <= 1 + 1e-12
    assert drawn.clipped == pytest.approx((lengths > 1 - 1e-12).mean())
    assert drawn.clipped > 0


@pytest.mark.parametrize(("p", "k", "columns"), [(5, 5, 5), (5, 0, 3), (5, 3, 2), (5, 2, 6)])
def test_designs_that_cannot_be(p, k, columns):
    with pytest.raises(ValueError, match="Take 1 ≤ k ≤ columns used ≤ p and k < p"):
        sparse_design(10, p, k, columns)


# --- Errors, random baseline, ceiling ---


def test_the_error_is_the_distance_of_projectors_and_has_a_ceiling():
    frames = orthonormal(np.random.default_rng(0).standard_normal((20, 9, 3)))
    brute = [np.linalg.norm(frame @ frame.T - frames[0] @ frames[0].T) for frame in frames]
    np.testing.assert_allclose(projector_distance(frames[0], frames), brute, atol=1e-7)
    truth, other = np.eye(6)[:, :3], np.eye(6)[:, 3:]
    assert projector_distance(truth, other[None]) == pytest.approx(largest_distance(3))
    assert max(brute) <= largest_distance(3)


@pytest.mark.chance(1e-7)
@pytest.mark.parametrize(("d", "k"), [(6, 1), (9, 2)])
def test_random_directions_have_the_error_that_is_printed_beside(d, k):
    """The mean square of 5000 within 6 standard errors."""
    frames = orthonormal(np.random.default_rng(1).standard_normal((5000, d, k)))
    squares = projector_distance(np.eye(d)[:, :k], frames) ** 2
    assert abs(squares.mean() - random_distance(d, k) ** 2) < 6 * squares.std() / sqrt(len(squares))
    low, high = random_errors(40, 5, 0.95)
    assert low < sqrt(2 * 5 * (1 - 5 / 40)) < high < sqrt(10)


def test_one_printed_value_is_above_the_ceiling_and_those_of_colon_are_not():
    assert largest_distance(wang_xu_sparse.K) < wang_xu_sparse.LEUKEMIA_AT_A_TENTH
    assert max(wang_xu_sparse.TABLES_1_AND_2.values()) < largest_distance(wang_xu_sparse.K)


def test_printed_errors_are_those_of_the_mechanism():
    sample, budget = sample_moment(1e7, 12, 3, 12, seed=4), Budget(5.0, 1e-4)
    problem, mechanism = Problem.from_moment(sample.moment, 1e7, 3), MECHANISMS[PRINTED]
    found = printed_errors(1e7, 12, 3, 1.0, budget, runs=1, seed=4)
    stream = trial_generator(4, mechanism.key, 0)
    bases = mechanism.release(problem, budget, stream, 1).bases
    expected = projector_distance(sample.directions, bases)[0]
    assert found.mean == pytest.approx(expected, rel=1e-7)
    assert found.gap == pytest.approx(problem.gap)


@pytest.mark.chance(1e-8)
def test_at_the_printed_setting_it_is_the_error_of_chance():
    """Mean of 20 runs with a standard deviation of .05: seven standard errors."""
    found = printed_errors(1e5, 40, 5, 1.0, Budget(0.5, 1e-4))
    assert found.mean == pytest.approx(2.946, abs=0.08)
    assert found.gap == pytest.approx(250, rel=0.1)
    assert found.noise == pytest.approx(34_000, rel=0.1)
    assert found.mean < sqrt(10)
    strongest = printed_errors(1e5, 40, 5, inf, Budget(0.5, 1e-4))
    assert strongest.gap == pytest.approx(1e5 / 5), "the largest gap there is"
    assert strongest.mean == pytest.approx(2.26, abs=0.1)
    assert printed_errors(1e5, 40, 5, inf, Budget(1e4, 1e-4)).mean < 0.01


# --- Synthetic designs and Covertype ---


def some_rows(n=30, d=12, seed=0):
    rows = np.random.default_rng(seed).standard_normal((n, d)) * np.linspace(2, 0.2, d)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_every_mechanism_of_the_figures_is_measured_and_more_runs_change_none():
    keys = (PRINTED, LOCAL, SPARSE, wang_xu_runs.CENTRAL, SAMPLE, SPARSE_SAMPLE)
    found = wang_xu_runs.measured(TINY, keys, 2)
    assert tuple(found) == keys
    for values in found.values():
        assert values.shape == (2, 3)
        assert ((values[:, 0] > 0) & (values[:, 0] <= largest_distance(TINY.k))).all()
        assert ((values[:, 1:] >= 0) & (values[:, 1:] <= 1)).all()
    more = wang_xu_runs.measured(TINY, (LOCAL,), 3)[LOCAL]
    np.testing.assert_allclose(found[LOCAL], more[:2], rtol=1e-9)
    assert len(np.unique(more[:, 0])) == 3


def test_the_first_reading_is_the_printed_mechanism():
    setting = TINY._replace(columns=8)
    as_printed = wang_xu_runs.reading_errors(wang_xu_runs.READINGS[0], setting, 3)
    released = wang_xu_runs.measured(setting, (PRINTED,), 3)[PRINTED][:, 0]
    np.testing.assert_allclose(as_printed, released, rtol=1e-7)


def test_the_slope_is_that_of_a_power_law_where_the_error_is_low():
    people = [10.0**i for i in range(1, 8)]
    errors = [min(2.9, 30 / sqrt(n)) for n in people]
    assert wang_xu_runs.slope(people, errors, 3.0) == pytest.approx(-0.5)
    assert np.isnan(wang_xu_runs.slope(people, [2.9] * 7, 3.0))


def test_nested_samples_end_with_all_rows_which_without_noise_have_no_error():
    rows = some_rows()
    moment = rows.T @ rows
    first, whole = wang_xu_runs.growing_moments(rows, (10, 30), seed=3)
    np.testing.assert_allclose(whole, moment, atol=1e-12)
    assert np.linalg.eigvalsh(whole - first)[0] > -1e-12
    assert np.trace(first) == pytest.approx(10)
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
    whole, part = (
        solve(some, 2, 1.01 * least, tolerance=1e-8, limit=20_000)
        for some in (moment, moment[np.ix_(kept, kept)])
    )
    assert whole.converged
    assert part.converged
    np.testing.assert_allclose(whole.feasible[np.ix_(kept, kept)], part.feasible, atol=1e-4)
    for columns in (2, 5):
        found = wang_xu_sparse.of_records(moment, 2, columns)
        assert found.columns == support(found.basis).sum() == columns


@pytest.mark.chance(1e-7)
def test_the_average_is_that_of_reports():
    """Entry by entry, 500 averages: variances within 7 standard errors."""
    rows = some_rows(20, 3)
    moment = rows.T @ rows / 20
    rng = np.random.default_rng(7)
    mechanism, budget = MECHANISMS[LOCAL], wang_xu_runs.budget_of(1.0)
    averages = np.array([reports(mechanism, rows, budget, rng).mean(axis=0) for _ in range(500)])
    short = wang_xu_sparse.Reports(moment, 20, 1, 0)
    diagonal = np.eye(3, dtype=bool)
    expected = np.where(diagonal, short.scale(1.0), short.off_diagonal_noise(1.0)) ** 2
    np.testing.assert_allclose(averages.var(axis=0), expected, rtol=7 * sqrt(2 / 500))
    np.testing.assert_allclose(short.average(1.0) - moment, short.scale(1.0) * short.unit)


def test_the_table_has_every_line():
    cells = ((8.0, 2), (8.0, 5), (8.0, 8), (4.0, 5))
    seen = list(wang_xu_sparse.colon_rows(some_rows(30, 20), 2, 1.5, 2, cells))
    assert [(row.epsilon, row.s) for _, row, _, _ in seen] == 2 * list(cells)
    for _, row, _, _ in seen:
        assert len(row.errors) == 2
        assert max(row.errors) <= largest_distance(2)
        assert row.s > 2 or row.columns == [2, 2]


@pytest.mark.parametrize("columns", [4, 10])
def test_the_penalty_is_bisected_to_the_number_of_columns(columns):
    rows = some_rows(30, 20)
    one = wang_xu_sparse.Reports(rows.T @ rows / 30, 30, 2, 0)
    given = one.average(4.0), one.off_diagonal_noise(4.0), 2

    def used(state):
        return wang_xu_sparse.chosen(state.solution, 2).columns

    start = wang_xu_sparse.cold_start(*given, 1.5)
    found, rounds = wang_xu_sparse.for_columns(start, *given, columns)
    grid = [used(wang_xu_sparse.cold_start(*given, m)) for m in np.linspace(0.5, 2.5, 41)]
    nearest = min(abs(there - columns) for there in grid)
    assert abs(used(found) - columns) <= nearest + 1
    assert rounds > 0


def test_panels_print_every_setting(capsys):
    wang_xu.panel("n", [TINY, TINY._replace(n=120)], (SPARSE, LOCAL), 2)
    wang_xu.panel("ε", [TINY._replace(epsilon=0.25)], (LOCAL, SAMPLE), 2)
    printed = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in printed if line] == ["n", "60", "120", "ε", "0.25"]
    assert printed[1].split()[-1] == f"{largest_distance(TINY.k):.3f}"
    assert printed[1].split()[-2] == f"{random_distance(TINY.p, TINY.k):.3f}"
