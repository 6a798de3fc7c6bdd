"""A printed figure or table run again: what a card declares, and the one engine that runs it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.registry import MECHANISMS, NON_PRIVATE
from dpca_core.metrics import quality
from dpca_core.privacy.budget import Budget, InfeasibleBudget
from dpca_core.problem import Problem
from dpca_core.simulation.trials import TrialDraws
from papers.data import DataMissingError
from papers.store import rows_of
from papers.table import Table

if TYPE_CHECKING:
    from pandas import DataFrame

LONGEST_LIVE = 10.0
"""Seconds up to which a card is run while somebody waits."""


class Verdict(StrEnum):
    """What came of the statements that are quoted from a paper, on single releases of ours.

    A statement is a sentence or a formula. What a printed curve looks like decides nothing: of no
    figure are its points on record (``papers/comparison.py`` counts what is).
    """

    FORMULA_HOLDS = "formula holds"
    """What is printed is a formula or an order of growth, and our numbers follow it."""
    ALL_HOLD = "statements hold"
    """Every quoted statement holds."""
    ONE_FAILS = "a statement fails"
    """A quoted statement fails beyond sampling error."""
    CANNOT_BE = "cannot be so"
    """A printed value breaks a bound, or what is stated cannot come from what is printed."""
    NOT_RUN = "not run"
    """For its cost, or for want of data."""


class Role(StrEnum):
    """What a curve is there for."""

    PRINTED = "printed"
    """The mechanism as its paper prints it."""
    REPAIRED = "repaired"
    """What holds at the same stated budget."""
    REFERENCE = "reference"
    """An end of the scale, or a bound."""


@dataclass(frozen=True)
class Series:
    """A curve, or a column of dots.

    Attributes
    ----------
    key
        Its name in the stored tables, unique within the card.
    mechanism
        Key of the mechanism; None for a formula or another method.
    own
        What only this curve is measured with: k, d, ε, and the like.
    trials
        Releases at each place; None for as many as the card says.
    formula
        What it is at a place, without randomness; NaN for nothing.
    approximate
        Whether its sampler is approximate, so that nothing is certified: drawn dashed.
    """

    key: str
    label: str
    role: Role
    mechanism: str | None = None
    own: Mapping[str, float] = field(default_factory=dict, hash=False)
    trials: int | None = None
    formula: Callable[[float], float] | None = None
    approximate: bool = False

    @property
    def exact(self) -> bool:
        """Whether it has no randomness, so that one value is all there is to know."""
        return self.formula is not None or self.mechanism == NON_PRIVATE.key


@dataclass(frozen=True)
class Axis:
    """An axis of a figure.

    Attributes
    ----------
    values
        Places that are measured, ascending; of names 0, 1, …. Empty for what is measured itself.
    names
        What stands at each value: the cells of a table.
    low, high
        Ends of what is drawn, where they are not to follow the data.
    ceiling
        Where no value can lie above, by a bound; ``ceiling_name`` says by which.
    """

    label: str
    values: tuple[float, ...] = ()
    log: bool = False
    names: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    ceiling: float | None = None
    ceiling_name: str = ""


def named(label: str, *names: str) -> Axis:
    """Return an axis of names."""
    return Axis(label, tuple(map(float, range(len(names)))), names=names)


Point = tuple[Problem, Budget]
Measure = Callable[[Series, float, range, int], Sequence[float] | Array]
"""(series, place, numbers of trials (T,), seed) → values (T,); NaN for what is not released.

A value depends on seed, mechanism, trial and place alone: never on the other places or trials."""


@dataclass(frozen=True)
class Panel:
    """One chart: its places, what a release at a place is made from, and what is read off it.

    Attributes
    ----------
    point
        (series, place) → S with its n and k, and the budget.
    statistic
        (S, bases (T, d, k)) → what is measured of them, (T,).
    measure
        Takes the place of both where a figure is not of releases at points.
    """

    x: Axis
    y: Axis
    series: tuple[Series, ...]
    title: str = ""
    point: Callable[[Series, float], Point] | None = None
    statistic: Callable[[Problem, Array], Array] | None = None
    measure: Measure | None = None

    def values(self, series: Series, place: float, trials: range, seed: int) -> Array:
        """Measure a series at a place: (T,), NaN where nothing is released.

        Raises
        ------
        DataMissingError
            Where a data file that it needs is not at hand.
        """
        if series.formula is not None:
            return np.array([series.formula(place)])
        if self.measure is not None:
            return np.asarray(self.measure(series, place, trials, seed), dtype=float)
        assert self.point is not None
        assert self.statistic is not None
        problem, budget = self.point(series, place)
        try:
            return self.statistic(problem, released(series, problem, budget, trials, seed))
        except InfeasibleBudget:
            return np.full(len(trials), np.nan)


draws_of = lru_cache(maxsize=1)(TrialDraws)
"""Keeps the randomness of one series while its places are measured one by one."""


def released(series: Series, problem: Problem, budget: Budget, trials: range, seed: int) -> Array:
    """Return the bases (T, d, k) that a series' mechanism releases.

    Raises
    ------
    InfeasibleBudget
        Where it has no release at this budget.
    """
    mechanism = MECHANISMS[series.mechanism or ""]
    return draws_of(mechanism, seed, trials).release(problem, budget).bases


def kept(problem: Problem, bases: Array) -> Array:
    """Return what releases capture (T,), as a share of what PCA does."""
    return quality(problem, bases).captured


def q(problem: Problem, bases: Array) -> Array:
    """Return tr(VᵀSV)/n (T,), as Chaudhuri et al. measure."""
    return kept(problem, bases) * float(problem.spectrum[: problem.k].sum() / problem.n)


@dataclass(frozen=True)
class Setting:
    """A setting, and whose choice it is.

    Attributes
    ----------
    why
        Why it is ours; empty where the paper prints it.
    key, choices
        For a setting that can be changed on its card: its name in ``Card.vary``, and what it may
        be. ``chosen`` is what it is now; ``choice_names`` say what choices mean that are no
        numbers.
    """

    name: str
    value: str
    why: str = ""
    key: str = ""
    choices: tuple[float, ...] = ()
    chosen: float = float("nan")
    choice_names: tuple[str, ...] = ()

    @property
    def printed(self) -> bool:
        """Whether the paper prints it."""
        return not self.why


@dataclass(frozen=True)
class Statement:
    """A paper's own sentence, where it stands, and whether a table bears it out."""

    words: str
    where: str
    holds: Callable[[Table], bool]


@dataclass(frozen=True)
class Link:
    """Another page of the workbench at the settings of a figure: its address, and what it asks."""

    page: str
    query: Mapping[str, str] = field(default_factory=dict)
    anchor: str = ""


@dataclass(frozen=True, eq=False)
class Card:
    """A printed figure or table.

    Attributes
    ----------
    key
        "imtiaz-fig-1a": the card, the stored files and the command.
    paper
        Key of the paper in ``PAPERS``.
    number, title
        "Figure 1(a)", and what it is of.
    asks
        One question, that the figure answers.
    settings
        What is printed and what is ours.
    statements
        What the paper says of it.
    tell
        Says of a table what differs, and why.
    verdict
        What the stored table bears out.
    best
        What a table bears out in which every statement holds.
    impossible
        Whether a table shows that what is printed cannot be so.
    links
        Pages of the workbench at the same settings.
    trials, seconds
        Releases at each place, and seconds of one core that all of it takes, measured.
    needs
        Data files without which not all of it can be run: what is stored is drawn all the same.
    vary
        Makes the same card at other values of the settings with a key; None where it has none.
    """

    key: str
    paper: str
    number: str
    title: str
    asks: str
    panels: tuple[Panel, ...]
    settings: tuple[Setting, ...]
    statements: tuple[Statement, ...]
    tell: Callable[[Table], tuple[str, str]]
    verdict: Verdict
    best: Verdict = Verdict.ALL_HOLD
    impossible: Callable[[Table], bool] = lambda table: False
    links: tuple[Link, ...] = ()
    trials: int = 20
    seconds: float = 1.0
    needs: tuple[str, ...] = ()
    vary: "Callable[..., Card] | None" = None

    @property
    def series(self) -> tuple[Series, ...]:
        """All curves, panel by panel."""
        return tuple(series for panel in self.panels for series in panel.series)

    @property
    def live(self) -> bool:
        """Whether it is run while somebody waits."""
        return self.seconds <= LONGEST_LIVE

    @cached_property
    def stored(self) -> Table:
        """The releases that come with the project.

        Raises
        ------
        FileNotFoundError
            Where none are stored.
        """
        return self.table(rows_of(self.key))

    def table(self, rows: "DataFrame") -> Table:
        """Return a table of this card's single releases."""
        return Table(rows, [series.key for series in self.series if series.exact])

    def panel_of(self, series: Series) -> Panel:
        """Return the chart of a series."""
        return next(p for p in self.panels if series.key in {s.key for s in p.series})

    def trials_of(self, series: Series) -> int:
        """Return the releases of a series at each place."""
        own = 1 if series.formula is not None else series.trials
        return self.trials if own is None else own

    def judged(self, table: Table) -> Verdict:
        """Return the verdict that a table bears out."""
        if self.impossible(table):
            return Verdict.CANNOT_BE
        every = all(statement.holds(table) for statement in self.statements)
        return self.best if every else Verdict.ONE_FAILS


class Run:
    """A card that is run with a seed, one place of one series after the other.

    Attributes
    ----------
    missing
        Places (series, x) that need a data file which is not at hand, and the sentence that says
        so.
    """

    def __init__(self, card: Card, seed: int = 0, repetitions: int | None = None) -> None:
        self.card, self.seed, self.repetitions = card, seed, repetitions
        self.missing = dict[tuple[str, float], DataMissingError]()
        self._steps = [(p, s, x) for p in card.panels for s in p.series for x in p.x.values]
        self._rows = list[tuple[str, float, int, float]]()
        self._done = 0

    @property
    def share(self) -> float:
        """How much is measured, from 0 to 1."""
        return self._done / len(self._steps)

    @property
    def complete(self) -> bool:
        """Whether all is measured."""
        return self._done == len(self._steps)

    def step(self) -> None:
        """Measure the next place.

        Raises
        ------
        DataMissingError
            At the end of a run of which nothing could be measured.
        """
        panel, series, x = self._steps[self._done]
        most = self.card.trials_of(series)
        count = most if most == 1 or self.repetitions is None else self.repetitions
        try:
            values = panel.values(series, x, range(count), self.seed)
            # Where nothing was released there is no row.
            self._rows += [
                (series.key, x, t, float(v)) for t, v in enumerate(values) if np.isfinite(v)
            ]
        except DataMissingError as missing:
            self.missing[series.key, x] = missing
        self._done += 1
        if self.complete and not self._rows and self.missing:
            raise next(iter(self.missing.values()))

    def finished(self) -> "Run":
        """Measure all that is left.

        Raises
        ------
        DataMissingError
            Where nothing can be measured.
        """
        while not self.complete:
            self.step()
        return self

    @property
    def table(self) -> Table:
        """What is measured so far."""
        from pandas import DataFrame

        return self.card.table(DataFrame(self._rows, columns=["series", "x", "trial", "value"]))

    @property
    def whole(self) -> Table:
        """What is measured, with what is stored of places whose data are not at hand."""
        from pandas import concat

        if not self.missing:
            return self.table
        rows = rows_of(self.card.key)
        places = zip(rows["series"], rows["x"], strict=True)
        return self.card.table(concat([self.table.rows, rows[[p in self.missing for p in places]]]))
