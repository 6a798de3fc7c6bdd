"""Nothing that a mechanism answers has changed since the table was written."""

import numpy as np
import pandas as pd

from tests.golden.table import FILE, table

TOLERANCE = {"captured": 1e-6}
"""Eigenvectors of S + noise are rounded otherwise by other processors. All else is decided by the
spectrum and the budget, which no BLAS computes: to the 15 digits written, less a few of rounding in
special functions."""


def test_numbers_and_texts_are_those_written():
    written, now = pd.read_csv(FILE), table()
    assert list(now.columns) == list(written.columns)
    assert len(now) == len(written)
    for column in now:
        if written[column].dtype.kind == "f":
            found, expected = now[column].astype(float), written[column]
            tolerance = TOLERANCE.get(column, 1e-11)
            np.testing.assert_allclose(found, expected, rtol=tolerance, err_msg=column)
        else:
            assert list(now[column].dropna()) == list(written[column].dropna()), column
