"""Pairs of neighbours on which an audit runs: one person apart, and far apart in noise."""

import numpy as np
import pytest

from dpca_core import (
    MECHANISMS,
    Budget,
)
from dpca_core.audit.audited_pair import worst_pair
from dpca_core.mechanisms.exponential import Ppca
from dpca_core.mechanisms.gaussian import Gaussian
from dpca_core.privacy.sensitivity import frobenius, upper_triangle_l1
from tests.core.audit.audited import ADD, BOTH, REPLACE, N, budget_of

CENTRAL = pytest.mark.parametrize(
    "key", [key for key, mechanism in MECHANISMS.items() if mechanism.family != "local"]
)


@pytest.mark.parametrize(
    ("d", "k", "n", "sentence"),
    [
        (5, 2, 12, "12 people are too few to audit k = 2 of d = 5; take 13 or more."),
        (5, 5, N, "k must be a whole number from 1 to 4, not 5."),
        (5, 0, N, "k must be a whole number from 1 to 4, not 0."),
    ],
)
def test_bad_pair_is_refused_in_one_sentence(d, k, n, sentence):
    with pytest.raises(ValueError, match=sentence):
        worst_pair(Gaussian(), d, k, n, Budget(1.0, 0.01))


# --- The data sets and the attack ---


@CENTRAL
@BOTH
def test_a_pair_differs_in_one_person_on_top_of_the_same_others(key, adjacency):
    for d, k, n in [(5, 2, 13), (2, 1, 50), (6, 5, 3000)]:
        pair = worst_pair(MECHANISMS[key], d, k, n, budget_of(key, 1.0, adjacency))
        x, y = pair.person, pair.stand_in
        change = np.outer(x, x)
        assert np.linalg.norm(x) == pytest.approx(1)
        if adjacency is REPLACE:
            assert np.linalg.norm(y) == pytest.approx(1)
            change = change - np.outer(y, y)
        else:
            assert y is None
        assert pair.without_person.n == n
        assert pair.with_person.n == n + (adjacency is ADD)
        moved = pair.with_person.moment - pair.without_person.moment
        np.testing.assert_allclose(moved, change, atol=1e-9)
        assert np.linalg.norm(moved) == pytest.approx(frobenius(adjacency))
        others = pair.with_person.moment - np.outer(x, x)
        assert np.linalg.eigvalsh(others)[0] > -1e-9
        assert np.trace(others) <= pair.with_person.n - 1 + 1e-9


def test_joint_ppca_can_be_audited_where_a_tie_would_stop_it():
    budget = Budget(1.0)
    pair = worst_pair(Ppca(), 20, 5, 2000, budget)
    assert Ppca().calibrate(pair.with_person, budget) == Ppca().calibrate(
        pair.without_person, budget
    )


@BOTH
@pytest.mark.parametrize("d", [2, 5, 12, 50])
def test_the_pair_for_laplace_moves_the_triangle_far(d, adjacency):
    pair = worst_pair(MECHANISMS["laplace"], d, 1, N, Budget(1.0, 0.0, adjacency))
    moved = np.abs(np.triu(pair.with_person.moment - pair.without_person.moment)).sum()
    least = 1 if adjacency is ADD else 0.95
    assert least <= moved / upper_triangle_l1(d, adjacency) * (1 + 1e-9) <= 1 + 1e-6
