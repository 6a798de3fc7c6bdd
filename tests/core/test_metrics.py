"""Metrics against their definitions, and predictions against many releases."""

from math import pi, sqrt

import numpy as np
import pytest

from dpca_core import MECHANISMS, Adjacency, Budget, Problem
from dpca_core.linalg.symmetric import top_basis
from dpca_core.mechanisms.matrix_noise import MatrixNoise
from dpca_core.metrics import (
    aligned,
    first_order_sin_theta,
    principal_angles,
    quality,
    random_baseline,
    sin_theta,
)

MATRIX = [key for key, m in MECHANISMS.items() if isinstance(m, MatrixNoise)]


def frames(shape, seed):
    return np.linalg.qr(np.random.default_rng(seed).standard_normal(shape))[0]


def problem_with(spectrum, k, eigenvectors=None, n=1000):
    q = np.eye(len(spectrum)) if eigenvectors is None else eigenvectors
    moment = q @ np.diag(spectrum) @ q.T
    return Problem.from_moment((moment + moment.T) / 2, n, k)


PROBLEM = problem_with([90.0, 60.0, 30.0, 20.0, 5.0], 2, frames((5, 5), 0))


def test_quality_by_definition():
    bases = frames((7, 5, 2), 1)
    measured = quality(PROBLEM, bases)
    for i, v in enumerate(bases):
        captured = np.trace(v.T @ PROBLEM.moment @ v)
        assert measured.captured[i] == pytest.approx(captured / 150, rel=1e-12)
        assert measured.captured_of_all[i] == pytest.approx(captured / 205, rel=1e-12)
        projectors = v @ v.T - PROBLEM.basis @ PROBLEM.basis.T
        assert measured.sin_theta[i] == pytest.approx(
            np.linalg.norm(projectors) / sqrt(2), rel=1e-12
        )
        cosines = np.linalg.norm(PROBLEM.basis.T @ v)
        assert measured.sin_theta[i] == pytest.approx(sqrt(2 - cosines**2), rel=1e-12)


def test_quality_of_pca_itself():
    measured = quality(PROBLEM, PROBLEM.basis)
    assert measured.captured == pytest.approx(1, rel=1e-14)
    assert measured.captured_of_all == pytest.approx(150 / 205, rel=1e-12)
    assert measured.sin_theta < 1e-14
    worst = quality(PROBLEM, PROBLEM.eigenvectors[:, 3:])
    assert worst.captured == pytest.approx(25 / 150, rel=1e-12)
    assert worst.sin_theta == pytest.approx(sqrt(2), rel=1e-14)


def test_quality_does_not_depend_on_the_basis_of_a_subspace():
    bases, rotations = frames((20, 5, 2), 2), frames((20, 2, 2), 3)
    for one, other in zip(
        quality(PROBLEM, bases), quality(PROBLEM, bases @ rotations), strict=True
    ):
        np.testing.assert_allclose(one, other, rtol=1e-12)


def test_nothing_released_has_no_quality():
    bases = frames((3, 5, 2), 4)
    bases[1] = np.nan
    for metric in quality(PROBLEM, bases):
        np.testing.assert_array_equal(np.isnan(metric), [False, True, False])


def turned(angles):
    """Two planes of R⁴ with the given principal angles."""
    first = np.eye(4)[:, :2]
    second = np.zeros((4, 2))
    for i, angle in enumerate(angles):
        second[i, i], second[i + 2, i] = np.cos(angle), np.sin(angle)
    q = frames((4, 4), 5)
    return q @ first @ frames((2, 2), 6), q @ second @ frames((2, 2), 7)


@pytest.mark.parametrize(
    "angles",
    [(0.0, 0.0), (1e-9, 1e-8), (1e-12, 0.3), (0.7, 0.8), (0.4, pi / 2), (1e-9, pi / 2 - 1e-9)],
)
def test_angles_keep_their_digits(angles):
    first, second = turned(angles)
    np.testing.assert_allclose(principal_angles(first, second), angles, rtol=1e-6, atol=3e-16)
    both = sqrt(sum(np.sin(a) ** 2 for a in angles))
    assert sin_theta(first, second) == pytest.approx(both, rel=1e-6, abs=1e-15)
    problem = Problem.from_moment(first @ np.diag([3.0, 2.0]) @ first.T, 9, 2)
    assert quality(problem, second).sin_theta == pytest.approx(both, rel=1e-6, abs=1e-15)


def test_angles_of_stacks():
    first, second = frames((5, 3), 8), frames((6, 5, 3), 9)
    stacked = principal_angles(first, second)
    for i in range(6):
        cosines = np.linalg.svd(first.T @ second[i])[1]
        np.testing.assert_allclose(np.cos(stacked[i]), cosines, rtol=1e-10)
    assert (np.diff(stacked, axis=1) >= 0).all()
    np.testing.assert_allclose(sin_theta(first, second), np.linalg.norm(np.sin(stacked), axis=1))


def test_alignment_is_the_closest_turn():
    bases, target = frames((4, 5, 2), 10), frames((5, 2), 11)
    closest = aligned(bases, target)
    np.testing.assert_allclose(
        closest.swapaxes(1, 2) @ closest, np.tile(np.eye(2), (4, 1, 1)), atol=1e-14
    )
    np.testing.assert_allclose(
        closest @ closest.swapaxes(1, 2), bases @ bases.swapaxes(1, 2), atol=1e-14
    )
    t = np.linspace(0, 2 * pi, 721)
    turns = np.array([[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]]).transpose(2, 0, 1)
    turns = np.concatenate([turns, turns * [1, -1]])
    for basis, best in zip(bases, closest, strict=True):
        distances = np.linalg.norm(basis @ turns - target, axis=(1, 2))
        assert np.linalg.norm(best - target) <= distances.min() + 1e-12
        assert np.linalg.norm(best - target) >= distances.min() - 1e-3


@pytest.mark.parametrize("k", [1, 2, 4])
def test_random_baseline_is_the_mean_of_random_subspaces(k):
    """False failure: five standard errors of each of three means, 2e-6."""
    problem = PROBLEM.with_k(k)
    bases = frames((40_000, 5, k), 12)
    measured, baseline = quality(problem, bases), random_baseline(problem)
    for sample, expected in (
        (measured.captured, baseline.captured),
        (measured.captured_of_all, baseline.captured_of_all),
        (measured.sin_theta**2, baseline.sin_theta**2),
    ):
        assert sample.mean() == pytest.approx(expected, abs=5 * sample.std() / 200)


def test_random_baseline_without_any_data():
    problem = Problem.from_moment(np.zeros((3, 3)), 5, 1)
    assert np.isnan(random_baseline(problem).captured)
    assert np.isnan(quality(problem, problem.basis).captured)


def prediction(key, problem, budget):
    mechanism = MECHANISMS[key]
    scale = mechanism.calibrate(problem, budget).scale
    return first_order_sin_theta(problem, *(scale * s for s in mechanism.entry_std(problem.d)))


def mean_square(key, problem, budget, trials=20_000):
    """Mean ‖sin Θ‖_F² of many releases."""
    release = MECHANISMS[key].release(problem, budget, np.random.default_rng(13), trials)
    return float(np.square(quality(problem, release.bases).sin_theta).mean())


@pytest.mark.parametrize("adjacency", Adjacency)
@pytest.mark.parametrize(
    ("key", "epsilon"), [("gaussian", 3.0), ("wishart_difference", 3.0), ("analyze_gauss", 3.0),
                         ("laplace", 6.0), ("laplace_printed", 18.0)]
)  # fmt: skip
def test_first_order_prediction(key, epsilon, adjacency):
    """Within 5 % where it predicts at most 0.01; the mean's standard error is below 1 %."""
    budget = Budget(epsilon, 1e-3, adjacency)
    predicted = prediction(key, PROBLEM, budget)
    assert 1e-4 < predicted < 0.01
    assert mean_square(key, PROBLEM, budget) == pytest.approx(predicted, rel=0.05)


def test_first_order_prediction_is_off_by_the_gap_alone_for_isotropic_noise():
    budget = Budget(2.0, 1e-3)
    scale = MECHANISMS["gaussian"].calibrate(PROBLEM, budget).scale
    naive = sum(
        scale**2 / 2 / (PROBLEM.spectrum[i] - PROBLEM.spectrum[j]) ** 2
        for i in range(2)
        for j in range(2, 5)
    )
    assert prediction("gaussian", PROBLEM, budget) == pytest.approx(naive, rel=1e-12)


def test_first_order_prediction_for_a_triangle_depends_on_the_eigenvectors():
    """s²(1 − Σ_a v_ia²v_ja²): s² on the axes, s²/2 half-way between two."""
    budget = Budget(2.0, 1e-3)
    s = MECHANISMS["analyze_gauss"].calibrate(PROBLEM, budget).scale
    for eigenvectors, share in ((np.eye(2), 1.0), (np.array([[1, 1], [1, -1]]) / sqrt(2), 0.5)):
        problem = problem_with([90.0, 30.0], 1, eigenvectors)
        predicted = prediction("analyze_gauss", problem, budget)
        assert predicted == pytest.approx(share * s**2 / 60**2, rel=1e-9)
        assert mean_square("analyze_gauss", problem, budget, 40_000) == pytest.approx(
            predicted, rel=0.05
        )


def test_first_order_prediction_without_a_gap_is_infinite():
    assert first_order_sin_theta(problem_with([2.0, 2.0, 1.0], 1), 1.0, 1.0) == np.inf


@pytest.mark.parametrize(
    ("key", "norm"),
    [("gaussian", sqrt(2 / 200)), ("analyze_gauss", 2 / sqrt(200)), ("wishart_difference", 3.33)],
)
def test_norm_of_the_noise_in_many_columns(key, norm):
    """2s√d for entries of standard deviation s, 3.33·d·s for a difference of Wisharts; d = 200.

    Norms of such large matrices vary by about 1 %: five standard deviations, 6e-7.
    """
    d = 200
    (noise,) = MECHANISMS[key].unit(d, 1, np.random.default_rng(14), 6)
    measured = np.abs(np.linalg.eigvalsh(noise)).max(axis=1).mean()
    assert measured == pytest.approx(norm * d, rel=0.05)


SHRINKING = np.geomspace(30, 0.01, 40)


def published(key, epsilon, trials=8):
    """Releases that share their noise: only its scale moves with ε."""
    return MECHANISMS[key].release(
        PROBLEM, Budget(epsilon, 1e-6), np.random.default_rng(15), trials, keep="moment"
    )


@pytest.mark.parametrize("key", MATRIX)
def test_more_noise_never_captures_more(key):
    """Release by release: dq/dσ = −(2/σ)Σ_{i≤k<j}(u_iᵀSu_j)²/(θ_i − θ_j) ≤ 0."""
    captured = [quality(PROBLEM, published(key, e).bases).captured for e in SHRINKING]
    assert (np.diff(captured, axis=0) <= 1e-12).all()
    assert captured[-1].mean() < 0.9 < captured[0].mean()


@pytest.mark.parametrize("key", MATRIX)
def test_top_eigenvalues_are_convex_in_the_noise(key):
    """The sum of the top k eigenvalues of S + σE is a maximum of linear functions of σ."""
    mechanism = MECHANISMS[key]
    scales, sums = [], []
    for epsilon in SHRINKING:
        scales.append(mechanism.calibrate(PROBLEM, Budget(epsilon, 1e-6)).scale)
        sums.append(np.linalg.eigvalsh(published(key, epsilon).moment)[:, -2:].sum(axis=1))
    slopes = np.diff(sums, axis=0) / np.diff(scales)[:, None]
    assert (np.diff(slopes, axis=0) >= -1e-6 * np.abs(slopes).max()).all()
    assert np.ptp(slopes, axis=0).min() > 0.1


@pytest.mark.parametrize("key", MATRIX)
def test_only_noise_over_people_matters(key):
    """7·S + σE and S + (σ/7)E have the same eigenvectors."""
    noise = published(key, 0.3).moment - PROBLEM.moment
    many = quality(PROBLEM, top_basis(7 * PROBLEM.moment + noise, 2))
    few = quality(PROBLEM, top_basis(PROBLEM.moment + noise / 7, 2))
    np.testing.assert_allclose(many.captured, few.captured, rtol=1e-10)
    if MECHANISMS[key].guarantee(PROBLEM, Budget(0.3, 1e-6)).delta == 0:
        # Pure noise is proportional to 1/ε: seven times the people need a seventh of ε.
        large = MECHANISMS[key].release(
            PROBLEM.scaled(7 * PROBLEM.n), Budget(0.3 / 7, 1e-6), np.random.default_rng(15), 8
        )
        np.testing.assert_allclose(
            quality(PROBLEM, large.bases).captured,
            quality(PROBLEM, published(key, 0.3).bases).captured,
            rtol=1e-9,
        )
    relative = MECHANISMS[key].relative_noise
    fewer = np.sqrt(7) if MECHANISMS[key].family == "local" else 7
    assert relative(PROBLEM, Budget(0.3, 1e-6)) == pytest.approx(
        fewer * relative(PROBLEM.scaled(7 * PROBLEM.n), Budget(0.3, 1e-6)), rel=1e-12
    )
