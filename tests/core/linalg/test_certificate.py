"""The top in single precision, and what is proved of it and of all others, against ``eigh``."""

from itertools import product

import numpy as np
import pytest

from dpca_core.linalg.certificate import (
    Frames,
    certified,
    certified_block,
    frames_along,
    nearer_frames,
)
from dpca_core.linalg.single_precision import SingleTop
from dpca_core.linalg.symmetric import symmetrized
from dpca_core.linalg.top_of_many_tridiagonals import top_of_tridiagonals
from dpca_core.linalg.upper_bound import UpperBound, norm_bound, proved_in_place
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


@pytest.mark.parametrize(
    ("d", "count"), sampled([(40, 5), (2, 1), (3, 2), (121, 12), (300, 8)], 2, SIZE)
)
def test_the_top_of_tridiagonals_is_as_exact_as_single_precision_makes_it(d, count):
    rng = np.random.default_rng(0)
    diagonal = rng.standard_normal((30, d)).astype(np.float32)
    beside = rng.standard_normal((30, d - 1)).astype(np.float32)
    dense, index = np.zeros((30, d, d)), np.arange(d)
    dense[:, index, index] = diagonal
    dense[:, index[1:], index[:-1]] = dense[:, index[:-1], index[1:]] = beside
    values, rows = top_of_tridiagonals(diagonal, beside, count)
    exact, vectors = np.linalg.eigh(dense)
    size = np.abs(exact).max(axis=1)
    apart = np.diff(exact, axis=1)[:, -count:].min(axis=1) > 3e-3
    assert apart.sum() > 3
    error = np.abs(values - exact[:, ::-1][:, :count]).max(axis=1)
    assert (error <= 1e-6 * size)[apart].all()
    top = vectors[..., ::-1][..., :count].swapaxes(1, 2)
    assert (np.abs((rows * top).sum(axis=-1)).min(axis=1) >= 1 - 1e-5)[apart].all()


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


@pytest.mark.parametrize("d", [2, 30, 150])
def test_no_eigenvalue_exceeds_the_bound_on_the_norm(d):
    rng = np.random.default_rng(d)
    plain, vector = symmetrized(rng.standard_normal((20, d, d))), rng.standard_normal((20, d, 1))
    one = vector @ vector.swapaxes(1, 2)
    for noises in (plain, -plain, 1e9 * plain, one, one + 1e-3 * plain, 0 * plain):
        largest, bound = np.abs(np.linalg.eigvalsh(noises)).max(axis=1), norm_bound(noises)
        assert (bound >= largest).all()
        assert (bound <= largest * d ** (1 / 16) * (1 + 1e-5)).all()


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


# --- What is certified ---


@pytest.mark.parametrize(
    ("size", "error"),
    sampled(product([(40, 12), (16, 1), (100, 10)], [1e-7, 0.0, 1e-12, 1e-3, 0.1]), 4, SIZE),
)
def test_errors_of_a_block_are_within_their_bounds(size, error):
    """Bases turned a little within their span, and out of it by more and more."""
    d, k = size
    rng = np.random.default_rng(d)
    for kind in range(2):
        head = np.linspace(3, 2, k) if kind else 10.0 ** np.linspace(4, 0.4, k)
        values = np.concatenate([head, np.linspace(1, 0.5, d - k)])
        noises = symmetrized(rng.standard_normal((6, d, d)))
        scales = np.geomspace(1e-6, 0.2, 7) / np.sqrt(2 * d)
        _, theta, vectors = stacked(values, noises, scales)
        top = vectors[..., :k].swapaxes(1, 2)
        turn = np.eye(k) + 0.01 * kind * rng.standard_normal((len(top), k, k))
        rows = turn @ top + error / np.sqrt(d) * rng.standard_normal(top.shape)
        rows = np.linalg.qr(rows.swapaxes(1, 2))[0].swapaxes(1, 2)
        frames = frames_along(rows, values, noises, scales)
        found = certified_block(values, frames, theta[:, k] + 1e-9)
        exact = np.square(top).sum(axis=1)
        captured = np.abs((found.weights - exact) @ values)
        known = np.isfinite(found.sine_error)
        assert known.all() or error > 1e-7
        assert (captured <= found.captured_error + 1e-13 * values.sum())[known].all()
        sines = [np.sqrt(w[:, k:].sum(axis=1)) for w in (found.weights, exact)]
        assert (np.abs(sines[0] - sines[1]) <= found.sine_error + 1e-13)[known].all()


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


def largest_off(rows, matrices):
    """The largest eigenvalues of what matrices are off the span of rows, by plain eigh."""
    off = np.linalg.qr(rows.swapaxes(1, 2), mode="complete")[0][..., rows.shape[1] :]
    return np.linalg.eigvalsh(off.swapaxes(1, 2) @ matrices @ off)[:, -1]


@pytest.mark.parametrize(
    ("m", "error"), sampled(product([6, 1], [1e-7, 1.0, 0.0, 1e-9, 1e-5, 1e-3, 0.1]), 3, SIZE)
)
def test_what_is_proved_for_some_rows_holds_for_nearer_ones(m, error):
    """Against the largest eigenvalue off the rows; those may be far from the top, and led away."""
    d, scales = 30, np.array([0.01, 0.1, 1.0])
    rng = np.random.default_rng(5)
    for _ in range(10):
        values, noises = np.sort(rng.random(d))[::-1] * 10, symmetrized(rng.random((2, d, d)))
        matrices, theta, vectors = stacked(values, noises, scales)
        rows = vectors.swapaxes(1, 2)[:, :m] + error * rng.standard_normal((len(matrices), m, d))
        rows = np.linalg.qr(rows.swapaxes(1, 2))[0].swapaxes(1, 2)
        above = largest_off(rows, matrices)
        first = frames_along(rows, values, noises, scales)
        # From above the top steps lead away from it.
        for middles in (theta[:, 0] * 1.2, theta[:, m:].mean(axis=1)):
            nearer, shown = nearer_frames(first, values, noises, scales, middles, above)
            assert (shown >= largest_off(nearer.rows, matrices) - 1e-13 * values[0]).all()
        if error <= 1e-5:
            assert (shown - above <= values[0] * (1e3 * error**2 + 1e-8)).all()


@pytest.mark.parametrize("length", [0.0, 0.5, 3.0])
def test_rows_that_are_far_from_orthonormal_show_nothing(length):
    """Of short rows all that is computed is small, and the nearer ones look sound."""
    rng = np.random.default_rng(0)
    values, noises, scales = np.array([2.0, 1.0]), np.zeros((1, 2, 2)), np.ones(1)
    for _ in range(20):
        rows = rng.standard_normal((1, 1, 2))
        rows *= length / np.linalg.norm(rows)
        plain = rows @ np.diag(values)
        first = Frames(rows, plain, 2 * np.abs(1 - np.square(rows).sum(axis=(1, 2))))
        above = np.zeros(1) if length == 0 else largest_off(rows, np.diag(values)[None])
        _, shown = nearer_frames(first, values, noises, scales, rng.random(1), above)
        assert np.isinf(shown).all()
