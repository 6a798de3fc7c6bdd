"""Numbers of people that the papers prove enough or too few, against releases and brute force."""

import re
from dataclasses import replace
from itertools import product
from math import exp, log, log1p, pi, sqrt

import numpy as np
import pytest
from scipy.stats import binom, chi2

from dpca_core import MECHANISMS, Adjacency, Budget, Problem
from dpca_core.analysis.needed import Aim, measure, people_at
from dpca_core.linalg.symmetric import top_basis
from dpca_core.privacy.gaussian import gaussian_sigma
from dpca_core.privacy.smooth_sensitivity import smooth_sensitivity
from dpca_core.theorems import (
    THEOREMS,
    Case,
    cauchy_norm,
    gaussian_enough,
    local_order,
    mod_sulq_correlation,
    mod_sulq_too_few,
    packing_distance,
    ppca_enough,
    pure_least_rho,
    pure_too_few,
    smooth_gaussian_enough,
    wishart_enough,
)
from tests.cases import sampled
from tests.paths import ROOT
from tests.references.accounting import mod_sulq_correlation_by_search, mod_sulq_noise

ADD, REPLACE = Adjacency.ADD_OR_REMOVE_ONE, Adjacency.REPLACE_ONE
RELEASES = 5000
SETTINGS = [
    Case(3, 0.3, 0.53, 1.0, 1e-6, ADD, 0.9, 0.1),
    Case(10, 0.1, 0.19, 0.5, 1e-6, ADD, 0.95, 0.05),
    Case(30, 0.3, 0.32, 2.0, 1e-3, ADD, 0.99, 0.2),
]
PURE = Case(10, 0.3, 0.4, 2.0, 0.0, REPLACE, 0.9, 0.1)
ENOUGH = {key: stated[0].people for key, stated in THEOREMS.items() if stated[0].kind == "enough"}


@pytest.mark.chance(1e-7)
@pytest.mark.parametrize(
    ("key", "case", "alike", "adjacency"),
    sampled(product(ENOUGH, SETTINGS, (True, False), Adjacency), 6, "the law at another setting"),
)
def test_so_many_people_are_enough(key, case, alike, adjacency):
    """One-sided Clopper–Pearson: the share of |⟨v̂, v⟩| ≥ ρ may be 1 − η.

    All directions but one alike, the most that can be mistaken for the first; or two, and no more.
    """
    case = replace(case, adjacency=adjacency)
    second = case.top - case.gap
    spectrum = np.diag([case.top, second, *[second * alike] * (case.d - 2)])

    def chance(n):
        problem = Problem.from_moment(n * spectrum, n, 1)
        budget = Budget(case.epsilon, case.delta, adjacency)
        bases = MECHANISMS[key].release(problem, budget, 1, RELEASES).bases
        return binom.cdf((np.abs(bases[:, 0, 0]) >= case.rho).sum(), RELEASES, 1 - case.eta)

    assert chance(ENOUGH[key](case)) > 1e-7
    assert not alike or chance(ENOUGH[key](case) / 100) < 1e-7, "a hundredth is not"


def test_the_theorems_with_numbers_put_in_by_hand():
    """Both theorems 7: d = 10, ε = 2, λ₁ = 0.4, gap 0.3, ρ = 0.9, η = 0.1.

    The order of the local model, λ₁²·d·ln(1/δ)/(gap²·ε²·(1 − ρ²)); and Gaussian noise of τ = 4.22
    at ε = 1, δ = 10⁻⁶, and √2 of it where a person is replaced; d = 50, gap 0.3.
    """
    chaudhuri = 10 / (2 * 0.3 * 0.1) * (0.4 * log(10) + 2 * log(8 * 0.4 / (0.19 * 0.3)))
    assert ppca_enough(PURE) == pytest.approx(chaudhuri, rel=1e-12)
    jiang = 3 * (11 + sqrt(2 * 11 * 12 * log(100)) + 20 * log(100)) / (4 * 0.19 * 0.3)
    assert wishart_enough(PURE) == pytest.approx(jiang, rel=1e-12)
    local = Case(10, 0.2, 0.5, 2.0, 1e-4, ADD, 0.5, 0.1)
    assert local_order(local) == pytest.approx(0.25 * 10 * log(1e4) / 0.12, rel=1e-12)
    spread = Case(50, 0.3, 0.31, 1.0, 1e-6, ADD, 0.9, 0.1)
    by_hand = gaussian_sigma(1.0, 1e-6, 1.0) * 2 * (10 + sqrt(log(10))) / (0.19 * 0.3)
    assert gaussian_enough(spread) == pytest.approx(by_hand, rel=1e-12)
    replaced = gaussian_enough(replace(spread, adjacency=REPLACE))
    assert replaced == pytest.approx(sqrt(2) * by_hand, rel=1e-9)


def test_bounds_say_nothing_where_they_hold_nothing():
    """Small correlations in Jiang's and MOD-SULQ's, and Gaussian noise without δ."""
    edge = replace(PURE, rho=sqrt(0.5))
    assert wishart_enough(edge) == wishart_enough(replace(edge, adjacency=ADD))
    assert wishart_enough(replace(edge, rho=0.7)) is None
    for bound in (gaussian_enough, smooth_gaussian_enough, mod_sulq_too_few, local_order):
        assert bound(PURE) is None
    case = Case(50, 0.3, 0.31, 1.0, 0.01, ADD, 0.75, 0.1)
    for silent in (case, replace(case, d=2, rho=1 - 1e-7)):
        assert mod_sulq_too_few(silent) is None


@pytest.mark.parametrize("case", SETTINGS, ids=lambda case: f"d={case.d}")
@pytest.mark.parametrize("key", ["smooth_gaussian_printed", "smooth_cauchy_printed"])
def test_fewer_people_and_the_smooth_bound_is_too_large(key, case):
    """At the n solved for U allows the noise, at one part in a million less it does not."""
    slack, log_delta = sqrt(1 - case.rho**2), log(2 / case.delta)
    if key == "smooth_gaussian_printed":
        factor = 5 * sqrt(2 * log_delta) * sqrt(chi2.isf(case.eta, case.d))
        beta = case.epsilon / (4 * (case.d + log_delta))
    else:
        factor = 6 * sqrt(case.d) * cauchy_norm(case.d, case.eta)
        beta = case.epsilon / (6 * case.d)
    bound, n = slack * case.epsilon / factor, ENOUGH[key](case)

    def smooth(n):
        return smooth_sensitivity(n * case.gap, case.d, 1, beta, ADD).bound

    assert smooth(n) <= bound * (1 + 1e-7) < smooth(n * (1 - 1e-6)) * (1 + 2e-7)
    for printed in (False, True):
        replaced = ENOUGH[key](replace(case, adjacency=REPLACE), printed=printed)
        assert replaced == pytest.approx(2 * ENOUGH[key](case, printed=printed), rel=1e-8)


def test_room_of_the_packing_and_the_conditions_of_theorem_8():
    """1 − φ at d = 100 as in docs/sample-size.md; Lemma 11 gives K − 1 = e^d directions."""
    assert packing_distance(100) == pytest.approx(0.0643, abs=5e-5)
    assert packing_distance(100, printed=True) == pytest.approx(0.1245, abs=5e-5)
    for d in (3, 5, 20, 100, 1000):
        phi = 1 - packing_distance(d)
        logs = -(d - 2) / 2 * log1p(-(phi**2)) - log(8)
        assert logs == pytest.approx(d + log1p(exp(-d)), rel=1e-6)
        assert packing_distance(d, printed=True) == pytest.approx(1 - phi**2, rel=1e-6)
    for printed in (False, True):
        room = packing_distance(100, printed=printed)
        rho = pure_least_rho(100, printed=printed)
        assert 16 * (1 - rho) == pytest.approx(room, rel=1e-9)
        case = Case(100, 0.3, 0.31, 1.0, 0.0, REPLACE, rho, 0.1)
        assert pure_too_few(case, printed=printed) == pytest.approx(100 / 0.3)
        assert pure_too_few(replace(case, rho=rho - 1e-9), printed=printed) is None
        assert pure_too_few(replace(case, gap=0.51), printed=printed) is None


@pytest.mark.parametrize(
    ("d", "epsilon"),
    sampled(product((50, 100, 500, 1000), (0.01, 0.1, 0.5, 1, 2)), 6, "the same search again"),
)
def test_the_correlation_of_mod_sulq_by_another_search(d, epsilon):
    """The cases of the paper's Figure 1: δ = 0.01, n from 10² to 10⁸."""
    noise = mod_sulq_noise(d, epsilon)
    people = np.geomspace(1e2, 1e8, 25)
    found = np.array([mod_sulq_correlation(d, noise / n) for n in people])
    np.testing.assert_allclose(
        found, [mod_sulq_correlation_by_search(d, noise / n) for n in people], atol=1e-4
    )
    assert (np.diff(found) >= -1e-9).all()
    assert 0.75 <= found.min() <= found.max() <= 1


@pytest.mark.parametrize("rho", [0.92, 0.9999])
def test_too_few_for_mod_sulq_inverts_its_bound(rho):
    case, noise = Case(50, 0.3, 0.31, 1.0, 0.01, ADD, rho, 0.1), mod_sulq_noise(50, 1.0)
    n = mod_sulq_too_few(case)
    assert mod_sulq_too_few(replace(case, adjacency=REPLACE)) == n
    assert mod_sulq_correlation(50, noise / n) == pytest.approx(rho, abs=1e-6)
    assert mod_sulq_correlation(50, noise / (0.5 * n)) < rho


@pytest.mark.chance(4e-6)
def test_mod_sulq_lies_under_its_bound_at_random_directions():
    """Means of 400 releases, by five standard errors: the bound is one of the mean over all.

    Few people know nothing: a random direction has about √(2/(πd)), and the bound says 0.9.
    """
    rng, noise, found = np.random.default_rng(6), mod_sulq_noise(50, 1.0), {}
    for n in (10, 1000, 3000, 10_000):
        units = rng.standard_normal((400, 50))
        units /= np.linalg.norm(units, axis=1, keepdims=True)
        drawn = noise * MECHANISMS["mod_sulq"].unit(50, 1, rng, 400)[0]
        bases = top_basis(n * units[:, :, None] * units[:, None] + drawn, 1)
        correlation = np.abs((bases[:, :, 0] * units).sum(axis=1))
        found[n] = correlation.mean()
        assert found[n] + 5 * correlation.std() / 20 < mod_sulq_correlation(50, noise / n)
    assert found[10] == pytest.approx(sqrt(2 / (pi * 50)), abs=0.025)
    assert found[10_000] > 0.95
    assert mod_sulq_correlation(50, noise / 10) > 0.9


@pytest.mark.parametrize(
    ("key", "enough", "people"),
    [
        ("ppca", 6460, 547),
        ("wishart_jiang", 22_500, 929),
        ("smooth_gaussian_printed", 5630, 5540),
        ("smooth_cauchy_printed", 51_500, 50_100),
        ("gaussian", 1710, 186),
        ("wishart_difference", None, 349),
        ("smooth_gaussian", None, 4030),
        ("local_printed", 3980, 100_000),
        ("mod_sulq", None, 19_200),
    ],
)
def test_the_example_of_the_document(key, enough, people):
    """Its numbers, written "22 500", are what is proved, and measured to 5 %."""
    stated = re.sub(r"(?<=\d) (?=\d)", "", (ROOT / "docs" / "sample-size.md").read_text("utf-8"))
    case, budget = Case(50, 0.3, 0.314, 1.0, 1e-6, ADD, 0.9, 0.1), Budget(1.0, 1e-6)
    problem = Problem.from_moment(5000 * np.diag([0.314] + [0.014] * 49), 5000, 1)
    *_, table = measure(MECHANISMS[key], problem, budget)
    aim = Aim("sin", sqrt(1 - 0.9**2), 0.9)
    found = table.needed(aim, people_at(MECHANISMS[key], problem, budget)).n
    assert found == pytest.approx(people, rel=0.05)
    assert str(people) in stated
    if enough:
        proved = local_order(case) if key == "local_printed" else ENOUGH[key](case)
        assert proved == pytest.approx(enough, rel=0.01)
        assert str(enough) in stated
