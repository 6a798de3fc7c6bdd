"""What single releases look like: loadings or images, and the data projected on them."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from dpca_core.data.dataset import Dataset
from dpca_core.linalg.arrays import Array
from dpca_core.metrics import aligned
from dpca_core.privacy.budget import InfeasibleBudget
from dpca_core.runtime.cached_property import cached_property
from dpca_core.simulation.draws import Draws
from ui.explore.measurements import Study
from ui.figures.wire_format import Float32Array, float32

FRAMES, BARS, POINTS = 8, 40, 150
"""Releases to leaf through, releases behind the 80 % bars, rows in a scatter."""


def shown(values: Array) -> Float32Array:
    """Numbers for the wire; NaN as 0, since refused frames are marked apart."""
    return float32(np.nan_to_num(values))


@dataclass(frozen=True)
class SampleReleases:
    """Releases at one ε, aligned to the true directions for display only."""

    dataset: Dataset
    study: Study
    index: int

    @cached_property
    def _bases(self) -> tuple[Array, np.ndarray] | None:
        problem, budget = self.study.points[self.index]
        trials = BARS if problem.d <= 128 else FRAMES
        draws = Draws(self.study.query.mechanism, self.study.query.seed, range(trials))
        try:
            release = draws.release(problem, budget)
        except InfeasibleBudget:
            return None
        bases = np.full_like(release.bases, np.nan)
        answered = ~release.refused
        bases[answered] = aligned(release.bases[answered], self._true)
        return bases, release.refused

    @property
    def _true(self) -> Array:
        """V_k (d, k), each direction with its largest loading positive."""
        basis = self.study.points[self.index][0].basis
        largest = np.abs(basis).argmax(axis=0)
        return np.asarray(basis * np.sign(basis[largest, np.arange(basis.shape[1])]))

    def release(self, index: int) -> dict[str, Any] | None:
        """Directions of the first releases beside the true ones."""
        if self._bases is None or index != self.index:
            return None
        bases, refused = self._bases
        answered = bases[~refused]
        low, high = (
            np.quantile(answered, (0.1, 0.9), axis=0)
            if len(answered)
            else np.zeros((2, *bases.shape[1:]))
        )
        image = self.dataset.image_shape
        return {
            "index": self.index,
            "kind": "images" if image else "loadings",
            "labels": list(self.dataset.columns),
            "shape": list(image) if image else None,
            "title": "What a release looks like",
            "note": "Top: PCA without privacy. Below: one release, aligned to it for display only. "
            "Orange positive, violet negative."
            if image
            else "bar: 80\u00a0% of releases; dot: one release; black tick: PCA without privacy. "
            "Aligned to the true directions for display only.",
            "true": shown(self._true.T),
            "frames": shown(bases[:FRAMES].swapaxes(1, 2)),
            "lo": shown(low.T),
            "hi": shown(high.T),
            "refused": refused[:FRAMES].tolist(),
        }

    def projection(self, index: int) -> dict[str, Any] | None:
        """Some rows on the first two directions, true and released."""
        if self._bases is None or index != self.index or self.study.query.k < 2:
            return None
        rows = self.dataset.rows
        some = rows[np.random.default_rng(0).permutation(len(rows))[:POINTS]]
        bases = self._bases[0][:FRAMES, :, :2]
        return {
            "title": f"The data on both {'planes' if self.study.query.k == 2 else 'pairs of axes'}",
            "note": f"{len(some)} {self.dataset.unit.many} drawn at random, on the first two true "
            "and released directions. Not private: it shows records.",
            "true": shown(some @ self._true[:, :2]),
            "frames": shown(some @ bases),
        }
