"""Releases from subsets of Covertype, each drawn anew, as the authors' later code runs them."""

from collections.abc import Sequence

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import Adjacency
from dpca_core.problem import Problem
from dpca_core.simulation.trials import trial_generator
from papers.captured import Along, captured_measure
from papers.experiment import Series
from papers.tables import covtype_raw

PEOPLE = 5_000
"""Rows of a subset in the first author's stored runs."""


def subset_measure(
    series: Series, places: Sequence[float], trials: range, seed: int, delta: float
) -> Array:
    """Captured shares (G, T); trial t takes raw rows of Covertype without replacement.

    They are taken less their own mean, over their own largest norm.

    Raises
    ------
    DataMissingError
        Without the rows of Covertype.
    """
    rows, _, _ = covtype_raw()
    found = []
    for trial in trials:
        rng = trial_generator(seed, f"subset of {MECHANISMS[series.mechanism or ''].key}", trial)
        chosen = rows[rng.choice(len(rows), PEOPLE, replace=False)]
        chosen = chosen - chosen.mean(axis=0)
        chosen /= np.linalg.norm(chosen, axis=1).max()
        problem = Problem.from_rows(chosen, 10)
        measure = captured_measure(
            lambda series, problem=problem: problem,  # type: ignore[misc]
            along=Along.EPSILON,
            delta=delta,
            adjacency=Adjacency.ADD_OR_REMOVE_ONE,
        )
        found.append(measure(series, places, range(trial, trial + 1), seed))
    return np.hstack(found)
