"""Directions and subspaces of the Bingham law against quadrature, limits and rejection from Haar.

Every statistical test has a false-failure probability of at most 10⁻⁶ by chance (KS: p < 10⁻⁶;
means: five standard errors) for a fresh seed; seeds are fixed. Where a law has a scale, sample
sizes are such that costs 1.1 times too large fail with a chance of more than 99 %.
"""

from math import sqrt

import numpy as np
import pytest
from scipy.integrate import cumulative_simpson
from scipy.special import ive
from scipy.stats import beta, gamma, kstest, vonmises

from dpca_core.sampling.bingham import (
    envelope,
    log_acceptance,
    vector_bingham,
    vector_bingham_batch,
)
from dpca_core.sampling.matrix_bingham import (
    Complement,
    Direction,
    NearlyUniform,
    best_concentration,
    reversed_costs,
)
from dpca_core.sampling.matrix_bingham_plan import (
    nearly_uniform,
    split,
    subspace_sampler,
    truncation,
)
from dpca_core.sampling.matrix_bingham_split import Split, Truncation

CERTAIN = 1e-6
FIVE = 5.0
PUBLISHED = np.array([0.0, 0.3, 0.8, 2.0])


def assert_law(sample, law):
    """Assert that a sample follows a law: a CDF or another sample."""
    assert kstest(sample, law).pvalue > CERTAIN


def assert_mean(sample, mean):
    """Assert means, one for each column, to five standard errors of this sample."""
    error = sample.std(axis=0) / sqrt(len(sample))
    assert (np.abs(sample.mean(axis=0) - mean) <= FIVE * error + 1e-12).all()


def diagonals(frames):
    """Diagonals (draws, d) of the projectors VVᵀ: a sampler's coordinates; tr VᵀCV is c·them."""
    return np.square(frames).sum(axis=2)


def haar_rejection(costs, k, seed, proposals):
    """Diagonals of exact draws: uniform subspaces, kept with chance exp(−(tr VᵀCV − least))."""
    rng = np.random.default_rng(seed)
    g = rng.standard_normal((proposals, len(costs), k))
    turned = np.linalg.solve(g.swapaxes(1, 2) @ g, g.swapaxes(1, 2)).swapaxes(1, 2)
    found = (g * turned).sum(axis=2)
    return found[rng.random(proposals) < np.exp(np.sort(costs)[:k].sum() - found @ costs)]


def families(costs, k):
    """Every kind of sampler of one law: each cut below and above k, and one within another."""
    d, dual = len(costs), reversed_costs(costs)
    kinds = {
        "nearly uniform": NearlyUniform(costs, k, best_concentration(costs, k)),
        "its complement": Complement(NearlyUniform(dual, d - k, best_concentration(dual, d - k))),
    }
    for cut in range(1, k):
        kinds[f"split at {cut}"] = split(costs, k, cut, nearly_uniform)
        at = truncation(dual, d - k, d - cut, nearly_uniform)
        kinds[f"complement of a truncation at {d - cut}"] = at and Complement(at)
    for cut in range(k + 1, d):
        kinds[f"truncation at {cut}"] = truncation(costs, k, cut, nearly_uniform)
        at = split(dual, d - k, d - cut, nearly_uniform)
        kinds[f"complement of a split at {d - cut}"] = at and Complement(at)
    kinds["both"] = truncation(
        costs, k, d - 1, lambda c, few: split(c, few, 1, nearly_uniform) or nearly_uniform(c, few)
    )
    return {kind: sampler for kind, sampler in kinds.items() if sampler is not None}


def last_split(costs, k):
    """Return the split with one free direction."""
    return split(costs, k, k - 1, nearly_uniform)


# --- Directions ---


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


def test_the_envelope_of_a_stack_is_each_ones_own():
    stack = np.stack([costs for costs in cost_grid() if len(costs) == 10])
    np.testing.assert_allclose(envelope(stack), [float(envelope(c)) for c in stack], rtol=1e-13)


@pytest.mark.parametrize("cost", [3.0, 20.0, 1e3, 1e6])
def test_two_columns(cost):
    """Twice the angle is von Mises; E v₂² = (1 − I₁(c/2)/I₀(c/2))/2."""
    v = vector_bingham(np.array([5.0, 5.0 + cost]), np.random.default_rng(1), 60_000)
    assert_law(2 * np.arctan(v[:, 1] / v[:, 0]), vonmises(cost / 2).cdf)
    expected = (1 - ive(1, cost / 2) / ive(0, cost / 2)) / 2
    heavier = (1 - ive(1, 0.55 * cost) / ive(0, 0.55 * cost)) / 2
    square = v[:, 1] ** 2
    assert_mean(square, expected)
    assert expected - heavier > 7.5 * square.std() / sqrt(len(square))


def height_law(costs):
    """CDF of u₁ (by its square) and E u₁² at three columns, costs (0, c₂, c₃), by quadrature."""
    z = np.linspace(0, 1, 20_001)
    rest = 1 - z**2
    mean, half = (costs[1] + costs[2]) / 2, (costs[2] - costs[1]) / 2
    density = np.exp(-(mean - half) * rest) * ive(0, half * rest)
    mass = cumulative_simpson(density, x=z, initial=0)
    second = cumulative_simpson(density * z**2, x=z, initial=0)[-1] / mass[-1]
    return (lambda square: np.interp(np.sqrt(square), z, mass / mass[-1])), second


@pytest.mark.parametrize("costs", [(0, 1, 2), (0, -9, -9), (0, 8, 30), (0, 200, 200)])
def test_three_columns(costs):
    law, expected = height_law(costs)
    heavier = height_law(1.1 * np.array(costs))[1]
    u = vector_bingham(np.array(costs, dtype=float), np.random.default_rng(2), 150_000)
    np.testing.assert_allclose(np.linalg.norm(u, axis=1), 1, rtol=1e-14)
    square = u[:, 0] ** 2
    assert_law(square, law)
    assert_mean(square, expected)
    assert abs(heavier - expected) > 7.5 * square.std() / sqrt(len(u))
    for i in range(3):
        assert abs((u[:, i] > 0).mean() - 0.5) < FIVE * 0.5 / sqrt(len(u))


def test_the_published_number_of_three_columns():
    """0.4737; libraries that multiply by the reciprocal of the envelope factor draw 0.72."""
    assert height_law((0, 1, 2))[1] == pytest.approx(0.4737, abs=5e-5)


@pytest.mark.parametrize("d", [2, 3, 50])
def test_no_costs_are_a_uniform_direction(d):
    u = vector_bingham(np.full(d, 7.0), np.random.default_rng(3), 40_000)
    for i in (0, d - 1):
        assert_law(u[:, i] ** 2, beta(0.5, (d - 1) / 2).cdf)


@pytest.mark.parametrize("size", [1e5, 1e7])
@pytest.mark.parametrize("d", [2, 10, 200])
def test_large_costs_concentrate(d, size):
    """The cost of a draw tends to Gamma((d − 1)/2, 1)."""
    costs = size * np.append(0, np.linspace(1, 2, d - 1))
    u = vector_bingham(costs, np.random.default_rng(4), 40_000 if d == 2 else 4_000)
    assert np.isfinite(u).all()
    assert_law(np.square(u) @ costs, gamma((d - 1) / 2).cdf)


def test_a_batch_draws_each_row_from_its_own_generator():
    costs = np.random.default_rng(5).random((6, 4)) * 9
    batch = vector_bingham_batch(costs, [np.random.default_rng(i) for i in range(6)])
    for i, row in enumerate(batch):
        alone = vector_bingham(costs[i], np.random.default_rng(i))[0]
        np.testing.assert_array_equal(row, alone)


# --- Subspaces ---

LAWS = {
    "published": (PUBLISHED, 2),
    "plane of 5": (np.array([0.0, 0.9, 2.0, 2.3, 4.0]), 2),
    "three of 6": (np.array([0.0, 0.6, 1.4, 3.2, 4.4, 6.0]), 3),
}


@pytest.mark.parametrize("name", LAWS)
def test_every_sampler_has_the_law(name):
    """The distribution of tr VᵀCV, and of every coordinate's share: its mean tells their order."""
    costs, k = LAWS[name]
    reference = haar_rejection(costs, k, 6, 400_000 if k == 2 else 1_000_000)
    total = reference @ costs
    heavier = np.average(total, weights=np.exp(-0.1 * total))
    for kind, sampler in families(costs, k).items():
        found = diagonals(sampler.draw(np.random.default_rng(7), 40_000 if k == 2 else 15_000))
        assert_law(found @ costs, total)
        error = sqrt((found @ costs).var() / len(found) + total.var() / len(total))
        assert abs((found @ costs).mean() - total.mean()) < FIVE * error, kind
        assert total.mean() - heavier > 7.4 * error
        for i in range(len(costs)):
            assert kstest(found[:, i], reference[:, i]).pvalue > CERTAIN, (kind, i)
        error = np.hypot(
            found.std(axis=0) / sqrt(len(found)), reference.std(axis=0) / sqrt(len(reference))
        )
        assert (np.abs(found.mean(axis=0) - reference.mean(axis=0)) < FIVE * error).all(), kind


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


@pytest.mark.parametrize(("slope", "tilt"), [(0.0, 0.0), (0.3, 0.5), (0.6, 1.0)])
def test_any_slope_and_tilt_of_a_truncation_is_valid(slope, tilt):
    head = (1 - slope) * PUBLISHED[:3]
    free = Complement(Direction(reversed_costs(head)))
    sampler = Truncation(PUBLISHED, 2, 3, slope, np.full(2, tilt), free)
    found = diagonals(sampler.draw(np.random.default_rng(34), 30_000))
    assert_law(found @ PUBLISHED, haar_rejection(PUBLISHED, 2, 35, 400_000) @ PUBLISHED)
    assert_mean(found @ PUBLISHED, 1.2997)


@pytest.mark.parametrize("concentration", [0.3, 2.0, 4.0])
def test_any_concentration_of_the_envelope_is_valid(concentration):
    sampler = NearlyUniform(PUBLISHED, 2, concentration)
    found = diagonals(sampler.draw(np.random.default_rng(10), 40_000))
    assert_law(found @ PUBLISHED, haar_rejection(PUBLISHED, 2, 11, 400_000) @ PUBLISHED)


@pytest.mark.parametrize("costs", [(0, 2, 4), (0, 0, 3), (0, 1, 1, 5)])
def test_all_but_one_direction(costs):
    """k = d − 1: the complement of one direction."""
    costs = np.array(costs, dtype=float)
    sampler, _ = subspace_sampler(costs, len(costs) - 1)
    assert isinstance(sampler, Complement)
    assert isinstance(sampler.dual, Direction)
    found = diagonals(sampler.draw(np.random.default_rng(12), 40_000))
    reference = haar_rejection(costs, len(costs) - 1, 13, 200_000)
    for i in range(len(costs)):
        assert_law(found[:, i], reference[:, i])


def test_one_direction_is_the_vector_law():
    costs = np.array([0.0, 1, 2])
    frames = subspace_sampler(costs, 1)[0].draw(np.random.default_rng(14), 60_000)
    assert frames.shape == (60_000, 3, 1)
    law, expected = height_law(costs)
    assert_law(frames[:, 0, 0] ** 2, law)
    assert_mean(frames[:, 0, 0] ** 2, expected)


@pytest.mark.parametrize(("d", "k"), [(4, 2), (7, 3), (5, 1), (5, 4)])
def test_no_costs_are_a_uniform_subspace(d, k):
    """E VVᵀ = (k/d)·I, and every direction's share is Beta(k/2, (d − k)/2)."""
    sampler, proposals = subspace_sampler(np.full(d, 3.0), k)
    assert proposals == pytest.approx(1, abs=1e-9)
    frames = sampler.draw(np.random.default_rng(15), 40_000)
    projectors = frames @ frames.swapaxes(1, 2)
    assert_mean(projectors.reshape(-1, d * d), k / d * np.eye(d).ravel())
    u = np.arange(1.0, d + 1) / np.linalg.norm(np.arange(1.0, d + 1))
    assert_law(np.square(u @ frames).sum(axis=1), beta(k / 2, (d - k) / 2).cdf)


@pytest.mark.parametrize(("d", "k", "draws"), [(5, 2, 10_000), (7, 3, 8_000), (50, 5, 2_000)])
def test_large_costs_leave_a_gamma_law(d, k, draws):
    """tr VᵀCV − Σ_{i≤k} c_i tends to Gamma(k(d − k)/2, 1)."""
    costs = 1e6 * np.concatenate([np.arange(k), np.linspace(2 * k, 2 * k + 5, d - k)])
    kinds = [last_split(costs, k), truncation(costs, k, k + 1, nearly_uniform)]
    assert isinstance(subspace_sampler(costs, k)[0], Split)
    for sampler in kinds:
        frames = sampler.draw(np.random.default_rng(16), draws)
        assert np.isfinite(frames).all()
        assert_law(diagonals(frames) @ costs - costs[:k].sum(), gamma(k * (d - k) / 2).cdf)


def spectrum_costs(steep, d=100):
    """Costs at ε = 1 of 60,000 people: shares 0.3·0.7^i, then a flat tail that holds 0.05."""
    shares = np.append(0.3 * 0.7 ** np.arange(steep), np.full(d - steep, 0.05 / (d - steep)))
    return (shares[0] - shares) / shares.sum() * 0.9 * 60_000


def test_dual_agrees_at_a_hundred_columns():
    """k = 10. The eleventh value is steep too: the dual splits between it and the flat tail."""
    costs = spectrum_costs(11)
    chosen, proposals = subspace_sampler(costs, 10)
    assert isinstance(chosen, Split)
    assert proposals < 20
    primal, dual = (
        diagonals(sampler.draw(np.random.default_rng(17), 1_000))
        for sampler in (last_split(costs, 10), truncation(costs, 10, 11, nearly_uniform))
    )
    # Nearly Gamma(450, 1): sd 21, so that costs 1.1 times too large are two of them off.
    assert_law(primal @ costs, dual @ costs)
    for i in (0, 8, 9, 10, 11, 99):
        assert_law(primal[:, i], dual[:, i])


def test_a_flat_tail_of_a_hundred_columns_leaves_a_gamma_law():
    """tr VᵀCV − Σ_{i≤k} c_i is so nearly Gamma(450, 1) that 2,000 draws do not tell."""
    costs = spectrum_costs(10)
    sampler, proposals = subspace_sampler(costs, 10)
    assert proposals < 20
    frames = sampler.draw(np.random.default_rng(24), 2_000)
    np.testing.assert_allclose(
        frames.swapaxes(1, 2) @ frames, np.broadcast_to(np.eye(10), (2_000, 10, 10)), atol=1e-10
    )
    assert_law(diagonals(frames) @ costs - costs[:10].sum(), gamma(450).cdf)


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
