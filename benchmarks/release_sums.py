"""How much longer exact sums of a release take than XᵀX in floats: at most 4 times at d = 100.

Both over the same rows in memory, alternately in one run with one BLAS thread; ratios only.

    OPENBLAS_NUM_THREADS=1 python -m benchmarks.release_sums
"""

from time import perf_counter

import numpy as np

from dpca_core.release.exact_sums import exact_sums
from dpca_core.release.table_source import RowSource
from dpca_core.runtime.threads import thread_pool

REPEATS, NUMBERS = 9, 10_000_000
COLUMNS = (19, 60, 100, 300, 1000)


def ratio(d: int) -> float:
    """Return the ratio of the shortest times of each kind, over rows of d columns."""
    rows = np.random.default_rng(d).normal(size=(NUMBERS // d, d)) / np.sqrt(d)
    plain, exact = [], []
    for _ in range(REPEATS):
        start = perf_counter()
        rows.T @ rows
        middle = perf_counter()
        exact_sums(RowSource(rows))
        plain.append(middle - start)
        exact.append(perf_counter() - middle)
    return min(exact) / min(plain)


def main() -> None:
    """Print a ratio for each number of columns."""
    with thread_pool():
        for d in COLUMNS:
            print(f"d = {d:5}{ratio(d):7.1f} times XᵀX")


if __name__ == "__main__":
    main()
