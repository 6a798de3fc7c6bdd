"""What a summary is asked: one problem at three settings of ε, fixed once it is made."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

from dpca_core.analysis.direction_words import ColumnWords
from dpca_core.data.dataset import Dataset
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.privacy.budget import Adjacency, Budget
from dpca_core.simulation.trials import Point
from ui.state.settings import Settings
from ui.state.slider_stops import EPSILON_STOPS, MOST_DIRECTIONS, nearest_stop

STRICTER, LOOSER = 1 / 5, 4.0
"""Times the chosen ε; the nearest stops are taken."""


class Name(StrEnum):
    """What a setting is called: none is "usual" or "safe", as there is no norm."""

    STRICTER = "Stricter"
    CHOSEN = "Chosen"
    LOOSER = "Looser"


@dataclass(frozen=True)
class SummaryQuery:
    """Everything that a summary's numbers depend on, but the data.

    Attributes
    ----------
    n
        People: the data's own number, or one that is tried on Explore.
    """

    mechanism: Mechanism
    k: int
    n: float
    epsilon: float
    delta: float
    adjacency: Adjacency
    seed: int

    @classmethod
    def of(
        cls, settings: Settings, mechanism: Mechanism, dataset: Dataset, usual_k: int
    ) -> "SummaryQuery":
        """Return what the settings of all pages ask of a data set."""
        return cls(
            mechanism,
            min(settings.k or usual_k, MOST_DIRECTIONS, dataset.d - 1),
            settings.n or float(dataset.people),
            settings.epsilon,
            settings.delta,
            Adjacency(settings.adjacency),
            settings.seed,
        )

    @property
    def epsilons(self) -> dict[Name, float]:
        """ε of each setting; at the ends of the axis there are two."""
        chosen = self.epsilon
        others = {
            Name.STRICTER: nearest_stop(chosen * STRICTER, EPSILON_STOPS),
            Name.CHOSEN: chosen,
            Name.LOOSER: nearest_stop(chosen * LOOSER, EPSILON_STOPS),
        }
        return {n: e for n, e in others.items() if n is Name.CHOSEN or e != chosen}

    def budget(self, epsilon: float) -> Budget:
        """Return the whole budget at ε, a private mean's part included."""
        return Budget(epsilon, self.delta, self.adjacency)

    def point(self, dataset: Dataset, epsilon: float, n: float | None = None) -> Point:
        """Return the problem, and the mechanism's part of the budget, at ε and n people."""
        return dataset.point(self.k, n or self.n, self.budget(epsilon), self.seed)


@dataclass(frozen=True)
class Frozen:
    """A summary's terms: they stay as they are until somebody asks for another one.

    Attributes
    ----------
    address
        Query of the address that makes the same again.
    made, version
        Day on which it was made, and the program's version then.
    """

    dataset: Dataset
    query: SummaryQuery
    address: Mapping[str, str]
    made: date
    version: str

    def is_of(self, dataset: Dataset, query: SummaryQuery) -> bool:
        """Tell whether it is what these settings ask for."""
        return self.dataset.key == dataset.key and self.query == query


@dataclass(frozen=True)
class Presentation:
    """How a summary is worded: what its owner says about it, which changes no number.

    Attributes
    ----------
    people_are_public
        Whether n may be said.
    data_are_public
        Whether the page may leave: the data are public, or made up.
    words
        Of columns, by their names.
    """

    people_are_public: bool
    data_are_public: bool
    words: Mapping[str, ColumnWords] = field(default_factory=dict)
