"""Every sensitivity against a search for the worst pair of neighbours."""

from itertools import product
from math import exp

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpca_core import Adjacency
from dpca_core.privacy import sensitivity
from dpca_core.privacy.sensitivity import frobenius, gap_change, nuclear
from dpca_core.privacy.smooth_sensitivity import (
    basis_diameter,
    local_sensitivity,
    smooth_sensitivity,
)
from tests.core.mechanisms.every_mechanism import ADD, BOTH, REPLACE
from tests.references.worst_person import changes, climb, worst_pair

GAP_OF_3 = np.diag([6.0, 3.0, 9.0, 1.0])
"""λ₂ − λ₃, along the first two coordinates."""


def gap(matrices):
    return np.diff(np.linalg.eigvalsh(matrices))[:, 1]


def norm(changes, order="fro"):
    return np.linalg.norm(changes, order, axis=(-2, -1))


@BOTH
@pytest.mark.parametrize(
    ("length", "bound"),
    [
        (norm, frobenius),
        (lambda change: norm(change, "nuc"), nuclear),
        # A person moves S by 1 in spectral norm under both relations: the unit "people".
        (lambda change: norm(change, 2), lambda _: 1.0),
        # The i.i.d. Gaussian triangle is as sensitive as the whole matrix, at coordinate vectors.
        (lambda change: norm(np.triu(change)), frobenius),
        (lambda change: np.abs(gap(GAP_OF_3 + change) - 3), gap_change),
    ],
)
def test_how_far_a_change_goes(length, bound, adjacency):
    found = climb(lambda p: length(changes(p, adjacency)), (300, 2, 4), np.random.default_rng(1))
    assert bound(adjacency) * 0.999 <= found <= bound(adjacency) * (1 + 1e-12)
    assert length(changes(np.eye(4)[None, :2], adjacency))[0] == pytest.approx(bound(adjacency))


@BOTH
@pytest.mark.parametrize("d", [1, 2, 3, 4, 7, 12, 20])
def test_triangle_in_l1(d, adjacency):
    """All sign patterns of a small triangle; of a large one those that the best pairs give."""
    bound, upper = sensitivity.upper_triangle_l1(d, adjacency), np.triu_indices(d)
    if d <= 4:
        patterns = np.array(list(product([-1.0, 1.0], repeat=len(upper[0]))))
        signs = np.zeros((len(patterns), d, d))
        signs[:, *upper] = patterns
    else:
        signs = np.random.default_rng(d).choice([-1.0, 1.0], (60, d, d))
    for _ in range(1 if d <= 4 else 40):
        found, pair = worst_pair(signs, adjacency)
        signs = np.where(changes(pair, adjacency) >= 0, 1.0, -1.0)
    attained = sensitivity.upper_triangle_l1_attained(d, adjacency)
    assert attained == (adjacency is ADD or d <= 2)
    assert found.max() <= bound * (1 + 1e-12)
    assert found.max() >= bound * (1 - 1e-9 if attained else 0.94)
    assert attained or found.max() < 0.99 * bound or d > 4


def turns(spectrum, k, change):
    """Min over rotations of ‖V_k − V_k'·R‖_F for S = diag(spectrum) and S + change."""
    moved = np.linalg.eigh(np.diag(spectrum) + change)[1][..., : -k - 1 : -1]
    cosines = np.linalg.svd(moved[..., :k, :], compute_uv=False)
    return np.sqrt(2 * np.maximum(0, 1 - cosines).sum(axis=-1))


def spread_spectrum(d, k, gap, rng, flat):
    """A diagonal (d,) with λ_k − λ_{k+1} = gap; all others equal to these two, or spread out."""
    above, below = (np.zeros(k), np.zeros(d - k)) if flat else (rng.random(k), rng.random(d - k))
    above, below = np.sort(above)[::-1], np.sort(below)
    return 5 + np.concatenate([gap + above - above[-1], below[0] - below])


@pytest.mark.parametrize(("adjacency", "sign"), [(ADD, 1), (ADD, -1), (REPLACE, 1)])
@pytest.mark.parametrize(("d", "k"), [(d, k) for d in range(2, 7) for k in range(1, d)])
def test_local_sensitivity_is_the_worst_turn(d, k, adjacency, sign):
    """The theorem of docs/local-sensitivity.md: never exceeded, and reached, at every d and k.

    A person comes (sign 1), leaves (−1), or is replaced by another.
    """
    rng = np.random.default_rng(10 * d + k)
    for people, flat in ((1.02, True), (1.5, False), (8.0, True)):
        gap = people * gap_change(adjacency)
        spectrum = spread_spectrum(d, k, gap, rng, flat)
        found = climb(
            lambda p, s=spectrum: turns(s, k, sign * changes(p, adjacency)), (30, 2, d), rng
        )
        bound = local_sensitivity(gap, d, k, adjacency)
        assert 0.9999 * bound <= found <= bound * (1 + 1e-9)


@BOTH
@pytest.mark.parametrize(("d", "k"), [(2, 1), (3, 1), (4, 1), (4, 2), (5, 2), (5, 3), (5, 4)])
def test_below_the_last_certain_gap_the_bound_is_the_diameter_that_no_turn_exceeds(d, k, adjacency):
    for people in (0.0, 0.5, 0.999, 1.0):
        gap = people * gap_change(adjacency)
        assert local_sensitivity(gap, d, k, adjacency) == basis_diameter(d, k)
    falling, rng = np.arange(d, 0, -1.0), np.random.default_rng(5)
    found = climb(lambda p: turns(falling, k, p + p.swapaxes(-1, -2)), (50, d, d), rng, rounds=10)
    assert found <= basis_diameter(d, k)
    opposite = np.diag(falling[::-1] - falling)
    assert turns(falling, k, opposite) == pytest.approx(basis_diameter(d, k))


@settings(max_examples=300)
@given(
    st.floats(0, 300) | st.integers(0, 40).map(float),
    st.floats(-1, 1),
    st.floats(1e-4, 2),
    st.sampled_from([(2, 1), (5, 2), (9, 6)]),
    st.sampled_from(Adjacency),
)
def test_the_smooth_bound_is_the_largest_term_and_smooth(gap, move, beta, shape, adjacency):
    step = gap_change(adjacency)
    terms = [
        exp(-beta * j) * local_sensitivity(gap - j * step, *shape, adjacency) for j in range(310)
    ]
    bound, people = smooth_sensitivity(gap, *shape, beta, adjacency)
    assert bound == pytest.approx(max(terms), rel=1e-12)
    assert terms[people] == pytest.approx(bound, rel=1e-12)
    there = smooth_sensitivity(max(0.0, gap + move * step), *shape, beta, adjacency).bound
    assert bound <= exp(beta) * there * (1 + 1e-9)
