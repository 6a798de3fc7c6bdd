"""What the Claims page asks for."""

from dataclasses import dataclass
from math import isfinite
from typing import Any

from dpca_core.analysis.claims import example
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import Adjacency, Budget
from dpca_core.problem import Problem
from ui.state.slider_stops import MOST_DIRECTIONS

MOST_COLUMNS, MOST_PEOPLE = 200, 10_000_000
LEAST_PEOPLE = 100


@dataclass(frozen=True)
class Asked:
    """The page's controls."""

    epsilon: float = 1.0
    delta: float = 1e-6
    d: int = 10
    n: int = 60_000
    k: int = 2
    adjacency: str = str(Adjacency.ADD_OR_REMOVE_ONE)
    mechanism: str = "wishart_sn"

    @property
    def budget(self) -> Budget:
        """The privacy asked for."""
        return Budget(self.epsilon, self.delta, Adjacency(self.adjacency))

    @property
    def problem(self) -> Problem:
        """Made-up data of that size."""
        return example(self.d, self.k, self.n)


def _allowed(name: str, value: Any) -> bool:
    match name:
        case "epsilon":
            return isfinite(value) and bool(value > 0)
        case "delta":
            return bool(0 <= value < 1)
        case "d":
            return bool(2 <= value <= MOST_COLUMNS)
        case "n":
            return bool(LEAST_PEOPLE <= value <= MOST_PEOPLE)
        case "k":
            return bool(1 <= value <= MOST_DIRECTIONS)
        case "adjacency":
            return value in list(Adjacency)
    return value in MECHANISMS
