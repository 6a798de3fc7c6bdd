"""What a problem accepts, what it refuses and how it says so."""

import pickle

import numpy as np
import pytest

from dpca_core import MECHANISMS, Budget, Problem
from dpca_core.privacy.budget import LEAST_DELTA, LEAST_EPSILON, MOST_EPSILON
from tests.hostile.one_sentence import require_sentence

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


def test_a_problem_keeps_its_own_copy():
    moment, values = ROWS.T @ ROWS, np.array([3.0, 2.0, 1.0])
    problem, spectrum = Problem.from_moment(moment, 30, 2), Problem.from_spectrum(values, 10, 1)
    np.testing.assert_allclose(problem.moment, Problem.from_rows(ROWS, 3).moment, atol=1e-14)
    moment[:] = 0
    values[:] = 0
    assert problem.moment.any()
    assert spectrum.gap == 1


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


def test_rounding_is_forgiven():
    unit = np.array([[1 + 5e-10, 0.0], [0.0, 1.0]])
    assert Problem.from_rows(unit, 1).n == 2
    moment = ROWS.T @ ROWS
    moment[0, 1] += 1e-12
    problem = Problem.from_moment(moment, 30, 2)
    np.testing.assert_array_equal(problem.moment, problem.moment.T)


BAD_ROWS = [
    (np.zeros(3), 1, r"Rows must be a table \(n, d\) with n ≥ 1, not shape \(3,\)\."),
    (np.zeros((0, 3)), 1, r"Rows must be a table \(n, d\) with n ≥ 1, not shape \(0, 3\)\."),
    ([[0.1, np.nan]], 1, r"NaN or infinite values; fill or drop them first\."),
    ([[0.6, 0.9]], 1, r"norm 1\.08167; divide by a public bound and clip rows to norm 1\."),
    ([[1e308, 1e308]], 1, r"norm inf; divide by a public bound"),
    ([[0.5], [0.2]], 1, r"With one column there is no direction to choose; use two or more\."),
]
BAD_MOMENTS = [
    (np.zeros((2, 3)), 1, 1, r"S must be square, not \(2, 3\)\."),
    ([[np.inf, 0], [0, 1]], 1, 1, r"S holds NaN or infinite values\."),
    ([[1.0]], 1, 1, r"With one column there is no direction to choose"),
    ([[1, 0.1], [0.2, 1]], 9, 1, r"S is not symmetric\."),
    (np.eye(3), 2, 1, r"S has trace 3 for n = 2 rows; rows must have norm at most 1\."),
    ([[1, 2], [2, 1]], 9, 1, r"S has a negative eigenvalue; it must be a sum of x·xᵀ\."),
]
BAD_SPECTRA = [
    ([1.0, 2.0], 10, 1, "must be descending"),
    ([2.0, np.nan], 10, 1, "finite eigenvalues"),
    ([[2.0, 1.0]], 10, 1, "finite eigenvalues"),
    ([3.0, -2.0], 10, 1, "negative eigenvalue"),
    ([2.0, 1.0], 0, 1, "positive number of people, not 0"),
    ([2.0, 1.0], 10, 2, "from 1 to 1, not 2"),
    (["a", "b"], 10, 1, "must be a table of real numbers"),
]


@pytest.mark.parametrize(
    ("make", "arguments", "message"),
    [
        *((Problem.from_rows, bad[:-1], bad[-1]) for bad in BAD_ROWS),
        *((Problem.from_moment, bad[:-1], bad[-1]) for bad in BAD_MOMENTS),
        *((Problem.from_spectrum, bad[:-1], bad[-1]) for bad in BAD_SPECTRA),
    ],
)
def test_what_is_no_problem_is_refused(make, arguments, message):
    with pytest.raises(ValueError, match=message):
        make(*arguments)


@pytest.mark.parametrize("k", [0, 4, -1, 1.5, np.nan, np.inf])
def test_k_is_a_whole_number_below_the_columns(k):
    asks = (
        lambda: Problem.from_rows(ROWS, k),
        lambda: Problem.from_moment(ROWS.T @ ROWS, 30, k),
        lambda: Problem.from_rows(ROWS, 2).with_k(k),
    )
    for ask in asks:
        with pytest.raises(ValueError, match=rf"k must be a whole number from 1 to 3, not {k}\."):
            ask()


@pytest.mark.parametrize("n", [0, -1, np.nan, np.inf])
def test_people_are_a_positive_number(n):
    for ask in (
        lambda: Problem.from_moment(np.eye(3), n, 1),
        lambda: Problem.from_rows(ROWS, 2).scaled(n),
    ):
        with pytest.raises(ValueError, match=rf"n must be a positive number of people, not {n}\."):
            ask()


ABSURD = [5e-324, LEAST_EPSILON / 2, 2 * MOST_EPSILON, 1e300, 0, -1, float("nan"), float("inf")]


@pytest.mark.parametrize("epsilon", ABSURD)
def test_an_absurd_epsilon_is_refused_in_one_sentence(epsilon):
    with pytest.raises(ValueError, match=r"^ε must be ") as said:
        Budget(epsilon)
    require_sentence(said.value)


@pytest.mark.parametrize("delta", [5e-324, float(LEAST_DELTA) / 2, 1, 1.5, -0.1, float("nan")])
def test_an_absurd_delta_is_refused_in_one_sentence(delta):
    with pytest.raises(ValueError, match=r"^δ must be ") as said:
        Budget(1.0, delta)
    require_sentence(said.value)


def test_bad_neighbours():
    with pytest.raises(ValueError, match=r"Neighbours must be one of .*replace_one.*, not swap\."):
        Budget(1, 0, "swap")


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
