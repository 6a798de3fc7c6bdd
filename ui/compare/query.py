"""What the Compare page is asked: mechanisms, an axis, and what is fixed along it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from math import isfinite
from typing import Any, Literal

from dpca_core.data.dataset import Dataset
from dpca_core.mechanisms.base import Mechanism
from dpca_core.mechanisms.registry import MECHANISMS, shown_by_default
from dpca_core.privacy.budget import Adjacency, Budget
from dpca_core.simulation.trials import Point
from ui.state import query_params
from ui.state.slider_stops import (
    DELTA_STOPS,
    EPSILON_STOPS,
    MOST_DIRECTIONS,
    TARGETS,
    TRIAL_CHOICES,
    nearest_stop,
)

AxisName = Literal["epsilon", "delta", "n", "k"]
AXES: dict[AxisName, str] = {"epsilon": "ε", "delta": "δ", "n": "n", "k": "k"}
"""Names of the axes in the address, with their symbols."""
DELTA_AXIS = tuple(delta for delta in DELTA_STOPS if delta > 0)
"""Points of the δ axis."""
PEOPLE_AXIS = (*(float(m * 10**e) for e in range(2, 7) for m in (1, 2, 3, 5, 7)), 1e7)
"""Points of the n axis."""
ALWAYS_WRITTEN = ("axis", "epsilon", "delta", "k")
"""Settings that stand in the address even at their defaults."""


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
                return PEOPLE_AXIS
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
        """Return a short name that is the same for the same data and query."""
        return sha256(repr((dataset.identity, self)).encode()).hexdigest()[:12]


@dataclass(frozen=True)
class CompareSettings:
    """The page's controls, by their names in the address.

    Attributes
    ----------
    k, n
        0 means: as the data have.
    mechanisms
        Keys, separated by commas.
    at
        The value of the axis at which the charts are read; 0 means: at the axis's own setting.
    """

    axis: AxisName = "epsilon"
    epsilon: float = 0.1
    delta: float = 1e-6
    k: int = 0
    n: float = 0.0
    adjacency: str = str(Adjacency.ADD_OR_REMOVE_ONE)
    mechanisms: str = ",".join(m.key for m in shown_by_default())
    equalise: bool = False
    target: float = 0.9
    trials: int = 40
    seed: int = 0
    at: float = 0.0

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> "CompareSettings":
        """Read a link; an unusable value falls back to its default, ε moves to its slider."""
        found = query_params.read_settings(cls(), query, _allowed)
        return replace(found, epsilon=nearest_stop(found.epsilon, EPSILON_STOPS))

    def to_query(self) -> dict[str, str]:
        """Write a link; defaults other than the main controls are left out."""
        return query_params.to_query(self, CompareSettings(), ALWAYS_WRITTEN)

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys of the mechanisms, in menu order."""
        wanted = self.mechanisms.split(",")
        return tuple(key for key in MECHANISMS if key in wanted)

    def query(self, dataset: Dataset) -> CompareQuery:
        """Return what these settings ask of a data set."""
        return CompareQuery(
            mechanisms=tuple(MECHANISMS[key] for key in self.keys),
            axis=self.axis,
            epsilon=self.epsilon,
            delta=self.delta,
            n=self.n or float(dataset.people),
            k=self.k,
            adjacency=Adjacency(self.adjacency),
            seed=self.seed,
            trials=self.trials,
            equalise=self.equalise,
        )


def _allowed(name: str, value: Any) -> bool:
    match name:
        case "axis":
            return value in AXES
        case "adjacency":
            return value in list(Adjacency)
        case "target":
            return value in TARGETS
        case "mechanisms":
            return all(key in MECHANISMS for key in value.split(","))
        case "epsilon":
            return isfinite(value) and bool(value > 0)
        case "delta":
            return bool(0 <= value < 1)
        case "trials":
            return value in TRIAL_CHOICES
        case "seed":
            return bool(0 <= value < 2**32)
        case "k" | "n" | "at":
            return isfinite(value) and bool(value >= 0)
    return True
