"""The noisy power method: noise enters each round of subspace iteration."""

from abc import abstractmethod
from dataclasses import dataclass, replace
from math import ceil, inf, log, sqrt

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import orthonormal
from dpca_core.mechanisms.mechanism import Family, Keep, Noise, Release, SharedNoise, Unit, setting
from dpca_core.privacy.budget import Adjacency, Budget, Guarantee, InfeasibleBudget
from dpca_core.privacy.gaussian import gaussian_sigma
from dpca_core.problem import Problem

MOST_ROUNDS = 2000


class NoisyPower(SharedNoise):
    """V ← QR(S·V + scale·G) from a random start: G is standard normal, Laplace without δ."""

    family, document = Family.POWER, "power"
    does = "adds noise in each round, not to S"

    @abstractmethod
    def rounds_at(self, problem: Problem) -> int:
        """Return the number of rounds."""

    def noise_factor(self, frames: Array) -> Array | float:
        """Factor (trials, 1, 1) of a round's noise that depends on the current basis."""
        return 1.0

    def unit(self, d: int, k: int, rng: np.random.Generator, trials: int) -> Unit:
        """Haar starts (trials, d, k), and the seeds (trials,) of the rounds' noise."""
        starts = orthonormal(rng.standard_normal((trials, d, k)))
        return starts, rng.integers(0, 2**53, trials).astype(float)

    def apply(self, problem: Problem, budget: Budget, unit: Unit, keep: Keep = None) -> Release:
        """Iterate; every trial draws its rounds' noise from its own seed."""
        frames, seeds = unit
        scale = self.calibrate(problem, budget).scale
        streams = [np.random.default_rng(int(seed)) for seed in seeds]
        for _ in range(self.rounds_at(problem)):
            drawn = np.stack([self._drawn(stream, frames.shape[1:]) for stream in streams])
            noise = scale * self.noise_factor(frames) * drawn
            frames = orthonormal(problem.moment @ frames + noise)
        return Release(frames)

    def relative_noise(self, problem: Problem, budget: Budget) -> float:
        return self.calibrate(problem, budget).scale / problem.n

    def _drawn(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
        return rng.standard_normal(shape) if self.needs_delta else rng.laplace(size=shape)


@dataclass(frozen=True)
class CalibratedPower(NoisyPower):
    """Noise calibrated for a person, and a public number of rounds."""

    rounds: float = setting(4, "Rounds L", 1, 30)

    def rounds_at(self, problem: Problem) -> int:
        return int(self.rounds)

    def sensitivity(self, problem: Problem, budget: Budget) -> float:
        """‖(S − S')V‖_F of one round: 1, or √2 if a person is replaced and k > 1."""
        replaced = budget.adjacency is Adjacency.REPLACE_ONE and problem.k > 1
        return sqrt(2) if replaced else 1.0


class Power(CalibratedPower):
    """The power method with Gaussian noise calibrated for a person; its rounds are public."""

    key, name, needs_delta = "power", "Power method", True

    def guarantee(self, problem: Problem, budget: Budget) -> Guarantee:
        source = "Balle & Wang 2018, Theorem 8, on L rounds; docs/power.md"
        proved, each = super().guarantee(problem, budget), (budget.epsilon, budget.delta, 1.0)
        return replace(proved, source=source, noise_multiplier=gaussian_sigma(*each))

    def _noise(self, problem: Problem, budget: Budget) -> Noise:
        total = sqrt(int(self.rounds)) * self.sensitivity(problem, budget)
        return Noise(gaussian_sigma(budget.epsilon, budget.delta, total), "people", "σ")


class PowerPure(CalibratedPower):
    """The power method with calibrated Laplace noise; the number of rounds is public. Pure ε-DP."""

    key, name, role = "power_pure", "Power method, pure", "variant"

    def guarantee(self, problem: Problem, budget: Budget) -> Guarantee:
        composed = "Dwork, McSherry, Nissim & Smith 2006 (Laplace noise), and composition"
        proved = super().guarantee(problem, budget)
        return replace(proved, source=f"{composed}; docs/power.md")

    def _noise(self, problem: Problem, budget: Budget) -> Noise:
        l1 = self.sensitivity(problem, budget) * sqrt(problem.d * problem.k)
        return Noise(int(self.rounds) * l1 / budget.epsilon, "people", "b")


class PrintedPower(NoisyPower):
    """Noise χ·‖V‖∞, which hides one entry of the matrix, in rounds that the spectrum says."""

    role = "printed"

    def guarantee(self, problem: Problem, budget: Budget) -> Guarantee:
        self.calibrate(problem, budget)
        why = (
            "Proved only for data that differ in one entry of the matrix, and the number of rounds "
            "L is read from the data."
        )
        return Guarantee.uncertified(budget, "docs/power.md", why)

    def rounds_at(self, problem: Problem) -> int:
        """L = ⌈σ_k/(σ_k − σ_{k+1})·ln d⌉."""
        singular = np.sqrt(np.maximum(problem.spectrum[problem.k - 1 : problem.k + 1], 0))
        gap = float(singular[0] - singular[1])
        rounds = float(singular[0]) / gap * log(problem.d) if gap > 0 else inf
        if rounds > MOST_ROUNDS:
            raise InfeasibleBudget(
                f"The printed method would take more than {MOST_ROUNDS:,} rounds at this eigengap: "
                "choose another k, or the calibrated power method."
            )
        return max(1, ceil(rounds))

    def noise_factor(self, frames: Array) -> Array:
        """‖V‖∞, the largest absolute entry."""
        return np.asarray(np.abs(frames).max(axis=(1, 2), keepdims=True))


class PowerPrinted(PrintedPower):
    """Hardt & Price 2014, as Imtiaz & Sarwate 2016 print it: noise hides one entry, no person."""

    key, name, needs_delta = "power_printed", "Power method, printed", True
    claimed_in = "Imtiaz & Sarwate 2016, section 3; Hardt & Price 2014, Theorem 1.3"

    def _noise(self, problem: Problem, budget: Budget) -> Noise:
        rounds = self.rounds_at(problem)
        chi = sqrt(4 * problem.k * rounds * log(1 / budget.delta)) / budget.epsilon
        return Noise(chi, "people", "χ·‖V‖∞")


class PowerPurePrinted(PrintedPower):
    """The pure method as printed: Laplace noise ‖V‖∞·10kL√d/ε protects one entry, not a person."""

    key, name = "power_pure_printed", "Power method, pure, printed"
    claimed_in = "Imtiaz & Sarwate 2016, section 3; Hardt & Price 2014"

    def _noise(self, problem: Problem, budget: Budget) -> Noise:
        chi = 10 * problem.k * self.rounds_at(problem) * sqrt(problem.d) / budget.epsilon
        return Noise(chi, "people", "χ·‖V‖∞")
