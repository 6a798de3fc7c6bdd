"""Metrics against their definitions, and how they follow the noise."""

from math import pi, sqrt

import numpy as np
import pytest

from dpca_core import MECHANISMS, Budget, Problem
from dpca_core.mechanisms.noise_on_s import NoiseOnS
from dpca_core.metrics import principal_angles, quality, random_baseline, sin_theta
from tests.core.sampling.laws import assert_mean


def frames(shape, seed):
    return np.linalg.qr(np.random.default_rng(seed).standard_normal(shape))[0]


PROBLEM = Problem.from_spectrum([90.0, 60.0, 30.0, 20.0, 5.0], 1000, 2, frames((5, 5), 0))


def test_quality_by_definition():
    bases = np.stack([*frames((7, 5, 2), 1), PROBLEM.basis, PROBLEM.eigenvectors[:, 3:]])
    measured = quality(PROBLEM, bases)
    assert measured.captured[-2:] == pytest.approx([1, 25 / 150], rel=1e-12)
    assert measured.sin_theta[-2] < 1e-14
    assert np.isnan(quality(PROBLEM, np.full((5, 2), np.nan))).all(), "nothing was released"
    for v, *found in zip(bases, *measured, strict=True):
        captured = np.trace(v.T @ PROBLEM.moment @ v)
        apart = np.linalg.norm(v @ v.T - PROBLEM.basis @ PROBLEM.basis.T)
        expected = captured / 150, captured / 205, apart / sqrt(2)
        assert found == pytest.approx(expected, rel=1e-12, abs=1e-14)


def turned(angles):
    """Two planes of R⁴ with the given principal angles."""
    first = np.eye(4)[:, :2]
    second = np.vstack([np.diag(np.cos(angles)), np.diag(np.sin(angles))])
    q = frames((4, 4), 5)
    return q @ first @ frames((2, 2), 6), q @ second @ frames((2, 2), 7)


@pytest.mark.parametrize(
    "angles", [(0.0, 0.0), (1e-9, 1e-8), (1e-12, 0.3), (0.7, 0.8), (1e-9, pi / 2 - 1e-9)]
)
def test_angles_keep_their_digits(angles):
    first, second = turned(angles)
    np.testing.assert_allclose(principal_angles(first, second), angles, rtol=1e-6, atol=3e-16)
    both = pytest.approx(np.linalg.norm(np.sin(angles)), rel=1e-6, abs=1e-15)
    assert sin_theta(first, second) == both
    problem = Problem.from_moment(first @ np.diag([3.0, 2.0]) @ first.T, 9, 2)
    assert quality(problem, second).sin_theta == both


@pytest.mark.chance(3e-8)
@pytest.mark.parametrize("k", [1, 2, 4])
def test_random_baseline_is_the_mean_of_random_subspaces(k):
    problem = PROBLEM.with_k(k)
    measured, baseline = quality(problem, frames((40_000, 5, k), 12)), random_baseline(problem)
    assert_mean(measured.captured, baseline.captured)
    assert_mean(measured.captured_of_all, baseline.captured_of_all)
    assert_mean(measured.sin_theta**2, baseline.sin_theta**2)


@pytest.mark.parametrize(
    "mechanism", [m for m in MECHANISMS.values() if isinstance(m, NoiseOnS)], ids=lambda m: m.key
)
def test_more_noise_never_captures_more_and_top_eigenvalues_are_convex_in_it(mechanism):
    """Of releases that share their noise E, whose scale σ alone moves.

    dq/dσ = −(2/σ)Σ_{i≤k<j}(u_iᵀSu_j)²/(θ_i − θ_j) ≤ 0, and the sum of the top k eigenvalues of
    S + σE is a maximum of linear functions of σ.
    """
    scales, captured, sums = [], [], []
    for epsilon in np.geomspace(30, 0.01, 40):
        budget, rng = Budget(epsilon, 1e-6), np.random.default_rng(15)
        release = mechanism.release(PROBLEM, budget, rng, 8, keep="moment")
        scales.append(mechanism.calibrate(PROBLEM, budget).scale)
        captured.append(quality(PROBLEM, release.bases).captured)
        sums.append(np.linalg.eigvalsh(release.moment)[:, -2:].sum(axis=1))
    assert (np.diff(captured, axis=0) <= 1e-12).all()
    assert captured[-1].mean() < 0.9 < captured[0].mean()
    slopes = np.diff(sums, axis=0) / np.diff(scales)[:, None]
    assert (np.diff(slopes, axis=0) >= -1e-6 * np.abs(slopes).max()).all()
    assert np.ptp(slopes, axis=0).min() > 0.1
