"""What One page measures: three settings, and the words that hold.

Nothing here is published: it reads the true data, and simulates. How far directions can be relied
on is what Explore's other views say of the same releases.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from dpca_core.analysis.direction_words import candidates, loadings_towards, stand_out, turned
from dpca_core.analysis.reliability import Reliabilities
from dpca_core.data.mean_direction import offset_shares
from dpca_core.linalg.arrays import Array
from dpca_core.privacy.budget import Guarantee, InfeasibleBudget
from dpca_core.runtime.cached_property import cached_property
from dpca_core.simulation.trials import TrialDraws, releases_with_means
from ui.explore.study import Study
from ui.state.slider_stops import EPSILON_STOPS, nearest_stop

PARTS = 10
"""Into how many steps the releases of one setting are cut."""
TOO_LONG = "These releases take too long to be simulated here."


class Name(StrEnum):
    """What a setting is called: none is "usual" or "safe", as there is no norm."""

    STRICTER = "Stricter"
    CHOSEN = "Chosen"
    LOOSER = "Looser"


TIMES = {Name.STRICTER: 1 / 5, Name.CHOSEN: 1.0, Name.LOOSER: 4.0}
"""Times the chosen ε; the nearest stops are taken."""


@dataclass(frozen=True)
class Setting:
    """What is known of one setting.

    The guarantee is that of mechanism and preparation together, the claim its paper's ε; ``found``
    is how far each direction can be relied on, None where nothing was drawn, and ``why`` says why;
    ``refused`` is the share of releases that are refusals.
    """

    name: Name
    epsilon: float
    guarantee: Guarantee | None
    claim: float | None
    found: Reliabilities | None
    refused: float
    why: str


class Sheet:
    """The measurements of one page at the chosen ε, found step by step.

    ``study`` is Explore's along ε: how far directions can be relied on is measured once for both.
    """

    def __init__(self, study: Study, epsilon: float) -> None:
        self.dataset, self.query, self.mechanism = study.dataset, study.asked, study.mechanism
        self.epsilon, self._study, self._reliability = epsilon, study, study.reliability
        stops = {n: nearest_stop(epsilon * times, EPSILON_STOPS) for n, times in TIMES.items()}
        self.epsilons = {n: e for n, e in stops.items() if n is Name.CHOSEN or e != epsilon}
        """ε of each setting; at the ends of the axis there are two."""
        self.settings: dict[Name, Setting] = {}
        self.words: dict[int, tuple[int, ...]] = {}
        """Columns that stand out in each direction of the chosen setting, by its number."""
        self.scaled = abs(self.query.n - self.dataset.people) >= 0.5
        """Whether n is another number than that of the people in the table: a what-if."""
        self._parts, self._steps, self.complete = 0, self._all_steps(), False

    @property
    def share(self) -> float:
        """How much is measured, from 0 to 1."""
        done = len(self.settings) + self._parts / PARTS
        return 1.0 if self.complete else done / (len(self.epsilons) + 1)

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

    def steps(self) -> Iterator[None]:
        """Measure a short step at a time; whoever breaks off goes on where it ended."""
        while not self.complete:
            self.complete = next(self._steps, True)
            yield

    def _all_steps(self) -> Iterator[bool]:
        """Yield False after each step; it ends with the last one."""
        for name, epsilon in self.epsilons.items():
            yield from self._measure(name, epsilon)
        if self.chosen.found is not None:
            yield from self._find_words()

    def _measure(self, name: Name, epsilon: float) -> Iterator[bool]:
        """Judge the releases of one setting, drawing those that Explore has not drawn yet."""
        index, guarantee, claim, why = EPSILON_STOPS.index(epsilon), None, None, ""
        point = self._study.points[index]
        try:
            self.mechanism.calibrate(*point)
            claimed, own = self.mechanism.claim(*point), self.mechanism.guarantee(*point)
            guarantee = self.dataset.total_guarantee(own, self.query.at(epsilon).budget)
            claim = None if claimed is None else claimed.epsilon
            while index in self._reliability.missing(index):
                self._reliability.step(index)
                yield False
        except InfeasibleBudget as error:
            why = str(error)
        known = None if why else self._reliability.at(index)
        found = None if known is None else known.directions
        refused = 0.0 if known is None else float(np.isnan(known.angles).mean())
        why = why or (TOO_LONG if known is None else "")
        self.settings[name] = Setting(name, epsilon, guarantee, claim, found, refused, why)
        yield False

    def _find_words(self) -> Iterator[bool]:
        """Find which columns 9 of 10 releases of the chosen setting hold, drawing in parts."""
        data, k, seed, people = self.dataset, self.query.k, self.query.seed, self.query.n
        budget, every = self.query.at(self.epsilon).budget, self._reliability.trials
        point = None if data.draws else data.point(k, people, budget, seed)
        named = [candidates(self.directions[:, j]) for j in range(k)]
        released: list[list[Array]] = [[] for _ in named]
        size = -(-every // PARTS)
        for start in range(0, every, size):
            trials = range(start, min(start + size, every))
            if point is None:
                drawn = (seed, trials, people)
                bases = releases_with_means(data, self.mechanism, k, budget, *drawn)
            else:
                bases = TrialDraws(self.mechanism, seed, trials).release(*point).bases
            for j, columns in enumerate(named):
                released[j].append(loadings_towards(self.directions, bases, columns, j))
            self._parts += 1
            yield False
        for j, columns in enumerate(named):
            loadings = np.concatenate(released[j])
            self.words[j + 1] = stand_out(self.directions[:, j], loadings, columns)
