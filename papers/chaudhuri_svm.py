"""Chaudhuri, Sarwate & Sinha 2013, Table 2: accuracy of a classifier on projected data."""

from functools import cache
from typing import Any

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.privacy.budget import Adjacency, Budget
from dpca_core.problem import Problem
from dpca_core.simulation.trials import trial_generator
from papers.card import (
    Axis,
    Card,
    Link,
    Panel,
    Role,
    Series,
    Setting,
    Statement,
    Verdict,
    named,
    released,
)
from papers.data import KDDCUP, kddcup_raw, kddcup_rows
from papers.store import printed_values
from papers.svm import Split, error_of
from papers.table import Table

KEY = "chaudhuri-table-2"
NORMAL, FALLING = 0.0, 1.0
"""Places of the two tasks."""
K, EPSILON, DELTA = 4, 0.1, 0.01
PERMUTATIONS, PROJECTIONS, TRAINED = 5, 5, 0.1
RANDOM, MAJORITY = "random projections", "always the same answer"
ALMOST = 0.5
"""Percentage points within which one accuracy is almost as good as another."""


@cache
def _labels() -> Array:
    """Whether a connection is normal (494021,), as 0 and 1."""
    _, _, labels = kddcup_raw()
    return np.array([label.startswith("normal") for label in labels], dtype=float)


@cache
def _rows() -> Array:
    return kddcup_rows()[0]


def _halves(permutation: int, seed: int) -> tuple[Any, Any]:
    """Indices of the half for the directions, and of the other half."""
    rng = trial_generator(seed, f"{KEY} permutation", permutation)
    order = rng.permutation(len(_rows()))
    return order[: len(order) // 2], order[len(order) // 2 :]


@cache
def _problem(permutation: int, seed: int) -> Problem:
    rows = _rows()[_halves(permutation, seed)[0]]
    return Problem.from_moment(rows.T @ rows, len(rows), K)


def _accuracy(series: Series, trial: int, seed: int) -> float:
    """Percentage of test rows that are classified rightly, in one of 5 × 5 trials."""
    permutation = trial // PROJECTIONS
    budget = Budget(EPSILON, DELTA, Adjacency.REPLACE_ONE)
    one = range(trial, trial + 1)
    basis = released(series, _problem(permutation, seed), budget, one, seed)[0]
    rest = _halves(permutation, seed)[1]
    trained = int(TRAINED * len(rest))
    projected, labels = _rows()[rest] @ basis, _labels()[rest]
    split = Split(projected[:trained], labels[:trained], projected[trained:], labels[trained:])
    return 100 - error_of(split, np.eye(K), standardised=False)


def _measure(series: Series, place: float, trials: range, seed: int) -> list[float]:
    """Accuracies in percent (T,); of localization, whose file is not at hand, none."""
    return [_accuracy(series, t, seed) if place == NORMAL else np.nan for t in trials]


def _majority(place: float) -> float:
    share = float(_labels().mean()) if place == NORMAL else np.nan
    return 100 * max(share, 1 - share)


def _more_variable(t: Table) -> bool:
    least = min(t.sd(other, NORMAL) for other in ("MOD-SULQ", RANDOM))
    return least > max(t.sd(other, NORMAL) for other in ("PCA", "PPCA"))


def _tell(t: Table) -> tuple[str, str]:
    def spread(key: str) -> str:
        return f"{t.mean(key, NORMAL):.1f} ± {t.sd(key, NORMAL):.1f} %"

    return (
        f"On kddcup the order is theirs at ε = {EPSILON:g}: PCA is right in "
        f"{t.mean('PCA', NORMAL):.2f} % of rows, PPCA in {t.mean('PPCA', NORMAL):.2f} %, MOD-SULQ "
        f"in {spread('MOD-SULQ')} and random directions in {spread(RANDOM)}. The calibrated "
        f"Gaussian reaches {t.mean('Gaussian', NORMAL):.2f} %.",
        f"Always the same answer is right in {t.mean(MAJORITY, NORMAL):.1f} %, the best of the "
        f"random directions reach {t.values(RANDOM, NORMAL).max():.1f} %: accuracy is a blunt "
        "measure of directions. Localization is not run: no file is at hand. Its printed "
        f"{printed_values(KEY)['PCA', FALLING]:g} % without privacy suggests that the label is "
        "among the features: an inference of ours, from their number alone.",
    )


def table_2() -> Card:
    """Table 2: kddcup; localization is printed alone."""
    shared = {"data": "kddcup", "epsilon": f"{EPSILON:g}", "delta": f"{DELTA:g}", "k": f"{K}"}
    shared |= {"adjacency": "replace_one"}
    mechanisms = "mod_sulq,gaussian,wishart_difference,random_projection,non_private"
    return Card(
        key=KEY,
        paper="chaudhuri",
        number="Table 2",
        title="Accuracy of a linear classifier",
        asks="Do private directions serve a classifier?",
        panels=(
            Panel(
                named("data", "kddcup99: normal or not", "localization: falling or not"),
                Axis("accuracy, % of test rows", high=100.0),
                (
                    Series("PCA", "PCA", Role.REFERENCE, "non_private"),
                    Series("PPCA", "PPCA, Gibbs", Role.PRINTED, "ppca_gibbs", approximate=True),
                    Series("MOD-SULQ", "MOD-SULQ", Role.PRINTED, "mod_sulq"),
                    Series("Gaussian", "Gaussian, calibrated", Role.REPAIRED, "gaussian"),
                    Series(RANDOM, "Random directions", Role.REFERENCE, "random_projection"),
                    Series(MAJORITY, "Always the same answer", Role.REFERENCE, formula=_majority),
                ),
                measure=_measure,
            ),
        ),
        settings=(
            Setting("k", "4 and 10"),
            Setting("ε", f"{EPSILON:g}", "not printed; that of Figures 3 and 4"),
            Setting("δ", f"{DELTA:g}", "not printed; that of Figures 3 and 4"),
            Setting("directions from", "half of the rows"),
            Setting("trained on", "10 % of the rest"),
            Setting("classifier", "linear SVM, C = 1", "tuned with libSVM in the paper"),
            Setting("PPCA", "20 Gibbs sweeps", "the paper runs 20,000 steps"),
            Setting("runs", "5 projections of 5 permutations"),
            Setting("localization", "not run", "no file at hand"),
        ),
        statements=(
            Statement(
                "our algorithm performs almost as well as non-private PCA for classification in "
                "the top-k PCA subspace",
                "section 6.4",
                lambda t: not t.below("PPCA", "PCA", NORMAL, ALMOST),
            ),
            Statement(
                "the performance of MOD-SULQ and random projections are a little worse",
                "section 6.4",
                lambda t: all(t.above("PPCA", other, NORMAL) for other in ("MOD-SULQ", RANDOM)),
            ),
            Statement(
                "The classification accuracy while using MOD-SULQ and random projections also "
                "appears to have higher variance",
                "section 6.4",
                _more_variable,
            ),
        ),
        tell=_tell,
        verdict=Verdict.ALL_HOLD,
        links=(
            Link("explore", {"view": "all", **shared, "axis": "epsilon", "trials": "20",
                             "mechanisms": mechanisms}),
            Link("explore", {**shared, "mechanism": "mod_sulq"}),
        ),
        trials=PERMUTATIONS * PROJECTIONS,
        seconds=60.0,
        needs=(KDDCUP,),
    )  # fmt: skip
