"""Mechanisms that publish a noisy sum, and take its top directions."""

from abc import abstractmethod

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import top_basis
from dpca_core.mechanisms.base import Keep, Release, SharedNoise
from dpca_core.privacy.budget import Budget
from dpca_core.problem import Problem


class SharedMatrixNoise(SharedNoise):
    """A mechanism that turns its randomness into a noisy sum, and takes its top k eigenvectors.

    The guarantee is of the published matrix; the basis is post-processing.
    """

    publishes_matrix = True

    @abstractmethod
    def published(self, problem: Problem, budget: Budget, unit: tuple[Array, ...]) -> Array:
        """Noisy sums (trials, d, d): deterministic."""

    def apply(
        self, problem: Problem, budget: Budget, unit: tuple[Array, ...], keep: Keep = None
    ) -> Release:
        """Top k, in signed order, of the noisy sums."""
        noisy = self.published(problem, budget, unit)
        return Release(
            bases=top_basis(noisy, problem.k),
            refused=np.zeros(len(noisy), dtype=bool),
            moment=noisy if keep == "moment" else None,
        )
