"""Two looks at the rows: a cheap one finds the top directions, another sees what is beside them.

Noise is set by the longest row, and most of a row's length lies along the first directions. The
second look rescales the axes by what the first one published, so that the first directions and the
rest each take about half of every row's length; the same noise is then smaller along the rest.
"""

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import gram, symmetrized, top_basis
from dpca_core.mechanisms.base import Keep, Mechanism, parameter
from dpca_core.mechanisms.family import Family
from dpca_core.mechanisms.release import Noise, Release
from dpca_core.mechanisms.rescaled_axes import (
    MEDIAN_BINS,
    NoiseSize,
    axes_of,
    combined,
    noisy_median_radius,
    rescaled_sum,
    shortened,
)
from dpca_core.privacy.budget import Budget, Guarantee, InfeasibleBudget, Notion, Standing
from dpca_core.privacy.gaussian import gaussian_sigma
from dpca_core.privacy.sensitivity import frobenius, nuclear
from dpca_core.problem import Problem

_WITHOUT_ROWS = (
    "A second look reads the rows again, and only their sum is kept here: choose Gaussian noise."
)
_DOCUMENT = "second-look"
_PROOF = f"own proof, docs/{_DOCUMENT}.md"


@dataclass(frozen=True)
class Looks(Mechanism):
    """Two looks at the rows with noise on each sum; what both say is combined."""

    family = Family.GAUSSIAN
    document = _DOCUMENT
    noise_description = "adds noise to S twice, the second time in axes that the first look set"
    publishes_matrix = True
    reads_rows = True
    relative_cost = 4.0

    share: float = parameter(0.3, "Budget of the first look", "", 0.05, 0.9)
    tail: float = parameter(0.65, "Length left to the rest", "", 0.1, 0.9)

    @classmethod
    def shown_by_default(cls) -> bool:
        """Return False: it needs the rows, which sums and streams do not keep."""
        return False

    @abstractmethod
    def sizes(self, d: int, budget: Budget) -> tuple[NoiseSize, NoiseSize]:
        """Return the noise of both looks: public."""

    @abstractmethod
    def unit_noise(self, d: int, rng: np.random.Generator) -> Array:
        """Draw the noise of one look (d, d) at scale 1."""

    def first_rows(
        self, problem: Problem, budget: Budget, rng: np.random.Generator
    ) -> tuple[Array, Array]:
        """Return the rows that are looked at, and their sum S in people."""
        assert problem.rows is not None
        return problem.rows, problem.moment

    def sample(
        self, problem: Problem, budget: Budget, rng: np.random.Generator, trials: int, keep: Keep
    ) -> Release:
        """Look twice, for each trial."""
        sizes = self.sizes(problem.d, budget)
        if problem.rows is None:
            raise InfeasibleBudget(_WITHOUT_ROWS)
        found = np.stack([self._one(problem, budget, sizes, rng) for _ in range(trials)])
        return Release(
            bases=top_basis(found, problem.k),
            refused=np.zeros(trials, dtype=bool),
            moment=found if keep == "moment" else None,
        )

    def _one(
        self,
        problem: Problem,
        budget: Budget,
        sizes: tuple[NoiseSize, NoiseSize],
        rng: np.random.Generator,
    ) -> Array:
        """Return what both looks say of S (d, d)."""
        # Noise before anything that the data decide: then curves over ε stay smooth.
        noise = [self.unit_noise(problem.d, rng) for _ in range(2)]
        rows, moment = self.first_rows(problem, budget, rng)
        first = moment + sizes[0].scale * noise[0]
        axes = axes_of(first, sizes[0], problem.k, self.tail)
        seen = rescaled_sum(rows, moment, problem.row_weight, axes)
        second = seen + sizes[1].scale * noise[1]
        return combined(first, second, axes, sizes)


@dataclass(frozen=True)
class SecondLook(Looks):
    """Gaussian noise in two looks, the second along axes that the first one found.

    Where the top directions hold most of every row's length, the second look sees the rest with
    several times less noise at the same (ε, δ). Where nothing stands out of the first look’s noise,
    axes stay as they are. It reads rows, not only their sum, and pays most where all rows have
    length 1. Own result, docs/second-look.md.
    """

    key = "second_look"
    name = "Second look"
    needs_delta = True

    radius_share: float = parameter(0.0, "Budget of the median length", "", 0.0, 0.5)

    def guarantee(self, problem: Problem, budget: Budget) -> Guarantee:
        """(ε, δ): three Gaussian mechanisms, composed exactly."""
        sigma = self._sigma(budget)
        return Guarantee(
            budget.epsilon,
            budget.delta,
            Notion.APPROXIMATE,
            Standing.PROVED,
            budget.adjacency,
            _PROOF,
            noise_multiplier=sigma,
        )

    def calibrate(self, problem: Problem, budget: Budget) -> Noise:
        """τ₁, the noise of the first look: no more than public numbers."""
        return Noise(self.sizes(problem.d, budget)[0].scale, "people", "τ₁")

    def sizes(self, d: int, budget: Budget) -> tuple[NoiseSize, NoiseSize]:
        """τ₁ = Δ/μ₁ and τ₂ = Δ/μ₂ with μ₁² + μ₂² = (1 − radius_share)·μ²."""
        left = (1 - self.radius_share) ** 0.5 / self._sigma(budget)
        change = frobenius(budget.adjacency)
        return (
            NoiseSize.gaussian(change / (left * self.share**0.5), d),
            NoiseSize.gaussian(change / (left * (1 - self.share) ** 0.5), d),
        )

    def unit_noise(self, d: int, rng: np.random.Generator) -> Array:
        """Draw (N + Nᵀ)/2."""
        return symmetrized(rng.standard_normal((d, d)))

    def first_rows(
        self, problem: Problem, budget: Budget, rng: np.random.Generator
    ) -> tuple[Array, Array]:
        """Shorten rows at a noisy median of their lengths, where a share of ε pays for it."""
        noise = rng.standard_normal(MEDIAN_BINS)
        if self.radius_share == 0:
            return super().first_rows(problem, budget, rng)
        assert problem.rows is not None
        scale = frobenius(budget.adjacency) * self._sigma(budget) / self.radius_share**0.5
        radius = noisy_median_radius(problem.rows, problem.row_weight, scale * noise)
        rows = shortened(problem.rows, radius)
        return rows, problem.row_weight * (rows.T @ rows)

    def _sigma(self, budget: Budget) -> float:
        if budget.delta == 0:
            raise InfeasibleBudget(
                "A second look with Gaussian noise needs δ > 0: choose a positive δ, or a pure "
                "mechanism such as Second look, pure."
            )
        return gaussian_sigma(budget.epsilon, budget.delta, 1.0)


@dataclass(frozen=True)
class SecondLookPure(Looks):
    """Two looks with differences of Wisharts as noise: pure ε-DP by adding up both looks.

    As Second look, without δ. Own result, docs/second-look.md.
    """

    key = "second_look_pure"
    name = "Second look, pure"
    family = Family.WISHART

    def guarantee(self, problem: Problem, budget: Budget) -> Guarantee:
        """Pure ε: basic composition."""
        return Guarantee(
            budget.epsilon, 0.0, Notion.PURE, Standing.PROVED, budget.adjacency, _PROOF
        )

    def calibrate(self, problem: Problem, budget: Budget) -> Noise:
        """s₁, the scale of the first look: no more than public numbers."""
        return Noise(self.sizes(problem.d, budget)[0].scale, "people", "s₁")

    def sizes(self, d: int, budget: Budget) -> tuple[NoiseSize, NoiseSize]:
        """s₁ = Δ_*/(2ε₁) and s₂ = Δ_*/(2ε₂) with ε₁ + ε₂ = ε."""
        change = nuclear(budget.adjacency)
        epsilons = self.share * budget.epsilon, (1 - self.share) * budget.epsilon
        first, second = (NoiseSize.wishart(change / (2 * each), d) for each in epsilons)
        return first, second

    def unit_noise(self, d: int, rng: np.random.Generator) -> Array:
        """Draw G₁G₁ᵀ − G₂G₂ᵀ."""
        first, second = rng.standard_normal((2, d, d + 1))
        return gram(first) - gram(second)
