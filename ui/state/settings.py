"""The settings that all pages share, and those of Explore."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, Literal

from dpca_core.mechanisms.registry import DEFAULT, MECHANISMS
from dpca_core.privacy.budget import Adjacency, Budget
from ui.state.query_params import Addressed
from ui.state.slider_stops import DELTA_STOPS, EPSILON_STOPS, TARGETS

DEFAULT_DATA = "rand"
"""Key of the data set that a first visit shows."""


@dataclass(frozen=True)
class Settings(Addressed):
    """What is set on one page and found on every other; ``k`` or ``n`` = 0: the data's own."""

    ALWAYS: ClassVar = ("data", "mechanism", "epsilon", "delta")
    STOPS: ClassVar = {"epsilon": EPSILON_STOPS, "delta": DELTA_STOPS}

    data: str = DEFAULT_DATA
    mechanism: str = DEFAULT.key
    epsilon: float = 0.1
    delta: float = 1e-6
    k: int = 0
    n: float = 0.0
    adjacency: str = str(Adjacency.ADD_OR_REMOVE_ONE)
    seed: int = 0
    target: float = 0.9

    @property
    def budget(self) -> Budget:
        """The whole budget, a private mean's part included."""
        return Budget(self.epsilon, self.delta, Adjacency(self.adjacency))

    @classmethod
    def allows(cls, name: str, value: Any) -> bool:  # noqa: D102
        known = {"mechanism": MECHANISMS, "adjacency": list(Adjacency), "target": TARGETS}
        if name in known:
            return value in known[name]
        most = {"delta": 1.0, "seed": 2**32}
        usable = super().allows(name, value) and (name not in most or value < most[name])
        return usable and (name != "epsilon" or value > 0)


class View(StrEnum):
    """What Explore shows of the same settings."""

    ONE = "one"
    ALL = "all"
    PAGE = "page"


AxisName = Literal["epsilon", "delta", "n", "k"]
AXES: dict[AxisName, str] = {"epsilon": "ε", "delta": "δ", "n": "n", "k": "k"}
"""Names in the address of the axes that mechanisms are compared along, with their symbols."""
TRIAL_CHOICES = (0, 20, 40, 100, 200)
"""Releases a point that a comparison offers; 0: as many as one mechanism has."""


@dataclass(frozen=True)
class ExploreSettings(Addressed):
    """What Explore sets alone.

    Whether the ``curves`` of all mechanisms are drawn, and people are compared in random ``pairs``.
    The others are of the view of all mechanisms: ``mechanisms`` are keys with commas, "" for the
    usual ones; ``equalise`` runs printed ones at the ε for which they really spend the budget.
    """

    view: str = str(View.ONE)
    curves: bool = False
    axis: AxisName = "epsilon"
    mechanisms: str = ""
    equalise: bool = False
    trials: int = 0
    pairs: bool = False

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys of the mechanisms, in menu order."""
        wanted = self.mechanisms.split(",")
        return tuple(key for key in MECHANISMS if key in wanted)

    @classmethod
    def allows(cls, name: str, value: Any) -> bool:  # noqa: D102
        if name == "mechanisms":
            return all(key in MECHANISMS for key in value.split(","))
        among = {"view": list(View), "axis": AXES, "trials": TRIAL_CHOICES}
        return value in among.get(name, (value,))
