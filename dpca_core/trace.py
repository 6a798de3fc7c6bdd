"""Many releases along an axis, as arrays: the numbers behind every curve."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import nan
from typing import Any
from zlib import crc32

import numpy as np

from dpca_core.budget import Budget, InfeasibleBudget, NotDrawnInTime
from dpca_core.elsewhere import done, expected
from dpca_core.engine import along, quality_of, weights_along
from dpca_core.linalg import Array
from dpca_core.mechanism import MatrixNoise, Mechanism, Release, SharedNoise
from dpca_core.metrics import quality
from dpca_core.problem import Problem
from dpca_core.threads import threads

Point = tuple[Problem, Budget]
MOST_KEPT = 2**15
"""Entries of unit noise that are kept for the next who asks for the same."""


def stream(seed: int, key: str, trial: int) -> np.random.Generator:
    """Return the generator of one trial of one mechanism.

    Keyed by (seed, mechanism, trial), so that adding or reordering mechanisms, trials or points of
    an axis changes nobody else's numbers.
    """
    return np.random.default_rng(
        np.random.SeedSequence(seed, spawn_key=(crc32(key.encode()), trial))
    )


@dataclass(frozen=True)
class Trace:
    """Metrics of releases along an axis of G points, T trials each; NaN where nothing was released.

    ``notes`` holds, for each point that the mechanism cannot serve, the sentence that says why; and
    where it would take too long to draw: there the metrics are NaN though nothing is refused.
    """

    captured: Array
    captured_of_all: Array
    sin_theta: Array
    refused: np.ndarray
    notes: tuple[str, ...]

    @property
    def trials(self) -> int:
        """T."""
        return int(self.captured.shape[1])

    def joined(self, other: "Trace") -> "Trace":
        """Add the trials of another trace on the same points."""
        return Trace(
            np.hstack([self.captured, other.captured]),
            np.hstack([self.captured_of_all, other.captured_of_all]),
            np.hstack([self.sin_theta, other.sin_theta]),
            np.hstack([self.refused, other.refused]),
            self.notes,
        )


class Draws:
    """The randomness of one mechanism's trials, drawn once and kept for a whole axis.

    Parameters
    ----------
    mechanism, seed, trials
        Trials are numbers of streams, see ``stream``.
    """

    def __init__(self, mechanism: Mechanism, seed: int, trials: range) -> None:
        self.mechanism, self.seed, self.trials = mechanism, seed, trials
        self._units: dict[tuple[int, int], tuple[Array, ...]] = {}

    def unit(self, d: int, k: int) -> tuple[Array, ...]:
        """Return unit noise of all trials at (d, k), each array with a leading trials axis."""
        assert isinstance(self.mechanism, SharedNoise)
        if (d, k) not in self._units:
            self._units[d, k] = _units(self.mechanism, self.seed, self.trials, d, k)
        return self._units[d, k]

    def release(self, problem: Problem, budget: Budget) -> Release:
        """Simulate every trial at one point with its own stream: for pages, nothing to publish.

        Raises
        ------
        NotDrawnInTime
            Where that takes too long for a page.
        """
        return done(self.expected(problem.d), Draws._release, self, problem, budget)

    def expected(self, d: int, points: int = 1) -> float:
        """Seconds that all trials take at some points on d columns, about."""
        return expected(d, self.mechanism.effort) * len(self.trials) * points

    def __getstate__(self) -> dict[str, Any]:
        """Everything but what was drawn: a copy draws the same again."""
        return vars(self) | {"_units": {}}

    def _release(self, problem: Problem, budget: Budget) -> Release:
        if isinstance(self.mechanism, SharedNoise):
            return self.mechanism.apply(problem, budget, self.unit(problem.d, problem.k))
        single = [self.mechanism.simulate(problem, budget, self._stream(t)) for t in self.trials]
        return Release(
            np.concatenate([r.bases for r in single]), np.concatenate([r.refused for r in single])
        )

    def _stream(self, trial: int) -> np.random.Generator:
        return stream(self.seed, self.mechanism.key, trial)


def _drawn(mechanism: SharedNoise, seed: int, trials: range, d: int, k: int) -> tuple[Array, ...]:
    drawn = [mechanism.unit(d, k, stream(seed, mechanism.key, t), 1) for t in trials]
    parts = tuple(np.concatenate(part) for part in zip(*drawn, strict=True))
    for part in parts:
        part.flags.writeable = False
    return parts


# Unit noise follows from public numbers, never from data: whoever asks next may have it.
shared_units = lru_cache(maxsize=128)(_drawn)


def _units(mechanism: SharedNoise, seed: int, trials: range, d: int, k: int) -> tuple[Array, ...]:
    draw = shared_units if len(trials) * d * d <= MOST_KEPT else _drawn
    # Noise on S is the same for every k.
    return draw(mechanism, seed, trials, d, 1 if isinstance(mechanism, MatrixNoise) else k)


def noise_norms(draws: Draws, d: int) -> Array | None:
    """Spectral norms (T,) of the unit noise on S; None for a mechanism that does not publish S.

    Of noise that only raises eigenvalues half its range: a multiple of I turns no direction.
    """
    if not isinstance(draws.mechanism, MatrixNoise):
        return None
    return _norms(draws.mechanism, draws.seed, draws.trials, d)


@lru_cache(maxsize=1024)
def _norms(mechanism: MatrixNoise, seed: int, trials: range, d: int) -> Array:
    found = done(expected(d) * len(trials), _found_norms, mechanism, seed, trials, d)
    found.flags.writeable = False
    return found


def _found_norms(mechanism: MatrixNoise, seed: int, trials: range, d: int) -> Array:
    values = np.linalg.eigvalsh(_units(mechanism, seed, trials, d, 1)[0])
    lowest, highest = values[:, 0], values[:, -1]
    norms = (highest - lowest) / 2 if mechanism.one_sided else np.maximum(-lowest, highest)
    return np.asarray(norms)


def trace(draws: Draws, points: Sequence[Point]) -> Trace:
    """Measure every trial at every point of an axis.

    The points share each trial's randomness. Noise on S goes through the engine, the rest through
    the mechanism's own release. Solvers let go of the interpreter lock, so there are as many
    threads as processors, with one BLAS thread each. What takes long is done where the program
    has a place for it, and is a note where it takes longer than that allows.
    """
    seconds = draws.expected(points[0][0].d, len(points))
    try:
        return done(seconds, _trace, draws, points)
    except NotDrawnInTime as late:
        missing = np.full((len(points), len(draws.trials)), nan)
        nobody = np.zeros(missing.shape, dtype=bool)  # a release there would not be refused
        return Trace(missing, missing, missing, nobody, (str(late),) * len(points))


def _trace(draws: Draws, points: Sequence[Point]) -> Trace:
    if isinstance(draws.mechanism, MatrixNoise):
        return _of_matrix_noise(draws, draws.mechanism, points)
    for problem, _ in {(p.d, p.k): (p, b) for p, b in points}.values():
        if isinstance(draws.mechanism, SharedNoise):
            draws.unit(problem.d, problem.k)

    def one(point: Point) -> tuple[Array, Array, Array, np.ndarray, str]:
        problem, budget = point
        missing = np.full(len(draws.trials), nan)
        try:
            release = draws._release(problem, budget)
        except NotDrawnInTime as slow:  # a release there would not be refused
            return missing, missing, missing, np.zeros(len(missing), dtype=bool), str(slow)
        except InfeasibleBudget as infeasible:
            return missing, missing, missing, np.ones(len(missing), dtype=bool), str(infeasible)
        return *quality(problem, release.bases), release.refused, ""

    with threads() as pool:
        columns = list(zip(*pool.map(one, points), strict=True))
    return Trace(
        np.stack(columns[0]), np.stack(columns[1]), np.stack(columns[2]), np.stack(columns[3]),
        tuple(columns[4]),
    )  # fmt: skip


def _of_matrix_noise(draws: Draws, mechanism: MatrixNoise, points: Sequence[Point]) -> Trace:
    scales, notes = np.full(len(points), nan), [""] * len(points)
    for i, (problem, budget) in enumerate(points):
        try:
            scales[i] = mechanism.calibrate(problem, budget).scale
        except InfeasibleBudget as infeasible:
            notes[i] = str(infeasible)
    found = np.full((3, len(points), len(draws.trials)), nan)
    able = [i for i, note in enumerate(notes) if not note]
    first = points[0][0]
    unit = draws.unit(first.d, first.k)[0] if len(able) else np.empty(0)
    for axis, at in along([points[i][0] for i in able], scales[able]):
        measured = quality_of(axis, weights_along(axis, unit))
        for metric, values in zip(found, measured, strict=True):
            metric[np.array(able)[at]] = values.T
    refused = np.isnan(scales)[:, None] & np.ones(len(draws.trials), dtype=bool)
    return Trace(found[0], found[1], found[2], refused, tuple(notes))
