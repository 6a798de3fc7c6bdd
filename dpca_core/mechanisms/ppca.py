"""PPCA: the exponential mechanism on subspaces, drawn exactly, in turn, or by Gibbs sampling."""

from abc import abstractmethod
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
from numpy.random import Generator

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import orthonormal
from dpca_core.mechanisms.mechanism import Family, Keep, Mechanism, Noise, Release, Seed, setting
from dpca_core.privacy.budget import Adjacency, Budget, Guarantee, NotDrawnInTime
from dpca_core.privacy.sensitivity import nuclear
from dpca_core.problem import Problem
from dpca_core.sampling.bingham import gibbs_sweeps, one_beside_another
from dpca_core.sampling.matrix_bingham import Sampler, subspace_sampler
from dpca_core.text.privacy_numbers import upward

MOST_PROPOSALS = 1e4
"""Predicted proposals of a draw beyond which a page does not wait for it."""
SWEEPS = 20
"""Sweeps of a Gibbs chain over its columns."""
THEOREM = "Chaudhuri, Sarwate & Sinha 2013, Theorem 6"


def inverse_temperature(budget: Budget) -> float:
    """Return B/S: ε if a person is added or removed, as the score is monotone; else ε/2."""
    added = budget.adjacency is Adjacency.ADD_OR_REMOVE_ONE
    return budget.epsilon if added else budget.epsilon / 2


class Exponential(Mechanism):
    """A distribution that favours subspaces by the second moment they capture."""

    family, document = Family.EXPONENTIAL, "bingham"
    does = "adds no noise: it draws directions at random, near the true ones"

    def _noise(self, problem: Problem, budget: Budget) -> Noise:
        """1/(B/S): how many people of captured second moment weigh a factor e."""
        return Noise(1 / inverse_temperature(budget), "people", "S/B")

    def relative_noise(self, problem: Problem, budget: Budget) -> float:
        return self.calibrate(problem, budget).scale / problem.n

    def sample(
        self, problem: Problem, budget: Budget, rng: Generator, trials: int, keep: Keep
    ) -> Release:
        """Mix the columns by a Haar rotation: ε covers the span, and frames know more of S."""
        frames = self.frames(problem, budget, rng, trials)
        rotations = orthonormal(rng.standard_normal((trials, problem.k, problem.k)))
        return Release(problem.eigenvectors @ (frames @ rotations))

    @abstractmethod
    def frames(self, problem: Problem, budget: Budget, rng: Generator, trials: int) -> Array:
        """Bases (trials, d, k) in the eigenbasis of S."""


def _planned(spectrum: bytes, k: int, temperature: float) -> tuple[Sampler, float]:
    values = np.frombuffer(spectrum)
    return subspace_sampler(temperature * (values[0] - values), k)


class Ppca(Exponential):
    """PPCA: density ∝ exp(tr VᵀBV) over subspaces, sampled exactly. Pure ε-DP.

    Chaudhuri, Sarwate & Sinha 2013, Algorithm 2, by rejection sampling. Where many eigengaps are
    about as large as d/ε people, a release may take very long: ε does not cover how long.
    """

    key, name, cost, claimed_in = "ppca", "PPCA", 8.0, THEOREM

    def guarantee(self, problem: Problem, budget: Budget) -> Guarantee:
        source = f"{THEOREM}; sampled exactly, docs/bingham.md"
        return replace(super().guarantee(problem, budget), source=source, exact=True)

    def plan(self, problem: Problem, budget: Budget) -> tuple[Sampler, float]:
        """Return a sampler and the proposals it predicts; the law does not depend on the plan."""
        spectrum = np.ascontiguousarray(problem.spectrum).tobytes()
        return problem.remembered(_planned)(spectrum, problem.k, inverse_temperature(budget))

    def frames(self, problem: Problem, budget: Budget, rng: Generator, trials: int) -> Array:
        return self.plan(problem, budget)[0].draw(rng, trials)

    def simulate(
        self, problem: Problem, budget: Budget, rng: Seed = None, trials: int = 1, keep: Keep = None
    ) -> Release:
        self.calibrate(problem, budget)
        if self.plan(problem, budget)[1] > MOST_PROPOSALS:
            raise NotDrawnInTime(
                "Not drawn in time: pages do not wait for a draw that may take this long, but a "
                "release would still be exact."
            )
        return self.release(problem, budget, rng, trials, keep)


class PpcaSequential(Exponential):
    """Exact PPCA, one direction at a time with ε/k for each. Pure ε-DP for every d and k.

    It is quick whatever the eigengaps are, but from k = 2 on it loses about k times as much
    variation, in people, as joint PPCA.
    """

    key, name, role, cost = "ppca_sequential", "PPCA, sequential", "variant", 10.0

    def guarantee(self, problem: Problem, budget: Budget) -> Guarantee:
        source = "composition, as in Kapralov & Talwar 2013; docs/bingham.md"
        exact = problem.k == 1 or budget.adjacency is Adjacency.ADD_OR_REMOVE_ONE
        return replace(super().guarantee(problem, budget), source=source, exact=exact)

    def _noise(self, problem: Problem, budget: Budget) -> Noise:
        """k/(B/S): each direction is drawn with its k-th part of ε."""
        return Noise(problem.k / inverse_temperature(budget), "people", "k·S/B")

    def frames(self, problem: Problem, budget: Budget, rng: Generator, trials: int) -> Array:
        weights = inverse_temperature(budget) / problem.k * problem.spectrum
        return np.stack([one_beside_another(weights, problem.k, rng) for _ in range(trials)])


@dataclass(frozen=True)
class EigenvectorSampling(Exponential):
    """Eigenvalues with Laplace noise, and directions one at a time, each with a part of ε. Pure.

    Amin, Dick, Kulesza, Muñoz & Vassilvitskii 2019, Algorithm 1, for k directions with equal parts,
    as diffprivlib and OpenDP have it; drawn exactly here, and not there. Density ∝ e^(ε_i·xᵀSx/4)
    spends a quarter of ε_i where a person is added or removed, and half where one is replaced.
    """

    key, name, role = "eigenvector_sampling", "Eigenvector sampling, printed", "printed"
    counterpart, cost, claimed_in = "ppca_sequential", 10.0, "Amin et al. 2019, Algorithm 1"
    does = "adds its noise to the eigenvalues, and draws directions at random, near the true ones"

    eigenvalue_share: float = setting(0.5, "Share of ε for the eigenvalues", 0.05, 0.95)

    def guarantee(self, problem: Problem, budget: Budget) -> Guarantee:
        epsilon, adjacency = budget.epsilon, budget.adjacency
        # One eigenvalue moves by at most 1, whoever the neighbours are.
        moved = nuclear(adjacency) if problem.k > 1 else 1.0
        values = self.eigenvalue_share * epsilon * moved / 2
        added = adjacency is Adjacency.ADD_OR_REMOVE_ONE
        true = values + (1 - self.eigenvalue_share) * epsilon / (4 if added else 2)
        why, source = f"It spends less than is claimed: true ε = {upward(true)}.", "docs/bingham.md"
        proved = super().guarantee(problem, budget)
        return replace(proved, epsilon=true, source=source, erratum=why)

    def _noise(self, problem: Problem, budget: Budget) -> Noise:
        """4/ε_i: how many people of captured second moment weigh a factor e."""
        each = (1 - self.eigenvalue_share) * budget.epsilon / problem.k
        return Noise(4 / each, "people", "4/ε_i")

    def sample(
        self, problem: Problem, budget: Budget, rng: Generator, trials: int, keep: Keep
    ) -> Release:
        """Each column has its own eigenvalue, so that the columns are not mixed."""
        scale = 2 / (self.eigenvalue_share * budget.epsilon)
        values = problem.spectrum[: problem.k] + rng.laplace(scale=scale, size=(trials, problem.k))
        bases = problem.eigenvectors @ self.frames(problem, budget, rng, trials)
        return Release(bases, info={"eigenvalues": values})

    def frames(self, problem: Problem, budget: Budget, rng: Generator, trials: int) -> Array:
        weights = problem.spectrum / self._noise(problem, budget).scale
        return np.stack([one_beside_another(weights, problem.k, rng) for _ in range(trials)])


class PpcaGibbs(Exponential):
    """PPCA by Gibbs sampling, as the paper runs it: 20 sweeps from the true directions."""

    key, name, role, cost = "ppca_gibbs", "PPCA Gibbs, printed", "printed", 200.0
    claimed_in = f"{THEOREM} and section 6.1"

    def guarantee(self, problem: Problem, budget: Budget) -> Guarantee:
        self.calibrate(problem, budget)
        why = "ε holds for exact draws; after finitely many steps a Gibbs sampler’s are not."
        return Guarantee.uncertified(budget, "docs/bingham.md", why)

    def frames(self, problem: Problem, budget: Budget, rng: Generator, trials: int) -> Array:
        """Sweep from V_k, which are the first axes."""
        weights = inverse_temperature(budget) * problem.spectrum
        start = np.eye(problem.d, problem.k)
        chains = (gibbs_sweeps(weights, start, rng) for _ in range(trials))
        return np.stack([next(islice(chain, SWEEPS - 1, None)) for chain in chains])
