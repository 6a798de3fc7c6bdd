"""Noise on the top-k basis itself, scaled by the smooth sensitivity of the eigengap."""

from abc import abstractmethod
from dataclasses import replace
from functools import lru_cache
from math import exp, hypot, log, sqrt
from typing import ClassVar

import numpy as np

from dpca_core.linalg.symmetric import orthonormal
from dpca_core.mechanisms.mechanism import Family, Keep, Noise, Release, SharedNoise, Unit
from dpca_core.privacy.budget import Budget, Guarantee, Standing
from dpca_core.privacy.gaussian import gaussian_sigma
from dpca_core.privacy.roots import bisect, falls_to
from dpca_core.privacy.smooth_gaussian import smooth_gaussian_delta
from dpca_core.privacy.smooth_sensitivity import smooth_sensitivity
from dpca_core.problem import Problem
from dpca_core.text.privacy_numbers import upward

_TOLERANCE, _NO_SHIFT = 1e-6, 1e9
_LARGEST_EPSILON, _LARGEST_BETA = 1000.0, 0.25
_PRINTED = "Nissim, Raskhodnikova & Smith 2007; own bound, docs/local-sensitivity.md"
"""Where the guarantee of both printed mechanisms is proved."""


class SmoothNoise(SharedNoise):
    """Publish QR(V_k·R + scale·G): R uniform on O(k), G standard normal (d, k), Cauchy where pure.

    The scale is a factor times U, the β-smooth bound on a person's effect on V_k; where it is pure,
    times U₁ = √m·U, which bounds it in ℓ₁ norm. m = d·k numbers are released.
    """

    family, document = Family.SMOOTH, "local-sensitivity"
    does = "adds its noise to the directions, scaled by the gap"
    symbol: ClassVar[str]
    """The noise per entry, in the symbols of its source."""

    @abstractmethod
    def constants(self, m: int, budget: Budget) -> tuple[float, float]:
        """β, and the noise per entry over U, or over U₁."""

    def _noise(self, problem: Problem, budget: Budget) -> Noise:
        """Noise per entry of the basis. Reads the eigengap, through U."""
        m = problem.d * problem.k
        beta, factor = self.constants(m, budget)
        smooth = smooth_sensitivity(problem.gap, problem.d, problem.k, beta, budget.adjacency)
        norms = 1.0 if self.needs_delta else sqrt(m)
        return Noise(factor * norms * smooth.bound, "per entry", self.symbol)

    def relative_noise(self, problem: Problem, budget: Budget) -> float:
        return self.calibrate(problem, budget).scale

    def unit(self, d: int, k: int, rng: np.random.Generator, trials: int) -> Unit:
        """R (trials, k, k) and G (trials, d, k)."""
        rotation = orthonormal(rng.standard_normal((trials, k, k)))
        draw = rng.standard_normal if self.needs_delta else rng.standard_cauchy
        return rotation, draw((trials, d, k))

    def apply(self, problem: Problem, budget: Budget, unit: Unit, keep: Keep = None) -> Release:
        rotation, noise = unit
        scale = self.calibrate(problem, budget).scale
        return Release(orthonormal(problem.basis @ rotation + scale * noise))


class SmoothGaussian(SmoothNoise):
    """Gaussian noise on the basis by smooth sensitivity, with the smallest (ε, δ)-DP factor.

    The factor comes from the exact hockey-stick divergence of two Gaussians whose means and whose
    scales both differ; the printed constant 5√(2 ln(2/δ))/ε is about five times larger.
    """

    key, name, symbol = "smooth_gaussian", "Smooth Gaussian", "c·U"
    needs_delta, cost = True, 1.5

    def constants(self, m: int, budget: Budget) -> tuple[float, float]:
        epsilon = min(budget.epsilon, _LARGEST_EPSILON)
        beta = largest_beta(epsilon, budget.delta, m)
        return beta, smallest_factor(epsilon, budget.delta, beta, m)

    def guarantee(self, problem: Problem, budget: Budget) -> Guarantee:
        proof = "own proof, with the worst scale searched on a grid, docs/local-sensitivity.md"
        return replace(super().guarantee(problem, budget), source=proof)


class SmoothGaussianPrinted(SmoothNoise):
    """Gonen & Gilad-Bachrach 2018, Algorithm 1, made runnable as the erratum says."""

    key, name = "smooth_gaussian_printed", "Smooth Gaussian, printed"
    role, counterpart = "printed", "smooth_gaussian"
    claimed_in = "Gonen & Gilad-Bachrach 2018, Algorithm 1 and Corollary 12"
    needs_delta, symbol = True, "5U√(2 ln(2/δ))/ε"

    def constants(self, m: int, budget: Budget) -> tuple[float, float]:
        beta = budget.epsilon / (4 * (m + log(2 / budget.delta)))
        return beta, 5 * sqrt(2 * log(2 / budget.delta)) / budget.epsilon

    def guarantee(self, problem: Problem, budget: Budget) -> Guarantee:
        """(ε, δ) after the corrections; beyond ε < 1 only where the exact δ allows it."""
        proved = replace(super().guarantee(problem, budget), source=_PRINTED)
        m = problem.d * problem.k
        beta, factor = self.constants(m, budget)
        if budget.epsilon >= 1:
            exact = smooth_gaussian_delta(factor, budget.epsilon, beta, m)
            if exact > budget.delta:
                why = f"Stated for ε < 1; at this ε the exact δ is {exact:.2g}."
                return replace(proved, delta=exact, standing=Standing.WEAKER, erratum=why)
        why = (
            "Printed with an open constant C, a rotation on the left and m = d; here with the "
            "exact local sensitivity, a rotation on the right and m = d·k."
        )
        return replace(proved, standing=Standing.CORRECTED, erratum=why)


class SmoothCauchy(SmoothNoise):
    """Cauchy noise on the basis by smooth sensitivity, constants proved to spend at most ε. Pure.

    Where the centre moves by a and the log scale by σ, one coordinate's log density changes by at
    most √(a² + σ²), not |a| + |σ|: noise (U₁/α)·Cauchy, U₁ = √m·U with U β-smooth, is
    √(α² + (mβ)²)-DP. Here α = mβ = ε/√2.
    """

    key, name, symbol = "smooth_cauchy", "Smooth Cauchy", "√2·U₁/ε"

    def constants(self, m: int, budget: Budget) -> tuple[float, float]:
        return budget.epsilon / (sqrt(2) * m), sqrt(2) / budget.epsilon


class SmoothCauchyPrinted(SmoothNoise):
    """Gonen & Gilad-Bachrach 2018, Algorithm 1 (pure), made runnable as the erratum says."""

    key, name = "smooth_cauchy_printed", "Smooth Cauchy, printed"
    role, counterpart = "printed", "smooth_cauchy"
    claimed_in = "Gonen & Gilad-Bachrach 2018, Algorithm 1 (pure) and Corollary 13"
    symbol = "6U₁/ε"

    def constants(self, m: int, budget: Budget) -> tuple[float, float]:
        return budget.epsilon / (6 * m), 6 / budget.epsilon

    def guarantee(self, problem: Problem, budget: Budget) -> Guarantee:
        """Pure: √(α² + (mβ)²) with α = U₁ over the noise, ε·√2/6."""
        m = problem.d * problem.k
        beta, factor = self.constants(m, budget)
        true = hypot(1 / factor, m * beta)
        why = (
            "Printed with an open constant C, a rotation on the left, m = d and an ℓ₁ bound of 2, "
            f"all corrected here; its constants spend at most ε = {upward(true)}."
        )
        proved = replace(super().guarantee(problem, budget), source=_PRINTED)
        return replace(proved, epsilon=true, standing=Standing.CORRECTED, erratum=why)


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
    """Smallest c for which noise c·U on m numbers, U β-smooth, is (ε, δ)-DP; up by 1e-6 at most."""

    def log_factor(low: float, steps: int) -> float:
        """Return ln c, or ``low`` where that is enough."""

        def spent(at: float) -> float:
            return smooth_gaussian_delta(exp(at), epsilon, beta, m, steps)

        return falls_to(delta, spent, low, tolerance=_TOLERANCE, least=low)

    ends = log_factor(log(gaussian_sigma(epsilon, delta, 1.0)), 1)
    return exp(log_factor(ends, 8))
