"""Many releases along an axis, as arrays: the numbers behind every curve."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import nan

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import SharedNoise
from dpca_core.mechanisms.noise_on_s import NoiseOnS
from dpca_core.metrics import Quality, quality
from dpca_core.privacy.budget import Budget, InfeasibleBudget, NotDrawnInTime
from dpca_core.problem import Problem
from dpca_core.runtime.threads import thread_pool
from dpca_core.simulation.draws import TrialDraws
from dpca_core.simulation.perturbation import weights_along

Point = tuple[Problem, Budget]


@dataclass(frozen=True)
class TrialMetrics:
    """Metrics of releases along an axis of G points, T trials each; NaN where nothing was released.

    ``notes`` holds a sentence for each point that the mechanism cannot serve, and for those that
    take too long to draw: there the metrics are NaN though nothing is refused.
    """

    captured: Array
    captured_of_all: Array
    sin_theta: Array
    refused: np.ndarray
    notes: tuple[str, ...]


def run_trials(draws: TrialDraws, points: Sequence[Point], *, exact: bool = False) -> TrialMetrics:
    """Measure every trial at every point of an axis.

    The points share each trial's randomness. Releases are judged by their problem's truth. Where
    that is the problem itself, noise on S goes through ``perturbation``, whose errors are far below
    the standard error of a mean of hundreds of releases, or ``exact`` in double precision; all else
    goes through the mechanism's own release, in as many threads as there are processors. Where that
    takes longer than the executor of long work allows, a note says so.
    """
    try:
        return draws.run(points[0][0].d, len(points), _run_trials, draws, points, exact)
    except NotDrawnInTime as late:
        missing = np.full((len(points), len(draws.trials)), nan)
        none_refused = np.zeros(missing.shape, dtype=bool)  # a release there would not be refused
        return TrialMetrics(missing, missing, missing, none_refused, (str(late),) * len(points))


def _run_trials(draws: TrialDraws, points: Sequence[Point], exact: bool) -> TrialMetrics:
    by_itself = all(problem.judges_itself for problem, _ in points)
    if isinstance(draws.mechanism, NoiseOnS) and by_itself:
        return _of_noise_on_s(draws, points, exact)
    if isinstance(draws.mechanism, SharedNoise):
        # Drawn before threads ask for it. Where there is none for so many columns, points say so.
        for d, k in {(problem.d, problem.k) for problem, _ in points}:
            with suppress(InfeasibleBudget):
                draws.unit(d, k)

    def one(point: Point) -> tuple[Array, Array, Array, np.ndarray, str]:
        try:
            release = draws.release_here(*point)
        except InfeasibleBudget as why:
            missing = np.full(len(draws.trials), nan)
            # What is only not drawn in time would not be refused.
            refused = np.full(len(missing), not isinstance(why, NotDrawnInTime))
            return missing, missing, missing, refused, str(why)
        return *quality(point[0], release.bases), release.refused, ""

    with thread_pool() as pool:
        *measured, notes = zip(*pool.map(one, points), strict=True)
    captured, of_all, sine, refused = map(np.stack, measured)
    return TrialMetrics(captured, of_all, sine, refused, notes)


def _of_noise_on_s(draws: TrialDraws, points: Sequence[Point], exact: bool) -> TrialMetrics:
    """Metrics of S + scale·E: one solution for all points whose S have the same eigenvectors."""
    scales, notes = np.full(len(points), nan), [""] * len(points)
    shared: dict[int, list[int]] = {}
    for i, (problem, budget) in enumerate(points):
        try:
            scales[i] = draws.mechanism.calibrate(problem, budget).scale
            shared.setdefault(id(problem.eigenvectors), []).append(i)
        except InfeasibleBudget as infeasible:
            notes[i] = str(infeasible)
    metrics = np.full((3, len(points), len(draws.trials)), nan)
    for at in shared.values():
        problem = points[at[0]][0]
        # At n' people S is n'/n of what it is at n: as if the noise were n/n' times as large.
        relative = scales[at] * problem.n / np.array([points[i][0].n for i in at])
        ks = np.array([points[i][0].k for i in at])
        noises = draws.turned(problem)
        weights = weights_along(problem.spectrum, ks, relative, noises, exact=exact)
        metrics[:, at] = np.swapaxes(quality_along(problem.spectrum, ks, weights), 1, 2)
    refused = np.repeat(np.isnan(scales)[:, None], len(draws.trials), axis=1)
    return TrialMetrics(metrics[0], metrics[1], metrics[2], refused, tuple(notes))


def quality_along(spectrum: Array, ks: np.ndarray, weights: Array) -> Quality:
    """Metrics (…, G) of subspaces by their squared projections (…, G, d) on eigenvectors of S."""
    inside = np.arange(len(spectrum)) < ks[:, None]
    # One point at a time: a matrix product's rounding depends on how many points it has.
    captured, top = np.vecdot(weights, spectrum), (inside * spectrum).sum(axis=1)
    outside = (weights * ~inside).sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return Quality(captured / top, captured / spectrum.sum(), np.sqrt(outside))
