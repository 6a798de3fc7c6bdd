"""Differences of pairs beside rows of length 1 about the middle of ranges: docs/pairs.md.

    python -m benchmarks.pairs

Share of what PCA of the rows less their mean keeps of their variation: mean of releases by Gaussian
noise where one person is replaced, k = 2, δ = 10⁻⁶; each of pairs draws a matching of its own.
"""

from dataclasses import replace
from math import sqrt

import numpy as np

from benchmarks.frontier_data import TABLES
from dpca_core import MECHANISMS, Adjacency, Budget, Problem
from dpca_core.data.clipping import to_length_one
from dpca_core.data.pairs import problem_of_pairs
from dpca_core.metrics import quality
from dpca_core.simulation.trials import trial_generator
from papers.data import DataMissingError

SETS = (
    "rand",
    "breast_cancer",
    "wine",
    "chaudhuri",
    "digits",
    "coil2000",
    "imtiaz",
    "kdd",
    "mnist",
)
EPSILONS = (0.1, 0.3, 1.0)
FEW, MANY, LARGE = 3, 60, 5_000_000


def measured(name: str) -> str:
    """Return a line of the table, rows before pairs at each ε; the better one is bold if sure."""
    rows, gaussian = TABLES[name].rows(), MECHANISMS["gaussian"]
    trials = FEW if rows.size > LARGE else MANY
    about = Problem.from_rows(rows, 2)
    mean = rows.mean(axis=0)
    truth = replace(about, moment=about.moment - len(rows) * np.outer(mean, mean), rows=None)
    unit = Problem.from_rows(to_length_one(rows), 2)
    cells = []
    for epsilon in EPSILONS:
        budget, kept = Budget(epsilon, 1e-6, Adjacency.REPLACE_ONE), np.empty((2, trials))
        for trial in range(trials):
            rng = trial_generator(0, "pairs", trial)
            for kind, problem in enumerate((unit, problem_of_pairs(rows, 2, rng))):
                kept[kind, trial] = quality(
                    truth, gaussian.release(problem, budget, rng).bases
                ).captured[0]
        error = kept.std(axis=1, ddof=1) / sqrt(trials)
        means, sure = kept.mean(axis=1), 3 * sqrt(error @ error)
        best = means.argmax() if abs(means[0] - means[1]) > sure else None
        cells += [f"**{m:.3f}**" if i == best else f"{m:.3f}" for i, m in enumerate(means)]
    return " | ".join(["", name, f"{len(rows):,} × {rows.shape[1]}", *cells, ""]).strip()


def main() -> None:
    """Print the table, a line as soon as it is measured."""
    heads = [f"{kind}, ε = {epsilon:g}" for epsilon in EPSILONS for kind in ("length 1", "pairs")]
    print(" | ".join(["", "data", "people × columns", *heads, ""]).strip())
    print("|" + "---|" * (2 + len(heads)))
    for name in SETS:
        try:
            print(measured(name), flush=True)
        except DataMissingError as missing:
            print(f"| {name} | {missing} |")


if __name__ == "__main__":
    main()
