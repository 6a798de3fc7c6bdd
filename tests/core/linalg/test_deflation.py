"""What is left without a head, and what is shown of it, against dense linear algebra."""

import numpy as np
import pytest

from dpca_core.linalg import deflation, noisy_stack
from dpca_core.linalg.certificate import frames_along
from dpca_core.linalg.deflation import DeflatedStack, head_sizes
from dpca_core.linalg.riccati import noise_norm
from dpca_core.linalg.single_precision import SingleTop, Tops
from dpca_core.linalg.symmetric import symmetrized

SIZES = ((20, 1, 4), (60, 3, 10), (90, 6, 7), (230, 4, 20))
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
    """The stack, its solver, its tops, and what is shown of all others."""
    stack = DeflatedStack(values, noises, scales, h)
    solver = SingleTop(len(values) - h, m - h, len(noises) * len(scales))
    stack.reduce(solver)
    return stack, solver, *stack.finish(solver)


@pytest.mark.parametrize("head", [10.0, 1e4])
@pytest.mark.parametrize(("d", "h", "m"), SIZES)
def test_what_is_left_is_the_matrix_on_all_that_is_orthogonal_to_the_head(d, h, m, head):
    values, noises, scales = made(d, h, head, 0)
    stack = DeflatedStack(values, noises, scales, h)
    solver = SingleTop(d - h, m - h, 9)
    stack.reduce(solver)
    above = np.triu(np.ones((d - h, d - h), dtype=bool), 1)
    for i, matrix in enumerate(whole(values, noises, scales)):
        graph = np.concatenate([-stack._x[i], np.eye(d - h)])
        sizes, vectors = np.linalg.eigh(graph.T @ graph)
        columns = graph @ (vectors / np.sqrt(sizes)) @ vectors.T
        left = columns.T @ matrix @ columns
        size = np.abs(left - np.diag(np.diag(left))).max()
        # Single precision loses a part of what is left, double precision one of the head.
        far = np.abs(left - solver.matrices[i])[above].max()
        assert far <= 1e-6 * size + 1e-13 * values[0]
        exact = np.linalg.eigh(matrix)[1][:, ::-1]
        assert np.linalg.norm(exact[:, :h].T @ columns) < 1e-6, "and the head is found"


@pytest.mark.parametrize("head", [10.0, 1e4])
@pytest.mark.parametrize(("d", "h", "m"), SIZES)
def test_tops_are_those_of_the_whole(d, h, m, head):
    values, noises, scales = made(d, h, head, 1)
    _, _, found, above = found_by(values, noises, scales, h, m)
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


@pytest.mark.parametrize("kind", [0, 1])
@pytest.mark.parametrize("head", [5.0, 1e3, 1e7, 1e11])
@pytest.mark.parametrize(("d", "h", "m"), SIZES)
def test_nothing_orthogonal_to_the_tops_exceeds_what_is_shown(d, h, m, head, kind, monkeypatch):
    """Tried nearer and nearer to what is true, and beyond, until rounding alone decides."""
    values, noises, scales = made(d, h, head, 2, kind)
    matrices = whole(values, noises, scales)
    shown = 0
    for margin in (0.3, 1e-2, 1e-4, 1e-6, 0.0, -1e-6, -1e-4, -1e-2):
        monkeypatch.setattr(noisy_stack, "_MARGIN", margin)
        _, _, found, above = found_by(values, noises, scales, h, m)
        for i in np.flatnonzero(np.isfinite(above)):
            off = np.linalg.qr(found.rows[i].T, mode="complete")[0][:, m:]
            largest = np.linalg.eigvalsh(off.T @ matrices[i] @ off)[-1]
            assert largest <= above[i]
            shown += 1
    assert shown >= 9


@pytest.mark.parametrize(("d", "h", "m"), SIZES[1:])
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


def some_graphs(size):
    """What stands for the iteration: any X of such a norm."""

    def graphs(spectrum, noises, scales, h):
        shape = len(noises), len(scales), h, len(spectrum) - h
        x = np.random.default_rng(0).standard_normal(shape)
        return size * x / np.linalg.norm(x, axis=(2, 3), keepdims=True)

    return graphs


def nearer_orthonormal(rows):
    return rows - (rows @ rows.T - np.eye(len(rows))) @ rows / 2


def off(rows, matrix):
    """The largest eigenvalue of A on all that is orthogonal to rows (m, d): extended precision."""
    top = rows.astype(np.longdouble)
    rest = np.linalg.qr(rows.T, mode="complete")[0].T[len(rows) :].astype(np.longdouble)
    for _ in range(4):
        top = nearer_orthonormal(top)
        rest = nearer_orthonormal(rest - (rest @ top.T) @ top)
    return float(np.linalg.eigvalsh((rest @ matrix @ rest.T).astype(float))[-1])


extended = pytest.mark.skipif(
    np.finfo(np.longdouble).eps > 1e-18, reason="no more than double precision here"
)


@extended
@pytest.mark.parametrize("size", [None, 1e-6, 0.99])
@pytest.mark.parametrize("head", [5.0, 1e3, 1e6])
@pytest.mark.parametrize(("d", "h"), [(16, 1), (40, 6)])
def test_what_is_filled_in_is_as_near_as_is_said(d, h, head, size, monkeypatch):
    """Whatever X is: in single precision, and before that in double."""
    if size:
        monkeypatch.setattr(deflation, "graphs_of_tops", some_graphs(size))
    values, noises, scales = made(d, h, head, 5)
    stack = DeflatedStack(values - values.mean(), noises, scales, h)
    count, rest, shares = 9, d - h, []

    class Filled:
        matrices = np.empty((count, rest, rest), np.float32)

        @staticmethod
        def reduce(count):
            pass

    stack.reduce(Filled)
    upper = np.triu(np.ones((rest, rest), dtype=bool), 1)
    spectrum = np.diag(stack._spectrum).astype(np.longdouble)
    for i, said in enumerate(stack.rounded()):
        noise = scales[i % 3].astype(np.longdouble) * noises[i // 3]
        x, z = stack._x[i].astype(np.longdouble), stack._z[i].astype(np.longdouble)
        filled = (spectrum + noise)[h:, h:] - x.T @ z - z.T @ x
        lost = np.sqrt(2 * np.square((Filled.matrices[i] - filled)[upper]).sum())
        assert lost <= 2.0**-24 * 6 * said
        shares.append(lost / (2.0**-24 * 8 * np.linalg.norm(noises[i // 3]) * scales[i % 3]))
        columns = np.concatenate([-x, np.eye(rest)]) @ (np.eye(rest) - x.T @ stack._kx[i])
        exact = columns.T @ (spectrum + noise) @ columns
        double = 2.0**-53 * d * (np.linalg.norm(noise) + np.linalg.norm(spectrum)).astype(float)
        assert np.linalg.norm((filled - exact).astype(float)) <= 200 * double
        defect = (columns.T @ columns - np.eye(rest)).astype(float)
        assert np.linalg.norm(defect) <= 100 * 2.0**-53 * d
    if size == 0.99 and head == 1e6:
        assert max(shares) > 1, "which noise alone would not cover"


@extended
def test_what_double_precision_loses_of_a_very_large_head_is_covered(monkeypatch):
    needed = 0
    for seed in range(12):
        values, noises, scales = made(24, 4, 1e15, seed)
        scales = 1e-15 * scales / np.array([1.0, 0.1, 1e-3]) * np.array([3.0, 1.0, 0.3])
        values = values - values.mean()
        matrices = whole(values.astype(np.longdouble), noises, scales.astype(np.longdouble))
        for rounding in (deflation._ROUNDING, 0.0):
            with monkeypatch.context() as without:
                without.setattr(deflation, "_ROUNDING", rounding)
                _, _, found, above = found_by(values, noises, scales, 4, 5)
            for rows, matrix, shown in zip(found.rows, matrices, above, strict=True):
                frames = frames_along(rows[None], values, noises[:1], scales[:1], 0.0)
                false = off(frames.rows[0], matrix) > shown
                assert not (rounding and false)
                needed += false
    assert needed


def test_an_iteration_that_ends_far_away_shows_nothing(monkeypatch):
    for size, finite in ((0.99, True), (2.0, False), (100.0, False)):
        monkeypatch.setattr(deflation, "graphs_of_tops", some_graphs(size))
        _, _, _, above = found_by(*made(60, 3, 10.0, 0), 3, 10)
        assert np.isfinite(above).any() == finite
        assert not np.isnan(above).any()


def test_noise_far_larger_than_its_entries_say_shows_nothing_that_is_false():
    values, _, scales = made(60, 3, 10.0, 4)
    vectors = np.random.default_rng(0).standard_normal((3, 60, 1))
    noises, scales = vectors @ vectors.swapaxes(1, 2), scales * 3
    matrices = whole(values, noises, scales)
    _, _, found, above = found_by(values, noises, scales, 3, 10)
    assert not np.isnan(above).any()
    for i in np.flatnonzero(np.isfinite(above)):
        columns = np.linalg.qr(found.rows[i].T, mode="complete")[0][:, 10:]
        assert np.linalg.eigvalsh(columns.T @ matrices[i] @ columns)[-1] <= above[i]


@pytest.mark.parametrize(("d", "h", "m"), SIZES)
def test_rows_of_the_head_are_its_own_eigenvectors(d, h, m):
    """So steps of the power method keep them apart; and a multiple of I changes nothing."""
    values, noises, scales = made(d, h, 30.0, 6)
    tops = []
    for given in (values, values - values.mean()):
        _, _, found, above = found_by(given, noises, scales, h, m)
        head = found.rows[:, :h]
        inner = head @ whole(given, noises, scales) @ head.swapaxes(1, 2)
        beside = inner - np.einsum("gii->gi", inner)[:, :, None] * np.eye(h)
        assert np.abs(beside).max() <= 1e-10 * values[0]
        tops.append([found.values, found.next[:, None], above[:, None]])
    for plain, centred in zip(*tops, strict=True):
        np.testing.assert_allclose(plain, centred + values.mean(), rtol=1e-5, atol=1e-4)


def test_a_head_is_taken_out_only_where_it_stands_out():
    norms = np.array([1e-3, 0.5, 80.0, 400.0, 1e4])
    for d, expected in ((50, [2, 2, 0, 0, 0]), (400, [2, 2, 1, 0, 0])):
        steep = np.concatenate([[900.0, 100.0], np.linspace(5, 1, d - 2)])
        assert (head_sizes(np.linspace(2, 1, d), norms, 10) == 0).all()
        assert head_sizes(steep, norms, 10).tolist() == expected
        assert (head_sizes(steep, norms, 1) == 0).all(), "fewer than are asked for"


@pytest.mark.parametrize("seed", range(20))
def test_heads_are_smaller_than_k_and_far_above_the_noise(seed):
    rng = np.random.default_rng(seed)
    d = int(rng.integers(16, 300))
    values = np.sort(rng.exponential(size=d) ** rng.integers(1, 7))[::-1]
    norms = values[0] * 10.0 ** rng.uniform(-8, 1, 12)
    for k in (1, 2, d // 4):
        for h, norm in zip(head_sizes(values, norms, k), norms, strict=True):
            assert 0 <= h < k
            assert h**3 <= d**2
            if h:
                assert norm <= 0.6 * (values[h - 1] - values[h])
                left = values[h] - values[-1] + norm
                assert max(4, 1_200 / d) * left <= values[0] - values[-1] + norm
