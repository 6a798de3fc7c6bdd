"""One Wishart matrix as noise on S: a printed theorem, and our own exact one."""

from abc import abstractmethod
from dataclasses import dataclass, replace
from math import ceil, e, log, sqrt

import numpy as np
import scipy

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import gram
from dpca_core.mechanisms.mechanism import Family, Noise, Release, parameter
from dpca_core.mechanisms.noise_on_s import NoisySum
from dpca_core.privacy.budget import Adjacency, Budget, Guarantee, InfeasibleBudget, Notion
from dpca_core.privacy.wishart import (
    MOST_DEGREES_OF_FREEDOM,
    wishart_degrees_of_freedom,
    wishart_epsilon,
)
from dpca_core.problem import Problem


@dataclass(frozen=True)
class BartlettWishart(NoisySum):
    """One Wishart matrix with many degrees of freedom, drawn by Bartlett's decomposition.

    The normals below the diagonal and the ranks of the χ² on it don't depend on how many there are,
    so one draw serves every budget.
    """

    family, document = Family.WISHART, "wishart"
    does = "adds positive noise to S"
    needs_delta = True

    @abstractmethod
    def degrees_of_freedom(self, d: int, budget: Budget) -> int:
        """Degrees of freedom p at δ > 0."""

    @property
    def matrix_scale(self) -> float:
        """Return s, the scale of the Wishart matrix, in people."""
        return 1.0

    def _noise(self, problem: Problem, budget: Budget) -> Noise:
        """s·√p: the noise about its mean p·s·I. A diagonal entry is s times a χ²(p)."""
        freedom = self.degrees_of_freedom(problem.d, budget)
        scale = self.matrix_scale * sqrt(freedom)
        mean = self.matrix_scale * freedom
        return Noise(scale, "people", "s√p", entry=sqrt(2) * scale, mean=mean)

    def unit(self, d: int, k: int, rng: np.random.Generator, trials: int) -> tuple[Array, ...]:
        """Normals N (trials, d, d) below the diagonal, N·Nᵀ, and ranks (trials, d)."""
        lower = np.tril(rng.standard_normal((trials, d, d)), -1)
        return lower, gram(lower), rng.random((trials, d))

    def published(self, problem: Problem, budget: Budget, unit: tuple[Array, ...]) -> Array:
        """S + s·L·Lᵀ, L = N + D with D from the ranks: N·Nᵀ is the same at every budget."""
        lower, square, ranks = unit
        d, s = problem.d, self.matrix_scale
        freedom = self.calibrate(problem, budget).mean / s
        diagonal = np.sqrt(2 * scipy.special.gammaincinv((freedom - np.arange(d)) / 2, ranks))
        mixed = lower * diagonal[:, None, :]
        wishart = square + mixed + mixed.swapaxes(1, 2)
        wishart[:, np.arange(d), np.arange(d)] += np.square(diagonal)
        return np.asarray(problem.moment + s * wishart)

    def log_likelihood(self, problem: Problem, budget: Budget, release: Release) -> Array:
        """((p − d − 1)/2)·ln det W − tr W/2s on the positive definite W, −∞ elsewhere."""
        assert release.moment is not None
        values = np.linalg.eigvalsh(release.moment - problem.moment)
        power = (self.degrees_of_freedom(problem.d, budget) - problem.d - 1) / 2
        inside = values[:, 0] > 0
        logs = np.log(np.where(inside[:, None], values, 1.0)).sum(axis=1)
        density = power * logs - values.sum(axis=1) / (2 * self.matrix_scale)
        return np.where(inside, density, -np.inf)


@dataclass(frozen=True)
class WishartSheffet(BartlettWishart):
    """One Wishart matrix, W_d(p, I) with p ≥ d + 28 ln(4/δ)/ε², on S. (ε, δ)-DP, very loose.

    Sheffet 2015 and 2019, for ε < 1 and δ < 1/e.
    """

    key, name = "wishart_sheffet", "Wishart Sheffet, printed"
    role, counterpart = "printed", "wishart"
    claimed_in = "Sheffet 2019, Theorem 4.1"

    def guarantee(self, problem: Problem, budget: Budget) -> Guarantee:
        self.calibrate(problem, budget)
        freedom = self.degrees_of_freedom(problem.d, budget) - problem.d + 1
        true = wishart_epsilon(budget.delta, freedom, self.matrix_scale, budget.adjacency)
        enough = wishart_degrees_of_freedom(
            budget.epsilon, budget.delta, self.matrix_scale, budget.adjacency
        )
        too_much = ""
        if enough is not None:
            too_much = f"{freedom / enough:.2g} times the degrees of freedom needed: "
        exact = true > 0 and budget.adjacency is Adjacency.ADD_OR_REMOVE_ONE
        found = Guarantee.at(budget, Notion.APPROXIMATE, "docs/wishart.md", exact=exact)
        return replace(found, epsilon=true, erratum=f"{too_much}true ε = {true:.3g}.")

    def degrees_of_freedom(self, d: int, budget: Budget) -> int:
        if budget.epsilon >= 1 or budget.delta >= 1 / e:
            raise InfeasibleBudget(
                "Sheffet’s theorem needs ε < 1 and δ < 1/e; choose less, or the calibrated Wishart."
            )
        asked = 28 * log(4 / budget.delta) / budget.epsilon / budget.epsilon
        if asked > MOST_DEGREES_OF_FREEDOM:
            raise InfeasibleBudget(
                "Sheffet’s theorem requires more than 10¹² degrees of freedom here: raise ε."
            )
        return d + ceil(asked)


@dataclass(frozen=True)
class Wishart(BartlettWishart):
    """One Wishart matrix with the fewest degrees of freedom for which (ε, δ)-DP is proved.

    The published matrix is S plus a positive definite one. That, and not accuracy, is the reason to
    choose it: as s falls, its noise tends to that of the calibrated Gaussian.
    """

    key, name = "wishart", "Wishart"
    role = "variant"

    scale: float = parameter(1.0, "Scale s", 0.05, 20.0)

    @property
    def matrix_scale(self) -> float:
        return self.scale

    def guarantee(self, problem: Problem, budget: Budget) -> Guarantee:
        """(ε, δ), by the exact profile; under replacement by that of twice a record.

        With the fewest whole degrees of freedom: one less would not be enough. At d + 1, the fewest
        that have a density, δ may be to spare.
        """
        self.calibrate(problem, budget)
        fewest = self.degrees_of_freedom(problem.d, budget) == problem.d + 1
        exact = not fewest and budget.adjacency is Adjacency.ADD_OR_REMOVE_ONE
        source = "own accounting, docs/wishart.md"
        return Guarantee.at(budget, Notion.APPROXIMATE, source, exact=exact)

    def degrees_of_freedom(self, d: int, budget: Budget) -> int:
        found = wishart_degrees_of_freedom(
            budget.epsilon, budget.delta, self.scale, budget.adjacency
        )
        if found is None:
            raise InfeasibleBudget(
                "At this scale no number of degrees of freedom is enough: raise ε, δ or s."
            )
        return found + d - 1
