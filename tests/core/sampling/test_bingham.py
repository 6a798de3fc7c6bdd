"""Directions of the Bingham law, alone and beside others, and chains of them."""

from itertools import islice
from math import sqrt

import numpy as np
import pytest
from scipy.integrate import cumulative_simpson
from scipy.special import ive
from scipy.stats import beta, gamma, vonmises

from dpca_core.linalg.symmetric import orthonormal
from dpca_core.sampling.bingham import bingham_beside, first_t, gibbs_sweeps, one_beside_another
from dpca_core.sampling.matrix_bingham import (
    NearlyUniform,
    best_concentration,
    nearly_uniform,
    subspace_sampler,
)
from tests.cases import sampled
from tests.core.sampling.laws import (
    ERRORS,
    SEEN,
    assert_frames,
    assert_law,
    assert_mean,
    diagonals,
    haar_rejection,
)


def directions(costs, seed, count):
    """Directions (count, d) of density ∝ exp(−xᵀCx), costs in any order and from any origin."""
    order = np.argsort(costs)
    sampler = nearly_uniform(np.array(costs)[order], 1)
    drawn = sampler.draw(np.random.default_rng(seed), count)[..., 0]
    return drawn[:, np.argsort(order)]


@pytest.mark.parametrize("d", [2, 3, 10, 54, 200])
def test_the_envelope_lies_above_the_density_and_a_good_share_is_accepted(d):
    """About 0.86/√d or more, for large d."""
    for size in (0.0, 1e-3, 1.0, 30.0, 1e3, 1e5, 1e7):
        for costs in (
            *(size * np.linspace(0, 1, d) ** power for power in (0.2, 1, 5)),
            np.append(0.0, np.full(d - 1, size)),
            np.append(np.zeros(d - 1), size),
        ):
            sampler = NearlyUniform(costs, 1, best_concentration(costs, 1))
            assert sampler.weigh(np.random.default_rng(0), 400)[0].max() <= 1e-9
            assert 1 / sampler.proposals() > 0.65 / sqrt(d)


@pytest.mark.chance(2e-8)
@pytest.mark.parametrize("cost", [3.0, 20.0, 1e6])
def test_two_columns(cost):
    """Twice the angle is von Mises; E v₂² = (1 − I₁(c/2)/I₀(c/2))/2."""
    v = directions((5.0, 5.0 + cost), 1, 60_000)
    assert_law(2 * np.arctan(v[:, 1] / v[:, 0]), vonmises(cost / 2).cdf)
    expected, heavier = ((1 - ive(1, c / 2) / ive(0, c / 2)) / 2 for c in (cost, 1.1 * cost))
    square = v[:, 1] ** 2
    assert_mean(square, expected)
    assert expected - heavier > SEEN * square.std() / sqrt(len(square))


def height_law(costs):
    """CDF of u₁ (by its square) and E u₁² at three columns, costs (0, c₂, c₃), by quadrature."""
    z = np.linspace(0, 1, 20_001)
    rest = 1 - z**2
    mean, half = (costs[1] + costs[2]) / 2, (costs[2] - costs[1]) / 2
    density = np.exp(-(mean - half) * rest) * ive(0, half * rest)
    mass = cumulative_simpson(density, x=z, initial=0)
    second = cumulative_simpson(density * z**2, x=z, initial=0)[-1] / mass[-1]
    return (lambda square: np.interp(np.sqrt(square), z, mass / mass[-1])), second


@pytest.mark.chance(5e-8)
@pytest.mark.parametrize("costs", [(0, 1, 2), (0, -9, -9), (0, 8, 30), (0, 200, 200)])
def test_three_columns(costs):
    """At (0, 1, 2) E u₁² is 0.4737; libraries that accept by the reciprocal draw 0.72."""
    law, expected = height_law(costs)
    heavier = height_law(1.1 * np.array(costs))[1]
    u = directions(costs, 2, 150_000)
    square = u[:, 0] ** 2
    assert_law(square, law)
    assert_mean(square, expected)
    assert abs(heavier - expected) > SEEN * square.std() / sqrt(len(u))
    for i in range(3):
        assert abs((u[:, i] > 0).mean() - 0.5) < ERRORS * 0.5 / sqrt(len(u))
    if costs == (0, 1, 2):
        assert expected == pytest.approx(0.4737, abs=5e-5)


@pytest.mark.chance(3e-8)
@pytest.mark.parametrize("d", [2, 3, 50, 200])
def test_no_costs_are_a_uniform_direction_and_large_ones_concentrate(d):
    """The cost of a draw tends to Gamma((d − 1)/2, 1)."""
    u = directions(np.full(d, 7.0), 3, 40_000 if d < 200 else 4_000)
    for i in (0, d - 1):
        assert_law(u[:, i] ** 2, beta(0.5, (d - 1) / 2).cdf)
    costs = 1e7 * np.append(0, np.linspace(1, 2, d - 1))
    u = directions(costs, 4, 10_000 if d < 50 else 2_000)
    assert_law(np.square(u) @ costs, gamma((d - 1) / 2).cdf)


# --- Beside others ---


def left(weights, others):
    """Return eigenvalues and eigenvectors of diag(weights) beside others (d, m), ascending."""
    free = np.linalg.qr(others, mode="complete")[0][:, others.shape[1] :]
    values, vectors = np.linalg.eigh((free.T * weights) @ free)
    return values, free @ vectors


@pytest.mark.chance(7e-8)
@pytest.mark.parametrize("height", [3.0, 60.0])
def test_a_direction_beside_others_has_the_law_of_what_is_left(height):
    """Each coordinate's square, against draws in eigenvectors of what is left."""
    rng, d = np.random.default_rng(1), 7
    weights = height * np.sort(rng.random(d))[::-1]
    others = orthonormal(rng.standard_normal((d, 2)))
    values, vectors = left(weights, others)
    exact = directions(-values, 2, 20_000) @ vectors.T
    quick, t = np.empty((4_000, d)), first_t(weights, others)
    for i in range(len(quick)):
        quick[i], t = bingham_beside(weights, others, t, rng)
    assert np.abs(quick @ others).max() < 1e-12
    for found, expected in zip(np.square(quick).T, np.square(exact).T, strict=True):
        assert_law(found, expected)


@pytest.mark.parametrize("m", [0, 1, 2, 6])
@pytest.mark.parametrize(
    ("height", "near"),
    [(1e-3, False), (1.0, False), (1e2, False), (1e-3, True), (1e2, True), (1e6, True)],
)
def test_the_search_begins_within_its_bounds_and_ends_at_a_good_envelope(m, height, near):
    """At 10⁶ others far from the first axes have a chance of e^(−10⁵) to be drawn."""
    rng, d = np.random.default_rng(2), 40
    weights = height * 0.8 ** np.arange(d)
    frames = rng.standard_normal((d, m)) * (1e-3 if near else 1.0)
    others = orthonormal(frames + np.eye(d, m))
    values, _ = left(weights, others)
    begun = first_t(weights, others)
    # By interlacing, and by Ky Fan; to rounding.
    most = weights[: m + 1].sum() - (weights @ np.square(others)).sum()
    assert 2 * weights[m] + 1 <= begun <= 2 * most + 1 + 1e-9 * height
    _, found = bingham_beside(weights, others, begun, rng)
    assert (1 / (found - 2 * values)).sum() == pytest.approx(1, abs=0.11)


@pytest.mark.chance(3e-8)
@pytest.mark.parametrize("height", sampled([30.0, 3.0], 1, "two seconds each"))
def test_chains_of_gibbs_sweeps_have_the_joint_law(height):
    """A column given the others is exact: 10 sweeps of 1,500 chains, against uniform rejection."""
    weights, k = height / 10 * np.array([6.0, 5, 4.5, 3, 1]), 2
    found = np.empty((1_500, 5, k))
    for i, frame in enumerate(found):
        frame[:] = next(
            islice(gibbs_sweeps(weights, np.eye(5, k), np.random.default_rng(i)), 9, None)
        )
    assert_frames(found)
    costs = weights[0] - weights
    reference = haar_rejection(costs, k, 6, 400_000)
    assert_law(diagonals(found) @ costs, reference @ costs)
    for share in (0, 2):
        assert_law(diagonals(found)[:, share], reference[:, share])


@pytest.mark.parametrize("height", [0.0, 1e-3, 1e4, 1e12])
@pytest.mark.parametrize(("d", "k"), [(2, 1), (6, 5), (40, 3)])
def test_frames_are_orthonormal_at_any_weights(height, d, k):
    """Ties, zeros, and weights that differ by many orders of magnitude."""
    rng = np.random.default_rng(8)
    for weights in (
        np.ones(d),
        np.eye(d)[0],
        10.0 ** -np.linspace(0, 300, d),
        np.linspace(1, 0, d),
    ):
        found = one_beside_another(height * weights, k, rng)
        assert_frames(found[None], 1e-12)
        assert_frames(
            next(islice(gibbs_sweeps(height * weights, found, rng), 2, None))[None], 1e-12
        )


@pytest.mark.chance(1e-8)
def test_directions_in_turn_are_each_the_vector_law():
    """The first column of ``one_beside_another`` is one direction alone."""
    weights, rng = np.array([6.0, 4, 3, 0]), np.random.default_rng(9)
    first = np.stack([one_beside_another(weights, 2, rng)[:, 0] for _ in range(3_000)])
    alone = subspace_sampler(-weights, 1)[0].draw(rng, 20_000)[..., 0]
    assert_law(np.square(first) @ weights, np.square(alone) @ weights)
