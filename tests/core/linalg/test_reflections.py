"""Eigenvectors turned back in blocks against one reflection after the other, in double."""

import numpy as np
import pytest
from scipy.linalg.lapack import ssytrd

from dpca_core.linalg import single_precision
from dpca_core.linalg.reflections import Reflections
from dpca_core.linalg.single_precision import SingleTop


def reduced(symmetric):
    """The matrix as LAPACK leaves it, in the order of C, and τ."""
    found, _, _, tau, info = ssytrd(np.asfortranarray(symmetric, np.float32), lower=0)
    assert info == 0
    return np.ascontiguousarray(found.T), np.append(tau, np.float32(1e-45))


def turned_one_by_one(matrix, tau, rows):
    rows = rows.astype(np.float64)
    for i in range(len(matrix) - 1):
        v = np.zeros(len(matrix))
        v[:i], v[i] = matrix[i + 1, :i], 1
        rows -= np.outer(rows @ v, tau[i] * v)
    return rows


@pytest.mark.parametrize("d", [2, 3, 5, 31, 32, 33, 34, 64, 65, 66, 150])
@pytest.mark.parametrize("count", [1, 7, 40])
def test_blocks_turn_as_one_reflection_after_the_other(d, count):
    rng = np.random.default_rng(d)
    noise = rng.standard_normal((d, d))
    matrix, tau = reduced(noise + noise.T)
    rows = rng.standard_normal((count, d)).astype(np.float32)
    expected = turned_one_by_one(matrix, tau, rows)
    assert d == 2 or not np.allclose(expected, rows, atol=0.1)
    turned = Reflections(d, count)
    for _ in range(2):
        found = rows.copy()
        turned.turn(matrix, tau, found)
        np.testing.assert_allclose(found, expected, atol=3e-5)


@pytest.mark.parametrize("size", [1e-30, 1.0, 1e30])
def test_reflections_that_are_none_turn_nothing(size):
    """A matrix that is tridiagonal in part needs none there."""
    d, rng = 70, np.random.default_rng(3)
    noise = rng.standard_normal((d, d))
    symmetric = np.diag(np.arange(1.0, d + 1))
    symmetric[40:, 40:] += (noise + noise.T)[40:, 40:]
    matrix, tau = reduced(symmetric * size)
    assert (tau[:38] == 0).all()
    assert (tau[45:-1] != 0).all()
    rows = rng.standard_normal((20, d)).astype(np.float32)
    found = rows.copy()
    Reflections(d, 20).turn(matrix, tau, found)
    np.testing.assert_allclose(found, turned_one_by_one(matrix, tau, rows), atol=3e-5)
    diagonal, none = reduced(np.diag(np.arange(1.0, d + 1)))
    assert not none[:-1].any()
    found = rows.copy()
    Reflections(d, 20).turn(diagonal, none, found)
    np.testing.assert_array_equal(found, rows)


@pytest.mark.parametrize("many", [1, 9])
def test_many_eigenvectors_are_turned_back_by_blocks(many):
    """Of matrices with known eigenvectors and even gaps."""
    d, count, rng = 130, 50, np.random.default_rng(2)
    assert count > single_precision._FEW_VECTORS
    vectors = np.linalg.qr(rng.standard_normal((many, d, d)))[0]
    solver = SingleTop(d, count, many)
    solver.matrices[:] = (vectors * np.arange(d, 0, -1.0)) @ vectors.swapaxes(1, 2)
    rows = solver.find().rows
    alike = np.abs((rows * vectors[..., :count].swapaxes(1, 2)).sum(axis=2))
    np.testing.assert_allclose(alike, 1, atol=1e-5)
