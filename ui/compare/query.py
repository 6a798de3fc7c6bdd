"""What the Compare page is asked: mechanisms, an axis, and what is fixed along it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Literal

from dpca_core.data.dataset import Dataset
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.registry import MECHANISMS, shown_by_default
from dpca_core.privacy.budget import Adjacency, Budget
from dpca_core.simulation.trials import Point
from ui.state import query_params
from ui.state.slider_stops import (
    DELTA_STOPS,
    EPSILON_STOPS,
    MOST_DIRECTIONS,
    PEOPLE_STOPS,
)

AxisName = Literal["epsilon", "delta", "n", "k"]
AXES: dict[AxisName, str] = {"epsilon": "ε", "delta": "δ", "n": "n", "k": "k"}
"""Names of the axes in the address, with their symbols."""
DELTA_AXIS = tuple(delta for delta in DELTA_STOPS if delta > 0)
"""Points of the δ axis."""
TRIAL_CHOICES = (20, 40, 100, 200)
"""Releases a point that the page offers."""


@dataclass(frozen=True)
class CompareQuery:
    """What is compared: everything that defines the numbers, the target excepted."""

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

    def axis_values(self, d: int) -> tuple[float, ...]:
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
    def axis_value(self) -> float:
        """The axis's own setting, above 0: where the charts are read first."""
        own = {"epsilon": self.epsilon, "delta": self.delta, "n": self.n, "k": float(self.k)}
        return max(own[self.axis], 1e-12)

    def with_axis_value(self, value: float) -> "CompareQuery":
        """Return the same query with another setting of its axis."""
        changed: dict[str, Any] = {self.axis: int(value) if self.axis == "k" else value}
        return replace(self, **changed)

    @property
    def budget(self) -> Budget:
        """The budget for mechanism and preprocessing together."""
        return Budget(self.epsilon, self.delta, self.adjacency)

    def point(self, dataset: Dataset) -> Point:
        """Return the problem and the mechanism's budget."""
        return dataset.point(self.k, self.n, self.budget, self.seed)

    def digest(self, dataset: Dataset) -> str:
        """Return a short name, the same for the same data and query wherever the axis is read."""
        measured = self.with_axis_value(1.0)
        return sha256(repr((dataset.identity, measured)).encode()).hexdigest()[:12]


@dataclass(frozen=True)
class CompareSettings:
    """What this page sets alone, by its names in the address; ``mechanisms``: keys with commas."""

    axis: AxisName = "epsilon"
    mechanisms: str = ",".join(m.key for m in shown_by_default())
    equalise: bool = False
    trials: int = 40

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> "CompareSettings":
        """Read a link; an unusable value becomes its default."""
        return query_params.read_settings(cls(), query, _allowed)

    def to_query(self) -> dict[str, str]:
        """Write a link; defaults other than the axis are left out."""
        return query_params.to_query(self, CompareSettings(), ("axis",))

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys of the mechanisms, in menu order."""
        wanted = self.mechanisms.split(",")
        return tuple(key for key in MECHANISMS if key in wanted)


def _allowed(name: str, value: Any) -> bool:
    match name:
        case "axis":
            return value in AXES
        case "mechanisms":
            return all(key in MECHANISMS for key in value.split(","))
        case "trials":
            return value in TRIAL_CHOICES
    return True
