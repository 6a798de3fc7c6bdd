"""Wang & Xu's experiments: their designs, errors and penalties."""

import numpy as np
import pytest

from dpca_core.sparse.fantope import support
from papers.wang_xu import for_support
from papers.wang_xu_errors import recovery
from sample_data.synthetic import sample_rows, spiked_eigenvalues


@pytest.mark.chance(1e-7)
def test_rows_have_the_covariance_printed_and_lie_in_the_unit_ball():
    """λ = 1: k eigenvalues 1/5p and p − k of 1/10p; 820 entries within 7 standard errors."""
    n, p, k = 100_000, 40, 5
    drawn = sample_rows(n, p, k, p, seed=k)
    assert np.linalg.norm(drawn.rows, axis=1).max() <= 1 + 1e-12
    expected = (drawn.directions @ drawn.directions.T + np.eye(p)) / (10 * p)
    values = np.linalg.eigvalsh(expected)[::-1]
    np.testing.assert_allclose(values, spiked_eigenvalues(p, k), rtol=1e-11)
    variance = expected**2 + np.outer(np.diag(expected), np.diag(expected))
    assert (np.abs(drawn.rows.T @ drawn.rows / n - expected) < 7 * np.sqrt(variance / n)).all()


@pytest.mark.parametrize("columns", [3, 8, 30])
def test_a_penalty_is_found_for_as_many_columns_as_asked_for(columns):
    drawn = sample_rows(4000, 30, 3, 8, strength=4, seed=0)
    used = support(for_support(drawn.rows.T @ drawn.rows / len(drawn.rows), 3, columns)[1])
    assert min(columns, 8) - 1 <= used.sum() <= columns
    if columns == 8:
        assert recovery(used, drawn.support) == (1, 1)
