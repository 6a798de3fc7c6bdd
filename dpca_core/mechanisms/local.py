"""The local model: every person adds the noise to their own x·xᵀ and sends that."""

from abc import abstractmethod
from dataclasses import dataclass, replace
from math import sqrt
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import mirrored, symmetrized
from dpca_core.mechanisms.base import Mechanism
from dpca_core.mechanisms.family import Family
from dpca_core.mechanisms.matrix_noise import MatrixNoise
from dpca_core.mechanisms.matrix_statistic import MatrixStatistic
from dpca_core.mechanisms.neighbouring_pair import Pair, PairSize, one_report_pair
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
from dpca_core.problem import Problem

ANY_TWO_RECORDS = sqrt(2)
"""‖xxᵀ − yyᵀ‖_F ≤ √2 for any two records of norm at most 1; a zero record stands for nobody."""

_NEEDS_DELTA = (
    "{} needs δ > 0, as the paper has no pure local algorithm: choose a positive δ, or a pure "
    "mechanism with a trusted curator, such as Wishart difference."
)


@dataclass(frozen=True)
class LocalNoise(MatrixNoise):
    """Publish each person's xxᵀ + Z; the estimate is the top k of the sum of these reports.

    A sum of n independent Gaussian matrices is one, √n times as large: S + √n·Z has the law of the
    sum of the reports (docs/local.md).
    """

    family = Family.LOCAL
    document = "local"
    needs_curator = False
    needs_delta = True
    noise_description = "adds its noise to each person’s record"
    symbol: ClassVar[str]

    @abstractmethod
    def report_std(self, budget: Budget) -> float:
        """Noise of one report, in people; δ > 0."""

    def calibrate(self, problem: Problem, budget: Budget) -> Noise:
        """√n times the noise of one report: that of their sum."""
        if budget.delta == 0:
            raise InfeasibleBudget(_NEEDS_DELTA.format(self.name))
        scale = sqrt(problem.n) * self.report_std(budget)
        return Noise(scale, "people", f"√n·{self.symbol}")

    def guarantee(self, problem: Problem, budget: Budget) -> Guarantee:
        """Return what one report promises, from the exact Gaussian profile at √2."""
        multiplier = self.calibrate(problem, budget).scale / sqrt(problem.n) / ANY_TWO_RECORDS
        true = gaussian_epsilon(multiplier, budget.delta, 1.0)
        return Guarantee(
            true,
            budget.delta,
            Notion.LOCAL,
            Standing.PROVED,
            budget.adjacency,
            "docs/local.md",
            noise_multiplier=multiplier,
            exact=true > 0,
        )

    def worst_pair(self, size: PairSize, budget: Budget) -> Pair:
        """Return two records of one person, whose report is what is published."""
        return one_report_pair(size)

    def likelihood_statistic(self, adjacency: Adjacency) -> MatrixStatistic | None:
        """Return the inner product: on the worst pair only the diagonal changes."""
        return MatrixStatistic.INNER_PRODUCT


@dataclass(frozen=True)
class LocalPrinted(LocalNoise):
    """Each person adds an i.i.d. N(0, σ₁²) upper triangle, σ₁ = √(2 ln(1.25/δ))/ε, to their record.

    Wang & Xu 2020, Algorithm 1, for “any ε, δ > 0”. The proof of that σ₁ needs ε ≤ 1 and records
    that differ by 1; two records of norm 1 differ by up to √2.
    """

    key = "local_printed"
    name = "Local Gaussian, printed"
    calibrated_counterpart = "local_gaussian"
    printed = True
    symbol = "σ₁"

    def claim(self, problem: Problem, budget: Budget) -> Guarantee:
        """(ε, δ), locally, whatever ε."""
        return Guarantee.claimed(budget, Notion.LOCAL, "Wang & Xu 2020, Theorem 2")

    def guarantee(self, problem: Problem, budget: Budget) -> Guarantee:
        """Return the true ε at the given δ."""
        true = super().guarantee(problem, budget)
        if true.epsilon <= budget.epsilon:
            return true
        return replace(
            true,
            standing=Standing.WEAKER,
            erratum="Two records differ by up to √2, not by 1 as the printed noise assumes"
            f"{'' if budget.epsilon <= 1 else ', and the noise is proved only for ε ≤ 1'}: true "
            f"ε = {true.epsilon:.3g}.",
        )

    def report_std(self, budget: Budget) -> float:
        """σ₁ = √(2 ln(1.25/δ))/ε, as printed."""
        return classic_gaussian_sigma(budget.epsilon, budget.delta)

    def matrices(self, d: int, rng: np.random.Generator, trials: int) -> Array:
        """Standard normal upper triangles, mirrored."""
        return mirrored(rng.standard_normal((trials, d, d)))

    @staticmethod
    def entry_std(d: int) -> tuple[float, float]:
        """Return (1, 1): all entries are alike."""
        return 1.0, 1.0


@dataclass(frozen=True)
class LocalGaussian(LocalNoise):
    """Each person adds isotropic Gaussian noise to their record, exactly calibrated.

    No curator sees the records. Two records differ by up to √2 in Frobenius norm, so one report
    has the noise of the central mechanism under replacement, and the sum of n reports has √n times
    as much: what a trusted curator learns from n people takes about n² people here.
    """

    key = "local_gaussian"
    name = "Local Gaussian"
    symbol = "τ"

    def guarantee(self, problem: Problem, budget: Budget) -> Guarantee:
        """(ε, δ) locally, exactly."""
        return replace(super().guarantee(problem, budget), epsilon=budget.epsilon)

    def report_std(self, budget: Budget) -> float:
        """τ: the analytic Gaussian at √2."""
        return gaussian_sigma(budget.epsilon, budget.delta, ANY_TWO_RECORDS)

    def matrices(self, d: int, rng: np.random.Generator, trials: int) -> Array:
        """(N + Nᵀ)/2 of standard normal N."""
        return symmetrized(rng.standard_normal((trials, d, d)))

    @staticmethod
    def entry_std(d: int) -> tuple[float, float]:
        """Return (1, √½)."""
        return 1.0, sqrt(0.5)


def reports(
    mechanism: Mechanism, rows: ArrayLike, budget: Budget, rng: np.random.Generator
) -> Array:
    """Return each person's noisy report x·xᵀ + Z, independent: (n, d, d), symmetric.

    Their sum has the law of the matrix that ``mechanism.release`` publishes with
    ``keep="moment"``, which costs O(d²) instead of O(n·d²) (docs/local.md).

    Parameters
    ----------
    mechanism
        One that releases the top k of the sum of the reports: local_gaussian or local_printed.
    rows
        (n, d), of norm at most 1, one a person.

    Raises
    ------
    ValueError
        For another mechanism, and for rows that are no finite table in the unit ball.
    InfeasibleBudget
        At δ = 0.
    """
    if not isinstance(mechanism, LocalNoise):
        raise ValueError(f"{mechanism.name} has no reports: choose a local Gaussian mechanism.")
    everybody = Problem.from_rows(rows, 1)
    records = np.asarray(rows, dtype=float)
    one = everybody.scaled(1.0)
    noise = mechanism.matrices(everybody.d, rng, len(records))
    return np.asarray(
        records[:, :, None] * records[:, None, :] + mechanism.calibrate(one, budget).scale * noise
    )
