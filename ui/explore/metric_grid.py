"""Metrics of one mechanism's releases along ε, entered as they are measured."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpca_core.linalg.arrays import Array
from dpca_core.simulation.trials import TrialMetrics


class Bases(NamedTuple):
    """Bases (T, d, k) of releases at one ε, NaN where refused, and refusals (T,)."""

    bases: Array
    refused: np.ndarray


@dataclass
class MetricGrid:
    """Metrics of one mechanism: arrays (G, T), for G values of ε and T trials.

    NaN where nothing is measured yet or the release is refused. ``norms`` (T,) are spectral norms
    of the noise on S at scale 1, NaN for a mechanism without such noise. Until something is entered
    the arrays take no memory and cannot be written to.
    """

    captured: Array
    sin_theta: Array
    refused: np.ndarray
    done: np.ndarray
    norms: Array
    notes: dict[int, str] = field(default_factory=dict)

    @classmethod
    def empty(cls, points: int, trials: int) -> "MetricGrid":
        """Return a grid in which nothing is measured yet."""
        missing, no = _read_only_blanks(points, trials)
        return cls(missing, missing, no, no, np.full(trials, np.nan))

    @property
    def begun(self) -> bool:
        """Whether anything is measured."""
        return self.done.flags.writeable

    def trials(self) -> int:
        """Return the number of trials measured at every ε."""
        return int(self.done.all(axis=0).sum())

    def known(self) -> tuple[NDArray[np.intp], int]:
        """Return the indices that are measured, and how many trials each of them has at least."""
        indices = np.flatnonzero(self.done[:, 0])
        return indices, int(self.done[indices].all(axis=0).sum()) if len(indices) else 0

    def enter(self, indices: Sequence[int], trials: range, found: TrialMetrics) -> None:
        """Enter what some trials found at some values of ε, by index."""
        if not self.begun:
            self.captured, self.sin_theta = self.captured.copy(), self.sin_theta.copy()
            self.refused, self.done = self.refused.copy(), self.done.copy()
        block = np.ix_(indices, trials)
        self.captured[block] = found.captured
        self.sin_theta[block] = found.sin_theta
        self.refused[block] = found.refused
        self.done[block] = True
        self.notes |= {i: n for i, n in zip(indices, found.notes, strict=True) if n}


@cache
def _read_only_blanks(points: int, trials: int) -> tuple[Array, np.ndarray]:
    """Return NaN and False, seen as arrays (G, T) that nobody can write to."""
    shape = (points, trials)
    return np.broadcast_to(np.nan, shape), np.broadcast_to(False, shape)
