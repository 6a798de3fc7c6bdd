"""Subspaces of the matrix Bingham law: every sampler draws it, and the choice among them.

Directions alone are subspaces of k = 1.
"""

from itertools import islice
from math import sqrt

import numpy as np
import pytest
from scipy.stats import gamma

from dpca_core.sampling import matrix_bingham
from dpca_core.sampling.bingham import gibbs_sweeps, one_beside_another
from dpca_core.sampling.matrix_bingham import Complement, NearlyUniform, split, subspace_sampler
from tests.cases import sampled
from tests.core.sampling import laws
from tests.core.sampling.laws import ERRORS, SEEN, assert_frames, assert_law, diagonals

PUBLISHED = np.array([0.0, 0.3, 0.8, 2.0])
LAWS = {
    "published": (PUBLISHED, 2),
    "plane of 5": (np.array([0.0, 0.9, 2.0, 2.3, 4.0]), 2),
    "three of 6": (np.array([0.0, 0.6, 1.4, 3.2, 4.4, 6.0]), 3),
    "two tied": (np.array([0.0, 0.0, 1.0, 2.0]), 2),
    "three tied": (np.array([0.0, 0.0, 0.0, 2.0]), 2),
    "two pairs": (np.array([0.0, 0.0, 2.0, 2.0]), 2),
    "tied above": (np.array([0.0, 2.0, 2.0, 2.0]), 2),
    "line off a plane": (np.array([0.0, 0.0, 9.0]), 1),
    "steep line": (np.array([0.0, 8.0, 30.0]), 1),
    "line": (np.array([0.0, 1.0, 2.0]), 1),
}


def families(costs, k):
    """Every kind of sampler of one law: each cut of the subspace and of its complement."""
    d, dual = len(costs), matrix_bingham.reversed_costs(costs)
    kinds = [
        NearlyUniform(costs, k, matrix_bingham.best_concentration(costs, k)),
        Complement(NearlyUniform(dual, d - k, matrix_bingham.best_concentration(dual, d - k))),
        *(split(costs, k, cut) for cut in range(1, k)),
        *((at := split(dual, d - k, cut)) and Complement(at) for cut in range(1, d - k)),
    ]
    return [sampler for sampler in kinds if sampler is not None]


def badly_tuned():
    """What sets the speed is no part of the law: samplers of the published one by other settings.

    E tr VᵀCV would be 1.3416, not 1.2997, where only the last step of a rejected draw is repeated.
    """
    flat = PUBLISHED[1:] - PUBLISHED[1]
    for share, tilt in ((1.0, 0.5), (0.4, 0.0), (0.7, 2.0)):
        inner = matrix_bingham.nearly_uniform(share * flat, 1)
        yield matrix_bingham.Split(PUBLISHED, 2, 1, share, np.array([tilt]), inner)
    for concentration in (0.3, 2.0, 4.0):
        yield NearlyUniform(PUBLISHED, 2, concentration)


@pytest.mark.chance(1.1e-6)
@pytest.mark.parametrize("name", sampled(LAWS, 3, "all samplers of larger laws take seconds"))
def test_every_sampler_has_the_law(name):
    """The law of tr VᵀCV, and every coordinate's share: 8 comparisons of 12 samplers at most."""
    costs, k = LAWS[name]
    reference = laws.haar_rejection(costs, k, 6, 400_000 if k == 2 else 1_000_000)
    total = reference @ costs
    heavier = np.average(total, weights=np.exp(-0.1 * total))
    for sampler in (*families(costs, k), *(badly_tuned() if name == "published" else ())):
        found = diagonals(sampler.draw(np.random.default_rng(7), 20_000 if k == 3 else 40_000))
        assert_law(found @ costs, total)
        error = sqrt((found @ costs).var() / len(found) + total.var() / len(total))
        assert abs((found @ costs).mean() - total.mean()) < ERRORS * error
        assert total.mean() - heavier > SEEN * error
        for share, expected in zip(found.T, reference.T, strict=True):
            assert_law(share, expected)


def wide():
    """Costs at ε = 1 of 60,000 people: shares 0.3·0.7^i, then a flat tail that holds 0.05."""
    shares = np.append(0.3 * 0.7 ** np.arange(10), np.full(90, 0.05 / 90))
    return (shares[0] - shares) / shares.sum() * 0.9 * 60_000


@pytest.mark.chance(1e-8)
@pytest.mark.parametrize(
    ("d", "k", "draws"), [(2, 1, 10_000), (50, 1, 2_000), (7, 3, 8_000), (100, 10, 2_000)]
)
def test_large_costs_leave_a_gamma_law(d, k, draws):
    """tr VᵀCV − Σ_{i≤k} c_i tends to Gamma(k(d − k)/2, 1)."""
    costs = 1e6 * np.concatenate([np.arange(k), np.linspace(2 * k, 2 * k + 5, d - k)])
    sampler, proposals = subspace_sampler(costs if d < 100 else wide(), k)
    assert proposals < 20
    frames = sampler.draw(np.random.default_rng(16), draws)
    assert_frames(frames, 1e-10)
    total = diagonals(frames) @ sampler.costs
    assert_law(total - sampler.costs[:k].sum(), gamma(k * (d - k) / 2).cdf)


# --- A direction beside others; frames and chains of them are compared in tests/references ---


@pytest.mark.parametrize("height", [0.0, 1e-3, 1e4, 1e12, 1e24])
@pytest.mark.parametrize(("d", "k"), [(2, 1), (6, 5), (40, 3)])
def test_frames_are_orthonormal_at_any_weights(height, d, k):
    """Ties, zeros, and weights that differ by many orders of magnitude."""
    rng = np.random.default_rng(8)
    steep = 10.0 ** -np.linspace(0, 300, d)
    for weights in (np.ones(d), np.eye(d)[0], steep, np.linspace(1, 0, d)):
        found = one_beside_another(height * weights, k, rng)
        later = next(islice(gibbs_sweeps(height * weights, found, rng), 2, None))
        assert_frames(np.stack([found, later]), 1e-12)


# --- Chances, and the choice among samplers ---


def some_laws():
    rng = np.random.default_rng(18)
    yield from LAWS.values()
    for d, k in ((4, 2), (6, 2), (6, 4), (5, 4), (10, 3), (30, 5), (54, 1)):
        for size in (0.5, 50.0, 1e7):
            costs = np.sort(rng.random(d)) * size
            yield costs - costs[0], k


def test_chances_are_at_most_one():
    for costs, k in some_laws():
        for sampler in families(costs, k) if len(costs) < 30 else [subspace_sampler(costs, k)[0]]:
            assert sampler.weigh(np.random.default_rng(19), 200)[0].max() <= 1e-9


@pytest.mark.chance(3e-7)
def test_the_choice_is_the_same_every_time_and_predicts_its_speed():
    """The pilot's 400 and 8,000 other proposals of the outermost sampler, in 28 laws."""
    for costs, k in some_laws():
        sampler, proposals = subspace_sampler(costs, k)
        again, same = subspace_sampler(costs[::-1] + 4.0 * 2**20, k)  # order and origin are nothing
        assert type(again) is type(sampler)
        assert same == pytest.approx(proposals, rel=1e-3)
        assert subspace_sampler(costs, k)[1] == proposals
        outer = sampler.dual if isinstance(sampler, Complement) else sampler
        inside = 0 if outer.inner is None else outer.inner.proposals()
        chances = np.exp(sampler.weigh(np.random.default_rng(21), 8_000)[0])
        error = chances.std() * sqrt(1 / 400 + 1 / 8_000)
        assert (1 + inside) / proposals == pytest.approx(chances.mean(), abs=ERRORS * error + 1e-9)
