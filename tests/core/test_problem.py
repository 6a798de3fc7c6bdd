"""What a problem accepts, what it refuses and how it says so."""

import pickle

import numpy as np
import pytest

from dpca_core import MECHANISMS, Adjacency, Budget, Problem

ROWS = np.random.default_rng(0).uniform(-0.5, 0.5, (30, 4))


def test_moment_and_spectrum():
    problem = Problem.from_rows(ROWS, 2)
    naive = sum(np.outer(x, x) for x in ROWS)
    np.testing.assert_allclose(problem.moment, naive, rtol=0, atol=1e-12)
    assert (problem.n, problem.k, problem.d) == (30, 2, 4)
    values = np.sort(np.linalg.eigvals(naive).real)[::-1]
    np.testing.assert_allclose(problem.spectrum, values, rtol=1e-12)
    assert problem.gap == pytest.approx(values[1] - values[2], rel=1e-12)
    for i in range(4):
        v = problem.eigenvectors[:, i]
        np.testing.assert_allclose(naive @ v, values[i] * v, atol=1e-12)
    np.testing.assert_array_equal(problem.basis, problem.eigenvectors[:, :2])


def test_one_person_counts_once():
    full = Problem.from_rows([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]], 1)
    np.testing.assert_array_equal(full.spectrum, [2.0, 1.0])
    assert full.gap == 1.0


def test_from_moment_is_from_rows():
    rows = Problem.from_rows(ROWS, 3)
    again = Problem.from_moment(ROWS.T @ ROWS, 30, 3)
    np.testing.assert_array_equal(rows.moment, again.moment)


def test_a_problem_keeps_its_own_copy():
    moment = ROWS.T @ ROWS
    problem = Problem.from_moment(moment, 30, 2)
    before = problem.moment.copy()
    moment[:] = 0
    np.testing.assert_array_equal(problem.moment, before)


def test_other_k():
    problem = Problem.from_rows(ROWS, 2)
    other = problem.with_k(3)
    assert (other.k, other.n, problem.k) == (3, 30, 2)
    assert other.gap == pytest.approx(problem.spectrum[2] - problem.spectrum[3])
    assert other.basis.shape == (4, 3)


def test_what_is_remembered_of_the_data_goes_with_them():
    asked = []

    def work(number):
        asked.append(number)
        return number + 1

    problem = Problem.from_moment(np.diag([3.0, 2.0, 1.0]), 10, 1)
    other = Problem.from_moment(np.diag([3.0, 2.0, 1.0]), 10, 1)
    again = [problem, problem.with_k(2), problem.scaled(100.0), other]
    assert [p.remembered(work)(5) for p in again] == [6] * 4
    assert asked == [5, 5]
    copied = pickle.loads(pickle.dumps(problem))
    assert copied.spectrum == pytest.approx(problem.spectrum)
    assert copied.remembered(work)(5) == 6
    assert asked == [5, 5, 5]


def test_more_people_scale_the_spectrum():
    problem = Problem.from_rows(ROWS, 2)
    larger = problem.scaled(300)
    np.testing.assert_allclose(larger.moment, 10 * problem.moment)
    np.testing.assert_allclose(larger.spectrum, 10 * problem.spectrum)
    np.testing.assert_array_equal(larger.basis, problem.basis)
    assert larger.n == 300
    assert larger.gap == pytest.approx(10 * problem.gap)
    fresh = Problem.from_moment(larger.moment, 300, 2)
    np.testing.assert_allclose(fresh.spectrum, larger.spectrum)


def test_rounding_is_forgiven():
    unit = np.array([[1 + 5e-10, 0.0], [0.0, 1.0]])
    assert Problem.from_rows(unit, 1).n == 2
    moment = ROWS.T @ ROWS
    moment[0, 1] += 1e-12
    problem = Problem.from_moment(moment, 30, 2)
    np.testing.assert_array_equal(problem.moment, problem.moment.T)


def test_rows_of_zeros():
    problem = Problem.from_rows(np.zeros((3, 2)), 1)
    assert problem.gap == 0


BAD_ROWS = [
    (np.zeros(3), 1, r"Rows must be a table \(n, d\) with n ≥ 1, not shape \(3,\)\."),
    (np.zeros((0, 3)), 1, r"Rows must be a table \(n, d\) with n ≥ 1, not shape \(0, 3\)\."),
    (np.zeros((2, 2, 2)), 1, r"not shape \(2, 2, 2\)\."),
    ([[0.1, np.nan]], 1, r"NaN or infinite values; fill or drop them first\."),
    ([[0.1, np.inf]], 1, r"NaN or infinite values; fill or drop them first\."),
    ([[0.6, 0.9]], 1, r"norm 1\.08167; divide by a public bound and clip rows to norm 1\."),
    ([[1e308, 1e308]], 1, r"norm inf; divide by a public bound"),
    ([[0.5], [0.2]], 1, r"With one column there is no direction to choose; use two or more\."),
    (ROWS, 0, r"k must be a whole number from 1 to 3, not 0\."),
    (ROWS, 4, r"k must be a whole number from 1 to 3, not 4\."),
    (ROWS, -1, r"k must be a whole number from 1 to 3, not -1\."),
    (ROWS, 1.5, r"k must be a whole number from 1 to 3, not 1\.5\."),
    (ROWS, np.nan, r"k must be a whole number from 1 to 3, not nan\."),
    (ROWS, np.inf, r"k must be a whole number from 1 to 3, not inf\."),
]


@pytest.mark.parametrize(("rows", "k", "message"), BAD_ROWS)
def test_bad_rows(rows, k, message):
    with pytest.raises(ValueError, match=message):
        Problem.from_rows(rows, k)


BAD_MOMENTS = [
    (np.zeros(4), 1, 1, r"S must be square, not \(4,\)\."),
    (np.zeros((2, 3)), 1, 1, r"S must be square, not \(2, 3\)\."),
    ([[np.nan, 0], [0, 1]], 1, 1, r"S holds NaN or infinite values\."),
    ([[np.inf, 0], [0, 1]], 1, 1, r"S holds NaN or infinite values\."),
    ([[1.0]], 1, 1, r"With one column there is no direction to choose"),
    (np.eye(3), 3, 3, r"k must be a whole number from 1 to 2, not 3\."),
    (np.eye(3), 0, 1, r"n must be a positive number of people, not 0\."),
    (np.eye(3), -5, 1, r"n must be a positive number of people, not -5\."),
    (np.eye(3), np.nan, 1, r"n must be a positive number of people, not nan\."),
    (np.eye(3), np.inf, 1, r"n must be a positive number of people, not inf\."),
    ([[1, 0.1], [0.2, 1]], 9, 1, r"S is not symmetric\."),
    (np.eye(3), 2, 1, r"S has trace 3 for n = 2 rows; rows must have norm at most 1\."),
    ([[1, 2], [2, 1]], 9, 1, r"S has a negative eigenvalue; it must be a sum of x·xᵀ\."),
]


@pytest.mark.parametrize(("moment", "n", "k", "message"), BAD_MOMENTS)
def test_bad_moments(moment, n, k, message):
    with pytest.raises(ValueError, match=message):
        Problem.from_moment(moment, n, k)


@pytest.mark.parametrize("k", [0, 4, 1.5, np.nan])
def test_bad_other_k(k):
    with pytest.raises(ValueError, match=rf"k must be a whole number from 1 to 3, not {k}\."):
        Problem.from_rows(ROWS, 2).with_k(k)


@pytest.mark.parametrize("n", [0, -1, np.nan, np.inf])
def test_bad_scale(n):
    with pytest.raises(ValueError, match=rf"n must be a positive number of people, not {n}\."):
        Problem.from_rows(ROWS, 2).scaled(n)


@pytest.mark.parametrize("epsilon", [0, -1, float("nan"), float("inf")])
def test_bad_epsilon(epsilon):
    with pytest.raises(ValueError, match=rf"ε must be a positive number, not {epsilon}\."):
        Budget(epsilon)


@pytest.mark.parametrize("delta", [-0.1, 1, 1.5, float("nan"), float("inf")])
def test_bad_delta(delta):
    with pytest.raises(ValueError, match=rf"δ must be at least 0 and below 1, not {delta}\."):
        Budget(1, delta)


def test_bad_neighbours():
    with pytest.raises(ValueError, match=r"Neighbours must be one of .*replace_one.*, not swap\."):
        Budget(1, 0, "swap")


def test_budget_defaults():
    assert Budget(1.0) == Budget(1.0, 0.0, Adjacency.ADD_OR_REMOVE_ONE)


def test_from_a_spectrum_and_eigenvectors():
    whole = Problem.from_rows(ROWS, 2)
    again = Problem.from_spectrum(whole.spectrum, 30, 2, whole.eigenvectors)
    np.testing.assert_allclose(again.moment, whole.moment, rtol=0, atol=1e-12)
    np.testing.assert_array_equal(again.spectrum, whole.spectrum)
    np.testing.assert_array_equal(again.basis, whole.basis)
    assert (again.n, again.k, again.d, again.gap) == (30, 2, 4, whole.gap)


def test_from_a_spectrum_alone_what_is_unknown_is_nan():
    problem = Problem.from_spectrum([5.0, 5.0, 1.0], 40, 2)
    assert (problem.d, problem.gap) == (3, 4.0)
    assert problem.moment.shape == problem.eigenvectors.shape == (3, 3)
    assert np.isnan(problem.moment).all()
    assert np.isnan(problem.basis).all()
    assert problem.with_k(1).gap == 0
    np.testing.assert_array_equal(problem.scaled(80).spectrum, [10, 10, 2])
    same = pickle.loads(pickle.dumps(problem))
    np.testing.assert_array_equal(same.spectrum, problem.spectrum)


def test_a_spectrum_alone_calibrates_as_the_data_do():
    """What reads nothing but the spectrum needs nothing else."""
    whole, budget = Problem.from_rows(ROWS, 2), Budget(1.0, 1e-3)
    spectrum = Problem.from_spectrum(whole.spectrum, 30, 2)
    for key in ("gaussian", "smooth_gaussian", "smooth_cauchy", "wishart"):
        mechanism = MECHANISMS[key]
        assert mechanism.calibrate(spectrum, budget) == mechanism.calibrate(whole, budget)


def test_a_spectrum_is_copied():
    values = np.array([3.0, 2.0, 1.0])
    problem = Problem.from_spectrum(values, 10, 1)
    values[:] = 0
    assert problem.gap == 1.0


@pytest.mark.parametrize(
    ("spectrum", "n", "k", "message"),
    [
        ([1.0, 2.0], 10, 1, "must be descending"),
        ([3.0, -2.0], 10, 1, "negative eigenvalue"),
        ([2.0, np.nan], 10, 1, "finite eigenvalues"),
        ([[2.0, 1.0]], 10, 1, "finite eigenvalues"),
        ([2.0, 1.0], 0, 1, "positive number of people, not 0"),
        ([2.0, 1.0], 10, 2, "from 1 to 1, not 2"),
        (["a", "b"], 10, 1, "must be a table of real numbers"),
    ],
)
def test_what_is_no_spectrum(spectrum, n, k, message):
    with pytest.raises(ValueError, match=message):
        Problem.from_spectrum(spectrum, n, k)
