"""The numbers of people that the papers prove enough, against releases and brute force.

Seeds are fixed; each statistical test says how often it would fail by chance with a fresh one.
"""

from dataclasses import replace
from math import exp, log, pi, sqrt, tan

import numpy as np
import pytest
from scipy.stats import binom, chi2

from dpca_core import MECHANISMS, Adjacency, Budget, Problem
from dpca_core.privacy.sensitivity import gap_change, local_sensitivity
from dpca_core.theorems.sample_size_theorems import (
    LOCAL_SENSITIVITY_C,
    cauchy_norm,
    local_order,
    mod_sulq_too_few,
    ppca_enough,
    smooth_cauchy_enough,
    smooth_gaussian_enough,
    wishart_enough,
)
from dpca_core.theorems.theorem import Case
from tests.core.analysis.theorem_cases import ADD, CASES, REPLACE

BOTH = pytest.mark.parametrize("adjacency", Adjacency)
RELEASES = 5000

ENOUGH = {
    "ppca": ppca_enough,
    "wishart_jiang": wishart_enough,
    "smooth_gaussian_printed": smooth_gaussian_enough,
    "smooth_cauchy_printed": smooth_cauchy_enough,
}
SMOOTH = pytest.mark.parametrize("key", ["smooth_gaussian_printed", "smooth_cauchy_printed"])


def flat(case):
    """All directions but one alike: the most that can be mistaken for the first."""
    return [case.top] + [case.top - case.gap] * (case.d - 1)


def pair(case):
    """Two directions and nothing else."""
    return [case.top, case.top - case.gap] + [0.0] * (case.d - 2)


def reached(key, case, n, spectrum):
    """In how many of 5000 releases at n people |⟨v̂, v⟩| ≥ ρ."""
    problem = Problem.from_moment(np.diag(spectrum) * n, n, 1)
    budget = Budget(case.epsilon, case.delta, case.adjacency)
    released = MECHANISMS[key].release(problem, budget, np.random.default_rng(1), RELEASES)
    return int((np.abs(released.bases[:, 0, 0]) >= case.rho).sum())


@BOTH
@pytest.mark.parametrize("shape", [flat, pair])
@CASES
@pytest.mark.parametrize("key", ENOUGH)
def test_so_many_people_are_enough(key, case, shape, adjacency):
    """One-sided Clopper–Pearson: the share reached may be 1 − η.

    Where it is, a test fails by chance with probability 10⁻⁶, and one of all 48 with 5·10⁻⁵.
    """
    case = replace(case, adjacency=adjacency)
    found = reached(key, case, ENOUGH[key](case), shape(case))
    assert binom.cdf(found, RELEASES, 1 - case.eta) > 1e-6


@BOTH
@CASES
@pytest.mark.parametrize("key", ENOUGH)
def test_far_fewer_people_are_not_enough(key, case, adjacency):
    """At a hundredth of the bound the share reached is under 1 − η: certain but for 10⁻⁶."""
    case = replace(case, adjacency=adjacency)
    found = reached(key, case, ENOUGH[key](case) / 100, flat(case))
    assert binom.cdf(found, RELEASES, 1 - case.eta) < 1e-6


def test_the_smooth_gaussian_bound_is_nearly_sharp():
    """At d = 30, ρ = 0.99: 5 % fewer people and U has jumped; the aim is missed."""
    case = Case(30, 0.3, 0.32, 2.0, 1e-3, ADD, 0.99, 0.2)
    n = smooth_gaussian_enough(case) / 1.05
    assert reached("smooth_gaussian_printed", case, n, flat(case)) < 0.3 * RELEASES


@pytest.mark.parametrize("d", [2, 3, 6])
def test_one_sided_noise_turns_no_further_than_documented(d):
    """gap·sin²θ ≤ ‖W‖ for every W ⪰ 0: with it Theorem 7 of Jiang et al. holds at every ρ."""
    rng = np.random.default_rng(2)
    spectrum = np.sort(rng.random(d))[::-1]
    rows = rng.standard_normal((5000, d, d + 1)) * rng.uniform(0.01, 0.6, (5000, 1, 1))
    noise = rows @ rows.swapaxes(1, 2)
    turned = 1 - np.linalg.eigh(np.diag(spectrum) + noise)[1][:, 0, -1] ** 2
    share = (spectrum[0] - spectrum[1]) * turned / np.linalg.eigvalsh(noise)[:, -1]
    assert 0.1 < share.max() <= 1 + 1e-9


@pytest.mark.parametrize(("d", "eta"), [(3, 0.5), (10, 0.1), (40, 0.01)])
def test_the_wishart_norm_is_exceeded_as_seldom_as_its_tail_bound_says(d, eta):
    """The norm of the noise that Theorem 7 takes; 2000 draws; a false failure in < 10⁻⁶ of runs."""
    case = Case(d, 0.5, 0.6, 1.0, 0.0, ADD, 0.8, eta)
    allowed = wishart_enough(case) * (1 - case.rho**2) * case.gap
    draws = MECHANISMS["wishart_jiang"].matrices(d, np.random.default_rng(3), 2000)
    scale = (
        MECHANISMS["wishart_jiang"]
        .calibrate(Problem.from_moment(np.eye(d), d, 1), Budget(case.epsilon, 0.0))
        .scale
    )
    longer = int((scale * np.linalg.eigvalsh(draws)[:, -1] > allowed).sum())
    assert binom.sf(longer - 1, 2000, eta) > 1e-6


def test_the_two_theorems_7_as_printed():
    """Their numbers put in by hand: d = 10, ε = 2, λ₁ = 0.4, gap 0.3, ρ = 0.9, η = 0.1."""
    case = Case(10, 0.3, 0.4, 2.0, 0.0, REPLACE, 0.9, 0.1)
    chaudhuri = 10 / (2 * 0.3 * 0.1) * (0.4 * log(10) + 2 * log(8 * 0.4 / (0.19 * 0.3)))
    assert ppca_enough(case) == pytest.approx(chaudhuri, rel=1e-12)
    jiang = 3 * (11 + sqrt(2 * 11 * 12 * log(100)) + 20 * log(100)) / (4 * 0.19 * 0.3)
    assert wishart_enough(case) == pytest.approx(jiang, rel=1e-12)


def test_jiangs_theorem_says_nothing_of_small_correlations():
    case = Case(10, 0.3, 0.4, 1.0, 0.0, ADD, sqrt(0.5), 0.1)
    assert wishart_enough(case) == wishart_enough(replace(case, adjacency=REPLACE))
    assert wishart_enough(replace(case, rho=0.7)) is None


def asked(key, case):
    """U and β of a smooth mechanism at an aim, written out anew: (bound, β)."""
    slack = sqrt(1 - case.rho**2)
    if key == "smooth_gaussian_printed":
        logs = log(2 / case.delta)
        longest = sqrt(chi2.isf(case.eta, case.d))
        return slack * case.epsilon / (5 * sqrt(2 * logs) * longest), case.epsilon / (
            4 * (case.d + logs)
        )
    longest = cauchy_norm(case.d, case.eta)
    return slack * case.epsilon / (6 * sqrt(case.d) * longest), case.epsilon / (6 * case.d)


def largest_term(gap, beta, local):
    """max_j e^{−βj}·local(gap − j), j = 0, 1, … until the gap is gone and one more."""
    return max(exp(-beta * j) * local(gap - j) for j in range(int(gap) + 3))


@BOTH
@CASES
@SMOOTH
def test_fewer_people_and_the_smooth_bound_is_too_large(key, case, adjacency):
    """At the n solved for U allows the noise, at one part in ten million less it does not."""
    case = replace(case, adjacency=adjacency)
    bound, beta = asked(key, case)
    n = ENOUGH[key](case)

    def smooth(n):
        return largest_term(
            n * case.gap / gap_change(adjacency),
            beta,
            lambda g: local_sensitivity(g, case.d, 1, ADD),
        )

    assert smooth(n) <= bound * (1 + 1e-7) < smooth(n * (1 - 1e-6)) * (1 + 2e-7)


@BOTH
@CASES
@SMOOTH
def test_the_lemmas_conditions_hold_at_the_n_printed(key, case, adjacency):
    """U with C/g for the local sensitivity is small enough there; the solved n is smaller."""
    case = replace(case, adjacency=adjacency)
    bound, beta = asked(key, case)
    n = ENOUGH[key](case, printed=True)
    gap = n * case.gap / gap_change(adjacency)

    def local(g):
        return min(sqrt(2), LOCAL_SENSITIVITY_C / g) if g > 0 else sqrt(2)

    assert largest_term(gap, beta, local) <= bound
    assert 2 * LOCAL_SENSITIVITY_C / gap < bound
    assert sqrt(2) * exp(-beta * gap / 2) < bound
    assert n >= ENOUGH[key](case)


@CASES
def test_the_lemmas_as_the_paper_writes_them(case):
    """Lemmas 15 and 16 in ε_g: U ≤ ε_g·ε/√d, and ε_g·ε/d over √d for the ℓ₁ sensitivity."""
    d, epsilon, gap = case.d, case.epsilon, case.gap
    bound = asked("smooth_gaussian_printed", case)[0]
    accuracy = bound * sqrt(d) / epsilon
    lemma = 2 * LOCAL_SENSITIVITY_C * sqrt(d) / (gap * epsilon * accuracy)
    logs = log(2 / case.delta)
    lemma += 8 * (d + logs) * log(sqrt(2 * d) / (epsilon * accuracy)) / (gap * epsilon)
    assert smooth_gaussian_enough(case, printed=True) == pytest.approx(lemma, rel=1e-9)
    accuracy = asked("smooth_cauchy_printed", case)[0] * d**1.5 / epsilon
    lemma = 2 * LOCAL_SENSITIVITY_C * d**1.5 / (gap * epsilon * accuracy)
    lemma += 12 * d * log(sqrt(2) * d**1.5 / (epsilon * accuracy)) / (gap * epsilon)
    assert smooth_cauchy_enough(case, printed=True) == pytest.approx(lemma, rel=1e-9)


def test_lemma_16_holds_with_the_6d_printed():
    """Its proof by halves needs 12d; at the printed n the conclusion is true all the same."""
    rng = np.random.default_rng(4)
    largest = 0.0
    for _ in range(300):
        d = int(rng.integers(2, 12))
        epsilon, accuracy = rng.uniform(0.1, 0.99, 2)
        constant = 10 ** rng.uniform(-1, 0.5)
        gap = 2 * constant * d**1.5 / (epsilon * accuracy)
        gap += 6 * d * log(2 * d / (epsilon * accuracy)) / epsilon

        top = constant * sqrt(d)

        def local(g, top=top):
            return min(2.0, top / g) if g > 0 else 2.0

        allowed = epsilon * accuracy / d
        found = largest_term(gap, epsilon / (6 * d), local) / allowed
        halves = 2 * exp(-epsilon / (6 * d) * gap / 2) / allowed
        assert found <= 1
        largest = max(largest, halves)
    assert largest > 1, "the second condition of the proof by halves fails somewhere"


@CASES
@SMOOTH
def test_a_person_replaced_costs_twice_the_gap(key, case):
    for printed in (False, True):
        there = ENOUGH[key](replace(case, adjacency=REPLACE), printed=printed)
        assert there == pytest.approx(2 * ENOUGH[key](case, printed=printed), rel=1e-8)


def test_no_gaussian_noise_without_delta():
    pure = Case(10, 0.3, 0.4, 1.0, 0.0, ADD, 0.9, 0.1)
    assert smooth_gaussian_enough(pure) is None
    assert smooth_gaussian_enough(pure, printed=True) is None
    assert mod_sulq_too_few(pure) is None
    assert local_order(pure) is None


@pytest.mark.parametrize("d", [2, 10, 100])
@pytest.mark.parametrize("share", [0.5, 0.1, 0.01])
def test_length_of_a_cauchy_vector(d, share):
    """100 000 vectors; the number longer is binomial: outside with probability 10⁻⁶."""
    draws, rng = 100_000, np.random.default_rng(5)
    squares = sum(np.square(rng.standard_cauchy(draws)) for _ in range(d))
    longer = int((squares > cauchy_norm(d, share) ** 2).sum())
    low, high = binom.ppf([5e-7, 1 - 5e-7], draws, share)
    assert low <= longer <= high


@pytest.mark.parametrize("share", [0.9, 0.5, 0.1, 0.01])
def test_length_of_one_cauchy_variable(share):
    assert cauchy_norm(1, share) == pytest.approx(tan(pi * (1 - share) / 2), rel=1e-6)
