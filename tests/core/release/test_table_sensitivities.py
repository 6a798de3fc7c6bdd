"""What one person moves a table by: attained, never passed, and the project's own constants."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from dpca_core.privacy import sensitivity
from dpca_core.privacy.budget import Adjacency
from dpca_core.release import table_sensitivities as moves
from dpca_core.release.exact_fractions import ceil_sqrt
from dpca_core.release.grid import GRID

BOTH = tuple(Adjacency)
ADD, REPLACE = Adjacency.ADD_OR_REMOVE_ONE, Adjacency.REPLACE_ONE


@pytest.mark.parametrize("adjacency", BOTH)
@pytest.mark.parametrize("d", [1, 2, 3, 19, 2000])
@pytest.mark.parametrize("m", [1, 5])
def test_bounds_are_those_of_rows_of_norm_one(d, m, adjacency):
    unit = m * GRID**2
    assert moves.matrix_frobenius(m, adjacency).squared == pytest.approx(
        (unit * sensitivity.frobenius(adjacency)) ** 2
    )
    assert moves.matrix_nuclear(m, adjacency).whole == unit * sensitivity.nuclear(adjacency)
    triangle = moves.triangle_taxicab(d, m, adjacency).whole
    expected = unit * sensitivity.upper_triangle_l1(d, adjacency)
    assert expected * (1 - 1e-14) <= triangle <= expected + 2


def people(d: int, m: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Persons of at most m whole rows (p, d) of norm GRID at most."""
    found = []
    for _ in range(60):
        rows = rng.standard_normal((rng.integers(0, m + 1), d)) * rng.choice([0, 1], d)
        norms = np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
        found.append(np.fix(rows / norms * (GRID - d)).astype(object))
    return found


@pytest.mark.parametrize("m", [1, 3])
@pytest.mark.parametrize("d", [1, 2, 4])
def test_no_person_moves_a_table_further(d, m):
    rng = np.random.default_rng(5)
    everybody = people(d, m, rng)
    nobody = np.zeros((0, d), dtype=object)
    triangle = np.triu_indices(d)
    for adjacency, pairs in (
        (ADD, [(one, nobody) for one in everybody]),
        (REPLACE, pairwise(everybody)),
    ):
        for one, other in pairs:
            moved = one.T @ one - other.T @ other + np.zeros((d, d), dtype=object)
            sums = np.append(one.sum(axis=0) - other.sum(axis=0), GRID * (len(one) - len(other)))
            assert (moved**2).sum() <= moves.matrix_frobenius(m, adjacency).squared
            nuclear = np.abs(np.linalg.eigvalsh(moved.astype(float))).sum()
            assert nuclear <= moves.matrix_nuclear(m, adjacency).whole * (1 + 1e-12)
            assert abs(moved[triangle]).sum() <= moves.triangle_taxicab(d, m, adjacency).whole
            assert (sums**2).sum() <= moves.means_euclidean(m, adjacency).squared
            assert abs(sums).sum() <= moves.means_taxicab(d, m, adjacency).whole


@pytest.mark.parametrize("d", [1, 4, 9])
def test_means_bounds_are_attained(d):
    # √d is whole, so that a row of equal entries is on the grid.
    row = np.full(d, GRID // ceil_sqrt(d) if d < 9 else 21845)
    added = np.append(row, GRID)
    assert abs(added).sum() >= moves.means_taxicab(d, 1, ADD).whole - d
    replaced = np.append(2 * row, 0)
    assert abs(replaced).sum() >= moves.means_taxicab(d, 1, REPLACE).whole - 2 * d
    assert (replaced**2).sum() >= moves.means_euclidean(1, REPLACE).squared * (1 - 1e-4)


def test_counts():
    assert [moves.counts_taxicab(2, a).whole for a in BOTH] == [2 * GRID, 4 * GRID]
    assert [moves.counts_euclidean(2, a).squared for a in BOTH] == [
        4 * GRID**2,
        8 * GRID**2,
    ]


def test_roots_are_rounded_up_and_no_further():
    rng = np.random.default_rng(7)
    for bits in (1, 10, 70, 200):
        for _ in range(200):
            value = Fraction(int.from_bytes(rng.bytes(bits), "big"), int(rng.integers(1, 1000)))
            root = ceil_sqrt(value)
            assert root**2 >= value
            assert root == 0 or (root - 1) ** 2 < value
