"""Wishart noise on the second-moment sum."""

from dataclasses import dataclass
from math import sqrt

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import gram
from dpca_core.mechanisms.exact_noise import ExactNoise
from dpca_core.mechanisms.family import Family
from dpca_core.mechanisms.matrix_noise import MatrixNoise
from dpca_core.mechanisms.release import Noise
from dpca_core.privacy.budget import Budget, Guarantee, Notion, Standing
from dpca_core.privacy.sensitivity import nuclear
from dpca_core.problem import Problem


@dataclass(frozen=True)
class WishartDifference(MatrixNoise):
    """W₁ − W₂ on S: two independent Wishart matrices of d + 1 degrees of freedom. Pure ε-DP.

    One Wishart matrix alone, as printed in two papers, is never private: it only raises
    eigenvalues, and an output can prove that a record is absent. The density of the difference of
    two changes by a factor of at most e^ε when one person is added or removed; its noise is about
    √d times smaller than Laplace’s. At d = 1 it is the Laplace mechanism. Own result,
    docs/difference-of-wisharts.md.
    """

    key = "wishart_difference"
    name = "Wishart difference"
    family = Family.WISHART
    document = "difference-of-wisharts"
    exact_noise = ExactNoise.WISHART_DIFFERENCE

    def guarantee(self, problem: Problem, budget: Budget) -> Guarantee:
        """Pure ε."""
        return Guarantee(
            budget.epsilon,
            0.0,
            Notion.PURE,
            Standing.PROVED,
            budget.adjacency,
            "own proof, docs/difference-of-wisharts.md",
            exact=True,
        )

    def calibrate(self, problem: Problem, budget: Budget) -> Noise:
        """s = Δ_*/(2ε) with the nuclear sensitivity Δ_*."""
        return Noise(nuclear(budget.adjacency) / (2 * budget.epsilon), "people", "s")

    def matrices(self, d: int, rng: np.random.Generator, trials: int) -> Array:
        """G₁G₁ᵀ − G₂G₂ᵀ of standard normal (d, d + 1) matrices."""
        first, second = rng.standard_normal((trials, 2, d, d + 1)).swapaxes(0, 1)
        return gram(first) - gram(second)

    @staticmethod
    def entry_std(d: int) -> tuple[float, float]:
        """Return (2√(d + 1), √(2(d + 1)))."""
        return 2 * sqrt(d + 1), sqrt(2 * (d + 1))
