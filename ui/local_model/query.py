"""What the Local model page is asked: its settings in the address, and the query they make."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import ClassVar, NamedTuple

import numpy as np

from dpca_core.data.dataset import Dataset
from dpca_core.linalg.arrays import Array
from dpca_core.privacy.budget import Budget
from dpca_core.problem import Problem
from dpca_core.runtime.cached_property import cached_property
from sample_data.synthetic import SPARSE_S, sample_moment
from ui.state.settings import Addressed


class RecordSource(StrEnum):
    """Where the records come from: a design of Wang & Xu 2020, or a data set."""

    DENSE = "dense"
    SPARSE = "sparse"
    DATA = "data"


EPSILON_CHOICES = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
PEOPLE_AXIS = tuple(float(10 ** (e / 2)) for e in range(6, 25))
COLUMN_STOPS = {RecordSource.DENSE: (20, 40, 80, 160), RecordSource.SPARSE: (100, 200, 400)}
SUPPORT_STOPS = SPARSE_S
"""Stops of s, the columns that the directions of the sparse design use."""
PENALTIES = (0.0, 0.1, 0.25, 0.5, 0.75, 1.0, 1.5)
"""Of the axis of c, the factor of the sparse mechanism's penalty."""


@dataclass(frozen=True)
class LocalModelSettings(Addressed):
    """The records, with p, as in the paper's figure where 0, and s of a design."""

    ALWAYS: ClassVar = ("source",)
    STOPS: ClassVar = {"columns": SUPPORT_STOPS}

    source: RecordSource = RecordSource.DENSE
    p: int = 0
    columns: int = 20


class PaperFigure(NamedTuple):
    """Where a design starts, as in a figure of Wang & Xu 2020, and its smallest and largest n."""

    p: int
    k: int
    n: float
    people: tuple[float, float]


PAPER_FIGURES = {
    RecordSource.DENSE: PaperFigure(40, 5, 1e5, (1e4, 1e5)),
    RecordSource.SPARSE: PaperFigure(400, 10, 2000.0, (1e3, 1e4)),
}


class GroundTruth(NamedTuple):
    """What is released from, the true directions (d, k), and which columns (d,) these use."""

    problem: Problem
    directions: Array
    used: np.ndarray


@dataclass(frozen=True)
class LocalModelQuery:
    """One setting: a design of Wang & Xu or a data set, and a budget.

    ``budget``: between any two records of a person, what a curator is asked under replacement;
    ``p``: columns of the design; ``columns``: s, how many of them the directions of the sparse one
    use; ``factor``: c of the sparse mechanism's penalty; ``repetitions``: releases for each point.
    """

    source: RecordSource
    data: Dataset | None
    p: int
    k: int
    columns: int
    n: float
    budget: Budget
    factor: float = 1.0
    repetitions: int = 20
    seed: int = 0

    @property
    def d(self) -> int:
        """Columns of the data."""
        return self.data.d if self.data else self.p

    @property
    def unit(self) -> str:
        """Whom the records are of, plural."""
        return self.data.unit.many if self.data else "people"

    @property
    def is_sparse(self) -> bool:
        """Whether the directions use few columns."""
        return self.source is RecordSource.SPARSE

    @property
    def mechanism_budget(self) -> Budget:
        """What a private mean leaves of the budget; all of it where no mean is drawn."""
        return self.data.mechanism_budget(self.budget) if self.data else self.budget

    @cached_property
    def ground_truth(self) -> GroundTruth:
        """The problem and the directions that errors are measured against."""
        if self.data is not None:
            problem = self.data.problem(self.k, self.n, self.budget, self.seed)
            return GroundTruth(problem, problem.basis, np.ones(self.d, dtype=bool))
        used = self.columns if self.is_sparse else self.p
        drawn = sample_moment(self.n, self.p, self.k, used, seed=self.seed)
        problem = Problem(drawn.moment, self.n, self.k)
        return GroundTruth(problem, drawn.directions, drawn.support)

    def axis_queries(self) -> dict[str, list["LocalModelQuery"]]:
        """Return the settings along each axis that is drawn, by the name of its field."""
        least = self.d if self.data is None else 1
        sizes = PEOPLE_AXIS[::2] if self.is_sparse else PEOPLE_AXIS
        return {
            "n": [replace(self, n=n) for n in sizes if n >= least],
            "epsilon": [
                replace(self, budget=replace(self.budget, epsilon=e)) for e in EPSILON_CHOICES
            ],
            "factor": [replace(self, factor=c) for c in PENALTIES if self.is_sparse],
        }
