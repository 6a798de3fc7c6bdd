"""What the Claims page is asked: a budget, the size of the data, and a mechanism."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

from dpca_core.analysis.claims import example
from dpca_core.mechanisms.base import Mechanism
from dpca_core.mechanisms.registry import MECHANISMS, REFUTED_DEFAULT
from dpca_core.privacy.budget import Adjacency, Budget
from dpca_core.problem import Problem
from ui.state import query_params
from ui.state.slider_stops import DELTA_STOPS, EPSILON_STOPS, MOST_DIRECTIONS, nearest_stop

MOST_EXAMPLE_COLUMNS = 200
REFUTED = tuple(m for m in MECHANISMS.values() if m.output_can_prove_absence)
"""Mechanisms of which an output can prove that a record is absent."""
LEAST_EXAMPLE_PEOPLE, MOST_EXAMPLE_PEOPLE = 100, 10_000_000


@dataclass(frozen=True)
class ClaimsQuery:
    """The page's controls, as the address holds them; ``mechanism`` is a key."""

    epsilon: float = 1.0
    delta: float = 1e-6
    d: int = 10
    n: int = 60_000
    k: int = 2
    adjacency: str = str(Adjacency.ADD_OR_REMOVE_ONE)
    mechanism: str = REFUTED_DEFAULT.key

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> "ClaimsQuery":
        """Read a link; what cannot be used becomes its default, or the nearest stop."""
        found = query_params.read_settings(cls(), query, _is_valid)
        return replace(
            found,
            epsilon=nearest_stop(found.epsilon, EPSILON_STOPS),
            delta=nearest_stop(found.delta, DELTA_STOPS),
            k=min(found.k, found.d - 1),
        )

    def to_query(self) -> dict[str, str]:
        """Write a link; defaults other than the main controls stay out of it."""
        return query_params.to_query(self, ClaimsQuery(), ("epsilon", "delta", "d", "n", "k"))

    @property
    def budget(self) -> Budget:
        """The privacy asked for."""
        return Budget(self.epsilon, self.delta, Adjacency(self.adjacency))

    @property
    def problem(self) -> Problem:
        """Example data of that size."""
        return example(self.d, self.k, self.n)

    @property
    def chosen_mechanism(self) -> Mechanism:
        """The mechanism that is explained and attacked."""
        return MECHANISMS[self.mechanism]


def _is_valid(name: str, value: Any) -> bool:
    match name:
        case "epsilon":
            return isfinite(value) and bool(value > 0)
        case "delta":
            return bool(0 <= value < 1)
        case "d":
            return bool(2 <= value <= MOST_EXAMPLE_COLUMNS)
        case "n":
            return bool(LEAST_EXAMPLE_PEOPLE <= value <= MOST_EXAMPLE_PEOPLE)
        case "k":
            return bool(1 <= value <= MOST_DIRECTIONS)
        case "adjacency":
            return value in list(Adjacency)
    return value in MECHANISMS
