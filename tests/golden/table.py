"""The golden table: what every mechanism answers at fixed settings and seeds, digit for digit.

A change that only moves or renames must leave it as it is. ``python -m tests.golden.table`` writes
it anew, which only a commit that means to change a number may do, and says so in its body.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from dpca_core import MECHANISMS, Adjacency, Budget, InfeasibleBudget
from dpca_core.metrics import quality
from sample_data import CATALOGUE

FILE = Path(__file__).with_name("table.csv")
SETTINGS = [
    ("wine", 2, 0.1, Adjacency.ADD_OR_REMOVE_ONE),
    ("wine", 2, 4.0, Adjacency.REPLACE_ONE),
    ("rand", 2, 1.0, Adjacency.ADD_OR_REMOVE_ONE),
    ("rand", 3, 0.1, Adjacency.REPLACE_ONE),
    ("rand", 3, 8.0, Adjacency.ADD_OR_REMOVE_ONE),
]
DELTA, SEED, TRIALS = 1e-6, 20, 3
IDENTITY = ["mechanism", "data", "k", "epsilon", "adjacency"]


def answers(key: str, data: str, k: int, epsilon: float, adjacency: Adjacency) -> dict[str, object]:
    """Noise, guarantee, claim and the quality of three releases of one mechanism."""
    mechanism, problem = MECHANISMS[key], CATALOGUE[data].make().problem(k)
    budget = Budget(epsilon, DELTA, adjacency)
    row: dict[str, object] = dict(zip(IDENTITY, [key, data, k, epsilon, adjacency], strict=True))
    try:
        for name, promise in [
            ("guarantee", mechanism.guarantee(problem, budget)),
            ("claim", mechanism.claim(problem, budget)),
        ]:
            if promise is not None:
                row |= {f"{name}_epsilon": promise.epsilon, f"{name}_delta": promise.delta}
                row |= {f"{name}_standing": promise.standing}
        noise = mechanism.calibrate(problem, budget)
        row |= {"scale": noise.scale, "unit": noise.unit, "symbol": noise.symbol}
        row["relative_noise"] = mechanism.relative_noise(problem, budget)
        row["entry_noise"] = mechanism.entry_noise(problem, budget)
        release = mechanism.release(problem, budget, np.random.default_rng(SEED), TRIALS)
    except InfeasibleBudget as refusal:
        return row | {"refusal": str(refusal)}
    row["refused"] = int(release.refused.sum())
    found = quality(problem, release.bases)
    row["captured"], row["sin_theta"] = np.nansum(found.captured), np.nansum(found.sin_theta)
    return row


def table() -> pd.DataFrame:
    """Every mechanism at every setting."""
    return pd.DataFrame([answers(key, *setting) for key in MECHANISMS for setting in SETTINGS])


if __name__ == "__main__":
    table().to_csv(FILE, index=False, float_format="%.17g", lineterminator="\n")
