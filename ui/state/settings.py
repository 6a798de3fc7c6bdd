"""The settings that all pages share: read from a link, checked, and written back."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from math import isfinite
from typing import Any, Literal

from dpca_core.mechanisms.registry import DEFAULT, MECHANISMS
from dpca_core.privacy.budget import Adjacency, Budget
from ui.state import query_params
from ui.state.slider_stops import DELTA_STOPS, EPSILON_STOPS, TARGETS, nearest_stop

DEFAULT_DATA = "rand"
"""Key of the data set that a first visit shows."""


@dataclass(frozen=True)
class Settings:
    """What is set on one page and found on every other; ``k`` or ``n`` = 0: the data's own."""

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
    def from_query(cls, query: Mapping[str, str]) -> "Settings":
        """Read a link; an unusable value becomes its default, ε and δ move to their sliders."""
        found = query_params.read_settings(cls(), query, _allowed)
        return replace(
            found,
            epsilon=nearest_stop(found.epsilon, EPSILON_STOPS),
            delta=nearest_stop(found.delta, DELTA_STOPS),
        )

    def to_query(self) -> dict[str, str]:
        """Return the query of a link; defaults other than the main controls are left out."""
        return query_params.to_query(self, Settings(), ("data", "mechanism", "epsilon", "delta"))


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
class ExploreSettings:
    """What Explore sets alone, by its names in the address.

    Attributes
    ----------
    curves
        Whether the curves of all mechanisms are drawn.
    axis, mechanisms, equalise, trials
        Of the view of all mechanisms: along what they are compared, which (keys with commas, "" for
        the usual ones), whether printed ones are run at the ε for which they really spend the
        budget, and by how many releases a point.
    """

    view: str = str(View.ONE)
    curves: bool = False
    axis: AxisName = "epsilon"
    mechanisms: str = ""
    equalise: bool = False
    trials: int = 0

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> "ExploreSettings":
        """Read a link; an unusable value becomes its default."""
        return query_params.read_settings(cls(), query, _allowed_on_explore)

    def to_query(self) -> dict[str, str]:
        """Return the query of a link; defaults are left out."""
        return query_params.to_query(self, ExploreSettings(), ())

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys of the mechanisms, in menu order."""
        wanted = self.mechanisms.split(",")
        return tuple(key for key in MECHANISMS if key in wanted)


def _allowed_on_explore(name: str, value: Any) -> bool:
    match name:
        case "view":
            return value in list(View)
        case "axis":
            return value in AXES
        case "mechanisms":
            return all(key in MECHANISMS for key in value.split(","))
        case "trials":
            return value in TRIAL_CHOICES
    return True


def _allowed(name: str, value: Any) -> bool:
    match name:
        case "mechanism":
            return value in MECHANISMS
        case "adjacency":
            return value in list(Adjacency)
        case "target":
            return value in TARGETS
        case "epsilon":
            return isfinite(value) and bool(value > 0)
        case "delta":
            return bool(0 <= value < 1)
        case "seed":
            return bool(0 <= value < 2**32)
        case "k" | "n":
            return isfinite(value) and bool(value >= 0)
    return True
