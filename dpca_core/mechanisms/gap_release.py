"""Release the basis with little noise, if a private look at the eigengap says that it is safe."""

from dataclasses import dataclass
from math import inf, log

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import orthonormal
from dpca_core.mechanisms.mechanism import Family, Keep, Noise, Release, SharedNoise, Unit, setting
from dpca_core.privacy.budget import Budget
from dpca_core.privacy.gaussian import gaussian_sigma
from dpca_core.privacy.sensitivity import gap_change
from dpca_core.privacy.smooth_sensitivity import local_sensitivity
from dpca_core.problem import Problem


@dataclass(frozen=True)
class GapRelease(SharedNoise):
    """Measure the eigengap privately; then add noise to the basis to match that gap, or refuse.

    A lower bound g̃ on the gap costs ε₁ and fails with probability at most δ₁. Where it certifies
    that one person cannot swap the directions, Gaussian noise for the local sensitivity at g̃ is
    enough. In the spirit of Dwork & Lei 2009. Own result, docs/gap-release.md.
    """

    key, name, needs_delta = "gap_release", "Gap release", True
    family, document = Family.GAP_RELEASE, "gap-release"
    does = "adds its noise to the directions, scaled by the noisy gap"
    refuses = "the eigengap cannot be certified with this budget"

    gap_share: float = setting(0.1, "Share of ε for the gap", 0.01, 0.9)

    def _noise(self, problem: Problem, budget: Budget) -> Noise:
        """Noise per entry at the median certified gap; ∞ where that one refuses. Reads the gap."""
        (median,) = self._certified(problem, budget, np.zeros(1)).tolist()
        return Noise(self._scale(median, problem, budget), "per entry", "σ(g̃)")

    def unit(self, d: int, k: int, rng: np.random.Generator, trials: int) -> Unit:
        """Laplace (trials,), rotations (trials, k, k), standard normal (trials, d, k)."""
        laplace = rng.laplace(size=trials)
        rotation = orthonormal(rng.standard_normal((trials, k, k)))
        return laplace, rotation, rng.standard_normal((trials, d, k))

    def apply(self, problem: Problem, budget: Budget, unit: Unit, keep: Keep = None) -> Release:
        self.calibrate(problem, budget)
        laplace, rotation, noise = unit
        certified = self._certified(problem, budget, laplace)
        scale = np.array([self._scale(g, problem, budget) for g in certified])
        answered = np.isfinite(scale)
        bases = np.full(noise.shape, np.nan)
        bases[answered] = orthonormal(
            problem.basis @ rotation[answered] + scale[answered, None, None] * noise[answered]
        )
        return Release(bases, info={"certified_gap": certified})

    def _certified(self, problem: Problem, budget: Budget, laplace: Array) -> Array:
        """g̃, (Δ_g/ε₁)·ln(1/(2δ₁)) below the noisy gap: above the true one with probability δ₁."""
        width = gap_change(budget.adjacency) / (self.gap_share * budget.epsilon)
        return problem.gap - width * log(1 / budget.delta) + width * laplace  # δ₁ = δ/2

    def _scale(self, certified: float, problem: Problem, budget: Budget) -> float:
        if certified <= gap_change(budget.adjacency):
            return inf
        unit_sigma = gaussian_sigma((1 - self.gap_share) * budget.epsilon, budget.delta / 2, 1.0)
        return unit_sigma * local_sensitivity(certified, problem.d, problem.k, budget.adjacency)
