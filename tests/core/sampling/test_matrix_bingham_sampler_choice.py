"""Steps of the matrix Bingham samplers: their chances, and the choice among them."""

from math import sqrt

import numpy as np
import pytest
from scipy.stats import kstest

from dpca_core.sampling.matrix_bingham import (
    Direction,
)
from dpca_core.sampling.matrix_bingham_sampler_choice import (
    nearly_uniform,
    split,
    subspace_sampler,
    truncation,
)
from dpca_core.sampling.matrix_bingham_split import Split
from tests.core.sampling.bingham_laws import (
    CERTAIN,
    FIVE,
    PUBLISHED,
    diagonals,
    families,
    haar_rejection,
    last_split,
)
from tests.core.sampling.test_matrix_bingham import LAWS


class Stubborn:
    """A split's inner sampler that repeats its draw until the last step accepts: the trap."""

    def __init__(self, costs):
        self.costs, self.k = costs, 1

    def draw(self, rng, count):
        return np.repeat(Direction(self.costs).draw(rng, 1), count, axis=0)


def test_the_mean_tells_a_sampler_that_tries_only_the_last_step_again():
    """X accepted by its own chance, Y drawn until it fits: 1.3416, forty standard errors away."""
    rng, found = np.random.default_rng(33), []
    kind = Split(PUBLISHED, 2, 1, 0.5, np.zeros(1), Direction(0.5 * (PUBLISHED[1:] - 0.3)))
    while len(found) < 4_000:
        x = kind.free.draw(rng, 1)
        inverse = (np.square(x[0, :, 0]) / (PUBLISHED[1:] + 0.0)).sum()
        spent = np.square(x[0, :, 0]) @ (PUBLISHED[1:] - 0.3)
        chance = -0.5 * np.log(inverse) - 0.5 * spent - kind.log_bound(0.5)
        if rng.random() >= np.exp(chance):
            continue
        fixed = Split(PUBLISHED, 2, 1, 0.5, np.zeros(1), Stubborn(np.zeros(3)))
        fixed.free.draw = lambda _, count, x=x: np.repeat(x, count, axis=0)
        while True:
            chances, build = fixed.weigh(rng, 8)
            fits = np.isfinite(chances)
            if fits.any():
                found.append((diagonals(build(fits)) @ PUBLISHED)[0])
                break
    error = np.std(found) / sqrt(len(found))
    assert abs(np.mean(found) - 1.3416) < FIVE * error + 5e-5
    assert abs(np.mean(found) - 1.2997) > FIVE * error


def some_laws():
    rng = np.random.default_rng(18)
    yield from LAWS.values()
    for d, k in ((4, 2), (6, 2), (6, 4), (10, 3), (30, 5)):
        for size in (0.5, 5.0, 50.0, 1e4, 1e7):
            costs = np.sort(rng.random(d)) * size
            yield costs - costs[0], k


def some_of(costs, k):
    """A few samplers of a law in more dimensions, whatever they cost."""
    kinds = {
        "last split": last_split(costs, k), "split": split(costs, k, 1, nearly_uniform),
        "truncation": truncation(costs, k, k + 1, nearly_uniform),
        "chosen": subspace_sampler(costs, k)[0],
    }  # fmt: skip
    return {kind: sampler for kind, sampler in kinds.items() if sampler is not None}


def test_chances_are_at_most_one():
    for costs, k in some_laws():
        for kind, sampler in (families(costs, k) if len(costs) < 7 else some_of(costs, k)).items():
            chances, _ = sampler.weigh(np.random.default_rng(19), 200)
            assert chances.max() <= 1e-9, (kind, costs, k)
            assert not np.isnan(chances).any()


def test_frames_are_orthonormal():
    for costs, k in some_laws():
        sampler, proposals = subspace_sampler(costs, k)
        if proposals < 1e3:
            frames = sampler.draw(np.random.default_rng(20), 50)
            assert frames.shape == (50, len(costs), k)
            gram = frames.swapaxes(1, 2) @ frames
            np.testing.assert_allclose(gram, np.broadcast_to(np.eye(k), gram.shape), atol=1e-10)


class Zeros(np.random.Generator):
    """Uniforms of which every second is exactly 0."""

    def random(self, size):
        uniforms = super().random(size)
        uniforms[::2] = 0.0
        return uniforms


def test_a_uniform_of_zero_accepts_nothing_that_has_no_chance():
    sampler = last_split(PUBLISHED, 2)
    assert np.isneginf(sampler.weigh(np.random.default_rng(25), 50)[0]).any()
    frames = sampler.draw(Zeros(np.random.PCG64(25)), 500)
    gram = frames.swapaxes(1, 2) @ frames
    np.testing.assert_allclose(gram, np.broadcast_to(np.eye(2), gram.shape), atol=1e-10)


def test_the_choice_is_the_same_every_time_and_predicts_its_speed():
    """The pilot's 400 and 8,000 other proposals of the outermost sampler: five standard errors."""
    for costs, k in some_laws():
        sampler, proposals = subspace_sampler(costs, k)
        predicted = sampler.acceptance()
        again, same = subspace_sampler(costs[::-1] + 4.0 * 2**20, k)  # order and origin are nothing
        assert type(again) is type(sampler)
        assert same == pytest.approx(proposals, rel=1e-3)
        assert subspace_sampler(costs, k)[1] == proposals
        chances = np.exp(sampler.weigh(np.random.default_rng(21), 8_000)[0])
        error = chances.std() * sqrt(1 / 400 + 1 / 8_000)
        assert predicted == pytest.approx(chances.mean(), abs=FIVE * error + 1e-9)
        rng = np.random.default_rng(22)
        first, second = (sampler.draw(np.random.default_rng(23), 3) for _ in range(2))
        np.testing.assert_array_equal(first, second)
        accepted = (rng.random(8_000) < chances).mean()
        error = sqrt(predicted * (1 - predicted) / 400 + 0.25 / 8_000)
        assert accepted == pytest.approx(predicted, abs=FIVE * error + 1e-9)


def test_tied_costs_are_split_all_the_same():
    for costs in ([0.0, 0, 1, 2], [0.0, 0, 0, 2], [0.0, 0, 2, 2], [0.0, 2, 2, 2]):
        at = np.array(costs)
        reference = haar_rejection(at, 2, 36, 100_000) @ at
        for kind, sampler in families(at, 2).items():
            found = diagonals(sampler.draw(np.random.default_rng(37), 8_000)) @ at
            assert kstest(found, reference).pvalue > CERTAIN, (costs, kind)
