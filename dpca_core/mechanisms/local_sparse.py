"""Sparse PCA of the reports of the local model."""

from dataclasses import dataclass
from math import log, sqrt

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import top_basis
from dpca_core.mechanisms.mechanism import Family, Keep, Noise, Release, SharedNoise, Unit, setting
from dpca_core.mechanisms.noise_on_s import LocalGaussian
from dpca_core.privacy.budget import Budget, Guarantee, InfeasibleBudget
from dpca_core.problem import Problem
from dpca_core.sparse.fantope import solve, support

_NOISE = LocalGaussian()
_ENTRIES = 1_000_000


@dataclass(frozen=True)
class LocalSparse(SharedNoise):
    """Sparse directions, which use few columns, from the reports of the local Gaussian mechanism.

    Wang & Xu 2020, Algorithm 2, with calibrated noise: from the average M of the reports it takes
    the X with 0 ⪯ X ⪯ I and trace k that maximises ⟨M, X⟩ − λ‖X‖₁₁, and the top k of its sparse
    copy. λ = c·s·√(ln d), where s is the noise of an off-diagonal entry of M, reads no data.
    """

    key, name = "local_sparse", "Local sparse PCA"
    family, document, does = Family.LOCAL, "local", LocalGaussian.does
    role, cost = "special", 100.0
    needs_delta = publishes_matrix = True

    sparsity: float = setting(1.0, "Sparsity c", 0.0, 10.0)

    def guarantee(self, problem: Problem, budget: Budget) -> Guarantee:
        """Return that of the reports; the rest is post-processing."""
        self.calibrate(problem, budget)
        return _NOISE.guarantee(problem, budget)

    def _noise(self, problem: Problem, budget: Budget) -> Noise:
        if problem.k == problem.d:
            raise InfeasibleBudget(
                f"Sparse directions leave columns out: choose k below {problem.d}, or Local "
                "Gaussian."
            )
        return _NOISE.calibrate(problem, budget)

    def penalty(self, problem: Problem, budget: Budget) -> float:
        """λ = c·s·√(ln d), on the average of the reports: reads n and d only."""
        off_diagonal = self.calibrate(problem, budget).scale * _NOISE.law.std(problem.d)[1]
        return self.sparsity * off_diagonal / problem.n * sqrt(log(problem.d))

    def unit(self, d: int, k: int, rng: np.random.Generator, trials: int) -> Unit:
        return _NOISE.unit(d, k, rng, trials)

    def apply(self, problem: Problem, budget: Budget, unit: Unit, keep: Keep = None) -> Release:
        """Solve for the average (S + √n·Z)/n; info: whether that ended, and the columns used."""
        noisy, penalty = _NOISE.published(problem, budget, unit), self.penalty(problem, budget)
        size = max(1, _ENTRIES // problem.d**2)
        found = [
            solve(noisy[at : at + size] / problem.n, problem.k, penalty)
            for at in range(0, len(noisy), size)
        ]
        bases = np.concatenate([top_basis(part.sparse, problem.k) for part in found])
        info = {
            "converged": np.concatenate([part.converged.astype(float) for part in found]),
            "columns": support(bases).sum(axis=-1).astype(float),
        }
        return Release(bases, info, noisy if keep == "moment" else None)

    def relative_noise(self, problem: Problem, budget: Budget) -> float:
        return self.calibrate(problem, budget).scale / problem.n

    def log_likelihood(self, problem: Problem, budget: Budget, release: Release) -> Array:
        return _NOISE.log_likelihood(problem, budget, release)
