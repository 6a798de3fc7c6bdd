"""Noise on the top-k basis itself, scaled by the smooth sensitivity of the eigengap."""

from abc import abstractmethod
from dataclasses import dataclass, replace
from functools import lru_cache
from math import exp, log, sqrt

from dpca_core.mechanisms.basis_noise import BasisNoise
from dpca_core.mechanisms.mechanism import Noise
from dpca_core.privacy.budget import Budget, Guarantee, Notion, Standing
from dpca_core.privacy.gaussian import gaussian_sigma
from dpca_core.privacy.roots import bisect, root_from_above
from dpca_core.privacy.sensitivity import SmoothBound, smooth_sensitivity
from dpca_core.privacy.smooth_gaussian import smooth_gaussian_delta
from dpca_core.problem import Problem

_TOLERANCE = 1e-6
_NO_SHIFT = 1e9
_LARGEST_EPSILON = 1000.0
_LARGEST_BETA = 0.25


@dataclass(frozen=True)
class SmoothGaussianNoise(BasisNoise):
    """Gaussian noise on the basis, a factor times the smooth sensitivity U of the eigengap."""

    needs_delta = True

    @abstractmethod
    def smoothness(self, problem: Problem, budget: Budget) -> float:
        """β of the smooth bound; δ > 0."""

    @abstractmethod
    def multiplier(self, problem: Problem, budget: Budget) -> float:
        """Noise per entry over U; δ > 0."""

    def bound(self, problem: Problem, budget: Budget) -> SmoothBound:
        """U, the β-smooth bound, and the number of people j that attains it."""
        return smooth_sensitivity(
            problem.gap, problem.d, problem.k, self.smoothness(problem, budget), budget.adjacency
        )


@dataclass(frozen=True)
class SmoothGaussianPrinted(SmoothGaussianNoise):
    """Gaussian noise on the basis, scaled by the smooth sensitivity of the eigengap.

    Gonen & Gilad-Bachrach 2018, Algorithm 1, made runnable: their constant C is left open, so the
    exact local sensitivity takes its place; their rotation U ↦ RU would make the output random, so
    R multiplies on the right; m = d·k numbers are released, not d.
    """

    key = "smooth_gaussian_printed"
    name = "Smooth Gaussian, printed"
    role, counterpart = "printed", "smooth_gaussian"

    def smoothness(self, problem: Problem, budget: Budget) -> float:
        """β = ε/(4(m + ln(2/δ))), as printed."""
        return budget.epsilon / (4 * (problem.d * problem.k + log(2 / budget.delta)))

    def multiplier(self, problem: Problem, budget: Budget) -> float:
        """5√(2 ln(2/δ))/ε, as printed."""
        return 5 * sqrt(2 * log(2 / budget.delta)) / budget.epsilon

    def claim(self, problem: Problem, budget: Budget) -> Guarantee | None:
        """(ε, δ), with constants left open."""
        return Guarantee.claimed(
            budget, Notion.APPROXIMATE, "Gonen & Gilad-Bachrach 2018, Algorithm 1 and Corollary 12"
        )

    def guarantee(self, problem: Problem, budget: Budget) -> Guarantee:
        """(ε, δ) after the corrections; beyond ε < 1 only where the exact δ allows it."""
        self.calibrate(problem, budget)
        corrected = Guarantee(
            budget.epsilon,
            budget.delta,
            Notion.APPROXIMATE,
            Standing.CORRECTED,
            budget.adjacency,
            "Nissim, Raskhodnikova & Smith 2007; own bound, docs/local-sensitivity.md",
            erratum="Printed with an open constant C, a rotation on the left and m = d; here with "
            "the exact local sensitivity, a rotation on the right and m = d·k.",
        )
        if budget.epsilon < 1:
            return corrected
        exact = smooth_gaussian_delta(
            self.multiplier(problem, budget),
            budget.epsilon,
            self.smoothness(problem, budget),
            problem.d * problem.k,
        )
        if exact <= budget.delta:
            return corrected
        return replace(
            corrected,
            delta=exact,
            standing=Standing.WEAKER,
            erratum=f"Stated for ε < 1; at this ε the exact δ is {exact:.2g}.",
        )

    def _noise(self, problem: Problem, budget: Budget) -> Noise:
        """5U√(2 ln(2/δ))/ε per entry of the basis. Reads the eigengap, through U."""
        scale = self.bound(problem, budget).bound * self.multiplier(problem, budget)
        return Noise(scale, "per entry", "5U√(2 ln(2/δ))/ε")


@dataclass(frozen=True)
class SmoothGaussian(SmoothGaussianNoise):
    """Gaussian noise on the basis by smooth sensitivity, with the smallest (ε, δ)-DP factor.

    The factor comes from the exact hockey-stick divergence of two Gaussians whose means and whose
    scales both differ; the printed constant 5√(2 ln(2/δ))/ε is about five times larger.
    """

    key = "smooth_gaussian"
    name = "Smooth Gaussian"
    cost = 1.5

    def smoothness(self, problem: Problem, budget: Budget) -> float:
        """Return the printed β, or less where the change of scale would spend more than δ/2."""
        m = problem.d * problem.k
        return largest_beta(min(budget.epsilon, _LARGEST_EPSILON), budget.delta, m)

    def multiplier(self, problem: Problem, budget: Budget) -> float:
        """Smallest c."""
        m = problem.d * problem.k
        epsilon = min(budget.epsilon, _LARGEST_EPSILON)
        return smallest_factor(epsilon, budget.delta, self.smoothness(problem, budget), m)

    def guarantee(self, problem: Problem, budget: Budget) -> Guarantee:
        """(ε, δ), for every ε."""
        self.calibrate(problem, budget)
        return Guarantee(
            budget.epsilon,
            budget.delta,
            Notion.APPROXIMATE,
            Standing.PROVED,
            budget.adjacency,
            "own proof, with the worst scale searched on a grid, docs/local-sensitivity.md",
        )

    def _noise(self, problem: Problem, budget: Budget) -> Noise:
        """c·U with the smallest c. Reads the eigengap, through U."""
        bound = self.bound(problem, budget).bound
        return Noise(self.multiplier(problem, budget) * bound, "per entry", "c·U")


@lru_cache(maxsize=8192)
def largest_beta(epsilon: float, delta: float, m: int) -> float:
    """Return the printed β, or less: the change of scale alone may spend no more than δ/2."""

    def spent(beta: float) -> float:
        return smooth_gaussian_delta(_NO_SHIFT, epsilon, beta, m, 1)

    printed = min(_LARGEST_BETA, epsilon / (4 * (m + log(2 / delta))))
    if spent(printed) <= delta / 2:
        return printed
    return bisect(lambda beta: spent(beta) <= delta / 2, printed, 0.0, relative=_TOLERANCE)


@lru_cache(maxsize=8192)
def smallest_factor(epsilon: float, delta: float, beta: float, m: int) -> float:
    """Smallest c for which noise c·U on m numbers, U β-smooth, is (ε, δ)-DP; rounded up by 1e-6.

    Found at the ends of the range of scales, where the worst one mostly is, then checked on the
    whole grid.
    """
    start = log(gaussian_sigma(epsilon, delta, 1.0))
    ends = _log_factor(start, epsilon, delta, beta, m, 1)
    if smooth_gaussian_delta(exp(ends), epsilon, beta, m) <= delta:
        return exp(ends)
    return exp(_log_factor(ends, epsilon, delta, beta, m, 8))


def _log_factor(low: float, epsilon: float, delta: float, beta: float, m: int, steps: int) -> float:
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
    return root_from_above(
        excess, low, high, absolute=_TOLERANCE / 4, raised=lambda factor: factor + _TOLERANCE / 2
    )
