"""The two ends of the scale: PCA without privacy, and directions that ignore the data."""

from dataclasses import dataclass, replace
from math import inf

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import orthonormal
from dpca_core.mechanisms.mechanism import Family, Keep, Noise, Release, SharedNoise
from dpca_core.privacy.budget import Budget, Guarantee, Notion, Standing
from dpca_core.problem import Problem


@dataclass(frozen=True)
class NonPrivate(SharedNoise):
    """Ordinary PCA: the top k eigenvectors of S. It gives nobody any guarantee."""

    key, name, family = "non_private", "PCA without privacy", Family.BASELINE
    document, does, role = "conventions", "adds no noise", "baseline"
    publishes_matrix = True

    def guarantee(self, problem: Problem, budget: Budget) -> Guarantee:
        return Guarantee(inf, 1.0, Notion.NONE, Standing.NONE, budget.adjacency, "no noise")

    def _noise(self, problem: Problem, budget: Budget) -> Noise:
        return Noise(0.0, "people", "0")

    def unit(self, d: int, k: int, rng: np.random.Generator, trials: int) -> tuple[Array, ...]:
        """No randomness; only the number of trials."""
        return (np.zeros((trials, 0)),)

    def apply(
        self, problem: Problem, budget: Budget, unit: tuple[Array, ...], keep: Keep = None
    ) -> Release:
        trials = len(unit[0])
        moment = np.repeat(problem.moment[None], trials, axis=0) if keep == "moment" else None
        bases = np.repeat(problem.basis[None], trials, axis=0)
        return Release(bases, moment=moment)


@dataclass(frozen=True)
class RandomProjection(SharedNoise):
    """A uniformly random subspace: it never looks at the data, so it is perfectly private.

    Whatever a mechanism keeps beyond this line, it learned from the data.
    """

    key, name, family = "random_projection", "Random subspace", Family.BASELINE
    document, does, role = "conventions", "ignores the data", "baseline"

    def guarantee(self, problem: Problem, budget: Budget) -> Guarantee:
        found = Guarantee.at(budget, Notion.PURE, "independent of the data", exact=True)
        return replace(found, epsilon=0.0)

    def _noise(self, problem: Problem, budget: Budget) -> Noise:
        return Noise(inf, "people", "∞")

    def unit(self, d: int, k: int, rng: np.random.Generator, trials: int) -> tuple[Array, ...]:
        """Haar-uniform bases (trials, d, k)."""
        return (orthonormal(rng.standard_normal((trials, d, k))),)

    def apply(
        self, problem: Problem, budget: Budget, unit: tuple[Array, ...], keep: Keep = None
    ) -> Release:
        return Release(unit[0])
