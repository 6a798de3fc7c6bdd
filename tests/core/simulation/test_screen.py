"""Screens' numbers against double precision: bounds hold, and means are exact to a tenth of them.

``python -m benchmarks.screens`` does the same on ten thousand points.
"""

import numpy as np
import pytest

from dpca_core import MECHANISMS, Budget, Problem, sweep
from dpca_core.linalg.certificate import certified, certified_block, frames_along
from dpca_core.linalg.single_precision import SingleTop
from dpca_core.linalg.symmetric import symmetrized
from dpca_core.linalg.upper_bound import UpperBound, _Cholesky, norm_bound, proved_in_place
from dpca_core.runtime import threads
from dpca_core.simulation import screen
from dpca_core.simulation.draws import TrialDraws
from dpca_core.simulation.precision import FEWEST_JUDGED, Precision
from dpca_core.simulation.trials import run_trials
from tests.core.simulation.nasty_points import TRIALS, found


@pytest.mark.parametrize("seed", range(24))
def test_means_on_screens_are_exact_to_a_tenth_of_their_standard_error(seed):
    assert TRIALS >= FEWEST_JUDGED
    at = found(seed)
    single = at.clear & (at.errors[0] > 0)
    assert (at.differences <= at.errors + 1e-11)[:, single].all(), "the bound holds"
    error = (at.differences * at.clear).mean(axis=1)
    assert (error <= 0.1 * at.spreads / np.sqrt(TRIALS) + 1e-9).all()


def made(d, k, n=2e4, decay=0.9):
    q = np.linalg.qr(np.random.default_rng(0).standard_normal((d, d)))[0]
    values = n * 0.9 * decay ** np.arange(d) / (decay ** np.arange(d)).sum()
    return Problem.from_moment(symmetrized((q * values) @ q.T), n, k)


@pytest.mark.parametrize("key", ["gaussian", "laplace", "wishart_difference", "wishart"])
@pytest.mark.parametrize(("d", "k"), [(30, 1), (60, 5), (220, 3)])
def test_single_precision_serves_usual_points(key, d, k):
    at = made(d, k)
    points = [(at, Budget(e, 1e-6)) for e in (0.1, 0.5, 2.0)]
    trials = range({30: 80, 60: 8, 220: 2}[d])
    screen = run_trials(TrialDraws(MECHANISMS[key], 0, trials), points, Precision.SCREEN)
    exact = run_trials(TrialDraws(MECHANISMS[key], 0, trials), points)
    assert (screen.errors > 0).mean() > 0.8
    assert (exact.errors == 0).all()
    assert (np.abs(screen.captured - exact.captured) <= screen.errors[0] + 1e-12).all()
    assert (np.abs(screen.sin_theta - exact.sin_theta) <= screen.errors[1] + 1e-12).all()


@pytest.mark.parametrize(("d", "k"), [(60, 8), (130, 10), (220, 12)])
def test_single_precision_serves_points_with_a_head(d, k, monkeypatch):
    """One direction carries most, as where rows have unit length; without it noise decides."""
    values = np.concatenate([[1e6], np.geomspace(60, 0.1, d - 1)])
    at = Problem.from_spectrum(values, 2e6, k, np.eye(d))
    points = [(at, Budget(e, 1e-6)) for e in (0.5, 1.0, 2.0)]
    given = TrialDraws(MECHANISMS["gaussian"], 0, range(10)), points
    found, exact = run_trials(*given, Precision.SCREEN), run_trials(*given)
    assert (found.errors > 0).mean() > 0.9
    assert (np.abs(found.captured - exact.captured) <= found.errors[0] + 1e-12).all()
    assert (np.abs(found.sin_theta - exact.sin_theta) <= found.errors[1] + 1e-12).all()
    monkeypatch.setattr(screen, "head_sizes", lambda values, norms, k: np.zeros(len(norms), int))
    assert (run_trials(*given, Precision.SCREEN).errors > 0).mean() < 0.1, "and not otherwise"


def test_a_small_stack_is_solved_in_double_precision():
    """The proof takes as long for few matrices as for many; releases are the same either way."""
    at = made(20, 2)
    points = [(at, Budget(e, 1e-6)) for e in (0.1, 0.2)]
    few, many = (
        run_trials(TrialDraws(MECHANISMS["laplace"], 0, range(n)), points, Precision.SCREEN)
        for n in (20, 200)
    )
    assert (few.errors == 0).all()
    assert (many.errors > 0).mean() > 0.8
    together = few.captured - many.captured[:, :20]
    assert (np.abs(together) <= many.errors[0][:, :20] + 1e-12).all()


def test_the_python_api_stays_in_double_precision():
    at = made(30, 3)
    table = sweep(["gaussian"], at, epsilon=[0.1, 1.0], delta=1e-6, trials=3)
    plain = run_trials(
        TrialDraws(MECHANISMS["gaussian"], 0, range(3)), [(at, Budget(e, 1e-6)) for e in (0.1, 1.0)]
    )
    np.testing.assert_allclose(table["captured"], plain.captured.ravel(), rtol=1e-14)


@pytest.mark.parametrize("many", [1, 3, 600])
@pytest.mark.parametrize(("d", "count"), [(2, 1), (16, 15), (50, 1), (130, 20)])
def test_tops_are_found_in_single_precision(d, count, many):
    """One after another by LAPACK, or all tridiagonal forms at once."""
    rng = np.random.default_rng(d)
    many = min(many, 4_000 // count)
    matrices = symmetrized(rng.standard_normal((many, d, d))) * 10.0 ** rng.integers(
        -3, 9, (many, 1, 1)
    )
    solver = SingleTop(d, count, many)
    solver.matrices[:] = matrices
    top = solver.find()
    values, vectors = np.linalg.eigh(matrices)
    values = values[:, ::-1] / np.abs(values).max(axis=1, keepdims=True)
    size = np.abs(np.linalg.eigvalsh(matrices)).max(axis=1)
    close = values[:, : count - 1] - values[:, 1:count] < 3e-3
    apart = ~(close.any(axis=1) | (values[:, count - 1] - values[:, count] < 3e-3))
    assert apart.mean() > 0.3 or many < 100
    known = np.isfinite(top.next)
    assert known.mean() > 0.99
    found = np.column_stack([top.values, top.next]) / size[:, None]
    assert np.abs(found - values[:, : count + 1])[known & apart].max(initial=0) < 2e-4
    overlap = np.square(top.rows.astype(float) @ vectors[..., -count:]).sum(axis=(1, 2))
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


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(("d", "m"), [(20, 1), (100, 10), (150, 40), (260, 20)])
def test_the_others_are_below_what_is_shown_however_near(d, m, dtype):
    """Bounds nearer and nearer to the eigenvalue, until rounding alone would decide."""
    rng = np.random.default_rng(d)
    values, noise = np.sort(rng.exponential(size=d))[::-1] * 1e3, rng.standard_normal((d, d))
    noise = symmetrized(noise)
    scales = np.geomspace(1, 1e4, 5)
    shown = []
    eigen = [np.linalg.eigh(np.diag(values) + scale * noise) for scale in scales]
    top = np.stack([vectors.T[::-1][:m] for _, vectors in eigen])
    theta = np.stack([each[::-1] for each, _ in eigen])
    for above in (-1e-6, -1e-9, 0.0, *10.0 ** -np.arange(12, 1, -1.0)):
        edges = theta[:, m] + above * (theta[:, 0] - theta[:, -1])
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
    near = proved - edges <= (3e-3 if dtype is np.float32 else 1e-11) * (theta[:, 0] - theta[:, -1])
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


@pytest.mark.parametrize("error", [0.0, 1e-12, 1e-7, 1e-3, 0.1])
@pytest.mark.parametrize(("d", "k"), [(16, 1), (40, 12), (100, 10)])
def test_errors_of_a_block_are_within_their_bounds(d, k, error):
    """Bases turned a little within their span, and out of it by more and more."""
    rng = np.random.default_rng(d)
    for kind in range(2):
        head = np.linspace(3, 2, k) if kind else 10.0 ** np.linspace(4, 0.4, k)
        values = np.concatenate([head, np.linspace(1, 0.5, d - k)])
        noises = symmetrized(rng.standard_normal((6, d, d)))
        scales = np.geomspace(1e-6, 0.2, 7) / np.sqrt(2 * d)
        eigenvalues, vectors = np.linalg.eigh(
            np.diag(values) + scales[:, None, None] * noises[:, None]
        )
        top = vectors[..., ::-1][..., :k].swapaxes(-1, -2)
        turn = np.eye(k) + 0.01 * kind * rng.standard_normal((*top.shape[:2], k, k))
        rows = turn @ top + error / np.sqrt(d) * rng.standard_normal(top.shape)
        rows = np.linalg.qr(rows.swapaxes(-1, -2))[0].swapaxes(-1, -2)
        frames = frames_along(rows.reshape(-1, k, d), values, noises, scales)
        found = certified_block(values, frames, eigenvalues[..., -k - 1].ravel() + 1e-9)
        exact = np.square(top).sum(axis=2).reshape(-1, d)
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
    theta, vectors = np.linalg.eigh(np.diag(values) + noise)
    theta, rows = theta[::-1], vectors.T[::-1]
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


def nearly_singular(rng, d, kind):
    """Positive definite matrices whose factors are as different as may be, in single precision."""
    q = np.linalg.qr(rng.standard_normal((d, d)))[0]
    values = [
        np.linspace(1e-4, 1, d),
        10.0 ** np.linspace(-4, 2, d),
        np.where(np.arange(d) < d // 2, 1e-3, 1.0),
    ][kind % 3]
    plain = (q * values) @ q.T
    grading = 10.0 ** np.linspace(2, -2, d)[:: 1 if kind < 3 else -1] if kind % 2 else np.ones(d)
    return (symmetrized(plain) * np.sqrt(np.outer(grading, grading))).astype(np.float32)


@pytest.mark.parametrize("kind", range(6))
@pytest.mark.parametrize("d", [5, 120, 200, 330])
def test_factorisations_lose_no_more_than_is_said(d, kind):
    matrix = nearly_singular(np.random.default_rng(d), d, kind)
    diagonal, triangle = np.diag(matrix).astype(float), np.triu(matrix).astype(float)
    factorise = _Cholesky(matrix[None].copy())
    assert factorise(0)
    factor = np.triu(factorise._matrices[0]).astype(float)
    full = triangle + np.triu(triangle, 1).T
    lost = np.linalg.norm(factor.T @ factor - full, 2) / 2.0**-24
    weighted = np.abs(factor) * np.sqrt(np.arange(1, d + 1) + 20)
    by_trace = np.square(weighted).sum()
    stretch = np.linalg.norm(weighted, 2) ** 2
    said = factorise.lost(0, diagonal)
    assert lost <= stretch <= said <= by_trace * (1 + 1e-4)
    if d >= 200:
        assert said <= 2 * stretch, "and it is next to the best bound of its kind"


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


def test_what_is_shown_on_wide_tables_in_single_precision_is_near():
    """The factor's own norm loses a small part of what its trace would."""
    d, m = 400, 10
    rng = np.random.default_rng(0)
    values, noise = np.zeros(d), symmetrized(rng.standard_normal((d, d)))
    theta, vectors = (part[..., ::-1] for part in np.linalg.eigh(noise))
    edge = theta[[m]] + 0.05 * (theta[m - 1] - theta[m])
    noises = np.diag(noise)[None], np.array([np.linalg.norm(noise)])
    rows, top = vectors.T[None, :m], theta[None, :m]
    shown = proved_in_place(noise.astype(np.float32)[None], values, noises, rows, top, edge)
    assert theta[m] < edge < shown < edge + 0.01 * (theta[0] - theta[m])


@pytest.mark.parametrize("count", [1, 2, 5])
def test_threads_share_a_sweep_however_many_there_are(count, monkeypatch):
    """One reduces and the others finish what it reduced: nobody waits forever."""
    monkeypatch.setattr(screen, "processors", lambda: count)
    monkeypatch.setattr(threads, "processors", lambda: count)
    monkeypatch.setattr(screen, "ENTRIES_REDUCED", 60_000)
    at = made(70, 6)
    points = [(at, Budget(e, 1e-6)) for e in np.geomspace(0.02, 5, 12)]
    found = run_trials(TrialDraws(MECHANISMS["gaussian"], 0, range(9)), points, Precision.SCREEN)
    exact = run_trials(TrialDraws(MECHANISMS["gaussian"], 0, range(9)), points)
    assert screen.SINGLE_THREAD_COST < 9 * 12 * 70**3
    assert (found.errors > 0).mean() > 0.8
    assert (np.abs(found.captured - exact.captured) <= found.errors[0] + 1e-12).all()
