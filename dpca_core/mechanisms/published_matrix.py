"""Mechanisms that publish a noisy sum, and take its top directions."""

from abc import abstractmethod
from contextlib import suppress

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import top_basis
from dpca_core.linalg.top_eigenvectors import top_eigenvectors
from dpca_core.mechanisms.base import Keep, Release, SharedNoise
from dpca_core.privacy.budget import Budget
from dpca_core.problem import Problem

TOP_ALONE_FROM, FEW_SHARE = 200, 0.1
"""From so many columns on, and up to that share of them, the top is found without the rest."""


class SharedMatrixNoise(SharedNoise):
    """A mechanism that turns its randomness into a noisy sum, and takes its top k eigenvectors.

    The guarantee is of the published matrix; the basis is post-processing.
    """

    publishes_matrix = True

    @abstractmethod
    def published(self, problem: Problem, budget: Budget, unit: tuple[Array, ...]) -> Array:
        """Noisy sums (trials, d, d): deterministic."""

    def noise_mean(self, d: int, budget: Budget) -> float:
        """Return m, in people, where the mean of the noise is m·I; it turns no direction.

        A function of public settings: whoever reads eigenvalues off what was published may
        subtract it. What is published itself keeps it.

        Raises
        ------
        InfeasibleBudget
            Where the mechanism has no noise level for the budget.
        """
        return 0.0

    def apply(
        self, problem: Problem, budget: Budget, unit: tuple[Array, ...], keep: Keep = None
    ) -> Release:
        """Top k, in signed order, of the noisy sums."""
        noisy = self.published(problem, budget, unit)
        return Release(
            bases=_top(noisy, problem.k),
            refused=np.zeros(len(noisy), dtype=bool),
            moment=noisy if keep == "moment" else None,
        )


def _top(symmetric: Array, k: int) -> Array:
    """Eigenvectors (trials, d, k) of the k largest eigenvalues of (trials, d, d)."""
    d = symmetric.shape[-1]
    if d >= TOP_ALONE_FROM and k <= FEW_SHARE * d:
        # LAPACK may not find some eigenvectors without the others.
        with suppress(np.linalg.LinAlgError):
            return np.stack([top_eigenvectors(matrix, k) for matrix in symmetric])
    return top_basis(symmetric, k)
