"""Single releases at one ε: their loadings, and the data projected on them."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dpca_core.data.dataset import Dataset
from dpca_core.linalg.arrays import Array
from dpca_core.privacy.budget import InfeasibleBudget
from dpca_core.simulation.trials import TrialDraws
from ui.explore.measurements import Study
from ui.explore.metric_grid import Bases

SHOWN = 8
"""Releases to leaf through."""
BEHIND_BARS = 40
"""Releases behind the 80 % bars, up to ``BARS_COLUMNS`` columns; above, only those shown."""
BARS_COLUMNS = 128
PROJECTED_ROWS = 150
"""Rows in a scatter plot."""


class Loadings(NamedTuple):
    """Directions of the releases shown beside the true ones; NaN where refused.

    ``true``, ``low`` and ``high`` are (k, d), ``released`` (T, k, d), ``refused`` (T,). ``low`` and
    ``high`` hold 80 % of the releases that answered.
    """

    true: Array
    released: Array
    low: Array
    high: Array
    refused: np.ndarray


class Projections(NamedTuple):
    """Some rows on the first two directions: true (r, 2), released (T, r, 2)."""

    true: Array
    released: Array


@dataclass(frozen=True)
class SampleReleases:
    """Releases at one ε, aligned to the true directions for display only."""

    study: Study
    epsilon_index: int

    @property
    def dataset(self) -> Dataset:
        """The data that are released."""
        return self.study.dataset

    @property
    def _bases(self) -> Bases | None:
        """Bases and refusals, drawn once and kept by the study for its chosen ε."""
        kept = self.study.single_releases
        if self.epsilon_index not in kept:
            kept.clear()
            kept[self.epsilon_index] = self._drawn()
        return kept[self.epsilon_index]

    def _drawn(self) -> Bases | None:
        """Draw the releases; None where infeasible."""
        problem, budget = self.study.points[self.epsilon_index]
        query = self.study.query
        trials = BEHIND_BARS if problem.d <= BARS_COLUMNS else SHOWN
        try:
            release = TrialDraws(query.mechanism, query.seed, range(trials)).release(
                problem, budget
            )
        except InfeasibleBudget:
            return None
        bases = np.full_like(release.bases, np.nan)
        answered = ~release.refused
        bases[answered] = aligned(release.bases[answered], self._true)
        return Bases(bases, release.refused)

    @property
    def _true(self) -> Array:
        """V_k (d, k), each direction with its largest loading positive."""
        basis = self.study.points[self.epsilon_index][0].true_problem.basis
        largest = np.abs(basis).argmax(axis=0)
        return np.asarray(basis * np.sign(basis[largest, np.arange(basis.shape[1])]))

    def loadings(self) -> Loadings | None:
        """Return directions of the first releases beside the true ones; None where infeasible."""
        if self._bases is None:
            return None
        bases, refused = self._bases
        answered = bases[~refused]
        low, high = np.zeros((2, *bases.shape[1:]))
        if len(answered):
            low, high = np.quantile(answered, (0.1, 0.9), axis=0)
        released = bases[:SHOWN].swapaxes(1, 2)
        return Loadings(self._true.T, released, low.T, high.T, refused[:SHOWN])

    def projections(self) -> Projections | None:
        """Return some rows on two directions.

        None where infeasible, for one direction, and of a set that is only a sum.
        """
        rows = self.dataset.rows
        if self._bases is None or self.study.query.k < 2 or len(rows) == 0:
            return None
        some = rows[np.random.default_rng(0).permutation(len(rows))[:PROJECTED_ROWS]]
        bases = self._bases[0][:SHOWN, :, :2]
        return Projections(some @ self._true[:, :2], some @ bases)


def aligned(bases: Array, target: Array) -> Array:
    """Turn bases within their spans as close to ``target`` (d, k) as they go (Procrustes).

    For display only: it reads ``target``, so bases aligned to true directions are not private.
    """
    left, _, right = np.linalg.svd(bases.swapaxes(-1, -2) @ target)
    return np.asarray(bases @ (left @ right))
