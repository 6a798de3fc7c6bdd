"""A theorem on the number of people, and the case that it is asked about."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from math import sqrt

from dpca_core.privacy.budget import Adjacency


@dataclass(frozen=True)
class Case:
    """A spectrum, a budget and an aim: |⟨v̂, v⟩| ≥ ρ with probability 1 − η.

    Attributes
    ----------
    d
        Columns, at least 2.
    gap, top
        λ₁ − λ₂ and λ₁ of A = S/n, shares of 1.
    epsilon, delta, adjacency
        The budget. Chaudhuri et al. replace one person; what holds at ε there holds at ε/2 where
        one is added or removed, so pure bounds read 2ε here.
    rho, eta
        The aim.
    """

    d: int
    gap: float
    top: float
    epsilon: float
    delta: float
    adjacency: Adjacency
    rho: float
    eta: float

    @property
    def printed_epsilon(self) -> float:
        """ε as the papers on pure privacy count it, with a person replaced."""
        return self.epsilon * (1 if self.adjacency is Adjacency.REPLACE_ONE else 2)

    @property
    def slack(self) -> float:
        """√(1 − ρ²): noise of this length cannot turn a unit vector further than ρ allows."""
        return sqrt(1 - self.rho**2)


class BoundKind(StrEnum):
    """What a theorem says of its number of people."""

    ENOUGH = "enough"
    TOO_FEW = "few"
    ORDER = "order"


@dataclass(frozen=True)
class Theorem:
    """A paper's statement about the number of people that its mechanism needs, at k = 1.

    Attributes
    ----------
    kind
        Whether so many people are enough, fewer are too few, or only the order is known.
    people
        The number of people in a case; None outside the theorem's conditions.
    label
        A short label for a mark in a chart.
    name
        The full name, for a sentence that quotes the theorem and for a curve; "" for a theorem
        that is only marked.
    """

    kind: BoundKind
    people: Callable[[Case], float | None]
    label: str
    name: str = ""
