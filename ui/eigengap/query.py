"""What the Eigengap page is asked: its settings in the address, and the query they make."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from dpca_core.data.dataset import Dataset
from dpca_core.mechanisms.registry import SMOOTH_PRINTED, SMOOTH_PURE_DEFAULT
from dpca_core.privacy import sensitivity
from dpca_core.privacy.budget import Adjacency, Budget
from dpca_core.problem import Problem
from dpca_core.runtime.cached_property import cached_property
from ui.state.query_params import Addressed
from ui.state.slider_stops import EPSILON_STOPS, MOST_DIRECTIONS
from ui.text.numbers import significant

GAP_STOPS = tuple(float(f"{m}e{e}") for e in range(-1, 7) for m in (1, 1.5, 2, 3, 5, 7))
LEAST_GAP = 0.05
"""Where the slider starts for data without a gap."""
CONSTANT = 0.766
"""The constant C that the paper leaves unspecified: at k = 1 it suffices for gaps of 1 or more."""


@dataclass(frozen=True)
class EigengapSettings(Addressed):
    """The gap, 0: as the data have; ε of a private choice of k."""

    gap: float = 0.0
    choice: float = 0.1

    def stops(self) -> Mapping[str, tuple[float, ...]]:  # noqa: D102
        return {"choice": EPSILON_STOPS}


@dataclass(frozen=True)
class EigengapQuery:
    """One setting of the page; ``n`` and ``gap`` in people, the rest as ``EigengapSettings``."""

    data: Dataset
    k: int
    n: float
    gap: float
    epsilon: float
    delta: float
    adjacency: Adjacency
    choice_epsilon: float = 0.1

    @property
    def budget(self) -> Budget:
        """The whole budget, a private mean's part included."""
        return Budget(self.epsilon, self.delta, self.adjacency)

    @cached_property
    def _point(self) -> tuple[Problem, Budget]:
        return self.data.point(self.k, self.n, self.budget)

    @property
    def problem(self) -> Problem:
        """The data at k and n, centred about a private mean where one is paid for."""
        return self._point[0]

    @property
    def mechanism_budget(self) -> Budget:
        """What a private mean leaves to the mechanism."""
        return self._point[1]

    @property
    def choice_budget(self) -> Budget:
        """What a private mean leaves to the private choice of k."""
        return self.data.mechanism_budget(Budget(self.choice_epsilon, 0.0, self.adjacency))

    @property
    def most_directions(self) -> int:
        """Largest k on offer: a public number, the same for all data with as many columns."""
        return min(MOST_DIRECTIONS, self.data.d - 1)

    @property
    def beta(self) -> float:
        """Smoothness β of the printed Gaussian mechanism, of the Cauchy one at δ = 0."""
        budget = self.mechanism_budget
        mechanism = SMOOTH_PRINTED if budget.delta > 0 else SMOOTH_PURE_DEFAULT
        return mechanism.constants(self.data.d * self.k, budget)[0]

    def problem_at_gap(self, gap: float) -> Problem:
        """Return a problem with this gap, for mechanisms that read nothing but the gap."""
        d, k = self.data.d, self.k
        n = max(self.n, 4.0 * k * max(gap, 1.0))
        return Problem.from_spectrum(np.concatenate([np.full(k, gap), np.zeros(d - k)]), n, k)

    def problem_with_gap(self) -> Problem:
        """Return the data's problem, its top k eigenvalues shifted so that it has this gap."""
        values, vectors = self.problem.spectrum.copy(), self.problem.eigenvectors
        values[: self.k] += self.gap - self.problem.gap
        return Problem.from_spectrum(values, self.n, self.k, vectors)

    def local_sensitivity(self, gap: float) -> float:
        """Return how far one person can move the top basis at a gap (Frobenius norm)."""
        return sensitivity.local_sensitivity(gap, self.data.d, self.k, self.adjacency)

    def with_unit(self, value: float) -> str:
        """Write a number with the data's unit of privacy: "129 people"."""
        unit = self.data.unit
        return f"{significant(value, 3)}\u00a0{unit.one if value == 1 else unit.many}"
