"""What every mechanism keeps of the KDD Cup 1999 data at the papers' setting.

n = 494,021 connections, d = 116 columns (80 one-hot, 36 numbers each divided by its maximum; all
rows then divided by the one largest norm, which reads private data), k = 4, ε = 0.1, δ = 0.01,
one person replaced. The sum over all rows comes with the product.

    python -m papers.kddcup --trials 50
"""

import argparse

import numpy as np

from dpca_core import MECHANISMS, Adjacency, Budget, InfeasibleBudget
from dpca_core.analysis.claims import claim_of
from dpca_core.metrics import quality
from sample_data import load_key

SLOWEST = 20.0


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trials", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--adjacency", choices=list(Adjacency), default="replace_one")
    asked = parser.parse_args()
    problem = load_key("kddcup").problem(4)
    n, d = problem.n, problem.d
    budget = Budget(0.1, 0.01, Adjacency(asked.adjacency))
    kept = problem.spectrum[:4].sum()
    print(
        f"n = {n:,.0f}, d = {d}, k = 4, ε = 0.1, δ = 0.01, {asked.adjacency}\n"
        f"q(V_4) = {kept / n:.4f}, {kept / problem.spectrum.sum():.3f} of the trace, eigengap "
        f"{problem.gap:,.0f} people\n"
    )
    print(
        f"{'mechanism':30}{'noise':>22}{'captured: median':>18}{'worst':>8}{'sin Θ':>8}  what holds"
    )
    for mechanism in MECHANISMS.values():
        trials = asked.trials if mechanism.cost <= SLOWEST else max(2, asked.trials // 10)
        try:
            release = mechanism.release(problem, budget, np.random.default_rng(asked.seed), trials)
        except InfeasibleBudget as error:
            print(f"{mechanism.name:30}{'':22}{error}")
            continue
        found = claim_of(mechanism, problem, budget)
        answered = quality(problem, release.bases[~release.refused])
        assert found.noise is not None
        assert found.guarantee is not None
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
