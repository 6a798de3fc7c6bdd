"""Noise on the top-k basis itself, scaled by the smooth sensitivity of the eigengap."""

from dataclasses import dataclass, replace
from math import log, sqrt

import numpy as np

from dpca_core.accounting import smooth_gaussian_delta
from dpca_core.budget import Budget, Guarantee, InfeasibleBudget, Notion, Standing
from dpca_core.linalg import Array, orthonormal
from dpca_core.mechanism import Keep, Noise, Release, SharedNoise
from dpca_core.problem import Problem
from dpca_core.sensitivity import SmoothBound, smooth_sensitivity


@dataclass(frozen=True)
class BasisNoise(SharedNoise):
    """Publish QR(V_k·R + scale·G): R uniform on O(k) on the right, G standard normal (d, k)."""

    family = "smooth"
    does = "adds its noise to the directions, scaled by the gap"

    def unit(self, d: int, k: int, rng: np.random.Generator, trials: int) -> tuple[Array, ...]:
        """R (trials, k, k) and G (trials, d, k)."""
        rotation = orthonormal(rng.standard_normal((trials, k, k)))
        return rotation, rng.standard_normal((trials, d, k))

    def apply(
        self, problem: Problem, budget: Budget, unit: tuple[Array, ...], keep: Keep = None
    ) -> Release:
        """Orthonormalise V_k·R + scale·G."""
        rotation, noise = unit
        scale = self.calibrate(problem, budget).scale
        bases = orthonormal(problem.basis @ rotation + scale * noise)
        return Release(bases, np.zeros(len(bases), dtype=bool))

    def relative_noise(self, problem: Problem, budget: Budget) -> float | None:
        """Noise per entry: V_k itself does not depend on n."""
        return self.calibrate(problem, budget).scale


@dataclass(frozen=True)
class SmoothGaussianPrinted(BasisNoise):
    """Gaussian noise on the basis, as large as the smooth sensitivity of the eigengap says.

    Gonen & Gilad-Bachrach 2018, Algorithm 1, made runnable: their constant C is open, so the exact
    local sensitivity stands in its place; their rotation U ↦ RU would make the output random, so
    R multiplies on the right; m = d·k numbers are released, not d.
    """

    key = "smooth_gaussian_printed"
    name = "Smooth Gaussian, printed"
    twin = "smooth_gaussian"
    printed = True

    def bound(self, problem: Problem, budget: Budget) -> SmoothBound:
        """U, the β-smooth bound with β = ε/(4(m + ln(2/δ))), and the j that attains it."""
        self._require_delta(budget)
        return smooth_sensitivity(
            problem.gap, problem.d, problem.k, self._beta(problem, budget), budget.adjacency
        )

    @staticmethod
    def _require_delta(budget: Budget) -> None:
        if budget.delta == 0:
            raise InfeasibleBudget(
                "Gaussian smooth-sensitivity noise needs δ > 0; choose δ, or a pure mechanism."
            )

    @staticmethod
    def _beta(problem: Problem, budget: Budget) -> float:
        return budget.epsilon / (4 * (problem.d * problem.k + log(2 / budget.delta)))

    @staticmethod
    def _multiplier(budget: Budget) -> float:
        return 5 * sqrt(2 * log(2 / budget.delta)) / budget.epsilon

    def claim(self, problem: Problem, budget: Budget) -> Guarantee | None:
        """(ε, δ), with constants left open."""
        return Guarantee(
            budget.epsilon, budget.delta, Notion.APPROXIMATE, Standing.CLAIMED, budget.adjacency,
            "Gonen & Gilad-Bachrach 2018, Algorithm 1 and Corollary 12",
        )  # fmt: skip

    def guarantee(self, problem: Problem, budget: Budget) -> Guarantee:
        """(ε, δ) after the corrections; beyond ε < 1 only where the exact δ allows it."""
        self._require_delta(budget)
        corrected = Guarantee(
            budget.epsilon, budget.delta, Notion.APPROXIMATE, Standing.CORRECTED, budget.adjacency,
            "Nissim, Raskhodnikova & Smith 2007; own bound, docs/local-sensitivity.md",
            erratum="Printed with an open constant C, a left rotation and m = d: "
            "here the exact local sensitivity, a right rotation and m = d·k.",
        )  # fmt: skip
        if budget.epsilon < 1:
            return corrected
        exact = smooth_gaussian_delta(
            self._multiplier(budget),
            budget.epsilon,
            self._beta(problem, budget),
            problem.d * problem.k,
        )
        if exact <= budget.delta:
            return corrected
        return replace(
            corrected, delta=exact, standing=Standing.WEAKER,
            erratum=f"Stated for ε < 1; at this ε the exact δ is {exact:.2g}.",
        )  # fmt: skip

    def calibrate(self, problem: Problem, budget: Budget) -> Noise:
        """5U√(2 ln(2/δ))/ε per entry of the basis. Reads the eigengap, through U."""
        scale = self.bound(problem, budget).bound * self._multiplier(budget)
        return Noise(scale, "per entry", "5U√(2 ln(2/δ))/ε")
