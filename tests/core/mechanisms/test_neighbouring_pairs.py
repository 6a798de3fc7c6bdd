"""Pairs of neighbouring data sets for audits: one person apart, and as far as a person reaches.

That a report, one entry, or equal entries reach as far as they can: test_privacy_loss.py.
"""

import numpy as np
import pytest

from dpca_core import MECHANISMS, Budget
from dpca_core.mechanisms.neighbouring_pairs import worst_pair
from dpca_core.privacy.sensitivity import frobenius, upper_triangle_l1
from tests.core.mechanisms.every_mechanism import ADD, BOTH, EVERY, REPLACE


def test_a_pair_needs_people_enough():
    with pytest.raises(ValueError, match=r"12 people are too few .* take 13 or more"):
        worst_pair(MECHANISMS["gaussian"], 5, 2, 12, Budget(1.0, 0.01))


@EVERY
@BOTH
def test_a_pair_differs_in_one_person_on_top_of_the_same_others(mechanism, adjacency):
    """In the local model the others are nobody, and the person has one record or another."""
    for d, k, n in [(5, 2, 13), (2, 1, 50), (6, 5, 3000)]:
        pair = worst_pair(mechanism, d, k, n, Budget(0.5, 0.01, adjacency))
        added = adjacency is ADD and not mechanism.local
        x, y = pair.person, np.zeros(d) if added else pair.stand_in
        assert (pair.stand_in is None) == added
        assert np.linalg.norm(x) == pytest.approx(1)
        assert np.linalg.norm(y) == pytest.approx(0 if added else 1)
        moved = pair.with_person.moment - pair.without_person.moment
        np.testing.assert_allclose(moved, np.outer(x, x) - np.outer(y, y), atol=1e-9)
        assert np.linalg.norm(moved) == pytest.approx(frobenius(ADD if added else REPLACE))
        assert pair.without_person.n == (1 if mechanism.local else n)
        assert pair.with_person.n == pair.without_person.n + added
        others = pair.with_person.moment - np.outer(x, x)
        assert np.linalg.eigvalsh(others)[0] > -1e-9
        assert np.trace(others) <= pair.with_person.n - 1 + 1e-9


@pytest.mark.parametrize("d", [2, 5, 12, 50])
def test_whoever_is_replaced_moves_the_triangle_within_5_percent_of_its_bound(d):
    pair = worst_pair(MECHANISMS["laplace"], d, 1, 1000, Budget(1.0, 0.0, REPLACE))
    moved = np.abs(np.triu(pair.with_person.moment - pair.without_person.moment)).sum()
    assert 0.95 <= moved / upper_triangle_l1(d, REPLACE) <= 1 + 1e-6
