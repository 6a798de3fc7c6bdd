"""What exact releases keep of a built-in set: mean captured share of k directions over many draws.

The rows are summed once; each release adds fresh exact noise to the sum, as a release does.

    python -m benchmarks.release_utility --releases 2000
"""

import argparse
from fractions import Fraction
from math import sqrt

import numpy as np

from dpca_core.data.recipe import Number, Recipe, RowLength, Scaling
from dpca_core.mechanisms.registry import DRAWN_EXACTLY
from dpca_core.privacy.budget import Adjacency
from dpca_core.release.draw import noise
from dpca_core.release.exact_noise import RandomBits
from dpca_core.release.exact_sums import exact_sums
from dpca_core.release.grid import GRID
from dpca_core.release.plan import MATRIX, Plan
from dpca_core.release.table_source import RowSource
from sample_data import load_key

DELTA = Fraction(1, 10**6)


def captured_shares(key: str, mechanism: str, epsilon: Fraction, k: int, n: int) -> np.ndarray:
    """Return tr VᵀSV of n releases' top k directions over the best possible, (n,)."""
    source = RowSource(load_key(key).rows)
    plan, table, bits = (
        _plan(mechanism, epsilon, source.columns),
        exact_sums(source).T,
        RandomBits(),
    )
    exact = table / GRID**2
    best = np.linalg.eigvalsh(exact)[-k:].sum()
    found = []
    for _ in range(n):
        noisy = table + noise(plan, MATRIX, table.shape, bits)
        top = np.linalg.eigh(noisy.astype(float))[1][:, -k:]
        found.append(np.trace(top.T @ exact @ top) / best)
    return np.array(found)


def _plan(mechanism: str, epsilon: Fraction, columns: tuple[str, ...]) -> Plan:
    numbers = tuple(Number(name, -1.0, 1.0) for name in columns)
    recipe = Recipe(
        numbers,
        scaling=Scaling.NORM_ONLY,
        radius=1.0,
        bounds_are_public=True,
        row_length=RowLength.AT_MOST_R,
    )
    delta = DELTA if mechanism == "gaussian" else Fraction(0)
    return Plan(recipe, Adjacency.ADD_OR_REMOVE_ONE, epsilon, delta, mechanism, "a measurement")


def main() -> None:
    """Print the mean share of each safe mechanism, with its standard error."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--releases", type=int, default=2000)
    parser.add_argument("--epsilon", type=Fraction, default=Fraction(1, 10))
    options = parser.parse_args()
    for mechanism, law in DRAWN_EXACTLY.items():
        shares = captured_shares("rand", mechanism, options.epsilon, 2, options.releases)
        error = shares.std(ddof=1) / sqrt(len(shares))
        print(f"{law.value:32} {shares.mean():.4f} ± {error:.4f}", flush=True)


if __name__ == "__main__":
    main()
