"""One Wishart matrix: δ against 30 digits, and a calibration that never overspends."""

from itertools import product
from math import exp, inf

import mpmath as mp
import numpy as np
import pytest

from dpca_core.privacy.wishart import (
    MOST_DEGREES_OF_FREEDOM,
    wishart_degrees_of_freedom,
    wishart_delta,
    wishart_epsilon,
)
from tests.core.mechanisms.every_mechanism import ADD, BOTH, REPLACE
from tests.references import accounting


def assert_ten_digits_and_rounded_up(found, true):
    assert true * (1 - mp.mpf("1e-15")) <= found <= true * (1 + mp.mpf("2e-10"))


@pytest.mark.parametrize("freedom", [1e4, 1e7, 1e9, 1e12])
@pytest.mark.parametrize("scale", [0.05, 1.0])
def test_delta_has_ten_digits_in_both_directions(freedom, scale):
    for noise in (0.3, 2.0, 5.0):  # thresholds from the bulk to twenty deviations out
        for epsilon in noise / (scale * (2 * freedom) ** 0.5) * np.array([1, 5]):
            true = accounting.wishart_delta(epsilon, freedom, scale)
            assert_ten_digits_and_rounded_up(wishart_delta(epsilon, freedom, scale), true)


@pytest.mark.parametrize("freedom", [2, 2.5, 3, 7, 30])
def test_delta_where_the_density_and_the_loss_have_corners(freedom):
    for scale, epsilon in product((0.05, 0.5, 20.0), (0.0, 0.1, 5.0)):
        true = accounting.wishart_delta_of_few(epsilon, freedom, scale)
        assert_ten_digits_and_rounded_up(wishart_delta(epsilon, freedom, scale), true)
        replaced = wishart_delta(epsilon, freedom, 2 * scale, REPLACE)
        assert_ten_digits_and_rounded_up(replaced, true)


@BOTH
def test_calibration_and_true_epsilon_are_inverse_and_smallest(adjacency):
    settings = product((0.003, 0.1, 1.0, 4.0), (1e-3, 1e-6, 1e-12), (0.05, 1.0))
    for epsilon, delta, scale in settings:
        freedom = wishart_degrees_of_freedom(epsilon, delta, scale, adjacency)
        true = wishart_epsilon(delta, freedom, scale, adjacency)
        assert true <= epsilon * (1 + 1e-11)
        assert wishart_delta(true, freedom, scale, adjacency) <= delta
        assert wishart_delta(true * (1 - 1e-9), freedom, scale, adjacency) > delta
        if freedom > 2:
            assert wishart_epsilon(delta, freedom - 1, scale, adjacency) > epsilon


def test_the_ends_of_the_calibration():
    assert wishart_degrees_of_freedom(1.0, 0.5, 20.0, ADD) == 2
    assert wishart_degrees_of_freedom(1e-4, 1e-9, 0.05, ADD) is not None
    assert wishart_degrees_of_freedom(1e-6, 1e-9, 0.05, ADD) is None
    assert wishart_epsilon(0.5, 2, 20.0, ADD) == 0.0
    assert wishart_epsilon(1e-12, 2, 0.5, ADD) == inf  # an output may prove absence, at every ε
    assert wishart_delta(1e9, 10, 0.5) == wishart_delta(600.0, 10, 0.5) > 0
    assert wishart_delta(0.0, MOST_DEGREES_OF_FREEDOM, 20.0) < 1e-7
    assert wishart_delta(3.0, 2, 0.5) == pytest.approx(1 - exp(-1), rel=1e-15)
