"""Two looks: what a person moves them by, how they share a budget, and what they see.

What both spend together is compared with densities in test_privacy_loss.py.
"""

import inspect

import numpy as np
import pytest

from dpca_core import MECHANISMS, Budget, Problem
from dpca_core.mechanisms.second_look import (
    MEDIAN_BINS,
    Axes,
    SecondLook,
    axes_of,
    combined,
    noisy_median_radius,
    rescaled_sum,
)
from dpca_core.privacy.gaussian import gaussian_sigma
from tests.core.mechanisms.every_mechanism import ADD, REPLACE


@pytest.mark.parametrize("rows_per_person", [1, 10])
def test_a_person_moves_the_second_look_by_at_most_one(rows_per_person):
    """At fixed axes, with uneven people: 400 of one row, and one of ten who comes or goes."""
    rng = np.random.default_rng(1)
    for _ in range(200):
        top = np.linalg.qr(rng.standard_normal((4, 2)))[0]
        axes = Axes(top, rng.uniform(0.3, 5, 2), rng.uniform(0.3, 5))
        a = axes.rest * np.eye(4) + top * (axes.factors - axes.rest) @ top.T
        uneven = rng.standard_normal((400 + rows_per_person, 4)) * rng.uniform(0.2, 3, 4)
        whole = uneven / np.linalg.norm(uneven, axis=1, keepdims=True)
        others, person, sums = whole[:400] * rng.random((400, 1)), whole[400:], []
        for rows in (others, np.vstack([others, person])):
            moment = rows.T @ rows / rows_per_person
            at = Problem.from_moment(moment, 401, 1, rows_per_person, rows)
            assert at.row_weight == 1 / rows_per_person
            sums.append(rescaled_sum(at.rows, at.moment, at.row_weight, axes))
            z = rows @ a
            z /= np.maximum(1, np.linalg.norm(z, axis=1))[:, None]
            np.testing.assert_allclose(sums[-1], z.T @ z / rows_per_person, atol=1e-9)
        assert np.linalg.norm(sums[1] - sums[0], "nuc") <= 1 + 1e-9


def test_axes_and_what_is_combined_follow_from_what_was_published_alone():
    """From matrices and public numbers; axes stay where nothing stands out of the noise."""
    asked = [[*inspect.signature(function).parameters] for function in (axes_of, combined)]
    assert asked == [["first", "edge", "k", "tail"], ["first", "second", "axes", "variances"]]
    axes = axes_of(np.diag([5.0, 4.0, 1.0, 1.0]), 5.5, 2, 0.65)
    assert (axes.top.shape, axes.rest) == ((4, 0), 1)


def test_a_noisy_median_counts_rows_by_their_weight():
    """Of a hundred noiseless rows: forty of length 1, the others between two lengths in turn."""
    radii = 2.0 ** (-np.arange(MEDIAN_BINS) / 3)
    silent = np.zeros(MEDIAN_BINS)
    for j in range(MEDIAN_BINS - 1):
        rows = np.zeros((100, 2))
        rows[:, 0] = np.where(np.arange(100) < 40, 1.0, (radii[j] + radii[j + 1]) / 2)
        assert noisy_median_radius(rows, 1.0, silent) == pytest.approx(radii[j])
    short, two = np.full((10, 2), 1e-9), 2 * np.eye(MEDIAN_BINS)[0]
    assert noisy_median_radius(short, 1.0, two) == pytest.approx(radii[-1])
    assert noisy_median_radius(short, 0.1, two) == 1.0
    assert noisy_median_radius(np.eye(2), 1.0, silent) == 1.0


@pytest.mark.parametrize(("adjacency", "change"), [(ADD, 1.0), (REPLACE, np.sqrt(2))])
def test_a_median_and_both_looks_share_the_budget(adjacency, change):
    look, budget = SecondLook(radius_share=0.2), Budget(0.7, 1e-6, adjacency)
    whole = 1 / gaussian_sigma(0.7, 1e-6, 1.0) ** 2
    spent = [(change / scale) ** 2 for scale in look.scales(8, budget)]
    assert sum(spent) + 0.2 * whole == pytest.approx(whole, rel=1e-12)
    scales = MECHANISMS["second_look_pure"].scales(8, Budget(0.7, 0.0, adjacency))
    assert sum(change**2 / (2 * s) for s in scales) == pytest.approx(0.7, rel=1e-12)
