"""What the limit of one BLAS thread gains where BLAS would start its own, as in a notebook.

Each time is one where BLAS may use all processors, over the time with the limit that
``dpca_core.runtime.threads`` sets; both in one run, alternately. Ratios only.

    python -m benchmarks.threads
"""

import os
import sys
from contextlib import nullcontext
from time import perf_counter
from unittest.mock import patch

import numpy as np

from dpca_core.data.recipe import Number, Recipe
from dpca_core.problem import Problem
from dpca_core.runtime import threads
from dpca_core.simulation.perturbation import weights_along
from dpca_core.tables.second_moment import second_moment

REPEATS, TRIALS, POINTS, PEOPLE = 7, 20, 30, 5_000
SIZES = (30, 100, 300)
ROWS, COLUMNS = 1_000_000, 100


def noise_along(d: int) -> None:
    """Print the ratio for the metrics of twenty noises at thirty scales."""
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(PEOPLE, d)) * np.linspace(1, 0.1, d) / np.sqrt(d)
    spectrum = Problem.from_moment(rows.T @ rows, PEOPLE, 5).spectrum
    ks, scales = np.full(POINTS, 5), np.geomspace(0.01, 1000, POINTS)
    noises = rng.normal(size=(TRIALS, d, d))
    noises += noises.transpose(0, 2, 1)
    words = f"{TRIALS} noises at {POINTS} scales, d = {d}"
    report(words, lambda: weights_along(spectrum, ks, scales, noises))


def summed_rows() -> None:
    """Print the ratio for a sum over a million rows."""
    import pyarrow as pa

    rng, names = np.random.default_rng(0), [f"c{j}" for j in range(COLUMNS)]
    table = pa.table({name: rng.normal(size=ROWS) for name in names})
    recipe = Recipe(tuple(Number(name, -3, 3) for name in names))
    report(f"sum of {ROWS:,} rows of {COLUMNS}", lambda: second_moment(table, recipe))


def report(words: str, work) -> None:
    """Print how much longer the work takes without the limit."""
    ratios = []
    for _ in range(REPEATS):
        start = perf_counter()
        work()
        middle = perf_counter()
        with patch.object(threads, "_ONE", nullcontext()):
            work()
        ratios.append((perf_counter() - middle) / (middle - start))
    print(f"{words:36}{np.median(ratios):6.1f} times")


def main() -> None:
    """Print the ratios, unless BLAS has one thread anyway."""
    if threads.blas_threads() == 1:
        sys.exit("BLAS has one thread here: unset OPENBLAS_NUM_THREADS.")
    print(f"{threads.processors()} processors, load {os.getloadavg()[0]:.1f}")
    for d in SIZES:
        noise_along(d)
    summed_rows()


if __name__ == "__main__":
    main()
