"""Screens' numbers against double precision: bounds hold, and means are exact to a tenth of them.

``python -m benchmarks.screens`` does the same on ten thousand points.
"""

from itertools import product

import numpy as np
import pytest

from dpca_core import MECHANISMS, Budget, Problem, sweep
from dpca_core.linalg.symmetric import symmetrized
from dpca_core.runtime import threads
from dpca_core.simulation import screen, screen_sizes
from dpca_core.simulation.draws import TrialDraws
from dpca_core.simulation.perturbation import Axis
from dpca_core.simulation.precision import FEWEST_JUDGED, Precision
from dpca_core.simulation.trials import run_trials
from tests.cases import sampled
from tests.core.simulation.nasty_points import TRIALS, found


@pytest.mark.parametrize("seed", sampled(range(24), 4, "a sweep of nasty points"))
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


def both(key, trials, points):
    """On a screen and in double precision: the one is within its bounds of the other."""
    on_screen, exact = (
        run_trials(TrialDraws(MECHANISMS[key], 0, range(trials)), points, precision)
        for precision in (Precision.SCREEN, Precision.DOUBLE)
    )
    assert (exact.errors == 0).all()
    assert (np.abs(on_screen.captured - exact.captured) <= on_screen.errors[0] + 1e-12).all()
    assert (np.abs(on_screen.sin_theta - exact.sin_theta) <= on_screen.errors[1] + 1e-12).all()
    return on_screen


@pytest.mark.parametrize(
    ("size", "key"),
    sampled(
        product(
            [(60, 5, 8), (30, 1, 80), (220, 3, 2)],
            ["gaussian", "laplace", "wishart_difference", "wishart"],
        ),
        5,
        "other noise or size",
    ),
)
def test_single_precision_serves_usual_points(size, key):
    d, k, trials = size
    points = [(made(d, k), Budget(e, 1e-6)) for e in (0.1, 0.5, 2.0)]
    assert (both(key, trials, points).errors > 0).mean() > 0.8


def test_a_small_stack_and_the_python_api_stay_in_double_precision():
    """The proof takes as long for few matrices as for many; releases are the same either way."""
    points = [(made(20, 2), Budget(e, 1e-6)) for e in (0.1, 0.2)]
    few, many = (both("laplace", n, points) for n in (20, 200))
    assert (few.errors == 0).all()
    assert (many.errors > 0).mean() > 0.8
    table = sweep(["laplace"], made(20, 2), epsilon=[0.1, 0.2], delta=1e-6, trials=20)
    np.testing.assert_allclose(table["captured"], few.captured.ravel(), rtol=1e-9)


@pytest.mark.parametrize("count", [1, 2, 5])
def test_threads_share_a_sweep_however_many_there_are(count, monkeypatch):
    """One reduces and the others finish what it reduced: nobody waits forever."""
    monkeypatch.setattr(screen, "processors", lambda: count)
    monkeypatch.setattr(threads, "processors", lambda: count)
    monkeypatch.setattr(screen, "ENTRIES_REDUCED", 60_000)
    points = [(made(70, 6), Budget(e, 1e-6)) for e in np.geomspace(0.02, 5, 12)]
    assert screen.SINGLE_THREAD_COST < 9 * 12 * 70**3
    assert (both("gaussian", 9, points).errors > 0).mean() > 0.8


POINTS = 5


def on_screen(values, noises, scales, k):
    """Squared projections and bounds on the errors of captured variance and of sin Θ."""
    problem = Problem.from_spectrum(values, 2e4, k, np.eye(len(values)))
    axis = Axis(problem, np.full(len(scales), k), scales)
    return screen.screen_weights(axis, noises, lambda: np.linalg.eigvalsh(noises)[:, -1])


@pytest.mark.parametrize("size", [1e10, 1e25])
def test_what_single_precision_cannot_hold_is_solved_in_double(size):
    rng = np.random.default_rng(1)
    values = np.sort(rng.exponential(size=60))[::-1] * size
    noises = symmetrized(rng.standard_normal((2, 60, 60)))
    scales = size * np.geomspace(1, 1e4, POINTS)
    weights, errors = on_screen(values, noises, scales, 6)
    matrices = np.diag(values) + scales[:, None, None] * noises[:, None]
    exact = np.square(np.linalg.eigh(matrices)[1][..., -6:]).sum(axis=-1)
    captured = np.abs((weights - exact) @ values) / values[:6].sum()
    assert (captured <= errors[0] + 1e-9).all()
    for size, scale, suited in ((1e9, 1e7, True), (1e13, 1, False), (1, 1e39, False)):
        problem = Problem.from_spectrum(np.linspace(1, 0.1, 60) * size, 2e4, 3, np.eye(60))
        axis = Axis(problem, np.full(2, 3), np.array([1.0, scale]))
        assert screen_sizes.suits(axis) == suited
