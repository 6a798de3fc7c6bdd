"""The releases of a very wide table's first answer."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np

from dpca_core.metrics import quality
from dpca_core.privacy.budget import InfeasibleBudget, NotDrawnInTime
from dpca_core.simulation.draws import TrialDraws
from dpca_core.simulation.precision import Precision
from dpca_core.simulation.trials import Point, TrialMetrics, run_trials


def measured_first(
    draws: TrialDraws, points: Sequence[Point], precision: Precision
) -> TrialMetrics:
    """Measure as ``run_trials`` does, but one point in double precision.

    One by one the top of noisy matrices is found soonest in double precision: what single precision
    finds of so many columns is seldom exact enough.
    """
    problem, budget = points[0]
    if len(points) == 1 and draws.mechanism.publishes_matrix:
        with suppress(InfeasibleBudget, NotDrawnInTime):
            # Sent to another process without eigenvectors, which it does not need.
            release = draws.release(replace(problem, rows=None), budget)
            found, exact = quality(problem, release.bases), np.zeros((2, 1, len(release.bases)))
            metrics = found.captured[None], found.captured_of_all[None], found.sin_theta[None]
            return TrialMetrics(*metrics, release.refused[None], ("",), exact)
    return run_trials(draws, points, precision)
