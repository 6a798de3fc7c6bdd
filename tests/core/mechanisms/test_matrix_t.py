"""Matrix-t noise as a mechanism: which bound serves which neighbours, by brute force at d = 2."""

import numpy as np
import pytest

from dpca_core import MECHANISMS, Budget, InfeasibleBudget, Problem
from dpca_core.privacy.matrix_t import exponent, pure_scale
from tests.core.mechanisms.every_mechanism import ADD, REPLACE

MATRIX_T = MECHANISMS["matrix_t"]
S = np.array([[3.0, 0.4], [0.4, 1.5]])


def problem(rows_per_person=1):
    return Problem.from_moment(S, 5, 1, rows_per_person)


def grid(points=121):
    """Symmetric matrices F on a grid of angles, with their weights: (m, 2, 2), (m,)."""
    at = np.linspace(-1.44, 1.44, points)
    axis, step = np.tan(at), (at[1] - at[0]) / np.cos(at) ** 2
    a, b, c = np.meshgrid(axis, axis, axis, indexing="ij")
    weight = step[:, None, None] * step[None, :, None] * step[None, None, :]
    return np.stack([np.stack([a, b], -1), np.stack([b, c], -1)], -2).reshape(-1, 2, 2), (
        weight.ravel()
    )


def density(matrices):
    """(det(I + F²))^(−q): |det(F + i)|² is (ac − b² − 1)² + (a + c)²."""
    a, b, c = matrices[:, 0, 0], matrices[:, 0, 1], matrices[:, 1, 1]
    return ((a * c - b * b - 1) ** 2 + (a + c) ** 2) ** -exponent(2)


def worst_delta(change, epsilon, scale):
    """Hockey-stick divergence of the noise and the noise moved by a person's change of S."""
    matrices, weight = grid()
    here, there = density(matrices), density(matrices + change / scale)
    total = (here * weight).sum()
    return float((np.maximum(here - np.exp(epsilon) * there, 0) * weight).sum() / total)


def record(angle):
    x = np.array([np.cos(angle), np.sin(angle)])
    return np.outer(x, x)


@pytest.mark.parametrize(
    ("adjacency", "change"),
    [
        (ADD, record(0.9)),
        (ADD, -record(0.4)),
        (ADD, 0.7 * record(1.2)),
        (REPLACE, record(0.0) - record(0.3)),
        (REPLACE, record(0.0) - record(np.pi / 2)),
    ],
)
def test_a_person_spends_no_more_than_the_budget(adjacency, change):
    budget = Budget(0.8, 0.02, adjacency)
    scale = MATRIX_T.calibrate(problem(), budget).scale
    spent = worst_delta(change, budget.epsilon, scale)
    assert spent <= budget.delta * 1.01
    if adjacency is ADD and np.trace(change) == pytest.approx(1):
        assert spent == pytest.approx(0.02, rel=0.01)
        assert worst_delta(change, budget.epsilon, scale / 2) > 0.1, "half the noise is too little"


def log_ratio(change, scale, k):
    """ln of the ratio of densities at F = k·I, and after a change of S."""
    matrix = k * np.eye(2)
    ratio = density((matrix + change / scale)[None]) / density(matrix[None])
    return abs(float(np.log(ratio[0])))


def test_several_rows_a_person_need_the_bound_for_any_rank():
    """A person of two half rows, I/2: the noise for one record lets through more than ε."""
    epsilon, q = 10.0, exponent(2)
    places = np.linspace(-30, 30, 60_001)
    for_one, half = pure_scale(epsilon, q), np.eye(2) / 2
    assert max(log_ratio(half, for_one, k) for k in places[::50]) > 1.15 * epsilon
    scale = MATRIX_T.calibrate(problem(2), Budget(epsilon, 1e-6, ADD)).scale
    assert scale == pytest.approx(q / epsilon)
    assert max(log_ratio(half, scale, k) for k in places[::50]) <= epsilon
    twice = MATRIX_T.calibrate(problem(2), Budget(epsilon, 1e-6, REPLACE)).scale
    assert twice == pytest.approx(2 * scale)
    promised = MATRIX_T.guarantee(problem(2), Budget(epsilon, 1e-6, ADD))
    assert (promised.delta, promised.exact) == (0, False)


def test_wide_tables_are_told_what_to_choose():
    wide = Problem.from_spectrum(np.arange(65.0, 0.0, -1.0), 100, 1)
    with pytest.raises(InfeasibleBudget, match="choose Gaussian noise"):
        MATRIX_T.calibrate(wide, Budget(1.0, 1e-6))
