"""What the Eigengap page is asked, and words for it."""

from dataclasses import dataclass
from math import log, sqrt

import numpy as np

from dpca_core.data.dataset import Dataset
from dpca_core.privacy.budget import Adjacency, Budget
from dpca_core.privacy.sensitivity import local_sensitivity
from dpca_core.problem import Problem
from dpca_core.runtime.cached_property import cached_property
from ui.text.numbers import significant


@dataclass(frozen=True)
class Asked:
    """The page's controls; ``gap`` in people, ``constant`` the C that the paper leaves open."""

    data: Dataset
    k: int
    n: float
    gap: float
    epsilon: float
    delta: float
    adjacency: Adjacency
    constant: float
    choice_epsilon: float = 0.1

    @property
    def whole(self) -> Budget:
        """The budget with the part of a private mean."""
        return Budget(self.epsilon, self.delta, self.adjacency)

    @cached_property
    def _point(self) -> tuple[Problem, Budget]:
        return self.data.point(self.k, self.n, self.whole)

    @property
    def problem(self) -> Problem:
        """The data at k and n, about a private mean where one is paid for."""
        return self._point[0]

    @property
    def budget(self) -> Budget:
        """What a private mean leaves to the mechanism."""
        return self._point[1]

    def with_epsilon(self, epsilon: float) -> Budget:
        """Return what it would leave of another ε."""
        return self.data.split(Budget(epsilon, self.delta, self.adjacency))[1]

    @property
    def beta(self) -> float:
        """Smoothness of the printed Gaussian, the Cauchy's at δ = 0."""
        m, budget = self.data.d * self.k, self.budget
        if budget.delta > 0:
            return budget.epsilon / (4 * (m + log(2 / budget.delta)))
        return budget.epsilon / (sqrt(2) * m)

    def at_gap(self, gap: float, people: float | None = None) -> Problem:
        """Return a problem that has this gap, for mechanisms that read nothing but the gap."""
        d, k = self.data.d, self.k
        size = people or self.n
        unit = max(size, 4.0 * k * max(gap, 1.0))
        values = np.concatenate([np.full(k, gap), np.zeros(d - k)])
        stub = Problem(np.empty((d, 0)), unit, k)
        stub.__dict__["_eigen"] = (values, np.empty((d, 0)))
        return stub

    def moved(self) -> Problem:
        """Return the data's problem with its top k eigenvalues moved until the gap is this one."""
        problem = self.problem
        values, vectors = problem.spectrum.copy(), problem.eigenvectors
        values[: self.k] += self.gap - problem.gap
        moved = Problem((vectors * values) @ vectors.T, self.n, self.k)
        moved.__dict__["_eigen"] = (values, vectors)
        return moved

    def local(self, gap: float) -> float:
        """LS at a gap."""
        return local_sensitivity(gap, self.data.d, self.k, self.adjacency)

    def people(self, value: float) -> str:
        """Write a number with the unit of the data."""
        unit = self.data.unit
        return f"{significant(value, 3)}\u00a0{unit.one if value == 1 else unit.many}"
