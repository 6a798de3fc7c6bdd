"""Two printed Wishart mechanisms whose noise can prove that somebody is absent: refuted."""

from abc import abstractmethod
from dataclasses import dataclass
from math import expm1, log, sqrt
from typing import ClassVar

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import gram
from dpca_core.mechanisms.family import Family
from dpca_core.mechanisms.matrix_noise import MatrixNoise
from dpca_core.mechanisms.matrix_statistic import MatrixStatistic
from dpca_core.mechanisms.release import Noise
from dpca_core.privacy.budget import (
    Adjacency,
    Budget,
    Guarantee,
    Notion,
    Standing,
)
from dpca_core.problem import Problem


@dataclass(frozen=True)
class RefutedWishart(MatrixNoise):
    """One Wishart matrix of d + 1 degrees of freedom: an output can prove a record absent."""

    family = Family.WISHART
    document = "wishart-refutation"
    printed = True
    one_sided = True
    output_can_prove_absence = True

    claimed_in: ClassVar[str]
    """Where the paper claims pure ε."""

    @abstractmethod
    def formula(self, budget: Budget) -> float:
        """Printed scale s on S, in people."""

    def claim(self, problem: Problem, budget: Budget) -> Guarantee | None:
        """Pure ε."""
        return Guarantee.claimed(budget, Notion.PURE, self.claimed_in)

    def guarantee(self, problem: Problem, budget: Budget) -> Guarantee:
        """(0, δ) with the total variation δ = 1 − e^{−1/(2s)}; no ε lowers it.

        The same where a person is replaced: nobody is easier to tell from another than from 0.
        """
        share = -expm1(-1 / (2 * self.formula(budget)))
        return Guarantee(
            0.0,
            share,
            Notion.APPROXIMATE,
            Standing.REFUTED,
            budget.adjacency,
            "docs/wishart-refutation.md",
            exact=True,
            erratum=f"About {100 * share:.0f} of 100 published matrices prove that an absent "
            "record is absent.",
        )

    def calibrate(self, problem: Problem, budget: Budget) -> Noise:
        """s as printed."""
        return Noise(self.formula(budget), "people", "s")

    def noise_mean(self, d: int, budget: Budget) -> float:
        """s·(d + 1): the mean of W_d(d + 1, sI) is (d + 1)·s·I."""
        return self.formula(budget) * (d + 1)

    def matrices(self, d: int, rng: np.random.Generator, trials: int) -> Array:
        """G·Gᵀ of standard normal (d, d + 1) matrices."""
        return gram(rng.standard_normal((trials, d, d + 1)))

    @staticmethod
    def entry_std(d: int) -> tuple[float, float]:
        """Return (√(2(d + 1)), √(d + 1))."""
        return sqrt(2 * (d + 1)), sqrt(d + 1)

    def likelihood_statistic(self, adjacency: Adjacency) -> MatrixStatistic | None:
        """Return the smallest eigenvalue; of a replaced person two of them matter, so None."""
        added = adjacency is Adjacency.ADD_OR_REMOVE_ONE
        return MatrixStatistic.SMALLEST_EIGENVALUE if added else None


@dataclass(frozen=True)
class WishartSN(RefutedWishart):
    """One Wishart matrix, W_d(d + 1, I/(2ε)), on S. Claimed to be ε-DP; refuted.

    Imtiaz & Sarwate 2016, Algorithm 1 (withdrawn by their note of 2017). The noise only ever
    raises eigenvalues; where the published matrix minus a record is not positive, the record was
    not in the data.
    """

    key = "wishart_sn"
    name = "Wishart SN, printed"
    claimed_in = "Imtiaz & Sarwate 2016, Theorem 1"

    def formula(self, budget: Budget) -> float:
        """1/(2ε)."""
        return 1 / (2 * budget.epsilon)


@dataclass(frozen=True)
class WishartJiang(RefutedWishart):
    """One Wishart matrix, W_d(d + 1, 3I/(2ε)), on S. Claimed to be ε-DP; refuted.

    Jiang, Xie & Zhang 2016, Algorithm 2 (there on S/n, with 3/(2nε)). Three times the noise of
    Wishart SN, and the same flaw.
    """

    key = "wishart_jiang"
    name = "Wishart Jiang, printed"
    claimed_in = "Jiang, Xie & Zhang 2016, Theorem 4"

    def formula(self, budget: Budget) -> float:
        """3/(2ε)."""
        return 3 / (2 * budget.epsilon)

    def noise_norm_order(self, d: int, epsilon: float) -> float | None:
        """d·ln d/ε."""
        return d * log(d) / epsilon
