"""How much faster a sweep is than the naive loop, in one run on one machine.

The naive loop draws each trial's noise and calls float64 ``numpy.linalg.eigh`` once for each trial
and ε, on one thread. The worst error of a mean of the sweep is printed in units of what is allowed,
a tenth of the standard error of the mean of 200 releases. Ratios only: times depend on the machine.
Those of processor time hardly depend on what else runs there; a sweep uses all processors, the
loop one.

    python -m benchmarks.speed --repeats 3
"""

import argparse
import os
from time import perf_counter, process_time

import numpy as np
from threadpoolctl import threadpool_limits

from dpca_core import MECHANISMS, Budget, Problem
from dpca_core.linalg.arrays import Array
from dpca_core.linalg.eigh_top import eigh_top
from dpca_core.metrics import quality
from dpca_core.simulation.trials import (
    Point,
    TrialDraws,
    TrialMetrics,
    run_trials,
    shared_units,
    trial_generator,
)
from sample_data import load_key

TRIALS, POINTS, DELTA, MOST_AVERAGED = 20, 30, 1e-6, 200


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
    return with_spectrum(values, n, k)


def unit_rows(d: int, k: int, n: float) -> Problem:
    """Made-up data whose first direction carries 80 %, as where positive rows have length 1."""
    rest = np.arange(1, d) ** -1.5
    return with_spectrum(n * np.concatenate([[0.8], 0.2 * rest / rest.sum()]), n, k)


def with_spectrum(values: Array, n: float, k: int) -> Problem:
    """Return a problem with these eigenvalues."""
    d = len(values)
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


def swept(points: list[Point], trials: int) -> tuple[TrialMetrics, Array]:
    """A sweep from nothing, and its seconds: by the clock, and of all processors."""
    shared_units.cache_clear()
    start, used = perf_counter(), process_time()
    found = run_trials(TrialDraws(MECHANISMS["gaussian"], 0, range(trials)), points)
    return found, np.array([perf_counter() - start, process_time() - used])


def compared(name: str, at: Problem, epsilons: Array, trials: int, repeats: int) -> None:
    """Print one line: milliseconds of processor time a release, ratios, largest error of a mean."""
    points = [(at, Budget(float(e), DELTA)) for e in epsilons]
    ratios, times, error = [], [], 0.0
    for _ in range(repeats):
        with threadpool_limits(1, "blas"):
            start, used = perf_counter(), process_time()
            slow = naive("gaussian", points, trials)
            loop = np.array([perf_counter() - start, process_time() - used])
        found, seconds = swept(points, trials)
        ratios.append(loop / seconds)
        times.append(seconds[1] / slow.size * 1e3)
        off = np.abs(found.captured - slow).mean(axis=1)
        allowed = 0.1 / np.sqrt(MOST_AVERAGED) * slow.std(axis=1)
        error = max(error, float((off / allowed).max()))
    wall, processor = np.median(ratios, axis=0)
    print(f"{name:43}{np.median(times):9.3f} ms{processor:10.1f} ×{wall:8.1f} ×{error:10.0e}")


def routine(d: int, k: int, repeats: int) -> None:
    """Print what a few eigenvectors cost in comparison with all of them, one thread."""
    e = np.random.default_rng(0).standard_normal((d, d))
    matrix = np.diag(spectrum(d, 1000.0)) + (e + e.T) / 2
    times = []
    for solve in (np.linalg.eigh, lambda m: eigh_top(m[None].copy(), k)):
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
    print(f"{'':43}{'a release':>12}{'processor':>12}{'wall':>10}{'error':>10}")
    three = np.geomspace(0.01, 10, POINTS)
    compared("d = 100, k = 10, ε 0.01 to 10, n = 60,000", problem(100, 10, 6e4), three, 20, repeats)
    compared("d = 100, k = 10, ε 0.01 to 10, n = 20,000", problem(100, 10, 2e4), three, 20, repeats)
    compared("d = 100, k = 10, ε 0.01 to 10, n = 1,000", problem(100, 10, 1e3), three, 20, repeats)
    small = problem(100, 10, 2e4)
    quiet = np.geomspace(40, 1000, POINTS) * 2 * 10 * 4.2 / (0.4 * small.gap) / 40
    compared("d = 100, k = 10, noise radius under 0.4 gap", small, quiet, 20, repeats)
    for k in (2, 5):
        rand = load_key("rand").problem(k)
        compared(f"RAND, d = 19, k = {k}, ε 0.01 to 10", rand, three, 20, repeats)
    for n in (2e4, 1e3):
        name = f"d = 30, k = 5, ε 0.01 to 10, n = {n:,.0f}"
        compared(name, problem(30, 5, n), three, 20, repeats)
    compared("d = 300, k = 10, ε 0.01 to 10, n = 60,000", problem(300, 10, 6e4), three, 4, repeats)
    compared(
        "d = 784, k = 50, ε 0.01 to 10, n = 60,000", problem(784, 50, 6e4, True), three, 2, repeats
    )
    compared(
        "d = 100, k = 10, a first direction of 80 %", unit_rows(100, 10, 2e4), three, 20, repeats
    )
    compared(
        "d = 784, k = 50, a first direction of 80 %", unit_rows(784, 50, 6e4), three, 2, repeats
    )
    print()
    for d, k in ((64, 10), (100, 10), (300, 10), (784, 50)):
        routine(d, k, max(3, int(3e6 / d**2)))
    print()
    draws(repeats)


if __name__ == "__main__":
    main()
