"""What one person spends, from the law of what is published: all that is promised, and no more."""

import inspect
from math import log, pi, sqrt

import numpy as np
import pytest

from dpca_core import MECHANISMS, Budget, InfeasibleBudget, Mechanism, Problem
from dpca_core.mechanisms import second_look
from dpca_core.mechanisms.neighbouring_pairs import worst_pair
from dpca_core.mechanisms.noise_on_s import NoiseOnS
from dpca_core.mechanisms.second_look import MEDIAN_BINS, Looks, SecondLook
from dpca_core.privacy.gaussian import gaussian_sigma
from dpca_core.privacy.sensitivity import frobenius, nuclear
from dpca_core.privacy.smooth_sensitivity import smooth_sensitivity
from tests.core.mechanisms.every_mechanism import ADD, BOTH, EVERY, REPLACE, turned, within
from tests.core.sampling.laws import ERRORS, assert_law

WITH_DENSITY = [
    mechanism
    for mechanism in MECHANISMS.values()
    if type(mechanism).log_likelihood is not Mechanism.log_likelihood
]
SLOW = {"second_look": 2_000, "second_look_pure": 2_000, "local_sparse": 2_000}


def losses(mechanism, here, there, budget, seed):
    """ln of the ratio of densities at releases from ``here``; ∞ where ``there`` gives none."""
    draws = SLOW.get(mechanism.key, 20_000)
    drawn = mechanism.release(here, budget, seed, draws, keep="moment")
    logs = (mechanism.log_likelihood(problem, budget, drawn) for problem in (here, there))
    return np.subtract(*logs)


@pytest.mark.chance(4e-8)
@BOTH
@pytest.mark.parametrize("mechanism", WITH_DENSITY, ids=lambda mechanism: mechanism.key)
def test_a_person_spends_what_is_promised(mechanism, adjacency):
    """δ is the mean of (1 − e^(ε − loss))₊, the larger of both orders; e^(−loss) has mean one.

    But for what only one of both data sets can give. A tenth less noise is noticed.
    """
    budget = within(mechanism, 0.5, 0.05, adjacency)
    pair = worst_pair(mechanism, 4, 1, 51, budget)
    promise = mechanism.guarantee(pair.with_person, budget)
    both = [pair.with_person, pair.without_person]
    found = [losses(mechanism, *order, budget, 5) for order in (both, both[::-1])]
    spent = [np.maximum(0, -np.expm1(promise.epsilon - loss)) for loss in found]
    worst = max(spent, key=np.mean)
    error = ERRORS * worst.std() / sqrt(len(worst)) + 1e-9
    assert worst.mean() <= promise.delta + error
    assert promise.delta > 0 or np.max(found) <= promise.epsilon * (1 + 1e-9)
    if promise.exact and adjacency is ADD:
        assert worst.mean() >= promise.delta - error
        assert promise.delta > 0 or np.max(found) > 0.99 * promise.epsilon
    if not isinstance(mechanism, NoiseOnS | Looks) or mechanism.law.density_is_exact:
        proofs = [np.isposinf(loss).mean() for loss in found]
        for loss, proved in zip(found, proofs[::-1], strict=True):
            ratio = np.exp(-loss)
            error = ERRORS * sqrt((ratio.var() + proved) / len(ratio))
            assert ratio.mean() + proved == pytest.approx(1, abs=error)


def test_matrix_t_for_several_rows_a_person_needs_the_bound_for_any_rank():
    """A person of two half rows, I/2, at noise k·I: what hides one record shows them."""
    mechanism, epsilon = MECHANISMS["matrix_t"], 10.0
    matrices = np.linspace(-30, 30, 6_001)[:, None, None] * np.eye(2)
    one, two = (Problem.from_moment(np.diag([3.0, 1.5]), 5, 1, rows) for rows in (1, 2))

    def largest_loss(scale):
        shifted = matrices + np.eye(2) / (2 * scale)
        return np.abs(np.subtract(*map(mechanism.law.log_density, (shifted, matrices)))).max()

    assert largest_loss(mechanism.calibrate(one, Budget(epsilon, 0.0)).scale) > 1.15 * epsilon
    for adjacency in (ADD, REPLACE):
        budget = Budget(epsilon, 1e-6, adjacency)
        found, scale = mechanism.guarantee(two, budget), mechanism.calibrate(two, budget).scale
        assert 0.9 * epsilon < largest_loss(scale / nuclear(adjacency)) <= epsilon
        assert (found.delta, found.exact) == (0, False)
    with pytest.raises(InfeasibleBudget, match="choose Gaussian noise"):
        mechanism.calibrate(Problem.from_spectrum(np.arange(65.0, 0.0, -1.0), 100, 1), budget)


# --- Pairs of neighbours: one person apart, and as far as a person reaches ---


@EVERY
@BOTH
def test_a_pair_differs_in_one_person_on_top_of_the_same_others(mechanism, adjacency):
    """In the local model the others are nobody, and the person has one record or another."""
    for d, k, n in [(5, 2, 13), (2, 1, 50), (6, 5, 3000)]:
        pair = worst_pair(mechanism, d, k, n, Budget(0.5, 0.01, adjacency))
        added = adjacency is ADD and not mechanism.local
        assert (pair.stand_in is None) == added
        x, y = pair.person, np.zeros(d) if added else pair.stand_in
        assert [x @ x, y @ y] == pytest.approx([1, 1 - added])
        moved = pair.with_person.moment - pair.without_person.moment
        np.testing.assert_allclose(moved, np.outer(x, x) - np.outer(y, y), atol=1e-9)
        assert np.linalg.norm(moved) == pytest.approx(frobenius(ADD if added else REPLACE))
        people = 1 if mechanism.local else n
        assert (pair.without_person.n, pair.with_person.n) == (people, people + added)
        others = pair.with_person.moment - np.outer(x, x)
        assert np.linalg.eigvalsh(others)[0] > -1e-9
        assert np.trace(others) <= pair.with_person.n - 1 + 1e-9
    with pytest.raises(ValueError, match=r"12 people are too few .* take 13 or more"):
        worst_pair(mechanism, 5, 2, 12, Budget(1.0, 0.01, adjacency))


# --- By integrals and by search ---


def largest_cauchy_loss(alpha, beta, m):
    """Of m Cauchy variables whose centre moves by α/√m scales at most, and their log scale by β.

    Over scales, splits of the move among coordinates, and values: for one coordinate the largest
    (1 + (z − a)²/c²)/(1 + z²) is an eigenvalue, as of any ratio of quadratic forms of (z, 1).
    """
    splits = np.vstack([np.ones(m), np.eye(m)[0], np.random.default_rng(1).random((4, m))])
    splits /= np.linalg.norm(splits, axis=1, keepdims=True)
    tau = np.linspace(-beta, beta, 9)[:, None, None]
    moves = splits * alpha / sqrt(m) * np.minimum(1, np.exp(tau))
    product = np.exp(-2 * tau)
    half = (1 + product * (1 + moves**2)) / 2
    return (np.log(half + np.sqrt(half**2 - product)) + tau).sum(axis=2).max()


@pytest.mark.parametrize(
    ("key", "epsilon", "share"),
    [
        ("smooth_cauchy", 1.0, 0.983),
        ("smooth_cauchy", 5.0, 0.917),
        ("smooth_cauchy_printed", 0.3, 0.998),
    ],
)
def test_the_largest_loss_under_cauchy_noise_is_just_below_what_is_stated(key, epsilon, share):
    """Of m = d numbers at k = 1; the printed constants spend √2/6 of ε."""
    mechanism, budget, found = MECHANISMS[key], Budget(epsilon), []
    for m in (2, 3, 6, 10):
        problem = Problem.from_spectrum([900.0, *np.linspace(10, 1, m - 1)], 1000, 1)
        beta, _ = mechanism.constants(m, budget)
        bound = smooth_sensitivity(problem.gap, m, 1, beta, ADD).bound
        alpha = sqrt(m) * bound / mechanism.calibrate(problem, budget).scale
        found.append(largest_cauchy_loss(alpha, beta, m))
    promise = mechanism.guarantee(problem, budget).epsilon
    assert promise == pytest.approx(epsilon * (sqrt(2) / 6 if "printed" in key else 1))
    assert max(found) <= promise
    assert max(found) == pytest.approx(share * promise, rel=1e-3)


# --- What is published, and what is chosen by it ---


@pytest.mark.chance(5e-8)
@pytest.mark.parametrize(("key", "k"), [("ppca", 2), ("ppca", 3), ("ppca_sequential", 2)])
def test_what_is_published_is_the_span_and_nothing_more(key, k):
    """ε covers the span only: within it the basis must be uniform.

    Each column is like the others, and like the diagonal between two: signed shuffles don't do.
    """
    at, draws = turned([30.0, 25, 22, 21, 16, 13, 10], k), 20_000 if key == "ppca" else 4_000
    bases = MECHANISMS[key].release(at, Budget(2.0), 3, draws).bases
    along = at.eigenvectors[:, 0] @ bases
    half = draws // 2
    between = (along[half:, 0] + along[half:, -1]) / np.sqrt(2)
    for other in (along[half:, -1], between):
        assert_law(np.square(along[:half, 0]), np.square(other))
    assert (np.abs(np.sign(along).mean(axis=0)) < ERRORS / np.sqrt(draws)).all()


def across(weight):
    """Log-density, at the second axis of two, of draws of one direction: ∝ exp(weight·cos²)."""
    grid = np.linspace(0, pi, 20_001)[:-1]
    return -weight - log(np.exp(weight * (np.cos(grid) ** 2 - 1)).mean())


@BOTH
@pytest.mark.parametrize("key", ["ppca", "ppca_sequential", "eigenvector_sampling"])
def test_the_exponential_mechanism_comes_as_near_to_epsilon_as_you_like(key, adjacency):
    """Two columns, one direction: everybody along the first axis, and a draw of the second.

    To what is left of ε after the eigenvalue, of which Laplace noise of scale 4/ε shows ε/4.
    """
    people, budget = 20_000.0, Budget(0.8, 0, adjacency)
    alike = Problem.from_moment(np.diag([people, 0.0]), people, 1)
    temperature = 1 / MECHANISMS[key].calibrate(alike, budget).scale
    promise = MECHANISMS[key].guarantee(alike, budget).epsilon
    promise -= 0.8 / 4 if key == "eigenvector_sampling" else 0
    less, more = people, people + (1.0 if adjacency is ADD else 2.0)
    assert 0.999 * promise < across(temperature * less) - across(temperature * more) <= promise


# --- Two looks ---


@pytest.mark.parametrize("rows_per_person", [1, 10])
def test_a_person_moves_the_second_look_by_at_most_one(rows_per_person):
    """At fixed axes, with uneven people: 400 of one row, and one of ten who comes or goes."""
    rng = np.random.default_rng(1)
    for _ in range(200):
        top = np.linalg.qr(rng.standard_normal((4, 2)))[0]
        axes = second_look.Axes(top, rng.uniform(0.3, 5, 2), rng.uniform(0.3, 5))
        a = axes.rest * np.eye(4) + top * (axes.factors - axes.rest) @ top.T
        uneven = rng.standard_normal((400 + rows_per_person, 4)) * rng.uniform(0.2, 3, 4)
        whole = uneven / np.linalg.norm(uneven, axis=1, keepdims=True)
        others, person, sums = whole[:400] * rng.random((400, 1)), whole[400:], []
        for rows in (others, np.vstack([others, person])):
            moment = rows.T @ rows / rows_per_person
            at = Problem.from_moment(moment, 401, 1, rows_per_person, rows)
            assert at.row_weight == 1 / rows_per_person
            sums.append(second_look.rescaled_sum(at.rows, at.moment, at.row_weight, axes))
            z = rows @ a
            z /= np.maximum(1, np.linalg.norm(z, axis=1))[:, None]
            np.testing.assert_allclose(sums[-1], z.T @ z / rows_per_person, atol=1e-9)
        assert np.linalg.norm(sums[1] - sums[0], "nuc") <= 1 + 1e-9


def test_axes_and_what_is_combined_follow_from_what_was_published_alone():
    """From matrices and public numbers; axes stay where nothing stands out of the noise."""
    makers = second_look.axes_of, second_look.combined
    asked = [[*inspect.signature(maker).parameters] for maker in makers]
    assert asked == [["first", "edge", "k", "tail"], ["first", "second", "axes", "variances"]]
    axes = second_look.axes_of(np.diag([5.0, 4.0, 1.0, 1.0]), 5.5, 2, 0.65)
    assert (axes.top.shape, axes.rest) == ((4, 0), 1)


def test_a_noisy_median_counts_rows_by_their_weight():
    """Of a hundred noiseless rows: forty of length 1, the others between two lengths in turn."""
    radii = 2.0 ** (-np.arange(MEDIAN_BINS) / 3)
    silent = np.zeros(MEDIAN_BINS)
    for j in range(MEDIAN_BINS - 1):
        rows = np.zeros((100, 2))
        rows[:, 0] = np.where(np.arange(100) < 40, 1.0, (radii[j] + radii[j + 1]) / 2)
        assert second_look.noisy_median_radius(rows, 1.0, silent) == pytest.approx(radii[j])
    short, two = np.full((10, 2), 1e-9), 2 * np.eye(MEDIAN_BINS)[0]
    assert second_look.noisy_median_radius(short, 1.0, two) == pytest.approx(radii[-1])
    assert second_look.noisy_median_radius(short, 0.1, two) == 1.0
    assert second_look.noisy_median_radius(np.eye(2), 1.0, silent) == 1.0


@pytest.mark.parametrize(("adjacency", "change"), [(ADD, 1.0), (REPLACE, np.sqrt(2))])
def test_a_median_and_both_looks_share_the_budget(adjacency, change):
    look, budget = SecondLook(radius_share=0.2), Budget(0.7, 1e-6, adjacency)
    whole = 1 / gaussian_sigma(0.7, 1e-6, 1.0) ** 2
    spent = [(change / scale) ** 2 for scale in look.scales(8, budget)]
    assert sum(spent) + 0.2 * whole == pytest.approx(whole, rel=1e-12)
    scales = MECHANISMS["second_look_pure"].scales(8, Budget(0.7, 0.0, adjacency))
    assert sum(change**2 / (2 * s) for s in scales) == pytest.approx(0.7, rel=1e-12)
