"""One Wishart matrix as noise on S: a printed theorem, and our own exact one."""

from abc import abstractmethod
from dataclasses import dataclass, replace
from math import ceil, e, log, sqrt

import numpy as np
import scipy

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import gram
from dpca_core.mechanisms.mechanism import Family, Noise, Release, Unit, setting
from dpca_core.mechanisms.noise_on_s import NoisySum
from dpca_core.privacy import wishart
from dpca_core.privacy.budget import Adjacency, Budget, Guarantee, InfeasibleBudget
from dpca_core.problem import Problem
from dpca_core.text.privacy_numbers import upward


class BartlettWishart(NoisySum):
    """One Wishart matrix with many degrees of freedom, drawn by Bartlett's decomposition."""

    family, document, needs_delta = Family.WISHART, "wishart", True
    does = "adds positive noise to S"
    scale: float
    """s, of the Wishart matrix, in people."""

    @abstractmethod
    def degrees_of_freedom(self, d: int, budget: Budget) -> int:
        """Degrees of freedom p at δ > 0."""

    def _fewest(self, budget: Budget) -> int | None:
        """Fewest p − d + 1 for which (ε, δ)-DP is proved; None where none is."""
        epsilon, delta, s = budget.epsilon, budget.delta, self.scale
        return wishart.wishart_degrees_of_freedom(epsilon, delta, s, budget.adjacency)

    def _noise(self, problem: Problem, budget: Budget) -> Noise:
        """s·√p: the noise about its mean p·s·I. A diagonal entry is s times a χ²(p)."""
        freedom = self.degrees_of_freedom(problem.d, budget)
        scale, mean = self.scale * sqrt(freedom), self.scale * freedom
        return Noise(scale, "people", "s√p", sqrt(2) * scale, mean)

    def unit(self, d: int, k: int, rng: np.random.Generator, trials: int) -> Unit:
        """Normals N (trials, d, d) below the diagonal, N·Nᵀ, and ranks (trials, d)."""
        lower = np.tril(rng.standard_normal((trials, d, d)), -1)
        return lower, gram(lower), rng.random((trials, d))

    def published(self, problem: Problem, budget: Budget, unit: Unit) -> Array:
        """S + s·L·Lᵀ, L = N + D with D from the ranks: N·Nᵀ is the same at every budget."""
        lower, square, ranks = unit
        d, s = problem.d, self.scale
        freedom = self.calibrate(problem, budget).mean / s
        diagonal = np.sqrt(2 * scipy.special.gammaincinv((freedom - np.arange(d)) / 2, ranks))
        mixed = lower * diagonal[:, None, :]
        product = square + mixed + mixed.swapaxes(1, 2)
        product[:, np.arange(d), np.arange(d)] += np.square(diagonal)
        return np.asarray(problem.moment + s * product)

    def log_likelihood(self, problem: Problem, budget: Budget, release: Release) -> Array:
        """((p − d − 1)/2)·ln det W − tr W/2s on the positive definite W, −∞ elsewhere."""
        assert release.moment is not None
        values = np.linalg.eigvalsh(release.moment - problem.moment)
        power = (self.degrees_of_freedom(problem.d, budget) - problem.d - 1) / 2
        inside = values[:, 0] > 0
        logs = np.log(np.where(inside[:, None], values, 1.0)).sum(axis=1)
        density = power * logs - values.sum(axis=1) / (2 * self.scale)
        return np.where(inside, density, -np.inf)


class WishartSheffet(BartlettWishart):
    """W_d(p, I) with p ≥ d + 28 ln(4/δ)/ε² on S, for ε < 1 and δ < 1/e: Sheffet 2015 and 2019."""

    key, name = "wishart_sheffet", "Wishart Sheffet, printed"
    role, counterpart, scale = "printed", "wishart", 1.0
    claimed_in = "Sheffet 2019, Theorem 4.1"

    def guarantee(self, problem: Problem, budget: Budget) -> Guarantee:
        proved, enough = super().guarantee(problem, budget), self._fewest(budget)
        freedom = self.degrees_of_freedom(problem.d, budget) - problem.d + 1
        true = wishart.wishart_epsilon(budget.delta, freedom, self.scale, budget.adjacency)
        exact = true > 0 and budget.adjacency is Adjacency.ADD_OR_REMOVE_ONE
        times = freedom / enough if enough else 0.0
        much = f"{times:,.0f}" if times >= 100 else f"{times:.2g}"
        much = f"{much} times the degrees of freedom needed: " if enough else ""
        why, source = f"{much}true ε = {upward(true)}.", "docs/wishart.md"
        return replace(proved, epsilon=true, source=source, erratum=why, exact=exact)

    def degrees_of_freedom(self, d: int, budget: Budget) -> int:
        if budget.epsilon >= 1 or budget.delta >= 1 / e:
            raise InfeasibleBudget(
                "Sheffet’s theorem needs ε < 1 and δ < 1/e; choose less, or the calibrated Wishart."
            )
        asked = 28 * log(4 / budget.delta) / budget.epsilon / budget.epsilon
        if asked > wishart.MOST_DEGREES_OF_FREEDOM:
            raise InfeasibleBudget(
                "Sheffet’s theorem requires more than 10¹² degrees of freedom here: raise ε."
            )
        return d + ceil(asked)


@dataclass(frozen=True)
class Wishart(BartlettWishart):
    """One Wishart matrix with the fewest degrees of freedom for which (ε, δ)-DP is proved."""

    key, name, role = "wishart", "Wishart", "variant"

    scale: float = setting(1.0, "Scale s", 0.05, 20.0)

    def guarantee(self, problem: Problem, budget: Budget) -> Guarantee:
        """At d + 1 degrees of freedom, the fewest that have a density, δ may be to spare."""
        proved, p = super().guarantee(problem, budget), self.degrees_of_freedom(problem.d, budget)
        exact = p > problem.d + 1 and budget.adjacency is Adjacency.ADD_OR_REMOVE_ONE
        return replace(proved, source="own accounting, docs/wishart.md", exact=exact)

    def degrees_of_freedom(self, d: int, budget: Budget) -> int:
        found = self._fewest(budget)
        if found is None:
            raise InfeasibleBudget(
                "At this scale no number of degrees of freedom is enough: raise ε, δ or s."
            )
        return found + d - 1
