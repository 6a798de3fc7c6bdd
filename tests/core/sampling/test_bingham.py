"""Directions of the Bingham law, alone and beside others, against quadrature and limits."""

from math import sqrt

import numpy as np
import pytest
from scipy.special import ive
from scipy.stats import beta, gamma, vonmises

from dpca_core.linalg.symmetric import orthonormal
from dpca_core.sampling.bingham import (
    envelope,
    log_acceptance,
    vector_bingham,
    vector_bingham_batch,
)
from dpca_core.sampling.bingham_complement import bingham_beside, first_t
from tests.core.sampling.laws import ERRORS, SEEN, assert_law, assert_mean, height_law


def cost_grid():
    """Cost vectors of up to 200 columns, from none to 10⁷, spread in different ways."""
    for d in (2, 3, 10, 54, 200):
        for size in (0.0, 1e-3, 1.0, 30.0, 1e3, 1e5, 1e7):
            for power in (0.2, 1, 5):
                yield size * np.linspace(0, 1, d) ** power
            yield np.append(0.0, np.full(d - 1, size))
            yield np.append(np.zeros(d - 1), size)


def test_the_envelope_lies_above_the_density():
    for costs in cost_grid():
        d, b = len(costs), float(envelope(costs))
        assert (1 / (b + 2 * costs)).sum() == pytest.approx(1, rel=1e-12)
        assert 1 <= b <= d * (1 + 1e-12)
        u = np.concatenate([[0, (d - b) / 2], np.geomspace(1e-9, 1, 400) * max(costs[-1], 1)])
        chances = log_acceptance(u[u <= costs[-1]], b, d)
        assert np.isfinite(chances).all()
        assert chances.max() <= 1e-12


@pytest.mark.chance(2e-8)
@pytest.mark.parametrize("cost", [3.0, 20.0, 1e6])
def test_two_columns(cost):
    """Twice the angle is von Mises; E v₂² = (1 − I₁(c/2)/I₀(c/2))/2."""
    v = vector_bingham(np.array([5.0, 5.0 + cost]), np.random.default_rng(1), 60_000)
    assert_law(2 * np.arctan(v[:, 1] / v[:, 0]), vonmises(cost / 2).cdf)
    expected = (1 - ive(1, cost / 2) / ive(0, cost / 2)) / 2
    heavier = (1 - ive(1, 0.55 * cost) / ive(0, 0.55 * cost)) / 2
    square = v[:, 1] ** 2
    assert_mean(square, expected)
    assert expected - heavier > SEEN * square.std() / sqrt(len(square))


@pytest.mark.chance(5e-8)
@pytest.mark.parametrize("costs", [(0, 1, 2), (0, -9, -9), (0, 8, 30), (0, 200, 200)])
def test_three_columns(costs):
    law, expected = height_law(costs)
    heavier = height_law(1.1 * np.array(costs))[1]
    u = vector_bingham(np.array(costs, dtype=float), np.random.default_rng(2), 150_000)
    np.testing.assert_allclose(np.linalg.norm(u, axis=1), 1, rtol=1e-14)
    square = u[:, 0] ** 2
    assert_law(square, law)
    assert_mean(square, expected)
    assert abs(heavier - expected) > SEEN * square.std() / sqrt(len(u))
    for i in range(3):
        assert abs((u[:, i] > 0).mean() - 0.5) < ERRORS * 0.5 / sqrt(len(u))


def test_the_published_number_of_three_columns():
    """0.4737; libraries that multiply by the reciprocal of the envelope factor draw 0.72."""
    assert height_law((0, 1, 2))[1] == pytest.approx(0.4737, abs=5e-5)


@pytest.mark.chance(2e-8)
@pytest.mark.parametrize("d", [2, 3, 50])
def test_no_costs_are_a_uniform_direction(d):
    u = vector_bingham(np.full(d, 7.0), np.random.default_rng(3), 40_000)
    for i in (0, d - 1):
        assert_law(u[:, i] ** 2, beta(0.5, (d - 1) / 2).cdf)


@pytest.mark.chance(1e-8)
@pytest.mark.parametrize("d", [2, 10, 200])
def test_large_costs_concentrate(d):
    """The cost of a draw tends to Gamma((d − 1)/2, 1)."""
    costs = 1e7 * np.append(0, np.linspace(1, 2, d - 1))
    u = vector_bingham(costs, np.random.default_rng(4), 10_000 if d == 2 else 2_000)
    assert np.isfinite(u).all()
    assert_law(np.square(u) @ costs, gamma((d - 1) / 2).cdf)


def test_a_batch_draws_each_row_from_its_own_generator():
    """As alone, and by as many proposals: what is drawn next is the same too.

    The first four proposals do for most of these rows, but not for all.
    """
    costs = np.random.default_rng(5).random((60, 40)) * 200
    costs[0] = 3.0
    together, again = [np.random.default_rng(i) for i in range(60)], 0
    batch = vector_bingham_batch(costs, together)
    for i, row in enumerate(batch):
        alone, four = np.random.default_rng(i), np.random.default_rng(i)
        np.testing.assert_allclose(row, vector_bingham(costs[i], alone)[0], rtol=0, atol=1e-12)
        four.standard_normal((4, 40))
        four.random(4)
        after = alone.random()
        assert together[i].random() == after
        again += four.random() != after
    assert 0 < again < 60


def left(weights, others):
    """Return eigenvalues and eigenvectors of diag(weights) beside others (d, m), ascending."""
    free = np.linalg.qr(others, mode="complete")[0][:, others.shape[1] :]
    values, vectors = np.linalg.eigh((free.T * weights) @ free)
    return values, free @ vectors


@pytest.mark.chance(7e-8)
@pytest.mark.parametrize("height", [3.0, 60.0])
def test_a_direction_beside_others_has_the_law_of_what_is_left(height):
    """Mean squares of 2,000 draws, against draws in eigenvectors of what is left."""
    rng, d, k = np.random.default_rng(1), 7, 3
    weights = height * np.sort(rng.random(d))[::-1]
    others = orthonormal(rng.standard_normal((d, k - 1)))
    values, vectors = left(weights, others)
    exact = vector_bingham(values[-1] - values, rng, 2000) @ vectors.T
    quick, t = np.empty_like(exact), 2 * float(weights.max()) + 1
    for i in range(len(quick)):
        quick[i], t = bingham_beside(weights, others, t, rng)
    assert np.abs(quick @ others).max() < 1e-8
    apart = np.square(quick).mean(axis=0) - np.square(exact).mean(axis=0)
    error = np.sqrt((np.square(quick).var(axis=0) + np.square(exact).var(axis=0)) / len(quick))
    assert (np.abs(apart) < ERRORS * error + 1e-12).all()


@pytest.mark.parametrize("m", [1, 2, 6])
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
