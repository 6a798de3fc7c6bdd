"""Subspaces of the matrix Bingham law: every sampler draws it, and the choice among them."""

from math import sqrt

import numpy as np
import pytest
from scipy.stats import beta, gamma

from dpca_core.sampling.matrix_bingham import Complement, Direction, NearlyUniform, reversed_costs
from dpca_core.sampling.matrix_bingham_sampler_choice import (
    nearly_uniform,
    split,
    subspace_sampler,
    truncation,
)
from dpca_core.sampling.matrix_bingham_split import Split, Truncation
from tests.cases import sampled
from tests.core.sampling.laws import (
    ERRORS,
    PUBLISHED,
    SEEN,
    assert_frames,
    assert_law,
    assert_mean,
    diagonals,
    families,
    haar_rejection,
)

LAWS = {
    "published": (PUBLISHED, 2),
    "plane of 5": (np.array([0.0, 0.9, 2.0, 2.3, 4.0]), 2),
    "three of 6": (np.array([0.0, 0.6, 1.4, 3.2, 4.4, 6.0]), 3),
}


@pytest.mark.chance(9e-7)
@pytest.mark.parametrize("name", sampled(LAWS, 3, "all samplers of larger laws take seconds"))
def test_every_sampler_has_the_law(name):
    """The law of tr VᵀCV, and every coordinate's share: 8 comparisons of 11 samplers at most."""
    costs, k = LAWS[name]
    reference = haar_rejection(costs, k, 6, 400_000 if k == 2 else 1_000_000)
    total = reference @ costs
    heavier = np.average(total, weights=np.exp(-0.1 * total))
    for sampler in families(costs, k).values():
        found = diagonals(sampler.draw(np.random.default_rng(7), 40_000 if k == 2 else 20_000))
        assert_law(found @ costs, total)
        error = sqrt((found @ costs).var() / len(found) + total.var() / len(total))
        assert abs((found @ costs).mean() - total.mean()) < ERRORS * error
        assert total.mean() - heavier > SEEN * error
        for share, expected in zip(found.T, reference.T, strict=True):
            assert_law(share, expected)


@pytest.mark.chance(4e-8)
def test_a_rejection_restarts_from_the_first_step():
    """E tr VᵀCV = 1.2997; 1.3416 where only the last step is tried again."""
    reference = haar_rejection(PUBLISHED, 2, 8, 400_000) @ PUBLISHED
    assert_mean(reference, 1.2997)
    flat = PUBLISHED[1:] - PUBLISHED[1]
    for share, tilt in ((1.0, 0.5), (0.4, 0.0), (0.7, 2.0)):  # set the speed and not the law
        sampler = Split(PUBLISHED, 2, 1, share, np.array([tilt]), Direction(share * flat))
        total = diagonals(sampler.draw(np.random.default_rng(9), 80_000)) @ PUBLISHED
        assert_mean(total, 1.2997)
        assert 15 * total.std() / sqrt(len(total)) < 1.3416 - 1.2997


@pytest.mark.chance(2e-8)
@pytest.mark.parametrize("at", [(0.3, 0.5), (0.0, 0.0), (0.6, 1.0), 0.3, 2.0, 4.0])
def test_any_slope_tilt_or_concentration_is_valid(at):
    """A truncation's slope and tilt and an envelope's concentration set the speed alone."""
    if isinstance(at, float):
        sampler = NearlyUniform(PUBLISHED, 2, at)
    else:
        free = Complement(Direction(reversed_costs((1 - at[0]) * PUBLISHED[:3])))
        sampler = Truncation(PUBLISHED, 2, 3, at[0], np.full(2, at[1]), free)
    found = diagonals(sampler.draw(np.random.default_rng(34), 20_000)) @ PUBLISHED
    assert_law(found, haar_rejection(PUBLISHED, 2, 6, 400_000) @ PUBLISHED)
    assert_mean(found, 1.2997)


@pytest.mark.chance(4e-8)
@pytest.mark.parametrize("costs", [(0, 2, 4), (0, 0, 3), (0, 1, 1, 5)])
def test_all_but_one_direction(costs):
    """k = d − 1: the complement of one direction."""
    costs = np.array(costs, dtype=float)
    sampler, _ = subspace_sampler(costs, len(costs) - 1)
    assert isinstance(sampler, Complement)
    assert isinstance(sampler.dual, Direction)
    found = diagonals(sampler.draw(np.random.default_rng(12), 20_000))
    reference = haar_rejection(costs, len(costs) - 1, 13, 100_000)
    for share, expected in zip(found.T, reference.T, strict=True):
        assert_law(share, expected)


@pytest.mark.chance(2e-7)
@pytest.mark.parametrize(("d", "k"), [(4, 2), (6, 3), (5, 4)])
def test_no_costs_are_a_uniform_subspace(d, k):
    """E VVᵀ = (k/d)·I, at most 21 means, and every direction's share is Beta(k/2, (d − k)/2)."""
    sampler, proposals = subspace_sampler(np.full(d, 3.0), k)
    assert proposals == pytest.approx(1, abs=1e-9)
    frames = sampler.draw(np.random.default_rng(15), 20_000)
    projectors = frames @ frames.swapaxes(1, 2)
    assert_mean(projectors[:, *np.triu_indices(d)], k / d * np.eye(d)[np.triu_indices(d)])
    u = np.arange(1.0, d + 1) / np.linalg.norm(np.arange(1.0, d + 1))
    assert_law(np.square(u @ frames).sum(axis=1), beta(k / 2, (d - k) / 2).cdf)


@pytest.mark.chance(2e-8)
@pytest.mark.parametrize(("d", "k", "draws"), [(5, 2, 10_000), (7, 3, 8_000), (50, 5, 2_000)])
def test_large_costs_leave_a_gamma_law(d, k, draws):
    """tr VᵀCV − Σ_{i≤k} c_i tends to Gamma(k(d − k)/2, 1)."""
    costs = 1e6 * np.concatenate([np.arange(k), np.linspace(2 * k, 2 * k + 5, d - k)])
    kinds = [split(costs, k, k - 1, nearly_uniform), truncation(costs, k, k + 1, nearly_uniform)]
    assert isinstance(subspace_sampler(costs, k)[0], Split)
    for sampler in kinds:
        frames = sampler.draw(np.random.default_rng(16), draws)
        assert np.isfinite(frames).all()
        assert_law(diagonals(frames) @ costs - costs[:k].sum(), gamma(k * (d - k) / 2).cdf)


@pytest.mark.chance(1e-8)
def test_a_flat_tail_of_a_hundred_columns_leaves_a_gamma_law():
    """tr VᵀCV − Σ_{i≤k} c_i is so nearly Gamma(450, 1) that 2,000 draws do not tell.

    Costs at ε = 1 of 60,000 people: shares 0.3·0.7^i, then a flat tail that holds 0.05.
    """
    shares = np.append(0.3 * 0.7 ** np.arange(10), np.full(90, 0.05 / 90))
    costs = (shares[0] - shares) / shares.sum() * 0.9 * 60_000
    sampler, proposals = subspace_sampler(costs, 10)
    assert proposals < 20
    frames = sampler.draw(np.random.default_rng(24), 2_000)
    assert_frames(frames, 1e-10)
    assert_law(diagonals(frames) @ costs - costs[:10].sum(), gamma(450).cdf)


# --- Steps: their chances, and the choice among them ---


def some_laws():
    rng = np.random.default_rng(18)
    yield from LAWS.values()
    for d, k in ((4, 2), (6, 2), (6, 4), (10, 3), (30, 5)):
        for size in (0.5, 50.0, 1e7):
            costs = np.sort(rng.random(d)) * size
            yield costs - costs[0], k


def some_of(costs, k):
    """A few samplers of a law in more dimensions, whatever they cost."""
    kinds = (
        split(costs, k, k - 1, nearly_uniform),
        split(costs, k, 1, nearly_uniform),
        truncation(costs, k, k + 1, nearly_uniform),
        subspace_sampler(costs, k)[0],
    )
    return [sampler for sampler in kinds if sampler is not None]


def test_chances_are_at_most_one():
    for costs, k in some_laws():
        for sampler in families(costs, k).values() if len(costs) < 6 else some_of(costs, k):
            chances, _ = sampler.weigh(np.random.default_rng(19), 200)
            assert chances.max() <= 1e-9
            assert not np.isnan(chances).any()


class Zeros(np.random.Generator):
    """Uniforms of which every second is exactly 0."""

    def random(self, size):
        uniforms = super().random(size)
        uniforms[::2] = 0.0
        return uniforms


def test_a_uniform_of_zero_accepts_nothing_that_has_no_chance():
    sampler = split(PUBLISHED, 2, 1, nearly_uniform)
    assert np.isneginf(sampler.weigh(np.random.default_rng(25), 50)[0]).any()
    assert_frames(sampler.draw(Zeros(np.random.PCG64(25)), 500), 1e-10)


@pytest.mark.chance(2e-7)
def test_the_choice_is_the_same_every_time_and_predicts_its_speed():
    """The pilot's 400 and 8,000 other proposals of the outermost sampler, in 18 laws."""
    for costs, k in some_laws():
        sampler, proposals = subspace_sampler(costs, k)
        again, same = subspace_sampler(costs[::-1] + 4.0 * 2**20, k)  # order and origin are nothing
        assert type(again) is type(sampler)
        assert same == pytest.approx(proposals, rel=1e-3)
        assert subspace_sampler(costs, k)[1] == proposals
        chances = np.exp(sampler.weigh(np.random.default_rng(21), 8_000)[0])
        error = chances.std() * sqrt(1 / 400 + 1 / 8_000)
        assert sampler.acceptance() == pytest.approx(chances.mean(), abs=ERRORS * error + 1e-9)
        if proposals < 1e3:
            first, second = (sampler.draw(np.random.default_rng(23), 20) for _ in range(2))
            assert first.shape == (20, len(costs), k)
            assert_frames(first, 1e-10)
            np.testing.assert_array_equal(first, second)


@pytest.mark.chance(7e-8)
@pytest.mark.parametrize("costs", [(0, 0, 1, 2), (0, 0, 0, 2), (0, 0, 2, 2), (0, 2, 2, 2)])
def test_tied_costs_are_split_all_the_same(costs):
    at = np.array(costs, dtype=float)
    reference = haar_rejection(at, 2, 36, 100_000) @ at
    for sampler in families(at, 2).values():
        assert_law(diagonals(sampler.draw(np.random.default_rng(37), 8_000)) @ at, reference)
