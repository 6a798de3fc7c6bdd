"""What noise adds to S on average: a public multiple of I, subtracted from eigenvalues alone."""

from math import sqrt

import numpy as np
import pytest

from dpca_core import MECHANISMS, Adjacency, Budget, PrivatePCA, Problem
from dpca_core.mechanisms.published_matrix import SharedMatrixNoise
from dpca_core.mechanisms.wishart import Wishart
from tests.core.mechanisms.every_mechanism import BOTH, PROBLEM, REPLACE, within

NOISY = [m for m in MECHANISMS.values() if isinstance(m, SharedMatrixNoise)]
WITH_MEAN = ("wishart", "wishart_sheffet", "wishart_sn", "wishart_jiang")
TRIALS, LARGEST = 4000, 6.0
"""Of 28 tests with 15 means each, one is this many standard errors off with probability 10⁻⁶."""


@BOTH
@pytest.mark.parametrize("mechanism", NOISY, ids=lambda m: m.key)
def test_the_mean_of_what_is_published_less_s(
    mechanism: SharedMatrixNoise, adjacency: Adjacency
) -> None:
    budget = within(mechanism, 0.9, 1e-3, adjacency)
    rng = np.random.default_rng(20)
    moment = mechanism.release(PROBLEM, budget, rng, TRIALS, keep="moment").moment
    assert moment is not None
    added = moment - PROBLEM.moment
    mean = mechanism.noise_mean(PROBLEM.d, budget)
    assert (mean > 0) == (mechanism.key in WITH_MEAN)
    error = added.std(axis=0) / sqrt(TRIALS)
    assert (np.abs(added.mean(axis=0) - mean * np.eye(PROBLEM.d)) < LARGEST * error).all()


@pytest.mark.parametrize("key", WITH_MEAN)
@pytest.mark.parametrize("row_norm", [1.0, 3.0])
def test_eigenvalues_are_less_the_mean_and_what_is_published_is_not(
    key: str, row_norm: float
) -> None:
    spread = np.array([0.5, 0.4, 0.05, 0.04, 0.03])
    data = np.random.default_rng(0).standard_normal((2000, 5)) * spread
    data /= np.maximum(1, np.linalg.norm(data, axis=1, keepdims=True)) * 1.001
    mechanism, budget = MECHANISMS[key], Budget(0.5, 1e-6, REPLACE)
    assert isinstance(mechanism, SharedMatrixNoise)
    problem = Problem.from_rows(data, 2)
    released = mechanism.release(problem, budget, np.random.default_rng(3), keep="moment")
    assert released.moment is not None
    fitted = PrivatePCA(
        2,
        epsilon=0.5,
        mechanism=key,
        adjacency="replace_one",
        random_state=3,
        row_norm=row_norm,
    ).fit(row_norm * data)
    top = np.linalg.eigvalsh(released.moment[0])[::-1][:2]
    less = (top - mechanism.noise_mean(5, budget)) * row_norm**2 / 2000
    np.testing.assert_allclose(fitted.explained_variance_, less)
    np.testing.assert_allclose(np.abs(fitted.components_ @ released.bases[0]), np.eye(2), atol=1e-9)


def test_eigenvalues_of_one_wishart_are_no_longer_too_large() -> None:
    """On average within 0.02 of the truth, eight standard errors; the mean alone is 0.11."""
    data = np.repeat(np.eye(3), [1200, 600, 200], axis=0)

    def fitted(seed: int) -> PrivatePCA:
        one = PrivatePCA(1, 0.5, 1e-6, Wishart(), adjacency="replace_one", random_state=seed)
        return one.fit(data)

    values = [fitted(seed).explained_variance_[0] for seed in range(40)]
    assert np.mean(values) == pytest.approx(0.6, abs=0.02)
    assert np.std(values) / sqrt(40) < 0.02 / 8
    assert Wishart().noise_mean(3, Budget(0.5, 1e-6, REPLACE)) / 2000 > 0.11
