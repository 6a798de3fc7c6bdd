"""How long the noise of a release takes to draw: as ratios, so that no machine's seconds count.

Gaussian noise is compared with NumPy's floats of the same law (at most 100 times as long at
d = 1000), a difference of Wisharts with the sum of products of Python's integers that it is made
of (at most 2 times at d = 200). Shortest of several runs each, alternately; seconds are printed
for orientation only.

    OPENBLAS_NUM_THREADS=1 python -m benchmarks.release
"""

from collections.abc import Callable
from math import isqrt
from time import process_time

import numpy as np

from dpca_core.release.exact_noise import (
    RandomBits,
    gaussian_matrix,
    laplace_matrix,
    wishart_difference,
)

SCALE = 2**36
GAUSSIAN, WISHART = (19, 100, 500, 1000), (19, 60, 100, 200)
ROUNDS = 3
MOST_GAUSSIAN, MOST_WISHART = 100, 2


def seconds(*tasks: Callable[[], object]) -> list[float]:
    """Return the shortest processor time of each task, run in turn."""
    shortest = [float("inf")] * len(tasks)
    for _ in range(ROUNDS):
        for place, task in enumerate(tasks):
            start = process_time()
            task()
            shortest[place] = min(shortest[place], process_time() - start)
    return shortest


def floats(d: int, rng: np.random.Generator) -> np.ndarray:
    """Return rounded Gaussian noise of floats (d, d), symmetric: fast, and outside any proof."""
    upper = np.triu(rng.normal(scale=SCALE, size=(d, d)))
    return np.rint(upper + upper.T).astype(np.int64)


def products(d: int, rng: np.random.Generator) -> np.ndarray:
    """Return the sums of products of integers of 127 binary digits that two Wisharts need."""
    one, two = rng.integers(2**62, size=(2, d, d + 1)).astype(object) * 2**65 + rng.integers(2**62)
    return np.asarray(one @ one.T - two @ two.T)


def report(name: str, d: int, times: list[float], most: float | None) -> None:
    """Print a line: seconds, the ratio, and what it must not exceed."""
    exact, plain = times
    limit = "" if most is None else f"   at most {most:g}"
    print(f"{name:22} d = {d:5}{exact:9.4f} s{exact / plain:8.1f} times the plain draw{limit}")


def main() -> None:
    """Print a line for each law and number of columns."""
    bits, rng = RandomBits(), np.random.default_rng(0)
    diagonal = isqrt(2 * SCALE**2) + 1
    for d in GAUSSIAN:
        times = seconds(
            lambda d=d: gaussian_matrix(SCALE, diagonal, d, bits), lambda d=d: floats(d, rng)
        )
        report("rounded Gaussian", d, times, MOST_GAUSSIAN if d == GAUSSIAN[-1] else None)
    for d in GAUSSIAN:
        times = seconds(lambda d=d: laplace_matrix(SCALE, d, bits), lambda d=d: floats(d, rng))
        report("discrete Laplace", d, times, None)
    for d in WISHART:
        times = seconds(
            lambda d=d: wishart_difference(SCALE, d, bits), lambda d=d: products(d, rng)
        )
        report("difference of Wisharts", d, times, MOST_WISHART if d == WISHART[-1] else None)


if __name__ == "__main__":
    main()
