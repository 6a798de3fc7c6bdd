"""Every mechanism once more, written naively, must release with the same law.

Entry by entry, with nothing shared with the product but the problem. The captured share of 3,800
naive releases is compared with that of 10,000 of the product's by Kolmogorov-Smirnov and rank-sum
tests at p < 10⁻⁸; noise 1.1 times too large or too small (for PPCA, ε) fails one of them with a
chance of more than 99 %. What counts is m·n/(m + n): 2,755 here.
"""

from itertools import product
from math import sqrt

import numpy as np
import pytest
from scipy.stats import mannwhitneyu

from dpca_core import MECHANISMS, Adjacency, Budget
from dpca_core.linalg.symmetric import top_basis
from dpca_core.mechanisms.registry import NON_PRIVATE
from dpca_core.metrics import quality
from tests.core.sampling.laws import CERTAIN, ERRORS, assert_law
from tests.references.comparison import references
from tests.references.second_moments import PROBLEM, S, people, rotated

REFERENCES = references(MECHANISMS)


def test_every_mechanism_has_a_reference():
    """A new mechanism comes with a function of its key's name in a module of this folder."""
    assert list(REFERENCES) == list(MECHANISMS)


GIBBS = pytest.param(
    "ppca_gibbs", Adjacency.REPLACE_ONE, marks=pytest.mark.long("a minute of chains")
)


@pytest.mark.chance(2e-8)
@pytest.mark.parametrize(
    ("key", "adjacency"),
    [case for case in product(REFERENCES, Adjacency) if case != GIBBS.values] + [GIBBS],
)
def test_release_has_the_law_of_the_naive_mechanism(key, adjacency):
    naive = REFERENCES[key]
    budget = Budget(people(adjacency, *naive.epsilons), 0.01, adjacency)
    rng = np.random.default_rng(1)
    draws = people(adjacency, *naive.draws)
    bases = naive(budget, rng, draws[0])
    refused = np.isnan(bases).any(axis=(1, 2))
    release = MECHANISMS[key].release(PROBLEM, budget, rng, draws[1])
    assert release.refused.mean() == pytest.approx(refused.mean(), abs=ERRORS * 0.5 / sqrt(2_755))
    expected = [np.trace(b.T @ S @ b) / 220 for b in bases[~refused]]
    captured = quality(PROBLEM, release.bases[~release.refused]).captured
    if MECHANISMS[key] == NON_PRIVATE:
        np.testing.assert_allclose(captured, 1, rtol=1e-12)
        np.testing.assert_allclose(expected, 1, rtol=1e-12)
    else:
        assert_law(expected, captured)
        assert mannwhitneyu(expected, captured).pvalue > CERTAIN


def test_eigenvectors_are_ranked_by_signed_eigenvalue():
    """A large negative eigenvalue is no direction of large variance."""
    matrix = rotated([3.0, 2.0, 1.0, -10.0], 3)
    vectors = np.linalg.eigh(matrix)[1]
    for k in (1, 2, 3):
        cosines = np.abs((top_basis(matrix, k) * vectors[:, : -k - 1 : -1]).sum(axis=0))
        np.testing.assert_allclose(cosines, 1, atol=1e-12)
