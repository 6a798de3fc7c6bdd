"""The top of symmetric matrices against ``numpy.linalg.eigh``."""

from threading import Event, Thread

import numpy as np
import pytest

from dpca_core.linalg.eigh_top import MANY, bisected, eigh_top
from dpca_core.linalg.symmetric import symmetrized


def matrices(count, d):
    """Noise on a falling diagonal."""
    noise = symmetrized(np.random.default_rng(0).standard_normal((count, d, d)))
    return noise + np.diag(np.linspace(20, 0, d))


def projectors(rows):
    return rows.swapaxes(1, 2).astype(float) @ rows


@pytest.mark.parametrize("real", [np.float64, np.float32])
@pytest.mark.parametrize(("count", "d", "k"), [(3, 2, 1), (1, 40, 39), (60, 30, 5), (2, 120, 10)])
@pytest.mark.parametrize("tolerance", [None, 1e-3])
def test_it_finds_what_eigh_finds(real, count, d, k, tolerance):
    """From rough eigenvalues too: inverse iteration makes the vectors much more exact."""
    given = matrices(count, d)
    values, vectors = np.linalg.eigh(given)
    rough = None if tolerance is None else np.full(count, tolerance)
    top = eigh_top(given.astype(real), k, rough)
    np.testing.assert_allclose(top.values, values[:, : -k - 1 : -1], atol=1e-4 + (tolerance or 0))
    near = 1e-11 if real is np.float64 and tolerance is None else 1e-4
    expected = vectors[..., -k:] @ vectors[..., -k:].swapaxes(1, 2)
    np.testing.assert_allclose(projectors(top.rows), expected, atol=near)


@pytest.mark.parametrize("real", [np.float64, np.float32])
def test_matrices_in_blocks_spoil_no_others(real):
    """Their tridiagonal forms split: all of their eigenvectors are found."""
    given = matrices(100, 12)
    given[1], given[2] = np.diag(np.arange(12.0)), 0
    given[3, :5, 5:] = given[3, 5:, :5] = 0
    top = eigh_top(given.astype(real), 3, np.full(100, 1e-4))
    assert MANY <= 100 * 3
    identity = np.broadcast_to(np.eye(3), (100, 3, 3))
    np.testing.assert_allclose(top.rows @ top.rows.swapaxes(1, 2), identity, atol=1e-5)
    images = top.rows @ given
    np.testing.assert_allclose(images, top.values[..., None] * top.rows, atol=1e-3)


def test_where_lapack_fails_a_matrix_is_solved_from_what_is_left_of_it(monkeypatch):
    given = matrices(2, 50)
    expected = np.linalg.eigh(given)[1][..., -4:]
    monkeypatch.setattr("dpca_core.linalg.eigh_top._falls_into_blocks", lambda *form: True)
    rows = eigh_top(given, 4).rows
    np.testing.assert_allclose(projectors(rows), expected @ expected.swapaxes(1, 2), atol=1e-12)


@pytest.mark.parametrize("real", [np.float64, np.float32])
def test_bisection_ends_within_its_tolerances(real):
    rng = np.random.default_rng(2)
    diagonal, beside = rng.standard_normal((5, 30)), rng.standard_normal((5, 29))
    beside[0, 3] = 0
    pairs = zip(diagonal, beside, strict=True)
    forms = np.array([np.diag(a) + np.diag(b, 1) + np.diag(b, -1) for a, b in pairs])
    tolerances = 10.0 ** -np.arange(1, 6)
    found = bisected(diagonal.astype(real), beside.astype(real), 7, tolerances)
    off = np.abs(found - np.linalg.eigvalsh(forms)[:, -7:]).max(axis=1)
    assert (off <= tolerances + 1e-5).all()


def test_others_work_while_lapack_does():
    """With the interpreter's lock held this thread would not count."""
    begun, ended, given = Event(), Event(), matrices(1, 600)

    def solve():
        begun.set()
        eigh_top(given, 20)
        ended.set()

    thread = Thread(target=solve)
    thread.start()
    begun.wait()
    counted = 0
    while not ended.is_set():
        counted += 1
    thread.join()
    assert counted > 1_000
