"""What the Claims page is asked: a budget, the size of the data, and a mechanism."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from dpca_core.analysis.claims import example
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.privacy.budget import Budget
from dpca_core.problem import Problem
from ui.state.query_params import Addressed

LEAST_COLUMNS, MOST_COLUMNS = 2, 200
"""Of the example data."""


@dataclass(frozen=True)
class ClaimsSettings(Addressed):
    """Columns of the example data."""

    ALWAYS: ClassVar = ("d",)

    d: int = 10

    def stops(self) -> Mapping[str, tuple[float, ...]]:  # noqa: D102
        return {"d": tuple(range(LEAST_COLUMNS, MOST_COLUMNS + 1))}


@dataclass(frozen=True)
class ClaimsQuery:
    """The mechanism explained and attacked, the privacy asked for, the size of example data."""

    mechanism: Mechanism
    budget: Budget
    d: int
    n: int
    k: int

    @property
    def problem(self) -> Problem:
        """Example data of that size."""
        return example(self.d, self.k, self.n)
