"""Two looks at the rows: a cheap one finds the top directions, another sees what is beside them.

Noise is set by the longest row, and most of a row's length lies along the first directions. The
second look rescales the axes by what the first one published, so that the first directions and the
rest each take about half of every row's length; the same noise is then smaller along the rest.
"""

from abc import abstractmethod
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import gram, symmetrized, top_basis
from dpca_core.mechanisms.base import Keep, Mechanism, parameter
from dpca_core.mechanisms.family import Family
from dpca_core.mechanisms.neighbouring_pair import Pair, PairSize
from dpca_core.mechanisms.release import Noise, Release
from dpca_core.mechanisms.rescaled_axes import (
    MEDIAN_BINS,
    Axes,
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
_RADIUS, _LOOKS = "radius", "looks"
Sizes = tuple[NoiseSize, NoiseSize]
"""The noise of both looks."""


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
    def sizes(self, d: int, budget: Budget) -> Sizes:
        """Return the noise of both looks: public."""

    @abstractmethod
    def unlikelihood(self, noise: Array, scale: float) -> float:
        """Return about −ln of the density of one look's noise (d, d), but for a constant."""

    @abstractmethod
    def unit_noise(self, d: int, rng: np.random.Generator) -> Array:
        """Draw the noise of one look (d, d) at scale 1."""

    def radius(self, problem: Problem, budget: Budget, rng: np.random.Generator) -> float:
        """Return the length to which rows are shortened: 1 unless a share of ε pays for it."""
        return 1.0

    def sample(
        self, problem: Problem, budget: Budget, rng: np.random.Generator, trials: int, keep: Keep
    ) -> Release:
        """Look twice, for each trial."""
        sizes = self.sizes(problem.d, budget)
        if problem.rows is None:
            raise InfeasibleBudget(_WITHOUT_ROWS)
        seen = [self._look(problem, budget, sizes, rng) for _ in range(trials)]
        found = np.stack([combined(one.first, one.second, one.axes, sizes) for one in seen])
        bases, refused = top_basis(found, problem.k), np.zeros(trials, dtype=bool)
        if keep != "moment":
            return Release(bases=bases, refused=refused)
        radius = np.array([one.radius for one in seen])
        info = {
            _RADIUS: radius,
            _LOOKS: np.stack([np.stack([one.first, one.second]) for one in seen]),
        }
        # Looks see rows divided by the released radius; the matrix is of rows as long as they are.
        moment = found * (radius**2)[:, None, None]
        return Release(bases=bases, refused=refused, info=info, moment=moment)

    def _look(
        self, problem: Problem, budget: Budget, sizes: Sizes, rng: np.random.Generator
    ) -> "_Seen":
        # Noise before anything that the data decide: then curves over ε stay smooth.
        noise = [self.unit_noise(problem.d, rng) for _ in range(2)]
        radius = self.radius(problem, budget, rng)
        rows, moment = _rows_at(problem, radius)
        first = moment + sizes[0].scale * noise[0]
        axes = axes_of(first, sizes[0], problem.k, self.tail)
        rescaled = rescaled_sum(rows, moment, problem.row_weight, axes)
        return _Seen(radius, first, rescaled + sizes[1].scale * noise[1], axes)

    def transcript_statistic(self, release: Release, pair: Pair, budget: Budget) -> Array:
        """Return how much likelier both looks are with the person than without."""
        sizes = self.sizes(pair.person.size, budget)
        looked = zip(release.info[_RADIUS].tolist(), release.info[_LOOKS], strict=True)
        values = [
            self._surprise(pair.without_person, radius, looks, sizes)
            - self._surprise(pair.with_person, radius, looks, sizes)
            for radius, looks in looked
        ]
        return np.array(values)

    def _surprise(self, problem: Problem, radius: float, looks: Array, sizes: Sizes) -> float:
        """Return about −ln of the density of both looks on these data, but for a constant."""
        rows, moment = _rows_at(problem, radius)
        axes = axes_of(looks[0], sizes[0], problem.k, self.tail)
        sums = moment, rescaled_sum(rows, moment, problem.row_weight, axes)
        return sum(
            self.unlikelihood(look - true, size.scale)
            for look, true, size in zip(looks, sums, sizes, strict=True)
        )

    def worst_pair(self, size: PairSize, budget: Budget) -> Pair:
        """Return a person beside the first directions, whom rescaled axes make as long as any."""
        axes = np.eye(size.d)
        name = "a person beside the first directions, along which all others lie"
        return size.pair(axes[size.k], axes[size.k - 1], size.widest_gap(), name)


class _Seen(NamedTuple):
    """What one release publishes on the way: length of rows, M₁, M₂ (d, d) and A, which M₁ sets."""

    radius: float
    first: Array
    second: Array
    axes: Axes


def _rows_at(problem: Problem, radius: float) -> tuple[Array, Array]:
    """Return rows shortened to a length, and their sum S in people."""
    assert problem.rows is not None
    if radius == 1:
        return problem.rows, problem.moment
    rows = shortened(problem.rows, radius)
    return rows, problem.row_weight * (rows.T @ rows)


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
    transcript_attack = "the log-likelihood ratio of both looks"
    transcript_is_likelihood_ratio = True

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

    def sizes(self, d: int, budget: Budget) -> Sizes:
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

    def unlikelihood(self, noise: Array, scale: float) -> float:
        """‖E‖_F²/2τ², exactly."""
        return float((noise**2).sum()) / (2 * scale**2)

    def radius(self, problem: Problem, budget: Budget, rng: np.random.Generator) -> float:
        """Shorten rows at a noisy median of their lengths, where a share of ε pays for it."""
        noise = rng.standard_normal(MEDIAN_BINS)
        if self.radius_share == 0:
            return 1.0
        assert problem.rows is not None
        scale = frobenius(budget.adjacency) * self._sigma(budget) / self.radius_share**0.5
        return noisy_median_radius(problem.rows, problem.row_weight, scale * noise)

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
    transcript_attack = (
        "how much closer in nuclear norm both looks are with the person than without"
    )

    def guarantee(self, problem: Problem, budget: Budget) -> Guarantee:
        """Pure ε: basic composition."""
        return Guarantee(
            budget.epsilon, 0.0, Notion.PURE, Standing.PROVED, budget.adjacency, _PROOF
        )

    def calibrate(self, problem: Problem, budget: Budget) -> Noise:
        """s₁, the scale of the first look: no more than public numbers."""
        return Noise(self.sizes(problem.d, budget)[0].scale, "people", "s₁")

    def sizes(self, d: int, budget: Budget) -> Sizes:
        """s₁ = Δ_*/(2ε₁) and s₂ = Δ_*/(2ε₂) with ε₁ + ε₂ = ε."""
        change = nuclear(budget.adjacency)
        epsilons = self.share * budget.epsilon, (1 - self.share) * budget.epsilon
        first, second = (NoiseSize.wishart(change / (2 * each), d) for each in epsilons)
        return first, second

    def unit_noise(self, d: int, rng: np.random.Generator) -> Array:
        """Draw G₁G₁ᵀ − G₂G₂ᵀ."""
        first, second = rng.standard_normal((2, d, d + 1))
        return gram(first) - gram(second)

    def unlikelihood(self, noise: Array, scale: float) -> float:
        """‖E‖_*/2s: what the guarantee bounds."""
        return float(np.abs(np.linalg.eigvalsh(noise)).sum()) / (2 * scale)
