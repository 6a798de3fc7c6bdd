"""How fast what everything rests on is, as ratios of processor time in one run on one machine.

Each line compares ours with the plain way of doing the same: a sweep with the naive loop that calls
float64 ``numpy.linalg.eigh`` once for each trial and ε; exact noise and exact sums of a release
with floats. Processor time hardly depends on what else runs there; milliseconds are to orient only.

    python -m benchmarks.kernels --repeats 3
"""

import argparse
import os
from collections.abc import Callable
from functools import partial
from time import perf_counter, process_time

import numpy as np
from threadpoolctl import threadpool_limits

from dpca_core import MECHANISMS, Budget, Problem
from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import symmetrized
from dpca_core.metrics import quality
from dpca_core.release import exact_noise
from dpca_core.release.exact_sums import exact_sums
from dpca_core.release.table_source import RowSource
from dpca_core.runtime import threads
from dpca_core.simulation.trials import TrialDraws, run_trials, shared_units, trial_generator
from sample_data import load_key

TRIALS, POINTS, DELTA, MOST_AVERAGED = 20, 30, 1e-6, 200
EPSILONS = np.geomspace(0.01, 10, POINTS).tolist()
GRID = 2**36
Task = Callable[[], object]


def falling(d: int, n: float) -> Array:
    """A spectrum of shares 0.3·0.7^i for ten directions and a flat, slightly falling tail."""
    head = 0.3 * 0.7 ** np.arange(10)
    tail = np.linspace(1.2, 0.8, d - 10) * 0.05 / (d - 10)
    return n * 0.9 * np.concatenate([head, tail]) / (head.sum() + tail.sum())


def problem(d: int, n: float, k: int) -> Problem:
    """Return made-up data with this spectrum."""
    q = np.linalg.qr(np.random.default_rng(3).standard_normal((d, d)))[0]
    return Problem.from_moment(symmetrized((q * falling(d, n)) @ q.T), n, k)


def seconds(*tasks: Task, repeats: int) -> Array:
    """Return the median processor time of each task; all are done once, and then in turn."""
    found = np.empty((repeats + 1, len(tasks)))
    for row in found:
        for place, task in enumerate(tasks):
            start = process_time()
            task()
            row[place] = process_time() - start
    return np.asarray(np.median(found[1:], axis=0))


def line(name: str, ours: float, *said: str) -> None:
    """Print what ours takes, and what more is said of it."""
    print(f"{name:46}{ours * 1e3:10.3f} ms   {', '.join(said)}", flush=True)


def naive(at: Problem, trials: int) -> Array:
    """Captured variance (G, T), one eigendecomposition at a time, on one thread."""
    mechanism, out = MECHANISMS["gaussian"], np.empty((POINTS, trials))
    with threadpool_limits(1, "blas"):
        for trial in range(trials):
            unit = mechanism.unit(at.d, at.k, trial_generator(0, "gaussian", trial), 1)[0][0]
            for g, epsilon in enumerate(EPSILONS):
                scale = mechanism.calibrate(at, Budget(epsilon, DELTA)).scale
                basis = np.linalg.eigh(at.moment + scale * unit)[1][:, -at.k :]
                out[g, trial] = quality(at, basis).captured
    return out


def swept(at: Problem, trials: int) -> Array:
    """Captured variance (G, T) by a sweep from nothing."""
    shared_units.cache_clear()
    points = [(at, Budget(epsilon, DELTA)) for epsilon in EPSILONS]
    return run_trials(TrialDraws(MECHANISMS["gaussian"], 0, range(trials)), points).captured


def sweep(name: str, at: Problem, repeats: int, trials: int = TRIALS) -> None:
    """Compare a sweep with the loop; with the largest error of a mean in units of what is allowed.

    Allowed is a tenth of the standard error of the mean of 200 releases.
    """
    slow, start = naive(at, trials), perf_counter()
    found = swept(at, trials)
    wall = perf_counter() - start
    both = (partial(swept, at, trials), partial(naive, at, trials))
    ours, plain = seconds(*both, repeats=repeats) / slow.size
    allowed = 0.1 / np.sqrt(MOST_AVERAGED) * slow.std(axis=1)
    off = (np.abs(found - slow).mean(axis=1) / allowed).max()
    said = f"loop {plain / ours:.2f} × as long", f"wall {wall / slow.size * 1e3:.3f} ms"
    line(f"sweep, {name}", ours, *said, f"error {off:.0e}")


def sweeps(repeats: int) -> None:
    """Compare sweeps where people are, and on wide tables."""
    for k in (2, 5):
        sweep(f"RAND, d = 19, k = {k}", load_key("rand").problem(k), repeats)
    for n in (6e4, 2e4, 1e3):
        sweep(f"d = 100, k = 10, n = {n:,.0f}", problem(100, n, 10), repeats)
    sweep("d = 300, k = 10, n = 60,000", problem(300, 6e4, 10), repeats, 4)
    sweep("d = 784, k = 50, n = 60,000", problem(784, 6e4, 50), repeats, 2)


def exact(repeats: int) -> None:
    """Compare exact noise and exact sums of a release with floats of the same law and size."""
    bits, rng = exact_noise.RandomBits(), np.random.default_rng(0)

    def floats(d: int) -> Array:
        upper = np.triu(rng.normal(scale=GRID, size=(d, d)))
        return np.rint(upper + upper.T)

    laws = {
        "rounded Gaussian": lambda d: exact_noise.rounded_gaussian(GRID, d * (d + 1) // 2, bits),
        "discrete Laplace": lambda d: exact_noise.laplace_vector(GRID, d * (d + 1) // 2, bits),
        "difference of Wisharts": lambda d: exact_noise.wishart_difference(GRID, d, bits),
    }
    for name, draw in laws.items():
        for d in (19, 100):
            ours, plain = seconds(partial(draw, d), partial(floats, d), repeats=repeats)
            line(f"{name} noise, d = {d}", ours, f"{ours / plain:.2f} × as long as floats")
    with threads.thread_pool():
        for d in (19, 100, 300):
            rows = rng.normal(size=(3_000_000 // d, d)) / np.sqrt(d)
            sums = partial(exact_sums, RowSource(rows))
            ours, plain = seconds(sums, partial(np.matmul, rows.T, rows), repeats=repeats)
            line(f"exact sums, d = {d}", ours, f"{ours / plain:.2f} × as long as XᵀX")


PARTS = {"sweeps": sweeps, "exact": exact}


def main() -> None:
    """Print all comparisons, or those that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="what to compare")
    parser.add_argument("--repeats", type=int, default=3)
    asked = parser.parse_args()
    print(f"{threads.processors()} processors, load {os.getloadavg()[0]:.1f}")
    for part in asked.parts or PARTS:
        PARTS[part](asked.repeats)


if __name__ == "__main__":
    main()
