"""The top in single precision, and what is proved of it and of all others, against ``eigh``."""

from itertools import product

import numpy as np
import pytest

from dpca_core.linalg import noisy_stack
from dpca_core.linalg.certificate import certified, frames_along
from dpca_core.linalg.deflation import DeflatedStack, head_sizes
from dpca_core.linalg.riccati import noise_norm
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


# --- The top ---


@pytest.mark.parametrize(
    ("size", "many"), sampled(product([(16, 15), (2, 1), (50, 1), (130, 20)], [600, 1, 3]), 4, SIZE)
)
def test_tops_are_found_in_single_precision(size, many):
    """One after another by LAPACK, or all tridiagonal forms at once."""
    d, count = size
    rng = np.random.default_rng(d)
    many = min(many, 4_000 // count)
    sizes = 10.0 ** rng.integers(-3, 9, (many, 1, 1))
    matrices = symmetrized(rng.standard_normal((many, d, d))) * sizes
    solver = SingleTop(d, count, many)
    solver.matrices[:] = matrices
    top = solver.find()
    _, values, vectors = stacked(np.zeros(d), matrices, np.ones(1))
    size = np.abs(values).max(axis=1, keepdims=True)
    apart = (-np.diff(values / size)[:, :count] >= 3e-3).all(axis=1)
    known = np.isfinite(top.next)
    assert known.mean() > 0.99
    found = np.column_stack([top.values, top.next])
    error = np.abs(found - values[:, : count + 1]) / size
    assert error[known & apart].max(initial=0) < 2e-4
    overlap = np.square(top.rows.astype(float) @ vectors[..., :count]).sum(axis=(1, 2))
    assert overlap[known & apart] == pytest.approx(count, abs=1e-3)
    kept = np.triu(np.ones((d, d), dtype=bool), 1)
    assert (solver.matrices == matrices.astype(np.float32))[:, kept].all()


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


# --- What is shown of all others ---


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


# --- Heads that are taken out ---


@pytest.mark.parametrize(
    ("head", "kind", "size"),
    sampled(
        product([1e7, 5.0, 1e3, 1e11], [1, 0], [(60, 3, 10), (20, 1, 4), (90, 6, 7), (230, 4, 20)]),
        8,
        "a sweep of heads and sizes",
    ),
)
def test_nothing_orthogonal_to_the_tops_exceeds_what_is_shown(head, kind, size, monkeypatch):
    """Of a spectrum whose head is so many times what is left, and noise of two kinds.

    Tried nearer and nearer to what is true, and beyond, until rounding alone decides.
    """
    d, h, m = size
    rng = np.random.default_rng([d, h, 2])
    rest = np.sort(rng.exponential(size=d - h))[::-1]
    values = np.concatenate([head * rest[0] * np.linspace(2, 1, h), rest])
    noises = symmetrized(rng.standard_normal((3, d, d)))
    if kind:
        noises = symmetrized(noises * (rng.random((d, d))[None] < 0.2))
    scales = 0.6 * (values[h - 1] - values[h]) / noise_norm(noises) * np.array([1.0, 0.1, 1e-3])
    matrices, shown = stacked(values, noises, scales)[0], 0
    for margin in (0.3, 1e-2, 1e-4, 1e-6, 0.0, -1e-6, -1e-4, -1e-2):
        monkeypatch.setattr(noisy_stack, "_MARGIN", margin)
        stack, solver = DeflatedStack(values, noises, scales, h), SingleTop(d - h, m - h, 9)
        stack.reduce(solver)
        found, above = stack.finish(solver)
        for i in np.flatnonzero(np.isfinite(above)):
            off = np.linalg.qr(found.rows[i].T, mode="complete")[0][:, m:]
            assert np.linalg.eigvalsh(off.T @ matrices[i] @ off)[-1] <= above[i]
            shown += 1
    assert shown >= 9


def test_a_head_is_taken_out_only_where_it_stands_out():
    norms = np.array([1e-3, 0.5, 80.0, 400.0, 1e4])
    for d, expected in ((50, [2, 2, 0, 0, 0]), (400, [2, 2, 1, 0, 0])):
        steep = np.concatenate([[900.0, 100.0], np.linspace(5, 1, d - 2)])
        assert (head_sizes(np.linspace(2, 1, d), norms, 10) == 0).all()
        assert head_sizes(steep, norms, 10).tolist() == expected
        assert (head_sizes(steep, norms, 1) == 0).all(), "fewer than are asked for"


# --- What is certified ---


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
