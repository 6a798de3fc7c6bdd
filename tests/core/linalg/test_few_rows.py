"""Sums of few rows, decomposed by the rows: against eigenvectors of the whole matrix."""

import numpy as np
import pytest

from dpca_core import Problem
from dpca_core.data.dataset import Dataset
from dpca_core.linalg.few_rows import COLUMNS_A_ROW, eigh_of_few
from dpca_core.linalg.symmetric import eigh_descending


def some_rows(count, d):
    rows = np.random.default_rng(3).standard_normal((count, d)) * 0.8 ** np.arange(d)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.mark.parametrize("kind", ["general", "repeated", "zero", "none"])
def test_it_is_the_decomposition_of_the_sum(kind):
    d, rows = 50, some_rows(5, 50)
    repeated = np.repeat(rows[:1], 5, axis=0)
    rows = {"general": rows, "repeated": repeated, "zero": 0 * rows, "none": rows[:0]}[kind]
    values, vectors = eigh_of_few(rows, 0.5)
    moment = 0.5 * rows.T @ rows
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(d), atol=1e-13)
    np.testing.assert_allclose((vectors * values) @ vectors.T, moment, atol=1e-13)
    np.testing.assert_allclose(values, eigh_descending(moment)[0], atol=1e-13)
    assert (values >= 0).all()
    assert (np.diff(values) <= 0).all()


@pytest.mark.parametrize("few", [True, False])
def test_a_table_with_few_rows_has_the_same_problem(few, monkeypatch):
    """Only where there are eight columns for each row, and then nothing of d columns is solved."""
    count = 6
    d = COLUMNS_A_ROW * count - (0 if few else 1)
    rows, asked = some_rows(count, d), []
    data = Dataset("few", "Few", "Few", rows, tuple(f"c{j}" for j in range(d)), rows_per_person=2)
    whole = Problem.from_moment(rows.T @ rows / 2, count, 3)

    def solved(symmetric):
        asked.append(len(symmetric))
        return eigh_descending(symmetric)

    monkeypatch.setattr("dpca_core.problem.eigh_descending", solved)
    for problem in (data.problem(3), data.problem(3, 2.0 * count)):
        np.testing.assert_allclose(problem.spectrum * count / problem.n, whole.spectrum, atol=1e-12)
        assert np.abs(problem.basis.T @ whole.basis).round(9).trace() == pytest.approx(3)
    assert asked == ([] if few else [d])
