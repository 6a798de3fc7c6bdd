"""The top of symmetric matrices against ``numpy.linalg.eigh``."""

from threading import Event, Thread

import numpy as np
import pytest

from dpca_core.linalg.eigh_top import eigh_top
from dpca_core.linalg.symmetric import symmetrized

REALS = pytest.mark.parametrize("real", [np.float64, np.float32])


def matrices(count, d):
    """Noise on a falling diagonal."""
    noise = symmetrized(np.random.default_rng(0).standard_normal((count, d, d)))
    return noise + np.diag(np.linspace(20, 0, d))


def projectors(rows):
    return rows.swapaxes(1, 2).astype(float) @ rows


@REALS
@pytest.mark.parametrize(("count", "d", "k"), [(3, 2, 1), (1, 40, 39), (60, 30, 5), (2, 120, 10)])
@pytest.mark.parametrize("rough", [False, True])
def test_it_finds_what_eigh_finds(real, count, d, k, rough):
    given, tolerances = matrices(count, d), np.geomspace(1e-5, 1e-3, count)
    values, vectors = np.linalg.eigh(given)
    top = eigh_top(given.astype(real), k, tolerances if rough else None)
    single = 5e-5 if real is np.float32 else 1e-12
    errors = np.abs(top.values - values[:, : -k - 1 : -1]).max(axis=1)
    assert (errors <= (tolerances if rough else 0) + single).all()
    expected = projectors(vectors[..., -k:].swapaxes(1, 2))
    near = 1e-11 if single < 1e-5 and not rough else 1e-4
    np.testing.assert_allclose(projectors(top.rows), expected, atol=near)


@REALS
def test_matrices_whose_tridiagonal_forms_split_spoil_no_others(real):
    given = matrices(100, 12)
    given[1], given[2] = np.diag(np.arange(12.0)), 0
    given[3, :5, 5:] = given[3, 5:, :5] = 0
    top = eigh_top(given.astype(real), 3, np.full(100, 1e-4))
    identity = np.broadcast_to(np.eye(3), (100, 3, 3))
    np.testing.assert_allclose(top.rows @ top.rows.swapaxes(1, 2), identity, atol=1e-5)
    np.testing.assert_allclose(top.rows @ given, top.values[..., None] * top.rows, atol=1e-3)


def test_others_work_while_lapack_does():
    """With the interpreter's lock held this thread would not count."""
    begun, ended, given, counted = Event(), Event(), matrices(1, 600), 0

    def solve():
        begun.set()
        eigh_top(given, 20)
        ended.set()

    thread = Thread(target=solve)
    thread.start()
    begun.wait()
    while not ended.is_set():
        counted += 1
    thread.join()
    assert counted > 1_000
