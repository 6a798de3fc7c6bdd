"""What every mechanism keeps of the KDD Cup 1999 data at the papers' setting.

n = 494,021 connections, d = 116 columns (80 one-hot, 36 numbers each divided by its maximum; all
rows then divided by the one largest norm, which reads private data), k = 4, ε = 0.1, δ = 0.01,
one person replaced. The file kddcup99_10pct.parquet is read from the folder that DPCA_DATA names.

    python -m benchmarks.kdd --trials 50
"""

import argparse
import sys
from typing import TYPE_CHECKING

import numpy as np

from dpca_core import MECHANISMS, Adjacency, Budget, InfeasibleBudget, Problem
from dpca_core.analysis.claims import claim_of
from dpca_core.metrics import quality
from tests.real_data import path_of

if TYPE_CHECKING:
    from pandas import DataFrame

FILE = "kddcup99_10pct.parquet"
CATEGORIES = ("protocol_type", "service", "flag")
SLOWEST = 20.0


def kddcup() -> np.ndarray | None:
    """Rows (494021, 116) as Chaudhuri et al. 2013 prepared them; None without the file."""
    import pandas as pd

    path = path_of(FILE)
    if path is None:
        return None
    return prepared(pd.read_parquet(path))


def prepared(table: "DataFrame") -> np.ndarray:
    """One-hot texts, numbers by their maxima, all rows by the one largest norm: in [0, 1]."""
    import pandas as pd

    table = table.drop(columns="label")
    one_hot = pd.get_dummies(table[list(CATEGORIES)]).to_numpy(dtype=float)
    numbers = table.drop(columns=list(CATEGORIES)).to_numpy(dtype=float)
    numbers = numbers[:, numbers.max(axis=0) > 0]
    rows = np.hstack([one_hot, numbers / numbers.max(axis=0)])
    rows = rows[:, rows.any(axis=0)]
    return rows / np.sqrt(np.square(rows).sum(axis=1).max())


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trials", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--adjacency", choices=list(Adjacency), default="replace_one")
    asked = parser.parse_args()
    rows = kddcup()
    if rows is None:
        sys.exit(f"{FILE} is not there: name its folder in DPCA_DATA.")
    n, d = rows.shape
    problem = Problem.from_moment(rows.T @ rows, n, 4)
    budget = Budget(0.1, 0.01, Adjacency(asked.adjacency))
    kept = problem.spectrum[:4].sum()
    print(
        f"n = {n:,}, d = {d}, k = 4, ε = 0.1, δ = 0.01, {asked.adjacency}\n"
        f"q(V_4) = {kept / n:.4f}, {kept / problem.spectrum.sum():.3f} of the trace, eigengap "
        f"{problem.gap:,.0f} people\n"
    )
    print(
        f"{'mechanism':30}{'noise':>22}{'captured: median':>18}{'worst':>8}{'sin Θ':>8}  what holds"
    )
    for mechanism in MECHANISMS.values():
        trials = asked.trials if mechanism.relative_cost <= SLOWEST else max(2, asked.trials // 10)
        try:
            release = mechanism.release(problem, budget, np.random.default_rng(asked.seed), trials)
        except InfeasibleBudget as error:
            print(f"{mechanism.name:30}{'':22}{error}")
            continue
        found = claim_of(mechanism, problem, budget)
        answered = quality(problem, release.bases[~release.refused])
        noise = f"{found.noise.symbol} = {found.noise.scale:.4g}"
        held = f"ε = {found.guarantee.epsilon:.3g}, δ = {found.guarantee.delta:.3g}"
        if release.refused.all():
            print(f"{mechanism.name:30}{noise:>22}  refuses")
            continue
        print(
            f"{mechanism.name:30}{noise:>22}{np.median(answered.captured):18.4f}"
            f"{answered.captured.min():8.4f}{np.median(answered.sin_theta):8.3f}  {held}, "
            f"{found.guarantee.standing}"
        )


if __name__ == "__main__":
    main()
