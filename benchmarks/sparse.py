"""How long sparse PCA takes at p = 400, k = 10 on Wang & Xu's design, to residuals of 10⁻³.

Without noise λ = λ₁√(ln p/n), that of the paper's Theorem 4 without privacy; with the noise of
local_gaussian at ε = 1, δ = 10⁻⁴ it is what local_sparse chooses. Times depend on the machine: one
``eigh`` is printed too.

    python -m benchmarks.sparse
"""

import argparse
from math import log, sqrt
from time import perf_counter

import numpy as np

from dpca_core import MECHANISMS, Budget, Problem
from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import top_basis
from dpca_core.sparse.fantope import solve, support
from papers.wang_xu_errors import recovery
from sample_data.wang_xu import SPARSE_S, sample_rows, spiked_eigenvalues

MOST_SECONDS = 5.0


def matrices(s: int, p: int, k: int, n: int, seed: int) -> list[tuple[str, Array, float]]:
    """Name, average of the records or reports, and λ."""
    drawn = sample_rows(n, p, k, s, seed=seed)
    problem = Problem.from_rows(drawn.rows, k)
    noise = MECHANISMS["local_gaussian"]
    deviation = noise.calibrate(problem, Budget(1.0, 1e-4)).scale / n
    noisy = noise.release(
        problem, Budget(1.0, 1e-4), np.random.default_rng(seed), keep="moment"
    ).moment[0]
    clean = spiked_eigenvalues(p, k)[0] * sqrt(log(p) / n)
    return [
        ("records", problem.moment / n, clean),
        ("reports", noisy / n, deviation * sqrt(log(p) / 2)),
    ]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--p", type=int, default=400)
    parser.add_argument("--n", type=int, default=2000)
    parser.add_argument("--k", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    for d in (100, asked.p):
        square = np.random.default_rng(0).standard_normal((d, d))
        start = perf_counter()
        for _ in range(5):
            np.linalg.eigh(square + square.T)
        print(f"numpy.linalg.eigh at d = {d}: {(perf_counter() - start) / 5 * 1e3:.2f} ms")
    print(
        f"\np = {asked.p}, k = {asked.k}, n = {asked.n}\n"
        f"{'s':>4} {'of':9}{'seconds':>8}{'rounds':>8}{'primal':>9}{'dual':>9}"
        f"{'columns':>9}{'precision':>11}{'recall':>8}"
    )
    slowest = 0.0
    for s in (s for s in SPARSE_S if asked.k <= s < asked.p):
        truth = sample_rows(asked.n, asked.p, asked.k, s, seed=asked.seed).support
        for name, moment, penalty in matrices(s, asked.p, asked.k, asked.n, asked.seed):
            start = perf_counter()
            found = solve(moment, asked.k, penalty)
            spent = perf_counter() - start
            slowest = max(slowest, spent)
            used = support(top_basis(found.sparse, asked.k))
            right = recovery(used, truth)
            print(
                f"{s:4} {name:9}{spent:8.2f}"
                f"{found.iterations:8}{found.primal:9.1e}{found.change:9.1e}"
                f"{used.sum():9}{right.precision:11.2f}{right.recall:8.2f}"
            )
    print(f"\nslowest: {slowest:.2f} s (aim: {MOST_SECONDS:g} s at p = 400)")


if __name__ == "__main__":
    main()
