"""The bound on MOD-SULQ: found by another search, and kept at random directions.

Seeds are fixed; each statistical test says how often it would fail by chance with a fresh one.
"""

from dataclasses import replace
from math import exp, lgamma, log, log1p, pi, sqrt

import numpy as np
import pytest

from dpca_core import MECHANISMS, Budget, Problem
from dpca_core.theorems.sample_size_theorems import (
    mod_sulq_correlation,
    mod_sulq_noise,
    mod_sulq_too_few,
)
from dpca_core.theorems.theorem import Case
from tests.core.analysis.theorem_cases import ADD, REPLACE


def least_by_search(d, beta):
    """Eq. (21) anew, on a fine grid of x = ln 8K, from which φ² = 1 − e^{−2x/(d − 1)}."""
    knows = 1 / beta**2
    lowest = max(-(d - 1) / 2 * log1p(-1 / (2 * pi * d)), log(8 * d), knows + log(16))

    x = lowest + np.exp(np.linspace(-12, 16, 30_000))
    phi_squared = -np.expm1(-2 * x / (d - 1))
    room = np.exp(-2 * x / (d - 1)) / (1 + np.sqrt(phi_squared))
    return (1 - room / 4 * (1 - (knows + log(2)) / (x - log(8))) ** 2).min()


@pytest.mark.parametrize("d", [50, 100, 500, 1000])
@pytest.mark.parametrize("epsilon", [0.01, 0.1, 0.5, 1, 2])
def test_the_correlation_of_mod_sulq_by_another_search(d, epsilon):
    """The cases of the paper's Figure 1: δ = 0.01, n from 10² to 10⁸."""
    noise = mod_sulq_noise(d, epsilon, 0.01)
    found = np.array([mod_sulq_correlation(d, noise / n) for n in np.geomspace(1e2, 1e8, 25)])
    again = [least_by_search(d, noise / n) for n in np.geomspace(1e2, 1e8, 25)]
    np.testing.assert_allclose(found, again, atol=1e-4)
    assert (np.diff(found) >= -1e-9).all()
    assert found.min() >= 0.75
    assert found.max() <= 1


def test_the_noise_of_mod_sulq_is_the_mechanisms():
    problem, budget = Problem.from_moment(np.eye(60), 100, 1), Budget(0.3, 1e-4)
    scale = MECHANISMS["mod_sulq"].calibrate(problem, budget).scale
    assert mod_sulq_noise(60, 0.3, 1e-4) == pytest.approx(scale, rel=1e-12)


def test_mod_sulq_lies_under_its_bound_at_random_directions():
    """n copies of one vector, d = 50: mean correlation of 400 releases, five standard errors off.

    The argument bounds the mean over any packing, so the mean over all directions too. Few people
    know nothing: a random direction has correlation about √(2/(πd)), and the bound says 0.9.
    """
    d, rng = 50, np.random.default_rng(6)
    noise = mod_sulq_noise(d, 1.0, 0.01)
    units = rng.standard_normal((400, d))
    units /= np.linalg.norm(units, axis=1, keepdims=True)
    drawn = noise * MECHANISMS["mod_sulq"].matrices(d, rng, 400)
    found = {}
    for n in (10, 300, 1000, 2000, 3000, 10_000):
        top = np.linalg.eigh(n * units[:, :, None] * units[:, None] + drawn)[1][:, :, -1]
        correlation = np.abs((top * units).sum(axis=1))
        error = correlation.std() / 20
        found[n] = correlation.mean()
        assert found[n] + 5 * error < mod_sulq_correlation(d, noise / n)
    random = exp(lgamma(d / 2) - lgamma((d + 1) / 2)) / sqrt(pi)
    assert random == pytest.approx(sqrt(2 / (pi * d)), rel=0.01)
    assert found[10] == pytest.approx(random, abs=0.025)  # five standard errors of 0.086/20
    assert mod_sulq_correlation(d, noise / 10) > 0.9
    assert found[10_000] > 0.95


@pytest.mark.parametrize("rho", [0.92, 0.99, 0.9999])
def test_too_few_for_mod_sulq_inverts_its_bound(rho):
    case = Case(50, 0.3, 0.31, 1.0, 0.01, ADD, rho, 0.1)
    n = mod_sulq_too_few(case)
    noise = mod_sulq_noise(50, 1.0, 0.01)
    assert mod_sulq_correlation(50, noise / n) == pytest.approx(rho, abs=1e-6)
    assert mod_sulq_too_few(replace(case, adjacency=REPLACE)) == n
    # Where the bound says so, no correlation so high is measured: see the test above.
    assert mod_sulq_correlation(50, noise / (0.5 * n)) < rho


def test_the_bound_on_mod_sulq_says_nothing_of_small_correlations():
    case = Case(50, 0.3, 0.31, 1.0, 0.01, ADD, 0.75, 0.1)
    assert mod_sulq_too_few(case) is None
    assert mod_sulq_too_few(replace(case, d=2, rho=1 - 1e-7)) is None
