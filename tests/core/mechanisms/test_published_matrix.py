"""A published matrix: eigenvalues less the mean of the noise, its top directions in wide tables."""

import numpy as np
import pytest

from dpca_core import MECHANISMS, Budget, PrivatePCA, Problem
from dpca_core.mechanisms.noise_on_s import TOP_ALONE_FROM
from dpca_core.metrics import sin_theta
from tests.core.mechanisms.every_mechanism import REPLACE

WITH_MEAN = ("wishart", "wishart_sheffet", "wishart_sn", "wishart_jiang")


@pytest.mark.filterwarnings("ignore::dpca_core.PrivacyWarning")
@pytest.mark.parametrize("key", WITH_MEAN)
@pytest.mark.parametrize("row_norm", [1.0, 3.0])
def test_eigenvalues_are_less_the_mean_and_what_is_published_is_not(key, row_norm):
    spread = np.array([0.5, 0.4, 0.05, 0.04, 0.03])
    data = np.random.default_rng(0).standard_normal((2000, 5)) * spread
    data /= np.maximum(1, np.linalg.norm(data, axis=1, keepdims=True)) * 1.001
    mechanism, budget = MECHANISMS[key], Budget(0.5, 1e-6, REPLACE)
    problem = Problem.from_rows(data, 2)
    released = mechanism.release(problem, budget, np.random.default_rng(3), keep="moment")
    settings = {"adjacency": "replace_one", "random_state": 3, "row_norm": row_norm}
    fitted = PrivatePCA(2, epsilon=0.5, mechanism=key, **settings).fit(row_norm * data)
    top = np.linalg.eigvalsh(released.moment[0])[::-1][:2]
    less = (top - mechanism.calibrate(problem, budget).mean) * row_norm**2 / 2000
    np.testing.assert_allclose(fitted.explained_variance_, less)
    np.testing.assert_allclose(np.abs(fitted.components_ @ released.bases[0]), np.eye(2), atol=1e-9)


# --- Wide tables: the top directions are found without the others ---


@pytest.mark.parametrize("key", ["gaussian", "wishart", "laplace"])
@pytest.mark.parametrize("k", [1, 7])
def test_the_top_alone_is_the_top_of_all_eigenvectors(key, k):
    spectrum = 400 * 0.9 ** np.arange(TOP_ALONE_FROM)
    problem = Problem.from_moment(np.diag(spectrum), 1e4, k)
    rng = np.random.default_rng(4)
    release = MECHANISMS[key].release(problem, Budget(1.0, 1e-6), rng, 2, keep="moment")
    for basis, moment in zip(release.bases, release.moment, strict=True):
        whole = np.linalg.eigh(moment)[1][:, : -k - 1 : -1]
        assert sin_theta(whole, basis) < 1e-9
        np.testing.assert_allclose(np.abs(np.diagonal(whole.T @ basis)), 1, atol=1e-9)
