"""Noise on the entries of the second-moment sum itself."""

from abc import abstractmethod
from typing import ClassVar

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.neighbouring_pair import Pair, PairSize, one_entry_pair
from dpca_core.mechanisms.published_matrix import SharedMatrixNoise
from dpca_core.privacy.budget import Budget
from dpca_core.problem import Problem


class MatrixNoise(SharedMatrixNoise):
    """Publish S + scale·E for a symmetric random E, and take its top k eigenvectors."""

    noise_description = "adds its noise to S"
    one_sided: ClassVar[bool] = False
    """Whether the noise only raises eigenvalues; then half its range counts as its size."""

    @staticmethod
    @abstractmethod
    def entry_std(d: int) -> tuple[float, float]:
        """Standard deviations of a diagonal and of an off-diagonal entry of E at d columns."""

    @abstractmethod
    def matrices(self, d: int, rng: np.random.Generator, trials: int) -> Array:
        """Unit noise E (trials, d, d), symmetric."""

    def unit(self, d: int, k: int, rng: np.random.Generator, trials: int) -> tuple[Array, ...]:
        """Draw unit noise E (trials, d, d)."""
        return (self.matrices(d, rng, trials),)

    def published(self, problem: Problem, budget: Budget, unit: tuple[Array, ...]) -> Array:
        """S + scale·E."""
        return problem.moment + self.calibrate(problem, budget).scale * unit[0]

    def relative_noise(self, problem: Problem, budget: Budget) -> float | None:
        """Noise over n: S + σE and (n'/n)·S + (n'/n)·σE have the same eigenvectors."""
        return self.calibrate(problem, budget).scale / problem.n

    def entry_noise(self, problem: Problem, budget: Budget) -> float | None:
        """Scale times the standard deviation of a diagonal entry of E."""
        return self.calibrate(problem, budget).scale * self.entry_std(problem.d)[0]

    def worst_pair(self, size: PairSize, budget: Budget) -> Pair:
        """Return a person with one entry, whom noise with independent entries hides worst."""
        return one_entry_pair(size)
