"""What the Compare page asks for."""

from dataclasses import dataclass, replace
from typing import Any, Literal

from dpca_core.data.dataset import Dataset
from dpca_core.mechanisms.base import Mechanism
from dpca_core.privacy.budget import Adjacency, Budget
from dpca_core.problem import Problem
from ui.state.slider_stops import DELTA_STOPS, EPSILON_STOPS, MOST_DIRECTIONS

AxisName = Literal["epsilon", "delta", "n", "k"]
AXES: dict[AxisName, str] = {"epsilon": "ε", "delta": "δ", "n": "n", "k": "k"}
DELTAS = DELTA_STOPS[1:]
"""The δ axis: all stops above 0."""
PEOPLE = (*(float(m * 10**e) for e in range(2, 7) for m in (1, 2, 3, 5, 7)), 1e7)


@dataclass(frozen=True)
class Asked:
    """What is compared: everything that defines the numbers."""

    mechanisms: tuple[Mechanism, ...]
    axis: AxisName
    epsilon: float
    delta: float
    n: float
    k: int
    adjacency: Adjacency
    seed: int
    trials: int
    equalise: bool

    def values(self, d: int) -> tuple[float, ...]:
        """Return the axis's points for d columns."""
        every = {
            "epsilon": EPSILON_STOPS, "delta": DELTAS, "n": PEOPLE,
            "k": tuple(float(k) for k in range(1, min(MOST_DIRECTIONS, d - 1) + 1)),
        }  # fmt: skip
        return every[self.axis]

    @property
    def here(self) -> float:
        """The axis's own setting: where the charts are read first."""
        own = {"epsilon": self.epsilon, "delta": self.delta, "n": self.n, "k": float(self.k)}
        return max(own[self.axis], 1e-12)

    def at(self, value: float) -> "Asked":
        """Return the same with the axis's own setting moved."""
        moved: dict[str, Any] = {self.axis: int(value) if self.axis == "k" else value}
        return replace(self, **moved)

    def point(self, dataset: Dataset) -> tuple[Problem, Budget]:
        """Return the problem and the budget of the axis's own setting."""
        budget = Budget(self.epsilon, self.delta, self.adjacency)
        return dataset.point(self.k, self.n, budget, self.seed)
