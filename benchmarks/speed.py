"""How much faster a sweep is than the naive loop, in one run on one machine.

The naive loop draws each trial's noise and calls float64 ``numpy.linalg.eigh`` once for each trial
and ε, on one thread. Ratios only: times depend on the machine.

    python -m benchmarks.speed --repeats 3
"""

import argparse
import os
from time import perf_counter

import numpy as np

from dpca_core import MECHANISMS, Budget, Problem
from dpca_core.linalg.arrays import Array
from dpca_core.linalg.top_eigenvectors import top_eigenvectors
from dpca_core.metrics import quality
from dpca_core.simulation.draws import TrialDraws, shared_units, trial_generator
from dpca_core.simulation.trials import Point, run_trials

TRIALS, POINTS, DELTA = 20, 30, 1e-6


def spectrum(d: int, n: float) -> Array:
    """Shares of S 0.3·0.7^i for ten directions and a flat, slightly falling tail of 0.05."""
    head = 0.3 * 0.7 ** np.arange(10)
    tail = np.linspace(1.2, 0.8, d - 10) * 0.05 / (d - 10)
    return n * 0.9 * np.concatenate([head, tail]) / (head.sum() + tail.sum())


def problem(d: int, k: int, n: float, flat: bool = False) -> Problem:
    """Made-up data; ``flat`` spreads the spectrum so that the gap is small."""
    values = spectrum(d, n)
    if flat:
        values = n * 0.9 * np.linspace(2, 0.01, d) / np.linspace(2, 0.01, d).sum()
    q = np.linalg.qr(np.random.default_rng(3).standard_normal((d, d)))[0]
    moment = (q * values) @ q.T
    return Problem.from_moment((moment + moment.T) / 2, n, k)


def naive(key: str, points: list[Point], trials: int) -> Array:
    """Captured variance (G, T), one eigendecomposition at a time."""
    mechanism, out = MECHANISMS[key], np.empty((len(points), trials))
    for trial in range(trials):
        unit = mechanism.unit(points[0][0].d, points[0][0].k, trial_generator(0, key, trial), 1)[0][
            0
        ]
        for g, (at, budget) in enumerate(points):
            noisy = at.moment + mechanism.calibrate(at, budget).scale * unit
            basis = np.linalg.eigh(noisy)[1][:, -at.k :]
            out[g, trial] = quality(at, basis).captured
    return out


def compared(name: str, at: Problem, epsilons: Array, trials: int, repeats: int) -> None:
    """Print one line: seconds, ratio, largest error."""
    points = [(at, Budget(float(e), DELTA)) for e in epsilons]
    ratios, times, error = [], [], 0.0
    for _ in range(repeats):
        start = perf_counter()
        slow = naive("gaussian", points, trials)
        shared_units.cache_clear()
        middle = perf_counter()
        fast = run_trials(TrialDraws(MECHANISMS["gaussian"], 0, range(trials)), points)
        end = perf_counter()
        ratios.append((middle - start) / (end - middle))
        times.append(end - middle)
        error = max(error, float(np.abs(fast.captured - slow).max()))
    share = certified(at, points)
    print(
        f"{name:46}{np.median(times):8.2f} s{np.median(ratios):8.1f} ×"
        f"{error:12.1e}{share * 100:9.0f} %"
    )


def certified(at: Problem, points: list[Point]) -> float:
    """Share of the points of one trial that the Riccati iteration answers."""
    from dpca_core.linalg.riccati import small_noise

    unit = MECHANISMS["gaussian"].unit(at.d, at.k, trial_generator(0, "gaussian", 0), 1)[0][0]
    turned = at.eigenvectors.T @ unit @ at.eigenvectors
    scales = np.array([MECHANISMS["gaussian"].calibrate(*p).scale for p in points])
    return float(small_noise(at.spectrum, turned[None], scales, at.k).certain.mean())


def routine(d: int, k: int, repeats: int) -> None:
    """Print what a few eigenvectors cost in comparison with all of them, one thread."""
    e = np.random.default_rng(0).standard_normal((d, d))
    matrix = np.diag(spectrum(d, 1000.0)) + (e + e.T) / 2
    times = []
    for solve in (np.linalg.eigh, lambda m: top_eigenvectors(m, k)):
        solve(matrix)
        start = perf_counter()
        for _ in range(repeats):
            solve(matrix)
        times.append((perf_counter() - start) / repeats)
    print(f"d = {d}, k = {k}: the top k cost {times[1] / times[0]:.2f} of all eigenvectors")


def draws(repeats: int) -> None:
    """Print what an exact PPCA draw costs at d = 100, k = 10, n = 60,000, ε = 1, plan warm."""
    at, rng = problem(100, 10, 6e4), np.random.default_rng(0)
    MECHANISMS["ppca"].release(at, Budget(1.0), rng, 2)
    times = []
    for _ in range(repeats):
        start = perf_counter()
        MECHANISMS["ppca"].release(at, Budget(1.0), rng, 100)
        times.append((perf_counter() - start) / 100 * 1e3)
    print(f"exact PPCA, d = 100, k = 10, n = 60,000, ε = 1: {np.median(times):.2f} ms a draw")


def main() -> None:
    """Print all comparisons."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=3)
    repeats = parser.parse_args().repeats
    print(f"{os.cpu_count()} processors, {TRIALS} trials, {POINTS} values of ε\n")
    print(f"{'':46}{'sweep':>10}{'naive/sweep':>10}{'error':>12}{'iterated':>11}")
    three = np.geomspace(0.01, 10, POINTS)
    compared("d = 100, k = 10, ε 0.01 to 10, n = 60,000", problem(100, 10, 6e4), three, 20, repeats)
    compared("d = 100, k = 10, ε 0.01 to 10, n = 20,000", problem(100, 10, 2e4), three, 20, repeats)
    compared("d = 100, k = 10, ε 0.01 to 10, n = 1,000", problem(100, 10, 1e3), three, 20, repeats)
    small = problem(100, 10, 2e4)
    quiet = np.geomspace(40, 1000, POINTS) * 2 * 10 * 4.2 / (0.4 * small.gap) / 40
    compared("d = 100, k = 10, noise radius under 0.4 gap", small, quiet, 20, repeats)
    compared("d = 30, k = 5, ε 0.01 to 10, n = 20,000", problem(30, 5, 2e4), three, 20, repeats)
    compared("d = 784, k = 50, ε 0.01 to 10, n = 60,000", problem(784, 50, 6e4, True), three, 2, 1)
    print()
    for d, k in ((64, 10), (100, 10), (300, 10), (784, 50)):
        routine(d, k, max(3, int(3e6 / d**2)))
    print()
    draws(repeats)


if __name__ == "__main__":
    main()
