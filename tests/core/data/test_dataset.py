"""Data sets: rows about a private mean, their identity, and what the average makes of them."""

from dataclasses import replace

import numpy as np
import pytest

from dpca_core import Budget
from dpca_core.data.dataset import Dataset
from dpca_core.data.mean_direction import MOSTLY, offset_shares
from dpca_core.data.recipe import RowLength
from sample_data import load_key


def data_set(rows, **more):
    return Dataset("x", "x", "x", np.array(rows, float), tuple("abcd"[: len(rows[0])]), **more)


@pytest.mark.parametrize("length", RowLength)
def test_a_centred_row_is_brought_back_to_the_ball(length):
    """One person far from the others is nearly 2 from their mean, and counts as 1."""
    data = data_set([[1, 0]] * 50 + [[-1, 0], [0, 1]], mean_share=0.5, row_length=length)
    for budget in (Budget(0.01), Budget(1.0, 1e-6), Budget(1e6, 1e-2)):
        problem = data.problem(1, None, budget, seed=3)
        assert np.linalg.norm(problem.rows, axis=1).max() <= 1 + 1e-12
        assert np.trace(problem.moment) <= data.people + 1e-9
    assert np.linalg.norm(problem.rows[-2]) == pytest.approx(1)
    truth = data.true_problem(1).moment
    assert np.trace(truth) <= data.people + 1e-9
    if length is RowLength.AT_MOST_R:
        mean = data.rows.mean(axis=0)
        own = [(row - mean) / max(np.linalg.norm(row - mean), 1) for row in data.rows]
        assert truth == pytest.approx(np.einsum("ni,nj->ij", own, own))


def test_the_identity_of_public_data_names_content_and_that_of_private_data_is_random():
    public = data_set(np.eye(3), public=True)
    assert replace(public, key="y").identity == public.identity
    for other in ({"rows": np.eye(3) / 2}, {"columns": ("a", "b", "d")}):
        assert replace(public, **other).identity != public.identity
    private = [replace(public, key="") for _ in range(50)]
    assert len({data.identity for data in private}) == 50
    assert all(data.identity == data.key and len(data.key) > 32 for data in private)


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


def test_rows_that_say_nothing_or_little_of_the_average():
    data = load_key("wine")
    several = replace(data, rows_per_person=3, people=len(data.rows) // 3)
    np.testing.assert_allclose(offset_shares(several, 1), offset_shares(data, 1), rtol=1e-9)
    assert offset_shares(replace(data, summed=data.moment, rows=data.rows[:0]), 1) is None
    assert offset_shares(replace(data, mean_share=0.1), 1) is None
    flat = data_set(np.outer(np.linspace(0.1, 0.9, 50), np.eye(3)[0]))
    assert np.isnan(offset_shares(flat, 2)[1])
    little = data_set([[sign, 1e-9, 0.0] for sign in (0.5, -0.5)] * 20)
    np.testing.assert_allclose(offset_shares(little, 2), [0, 1], atol=1e-12)
