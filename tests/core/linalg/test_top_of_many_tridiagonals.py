"""Sturm counts and tops of tridiagonal matrices against dense eigenvalues."""

import numpy as np
import pytest

from dpca_core.linalg.top_of_many_tridiagonals import _Counter, top_of_tridiagonals


def made(d, many, seed=0):
    rng = np.random.default_rng(seed)
    diagonal = rng.standard_normal((many, d)).astype(np.float32)
    beside = rng.standard_normal((many, d - 1)).astype(np.float32)
    dense = np.zeros((many, d, d))
    index = np.arange(d)
    dense[:, index, index] = diagonal
    dense[:, index[1:], index[:-1]] = dense[:, index[:-1], index[1:]] = beside
    return diagonal, beside, dense


@pytest.mark.parametrize("d", [2, 3, 4, 5, 16, 17, 18, 19, 100, 101, 300])
@pytest.mark.parametrize("count", [1, 4])
def test_as_many_eigenvalues_are_below_a_number_as_are_counted(d, count):
    diagonal, beside, dense = made(d, 9)
    points = np.random.default_rng(1).uniform(-2, 2, (count, 9)).astype(np.float32)
    squares = np.maximum(np.square(beside.T), np.float32(1e-30))
    found = _Counter(np.ascontiguousarray(diagonal.T), np.ascontiguousarray(squares), count)(points)
    assert (found == (np.linalg.eigvalsh(dense).T[:, None] < points).sum(axis=0)).all()


@pytest.mark.parametrize(("d", "count"), [(2, 1), (3, 2), (40, 5), (121, 12), (300, 8)])
def test_the_top_is_as_exact_as_single_precision_makes_it(d, count):
    diagonal, beside, dense = made(d, 30)
    values, rows = top_of_tridiagonals(diagonal, beside, count)
    exact, vectors = np.linalg.eigh(dense)
    size = np.abs(exact).max(axis=1)
    apart = np.diff(exact, axis=1)[:, -count:].min(axis=1) > 3e-3
    assert apart.sum() > 3
    error = np.abs(values - exact[:, ::-1][:, :count]).max(axis=1)
    assert (error <= 1e-6 * size)[apart].all()
    top = vectors[..., ::-1][..., :count].swapaxes(1, 2)
    alike = np.abs((rows * top).sum(axis=-1)).min(axis=1)
    assert (alike >= 1 - 1e-5)[apart].all()
