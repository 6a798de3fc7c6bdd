"""Two looks: their noise, their sensitivity, and what both spend together, by brute force."""

from dataclasses import dataclass

import numpy as np
import pytest

from dpca_core import MECHANISMS, Adjacency, Budget, InfeasibleBudget, Problem
from dpca_core.data.dataset import Dataset
from dpca_core.mechanisms.second_look import (
    MEDIAN_BINS,
    Axes,
    SecondLook,
    axes_of,
    noisy_median_radius,
    rescaled_sum,
)
from dpca_core.metrics import quality
from dpca_core.privacy.gaussian import gaussian_sigma
from tests.core.sampling.laws import ERRORS

LOOK, PURE = MECHANISMS["second_look"], MECHANISMS["second_look_pure"]
ADD, REPLACE = Adjacency.ADD_OR_REMOVE_ONE, Adjacency.REPLACE_ONE


def random_rows(rng, n, d):
    rows = rng.standard_normal((n, d)) * rng.uniform(0.2, 3, d)
    return rows / np.maximum(np.linalg.norm(rows, axis=1), 1)[:, None] * rng.random((n, 1))


def random_axes(rng, d, m):
    top = np.linalg.qr(rng.standard_normal((d, m)))[0]
    return Axes(top, rng.uniform(0.3, 5, m), rng.uniform(0.3, 5))


def matrix_of(axes):
    d = len(axes.top)
    return axes.rest * np.eye(d) + axes.top * (axes.factors - axes.rest) @ axes.top.T


def rescaled(rows, a):
    z = rows @ a
    return z / np.maximum(1, np.linalg.norm(z, axis=1))[:, None]


@pytest.mark.parametrize("rows_per_person", [1, 10])
def test_a_person_moves_the_second_look_by_at_most_one(rows_per_person):
    """At fixed axes, with uneven people: 400 of one row, and one of ten who comes or goes."""
    rng = np.random.default_rng(1)
    for _ in range(200):
        axes = random_axes(rng, 4, 2)
        person = random_rows(rng, rows_per_person, 4)
        person /= np.linalg.norm(person, axis=1, keepdims=True)
        others = random_rows(rng, 400, 4)
        sums = []
        for rows in (others, np.vstack([others, person])):
            moment = rows.T @ rows / rows_per_person
            at = Problem.from_moment(moment, 401, 1, rows_per_person, rows)
            assert at.row_weight == 1 / rows_per_person
            sums.append(rescaled_sum(at.rows, at.moment, at.row_weight, axes))
            z = rescaled(rows, matrix_of(axes))
            np.testing.assert_allclose(sums[-1], z.T @ z / rows_per_person, atol=1e-9)
        change = sums[1] - sums[0]
        assert np.linalg.norm(change) <= 1 + 1e-9
        assert np.abs(np.linalg.eigvalsh(change)).sum() <= 1 + 1e-9


def test_counts_of_lengths_move_by_at_most_one():
    """A median of a million noiseless counts, and one row that moves a single count."""
    radii = 2.0 ** (-np.arange(MEDIAN_BINS) / 3)
    silent = np.zeros(MEDIAN_BINS)
    for j in range(MEDIAN_BINS - 1):
        rows = np.zeros((100, 2))
        rows[:, 0] = np.where(np.arange(100) < 40, 1.0, (radii[j] + radii[j + 1]) / 2)
        assert noisy_median_radius(rows, 1.0, silent) == pytest.approx(radii[j])
    rows = np.full((10, 2), 1e-9)
    assert noisy_median_radius(rows, 1.0, silent) == pytest.approx(radii[-1])
    assert noisy_median_radius(np.eye(2), 1.0, silent) == 1.0
    # A count is weighted: ten rows of one person weigh as one.
    assert noisy_median_radius(rows, 0.1, silent) == pytest.approx(radii[-1])


def test_axes_follow_from_what_was_published_alone():
    """The same matrix gives the same axes, whatever data it came from; little seen leaves them."""
    edge = 2 * LOOK.law.edge(4)
    assert edge == pytest.approx(2 * np.sqrt(8))
    assert axes_of(np.diag([5.0, 4.0, 1.0, 1.0]), edge, 2, 0.65).top.shape == (4, 0)
    axes = axes_of(np.diag([900.0, 40.0, 30.0, 20.0]), edge, 1, 0.65)
    np.testing.assert_allclose(np.abs(axes.top[:, 0]), [1, 0, 0, 0])
    lowered = (900 + np.sqrt(900**2 - edge**2)) / 2 / 990
    assert axes.factors[0] ** 2 == pytest.approx(0.35 / lowered)
    assert axes.rest**2 == pytest.approx(0.65 / (1 - lowered))


@dataclass(frozen=True)
class LessNoise(SecondLook):
    def scales(self, d, budget):
        return tuple(0.7 * scale for scale in super().scales(d, budget))


@pytest.mark.chance(1e-7)
@pytest.mark.parametrize("look", [LOOK, LessNoise()], ids=["enough", "0.7 of it"])
def test_privacy_loss_of_both_looks(look):
    """E(1 − e^{ε−L})₊ at ε = 1, δ = .05, from both looks' densities; 0.7 of the noise fails.

    Fifty people alike, and one of another kind who comes or goes.
    """
    rows, person, budget = np.tile(np.eye(4)[0], (50, 1)), np.eye(4)[1], Budget(1.0, 0.05)
    pair = [
        Problem.from_moment(table.T @ table, 51, 1, rows=table)
        for table in (np.vstack([rows, person]), rows)
    ]
    worst, rng = 0.0, np.random.default_rng(5)
    for here, there in (pair, pair[::-1]):
        seen = look.release(here, budget, rng, 5_000, keep="moment")
        loss = look.log_likelihood(here, budget, seen) - look.log_likelihood(there, budget, seen)
        spent = np.maximum(0.0, -np.expm1(budget.epsilon - loss))
        error = spent.std() / np.sqrt(len(spent))
        assert error < 0.006
        worst = max(worst, spent.mean() - 12 * error)
        if look == LOOK:
            assert spent.mean() <= budget.delta + ERRORS * error
    assert (worst > budget.delta) == (look != LOOK), "by more than twelve errors"


def test_sums_alone_are_refused_in_one_sentence():
    at = Problem.from_moment(np.diag([5.0, 3.0, 1.0]), 20, 1)
    for mechanism in (LOOK, PURE):
        with pytest.raises(InfeasibleBudget, match="reads the rows again"):
            mechanism.release(at, Budget(1.0, 1e-6))


def test_budgets_of_both_looks_add_up():
    for adjacency, change in ((ADD, 1.0), (REPLACE, np.sqrt(2))):
        for share in (0.0, 0.2):
            look, budget = SecondLook(radius_share=share), Budget(0.7, 1e-6, adjacency)
            mu = 1 / gaussian_sigma(0.7, 1e-6, 1.0)
            spent = [(change / scale) ** 2 for scale in look.scales(8, budget)]
            assert sum(spent) + share * mu**2 == pytest.approx(mu**2, rel=1e-12)
        parts = [change**2 / (2 * scale) for scale in PURE.scales(8, Budget(0.7, 0.0, adjacency))]
        assert sum(parts) == pytest.approx(0.7, rel=1e-12)


def test_rows_of_a_data_set_are_those_that_s_is_the_sum_of():
    rows = random_rows(np.random.default_rng(7), 60, 5)
    data = Dataset("k", "Rows", "rows", rows, tuple("abcde"), rows_per_person=3, mean_share=0.3)
    at = data.problem(2, None, Budget(2.0, 1e-6), 1).scaled(90.0).with_k(3)
    np.testing.assert_allclose(at.row_weight * at.rows.T @ at.rows, at.moment, atol=1e-12)
    assert at.row_weight == pytest.approx(90 / data.people / 3)


@pytest.mark.chance(1e-8)
def test_a_noisy_median_shortens_long_tails():
    """With R loose by a factor of 8, paying for the median keeps more than not paying."""
    rng = np.random.default_rng(8)
    rows = rng.standard_normal((3000, 12)) * np.array([3.0] * 3 + [1.0] * 9)
    rows /= 8 * np.linalg.norm(rows, axis=1, keepdims=True)
    at, budget = Problem.from_rows(rows, 3), Budget(0.5, 1e-6)
    looks = [SecondLook(radius_share=r).release(at, budget, rng, 20) for r in (0.0, 0.05)]
    kept = [np.median(quality(at, look.bases).captured) for look in looks]
    assert kept[1] > kept[0] + 0.1
