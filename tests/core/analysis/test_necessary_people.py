"""The numbers of people that the papers prove too few, and the orders of the local model.

Seeds are fixed; each statistical test says how often it would fail by chance with a fresh one.
"""

from dataclasses import replace
from math import exp, log, log1p

import numpy as np
import pytest

from dpca_core import MECHANISMS, Budget, Problem
from dpca_core.simulation.draws import TrialDraws, noise_norms
from dpca_core.theorems.sample_size_theorems import (
    local_order,
    packing_distance,
    ppca_enough,
    pure_least_rho,
    pure_too_few,
)
from dpca_core.theorems.theorem import Case
from tests.core.analysis.theorem_cases import ADD, CASES, REPLACE


def test_room_of_the_packing():
    """1 − φ at d = 100 as in docs/sample-size.md; Lemma 11 gives K − 1 = e^d directions."""
    assert packing_distance(100) == pytest.approx(0.0643, abs=5e-5)
    assert packing_distance(100, printed=True) == pytest.approx(0.1245, abs=5e-5)
    for d in (3, 5, 20, 100, 1000):
        phi = 1 - packing_distance(d)
        logs = -(d - 2) / 2 * log1p(-(phi**2)) - log(8)
        assert logs == pytest.approx(d + log1p(exp(-d)), rel=1e-6)
        assert packing_distance(d, printed=True) == pytest.approx(1 - phi**2, rel=1e-6)


@pytest.mark.parametrize("printed", [False, True])
def test_conditions_of_theorem_8(printed):
    rho = pure_least_rho(100, printed=printed)
    assert 16 * (1 - rho) == pytest.approx(packing_distance(100, printed=printed), rel=1e-9)
    case = Case(100, 0.3, 0.31, 1.0, 0.0, REPLACE, rho, 0.1)
    assert pure_too_few(case, printed=printed) == pytest.approx(100 / 0.3)
    assert pure_too_few(replace(case, rho=rho - 1e-9), printed=printed) is None
    assert pure_too_few(replace(case, gap=0.51), printed=printed) is None
    assert pure_too_few(replace(case, d=2, rho=1 - 1e-9), printed=printed) is None


def test_theorem_8_grows_where_rho_is_close_to_one():
    """The root takes over from 1 where 80(1 − ρ) is 1 − φ, and then doubles at a quarter of it."""
    room = packing_distance(100)
    case = Case(100, 0.3, 0.31, 1.0, 0.0, REPLACE, 1 - room / 80, 0.1)
    least = 100 / 0.3
    assert pure_too_few(case) == pytest.approx(least, rel=1e-9)
    assert pure_too_few(replace(case, rho=1 - room / 79)) == pytest.approx(least, rel=1e-12)
    assert pure_too_few(replace(case, rho=1 - room / 320)) == pytest.approx(2 * least, rel=1e-9)


@pytest.mark.parametrize("d", [3, 10, 100])
@pytest.mark.parametrize("rho", [0.999, 0.99999, 1 - 1e-9])
@pytest.mark.parametrize("printed", [False, True])
def test_too_few_is_never_enough(d, rho, printed):
    """PPCA at the n enough for (ρ, η) has expected correlation ρ(1 − η) or more, on all data."""
    for eta in (1e-12, 1e-6, 1e-3):
        case = Case(d, 0.3, 0.3, 1.0, 0.0, REPLACE, rho, eta)
        few = pure_too_few(replace(case, rho=rho * (1 - eta)), printed=printed)
        assert few is None or few < ppca_enough(case)


@CASES
def test_adding_or_removing_is_replacing_at_twice_epsilon(case):
    case = replace(case, rho=1 - 1e-7)
    twice = replace(case, epsilon=2 * case.epsilon, adjacency=REPLACE)
    assert ppca_enough(case) == ppca_enough(twice)
    for printed in (False, True):
        assert pure_too_few(case, printed=printed) == pure_too_few(twice, printed=printed)
        assert pure_too_few(case, printed=printed) > 0


def test_order_of_the_local_model():
    """λ₁²·d·ln(1/δ)/(gap²·ε²·(1 − ρ²)), by hand: 0.25·10·ln 10⁴/(0.04·4·0.75)."""
    case = Case(10, 0.2, 0.5, 2.0, 1e-4, ADD, 0.5, 0.1)
    assert local_order(case) == pytest.approx(0.25 * 10 * log(1e4) / 0.12, rel=1e-12)


@pytest.mark.parametrize("key", ["laplace_printed", "mod_sulq", "analyze_gauss", "wishart_jiang"])
def test_orders_grow_as_the_norms_measured_or_faster(key):
    """From d = 25 to 200: the order's growth over the measured one is between 0.8 and 2.

    They are orders from above: Wishart noise grows as d, without the logarithm of its bound.
    """
    growth = {}
    for d in (25, 200):
        problem = Problem.from_moment(np.eye(d), d, 1)
        scale = MECHANISMS[key].calibrate(problem, Budget(1.0, 1e-6)).scale
        norms = noise_norms(TrialDraws(MECHANISMS[key], 0, range(10)), d)
        growth[d] = MECHANISMS[key].noise_norm_order(d, 1.0) / (scale * np.median(norms))
    assert 0.8 < growth[200] / growth[25] < 2
