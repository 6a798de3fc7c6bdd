"""The noise of every mechanism: its unit, its scale, and how it follows the budget."""

from itertools import pairwise
from math import inf

import numpy as np
import pytest

from dpca_core import (
    MECHANISMS,
    Budget,
)
from dpca_core.mechanisms.matrix_noise import MatrixNoise
from tests.core.mechanisms.every_mechanism import (
    ADD,
    BOTH,
    EPSILONS,
    EVERY,
    PROBLEM,
    REPLACE,
    within,
)

# --- Noise ---


@EVERY
@BOTH
def test_a_larger_epsilon_never_needs_more_noise(mechanism, adjacency):
    budgets = [within(mechanism, e, adjacency=adjacency) for e in EPSILONS]
    scales = [mechanism.calibrate(PROBLEM, budget).scale for budget in budgets]
    assert all(scale >= 0 for scale in scales)
    assert all(later <= earlier for earlier, later in pairwise(scales))
    if mechanism.key not in ("non_private", "random_projection"):
        assert scales[-1] < scales[0]
        assert 0 < scales[-1] < inf


@EVERY
@BOTH
def test_noise_is_deterministic_and_has_a_unit(mechanism, adjacency):
    budget = Budget(0.3, 1e-4, adjacency)
    noise = mechanism.calibrate(PROBLEM, budget)
    assert noise == mechanism.calibrate(PROBLEM, budget)
    assert noise.unit in ("people", "per entry")
    assert noise.symbol
    if isinstance(mechanism, MatrixNoise):
        assert noise.unit == "people"


@EVERY
def test_replacing_a_person_never_needs_less_noise(mechanism):
    for epsilon in EPSILONS:
        add, replace = (
            mechanism.calibrate(PROBLEM, within(mechanism, epsilon, adjacency=a)).scale
            for a in (ADD, REPLACE)
        )
        assert replace >= add
        if mechanism.printed and isinstance(mechanism, MatrixNoise):
            assert replace == add  # printed noise ignores the relation; only its guarantee differs


def test_calibrated_scales_in_closed_form():
    """d = 5, ε = 0.5: Laplace (d + 1)/2ε or √(d(d + 3)/2)/ε, Wishart Δ_*/2ε, printed 2d/ε."""

    def scale(key, adjacency):
        return MECHANISMS[key].calibrate(PROBLEM, Budget(0.5, 1e-6, adjacency)).scale

    assert scale("laplace", ADD) == pytest.approx(6)
    assert scale("laplace", REPLACE) == pytest.approx(2 * np.sqrt(20))
    assert scale("laplace_printed", ADD) == scale("laplace_printed", REPLACE) == 20
    assert scale("wishart_difference", ADD) == pytest.approx(1)
    assert scale("wishart_difference", REPLACE) == pytest.approx(2)
    assert scale("gaussian", REPLACE) == pytest.approx(np.sqrt(2) * scale("gaussian", ADD))
    assert scale("analyze_gauss", ADD) == pytest.approx(np.sqrt(2 * np.log(1.25e6)) / 0.5)


@EVERY
@BOTH
def test_relative_noise_scales_with_people(mechanism, adjacency):
    budget = Budget(0.5, 1e-4, adjacency)
    relative = mechanism.relative_noise(PROBLEM, budget)
    noise = mechanism.calibrate(PROBLEM, budget)
    if relative is not None:
        expected = noise.scale / PROBLEM.n if noise.unit == "people" else noise.scale
        assert relative == pytest.approx(expected, rel=1e-14)
    assert (relative is not None) or not isinstance(mechanism, MatrixNoise)
