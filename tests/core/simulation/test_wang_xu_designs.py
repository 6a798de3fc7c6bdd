"""The designs of Wang and Xu (2020) have the covariances printed, and rows in the ball."""

import numpy as np
import pytest

from dpca_core.simulation.wang_xu import (
    DENSE_K,
    SPARSE_S,
    dense_design,
    sparse_design,
    spiked_eigenvalues,
)


@pytest.mark.parametrize("columns", SPARSE_S)
def test_the_sparse_design_is_as_printed(columns):
    drawn = sparse_design(2000, 400, 10, columns, seed=columns)
    assert drawn.rows.shape == (2000, 400)
    assert drawn.clipped == 0
    assert drawn.support.sum() == columns
    np.testing.assert_allclose(drawn.directions.T @ drawn.directions, np.eye(10), atol=1e-12)
    assert not drawn.directions[~drawn.support].any()
    again = sparse_design(2000, 400, 10, columns, seed=columns)
    np.testing.assert_array_equal(again.rows, drawn.rows)
    other = sparse_design(2000, 400, 10, columns, seed=columns + 1)
    assert not np.array_equal(other.support, drawn.support)


@pytest.mark.parametrize("k", DENSE_K)
def test_rows_have_the_covariance_printed(k):
    """λ = 1: k eigenvalues 1/5p and p − k of 1/10p; entries within 6 standard errors, 2e-6."""
    n, p = 100_000, 40
    drawn = dense_design(n, p, k, seed=k)
    assert drawn.clipped == 0
    assert drawn.support.all()
    v = drawn.directions
    expected = v @ v.T / (10 * p) + np.eye(p) / (10 * p)
    np.testing.assert_allclose(
        np.sort(np.linalg.eigvalsh(expected))[::-1], spiked_eigenvalues(p, k), rtol=1e-12
    )
    found = drawn.rows.T @ drawn.rows / n
    variance = expected**2 + np.outer(np.diag(expected), np.diag(expected))
    assert (np.abs(found - expected) < 6 * np.sqrt(variance / n)).all()


def test_long_rows_are_shortened_and_counted():
    drawn = dense_design(5000, 2, 1, strength=1, seed=1)
    lengths = np.linalg.norm(drawn.rows, axis=1)
    assert lengths.max() <= 1 + 1e-12
    assert drawn.clipped == pytest.approx((lengths > 1 - 1e-12).mean())
    assert drawn.clipped > 0


@pytest.mark.parametrize(("p", "k", "columns"), [(5, 5, 5), (5, 0, 3), (5, 3, 2), (5, 2, 6)])
def test_designs_that_cannot_be(p, k, columns):
    with pytest.raises(ValueError, match="Take 1 ≤ k ≤ columns used ≤ p and k < p"):
        sparse_design(10, p, k, columns)
