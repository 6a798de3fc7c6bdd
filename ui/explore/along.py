"""An axis that charts have, and what is fixed along it: what fixes the law of every release."""

from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from dpca_core.data.dataset import Dataset
from dpca_core.privacy.budget import Adjacency, Budget
from dpca_core.simulation.trials import Point
from ui.state.settings import AxisName, Settings
from ui.state.slider_stops import DELTA_STOPS, EPSILON_STOPS, MOST_DIRECTIONS, PEOPLE_STOPS

DELTA_AXIS = tuple(delta for delta in DELTA_STOPS if delta > 0)
"""Points of the δ axis."""


@dataclass(frozen=True)
class Along:
    """An axis with all settings of a release but its mechanism; budgets are whole ones.

    Attributes
    ----------
    equalise
        Whether printed mechanisms run at the ε for which they really spend the budget.
    """

    epsilon: float
    delta: float
    n: float
    k: int
    adjacency: Adjacency
    seed: int = 0
    axis: AxisName = "epsilon"
    equalise: bool = False

    @classmethod
    def of(cls, settings: Settings, k: int, n: float, **more: Any) -> "Along":
        """Return what the shared settings ask for; ``k`` and ``n`` as the page can use them."""
        budget = settings.budget
        return cls(budget.epsilon, budget.delta, n, k, budget.adjacency, settings.seed, **more)

    def values(self, d: int) -> tuple[float, ...]:
        """Return the axis's points for d columns."""
        match self.axis:
            case "epsilon":
                return EPSILON_STOPS
            case "delta":
                return DELTA_AXIS
            case "n":
                return PEOPLE_STOPS
        return tuple(float(k) for k in range(1, min(MOST_DIRECTIONS, d - 1) + 1))

    @property
    def value(self) -> float:
        """The axis's own setting, above 0: where the charts are read first."""
        own = {"epsilon": self.epsilon, "delta": self.delta, "n": self.n, "k": float(self.k)}
        return max(own[self.axis], 1e-12)

    def at(self, value: float) -> "Along":
        """Return the same with another setting of its axis."""
        changed: dict[str, Any] = {self.axis: int(value) if self.axis == "k" else value}
        return replace(self, **changed)

    @property
    def budget(self) -> Budget:
        """The budget for mechanism and preprocessing together."""
        return Budget(self.epsilon, self.delta, self.adjacency)

    def points(self, dataset: Dataset) -> list[Point]:
        """Return the problem and the mechanism's budget at each point of the axis."""
        each = [self.at(value) for value in self.values(dataset.d)]
        if dataset.mean_share or self.axis in ("n", "k"):
            return [dataset.point(one.k, one.n, one.budget, one.seed) for one in each]
        problem = dataset.problem(self.k, self.n)
        return [(problem, dataset.mechanism_budget(one.budget)) for one in each]

    def digest(self, dataset: Dataset) -> str:
        """Return a short name, the same for the same releases wherever the axis is read."""
        return sha256(repr((dataset.identity, self.at(1.0))).encode()).hexdigest()[:12]
