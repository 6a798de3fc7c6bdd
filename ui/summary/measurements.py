"""What a summary measures: three settings, the words that hold, and how many people are needed.

Nothing here is published: it reads the true data, and simulates.
"""

from collections.abc import Generator, Iterator
from dataclasses import dataclass

import numpy as np

from dpca_core.analysis.direction_words import (
    block_columns,
    candidates,
    loadings_towards,
    stand_out,
    turned,
)
from dpca_core.analysis.needed import first_enough
from dpca_core.analysis.order_statistics import NINE_OF_TEN, fewest
from dpca_core.analysis.reliability import (
    RELEASES_JUDGED,
    Reliabilities,
    Reliability,
    agreement,
    judged,
    simulated,
)
from dpca_core.data.dataset import Dataset
from dpca_core.data.mean_direction import offset_shares
from dpca_core.linalg.arrays import Array
from dpca_core.privacy.budget import Guarantee, InfeasibleBudget
from dpca_core.runtime.cached_property import cached_property
from dpca_core.runtime.offload import expected_seconds
from dpca_core.simulation.trials import TrialDraws, releases_with_means
from ui.summary.query import Name, SummaryQuery

SETTING_SECONDS, MOST_SETTING_SECONDS = 20.0, 60.0
"""Expected seconds of one setting up to which all releases are drawn, and above which none."""
SEARCH_SECONDS = 3.0
"""The same for one step of the search for the number of people."""
STEP_LENGTH, MOST_AT_ONCE = 0.05, 100
"""Of a step: seconds, and releases."""
FACTORS = tuple(1.25**power for power in range(1, 32))
"""Grid on which a number of people is looked for: up to a thousand times as many."""
MOST_ROUNDS = len(FACTORS).bit_length()
"""Of the search: each halves what is left of the grid."""


@dataclass(frozen=True)
class Setting:
    """What is known of one setting.

    Attributes
    ----------
    guarantee
        Of mechanism and preparation together; None where nothing can be released.
    claim
        ε of the mechanism's paper; None without one.
    found
        How far each direction can be relied on; None where nothing was drawn.
    refused
        Share of releases that are refusals.
    why
        Why there is no release, or none was drawn; "" where there is one.
    """

    name: Name
    epsilon: float
    guarantee: Guarantee | None
    claim: float | None
    found: Reliabilities | None
    refused: float
    why: str


class SummaryMeasurements:
    """A summary's measurements, found step by step.

    Parameters
    ----------
    dataset, query
        What is frozen.
    """

    def __init__(self, dataset: Dataset, query: SummaryQuery) -> None:
        self.dataset, self.query = dataset, query
        self.settings: dict[Name, Setting] = {}
        self.words: dict[int, tuple[int, ...]] = {}
        """Columns that stand out in each direction of the chosen setting, by its number."""
        self.people_factor: float | None = None
        """How many times as many people make all directions reliable; None where unknown."""
        solve = expected_seconds(dataset.d, query.mechanism.cost)
        if dataset.mean_share > 0:
            solve += float(dataset.rows.size * (6e-8 + dataset.d * 5e-10))
        wanted = int(SETTING_SECONDS / solve)
        self.trials = int(np.clip(wanted, fewest(NINE_OF_TEN), RELEASES_JUDGED))
        """Releases a setting: as many as a level needs, by public numbers."""
        self._seconds = self.trials * solve
        self._can_search = self._seconds <= SEARCH_SECONDS and query.mechanism.publishes_matrix
        self._at_once = int(np.clip(STEP_LENGTH / solve, 1, MOST_AT_ONCE))
        self._done, self._steps = 0, self._all_steps()
        self.complete = False

    @property
    def share(self) -> float:
        """How much is drawn, from 0 to 1: of the three settings, and of the search for people."""
        rounds = len(self.query.epsilons) + (MOST_ROUNDS if self._can_search else 0)
        return 1.0 if self.complete else min(1.0, self._done / (self.trials * rounds))

    @property
    def drawn(self) -> bool:
        """Whether the three settings are drawn, and only people are still looked for."""
        return len(self.settings) == len(self.query.epsilons)

    def steps(self) -> Iterator[None]:
        """Measure a short step at a time; whoever breaks off goes on where it ended."""
        while not self.complete:
            if next(self._steps, True):
                self.complete = True
            yield

    @property
    def scaled(self) -> bool:
        """Whether n is another number than that of the people in the table: a what-if."""
        return abs(self.query.n - self.dataset.people) >= 0.5

    @property
    def chosen(self) -> Setting:
        """The chosen setting."""
        return self.settings[Name.CHOSEN]

    @cached_property
    def directions(self) -> Array:
        """True directions (d, k), each with its largest loading positive."""
        return turned(self.dataset.true_problem(self.query.k, self.query.n).basis)

    @cached_property
    def averages(self) -> Array:
        """Share (k,) of each direction that the mean of the rows alone makes; NaN if unknown."""
        found = offset_shares(self.dataset, self.query.k)
        return np.full(self.query.k, np.nan) if found is None else found

    def block(self, first: int, last: int) -> tuple[int, ...]:
        """Return the columns that directions first … last (from 1) are made of together."""
        return block_columns(self.directions[:, first - 1 : last])

    def _all_steps(self) -> Iterator[bool]:
        """Yield False after each step; it ends with the last one."""
        for name, epsilon in self.query.epsilons.items():
            yield from self._measure(name, epsilon)
        yield from self._search_people()

    def _measure(self, name: Name, epsilon: float) -> Iterator[bool]:
        """Draw the releases of one setting and judge them."""
        guarantee, claim, why = self._guarantee(epsilon)
        parts: list[Array] = []
        words: list[list[Array]] = []
        if not why and self._seconds > MOST_SETTING_SECONDS:
            why = "These releases take too long to be simulated here."
        while not why and sum(len(part) for part in parts) < self.trials:
            begun = sum(len(part) for part in parts)
            trials = range(begun, min(begun + self._at_once, self.trials))
            try:
                cosines, loadings = self._drawn(epsilon, trials, words=name is Name.CHOSEN)
            except InfeasibleBudget as error:
                why = str(error)
                break
            parts.append(cosines)
            words.append(loadings)
            self._done += len(trials)
            yield False
        found, refused = None, 0.0
        if parts and not why:
            drawn = np.concatenate(parts)
            problem = self.query.point(self.dataset, epsilon)[0]
            found = judged(problem, drawn, ordered=self.query.mechanism.publishes_matrix)
            refused = float((~np.isfinite(drawn).all(axis=(1, 2))).mean())
            if name is Name.CHOSEN:
                self._find_words(words)
        self.settings[name] = Setting(name, epsilon, guarantee, claim, found, refused, why)
        yield False

    def _guarantee(self, epsilon: float) -> tuple[Guarantee | None, float | None, str]:
        mechanism = self.query.mechanism
        try:
            point = self.query.point(self.dataset, epsilon)
            own = mechanism.guarantee(*point)
            claim = mechanism.claim(*point)
        except InfeasibleBudget as error:
            return None, None, str(error)
        total = self.dataset.total_guarantee(own, self.query.budget(epsilon))
        return total, None if claim is None else claim.epsilon, ""

    def _drawn(
        self, epsilon: float, trials: range, *, words: bool, n: float | None = None
    ) -> tuple[Array, list[Array]]:
        """Return the agreement (T, k, k), and loadings of the columns that may be named."""
        query, data = self.query, self.dataset
        people, budget = n or query.n, query.budget(epsilon)
        drawn = (query.seed, trials)
        if data.mean_share > 0:
            bases = releases_with_means(data, query.mechanism, query.k, budget, *drawn, people)
            problem = data.true_problem(query.k, people)
        else:
            problem, budget = query.point(data, epsilon, people)
            if not words:
                return simulated(query.mechanism, problem, budget, *drawn), []
            bases = TrialDraws(query.mechanism, *drawn).release(problem, budget).bases
        named = [
            loadings_towards(self.directions, bases, candidates(self.directions[:, j]), j)
            for j in range(query.k if words else 0)
        ]
        return agreement(problem, bases), named

    def _find_words(self, parts: list[list[Array]]) -> None:
        for j in range(self.query.k):
            direction = self.directions[:, j]
            released = np.concatenate([part[j] for part in parts])
            self.words[j + 1] = stand_out(direction, released, candidates(direction))

    def _search_people(self) -> Iterator[bool]:
        """Find the smallest factor of the grid at which all directions are reliable.

        More people never look worse by chance: all numbers share the randomness of each trial.
        """
        found = self.chosen.found
        if found is None or not self._can_search or not found.ordered or all_reliable(found):
            return
        place = yield from first_enough(len(FACTORS), lambda i: self._holds(FACTORS[i]))
        self.people_factor = None if place is None else FACTORS[place]

    def _holds(self, factor: float) -> Generator[bool, None, bool]:
        parts: list[Array] = []
        people = self.query.n * factor
        try:
            for start in range(0, self.trials, self._at_once):
                trials = range(start, min(start + self._at_once, self.trials))
                parts.append(self._drawn(self.query.epsilon, trials, words=False, n=people)[0])
                self._done += len(trials)
                yield False
        except InfeasibleBudget:
            return False
        problem = self.query.point(self.dataset, self.query.epsilon, people)[0]
        return all_reliable(judged(problem, np.concatenate(parts), ordered=True))


def all_reliable(found: Reliabilities) -> bool:
    """Tell whether each direction is reliable alone."""
    return all(d.level is Reliability.RELIABLE for d in found.directions)
