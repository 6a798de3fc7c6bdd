"""SULQ and MOD-SULQ: Gaussian noise on S, calibrated before exact accounting."""

from abc import abstractmethod
from dataclasses import dataclass
from math import log, pi, sqrt

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import mirrored, symmetrized
from dpca_core.mechanisms.family import Family
from dpca_core.mechanisms.matrix_noise import MatrixNoise
from dpca_core.mechanisms.matrix_statistic import MatrixStatistic
from dpca_core.mechanisms.release import Noise
from dpca_core.privacy.budget import (
    Adjacency,
    Budget,
    Guarantee,
    InfeasibleBudget,
    Notion,
    Standing,
)
from dpca_core.privacy.gaussian import gaussian_epsilon, gaussian_sigma
from dpca_core.privacy.sensitivity import frobenius
from dpca_core.problem import Problem


@dataclass(frozen=True)
class LooseGaussian(MatrixNoise):
    """Gaussian noise by a printed formula that asks for far more than the guarantee needs."""

    family = Family.SULQ
    document = "gaussian"
    calibrated_counterpart = "gaussian"
    printed = True
    needs_delta = True

    @abstractmethod
    def formula(self, d: int, budget: Budget) -> float:
        """Printed standard deviation on S, in people."""

    def guarantee(self, problem: Problem, budget: Budget) -> Guarantee:
        """Return the true ε at the given δ, and how many times too much noise there is."""
        sigma = self.calibrate(problem, budget).scale
        sensitivity = frobenius(budget.adjacency)
        enough = gaussian_sigma(budget.epsilon, budget.delta, sensitivity)
        true = gaussian_epsilon(sigma, budget.delta, sensitivity)
        return Guarantee(
            true,
            budget.delta,
            Notion.APPROXIMATE,
            Standing.PROVED,
            budget.adjacency,
            "Balle & Wang 2018, Theorem 8, docs/gaussian.md",
            erratum=f"{_round(sigma / enough)} times the noise that this shape needs.",
            noise_multiplier=sigma / sensitivity,
            exact=true > 0,
        )

    def calibrate(self, problem: Problem, budget: Budget) -> Noise:
        """Noise as printed."""
        if budget.delta == 0:
            raise InfeasibleBudget(
                f"{self.name} needs δ > 0: choose a positive δ, or a pure mechanism such as PPCA."
            )
        return Noise(self.formula(problem.d, budget), "people", "β·n")

    def likelihood_statistic(self, adjacency: Adjacency) -> MatrixStatistic | None:
        """Return the inner product: on the worst pair only the diagonal changes."""
        return MatrixStatistic.INNER_PRODUCT


def _round(times: float) -> str:
    return f"{times:,.0f}" if times >= 100 else f"{times:.3g}"


@dataclass(frozen=True)
class Sulq(LooseGaussian):
    """Independent Gaussian noise in every entry of the second-moment matrix, not symmetric.

    Blum, Dwork, McSherry & Nissim 2005, as quoted by Chaudhuri et al. 2013: variance
    8d² ln²(d/δ)/(n²ε²). The eigenvectors of such a matrix may be complex, so it is symmetrised
    here, (N + Nᵀ)/2, which costs no privacy.
    """

    key = "sulq"
    name = "SULQ, printed"

    def claim(self, problem: Problem, budget: Budget) -> Guarantee | None:
        """(ε, δ)."""
        return Guarantee.claimed(
            budget,
            Notion.APPROXIMATE,
            "Blum et al. 2005, as quoted by Chaudhuri et al. 2013, section 3.1",
        )

    def formula(self, d: int, budget: Budget) -> float:
        """√8·d·ln(d/δ)/ε."""
        return sqrt(8) * d * log(d / budget.delta) / budget.epsilon

    def matrices(self, d: int, rng: np.random.Generator, trials: int) -> Array:
        """(N + Nᵀ)/2 of standard normal N."""
        return symmetrized(rng.standard_normal((trials, d, d)))

    @staticmethod
    def entry_std(d: int) -> tuple[float, float]:
        """Return (1, √½)."""
        return 1.0, sqrt(0.5)


@dataclass(frozen=True)
class ModSulq(LooseGaussian):
    """Symmetric noise with an i.i.d. Gaussian upper triangle that grows with the columns d.

    Chaudhuri, Sarwate & Sinha 2013, Algorithm 1 and eq. (5). The guarantee holds with far more
    noise than needed: at d = 100, n = 60,000, ε = 0.1, δ = 0.01 and one person replaced, it is 370
    times what a triangle needs, and off the diagonal 523 times that of the calibrated Gaussian.
    """

    key = "mod_sulq"
    name = "MOD-SULQ, printed"

    def claim(self, problem: Problem, budget: Budget) -> Guarantee | None:
        """(ε, δ)."""
        return Guarantee.claimed(
            budget, Notion.APPROXIMATE, "Chaudhuri, Sarwate & Sinha 2013, Theorem 5"
        )

    def formula(self, d: int, budget: Budget) -> float:
        """((d + 1)/ε)·√(2 ln((d² + d)/(2√(2π)·δ))) + 1/√ε."""
        inside = log((d * d + d) / (2 * sqrt(2 * pi) * budget.delta))
        return (d + 1) / budget.epsilon * sqrt(2 * inside) + 1 / sqrt(budget.epsilon)

    def matrices(self, d: int, rng: np.random.Generator, trials: int) -> Array:
        """Standard normal upper triangles, mirrored."""
        return mirrored(rng.standard_normal((trials, d, d)))

    @staticmethod
    def entry_std(d: int) -> tuple[float, float]:
        """Return (1, 1): all entries are alike."""
        return 1.0, 1.0

    def noise_norm_order(self, d: int, epsilon: float) -> float | None:
        """d√(d ln d)/ε."""
        return d * sqrt(d * log(d)) / epsilon
