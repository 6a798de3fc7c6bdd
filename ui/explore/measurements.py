"""What one view has measured of a mechanism, and the pieces in which it is measured."""

from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.base import Mechanism
from dpca_core.privacy.budget import Budget, Guarantee, InfeasibleBudget
from dpca_core.problem import Problem
from dpca_core.simulation.trials import Trace

AT_ONCE, CAUTION, FORGETTING = 0.05, 20.0, 0.15
"""Seconds that a piece may take; how much slower than expected a first one may be; and how fast a
slow one is forgotten."""


class Piece(NamedTuple):
    """Some trials of a mechanism at some points, by number."""

    mechanism: Mechanism
    trials: range
    points: Sequence[int]


@dataclass
class Measured:
    """Metrics of one mechanism along ε: (G, T) arrays, NaN where not done yet or refused.

    ``norms`` (T,) are those of unit noise on S; NaN without such noise. Until something is entered
    the arrays take no memory, and cannot be written to.
    """

    captured: Array
    sin_theta: Array
    refused: np.ndarray
    done: np.ndarray
    norms: Array
    notes: dict[int, str] = field(default_factory=dict)

    @classmethod
    def empty(cls, points: int, trials: int) -> "Measured":
        """Nothing measured yet."""
        missing, no = _nothing(points, trials)
        return cls(missing, missing, no, no, np.full(trials, np.nan))

    @property
    def begun(self) -> bool:
        """Whether anything is measured."""
        return self.done.flags.writeable

    def trials(self) -> int:
        """Trials done at every point."""
        return int(self.done.all(axis=0).sum())

    def known(self) -> tuple[NDArray[np.intp], int]:
        """Points that are measured, and how many trials each of them has at least."""
        at = np.flatnonzero(self.done[:, 0])
        return at, int(self.done[at].all(axis=0).sum()) if len(at) else 0

    def note(self, piece: Piece, found: Trace) -> None:
        """Enter what a piece has found."""
        if not self.begun:
            self.captured, self.sin_theta = self.captured.copy(), self.sin_theta.copy()
            self.refused, self.done = self.refused.copy(), self.done.copy()
        block = np.ix_(piece.points, piece.trials)
        self.captured[block] = found.captured
        self.sin_theta[block] = found.sin_theta
        self.refused[block] = found.refused
        self.done[block] = True
        self.notes |= {i: n for i, n in zip(piece.points, found.notes, strict=True) if n}


@cache
def _nothing(points: int, trials: int) -> tuple[Array, np.ndarray]:
    """NaN and False, seen as arrays that nobody can write to."""
    shape = (points, trials)
    return np.broadcast_to(np.nan, shape), np.broadcast_to(False, shape)


class Pace:
    """How long a release takes, by what it took: a piece that takes too long cannot be stopped.

    Parameters
    ----------
    d
        Number of columns: what to expect at first, with the mechanism's ``effort``.
    """

    def __init__(self, d: int) -> None:
        self._solve = float(d) ** 2.1 * 4e-8 + 2e-5
        self._seconds: dict[str, float] = {}

    def trials(self, mechanism: Mechanism, points: int) -> int:
        """How many trials at all points are expected to go at once."""
        return max(1, int(AT_ONCE / (self._solve * mechanism.effort * points)))

    def part(self, piece: Piece) -> tuple[Piece, Piece]:
        """Divide a piece by points into what goes at once and the rest, which may be empty."""
        mechanism, trials, points = piece
        unknown = CAUTION * self._solve * mechanism.effort
        seconds = self._seconds.get(mechanism.key, unknown) * len(trials)
        size = max(1, int(AT_ONCE / seconds))
        return piece._replace(points=points[:size]), piece._replace(points=points[size:])

    @contextmanager
    def timed(self, piece: Piece) -> Iterator[None]:
        """Take the time of a piece; slow ones are remembered, for others may follow."""
        begun = perf_counter()
        yield
        seconds = (perf_counter() - begun) / (len(piece.trials) * len(piece.points))
        before = self._seconds.get(piece.mechanism.key, seconds)
        self._seconds[piece.mechanism.key] = max(seconds, before + FORGETTING * (seconds - before))


@contextmanager
def kept_unless_done(left: deque[Piece], piece: Piece) -> Iterator[None]:
    """Put a piece back where its measuring is given up: somebody has moved meanwhile."""
    try:
        yield
    except BaseException:
        left.appendleft(piece)
        raise


def guarantee_of(mechanism: Mechanism, problem: Problem, budget: Budget) -> Guarantee | None:
    """What holds at a point; None where there is no release."""
    try:
        return mechanism.guarantee(problem, budget)
    except InfeasibleBudget:
        return None


def scale_of(mechanism: Mechanism, problem: Problem, budget: Budget) -> float:
    """Noise at a point, in the mechanism's own unit; NaN where there is no release."""
    try:
        return mechanism.calibrate(problem, budget).scale
    except InfeasibleBudget:
        return float("nan")
