"""Releases of wide tables: the top directions are found without the others."""

import numpy as np
import pytest

from dpca_core import MECHANISMS, Budget, Problem
from dpca_core.mechanisms import published_matrix
from dpca_core.mechanisms.published_matrix import TOP_ALONE_FROM
from dpca_core.metrics import sin_theta


@pytest.mark.parametrize("key", ["gaussian", "wishart", "laplace"])
@pytest.mark.parametrize("k", [1, 7])
def test_the_top_alone_is_the_top_of_all_eigenvectors(key, k):
    spectrum = 400 * 0.9 ** np.arange(TOP_ALONE_FROM)
    problem = Problem.from_moment(np.diag(spectrum), 1e4, k)
    rng = np.random.default_rng(4)
    release = MECHANISMS[key].release(problem, Budget(1.0, 1e-6), rng, 2, keep="moment")
    assert release.moment is not None
    for basis, moment in zip(release.bases, release.moment, strict=True):
        whole = np.linalg.eigh(moment)[1][:, : -k - 1 : -1]
        assert sin_theta(whole, basis) < 1e-9
        np.testing.assert_allclose(np.abs(np.diagonal(whole.T @ basis)), 1, atol=1e-9)


def test_where_lapack_finds_no_top_alone_all_are_found(monkeypatch):
    def fails(matrix, k):
        raise np.linalg.LinAlgError

    monkeypatch.setattr(published_matrix, "top_eigenvectors", fails)
    problem = Problem.from_moment(np.diag(np.arange(TOP_ALONE_FROM, 0.0, -1.0)), 1e5, 2)
    release = MECHANISMS["gaussian"].release(problem, Budget(50.0, 1e-6), np.random.default_rng(5))
    assert np.abs(np.linalg.norm(release.bases, axis=1) - 1).max() < 1e-12
