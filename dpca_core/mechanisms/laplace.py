"""Laplace noise on the upper triangle of the second-moment sum: printed and calibrated."""

from dataclasses import dataclass
from math import sqrt

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import mirrored
from dpca_core.mechanisms.exact_noise import ExactNoise
from dpca_core.mechanisms.family import Family
from dpca_core.mechanisms.matrix_noise import MatrixNoise
from dpca_core.mechanisms.matrix_statistic import MatrixStatistic
from dpca_core.mechanisms.neighbouring_pair import Pair, PairSize, equal_entries_pair
from dpca_core.mechanisms.release import Noise
from dpca_core.privacy.budget import Adjacency, Budget, Guarantee, Notion, Standing
from dpca_core.privacy.sensitivity import upper_triangle_l1, upper_triangle_l1_attained
from dpca_core.problem import Problem

_SOURCE = (
    "Dwork, McSherry, Nissim & Smith 2006 (Laplace noise), at a bound on the ℓ₁ sensitivity, "
    "docs/conventions.md"
)


@dataclass(frozen=True)
class LaplaceTriangle(MatrixNoise):
    """Symmetric noise with an i.i.d. Laplace upper triangle on S, at a scale still to be chosen."""

    family = Family.LAPLACE
    document = "conventions"

    def matrices(self, d: int, rng: np.random.Generator, trials: int) -> Array:
        """Laplace upper triangles of scale 1, mirrored."""
        return mirrored(rng.laplace(size=(trials, d, d)))

    @staticmethod
    def entry_std(d: int) -> tuple[float, float]:
        """Return (√2, √2): Laplace noise of scale 1."""
        return sqrt(2), sqrt(2)

    def worst_pair(self, size: PairSize, budget: Budget) -> Pair:
        """Return a person with all entries alike, who moves the triangle far in ℓ₁ norm."""
        return equal_entries_pair(size)

    def likelihood_statistic(self, adjacency: Adjacency) -> MatrixStatistic | None:
        """Return the Laplace log-likelihood ratio itself."""
        return MatrixStatistic.LAPLACE_RATIO


@dataclass(frozen=True)
class LaplacePrinted(LaplaceTriangle):
    """Symmetric noise with an i.i.d. Laplace upper triangle on S, of scale 2d/ε. Pure ε-DP.

    Jiang, Xie & Zhang 2016, Algorithm 1. A person changes the triangle by up to (d + 1)/2 in ℓ₁
    norm, so the noise is about four times what ε needs (about 2.8 times if a person is replaced).
    """

    key = "laplace_printed"
    name = "Laplace, printed"
    calibrated_counterpart = "laplace"
    printed = True

    def claim(self, problem: Problem, budget: Budget) -> Guarantee | None:
        """Pure ε."""
        return Guarantee.claimed(budget, Notion.PURE, "Jiang, Xie & Zhang 2016, Algorithm 1")

    def guarantee(self, problem: Problem, budget: Budget) -> Guarantee:
        """Pure ε' = ℓ₁ sensitivity over scale, far below ε."""
        true = (
            upper_triangle_l1(problem.d, budget.adjacency) / self.calibrate(problem, budget).scale
        )
        return Guarantee(
            true,
            0.0,
            Notion.PURE,
            Standing.PROVED,
            budget.adjacency,
            _SOURCE,
            erratum=f"{budget.epsilon / true:.1f} times the noise needed: true ε = {true:.3g}.",
            exact=upper_triangle_l1_attained(problem.d, budget.adjacency),
        )

    def calibrate(self, problem: Problem, budget: Budget) -> Noise:
        """Scale 2d/ε, as printed."""
        return Noise(2 * problem.d / budget.epsilon, "people", "b")

    def noise_norm_order(self, d: int, epsilon: float) -> float | None:
        """d√d/ε."""
        return d * sqrt(d) / epsilon


@dataclass(frozen=True)
class Laplace(LaplaceTriangle):
    """Symmetric noise with an i.i.d. Laplace upper triangle on S, calibrated. Pure ε-DP.

    Its scale is the ℓ₁ sensitivity of the triangle over ε: (d + 1)/2 people if one is added or
    removed, about d/√2 if one is replaced.
    """

    key = "laplace"
    name = "Laplace"
    exact_noise = ExactNoise.LAPLACE

    def guarantee(self, problem: Problem, budget: Budget) -> Guarantee:
        """Pure ε."""
        return Guarantee(
            budget.epsilon,
            0.0,
            Notion.PURE,
            Standing.PROVED,
            budget.adjacency,
            _SOURCE,
            exact=upper_triangle_l1_attained(problem.d, budget.adjacency),
        )

    def calibrate(self, problem: Problem, budget: Budget) -> Noise:
        """ℓ₁ sensitivity over ε."""
        scale = upper_triangle_l1(problem.d, budget.adjacency) / budget.epsilon
        return Noise(scale, "people", "b")
