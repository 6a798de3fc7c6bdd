"""The engine against plain ``numpy.linalg.eigh``, and laws of S + σE that need no oracle."""

import numpy as np
import pytest

from dpca_core import MECHANISMS, Adjacency, Budget, Problem
from dpca_core.linalg.symmetric import symmetrized
from dpca_core.mechanisms.noise_on_s import NoiseOnS
from dpca_core.metrics import quality
from dpca_core.simulation.draws import TrialDraws, noise_norms, trial_generator
from dpca_core.simulation.perturbation import (
    SMALL_COLUMNS,
    Axis,
    quality_of,
    weights_along,
)
from dpca_core.simulation.trials import run_trials

ON_S = [m for m in MECHANISMS.values() if isinstance(m, NoiseOnS)]


def problem(d, k, n=20_000.0, seed=0, decay=0.9):
    q = np.linalg.qr(np.random.default_rng(seed).standard_normal((d, d)))[0]
    values = n * 0.9 * decay ** np.arange(d) / (decay ** np.arange(d)).sum()
    return Problem.from_moment(symmetrized((q * values) @ q.T), n, k)


def wigner(d, seed=1):
    return symmetrized(np.random.default_rng(seed).standard_normal((d, d)))


def plainly(at, noise, scale):
    basis = np.linalg.eigh(at.moment + scale * noise)[1][:, -at.k :]
    return quality(at, basis)


@pytest.mark.parametrize(
    ("d", "k"), [(2, 1), (SMALL_COLUMNS, 5), (60, 1), (60, 17), (60, 59), (130, 4)]
)
def test_it_agrees_with_eigh_at_every_size_of_noise(d, k):
    at, noise = problem(d, k), wigner(d)
    scales = np.concatenate([[0.0], np.geomspace(1e-4, 30, 40) * at.gap / np.sqrt(d)])
    axis = Axis(at, np.full(len(scales), k), scales)
    found = quality_of(axis, weights_along(axis, noise[None])[0])
    for i, scale in enumerate(scales):
        expected = plainly(at, noise, scale)
        assert found.captured[i] == pytest.approx(expected.captured, abs=1e-7)
        assert found.sin_theta[i] == pytest.approx(expected.sin_theta, abs=1e-6)


@pytest.mark.parametrize("mechanism", ON_S, ids=lambda m: m.key)
def test_a_trace_is_what_releases_give(mechanism):
    at = problem(50, 4, 500.0)
    check(mechanism, [(at, Budget(e, 1e-4, Adjacency.REPLACE_ONE)) for e in (0.3, 3.0, 30.0)])


@pytest.mark.parametrize("moving", ["n", "k", "data"])
def test_other_axes_agree_too(moving):
    at = problem(50, 4)
    problems = {
        "n": [at.scaled(n) for n in (100.0, 1e4, 1e7)],
        "k": [at.with_k(k) for k in (1, 4, 20)],
        "data": [problem(50, 4, seed=s) for s in (0, 1)],
    }[moving]
    check(MECHANISMS["gaussian"], [(p, Budget(0.5, 1e-6)) for p in problems])


def check(mechanism, points):
    """Measure along an axis what releases show one by one: the iteration ends at 10⁻⁷."""
    draws = TrialDraws(mechanism, 7, range(3))
    found = run_trials(draws, points)
    for i, point in enumerate(points):
        expected = quality(point[0], draws.release(*point).bases)
        np.testing.assert_allclose(found.captured[i], expected.captured, atol=1e-6)
        np.testing.assert_allclose(found.captured_of_all[i], expected.captured_of_all, atol=1e-6)
        np.testing.assert_allclose(found.sin_theta[i], expected.sin_theta, atol=1e-6)


@pytest.mark.parametrize(
    ("key", "d"), [*((m.key, 8) for m in ON_S), ("gaussian", 130), ("wishart_jiang", 130)]
)
def test_the_norm_of_noise_is_that_of_what_is_added_whatever_k(key, d):
    """At both d: with noise that is kept for the next who asks, and noise that is drawn again."""
    draws = TrialDraws(MECHANISMS[key], 7, range(2, 5))
    streams = [trial_generator(7, key, t) for t in draws.trials]
    plain = np.array([MECHANISMS[key].unit(d, 3, stream, 1)[0][0] for stream in streams])
    for k in (1, 5):
        np.testing.assert_allclose(draws.unit(d, k)[0], plain, rtol=1e-12)
    if MECHANISMS[key].law.one_sided:
        ends = np.linalg.eigvalsh(plain)[:, [0, -1]]
        plain = plain - ends.mean(axis=1)[:, None, None] * np.eye(d)
    for _ in range(2):
        np.testing.assert_allclose(noise_norms(draws, d), np.linalg.norm(plain, 2, (1, 2)))


def test_a_matrix_in_blocks_is_left_to_eigh():
    at, noise = Problem.from_moment(np.diag(np.arange(60.0, 0, -1)), 5000, 3), np.zeros((60, 60))
    noise[3:, 3:] = 1e3 * np.eye(57)
    axis = Axis(at, np.full(1, 3), np.array([1.0]))
    found = quality_of(axis, weights_along(axis, noise[None])[0])
    assert found.captured[0] == pytest.approx(plainly(at, noise, 1.0).captured, abs=1e-9)
