"""Noise on the entries of the top-k basis itself."""

from dataclasses import dataclass

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import orthonormal
from dpca_core.mechanisms.mechanism import Family, Keep, Release, SharedNoise
from dpca_core.privacy.budget import Budget
from dpca_core.problem import Problem


@dataclass(frozen=True)
class BasisNoise(SharedNoise):
    """Publish QR(V_k·R + scale·G): R uniform on O(k) on the right, G standard normal (d, k)."""

    family = Family.SMOOTH
    document = "local-sensitivity"
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
