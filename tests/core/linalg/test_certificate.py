"""The top in single precision, and what is proved of it and of all others, against ``eigh``."""

from itertools import product

import numpy as np
import pytest

from dpca_core.linalg.certificate import certified, frames_along
from dpca_core.linalg.single_precision import SingleTop
from dpca_core.linalg.symmetric import symmetrized
from dpca_core.linalg.upper_bound import UpperBound, proved_in_place
from tests.cases import sampled

SIZE = "the same at another size"


def stacked(values, noises, scales):
    """All diag(values) + scale·noise (T·G, d, d), their eigenvalues, falling, and vectors."""
    matrices = np.diag(values) + scales[:, None, None] * noises[:, None]
    matrices = matrices.reshape(-1, len(values), len(values))
    theta, vectors = np.linalg.eigh(matrices)
    return matrices, theta[:, ::-1], vectors[..., ::-1]


def test_a_matrix_without_a_single_top_spoils_no_other():
    d, count, many = 20, 3, 400
    matrices = symmetrized(np.random.default_rng(0).standard_normal((many, d, d)))
    matrices[1::4] = np.diag(np.arange(d))
    matrices[2::4], matrices[3::4, 5] = 0, np.nan
    solver = SingleTop(d, count, many)
    solver.matrices[:] = matrices
    top = solver.find()
    assert np.isfinite(top.rows).all()
    vectors = np.linalg.eigh(matrices[::4])[1]
    overlap = np.square(top.rows[::4].astype(float) @ vectors[..., -count:]).sum(axis=(1, 2))
    assert np.median(overlap) == pytest.approx(count, abs=1e-4)
    assert np.isnan(top.next[3::4]).all()


@pytest.mark.parametrize(
    ("size", "dtype"),
    sampled(product([(100, 10), (20, 1), (150, 40), (260, 20)], [np.float32, np.float64]), 3, SIZE),
)
def test_the_others_are_below_what_is_shown_however_near(size, dtype):
    """Bounds nearer and nearer to the eigenvalue, until rounding alone would decide."""
    d, m = size
    rng = np.random.default_rng(d)
    values = np.sort(rng.exponential(size=d))[::-1] * 1e3
    noise = symmetrized(rng.standard_normal((d, d)))
    scales, shown = np.geomspace(1, 1e4, 5), []
    _, theta, vectors = stacked(values, noise[None], scales)
    top, width = vectors.swapaxes(1, 2)[:, :m], theta[:, 0] - theta[:, -1]
    for above in (-1e-6, -1e-9, 0.0, *10.0 ** -np.arange(12, 1, -1.0)):
        edges = theta[:, m] + above * width
        given = top.astype(dtype), theta[:, :m], edges
        if dtype is np.float64:
            proved = UpperBound(values, noise, 5).proved_along(scales, *given)
        else:
            matrices = noise.astype(np.float32) * scales[:, None, None].astype(np.float32)
            matrices[:, np.tri(d, dtype=bool)] = np.nan
            noises = scales[:, None] * np.diag(noise), scales * np.linalg.norm(noise)
            proved = proved_in_place(matrices, values, noises, *given)
        assert (proved > theta[:, m]).all()
        assert (proved >= edges).all()
        shown.append(np.isfinite(proved).mean())
    assert shown[-1] == 1
    near = proved - edges <= (3e-3 if dtype is np.float32 else 1e-11) * width
    assert near.all(), "and little is lost"


@pytest.mark.parametrize("d", [50, 250])
def test_a_factor_that_overflowed_shows_nothing(d):
    """LAPACK says of pivots that are no numbers that all is well."""
    matrix = np.zeros((1, d, d), np.float32)
    matrix[0, 0, 4] = matrix[0, 4, 0] = 1e20
    diagonal, rows = np.full((1, d), -1.0), np.zeros((1, 1, d), np.float32)
    diagonal[0, 0] = -1e-38
    noises = diagonal, np.array([1.5e20])
    shown = proved_in_place(matrix, np.zeros(d), noises, rows, np.zeros((1, 1)), np.zeros(1))
    assert np.isinf(shown).all()


@pytest.mark.parametrize("k", [1, 4])
def test_nothing_is_certified_but_the_top(k):
    """Vectors that are exact but miss one of the top are found out by Cholesky alone."""
    rng = np.random.default_rng(0)
    values, noise = np.linspace(10, 1, 40), symmetrized(rng.standard_normal((40, 40)))
    _, (theta,), (vectors,) = stacked(values, noise[None], np.ones(1))
    rows = vectors.T
    bound = UpperBound(values, noise)
    edge = (theta[k - 1] + theta[k]) / 2
    above = bound.proved(1.0, rows[:k], theta[:k], edge)
    assert edge <= above <= edge * (1 + 1e-9)
    frames = frames_along(rows[None, :k], values, noise[None], np.ones(1))
    right = certified(values, frames, k, np.array([above]), ritz=False)
    assert right.sine_error[0] < 1e-10
    wrong = np.delete(np.arange(k + 1), k - 1)
    assert bound.proved(1.0, rows[wrong], theta[wrong], theta[k] - 0.01) == np.inf
    frames = frames_along(rows[None, wrong], values, noise[None], np.ones(1))
    missed = certified(values, frames, k, np.array([np.inf]), ritz=False)
    assert np.isinf(missed.captured_error[0])
