"""Numbers of the list of errata, computed."""

from itertools import islice
from math import sqrt

import numpy as np
import pytest

from dpca_core.sampling.column_gibbs import sweeps_beside
from papers.store import printed_of
from papers.wang_xu_tables import TABLE_1, even_roots, printed_values
from tests.paths import ROOT

TEXT = (ROOT / "docs" / "errata.md").read_text("utf-8")


def test_every_printed_error_of_imtiaz_is_a_single_run():
    table = printed_of("imtiaz-table-1")
    of_rows = table["value"].to_numpy() * 4000 / 100
    assert len(of_rows) == 30
    assert of_rows == pytest.approx(np.rint(of_rows), abs=1e-9)
    errors = table.set_index(["series", "x"])["value"]
    assert all(errors["SN", x] > errors["SVD", x] for x in range(6))


def test_the_norm_of_sns_noise():
    """Mean of 40 draws at d = 100, ε = 1; standard error 0.8, so 190 to 197 fails never."""
    rng = np.random.default_rng(0)
    norms = [np.linalg.norm(rng.standard_normal((100, 101)), 2) ** 2 / 2 for _ in range(40)]
    assert 190 < np.mean(norms) < 197
    assert (sqrt(100) + sqrt(101)) ** 2 / 2 == pytest.approx(200, rel=0.01)


def test_errors_where_as_many_columns_as_directions_are_used():
    errors = printed_values(TABLE_1)[:, 0]
    assert even_roots(errors).tolist() == [True, True, True, False, False, False]
    assert [f"{e**2:.2f}" for e in errors[3:]] == ["2.08", "8.17", "13.27"]
    assert "2.08, 8.17 and 13.27" in TEXT


def test_the_statistic_of_figure_2_is_one_over_the_steps():
    """A chain that all but stands still: mean of T·F² over 200 chains 1; it fails once in 10⁶.

    T·F² is about χ²(2)/2 in each, so that the standard error is 1/√200 = 0.07.
    """
    weights, steps = np.array([4000.0, 3000.0, 10.0, 5.0, 0.0]), 40
    start = np.eye(5)[:, :2]
    found = []
    for seed in range(200):
        chain = islice(sweeps_beside(weights, start, np.random.default_rng(seed)), steps)
        total = sum(frame.copy() for frame in chain)
        found.append(np.square(total).sum() / 2 / steps)
    assert np.mean(found) == pytest.approx(1, abs=0.35)
