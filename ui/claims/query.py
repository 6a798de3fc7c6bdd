"""What the Claims page is asked: a budget, the size of the data, and a mechanism."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from dpca_core.analysis.claims import example
from dpca_core.audit.absence import proves_absence
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.registry import MECHANISMS, REFUTED_DEFAULT
from dpca_core.privacy.budget import Adjacency, Budget
from dpca_core.problem import Problem
from ui.state.query_params import Addressed

LEAST_COLUMNS, MOST_COLUMNS = 2, 200
"""Of the example data."""
REFUTED = tuple(m for m in MECHANISMS.values() if proves_absence(m))
"""Mechanisms of which an output can prove that a record is absent."""
EXAMPLE_PEOPLE = 60_000
"""Where neither a number has been chosen nor the data are there."""


@dataclass(frozen=True)
class ClaimsSettings(Addressed):
    """Columns of the example data."""

    ALWAYS: ClassVar = ("d",)

    d: int = 10

    def stops(self) -> Mapping[str, tuple[float, ...]]:  # noqa: D102
        return {"d": tuple(range(LEAST_COLUMNS, MOST_COLUMNS + 1))}


@dataclass(frozen=True)
class ClaimsQuery:
    """A budget, the size of example data, and the key of the mechanism explained and attacked."""

    epsilon: float = 1.0
    delta: float = 1e-6
    d: int = 10
    n: int = EXAMPLE_PEOPLE
    k: int = 2
    adjacency: str = str(Adjacency.ADD_OR_REMOVE_ONE)
    mechanism: str = REFUTED_DEFAULT.key

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
