"""The golden table: what every mechanism answers at fixed settings, and releases at a fixed seed.

A change that only moves or renames must leave it as it is. Only a commit that means to change a
number may write it anew, by ``python -m tests.golden.test_table``, and says so in its body.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from dpca_core import MECHANISMS, Adjacency, Budget, InfeasibleBudget, Problem
from dpca_core.linalg.symmetric import rows_with_sum
from dpca_core.metrics import quality

FILE = Path(__file__).with_name("table.csv")
ADD, REPLACE = Adjacency
STEEP, LEVEL = [90.0, 40.0, 20.0, 10.0, 5.0, 2.0, 1.0], [30.0, 28.0, 25.0, 20.0, 19.0, 10.0]
SETTINGS = {
    "steep, small ε": (STEEP, 2, Budget(0.1, 1e-6, ADD)),
    "steep, a person replaced": (STEEP, 2, Budget(4.0, 1e-6, REPLACE)),
    "level, δ = 0": (LEVEL, 3, Budget(1.0, 0.0, ADD)),
}
PEOPLE, SEED, TRIALS = 200, 20, 3
REPEATED = ("ppca", "ppca_sequential", "ppca_gibbs", "eigenvector_sampling", "local_sparse")
"""They draw until a draw is accepted, or repeat until little changes: the last digit decides."""


def answers(key, setting):
    """Noise, guarantee, claim, refusal, and what three releases capture."""
    spectrum, k, budget = SETTINGS[setting]
    mechanism, problem = MECHANISMS[key], Problem.from_spectrum(spectrum, PEOPLE, k)
    row: dict[str, object] = {"mechanism": key, "setting": setting}
    try:
        for name, promise in [
            ("guarantee", mechanism.guarantee(problem, budget)),
            ("claim", mechanism.claim(problem, budget)),
        ]:
            if promise is not None:
                row |= {f"{name}_epsilon": promise.epsilon, f"{name}_delta": promise.delta}
                row |= {f"{name}_standing": promise.standing, f"{name}_notion": promise.notion}
        row["exact"] = mechanism.guarantee(problem, budget).exact
        noise = mechanism.calibrate(problem, budget)
        row |= {"scale": noise.scale, "unit": noise.unit, "symbol": noise.symbol}
        row["relative_noise"] = mechanism.relative_noise(problem, budget)
        row["entry_noise"] = noise.entry
    except InfeasibleBudget as refusal:
        return row | {"refusal": str(refusal)}
    if key not in REPEATED:
        moment = np.diag(spectrum)
        whole = Problem.from_moment(moment, PEOPLE, k, rows=rows_with_sum(moment))
        release = mechanism.release(whole, budget, np.random.default_rng(SEED), TRIALS)
        row["captured"] = np.nansum(quality(whole, release.bases).captured)
    return row


def table():
    """Every mechanism at every setting."""
    return pd.DataFrame([answers(key, setting) for key in MECHANISMS for setting in SETTINGS])


TOLERANCE = {"captured": 1e-6}
"""Eigenvectors of S + noise are rounded otherwise by other processors. All else is decided by the
spectrum and the budget, which no BLAS computes: to the 15 digits written, less a few of rounding in
special functions."""


def test_numbers_and_texts_are_those_written():
    written, now = pd.read_csv(FILE), table()
    assert list(now.columns) == list(written.columns)
    assert len(now) == len(written)
    for column in now:
        if written[column].dtype.kind == "f":
            found, expected = now[column].astype(float), written[column]
            tolerance = TOLERANCE.get(column, 1e-11)
            np.testing.assert_allclose(found, expected, rtol=tolerance, err_msg=column)
        else:
            assert list(now[column].dropna()) == list(written[column].dropna()), column


if __name__ == "__main__":
    table().to_csv(FILE, index=False, float_format="%.15g", lineterminator="\n")
