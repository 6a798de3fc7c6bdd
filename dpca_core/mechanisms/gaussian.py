"""Gaussian noise on the second-moment sum: the printed form and the exactly calibrated one."""

from dataclasses import dataclass, replace
from math import sqrt

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import mirrored, symmetrized, without_trace
from dpca_core.mechanisms.base import Keep, Release, parameter
from dpca_core.mechanisms.exact_noise import ExactNoise
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
from dpca_core.privacy.gaussian import classic_gaussian_sigma, gaussian_epsilon, gaussian_sigma
from dpca_core.privacy.sensitivity import frobenius, frobenius_without_trace
from dpca_core.problem import Problem

_NEEDS_DELTA = (
    "{} needs δ > 0: choose a positive δ, or a pure mechanism such as Wishart difference."
)


@dataclass(frozen=True)
class AnalyzeGauss(MatrixNoise):
    """Symmetric noise with an i.i.d. N(0, σ²) upper triangle on S, σ = √(2 ln(1.25/δ))/ε.

    Dwork, Talwar, Thakurta & Zhang 2014, as used by Imtiaz & Sarwate 2016. The proof of that σ
    needs ε ≤ 1 and a person who changes S by at most 1 in Frobenius norm. That holds when one
    person is added or removed; when one is replaced, the change can be √2.
    """

    key = "analyze_gauss"
    name = "Analyze Gauss, printed"
    calibrated_counterpart = "gaussian"
    family = Family.GAUSSIAN_TRIANGLE
    document = "gaussian"
    printed = True
    needs_delta = True

    def claim(self, problem: Problem, budget: Budget) -> Guarantee:
        """(ε, δ), whatever ε and the neighbours."""
        return Guarantee.claimed(
            budget,
            Notion.APPROXIMATE,
            "Dwork et al. 2014, Algorithm 1; Imtiaz & Sarwate 2016, section 3",
        )

    def guarantee(self, problem: Problem, budget: Budget) -> Guarantee:
        """Return the true ε at the given δ, from the exact Gaussian profile."""
        sigma = self.calibrate(problem, budget).scale
        sensitivity = frobenius(budget.adjacency)
        epsilon = gaussian_epsilon(sigma, budget.delta, sensitivity)
        proved = Guarantee(
            epsilon,
            budget.delta,
            Notion.APPROXIMATE,
            Standing.PROVED,
            budget.adjacency,
            "Balle & Wang 2018, Theorem 8",
            noise_multiplier=sigma / sensitivity,
            exact=epsilon > 0,
        )
        if epsilon <= budget.epsilon:
            return proved
        reason = (
            "Replacing a person changes S by up to √2, not by 1 as the printed noise assumes"
            if budget.adjacency is Adjacency.REPLACE_ONE
            else "The printed noise is proved only for ε ≤ 1"
        )
        return replace(
            proved, standing=Standing.WEAKER, erratum=f"{reason}: true ε = {epsilon:.3g}."
        )

    def calibrate(self, problem: Problem, budget: Budget) -> Noise:
        """σ = √(2 ln(1.25/δ))/ε, as printed."""
        if budget.delta == 0:
            raise InfeasibleBudget(_NEEDS_DELTA.format("Analyze Gauss"))
        return Noise(classic_gaussian_sigma(budget.epsilon, budget.delta), "people", "σ")

    def matrices(self, d: int, rng: np.random.Generator, trials: int) -> Array:
        """Standard normal upper triangles, mirrored."""
        return mirrored(rng.standard_normal((trials, d, d)))

    @staticmethod
    def entry_std(d: int) -> tuple[float, float]:
        """Return (1, 1): all entries are alike."""
        return 1.0, 1.0

    def likelihood_statistic(self, adjacency: Adjacency) -> MatrixStatistic | None:
        """Return the inner product: on the worst pair only the diagonal changes."""
        return MatrixStatistic.INNER_PRODUCT

    def noise_norm_order(self, d: int, epsilon: float) -> float | None:
        """√d/ε."""
        return sqrt(d) / epsilon


@dataclass(frozen=True)
class Gaussian(MatrixNoise):
    """Isotropic symmetric Gaussian noise on S, exactly calibrated: diagonal τ, off-diagonal τ/√2.

    A person changes S by at most 1 in Frobenius norm (√2 if replaced). This noise is the same in
    every direction of that norm, so no direction gets more than it needs: off the diagonal it is √2
    times smaller than an i.i.d. triangle. τ is the smallest that is (ε, δ)-DP, for every ε (Balle &
    Wang 2018).

    Without the trace S is published up to a multiple of I, which turns no direction but leaves
    eigenvalues unknown. That takes √(1 − 1/d) of the noise when a person is added or removed; when
    one is replaced it would take no less, so the trace stays.
    """

    key = "gaussian"
    name = "Gaussian"
    family = Family.GAUSSIAN
    document = "gaussian"
    needs_delta = True
    exact_noise = ExactNoise.GAUSSIAN

    drop_trace: bool = parameter(False, "Drop the trace", "", False, True)

    def guarantee(self, problem: Problem, budget: Budget) -> Guarantee:
        """(ε, δ), exactly; without the trace of S − (tr S/d)·I, and its source says so."""
        sigma = self.calibrate(problem, budget).scale
        source = "Balle & Wang 2018, Theorem 8"
        if self._drops_trace(budget):
            source += ", for S up to a multiple of I (docs/gaussian.md)"
        return Guarantee(
            budget.epsilon,
            budget.delta,
            Notion.APPROXIMATE,
            Standing.PROVED,
            budget.adjacency,
            source,
            noise_multiplier=sigma / self._sensitivity(problem.d, budget),
            exact=True,
        )

    def calibrate(self, problem: Problem, budget: Budget) -> Noise:
        """τ: the analytic Gaussian at the Frobenius sensitivity of what is published."""
        if budget.delta == 0:
            raise InfeasibleBudget(_NEEDS_DELTA.format("Gaussian noise"))
        sensitivity = self._sensitivity(problem.d, budget)
        sigma = gaussian_sigma(budget.epsilon, budget.delta, sensitivity)
        return Noise(sigma, "people", "τ")

    def _drops_trace(self, budget: Budget) -> bool:
        """Tell whether the trace is dropped: where a person is replaced, that gains nothing."""
        return self.drop_trace and budget.adjacency is Adjacency.ADD_OR_REMOVE_ONE

    def _sensitivity(self, d: int, budget: Budget) -> float:
        if self._drops_trace(budget):
            return frobenius_without_trace(d, budget.adjacency)
        return frobenius(budget.adjacency)

    def apply(
        self, problem: Problem, budget: Budget, unit: tuple[Array, ...], keep: Keep = None
    ) -> Release:
        """Top k of S + τE; as a matrix S + τE, or that without its trace."""
        release = super().apply(problem, budget, unit, keep)
        if release.moment is None or not self._drops_trace(budget):
            return release
        return replace(release, moment=without_trace(release.moment))

    def entry_noise(self, problem: Problem, budget: Budget) -> float | None:
        """Return τ; without the trace √(1 − 1/d) of it, for a diagonal entry is less the mean."""
        tau = self.calibrate(problem, budget).scale
        return tau * sqrt(1 - 1 / problem.d) if self._drops_trace(budget) else tau

    def matrices(self, d: int, rng: np.random.Generator, trials: int) -> Array:
        """(N + Nᵀ)/2 of standard normal N."""
        return symmetrized(rng.standard_normal((trials, d, d)))

    @staticmethod
    def entry_std(d: int) -> tuple[float, float]:
        """Return (1, √½)."""
        return 1.0, sqrt(0.5)

    def likelihood_statistic(self, adjacency: Adjacency) -> MatrixStatistic | None:
        """Return the inner product: for isotropic Gaussian noise the log ratio is linear in it."""
        return MatrixStatistic.INNER_PRODUCT
