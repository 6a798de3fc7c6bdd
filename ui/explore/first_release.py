"""The releases of a very wide table's first answer."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from dpca_core.metrics import quality
from dpca_core.privacy.budget import InfeasibleBudget, NotDrawnInTime
from dpca_core.simulation.trials import Point, TrialDraws, TrialMetrics, run_trials


def measured_first(draws: TrialDraws, points: Sequence[Point]) -> TrialMetrics:
    """Measure as ``run_trials`` does, but one point without turning the noise.

    One by one the top of noisy matrices is found soonest as they are.
    """
    problem, budget = points[0]
    if len(points) == 1 and draws.mechanism.publishes_matrix:
        with suppress(InfeasibleBudget, NotDrawnInTime):
            # Sent to another process without eigenvectors, which it does not need.
            release = draws.release(replace(problem, rows=None), budget)
            captured, of_all, sine = (metric[None] for metric in quality(problem, release.bases))
            return TrialMetrics(captured, of_all, sine, release.refused[None], ("",))
    return run_trials(draws, points)
