"""What a visitor sees before touching anything, against means of an independent implementation.

They are means of 40 releases, to two digits. A cell agrees if the difference is below half a digit
and six standard errors of both means together: 2e-9 a cell by chance.
"""

from functools import cache
from math import sqrt

import numpy as np
import pytest

from dpca_core.metrics import random_baseline
from dpca_core.simulation.sweep import sweep
from sample_data import CATALOGUE

EPSILONS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10]
TRIALS, THEIRS = 300, 40
SHARES = {
    "gaussian": [0.49, 0.70, 0.91, 0.97, 0.99, 1.00, 1.00, 1.00, 1.00, 1.00],
    "wishart_difference": [0.41, 0.55, 0.85, 0.96, 0.99, 1.00, 1.00, 1.00, 1.00, 1.00],
    "laplace_printed": [0.27, 0.27, 0.29, 0.32, 0.40, 0.67, 0.89, 0.97, 1.00, 1.00],
    "smooth_gaussian_printed": [0.28, 0.28, 0.28, 0.28, 0.28, 0.28, 0.28, 0.28, 0.38, 1.00],
}


@cache
def problem(k):
    return CATALOGUE["rand"].make().problem(k)


@cache
def releases(key, k):
    return sweep([key], problem(k), epsilon=EPSILONS, delta=1e-6, trials=TRIALS, seed=1)


def test_data():
    """5,912 people, 19 columns; the spectrum in people, and the gaps at k = 2 and 3."""
    assert (problem(2).n, problem(2).d) == (5912, 19)
    expected = [909, 792, 663, 646, 472, 242, 153]
    np.testing.assert_allclose(problem(2).spectrum[:7], expected, atol=0.5)
    assert (round(problem(2).gap), round(problem(3).gap)) == (129, 17)


@pytest.mark.chance(2e-8)
@pytest.mark.parametrize("key", SHARES)
def test_table(key):
    table = releases(key, 2)
    for epsilon, expected in zip(EPSILONS, SHARES[key], strict=True):
        captured = table[table.epsilon == epsilon].captured.to_numpy()
        error = 0.005 + 6 * captured.std() * sqrt(1 / TRIALS + 1 / THEIRS)
        assert captured.mean() == pytest.approx(expected, abs=error), epsilon


@pytest.mark.chance(2e-8)
def test_at_three_directions_the_gap_defeats_noise_on_the_basis():
    """A gap of 17 people: no better than a random subspace, at any ε up to 10."""
    chance = random_baseline(problem(3)).captured
    assert chance == pytest.approx(0.30, abs=0.01)
    table = releases("smooth_gaussian_printed", 3)
    for epsilon in EPSILONS:
        captured = table[table.epsilon == epsilon].captured.to_numpy()
        near = 6 * captured.std() / sqrt(TRIALS) + 0.01
        assert captured.mean() == pytest.approx(chance, abs=near)
    refused = releases("gap_release", 3).groupby("epsilon").refused.mean()
    assert (refused[refused.index <= 5] > 0.9).all()
    gaussian = releases("gaussian", 3)
    assert gaussian[gaussian.epsilon == 0.2].captured.mean() > 0.97
