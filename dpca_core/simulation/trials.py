"""Many releases along an axis, as arrays: the numbers behind every curve."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import nan

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import SharedNoise
from dpca_core.mechanisms.noise_on_s import NoiseOnS, NoisySum
from dpca_core.metrics import Quality, quality
from dpca_core.privacy.budget import Budget, InfeasibleBudget, NotDrawnInTime
from dpca_core.problem import Problem
from dpca_core.runtime.offload import run
from dpca_core.runtime.threads import thread_pool
from dpca_core.simulation.draws import TrialDraws
from dpca_core.simulation.perturbation import (
    Axis,
    quality_of,
    shared_axes,
    weights_of_turned,
)
from dpca_core.simulation.precision import FEWEST_JUDGED, Precision, allowed_errors
from dpca_core.simulation.published_on_screen import published_weights
from dpca_core.simulation.screen import screen_weights
from dpca_core.simulation.screen_sizes import WIDE_COLUMNS, suits, suits_size

Point = tuple[Problem, Budget]


@dataclass(frozen=True)
class TrialMetrics:
    """Metrics of releases along an axis of G points, T trials each; NaN where nothing was released.

    ``notes`` holds, for each point that the mechanism cannot serve, the sentence that says why; and
    where it would take too long to draw: there the metrics are NaN though nothing is refused.
    ``errors`` (2, G, T) bounds the errors of captured and sin_theta; 0 in double precision.
    """

    captured: Array
    captured_of_all: Array
    sin_theta: Array
    refused: np.ndarray
    notes: tuple[str, ...]
    errors: Array

    @property
    def trials(self) -> int:
        """T."""
        return int(self.captured.shape[1])

    def joined(self, other: "TrialMetrics") -> "TrialMetrics":
        """Add more trials at the same points."""
        return TrialMetrics(
            np.hstack([self.captured, other.captured]),
            np.hstack([self.captured_of_all, other.captured_of_all]),
            np.hstack([self.sin_theta, other.sin_theta]),
            np.hstack([self.refused, other.refused]),
            self.notes,
            np.concatenate([self.errors, other.errors], axis=2),
        )


def run_trials(
    draws: TrialDraws, points: Sequence[Point], precision: Precision = Precision.DOUBLE
) -> TrialMetrics:
    """Measure every trial at every point of an axis.

    The points share each trial's randomness. Releases are judged by their problem's truth. Where
    that is the problem itself, noise on S goes through ``perturbation``; all else goes through the
    mechanism's own release. Solvers release the interpreter lock, so there are as many
    threads as processors, with one BLAS thread each. Long work is offloaded, unless it reads rows,
    which stay in their process; where it takes longer than the executor allows, a note says so.
    """
    if draws.mechanism.reads_rows:
        return _run_trials(draws, points, precision)
    seconds = draws.expected_seconds(points[0][0].d, len(points))
    try:
        return run(seconds, _run_trials, draws, points, precision)
    except NotDrawnInTime as late:
        missing = np.full((len(points), len(draws.trials)), nan)
        none_refused = np.zeros(missing.shape, dtype=bool)  # a release there would not be refused
        notes = (str(late),) * len(points)
        return TrialMetrics(
            missing, missing, missing, none_refused, notes, np.zeros((2, *missing.shape))
        )


def _run_trials(draws: TrialDraws, points: Sequence[Point], precision: Precision) -> TrialMetrics:
    by_itself = all(problem.judges_itself for problem, _ in points)
    alone = precision is Precision.SCREEN and len(points) == 1 and _is_wide(draws, points[0][0])
    if isinstance(draws.mechanism, NoiseOnS) and by_itself and not alone:
        return _of_matrix_noise(draws, draws.mechanism, points, precision)
    for problem, _ in {(p.d, p.k): (p, b) for p, b in points}.values():
        # Where there is no noise for so many columns, each point says so.
        with suppress(InfeasibleBudget):
            if isinstance(draws.mechanism, SharedNoise):
                draws.unit(problem.d, problem.k)

    def one(point: Point) -> tuple[Array, Array, Array, np.ndarray, str, Array]:
        problem, budget = point
        missing, exact = np.full(len(draws.trials), nan), np.zeros((2, len(draws.trials)))
        none = np.zeros(len(missing), dtype=bool)
        try:
            if precision is Precision.SCREEN and (found := _on_screen(draws, problem, budget)):
                return *found[0], none, "", found[1]
            release = draws._release(problem, budget)
        except NotDrawnInTime as slow:  # a release there would not be refused
            return missing, missing, missing, none, str(slow), exact
        except InfeasibleBudget as infeasible:
            return missing, missing, missing, ~none, str(infeasible), exact
        return *quality(problem, release.bases), release.refused, "", exact

    with thread_pool() as pool:
        columns = list(zip(*pool.map(one, points), strict=True))
    return TrialMetrics(
        np.stack(columns[0]),
        np.stack(columns[1]),
        np.stack(columns[2]),
        np.stack(columns[3]),
        tuple(columns[4]),
        np.stack(columns[5], axis=1),
    )


def _is_wide(draws: TrialDraws, problem: Problem) -> bool:
    """Tell whether noise is better not turned into the eigenbasis of S for one point alone."""
    return problem.d >= WIDE_COLUMNS and not draws.is_turned(problem)


def _on_screen(draws: TrialDraws, problem: Problem, budget: Budget) -> tuple[Quality, Array] | None:
    """Metrics (T,) of matrices published at one point, and bounds (2, T); None where it pays not.

    What is not exact enough by the spread of these very trials is left to double precision.
    """
    mechanism = draws.mechanism
    if not (
        isinstance(mechanism, NoisySum)
        and problem.judges_itself
        and suits_size(problem.d, problem.k)
    ):
        return None
    matrices = mechanism.published(problem, budget, draws.unit(problem.d, problem.k))
    weights, errors = published_weights(problem, matrices)
    axis = Axis(problem, np.array([problem.k]), np.ones(1))
    metrics = Quality(*(metric[:, 0] for metric in quality_of(axis, weights[:, None])))
    if len(weights) >= FEWEST_JUDGED:
        allowed = allowed_errors(np.stack([metrics.captured.std(), metrics.sin_theta.std()]))
        if (errors.mean(axis=1) > allowed).any():
            return None
    return metrics, errors


def _of_matrix_noise(
    draws: TrialDraws, mechanism: NoiseOnS, points: Sequence[Point], precision: Precision
) -> TrialMetrics:
    scales, notes = np.full(len(points), nan), [""] * len(points)
    for i, (problem, budget) in enumerate(points):
        try:
            scales[i] = mechanism.calibrate(problem, budget).scale
        except InfeasibleBudget as infeasible:
            notes[i] = str(infeasible)
    found = np.full((3, len(points), len(draws.trials)), nan)
    errors = np.zeros((2, len(points), len(draws.trials)))
    able = [i for i, note in enumerate(notes) if not note]
    for axis, at in shared_axes([points[i][0] for i in able], scales[able]):
        measured = _of_axis(draws, axis, precision)
        places = np.array(able)[at]
        for metric, values in zip((*found, *errors), measured, strict=True):
            metric[places] = values.T
    refused = np.isnan(scales)[:, None] & np.ones(len(draws.trials), dtype=bool)
    return TrialMetrics(found[0], found[1], found[2], refused, tuple(notes), errors)


def _of_axis(draws: TrialDraws, axis: Axis, precision: Precision) -> tuple[Array, ...]:
    """Metrics (T, G) along an axis, and bounds on the errors of the first and the last.

    What is not exact enough by the spread of these very trials is solved in double precision.
    """
    if precision is Precision.DOUBLE or not suits(axis):
        metrics = quality_of(axis, weights_of_turned(axis, draws.turned(axis.problem)))
        return (*metrics, np.zeros_like(metrics.captured), np.zeros_like(metrics.captured))
    noises = draws.centred(axis.problem)
    weights, errors = screen_weights(axis, noises, lambda: draws.largest(axis.problem))
    metrics = quality_of(axis, weights)
    if len(noises) >= FEWEST_JUDGED:
        spreads = np.stack([metrics.captured.std(axis=0), metrics.sin_theta.std(axis=0)])
        rough = (errors.mean(axis=1) > allowed_errors(spreads)).any(axis=0)
        if rough.any():
            part = Axis(axis.problem, axis.ks[rough], axis.scales[rough])
            weights[:, rough], errors[..., rough] = weights_of_turned(part, noises), 0.0
            metrics = quality_of(axis, weights)
    return (*metrics, *errors)
