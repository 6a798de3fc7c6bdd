"""Wang & Xu's experiments run again at tiny sizes: their designs, errors and penalties."""

from math import inf, sqrt

import numpy as np
import pytest

from dpca_core import MECHANISMS, Budget, Problem
from dpca_core.linalg.symmetric import orthonormal
from dpca_core.simulation.trials import trial_generator
from dpca_core.sparse.fantope import support
from papers import wang_xu_sparse
from papers.wang_xu_errors import (
    largest_distance,
    printed_errors,
    projector_distance,
    random_distance,
    random_errors,
    recovery,
)
from sample_data.synthetic import (
    DENSE_K,
    SPARSE_S,
    sample_moment,
    sample_rows,
    spiked_eigenvalues,
)
from tests.cases import sampled

# --- The designs ---


@pytest.mark.parametrize("columns", sampled(SPARSE_S, 9, "the same with more columns"))
def test_the_sample_rows_is_as_printed(columns):
    drawn, again = (sample_rows(2000, 400, 10, columns, seed=columns) for _ in range(2))
    assert drawn.rows.shape == (2000, 400)
    assert drawn.clipped == 0
    assert drawn.support.sum() == columns
    np.testing.assert_allclose(drawn.directions.T @ drawn.directions, np.eye(10), atol=1e-12)
    assert not drawn.directions[~drawn.support].any()
    short = sample_rows(5000, 2, 1, 2, seed=1)
    lengths = np.linalg.norm(short.rows, axis=1)
    assert lengths.max() <= 1 + 1e-12
    assert short.clipped == pytest.approx((lengths > 1 - 1e-12).mean())
    for p, k, few in ((5, 5, 5), (5, 0, 3), (5, 3, 2), (5, 2, 6)):
        with pytest.raises(ValueError, match="Take 1 ≤ k ≤ columns used ≤ p and k < p"):
            sample_rows(10, p, k, few)
    np.testing.assert_allclose(again.rows, drawn.rows, rtol=1e-12)


@pytest.mark.chance(1e-7)
@pytest.mark.parametrize("k", sampled(DENSE_K, 9, "the same with more directions"))
def test_rows_have_the_covariance_printed(k):
    """λ = 1: k eigenvalues 1/5p and p − k of 1/10p; 820 entries within 7 standard errors."""
    n, p = 100_000, 40
    drawn = sample_rows(n, p, k, p, seed=k)
    assert drawn.clipped == 0
    assert drawn.support.all()
    v = drawn.directions
    expected = v @ v.T / (10 * p) + np.eye(p) / (10 * p)
    values = np.linalg.eigvalsh(expected)[::-1]
    np.testing.assert_allclose(values, spiked_eigenvalues(p, k), rtol=1e-11)
    found = drawn.rows.T @ drawn.rows / n
    variance = expected**2 + np.outer(np.diag(expected), np.diag(expected))
    assert (np.abs(found - expected) < 7 * np.sqrt(variance / n)).all()


# --- Errors, random baseline, ceiling ---


def test_the_error_is_the_distance_of_projectors_and_has_a_ceiling():
    frames = orthonormal(np.random.default_rng(0).standard_normal((20, 9, 3)))
    brute = [np.linalg.norm(frame @ frame.T - frames[0] @ frames[0].T) for frame in frames]
    np.testing.assert_allclose(projector_distance(frames[0], frames), brute, atol=1e-7)
    truth, other = np.eye(6)[:, :3], np.eye(6)[:, 3:]
    assert projector_distance(truth, other[None]) == pytest.approx(largest_distance(3))
    assert max(brute) <= largest_distance(3)


@pytest.mark.chance(1e-7)
@pytest.mark.parametrize(("d", "k"), [(6, 1), (9, 2)])
def test_random_directions_have_the_error_that_is_printed_beside(d, k):
    """The mean square of 5000 within 6 standard errors."""
    frames = orthonormal(np.random.default_rng(1).standard_normal((5000, d, k)))
    squares = projector_distance(np.eye(d)[:, :k], frames) ** 2
    assert abs(squares.mean() - random_distance(d, k) ** 2) < 6 * squares.std() / sqrt(len(squares))
    low, high = random_errors(40, 5, 0.95)
    assert low < sqrt(2 * 5 * (1 - 5 / 40)) < high < sqrt(10)


def test_printed_errors_are_those_of_the_mechanism():
    sample, budget = sample_moment(1e7, 12, 3, 12, seed=4), Budget(5.0, 1e-4)
    problem, mechanism = Problem.from_moment(sample.moment, 1e7, 3), MECHANISMS["local_printed"]
    found = printed_errors(1e7, 12, 3, 1.0, budget, runs=1, seed=4)
    stream = trial_generator(4, mechanism.key, 0)
    bases = mechanism.release(problem, budget, stream, 1).bases
    expected = projector_distance(sample.directions, bases)[0]
    assert found.mean == pytest.approx(expected, rel=1e-7)
    assert found.gap == pytest.approx(problem.gap)


@pytest.mark.chance(1e-8)
def test_at_the_printed_setting_it_is_the_error_of_chance():
    """Mean of 20 runs with a standard deviation of .05: seven standard errors."""
    found = printed_errors(1e5, 40, 5, 1.0, Budget(0.5, 1e-4))
    assert found.mean == pytest.approx(2.946, abs=0.08)
    assert found.gap == pytest.approx(250, rel=0.1)
    assert found.noise == pytest.approx(34_000, rel=0.1)
    assert found.mean < sqrt(10)
    strongest = printed_errors(1e5, 40, 5, inf, Budget(0.5, 1e-4))
    assert strongest.gap == pytest.approx(1e5 / 5), "the largest gap there is"
    assert strongest.mean == pytest.approx(2.26, abs=0.1)
    assert printed_errors(1e5, 40, 5, inf, Budget(1e4, 1e-4)).mean < 0.01


# --- Synthetic designs and Covertype ---


@pytest.mark.parametrize("columns", [3, 8, 30])
def test_a_penalty_is_found_for_as_many_columns_as_asked_for(columns):
    drawn = sample_rows(4000, 30, 3, 8, strength=4, seed=0)
    moment = drawn.rows.T @ drawn.rows / len(drawn.rows)
    found = wang_xu_sparse.for_support(moment, 3, columns)
    assert min(columns, 8) - 1 <= found.support.sum() <= columns
    np.testing.assert_array_equal(found.support, support(found.basis))
    if columns == 8:
        assert recovery(found.support, drawn.support) == (1, 1)
    with pytest.raises(ValueError, match=r"columns used must be 3 to 30, not 2\."):
        wang_xu_sparse.for_support(moment, 3, 2)
