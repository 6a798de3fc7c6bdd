"""Errors of a classifier: what it is given decides, nothing else."""

import numpy as np
import pytest

from dpca_core import MECHANISMS, Budget, Problem
from papers.svm import Split, directions, error_of


def _split(apart: float, seed: int = 0) -> Split:
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, 400)
    rows = rng.standard_normal((400, 6))
    rows[:, 2] += apart * (2 * labels - 1)
    return Split(rows[:200], labels[:200], rows[200:], labels[200:])


def test_the_right_direction_separates_and_a_wrong_one_does_not():
    """Without a difference of means the error is binomial around 50 %: ± 17 fails once in 10⁶."""
    split = _split(5.0)
    axes = np.eye(6)
    for standardised in (True, False):
        assert error_of(split, axes[:, [2]], standardised) == 0
        assert error_of(split, axes[:, [0, 1]], standardised) == pytest.approx(50, abs=17)


@pytest.mark.parametrize("key", ["ppca_gibbs", "gaussian", "random_projection"])
def test_directions_are_a_basis_and_depend_on_seed_and_trial_alone(key):
    rows = np.random.default_rng(0).standard_normal((50, 6))
    problem = Problem.from_rows(rows / np.linalg.norm(rows, axis=1, keepdims=True), 2)
    budget = Budget(1.0, 1e-3)
    first, again, other = (directions(key, problem, budget, 0, t) for t in (3, 3, 4))
    assert first.T @ first == pytest.approx(np.eye(2), abs=1e-9)
    assert np.array_equal(first, again)
    assert not np.allclose(first, other)
    assert key in MECHANISMS
