"""What a problem and a budget accept, what they refuse and how they say so."""

import pickle
import re
from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse

from dpca_core import Budget, Problem
from dpca_core.data.dataset import Dataset
from dpca_core.privacy.budget import LEAST_DELTA, LEAST_EPSILON, MOST_EPSILON
from tests.hostile.one_sentence import require_sentence

ROWS = np.random.default_rng(0).uniform(-0.5, 0.5, (30, 4))
PROBLEM = Problem.from_rows(ROWS, 2)


def test_moment_and_spectrum_are_its_own_copies():
    rows = ROWS.copy()
    problem = Problem.from_rows(rows, 2)
    rows[:] = 0
    naive = sum(np.outer(x, x) for x in ROWS)
    np.testing.assert_allclose(problem.moment, naive, rtol=0, atol=1e-12)
    assert (problem.n, problem.k, problem.d) == (30, 2, 4)
    values = np.sort(np.linalg.eigvals(naive).real)[::-1]
    np.testing.assert_allclose(problem.spectrum, values, rtol=1e-12)
    assert problem.gap == pytest.approx(values[1] - values[2], rel=1e-12)
    turned = problem.eigenvectors.T @ naive @ problem.eigenvectors
    np.testing.assert_allclose(turned, np.diag(values), atol=1e-12)
    np.testing.assert_array_equal(problem.basis, problem.eigenvectors[:, :2])


@pytest.mark.parametrize("kind", ["general", "repeated", "zero", "none"])
def test_few_rows_are_decomposed_by_themselves_to_the_same_problem(kind, monkeypatch):
    """Eight columns for each row: nothing of d columns is solved, at any n and k."""
    rows = np.random.default_rng(3).standard_normal((6, 50)) * 0.8 ** np.arange(50) / 3
    repeated = np.repeat(rows[:1], 6, axis=0)
    rows = {"general": rows, "repeated": repeated, "zero": 0 * rows, "none": rows[:0]}[kind]
    whole = Problem.from_moment(rows.T @ rows / 2, 6, 3)
    monkeypatch.setattr("dpca_core.problem.eigh_descending", None)
    data = Dataset("few", "Few", rows, (), rows_per_person=2, people=6)
    for problem in (data.problem(3), data.problem(3, 12.0)):
        of_rows = problem.row_weight * problem.rows.T @ problem.rows
        np.testing.assert_allclose(of_rows, problem.moment, atol=1e-12)
        values, vectors = problem.spectrum * 6 / problem.n, problem.eigenvectors
        np.testing.assert_allclose(vectors.T @ vectors, np.eye(50), atol=1e-13)
        np.testing.assert_allclose((vectors * values) @ vectors.T, whole.moment, atol=1e-13)
        np.testing.assert_allclose(values, whole.spectrum, atol=1e-12)
        assert (np.diff(values) <= 0).all()


def test_other_people_and_directions_share_the_eigenvectors_and_what_they_are_judged_by():
    judged = replace(PROBLEM, truth=Problem.from_rows(ROWS / 2, 2), reference=PROBLEM)
    changed = judged.scaled(300).with_k(3)
    assert changed.eigenvectors is judged.eigenvectors
    np.testing.assert_allclose(changed.moment, 10 * PROBLEM.moment)
    np.testing.assert_allclose(changed.spectrum, 10 * PROBLEM.spectrum)
    assert changed.row_weight == pytest.approx(10)
    for problem in (changed, changed.true_problem, changed.reference_problem):
        assert (problem.n, problem.k) == (300, 3)
    np.testing.assert_allclose(changed.true_problem.moment, 2.5 * PROBLEM.moment)
    assert not changed.judges_itself
    assert PROBLEM.judges_itself
    assert PROBLEM.reference_problem is PROBLEM.true_problem is PROBLEM


def test_rows_are_neither_printed_nor_sent_and_what_is_remembered_is_of_the_same_data():
    """It is shared by all k and n, and by nobody else."""
    data = Dataset("upload:x", "x", ROWS, tuple("abcd"))
    assert repr(PROBLEM) == "Problem(d=4, k=2, n=30)"
    assert repr(data) == "Dataset(d=4, n=30)"
    problem, other = (Problem.from_rows(ROWS, 1) for _ in range(2))
    sent = pickle.loads(pickle.dumps(problem))
    assert sent.rows is None
    np.testing.assert_array_equal(sent.spectrum, problem.spectrum)
    asked = []
    work = asked.append
    for each in (problem, problem.with_k(2), problem.scaled(100.0), other, sent):
        each.remembered(work)(5)
    assert asked == [5, 5, 5]


@pytest.mark.parametrize(
    ("make", "arguments", "message"),
    [
        (Problem.from_rows, (np.zeros(3), 1), "table (n, d) with n ≥ 1, not shape (3,)."),
        (Problem.from_rows, ([["1", "0"], ["0", "1"]], 1), "Rows must be a table of real numbers."),
        (Problem.from_rows, (scipy.sparse.eye_array(2), 1), "a table of real numbers."),
        (Problem.from_rows, ([[0.1, np.nan]], 1), "NaN or infinite values; fill or drop them"),
        (Problem.from_rows, ([[0.6, 0.9]], 1), "norm 1.08167; divide by a public bound and clip"),
        (Problem.from_moment, ([[np.inf, 0], [0, 1]], 1, 1), "S holds NaN or infinite values."),
        (Problem.from_moment, ([[1, 0.1], [0.2, 1]], 9, 1), "S is not symmetric."),
        (Problem.from_moment, (np.eye(3), 2, 1), "S has trace 3 for n = 2 rows; rows must have"),
        (Problem.from_moment, ([[1, 2], [2, 1]], 9, 1), "S has a negative eigenvalue; S must be"),
        (Problem.from_moment, (np.eye(3), "9", 1), "a positive number of people, not '9'."),
        (Problem.from_spectrum, ([1.0, 2.0], 10, 1), "must be descending"),
        (Problem.from_spectrum, ([2.0, np.nan], 10, 1), "finite eigenvalues"),
        (Problem.from_spectrum, ([3.0, -2.0], 1, 1), "The spectrum has a negative eigenvalue"),
        *((PROBLEM.scaled, (n,), f"number of people, not {n!r}") for n in (0, np.nan, np.inf)),
        *((PROBLEM.with_k, (k,), f"from 1 to 4, not {k!r}") for k in (0, 5, 1.5, np.nan, "2")),
    ],
)
def test_what_is_no_problem_is_refused_in_one_sentence(make, arguments, message):
    with pytest.raises(ValueError, match=re.escape(message)) as said:
        make(*arguments)
    require_sentence(said.value)


NO_EPSILON = [5e-324, LEAST_EPSILON / 2, 2 * MOST_EPSILON, 0, -1, np.nan, np.inf, "1", None]
NO_DELTA = [5e-324, float(LEAST_DELTA) / 2, 1, 1.5, -0.1, np.nan, "0", None]


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        *(("ε", (wrong,)) for wrong in NO_EPSILON),
        *(("δ", (1.0, wrong)) for wrong in NO_DELTA),
        ("adjacency", (1, 0, "swap")),
    ],
)
def test_an_absurd_budget_is_refused_in_one_sentence(name, settings):
    with pytest.raises(ValueError, match=rf"^{name}( \(\w+\))? must be ") as said:
        Budget(*settings)
    require_sentence(said.value)
