"""Pairs of neighbouring data sets for audits: one person apart, and as far as a person reaches."""

import numpy as np
import pytest

from dpca_core import MECHANISMS, Adjacency, Budget
from dpca_core.mechanisms.neighbouring_pairs import worst_pair
from dpca_core.mechanisms.noise_on_s import Gaussian
from dpca_core.privacy.sensitivity import frobenius, upper_triangle_l1

ADD = Adjacency.ADD_OR_REMOVE_ONE
BOTH = pytest.mark.parametrize("adjacency", Adjacency)


def test_a_pair_needs_people_enough_and_directions_below_d():
    with pytest.raises(ValueError, match=r"12 people are too few .* take 13 or more"):
        worst_pair(Gaussian(), 5, 2, 12, Budget(1.0, 0.01))
    for k in (0, 5):
        with pytest.raises(ValueError, match=f"k must be a whole number from 1 to 4, not {k}"):
            worst_pair(Gaussian(), 5, k, 1000, Budget(1.0, 0.01))


@pytest.mark.parametrize(
    "key", [key for key, mechanism in MECHANISMS.items() if mechanism.family != "local"]
)
@BOTH
def test_a_pair_differs_in_one_person_on_top_of_the_same_others(key, adjacency):
    for d, k, n in [(5, 2, 13), (2, 1, 50), (6, 5, 3000)]:
        pair = worst_pair(MECHANISMS[key], d, k, n, Budget(0.5, 0.01, adjacency))
        x, y = pair.person, pair.stand_in
        assert (y is None) == (adjacency is ADD)
        assert np.linalg.norm(x) == pytest.approx(1)
        change = np.outer(x, x)
        if y is not None:
            assert np.linalg.norm(y) == pytest.approx(1)
            change = change - np.outer(y, y)
        assert pair.without_person.n == n
        assert pair.with_person.n == n + (adjacency is ADD)
        moved = pair.with_person.moment - pair.without_person.moment
        np.testing.assert_allclose(moved, change, atol=1e-9)
        assert np.linalg.norm(moved) == pytest.approx(frobenius(adjacency))
        others = pair.with_person.moment - np.outer(x, x)
        assert np.linalg.eigvalsh(others)[0] > -1e-9
        assert np.trace(others) <= pair.with_person.n - 1 + 1e-9


@BOTH
@pytest.mark.parametrize("d", [2, 5, 12, 50])
def test_the_pair_for_laplace_moves_the_triangle_far(d, adjacency):
    pair = worst_pair(MECHANISMS["laplace"], d, 1, 1000, Budget(1.0, 0.0, adjacency))
    moved = np.abs(np.triu(pair.with_person.moment - pair.without_person.moment)).sum()
    least = 1 if adjacency is ADD else 0.95
    assert least <= moved / upper_triangle_l1(d, adjacency) * (1 + 1e-9) <= 1 + 1e-6


@BOTH
@pytest.mark.parametrize("key", ["local_gaussian", "local_printed", "local_sparse"])
def test_in_the_local_model_the_pair_is_one_person_with_one_record_or_another(key, adjacency):
    pair = worst_pair(MECHANISMS[key], 5, 2, 13, Budget(1.0, 0.01, adjacency))
    change = pair.with_person.moment - pair.without_person.moment
    own = np.outer(pair.person, pair.person)
    np.testing.assert_array_equal(change, own - np.outer(pair.stand_in, pair.stand_in))
    assert np.linalg.norm(np.triu(change)) == pytest.approx(np.sqrt(2))
    assert pair.with_person.n == pair.without_person.n == 1
