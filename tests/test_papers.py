"""Data of the papers, prepared as they say, give the numbers that they print."""

import pytest

from benchmarks.kdd import FILE, kddcup
from dpca_core import Problem
from tests.real_data import path_of


@pytest.mark.skipif(path_of(FILE) is None, reason=f"{FILE} is in no folder named by DPCA_DATA")
def test_kdd_cup_has_the_spectrum_that_chaudhuri_prints():
    rows = kddcup()
    assert rows.shape == (494_021, 116)
    problem = Problem.from_moment(rows.T @ rows, len(rows), 4)
    kept = problem.spectrum[:4].sum()
    assert f"{kept / len(rows):.4f}" == "0.6655"
    assert f"{kept / problem.spectrum.sum():.3f}" == "0.960"
