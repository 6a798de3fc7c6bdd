"""What every mechanism of the registry promises of its releases: shape, seed, trials, limits."""

import numpy as np
import pytest

from dpca_core import (
    Budget,
)
from dpca_core.mechanisms.matrix_noise import MatrixNoise
from dpca_core.metrics import quality
from tests.core.mechanisms.every_mechanism import BOTH, EVERY, PROBLEM, within

# Sheffet's theorem is for ε < 1; one Wishart matrix of fixed scale and a power method of a few
# rounds stay short of PCA whatever ε.
SHORT_OF_PCA = ("wishart", "power", "power_pure", "power_printed", "power_pure_printed")


# --- Releases ---


@EVERY
@BOTH
@pytest.mark.parametrize("k", [1, 2, 4])
def test_release_is_a_stack_of_orthonormal_bases(mechanism, adjacency, k):
    problem = PROBLEM.with_k(k)
    release = mechanism.release(
        problem, within(mechanism, 2.0, 1e-3, adjacency), np.random.default_rng(1), trials=7
    )
    assert release.bases.shape == (7, 5, k)
    assert release.bases.dtype == np.float64
    assert release.refused.shape == (7,)
    assert release.refused.dtype == bool
    for basis, refused in zip(release.bases, release.refused, strict=True):
        if refused:
            assert np.isnan(basis).all()
        else:
            np.testing.assert_allclose(basis.T @ basis, np.eye(k), atol=1e-12)
    for diagnostic in release.info.values():
        assert len(diagnostic) == 7


@EVERY
def test_the_seed_fixes_a_release(mechanism):
    budget = Budget(0.7, 1e-3)
    first, again, other = (
        mechanism.release(PROBLEM, budget, np.random.default_rng(seed), 5).bases
        for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(first, again)
    if mechanism.key != "non_private":
        assert (np.nan_to_num(first) != np.nan_to_num(other)).any() or np.isnan(first).all()


@EVERY
def test_trials_differ(mechanism):
    bases = mechanism.release(
        PROBLEM, within(mechanism, 50.0, 1e-3), np.random.default_rng(3), 4
    ).bases
    same = [np.array_equal(bases[0], b) for b in bases[1:]]
    assert all(same) if mechanism.is_deterministic else not any(same)


@EVERY
def test_a_release_leaves_the_problem_alone(mechanism):
    moment, spectrum = PROBLEM.moment.copy(), PROBLEM.spectrum.copy()
    budget = within(mechanism, 1.0, 1e-3)
    mechanism.release(PROBLEM, budget, np.random.default_rng(4), 3, keep="moment")
    np.testing.assert_array_equal(PROBLEM.moment, moment)
    np.testing.assert_array_equal(PROBLEM.spectrum, spectrum)


@EVERY
@BOTH
def test_without_a_limit_on_epsilon_it_is_pca(mechanism, adjacency):
    budget = within(mechanism, 1e9, adjacency=adjacency)
    release = mechanism.release(PROBLEM, budget, np.random.default_rng(5), 20)
    assert not release.refused.any()
    measured = quality(PROBLEM, release.bases)
    if mechanism.key == "random_projection":
        assert measured.sin_theta.min() > 0.1
    elif mechanism.key in SHORT_OF_PCA:
        assert np.median(measured.captured) > 0.9
    elif mechanism.key != "wishart_sheffet":
        assert measured.captured.min() > 1 - 1e-6
        assert measured.sin_theta.max() < 1e-3


@EVERY
def test_a_published_matrix_has_the_released_basis(mechanism):
    release = mechanism.release(
        PROBLEM, Budget(0.5, 1e-3), np.random.default_rng(6), 4, keep="moment"
    )
    assert mechanism.release(PROBLEM, Budget(0.5, 1e-3), np.random.default_rng(6)).moment is None
    if isinstance(mechanism, MatrixNoise):
        assert release.moment.shape == (4, 5, 5)
        for moment, basis in zip(release.moment, release.bases, strict=True):
            np.testing.assert_array_equal(moment, moment.T)
            largest = np.sort(np.linalg.eigvals(moment).real)[::-1][:2]
            np.testing.assert_allclose(np.diag(basis.T @ moment @ basis), largest, rtol=1e-10)


@EVERY
@pytest.mark.parametrize("trials", [0, -3])
def test_at_least_one_trial(mechanism, trials):
    with pytest.raises(ValueError, match=rf"at least one trial, not {trials}\."):
        mechanism.release(PROBLEM, Budget(1.0, 1e-3), np.random.default_rng(0), trials)
