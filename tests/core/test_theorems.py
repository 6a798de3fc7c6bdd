"""Numbers of people that the papers prove enough or too few, against releases and brute force."""

import re
from dataclasses import replace
from itertools import product
from math import exp, log, log1p, sqrt

import numpy as np
import pytest
from scipy.stats import binom

from dpca_core import MECHANISMS, Adjacency, Budget, Problem, theorems
from dpca_core.theorems import THEOREMS, Case
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


def test_what_a_theorem_says_of_whom_is_replaced_and_where_it_says_nothing():
    """τ is √2 of what it is where a person is added; small correlations, or no δ: nothing."""
    added = SETTINGS[0]
    replaced = theorems.gaussian_enough(replace(added, adjacency=REPLACE))
    assert replaced == pytest.approx(sqrt(2) * theorems.gaussian_enough(added), rel=1e-9)
    assert theorems.wishart_enough(replace(PURE, rho=0.7)) is None
    for bound in ("gaussian_enough", "smooth_gaussian_enough", "mod_sulq_too_few", "local_order"):
        assert getattr(theorems, bound)(PURE) is None


def test_room_of_the_packing_and_the_conditions_of_theorem_8():
    """1 − φ at d = 100 as in docs/sample-size.md; Lemma 11 gives K − 1 = e^d directions."""
    assert theorems.packing_distance(100) == pytest.approx(0.0643, abs=5e-5)
    assert theorems.packing_distance(100, printed=True) == pytest.approx(0.1245, abs=5e-5)
    for d in (3, 5, 20, 100, 1000):
        phi = 1 - theorems.packing_distance(d)
        logs = -(d - 2) / 2 * log1p(-(phi**2)) - log(8)
        assert logs == pytest.approx(d + log1p(exp(-d)), rel=1e-6)
        assert theorems.packing_distance(d, printed=True) == pytest.approx(1 - phi**2, rel=1e-6)
    for printed in (False, True):
        room = theorems.packing_distance(100, printed=printed)
        rho = theorems.pure_least_rho(100, printed=printed)
        assert 16 * (1 - rho) == pytest.approx(room, rel=1e-9)
        case = Case(100, 0.3, 0.31, 1.0, 0.0, REPLACE, rho, 0.1)
        assert theorems.pure_too_few(case, printed=printed) == pytest.approx(100 / 0.3)
        assert theorems.pure_too_few(replace(case, rho=rho - 1e-9), printed=printed) is None
        assert theorems.pure_too_few(replace(case, gap=0.51), printed=printed) is None
        more = theorems.pure_too_few(replace(case, epsilon=1.9 * case.epsilon), printed=printed)
        assert more == pytest.approx((100 / 1.9 if printed else 52) / 0.3)
    assert theorems.pure_too_few(replace(case, rho=1 - 1e-9)) is not None
    assert theorems.pure_too_few(replace(case, rho=1 - 1e-9, epsilon=101.0)) is None


@pytest.mark.parametrize(
    ("d", "epsilon"),
    sampled(product((50, 100, 500, 1000), (0.01, 0.1, 0.5, 1, 2)), 6, "the same search again"),
)
def test_the_correlation_of_mod_sulq_by_another_search(d, epsilon):
    """The cases of the paper's Figure 1: δ = 0.01, n from 10² to 10⁸."""
    noise = mod_sulq_noise(d, epsilon)
    people = np.geomspace(1e2, 1e8, 25)
    found = np.array([theorems.mod_sulq_correlation(d, noise / n) for n in people])
    np.testing.assert_allclose(
        found, [mod_sulq_correlation_by_search(d, noise / n) for n in people], atol=1e-4
    )
    assert (np.diff(found) >= -1e-9).all()
    assert 0.75 <= found.min() <= found.max() <= 1


@pytest.mark.parametrize("rho", [0.92, 0.9999])
def test_too_few_for_mod_sulq_inverts_its_bound(rho):
    case, noise = Case(50, 0.3, 0.31, 1.0, 0.01, ADD, rho, 0.1), mod_sulq_noise(50, 1.0)
    n = theorems.mod_sulq_too_few(case)
    assert theorems.mod_sulq_too_few(replace(case, adjacency=REPLACE)) == n
    assert theorems.mod_sulq_correlation(50, noise / n) == pytest.approx(rho, abs=1e-6)
    assert theorems.mod_sulq_correlation(50, noise / (0.5 * n)) < rho


@pytest.mark.parametrize(
    ("key", "enough"),
    [
        *(("ppca", 6460), ("wishart_jiang", 22_500), ("smooth_gaussian_printed", 5630)),
        *(("smooth_cauchy_printed", 51_500), ("gaussian", 1710), ("local_printed", 3980)),
    ],
)
def test_the_example_of_the_document(key, enough):
    """Its numbers, written "22 500", are what is proved."""
    stated = re.sub(r"(?<=\d) (?=\d)", "", (ROOT / "docs" / "sample-size.md").read_text("utf-8"))
    case = Case(50, 0.3, 0.314, 1.0, 1e-6, ADD, 0.9, 0.1)
    proved = theorems.local_order(case) if key == "local_printed" else ENOUGH[key](case)
    assert proved == pytest.approx(enough, rel=0.01)
    assert str(enough) in stated
