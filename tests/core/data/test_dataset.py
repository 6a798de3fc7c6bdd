"""Rows are brought into ranges and into the ball; data sets of them, and a private mean."""

from dataclasses import replace
from itertools import product
from math import inf, nan, sqrt

import numpy as np
import pytest
from scipy.stats import kstest, laplace, norm

from dpca_core import Adjacency, Budget
from dpca_core.data.clipping import to_ball, to_length_one, to_unit_range
from dpca_core.data.dataset import Dataset
from dpca_core.data.mean_direction import MOSTLY, centring_turn, offset_shares
from dpca_core.data.private_mean import mean_sensitivity, mean_sensitivity_l1, private_mean_of_sum
from dpca_core.data.recipe import RowLength
from dpca_core.privacy.gaussian import gaussian_sigma
from sample_data import load_key


def test_a_row_keeps_its_direction_and_is_shortened_exactly_where_it_is_longer_than_r():
    """At r·(1 ± 10⁻ᵏ): rounding may add a few of the last digits to a length, and nothing more."""
    steps = [*(sign * 10.0**-k for k in range(1, 14) for sign in (-1, 1)), 1e7]
    for d, radius, step in product((1, 2, 50), (1e-300, 0.3, 1.0, 7.0, 1e300), steps):
        directions = to_length_one(np.random.default_rng(d).standard_normal((40, d)))
        clipped = to_ball(directions * (radius * (1 + step)), radius)
        found = np.linalg.norm(clipped.values, axis=1)
        assert found == pytest.approx(np.full(40, min(1 + step, 1.0)), rel=1e-14)
        assert clipped.values == pytest.approx(directions * min(1 + step, 1.0))
        assert clipped.share == (step > 0)
    assert to_ball(np.array([[1.0, 2.0]]), 5.0).values.tolist() == [[0.2, 0.4]]


def test_rows_have_length_1_whatever_their_size_or_become_0():
    rows = np.random.default_rng(0).standard_normal((50, 4))
    for size in (1e-300, 1.0, 1e300):
        found = to_length_one(rows * size)
        assert found == pytest.approx(rows / np.linalg.norm(rows, axis=1, keepdims=True))
        assert np.linalg.norm(found, axis=1) == pytest.approx(np.ones(50), rel=1e-15)
    tiny = float(np.finfo(float).tiny)
    few = [[0.0, 0.0], [tiny / 2, -tiny / 4], [5e-324, 0.0], [-0.0, 0.0], [tiny, 0.0]]
    np.testing.assert_allclose(to_length_one(np.array(few)), [*[[0, 0]] * 4, [1, 0]])
    assert to_length_one(np.empty((0, 3))).shape == (0, 3)


@pytest.mark.parametrize(
    ("low", "high"),
    [(-2, 6), (0.1, 0.3), (1e16, 1e16 + 8), (-1.7e308, 1.7e308), (0, 1e-305), (-1e-320, 1e-320)],
)
def test_the_ends_of_a_range_are_inside_nothing_is_beyond_and_missing_is_the_centre(low, high):
    ends, width = (np.array([low]), np.array([high])), high / 2 - low / 2
    values = np.array([[low, high, low / 2 + high / 2, nan, -inf, inf]]).T
    clipped = to_unit_range(values, *ends)
    assert clipped.values[:, 0] == pytest.approx([-1, 1, 0, 0, -1, 1], abs=1e-12)
    assert clipped.share == pytest.approx(2 / 6)
    known = to_unit_range(low + width * np.array([[0.0], [0.5], [1.0]]), *ends)
    assert known.values[:, 0] == pytest.approx([-1, -0.5, 0], abs=1e-3)
    assert known.share == 0


@pytest.mark.parametrize("adjacency", Adjacency)
@pytest.mark.parametrize("most", [1, 3])
def test_the_means_sensitivity_is_attained_and_never_passed(adjacency, most):
    """Search over a person's rows, random and extreme: the largest change is the one stated."""
    rng = np.random.default_rng(1)
    d, largest, largest_l1 = 3, 0.0, 0.0

    def person(spread):
        rows = rng.integers(0 if spread else most, most + 1)
        corner = np.tile(rng.choice([-1.0, 1.0], size=d), (rows, 1))
        x = rng.normal(size=(rows, d)) if spread else corner
        x /= np.maximum(np.linalg.norm(x, axis=1, keepdims=True), 1e-300)
        return np.append(x.sum(axis=0), rows) / sqrt(most)

    for i in range(1000):
        change = person(i % 2)
        if adjacency is Adjacency.REPLACE_ONE:
            change = change - person(i % 2)
        largest = max(largest, float(np.linalg.norm(change)))
        largest_l1 = max(largest_l1, float(np.abs(change).sum()))
    assert largest == pytest.approx(mean_sensitivity(most, adjacency), rel=1e-9)
    assert largest_l1 == pytest.approx(mean_sensitivity_l1(d, most, adjacency), rel=1e-9)


@pytest.mark.chance(1e-7)
@pytest.mark.parametrize("delta", [0.0, 1e-4])
def test_the_private_mean_has_the_stated_noise(delta):
    """A KS test of 60,000 columns of zeros, so many rows that dividing is linear: p < 10⁻⁷ fails.

    With 10 % less noise p is below 10⁻¹¹.
    """
    rng, d, n = np.random.default_rng(2), 60_000, 1e10
    budget = Budget(0.5, delta)
    draws = private_mean_of_sum(np.zeros(d), n, budget, rng) * n
    law = (
        norm(scale=gaussian_sigma(0.5, delta, mean_sensitivity(1, budget.adjacency)))
        if delta
        else laplace(scale=mean_sensitivity_l1(d, 1, budget.adjacency) / 0.5)
    )
    assert kstest(draws, law.cdf).pvalue > 1e-7
    assert kstest(draws * 0.9, law.cdf).pvalue < 1e-7
    assert np.linalg.norm(private_mean_of_sum(np.zeros(1), 1, budget, rng)) <= 1


# --- Data sets ---


def data_set(rows, **more):
    return Dataset("x", "x", np.array(rows, float), tuple("abcd"[: len(rows[0])]), **more)


@pytest.mark.parametrize("length", RowLength)
def test_a_centred_row_is_brought_back_to_the_ball(length):
    """One person far from the others is nearly 2 from their mean, and counts as 1."""
    data = data_set([[1, 0]] * 50 + [[-1, 0], [0, 1]], mean_share=0.5, row_length=length)
    for budget in (Budget(0.01), Budget(1.0, 1e-6), Budget(1e6, 1e-2)):
        problem = data.problem(1, None, budget, seed=3)
        assert np.linalg.norm(problem.rows, axis=1).max() <= 1 + 1e-12
        assert np.trace(problem.moment) <= data.people + 1e-9
    assert np.linalg.norm(problem.rows[-2]) == pytest.approx(1)
    assert np.trace(data.true_problem(1).moment) <= data.people + 1e-9


def test_the_average_has_its_share_of_a_direction_and_some_rows_say_nothing_of_it():
    for key, shares in (("rand", (0.0, 0.21, 0.09, 0.02)), ("wine", (0.67,))):
        data, k = load_key(key), len(shares)
        found, problem = offset_shares(data, k), data.problem(k)
        means = problem.basis.T @ data.rows.mean(axis=0)
        np.testing.assert_allclose(found, len(data.rows) * means**2 / problem.spectrum[:k])
        np.testing.assert_allclose(found, shares, atol=0.006)
        assert (found[0] >= MOSTLY) == (key == "wine")
    for without in ({"summed": data.moment, "rows": data.rows[:0]}, {"mean_share": 0.1}):
        assert offset_shares(replace(data, **without), 1) is None
        assert centring_turn(replace(data, **without), 1) is None
    flat = data_set(np.outer(np.linspace(0.1, 0.9, 50), np.eye(3)[0]))
    assert np.isnan(offset_shares(flat, 2)[1])


def test_centring_turns_the_directions_by_what_the_mean_makes_of_them():
    """The mean lies along the first axis, and the variation along the second."""
    data = data_set([[0.8, sign] for sign in (0.1, -0.1)] * 20)
    assert centring_turn(data, 1) == pytest.approx(90)
    assert centring_turn(data, 2) == pytest.approx(0, abs=1e-6)
