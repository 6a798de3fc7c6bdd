"""What is left without a head, and what is shown of it, against dense linear algebra."""

from itertools import product

import numpy as np
import pytest

from dpca_core.linalg import deflation, noisy_stack
from dpca_core.linalg.deflation import DeflatedStack, head_sizes
from dpca_core.linalg.riccati import noise_norm
from dpca_core.linalg.single_precision import SingleTop, Tops
from dpca_core.linalg.symmetric import symmetrized
from tests.cases import sampled

SIZES = ((60, 3, 10), (20, 1, 4), (90, 6, 7), (230, 4, 20))
"""d, h and how many eigenvectors of the whole."""


def made(d, h, head, seed, kind=0):
    """A spectrum whose head is so many times what is left, and noise of two kinds."""
    rng = np.random.default_rng([d, h, seed])
    rest = np.sort(rng.exponential(size=d - h))[::-1]
    values = np.concatenate([head * rest[0] * np.linspace(2, 1, h), rest])
    noises = symmetrized(rng.standard_normal((3, d, d)))
    if kind:
        noises *= rng.random((d, d))[None] < 0.2
        noises = symmetrized(noises)
    largest = 0.6 * (values[h - 1] - values[h]) / noise_norm(noises)
    return values, noises, largest * np.array([1.0, 0.1, 1e-3])


def whole(values, noises, scales):
    """All matrices (T·G, d, d)."""
    return (np.diag(values) + scales[:, None, None] * noises[:, None]).reshape(
        -1, len(values), len(values)
    )


def found_by(values, noises, scales, h, m):
    """The tops, and what is shown of all others."""
    stack = DeflatedStack(values, noises, scales, h)
    solver = SingleTop(len(values) - h, m - h, len(noises) * len(scales))
    stack.reduce(solver)
    return stack.finish(solver)


def largest_off(rows, matrix):
    """The largest eigenvalue of a matrix on all that is orthogonal to rows."""
    off = np.linalg.qr(rows.T, mode="complete")[0][:, len(rows) :]
    return np.linalg.eigvalsh(off.T @ matrix @ off)[-1]


@pytest.mark.parametrize(
    ("size", "head"), sampled(product(SIZES, [10.0, 1e4]), 3, "the same at another size")
)
def test_tops_are_those_of_the_whole(size, head):
    d, h, m = size
    values, noises, scales = made(d, h, head, 1)
    found, above = found_by(values, noises, scales, h, m)
    exact, vectors = (part[..., ::-1] for part in np.linalg.eigh(whole(values, noises, scales)))
    rest = exact[:, h] - exact[:, -1]
    known = np.column_stack([found.values, found.next])
    assert (np.abs(known - exact[:, : m + 1])[:, :h] <= 1e-8 * rest[:, None]).all()
    assert (np.abs(known - exact[:, : m + 1]) <= 1e-3 * rest[:, None]).all()
    assert np.isfinite(above).all()
    assert (exact[:, m] <= above).all()
    assert np.abs(found.rows @ found.rows.swapaxes(1, 2) - np.eye(m)).max() < 5e-5
    gap = exact[:, m - 1] - exact[:, m]
    overlap = np.square(found.rows @ vectors[..., :m]).sum(axis=(1, 2))
    assert (m - overlap <= np.square(1e-4 * rest / gap) + 1e-5).all()


@pytest.mark.parametrize(
    ("head", "kind", "size"),
    sampled(product([1e7, 5.0, 1e3, 1e11], [1, 0], SIZES), 8, "a sweep of heads and sizes"),
)
def test_nothing_orthogonal_to_the_tops_exceeds_what_is_shown(head, kind, size, monkeypatch):
    """Tried nearer and nearer to what is true, and beyond, until rounding alone decides."""
    d, h, m = size
    values, noises, scales = made(d, h, head, 2, kind)
    matrices = whole(values, noises, scales)
    shown = 0
    for margin in (0.3, 1e-2, 1e-4, 1e-6, 0.0, -1e-6, -1e-4, -1e-2):
        monkeypatch.setattr(noisy_stack, "_MARGIN", margin)
        found, above = found_by(values, noises, scales, h, m)
        for i in np.flatnonzero(np.isfinite(above)):
            assert largest_off(found.rows[i], matrices[i]) <= above[i]
            shown += 1
    assert shown >= 9


@pytest.mark.parametrize(("d", "h", "m"), sampled(SIZES, 4, "the same at another size"))
def test_nothing_is_shown_where_one_of_the_top_was_missed(d, h, m):
    values, noises, scales = made(d, h, 50.0, 3)
    stack = DeflatedStack(values, noises, scales, h)
    solver = SingleTop(d - h, m + 1 - h, 9)
    stack.reduce(solver)
    found = solver.finish()
    exact = np.linalg.eigvalsh(whole(values, noises, scales))[:, ::-1]
    for missed in (0, m - h - 1):
        left = np.delete(np.arange(m + 1 - h), missed)

        class Missing:
            matrices = solver.matrices.copy()

            @staticmethod
            def finish(count, left=left):
                return Tops(found.rows[:, left], found.values[:, left], found.next)

        _, above = stack.finish(Missing)
        assert np.isinf(above[exact[:, h + missed] > exact[:, m + 1] * 1.01]).all()
        assert (above >= exact[:, h + missed]).all()


def test_an_iteration_that_ends_far_away_shows_nothing(monkeypatch):
    for size, finite in ((0.99, True), (2.0, False), (100.0, False)):

        def graphs(spectrum, noises, scales, h, size=size):
            """What stands for the iteration: any X of such a norm."""
            shape = len(noises), len(scales), h, len(spectrum) - h
            x = np.random.default_rng(0).standard_normal(shape)
            return size * x / np.linalg.norm(x, axis=(2, 3), keepdims=True)

        monkeypatch.setattr(deflation, "graphs_of_tops", graphs)
        _, above = found_by(*made(60, 3, 10.0, 0), 3, 10)
        assert np.isfinite(above).any() == finite
        assert not np.isnan(above).any()


def test_noise_far_larger_than_its_entries_say_shows_nothing_that_is_false():
    values, _, scales = made(60, 3, 10.0, 4)
    vectors = np.random.default_rng(0).standard_normal((3, 60, 1))
    noises, scales = vectors @ vectors.swapaxes(1, 2), scales * 3
    matrices = whole(values, noises, scales)
    found, above = found_by(values, noises, scales, 3, 10)
    assert not np.isnan(above).any()
    for i in np.flatnonzero(np.isfinite(above)):
        assert largest_off(found.rows[i], matrices[i]) <= above[i]


def test_a_head_is_taken_out_only_where_it_stands_out():
    norms = np.array([1e-3, 0.5, 80.0, 400.0, 1e4])
    for d, expected in ((50, [2, 2, 0, 0, 0]), (400, [2, 2, 1, 0, 0])):
        steep = np.concatenate([[900.0, 100.0], np.linspace(5, 1, d - 2)])
        assert (head_sizes(np.linspace(2, 1, d), norms, 10) == 0).all()
        assert head_sizes(steep, norms, 10).tolist() == expected
        assert (head_sizes(steep, norms, 1) == 0).all(), "fewer than are asked for"
