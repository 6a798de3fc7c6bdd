"""Smooth-sensitivity noise on the basis, calibrated exactly; and Cauchy noise, which is pure."""

from dataclasses import dataclass
from functools import lru_cache
from math import exp, hypot, log, sqrt
from typing import ClassVar

import numpy as np
from scipy.optimize import brentq

from dpca_core.accounting import gaussian_sigma, smooth_gaussian_delta
from dpca_core.budget import Budget, Guarantee, Notion, Standing
from dpca_core.linalg import Array, orthonormal
from dpca_core.mechanism import Noise
from dpca_core.mechanisms.smooth import BasisNoise, SmoothGaussianPrinted
from dpca_core.problem import Problem
from dpca_core.sensitivity import smooth_sensitivity

_TOLERANCE, _NO_SHIFT = 1e-6, 1e9
_LARGEST_EPSILON, _LARGEST_BETA = 1000.0, 0.25


@dataclass(frozen=True)
class SmoothGaussian(SmoothGaussianPrinted):
    """Gaussian noise on the basis by smooth sensitivity, with the smallest (ε, δ)-DP factor.

    The factor comes from the exact hockey-stick divergence of two Gaussians whose means and whose
    scales both differ; the printed constant 5√(2 ln(2/δ))/ε is about five times larger.
    """

    key = "smooth_gaussian"
    name = "Smooth Gaussian"
    printed = False
    effort = 1.5

    def claim(self, problem: Problem, budget: Budget) -> Guarantee | None:
        """Claim nothing beyond the guarantee."""
        return None

    @staticmethod
    def _beta(problem: Problem, budget: Budget) -> float:
        m = problem.d * problem.k
        return largest_beta(min(budget.epsilon, _LARGEST_EPSILON), budget.delta, m)

    def guarantee(self, problem: Problem, budget: Budget) -> Guarantee:
        """(ε, δ), for every ε."""
        self._require_delta(budget)
        return Guarantee(
            budget.epsilon, budget.delta, Notion.APPROXIMATE, Standing.PROVED, budget.adjacency,
            "own proof, with the worst scale searched on a grid, docs/local-sensitivity.md",
        )  # fmt: skip

    def calibrate(self, problem: Problem, budget: Budget) -> Noise:
        """c·U with the smallest c. Reads the eigengap, through U."""
        bound = self.bound(problem, budget).bound
        m = problem.d * problem.k
        epsilon = min(budget.epsilon, _LARGEST_EPSILON)
        factor = smallest_factor(epsilon, budget.delta, self._beta(problem, budget), m)
        return Noise(factor * bound, "per entry", "c·U")


@lru_cache(maxsize=8192)
def largest_beta(epsilon: float, delta: float, m: int) -> float:
    """Return the printed β, or less: the change of scale alone may spend no more than δ/2."""

    def spent(beta: float) -> float:
        return smooth_gaussian_delta(_NO_SHIFT, epsilon, beta, m, 1)

    printed = min(_LARGEST_BETA, epsilon / (4 * (m + log(2 / delta))))
    if spent(printed) <= delta / 2:
        return printed
    low, high = 0.0, printed
    while high - low > _TOLERANCE * high:
        middle = (low + high) / 2
        low, high = (middle, high) if spent(middle) <= delta / 2 else (low, middle)
    return low


@lru_cache(maxsize=8192)
def smallest_factor(epsilon: float, delta: float, beta: float, m: int) -> float:
    """Smallest c for which noise c·U on m numbers, U β-smooth, is (ε, δ)-DP; rounded up by 1e-6.

    Found at the ends of the range of scales, where the worst one mostly is, then checked on the
    whole grid.
    """
    start = log(gaussian_sigma(epsilon, delta, 1.0))
    ends = _bisected(start, epsilon, delta, beta, m, 1)
    if smooth_gaussian_delta(exp(ends), epsilon, beta, m) <= delta:
        return exp(ends)
    return exp(_bisected(ends, epsilon, delta, beta, m, 8))


def _bisected(low: float, epsilon: float, delta: float, beta: float, m: int, steps: int) -> float:
    """Return ln c, from a ``low`` that is too small or just enough."""

    def excess(factor: float) -> float:
        """ln(δ spent) − ln δ: smooth, and negative where the factor is enough."""
        spent = smooth_gaussian_delta(exp(factor), epsilon, beta, m, steps)
        return log(max(spent, 1e-300) / delta)

    if excess(low) <= 0:
        return low
    high = low + 0.25
    while excess(high) > 0:
        low, high = high, high + 0.5
    root = float(brentq(excess, low, high, xtol=_TOLERANCE / 4))
    while excess(root) > 0:
        root += _TOLERANCE / 2
    return root


@dataclass(frozen=True)
class SmoothCauchyPrinted(BasisNoise):
    """Cauchy noise on the basis, as large as the smooth sensitivity says. Pure ε-DP.

    Gonen & Gilad-Bachrach 2018, Algorithm 1 (pure), made runnable: the exact local sensitivity for
    their open constant, R on the right, m = d·k, and √(2d) instead of 2 for the largest ℓ₁ change.
    The printed constants spend less than a quarter of ε.
    """

    key = "smooth_cauchy_printed"
    name = "Smooth Cauchy, printed"
    twin = "smooth_cauchy"
    printed = True

    symbol: ClassVar[str] = "6U₁/ε"

    def unit(self, d: int, k: int, rng: np.random.Generator, trials: int) -> tuple[Array, ...]:
        """R (trials, k, k) and standard Cauchy noise (trials, d, k)."""
        rotation = orthonormal(rng.standard_normal((trials, k, k)))
        return rotation, rng.standard_cauchy((trials, d, k))

    def shares(self, problem: Problem, budget: Budget) -> tuple[float, float]:
        """β, and noise over U₁: ε/(6m) and 6/ε as printed."""
        return budget.epsilon / (6 * problem.d * problem.k), 6 / budget.epsilon

    def claim(self, problem: Problem, budget: Budget) -> Guarantee | None:
        """Pure ε, with constants left open."""
        return Guarantee(
            budget.epsilon, 0.0, Notion.PURE, Standing.CLAIMED, budget.adjacency,
            "Gonen & Gilad-Bachrach 2018, Algorithm 1 (pure) and Corollary 13",
        )  # fmt: skip

    def guarantee(self, problem: Problem, budget: Budget) -> Guarantee:
        """Pure: √(α² + (mβ)²), α = U₁ over the noise; the printed constants give ε·√2/6."""
        beta, factor = self.shares(problem, budget)
        true = hypot(1 / factor, problem.d * problem.k * beta)
        return Guarantee(
            true, 0.0, Notion.PURE, Standing.CORRECTED, budget.adjacency,
            "Nissim, Raskhodnikova & Smith 2007; own bound, docs/local-sensitivity.md",
            erratum="Printed with an open constant C, a left rotation, m = d and an ℓ₁ bound of 2: "
            f"here corrected, and its constants spend only ε = {true:.3g}.",
        )  # fmt: skip

    def calibrate(self, problem: Problem, budget: Budget) -> Noise:
        """Noise per entry of the basis: a factor times U₁ = √m·U. Reads the eigengap."""
        beta, factor = self.shares(problem, budget)
        smooth = smooth_sensitivity(problem.gap, problem.d, problem.k, beta, budget.adjacency)
        scale = factor * sqrt(problem.d * problem.k) * smooth.bound
        return Noise(scale, "per entry", self.symbol)


@dataclass(frozen=True)
class SmoothCauchy(SmoothCauchyPrinted):
    """Cauchy noise on the basis by smooth sensitivity, with constants that spend all of ε. Pure.

    Where the centre moves by a and the log scale by σ, one coordinate's log density changes by at
    most √(a² + σ²), not |a| + |σ|: noise (U₁/α)·Cauchy, U₁ = √m·U with U β-smooth, is
    √(α² + (mβ)²)-DP. Here α = mβ = ε/√2.
    """

    key = "smooth_cauchy"
    name = "Smooth Cauchy"
    printed = False

    symbol = "√2·U₁/ε"

    def shares(self, problem: Problem, budget: Budget) -> tuple[float, float]:
        """β, and noise over U₁: ε/(√2·m) and √2/ε."""
        return budget.epsilon / (sqrt(2) * problem.d * problem.k), sqrt(2) / budget.epsilon

    def claim(self, problem: Problem, budget: Budget) -> Guarantee | None:
        """Claim nothing beyond the guarantee."""
        return None

    def guarantee(self, problem: Problem, budget: Budget) -> Guarantee:
        """Pure ε."""
        return Guarantee(
            budget.epsilon, 0.0, Notion.PURE, Standing.PROVED, budget.adjacency,
            "own proof, docs/local-sensitivity.md",
        )  # fmt: skip
