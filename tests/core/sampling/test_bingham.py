"""Directions of the Bingham law, alone and beside others.

Frames of one direction beside another, and chains of them, are compared in tests/references.
"""

from itertools import islice
from math import sqrt

import numpy as np
import pytest
from scipy.integrate import cumulative_simpson
from scipy.special import ive

from dpca_core.linalg.symmetric import orthonormal
from dpca_core.sampling.bingham import bingham_beside, first_t, gibbs_sweeps, one_beside_another
from dpca_core.sampling.matrix_bingham import NearlyUniform, best_concentration, nearly_uniform
from tests.core.sampling.laws import ERRORS, SEEN, assert_frames, assert_law, assert_mean


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


# --- Beside others ---


@pytest.mark.chance(7e-8)
@pytest.mark.parametrize("height", [3.0, 60.0])
def test_a_direction_beside_others_has_the_law_of_what_is_left(height):
    """Each coordinate's square, against draws in eigenvectors of what is left."""
    rng, d = np.random.default_rng(1), 7
    weights = height * np.sort(rng.random(d))[::-1]
    others = orthonormal(rng.standard_normal((d, 2)))
    free = np.linalg.qr(others, mode="complete")[0][:, 2:]
    values, turned = np.linalg.eigh((free.T * weights) @ free)
    vectors = free @ turned
    exact = directions(-values, 2, 20_000) @ vectors.T
    quick, t = np.empty((4_000, d)), first_t(weights, others)
    for i in range(len(quick)):
        quick[i], t = bingham_beside(weights, others, t, rng)
    assert np.abs(quick @ others).max() < 1e-12
    for found, expected in zip(np.square(quick).T, np.square(exact).T, strict=True):
        assert_law(found, expected)


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
