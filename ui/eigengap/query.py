"""What the Eigengap page is asked: its settings in the address, and the query they make."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dpca_core.data.dataset import Dataset
from dpca_core.mechanisms.registry import SMOOTH_PRINTED, SMOOTH_PURE_DEFAULT
from dpca_core.privacy import smooth_sensitivity
from dpca_core.privacy.budget import Budget
from dpca_core.problem import Problem
from dpca_core.runtime.cached_property import cached_property
from dpca_core.simulation.trials import Point
from ui.state.settings import Addressed
from ui.state.slider_stops import EPSILON_STOPS, MOST_DIRECTIONS


@dataclass(frozen=True)
class EigengapSettings(Addressed):
    """The gap, 0: as the data have; ε of a private choice of k."""

    STOPS: ClassVar = {"choice": EPSILON_STOPS}

    gap: float = 0.0
    choice: float = 0.1


@dataclass(frozen=True)
class EigengapQuery:
    """One setting of the page; ``n`` and ``gap`` in people, a private mean's part in the budget."""

    data: Dataset
    k: int
    n: float
    gap: float
    budget: Budget
    choice_epsilon: float = 0.1

    @cached_property
    def point(self) -> Point:
        """The data at k and n, centred where a private mean is paid for; the mechanism's budget."""
        return self.data.point(self.k, self.n, self.budget)

    @property
    def most_directions(self) -> int:
        """Largest k on offer: a public number, the same for all data with as many columns."""
        return min(MOST_DIRECTIONS, self.data.d - 1)

    @property
    def beta(self) -> float:
        """Smoothness β of the printed Gaussian mechanism, of the Cauchy one at δ = 0."""
        budget = self.point[1]
        mechanism = SMOOTH_PRINTED if budget.delta > 0 else SMOOTH_PURE_DEFAULT
        return mechanism.constants(self.data.d * self.k, budget)[0]

    def problem_at_gap(self, gap: float) -> Problem:
        """Return a problem with this gap, for mechanisms that read nothing but the gap."""
        d, k = self.data.d, self.k
        n = max(self.n, 4.0 * k * max(gap, 1.0))
        return Problem.from_spectrum(np.concatenate([np.full(k, gap), np.zeros(d - k)]), n, k)

    def problem_with_gap(self) -> Problem:
        """Return the data's problem, its top k eigenvalues shifted so that it has this gap."""
        problem, _ = self.point
        values = problem.spectrum.copy()
        values[: self.k] += self.gap - problem.gap
        return Problem.from_spectrum(values, self.n, self.k, problem.eigenvectors)

    def local_sensitivity(self, gap: float) -> float:
        """Return how far one person can move the top basis at a gap (Frobenius norm)."""
        return smooth_sensitivity.local_sensitivity(gap, self.data.d, self.k, self.budget.adjacency)
