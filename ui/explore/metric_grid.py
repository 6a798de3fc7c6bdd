"""Metrics of one mechanism's releases along ε, entered as they are measured."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpca_core.linalg.arrays import Array
from dpca_core.simulation.precision import SHARE_OF_STANDARD_ERROR
from dpca_core.simulation.trials import TrialMetrics


class Bases(NamedTuple):
    """Bases (T, d, k) of releases at one ε, NaN where refused, and refusals (T,)."""

    bases: Array
    refused: np.ndarray


@dataclass
class MetricGrid:
    """Metrics of one mechanism: arrays (G, T), for G values of ε and T trials.

    NaN where nothing is measured yet or the release is refused. ``errors`` (2, G, T) are bounds on
    the errors of captured and sin_theta. ``norms`` (T,) are spectral norms
    of the noise on S at scale 1, NaN for a mechanism without such noise. Until something is entered
    the arrays take no memory and cannot be written to.
    """

    captured: Array
    sin_theta: Array
    refused: np.ndarray
    done: np.ndarray
    errors: Array
    norms: Array
    notes: dict[int, str] = field(default_factory=dict)

    @classmethod
    def empty(cls, points: int, trials: int) -> "MetricGrid":
        """Return a grid in which nothing is measured yet."""
        missing, no = _read_only_blanks(points, trials)
        return cls(missing, missing, no, no, np.zeros((2, 1, 1)), np.full(trials, np.nan))

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

    def least_exact(self) -> tuple[int, int] | None:
        """Return where, by index and trial, the largest error of a mean not exact enough arises.

        A mean is where the bound on its error is below a tenth of its standard error. None where
        all means are.
        """
        trials = self.trials()
        if not self.begun or trials < 2:
            return None
        metrics = np.stack([self.captured, self.sin_theta])[..., :trials]
        errors = self.errors[..., :trials]
        allowed = SHARE_OF_STANDARD_ERROR * metrics.std(axis=-1, ddof=1) / np.sqrt(trials)
        rough = (errors.mean(axis=-1) > allowed).any(axis=0)
        if not rough.any():
            return None
        index = int(np.argmax(rough))
        share = errors[:, index] / np.maximum(allowed[:, index, None], 1e-300)
        return index, int(share.max(axis=0).argmax())

    def enter(self, indices: Sequence[int], trials: range, found: TrialMetrics) -> None:
        """Enter what some trials found at some values of ε, by index."""
        if not self.begun:
            self.captured, self.sin_theta = self.captured.copy(), self.sin_theta.copy()
            self.refused, self.done = self.refused.copy(), self.done.copy()
            self.errors = np.zeros((2, *self.done.shape))
        block = np.ix_(indices, trials)
        self.captured[block] = found.captured
        self.sin_theta[block] = found.sin_theta
        self.refused[block] = found.refused
        for whole, part in zip(self.errors, found.errors, strict=True):
            whole[block] = part
        self.done[block] = True
        self.notes |= {i: n for i, n in zip(indices, found.notes, strict=True) if n}


@cache
def _read_only_blanks(points: int, trials: int) -> tuple[Array, np.ndarray]:
    """Return NaN and False, seen as arrays (G, T) that nobody can write to."""
    shape = (points, trials)
    return np.broadcast_to(np.nan, shape), np.broadcast_to(False, shape)
