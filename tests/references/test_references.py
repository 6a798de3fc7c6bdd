"""Every mechanism once more, written naively, must release with the same law.

Entry by entry, with nothing shared with the product but the problem. The captured share of 3,800
naive releases is compared with that of 10,000 of the product's by Kolmogorov-Smirnov and rank-sum
tests at p < 10⁻⁶ (the false-failure probability of each); noise 1.1 times too large or too small
(for PPCA, ε) fails them with a chance of more than 99 %. What counts is m·n/(m + n): 2,755 here.
"""

from math import sqrt

import numpy as np
import pytest
from scipy.stats import kstest, mannwhitneyu

from dpca_core import MECHANISMS, Adjacency, Budget, Problem
from dpca_core.linalg.symmetric import top_basis
from dpca_core.mechanisms import exponential
from dpca_core.metrics import quality
from tests.references import bases as on_bases
from tests.references import local as local
from tests.references import second_moments as on_s
from tests.references.second_moments import PROBLEM, S, people, rotated

# ε for each under add/remove and replace, where the noise matters but does not overwhelm.
REFERENCES = {
    on_s.sulq: (10.0, 11.0), on_s.mod_sulq: (2.5, 3.0), on_s.gaussian: (0.3, 0.4),
    on_s.analyze_gauss: (0.5, 0.6), on_s.laplace: (1.2, 1.4), on_s.laplace_printed: (3.0, 3.5),
    on_s.wishart_difference: (0.5, 1.0), on_s.wishart: (0.12, 0.35),
    on_s.wishart_sn: (0.1, 0.12), on_s.wishart_jiang: (0.3, 0.36),
    on_s.wishart_sheffet: (0.9, 0.95),
    on_bases.power: (0.3, 0.5), on_bases.power_pure: (2.0, 3.5),
    on_bases.power_printed: (1.2, 1.4), on_bases.power_pure_printed: (45.0, 50.0),
    on_bases.gap_release: (2.8, 5.6), on_bases.smooth_gaussian: (6.0, 10.0),
    on_bases.smooth_gaussian_printed: (9.0, 16.0), on_bases.smooth_cauchy: (5.0, 8.0),
    on_bases.smooth_cauchy_printed: (15.0, 24.0), on_bases.ppca: (0.1, 0.2),
    on_bases.ppca_sequential: (0.5, 1.0), on_bases.ppca_gibbs: (0.15, 0.3),
    on_bases.random_projection: (1.0, 1.0), on_bases.non_private: (1.0, 1.0),
    local.local_gaussian: (7.0, 9.0), local.local_printed: (5.0, 6.0),
    local.local_sparse: (8.0, 10.0),
}  # fmt: skip

# Naive and product draws, each for add/remove and replace, where those would be too few (the tails
# of the Cauchy law) or too slow. The relation is one factor of 2 in ppca_gibbs, so that under
# replacement a few draws are enough.
DRAWS = {
    on_bases.power: ((4_000, 5_500), (4_000, 5_500)),
    on_bases.power_pure: ((4_000, 5_500), (4_000, 5_500)),
    on_bases.power_printed: ((4_000, 5_500), (4_000, 5_500)),
    on_bases.power_pure_printed: ((4_000, 5_500), (4_000, 5_500)),
    on_bases.smooth_cauchy: ((11_000, 28_000), (11_000, 28_000)),
    on_bases.smooth_cauchy_printed: ((11_000, 28_000), (11_000, 28_000)),
    on_bases.ppca_sequential: ((12_000, 2_000), (12_000, 2_000)),
    on_bases.ppca_gibbs: ((5_500, 1_650), (1_000, 200)),
    local.local_sparse: ((2_600, 3_600), (500, 1_000)),
}


def test_every_mechanism_has_a_reference():
    """A new mechanism comes with a naive version of itself in one of the files naive*.py."""
    assert {f.__name__ for f in REFERENCES} == set(MECHANISMS)


@pytest.mark.parametrize("adjacency", Adjacency)
@pytest.mark.parametrize("naive", REFERENCES, ids=lambda f: f.__name__)
def test_release_has_the_law_of_the_naive_mechanism(naive, adjacency, monkeypatch):
    # What is left of the start shrinks 200 times with every sweep: three of them are as good as 20.
    monkeypatch.setattr(exponential, "SWEEPS", 3)
    budget = Budget(people(adjacency, *REFERENCES[naive]), 0.01, adjacency)
    rng = np.random.default_rng(1)
    draws = people(adjacency, *DRAWS.get(naive, ((3_800, 10_000), (3_800, 10_000))))
    bases = naive(budget, rng, draws[0])
    refused = np.isnan(bases).any(axis=(1, 2))
    release = MECHANISMS[naive.__name__].release(PROBLEM, budget, rng, draws[1])
    assert release.refused.mean() == pytest.approx(refused.mean(), abs=5 * 0.5 / sqrt(2_755))
    expected = [np.trace(b.T @ S @ b) / 220 for b in bases[~refused]]
    captured = quality(PROBLEM, release.bases[~release.refused]).captured
    if naive is on_bases.non_private:
        np.testing.assert_allclose(captured, 1, rtol=1e-12)
        np.testing.assert_allclose(expected, 1, rtol=1e-12)
    else:
        assert kstest(expected, captured).pvalue > 1e-6
        assert mannwhitneyu(expected, captured).pvalue > 1e-6


def test_eigenvectors_are_ranked_by_signed_eigenvalue():
    """A large negative eigenvalue is no direction of large variance."""
    matrix = rotated([3.0, 2.0, 1.0, -10.0], 3)
    _, vectors = np.linalg.eigh(matrix)
    for k in (1, 2, 3):
        basis = top_basis(matrix, k)
        for i in range(k):
            assert abs(basis[:, i] @ vectors[:, -1 - i]) == pytest.approx(1, abs=1e-12)
    # Through a release: noise that is mostly negative must not be chosen for its size.
    problem = Problem.from_moment(np.diag([2.0, 1.0, 0.0]), 10, 1)
    release = MECHANISMS["gaussian"].release(
        problem, Budget(0.05, 1e-3), np.random.default_rng(4), 200, keep="moment"
    )
    smallest, largest = np.linalg.eigvalsh(release.moment)[:, [0, 2]].T
    assert (-smallest > largest).any()
    rayleigh = np.einsum(
        "ti,tij,tj->t", release.bases[..., 0], release.moment, release.bases[..., 0]
    )
    np.testing.assert_allclose(rayleigh, largest, rtol=1e-10, atol=1e-9)
