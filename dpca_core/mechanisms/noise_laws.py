"""Laws of symmetric noise on S: how to draw them, how large they must be, what they really hide."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import StrEnum
from math import expm1, pi, sqrt
from typing import ClassVar

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import gram, mirrored, symmetrized
from dpca_core.privacy import matrix_t, sensitivity
from dpca_core.privacy.budget import Adjacency, Budget, InfeasibleBudget
from dpca_core.privacy.gaussian import gaussian_epsilon, gaussian_sigma
from dpca_core.sampling import nuclear_norm
from dpca_core.sampling.matrix_t import matrix_t as draw_matrix_t


class ExactNoise(StrEnum):
    """Noise on whole numbers whose law is drawn exactly, bit for bit (``dpca_core.release``)."""

    GAUSSIAN = "rounded Gaussian"
    WISHART_DIFFERENCE = "rounded difference of Wisharts"
    LAPLACE = "discrete Laplace"


@dataclass(frozen=True)
class Spent:
    """The true (ε, δ) of noise of a scale."""

    epsilon: float
    delta: float
    exact: bool
    """Whether some neighbouring data sets spend all of it."""
    multiplier: float | None = None
    """σ/Δ where the noise is Gaussian."""
    refuted: bool = False
    """Whether no ε would lower δ: then what claims an ε is wrong."""


class NoiseLaw(ABC):
    """Symmetric noise E (d, d) at scale 1."""

    symbol: ClassVar[str]
    """Of its scale."""
    source: ClassVar[str]
    """Where it is proved what the noise hides."""
    one_sided: ClassVar[bool] = False
    """Whether it only raises eigenvalues: then an output can prove that a record is absent. Half
    its range is its size."""
    density_is_exact: ClassVar[bool] = True
    """Whether ``log_density`` is the density itself, not what the guarantee bounds of it."""
    spread: ClassVar[tuple[float, float]]
    """``std`` at every d, if it is the same."""

    @abstractmethod
    def draw(self, d: int, rng: np.random.Generator, trials: int) -> Array:
        """Return E (trials, d, d)."""

    def std(self, d: int) -> tuple[float, float]:
        """Standard deviations of a diagonal and of an off-diagonal entry of E at d columns."""
        return self.spread

    def mean(self, d: int) -> float:
        """m, where the mean of E is m·I."""
        return 0.0

    def edge(self, d: int) -> float:
        """About where the spectrum of E ends if its mean is 0, by the semicircle law."""
        return 2 * sqrt(d) * self.std(d)[1]

    def scale(self, d: int, budget: Budget, rows: int = 1) -> float:
        """Smallest scale, in people, that keeps a budget where a person has so many rows."""
        raise InfeasibleBudget("This noise is private at no scale: choose another law.")

    def keeps(self, d: int, scale: float, budget: Budget) -> bool:
        """Tell whether a scale keeps a budget where a person has one row."""
        return scale >= self.scale(d, budget)

    @abstractmethod
    def spent(self, d: int, scale: float, budget: Budget, rows: int = 1) -> Spent:
        """Return what a scale spends at the δ of a budget."""

    @abstractmethod
    def log_density(self, e: Array) -> Array:
        """Return ln of the density (trials,) at E (trials, d, d), but for a constant."""


class GaussianNoise(NoiseLaw):
    """Symmetric Gaussian noise, the same in every direction of the Frobenius norm."""

    symbol, spread = "τ", (1.0, sqrt(0.5))
    source = "Balle & Wang 2018, Theorem 8"

    def draw(self, d: int, rng: np.random.Generator, trials: int) -> Array:
        return symmetrized(rng.standard_normal((trials, d, d)))

    def scale(self, d: int, budget: Budget, rows: int = 1) -> float:
        return gaussian_sigma(budget.epsilon, budget.delta, sensitivity.frobenius(budget.adjacency))

    def spent(self, d: int, scale: float, budget: Budget, rows: int = 1) -> Spent:
        change = sensitivity.frobenius(budget.adjacency)
        epsilon = budget.epsilon
        if scale != self.scale(d, budget):  # the smallest that is private spends the budget
            epsilon = gaussian_epsilon(scale, budget.delta, change)
        return Spent(epsilon, budget.delta, epsilon > 0, scale / change)

    def log_density(self, e: Array) -> Array:
        return np.asarray(-np.square(e).sum(axis=(1, 2)) / 2)


class GaussianTriangle(GaussianNoise):
    """An i.i.d. standard normal upper triangle: off the diagonal √2 times what is needed."""

    symbol, spread = "σ", (1.0, 1.0)

    def draw(self, d: int, rng: np.random.Generator, trials: int) -> Array:
        return mirrored(rng.standard_normal((trials, d, d)))

    def log_density(self, e: Array) -> Array:
        return super().log_density(np.triu(e))


class LaplaceNoise(NoiseLaw):
    """An i.i.d. Laplace upper triangle of scale 1."""

    symbol, spread = "b", (sqrt(2), sqrt(2))
    source = (
        "Dwork, McSherry, Nissim & Smith 2006 (Laplace noise), at a bound on the ℓ₁ sensitivity, "
        "docs/conventions.md"
    )

    def draw(self, d: int, rng: np.random.Generator, trials: int) -> Array:
        return mirrored(rng.laplace(size=(trials, d, d)))

    def scale(self, d: int, budget: Budget, rows: int = 1) -> float:
        return sensitivity.upper_triangle_l1(d, budget.adjacency) / budget.epsilon

    def spent(self, d: int, scale: float, budget: Budget, rows: int = 1) -> Spent:
        epsilon = sensitivity.upper_triangle_l1(d, budget.adjacency) / scale
        return Spent(epsilon, 0.0, sensitivity.upper_triangle_l1_attained(d, budget.adjacency))

    def log_density(self, e: Array) -> Array:
        return np.asarray(-np.abs(np.triu(e)).sum(axis=(1, 2)))


class WishartDifferenceNoise(NoiseLaw):
    """W₁ − W₂, independent Wishart matrices of d + 1 degrees of freedom (own result)."""

    symbol, density_is_exact = "s", False
    source = "own proof, docs/difference-of-wisharts.md"

    def draw(self, d: int, rng: np.random.Generator, trials: int) -> Array:
        first, second = rng.standard_normal((trials, 2, d, d + 1)).swapaxes(0, 1)
        return gram(first) - gram(second)

    def std(self, d: int) -> tuple[float, float]:
        return 2 * sqrt(d + 1), sqrt(2 * (d + 1))

    def edge(self, d: int) -> float:
        """3.33·d, as measured in docs/difference-of-wisharts.md."""
        return 3.33 * d

    def scale(self, d: int, budget: Budget, rows: int = 1) -> float:
        return sensitivity.nuclear(budget.adjacency) / (2 * budget.epsilon)

    def spent(self, d: int, scale: float, budget: Budget, rows: int = 1) -> Spent:
        return Spent(sensitivity.nuclear(budget.adjacency) / (2 * scale), 0.0, True)

    def log_density(self, e: Array) -> Array:
        """About −‖E‖_*/2: how fast the true one can change, which is what the guarantee bounds."""
        return np.asarray(-np.abs(np.linalg.eigvalsh(e)).sum(axis=1) / 2)


class NuclearNormNoise(NoiseLaw):
    """Density proportional to e^(−‖E‖_*), the sum of the sizes of E's eigenvalues."""

    symbol = "b"
    source = "Hardt & Talwar 2010 (K-norm mechanism); docs/nuclear-norm.md"

    def draw(self, d: int, rng: np.random.Generator, trials: int) -> Array:
        return nuclear_norm.nuclear_norm(self._offered(d), rng, trials)

    def std(self, d: int) -> tuple[float, float]:
        return nuclear_norm.unit_nuclear_std(self._offered(d))

    def edge(self, d: int) -> float:
        """π·d/2, the limit in docs/nuclear-norm.md."""
        return pi * d / 2

    def scale(self, d: int, budget: Budget, rows: int = 1) -> float:
        return sensitivity.nuclear(budget.adjacency) / budget.epsilon

    def spent(self, d: int, scale: float, budget: Budget, rows: int = 1) -> Spent:
        return Spent(sensitivity.nuclear(budget.adjacency) / scale, 0.0, True)

    def log_density(self, e: Array) -> Array:
        return np.asarray(-np.abs(np.linalg.eigvalsh(e)).sum(axis=1))

    def _offered(self, d: int) -> int:
        most = nuclear_norm.MOST_NUCLEAR_COLUMNS
        if d > most:
            raise InfeasibleBudget(
                f"Nuclear norm noise is drawn for up to {most} columns, and these are {d}: choose "
                "Wishart difference, whose noise is a tenth larger."
            )
        return d


class WishartNoise(NoiseLaw):
    """One Wishart matrix of d + 1 degrees of freedom, as two papers print it: never private."""

    symbol, one_sided = "s", True
    source = "docs/wishart-refutation.md"

    def draw(self, d: int, rng: np.random.Generator, trials: int) -> Array:
        return gram(rng.standard_normal((trials, d, d + 1)))

    def std(self, d: int) -> tuple[float, float]:
        return sqrt(2 * (d + 1)), sqrt(d + 1)

    def mean(self, d: int) -> float:
        return d + 1

    def spent(self, d: int, scale: float, budget: Budget, rows: int = 1) -> Spent:
        """(0, δ) with the total variation δ = 1 − e^{−1/(2s)}, also where a person is replaced."""
        return Spent(0.0, -expm1(-1 / (2 * scale)), exact=True, refuted=True)

    def log_density(self, e: Array) -> Array:
        inside = np.linalg.eigvalsh(e)[:, 0] > 0
        return np.where(inside, -np.trace(e, axis1=1, axis2=2) / 2, -np.inf)


class MatrixTNoise(NoiseLaw):
    """Density proportional to det(I + F²)^(−q), q set by d alone (own result)."""

    symbol = "c"
    source = "own proof, docs/matrix-t.md"

    def draw(self, d: int, rng: np.random.Generator, trials: int) -> Array:
        return draw_matrix_t(d, self._exponent(d), rng, trials)

    def std(self, d: int) -> tuple[float, float]:
        return matrix_t.unit_entry_std(d, matrix_t.exponent(d))

    def scale(self, d: int, budget: Budget, rows: int = 1) -> float:
        """c: the smallest by the exact profile; the cruder bounds for what it does not cover."""
        q = self._exponent(d)
        if rows > 1:
            # A person's part may have any rank: the ratio is at most e^(q·‖Δ‖_*/c).
            return q * sensitivity.nuclear(budget.adjacency) / budget.epsilon
        return matrix_t.matrix_t_scale(*self._one_way(budget), d, q)

    def keeps(self, d: int, scale: float, budget: Budget) -> bool:
        (epsilon, delta), q = self._one_way(budget), self._exponent(d)
        pure = scale >= matrix_t.pure_scale(epsilon, q)
        return pure or matrix_t.matrix_t_delta(epsilon, d, q, scale) <= delta

    def _one_way(self, budget: Budget) -> tuple[float, float]:
        """(ε, δ) of a record that comes or goes; twice where one replaces another."""
        if budget.adjacency is Adjacency.ADD_OR_REMOVE_ONE:
            return budget.epsilon, budget.delta
        half = budget.epsilon / 2
        # A removal, then an addition: δ = (1 + e^{ε/2})·δ', written to hold at any ε.
        return half, budget.delta * float(np.exp(-np.logaddexp(0.0, half)))

    def spent(self, d: int, scale: float, budget: Budget, rows: int = 1) -> Spent:
        """Return the budget: this noise is only ever calibrated. Pure for more rows a person."""
        pure = budget.delta == 0 or rows > 1
        exact = budget.adjacency is Adjacency.ADD_OR_REMOVE_ONE and rows == 1
        return Spent(budget.epsilon, 0.0 if pure else budget.delta, exact)

    def log_density(self, e: Array) -> Array:
        squares = np.square(np.linalg.eigvalsh(e))
        return np.asarray(-matrix_t.exponent(e.shape[-1]) * np.log1p(squares).sum(axis=1))

    def _exponent(self, d: int) -> float:
        most = matrix_t.MOST_MATRIX_T_COLUMNS
        if d > most:
            raise InfeasibleBudget(
                f"Matrix-t noise is offered up to {most} columns, and these are {d}: choose "
                "Gaussian noise, which is as small there."
            )
        return matrix_t.exponent(d)


ISOTROPIC, TRIANGLE, LAPLACE = GaussianNoise(), GaussianTriangle(), LaplaceNoise()
WISHART_DIFFERENCE, WISHART, MATRIX_T = WishartDifferenceNoise(), WishartNoise(), MatrixTNoise()
NUCLEAR_NORM = NuclearNormNoise()
