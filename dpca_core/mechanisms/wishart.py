"""One Wishart matrix as noise on S: a printed theorem, and our own exact one."""

from abc import abstractmethod
from dataclasses import dataclass
from math import ceil, e, log, sqrt

import numpy as np
import scipy

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import gram
from dpca_core.mechanisms.family import Family
from dpca_core.mechanisms.matrix_statistic import MatrixStatistic
from dpca_core.mechanisms.parameters import parameter
from dpca_core.mechanisms.published_matrix import SharedMatrixNoise
from dpca_core.mechanisms.release import Noise
from dpca_core.privacy.budget import (
    Adjacency,
    Budget,
    Guarantee,
    InfeasibleBudget,
    Notion,
    Standing,
)
from dpca_core.privacy.wishart import (
    MOST_DEGREES_OF_FREEDOM,
    wishart_degrees_of_freedom,
    wishart_epsilon,
)
from dpca_core.problem import Problem


@dataclass(frozen=True)
class BartlettWishart(SharedMatrixNoise):
    """One Wishart matrix with many degrees of freedom, drawn by Bartlett's decomposition.

    The normals below the diagonal and the ranks of the χ² on it don't depend on how many there are,
    so one draw serves every budget.
    """

    family = Family.WISHART
    document = "wishart"
    needs_delta = True
    noise_description = "adds positive noise to S"

    @abstractmethod
    def degrees_of_freedom(self, d: int, budget: Budget) -> int:
        """Degrees of freedom p."""

    @property
    def matrix_scale(self) -> float:
        """Return s, the scale of the Wishart matrix, in people."""
        return 1.0

    def calibrate(self, problem: Problem, budget: Budget) -> Noise:
        """s·√p: the noise about its mean, p·s·I, which turns no direction."""
        return Noise(
            self.matrix_scale * sqrt(self.degrees_of_freedom(problem.d, budget)), "people", "s√p"
        )

    def noise_mean(self, d: int, budget: Budget) -> float:
        """s·p: the mean of W_d(p, sI) is p·s·I."""
        return self.matrix_scale * self.degrees_of_freedom(d, budget)

    def entry_noise(self, problem: Problem, budget: Budget) -> float | None:
        """s·√(2p): a diagonal entry is s times a χ² with p degrees of freedom."""
        return sqrt(2) * self.calibrate(problem, budget).scale

    def unit(self, d: int, k: int, rng: np.random.Generator, trials: int) -> tuple[Array, ...]:
        """Normals N (trials, d, d) below the diagonal, N·Nᵀ, and ranks (trials, d)."""
        lower = np.tril(rng.standard_normal((trials, d, d)), -1)
        return lower, gram(lower), rng.random((trials, d))

    def published(self, problem: Problem, budget: Budget, unit: tuple[Array, ...]) -> Array:
        """S + s·L·Lᵀ, L = N + D with D from the ranks: N·Nᵀ is the same at every budget."""
        lower, square, ranks = unit
        d = problem.d
        halves = (self.degrees_of_freedom(d, budget) - np.arange(d)) / 2
        diagonal = np.sqrt(2 * scipy.special.gammaincinv(halves, ranks))
        mixed = lower * diagonal[:, None, :]
        wishart = square + mixed + mixed.swapaxes(1, 2)
        wishart[:, np.arange(d), np.arange(d)] += np.square(diagonal)
        return np.asarray(problem.moment + self.matrix_scale * wishart)

    def likelihood_statistic(self, adjacency: Adjacency) -> MatrixStatistic | None:
        """Return the Wishart log-likelihood ratio itself."""
        return MatrixStatistic.WISHART_RATIO

    def _require_delta(self, budget: Budget) -> None:
        if budget.delta == 0:
            raise InfeasibleBudget(
                "One Wishart matrix needs δ > 0: choose a positive δ, or a pure mechanism such as "
                "Wishart difference."
            )


@dataclass(frozen=True)
class WishartSheffet(BartlettWishart):
    """One Wishart matrix, W_d(p, I) with p ≥ d + 28 ln(4/δ)/ε², on S. (ε, δ)-DP, very loose.

    Sheffet 2015 and 2019, for ε < 1 and δ < 1/e.
    """

    key = "wishart_sheffet"
    name = "Wishart Sheffet, printed"
    calibrated_counterpart = "wishart"
    printed = True

    def claim(self, problem: Problem, budget: Budget) -> Guarantee | None:
        """(ε, δ) in the range of the theorem."""
        self._require_range(budget)
        return Guarantee.claimed(budget, Notion.APPROXIMATE, "Sheffet 2019, Theorem 4.1")

    def guarantee(self, problem: Problem, budget: Budget) -> Guarantee:
        """Return the true ε at the given δ, by the exact profile."""
        freedom = self.degrees_of_freedom(problem.d, budget) - problem.d + 1
        true = wishart_epsilon(budget.delta, freedom, self.matrix_scale, budget.adjacency)
        enough = wishart_degrees_of_freedom(
            budget.epsilon, budget.delta, self.matrix_scale, budget.adjacency
        )
        too_much = ""
        if enough is not None:
            too_much = f"{freedom / enough:.2g} times the degrees of freedom needed: "
        return Guarantee(
            true,
            budget.delta,
            Notion.APPROXIMATE,
            Standing.PROVED,
            budget.adjacency,
            "docs/wishart.md",
            erratum=f"{too_much}true ε = {true:.3g}.",
            exact=true > 0 and budget.adjacency is Adjacency.ADD_OR_REMOVE_ONE,
        )

    def degrees_of_freedom(self, d: int, budget: Budget) -> int:
        """⌈d + 28 ln(4/δ)/ε²⌉."""
        self._require_range(budget)
        asked = 28 * log(4 / budget.delta) / budget.epsilon / budget.epsilon
        if asked > MOST_DEGREES_OF_FREEDOM:
            raise InfeasibleBudget(
                "Sheffet’s theorem requires more than 10¹² degrees of freedom here: raise ε."
            )
        return d + ceil(asked)

    def _require_range(self, budget: Budget) -> None:
        self._require_delta(budget)
        if budget.epsilon >= 1 or budget.delta >= 1 / e:
            raise InfeasibleBudget(
                "Sheffet’s theorem needs ε < 1 and δ < 1/e; choose less, or the calibrated Wishart."
            )


@dataclass(frozen=True)
class Wishart(BartlettWishart):
    """One Wishart matrix with the fewest degrees of freedom for which (ε, δ)-DP is proved.

    The published matrix is S plus a positive definite one. That, and not accuracy, is the reason to
    choose it: as s falls, its noise tends to that of the calibrated Gaussian.
    """

    key = "wishart"
    name = "Wishart"
    is_variant = True

    scale: float = parameter(1.0, "Scale s", "people", 0.05, 20.0)

    @property
    def matrix_scale(self) -> float:
        """Return s, the scale of the Wishart matrix, in people."""
        return self.scale

    def guarantee(self, problem: Problem, budget: Budget) -> Guarantee:
        """(ε, δ), by the exact profile; under replacement by that of twice a record.

        With the fewest whole degrees of freedom: one less would not be enough. At d + 1, the fewest
        that have a density, δ may be to spare.
        """
        fewest = self.degrees_of_freedom(problem.d, budget) == problem.d + 1
        return Guarantee(
            budget.epsilon,
            budget.delta,
            Notion.APPROXIMATE,
            Standing.PROVED,
            budget.adjacency,
            "own accounting, docs/wishart.md",
            exact=not fewest and budget.adjacency is Adjacency.ADD_OR_REMOVE_ONE,
        )

    def degrees_of_freedom(self, d: int, budget: Budget) -> int:
        """Return the fewest degrees of freedom."""
        self._require_delta(budget)
        found = wishart_degrees_of_freedom(
            budget.epsilon, budget.delta, self.scale, budget.adjacency
        )
        if found is None:
            raise InfeasibleBudget(
                "At this scale no number of degrees of freedom is enough: raise ε, δ or s."
            )
        return found + d - 1
