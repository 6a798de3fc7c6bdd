"""What the average makes of a direction, by the mean of the rows and as measured apart."""

from dataclasses import replace

import numpy as np
import pytest

from dpca_core.data.mean_direction import MOSTLY, offset_shares
from sample_data import load_key


@pytest.mark.parametrize(
    ("key", "shares"), [("rand", (0.0, 0.21, 0.09, 0.02)), ("digits", (0.99,)), ("wine", (0.67,))]
)
def test_the_average_has_its_share_of_a_direction(key, shares):
    data, k = load_key(key), len(shares)
    found, problem = offset_shares(data, k), data.problem(k)
    means = problem.basis.T @ data.rows.mean(axis=0)
    np.testing.assert_allclose(found, len(data.rows) * means**2 / problem.spectrum[:k], rtol=1e-9)
    np.testing.assert_allclose(found, shares, atol=0.006)
    assert (found[0] >= MOSTLY) == (key != "rand")


def test_rows_that_say_nothing_of_the_average():
    data = load_key("wine")
    several = replace(data, rows_per_person=3, people=len(data.rows) // 3)
    np.testing.assert_allclose(offset_shares(several, 1), offset_shares(data, 1), rtol=1e-9)
    assert offset_shares(replace(data, summed=data.moment, rows=data.rows[:0]), 1) is None
    assert offset_shares(replace(data, mean_share=0.1), 1) is None
    flat = replace(data, rows=np.outer(np.linspace(0.1, 0.9, 50), np.eye(13)[0]), people=50)
    assert np.isnan(offset_shares(flat, 2)[1])
