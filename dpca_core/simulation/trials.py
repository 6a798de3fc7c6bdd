"""Many trials along an axis: their randomness, common to all points, and the numbers of curves."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from math import nan
from typing import Any, TypeVar
from zlib import crc32

import numpy as np

from dpca_core.data.dataset import Dataset
from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import symmetrized
from dpca_core.mechanisms.mechanism import Mechanism, Release, SharedNoise
from dpca_core.mechanisms.noise_on_s import NoiseOnS
from dpca_core.mechanisms.second_look import Looks
from dpca_core.metrics import Quality, quality
from dpca_core.privacy.budget import Budget, InfeasibleBudget, NotDrawnInTime
from dpca_core.problem import Problem
from dpca_core.runtime.offload import expected_seconds, run
from dpca_core.runtime.threads import in_parts, thread_pool
from dpca_core.simulation.perturbation import weights_along

R = TypeVar("R")
Point = tuple[Problem, Budget]

MOST_KEPT = 2**15
"""Most entries of unit noise that the cache shared by all callers keeps."""
ENTRIES_WORTH_A_THREAD, CUBES_WORTH_A_THREAD = 10**5, 5e6
"""Entries of unit noise to draw, and trials times cubes of d to turn, that take milliseconds."""
FEWEST_NORMS, MOST_NORMS, NORM_SECONDS = 8, 200, 0.2
"""Trials whose norms have a median: as many as pages draw, fewer where columns are many."""


def trial_generator(seed: int, key: str, trial: int) -> np.random.Generator:
    """Return the generator of one trial, so that adding others changes no other numbers."""
    sequence = np.random.SeedSequence(seed, spawn_key=(crc32(key.encode()), trial))
    return np.random.default_rng(sequence)


class TrialDraws:
    """The randomness of one mechanism's trials, drawn once and kept for a whole axis."""

    def __init__(self, mechanism: Mechanism, seed: int, trials: range) -> None:
        self.mechanism, self.seed, self.trials = mechanism, seed, trials
        self._units: dict[tuple[int, int], tuple[Array, ...]] = {}
        self._turned: tuple[Array, Array] | None = None

    def unit(self, d: int, k: int) -> tuple[Array, ...]:
        """Return unit noise of all trials at (d, k), each array with a leading trials axis."""
        assert isinstance(self.mechanism, SharedNoise)
        if isinstance(self.mechanism, NoiseOnS):
            k = 1  # its noise is the same for every k
        if (d, k) not in self._units:
            draw = shared_units if len(self.trials) * d * d <= MOST_KEPT else _drawn
            self._units[d, k] = draw(self.mechanism, self.seed, self.trials, d, k)
        return self._units[d, k]

    def turned(self, problem: Problem) -> Array:
        """Return unit noise on S (T, d, d) in the eigenbasis of a problem's S, without its trace.

        A multiple of I turns no direction. Kept for problems that share these eigenvectors.
        """
        vectors = problem.eigenvectors
        if self._turned is None or self._turned[0] is not vectors:
            noises, d = self.unit(problem.d, problem.k)[0], problem.d

            def turned(some: Array) -> Array:
                found = symmetrized(vectors.T @ some @ vectors)
                middles = np.trace(found, axis1=1, axis2=2) / d
                return np.asarray(found - middles[:, None, None] * np.eye(d))

            alone = noises.size * d <= CUBES_WORTH_A_THREAD
            self._turned = vectors, turned(noises) if alone else in_parts(turned, noises)
        return self._turned[1]

    def release(self, problem: Problem, budget: Budget) -> Release:
        """Simulate every trial at one point with its own generator; NotDrawnInTime for a page."""
        return self.run(problem.d, 1, TrialDraws.release_here, self, problem, budget)

    def release_here(self, problem: Problem, budget: Budget) -> Release:
        """Simulate as ``release`` does, but in this process."""
        if isinstance(self.mechanism, SharedNoise):
            return self.mechanism.apply(problem, budget, self.unit(problem.d, problem.k))
        key = self.mechanism.key
        generators = [trial_generator(self.seed, key, trial) for trial in self.trials]
        drawn = [self.mechanism.simulate(problem, budget, rng) for rng in generators]
        return Release(np.concatenate([release.bases for release in drawn]))

    def run(self, d: int, points: int, work: Callable[..., R], *args: Any) -> R:
        """Do work on all trials at some points: long work elsewhere, unless it reads rows."""
        if isinstance(self.mechanism, Looks):
            return work(*args)
        seconds = expected_seconds(d, self.mechanism.cost) * len(self.trials) * points
        return run(seconds, work, *args)

    def __getstate__(self) -> dict[str, Any]:
        """Everything but what was drawn: another process draws the same again."""
        return vars(self) | {"_units": {}, "_turned": None}


def _drawn(mechanism: SharedNoise, seed: int, trials: range, d: int, k: int) -> tuple[Array, ...]:
    def one(trial: int) -> tuple[Array, ...]:
        return mechanism.unit(d, k, trial_generator(seed, mechanism.key, trial), 1)

    if d * d < ENTRIES_WORTH_A_THREAD or len(trials) == 1:
        drawn = [one(trial) for trial in trials]
    else:
        with thread_pool() as pool:
            drawn = list(pool.map(one, trials))
    parts = tuple(np.concatenate(part) for part in zip(*drawn, strict=True))
    for part in parts:
        part.flags.writeable = False
    return parts


# Unit noise follows from public numbers, never from data: it may be shared.
shared_units = lru_cache(maxsize=128)(_drawn)


@dataclass(frozen=True)
class TrialMetrics:
    """Metrics (G, T) of releases at G points, NaN where there is none, as its note says."""

    captured: Array
    captured_of_all: Array
    sin_theta: Array
    refused: np.ndarray
    notes: tuple[str, ...]


def run_trials(draws: TrialDraws, points: Sequence[Point], *, exact: bool = False) -> TrialMetrics:
    """Measure every trial at every point of an axis.

    Releases are judged by their problem's truth. Where that is the problem itself, noise on S goes
    through ``perturbation``, whose errors are far below the standard error of a mean of hundreds of
    releases, or ``exact`` in double precision; all else goes through the mechanism's own release.
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


def releases_with_means(
    dataset: Dataset,
    mechanism: Mechanism,
    k: int,
    budget: Budget,
    seed: int,
    trials: range,
    n: float | None = None,
) -> Array:
    """Simulate released bases (T, d, k), NaN where refused, each about a private mean of its own.

    A mean that all trials share is one accident: releases may agree with each other, and none with
    the true directions. Mean and mechanism share the budget; each release costs a pass over rows.
    """
    bases = []
    for trial in trials:
        mean_seed = int(trial_generator(seed, "private mean", trial).integers(2**63))
        problem, own_budget = dataset.point(k, n, budget, mean_seed)
        rng = trial_generator(seed, mechanism.key, trial)
        bases.append(mechanism.simulate(problem, own_budget, rng).bases)
    return np.concatenate([np.empty((0, dataset.d, k)), *bases])


def noise_norms(draws: TrialDraws, d: int) -> Array | None:
    """Spectral norms (T,) of the unit noise on S, half its range if one-sided; None for none."""
    if not isinstance(draws.mechanism, NoiseOnS):
        return None
    try:
        return _norms(draws.mechanism, draws.seed, draws.trials, d)
    except InfeasibleBudget:
        return None


@lru_cache(maxsize=1024)
def _norms(mechanism: NoiseOnS, seed: int, trials: range, d: int) -> Array:
    draws = TrialDraws(mechanism, seed, trials)
    norms = run(expected_seconds(d) * len(trials), _measured_norms, draws, mechanism, d)
    norms.flags.writeable = False
    return norms


def _measured_norms(draws: TrialDraws, mechanism: NoiseOnS, d: int) -> Array:
    values = np.linalg.eigvalsh(draws.unit(d, 1)[0])
    lowest, highest = values[:, 0], values[:, -1]
    norms = (highest - lowest) / 2 if mechanism.law.one_sided else np.maximum(-lowest, highest)
    return np.asarray(norms)


def norm_trials(d: int) -> int:
    """Return on how many draws a median norm rests: fewer of wide data, which take long."""
    return int(np.clip(NORM_SECONDS / expected_seconds(d), FEWEST_NORMS, MOST_NORMS))


def median_norm(mechanism: Mechanism, d: int, budget: Budget) -> float:
    """Median spectral norm of a mechanism's noise on S, in people; NaN where there is none."""
    norms = noise_norms(TrialDraws(mechanism, 0, range(norm_trials(d))), d)
    if norms is None:
        return nan
    try:
        scale = mechanism.calibrate(Problem(np.eye(d), float(d), 1), budget).scale
    except InfeasibleBudget:
        return nan
    return scale * float(np.median(norms))
