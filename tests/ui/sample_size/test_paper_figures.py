"""Data of the papers, prepared as they say, give the numbers that they print."""

import numpy as np
import pandas as pd
import pytest

from benchmarks.kdd import FILE, kddcup, prepared
from dpca_core import Problem
from tests.real_data import path_of


def test_rows_are_prepared_as_the_paper_says():
    """By hand: texts one-hot, numbers over their maxima, empty columns left out, then one norm."""
    table = pd.DataFrame(
        {
            "protocol_type": pd.Categorical(["tcp", "udp", "tcp"], ["icmp", "tcp", "udp"]),
            "service": pd.Categorical(["http"] * 3),
            "flag": pd.Categorical(["SF", "SF", "S0"]),
            "src_bytes": [2, 8, 4],
            "urgent": [0, 0, 0],
            "label": ["normal."] * 3,
        }
    )
    # tcp, udp, http, S0, SF, src_bytes; the second row is the longest: 1 + 1 + 1 + 1.
    expected = np.array([[1, 0, 1, 0, 1, 0.25], [0, 1, 1, 0, 1, 1], [1, 0, 1, 1, 0, 0.5]]) / 2
    np.testing.assert_allclose(prepared(table), expected)


@pytest.mark.skipif(
    path_of(FILE) is None,
    reason=f"the KDD Cup data are not part of the project: put {FILE} into a folder and name it "
    "in DPCA_DATA to compare with the numbers that the paper prints",
)
def test_kdd_cup_has_the_spectrum_that_chaudhuri_prints():
    rows = kddcup()
    assert rows.shape == (494_021, 116)
    problem = Problem.from_moment(rows.T @ rows, len(rows), 4)
    kept = problem.spectrum[:4].sum()
    assert f"{kept / len(rows):.4f}" == "0.6655"
    assert f"{kept / problem.spectrum.sum():.3f}" == "0.960"
