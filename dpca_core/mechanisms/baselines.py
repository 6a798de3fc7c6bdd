"""The two ends of the scale: PCA without privacy, and directions that ignore the data."""

from dataclasses import replace
from math import inf

import numpy as np

from dpca_core.linalg.symmetric import orthonormal
from dpca_core.mechanisms.mechanism import Family, Keep, Noise, Release, SharedNoise, Unit
from dpca_core.privacy.budget import Budget, Guarantee, Notion, Standing
from dpca_core.problem import Problem


class NonPrivate(SharedNoise):
    """Ordinary PCA: the top k eigenvectors of S. It gives nobody any guarantee."""

    key, name, family = "non_private", "PCA without privacy", Family.BASELINE
    document, does, role = "conventions", "adds no noise", "baseline"
    publishes_matrix = True

    def guarantee(self, problem: Problem, budget: Budget) -> Guarantee:
        return Guarantee(inf, 1.0, Notion.NONE, Standing.NONE, budget.adjacency, "no noise")

    def _noise(self, problem: Problem, budget: Budget) -> Noise:
        return Noise(0.0, "people", "0")

    def unit(self, d: int, k: int, rng: np.random.Generator, trials: int) -> Unit:
        """No randomness; only the number of trials."""
        return (np.zeros((trials, 1, 1)),)

    def apply(self, problem: Problem, budget: Budget, unit: Unit, keep: Keep = None) -> Release:
        moment = problem.moment + unit[0] if keep == "moment" else None
        return Release(problem.basis + unit[0], moment=moment)


class RandomProjection(SharedNoise):
    """A uniformly random subspace: it never looks at the data, so it is perfectly private."""

    key, name, family = "random_projection", "Random subspace", Family.BASELINE
    document, does, role = "conventions", "ignores the data", "baseline"

    def guarantee(self, problem: Problem, budget: Budget) -> Guarantee:
        proved = Guarantee.at(budget, Notion.PURE, "independent of the data", exact=True)
        return replace(proved, epsilon=0.0)

    def _noise(self, problem: Problem, budget: Budget) -> Noise:
        return Noise(inf, "people", "∞")

    def unit(self, d: int, k: int, rng: np.random.Generator, trials: int) -> Unit:
        """Haar-uniform bases (trials, d, k)."""
        return (orthonormal(rng.standard_normal((trials, d, k))),)

    def apply(self, problem: Problem, budget: Budget, unit: Unit, keep: Keep = None) -> Release:
        return Release(unit[0])
