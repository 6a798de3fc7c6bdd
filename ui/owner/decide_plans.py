"""What each card can be expected to hold, simulated a short step at a time.

It follows from public things alone: guessed people, expected shares, columns after coding and
budgets. So results are kept by these arguments, for whoever asks the same.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from threading import Lock

import numpy as np
from cachetools import LRUCache, cached

from dpca_core.analysis.expected_spectrum import expected_spectrum
from dpca_core.analysis.needed import steps_to_people
from dpca_core.analysis.recommendation import Recommendation, recommended_mechanism
from dpca_core.analysis.reliability import Goal, PlannedReleases, Reliabilities
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.noise_on_s import NoiseOnS
from dpca_core.mechanisms.registry import DEFAULT
from dpca_core.privacy.budget import Budget, Guarantee
from dpca_core.problem import Problem
from ui.owner.decide_answers import Answers, Card
from ui.owner.draft import FEWEST_COLUMNS

_KEPT = 64


class Needed(StrEnum):
    """What stands in place of a number of people."""

    NOT_KNOWN_YET = "not known yet"
    TOO_MANY = "more than 10 million"


People = int | Needed


@dataclass(frozen=True)
class CardPlan:
    """What is known of a card: what a release uses and promises, and what survives it.

    ``recommendation`` is what is best whatever it promises; ``planned`` is None while it is not
    simulated, and where the guess of people or the shares are missing; ``needed`` are the people
    from which on a goal is reached.
    """

    budget: Budget
    mechanism: NoiseOnS
    guarantee: Guarantee
    recommendation: Recommendation
    planned: Reliabilities | None
    needed: dict[Goal, People]


class Plans:
    """The cards' plans for one set of answers; ValueError where columns are too many to simulate.

    With δ above 0 every table has Gaussian noise, though another kind may be smaller on few
    columns: one ε then means one protection, whatever the table.
    """

    def __init__(self, answers: Answers) -> None:
        self._answers = answers
        self._recommended = {
            card: recommended_mechanism(
                answers.people or 1.0,
                answers.columns,
                budget,
                k=max(1, len(answers.shares)),
                rows_per_person=answers.rows_per_person,
            )
            for card, budget in answers.budgets.items()
            if answers.columns >= FEWEST_COLUMNS
        }
        self._simulations = {
            card: _simulation(self._mechanism(card), answers.shares, answers.columns)
            for card in self._recommended
            if answers.shares
        }

    @property
    def trials(self) -> int:
        """Releases that are simulated for a card; 0 where nothing is simulated."""
        return min((s.releases.trials for s in self._simulations.values()), default=0)

    def _mechanism(self, card: Card) -> NoiseOnS:
        has_delta = self._answers.budgets[card].delta > 0
        return DEFAULT if has_delta else self._recommended[card].mechanism

    def card(self, card: Card) -> CardPlan | None:
        """Return what is known of a card so far; None where ε or δ is no number, or d below 2."""
        if card not in self._recommended:
            return None
        budget, mechanism = self._answers.budgets[card], self._mechanism(card)
        blank = Problem.from_spectrum(np.ones(self._answers.columns), self._answers.columns, 1)
        simulation, planned = self._simulations.get(card), None
        needed: dict[Goal, People] = dict.fromkeys(Goal, Needed.NOT_KNOWN_YET)
        if simulation is not None:
            needed = {goal: simulation.needed.get((budget, goal), n) for goal, n in needed.items()}
            if self._answers.people is not None:
                planned = simulation.releases.at(self._noise(card, self._answers.people))
        guarantee = mechanism.guarantee(blank, budget)
        return CardPlan(budget, mechanism, guarantee, self._recommended[card], planned, needed)

    @property
    def left(self) -> int:
        """How many results are left to simulate: plans of cards, and numbers of people."""
        return len([*self._missing()])

    def steps(self) -> Iterator[None]:
        """Simulate what is missing: first all cards, then the people that they need."""
        for work in self._missing():
            yield from work

    def _missing(self) -> Iterator[Iterator[None]]:
        people = self._answers.people
        chosen_first = sorted(self._simulations, key=lambda card: card is not self._answers.chosen)
        for card in chosen_first:
            releases = self._simulations[card].releases
            if people is not None and releases.at(self._noise(card, people)) is None:
                yield releases.steps_at(self._noise(card, people))
        for card, simulation in self._simulations.items():
            budget = self._answers.budgets[card]
            for goal in Goal:
                if (budget, goal) not in simulation.needed:
                    yield simulation.steps_to_needed(budget, goal)

    def _noise(self, card: Card, people: float) -> float:
        return self._simulations[card].releases.scale(self._answers.budgets[card]) / people


@dataclass(frozen=True)
class _Simulation:
    """Releases with one mechanism's noise and one list of shares, and what they have shown."""

    releases: PlannedReleases
    needed: dict[tuple[Budget, Goal], People] = field(default_factory=dict)

    def steps_to_needed(self, budget: Budget, goal: Goal) -> Iterator[None]:
        found = yield from steps_to_people(self.releases, budget, goal)
        self.needed[budget, goal] = Needed.TOO_MANY if found is None else found


@cached(LRUCache(_KEPT), key=lambda mechanism, *public: (mechanism.key, *public), lock=Lock())
def _simulation(mechanism: Mechanism, shares: tuple[float, ...], columns: int) -> _Simulation:
    """Return the simulation of these public arguments, begun or taken up again."""
    return _Simulation(PlannedReleases(mechanism, expected_spectrum(shares, columns), len(shares)))
