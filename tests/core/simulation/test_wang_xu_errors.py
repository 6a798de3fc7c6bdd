"""Errors of the printed local method: their range, and what they are at the printed setting."""

from math import inf, sqrt

import numpy as np
import pytest

from dpca_core import MECHANISMS, Budget, Problem
from dpca_core.simulation.draws import trial_generator
from dpca_core.simulation.wang_xu import sample_moment
from dpca_core.simulation.wang_xu_errors import printed_errors, random_errors

PRINTED = Budget(0.5, 1e-4)


def test_the_error_is_the_distance_of_projectors():
    sample = sample_moment(1e7, 12, 3, 12, seed=4)
    problem, mechanism = Problem.from_moment(sample.moment, 1e7, 3), MECHANISMS["local_printed"]
    found = printed_errors(1e7, 12, 3, 1.0, Budget(5.0, 1e-4), runs=1, seed=4)
    basis = mechanism.release(
        problem, Budget(5.0, 1e-4), trial_generator(4, mechanism.key, 0), 1
    ).bases[0]
    projectors = basis @ basis.T - sample.directions @ sample.directions.T
    assert found.mean == pytest.approx(np.linalg.norm(projectors), rel=1e-9)
    assert found.gap == pytest.approx(problem.gap)


def test_at_the_printed_setting_it_is_the_error_of_chance():
    """Mean of 20 runs with a standard deviation of .05: seven standard errors."""
    found = printed_errors(1e5, 40, 5, 1.0, PRINTED)
    assert found.mean == pytest.approx(2.946, abs=0.08)
    assert found.gap == pytest.approx(250, rel=0.1)
    assert found.noise == pytest.approx(34_000, rel=0.1)
    assert found.mean < sqrt(10)


def test_the_strongest_data_have_the_largest_gap_there_is():
    found = printed_errors(1e5, 40, 5, inf, PRINTED)
    assert found.gap == pytest.approx(1e5 / 5)
    assert found.mean == pytest.approx(2.26, abs=0.1)
    assert printed_errors(1e5, 40, 5, inf, Budget(1e4, 1e-4)).mean < 0.01


def test_random_directions_lie_about_their_root_mean_square():
    low, high = random_errors(40, 5, 0.95)
    assert low < sqrt(2 * 5 * (1 - 5 / 40)) < high < sqrt(10)
