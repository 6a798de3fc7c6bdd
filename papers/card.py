"""A printed figure or table run again: what a card declares, and the one engine that runs it.

What a card says is ``papers/cards/<key>.md``: its settings, the paper's own sentences, and what
differs, with fields for the numbers. What is measured, and by what a sentence is judged, is Python.
"""

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property, lru_cache
from math import isfinite, nan
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.registry import MECHANISMS, NON_PRIVATE
from dpca_core.metrics import quality
from dpca_core.privacy.budget import Adjacency, Budget, InfeasibleBudget
from dpca_core.problem import Problem
from dpca_core.simulation.trials import TrialDraws
from papers.data import DataMissingError
from papers.store import HERE, PAPERS, Paper, printed_of, printed_values, rows_of
from papers.table import Table

if TYPE_CHECKING:
    from pandas import DataFrame

LONGEST_LIVE = 10.0
"""Seconds up to which a card is run while somebody waits."""
Judge = Callable[[Table], bool]
Fields = Mapping[str, Any]
FIELD = re.compile(r"\{([^{}]+?)(?::([^: {}]*))?\}")
"""In sentences: {name:format}, {series @ place:format} for a mean, and {printed series @ place};
NaN is written "not reached"."""


class Verdict(StrEnum):
    """What came of the sentences and formulas quoted from a paper, on single releases of ours.

    What a printed curve looks like decides nothing: of no figure are its points on record.
    """

    FORMULA_HOLDS = "formula holds"
    ALL_HOLD = "statements hold"
    ONE_FAILS = "a statement fails"
    CANNOT_BE = "cannot be so"
    NOT_RUN = "not run"


class Role(StrEnum):
    """What a curve is: as its paper prints it, what holds at that budget, or a reference."""

    PRINTED = "printed"
    REPAIRED = "repaired"
    REFERENCE = "reference"


@dataclass(frozen=True)
class Series:
    """A curve, or a column of dots, of a mechanism or of a formula: what it is at a place, or NaN.

    ``key`` is its name in the stored tables, unique within the card; ``own`` what it alone is
    measured with. It has ``trials`` releases at each place, or as many as the card says. With an
    ``approximate`` sampler nothing is certified.
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
    """An axis: of places, whose ascending ``values`` may have names, or of what is measured there.

    ``low`` and ``high`` are its ends where they are not to follow the data.
    """

    label: str = ""
    values: Sequence[float] = ()
    log: bool = False
    names: Sequence[str] = ()
    low: float | None = None
    high: float | None = None


Measure = Callable[[Series, float, range, int], Sequence[float] | Array]
"""(series, place, numbers of trials (T,), seed) → values (T,); NaN for what is not released.

A value depends on seed, mechanism, trial and place alone: never on the other places or trials."""


@dataclass(frozen=True)
class Panel:
    """One chart: its series, and how those are measured that are no formulas.

    Above the ``ceiling`` no value can lie, by a bound. Title and axes stand in the card's file.
    """

    series: tuple[Series, ...]
    measure: Measure | None = None
    ceiling: float | None = None
    title: str = ""
    x: Axis = Axis()
    y: Axis = Axis()

    def labelled(self, x: dict[str, Any], y: dict[str, Any], title: str = "") -> "Panel":
        """Return it with its axes and title."""
        return replace(self, x=Axis(**x), y=Axis(**y), title=title)

    def values(self, series: Series, place: float, trials: range, seed: int) -> Array:
        """Measure a series at a place: (T,), NaN where nothing is released."""
        if series.formula is not None:
            return np.array([series.formula(place)])
        assert self.measure is not None
        try:
            return np.asarray(self.measure(series, place, trials, seed), dtype=float)
        except InfeasibleBudget:
            return np.full(len(trials), nan)


draws_of = lru_cache(maxsize=1)(TrialDraws)
"""Keeps the randomness of one series while its places are measured one by one."""


def released(series: Series, problem: Problem, budget: Budget, trials: range, seed: int) -> Array:
    """Return the bases (T, d, k) that a mechanism releases, or raise ``InfeasibleBudget``."""
    mechanism = MECHANISMS[series.mechanism or ""]
    return draws_of(mechanism, seed, trials).release(problem, budget).bases


def of_releases(
    point: Callable[[Series, float], tuple[Problem, Budget]],
    statistic: Callable[[Problem, Array], Array],
) -> Measure:
    """Measure a statistic (T,) of bases (T, d, k) released from S at a point, and its budget."""

    def measure(series: Series, place: float, trials: range, seed: int) -> Array:
        problem, budget = point(series, place)
        return statistic(problem, released(series, problem, budget, trials, seed))

    return measure


def of_each(value: Callable[[Series, float, int, int], float]) -> Measure:
    """Measure trial by trial: (series, place, trial, seed) → value."""
    return lambda series, place, trials, seed: [value(series, place, t, seed) for t in trials]


def replaced(epsilon: float, delta: float) -> Budget:
    """(ε, δ), one person replaced; in the local model any two records of one person."""
    return Budget(epsilon, delta, Adjacency.REPLACE_ONE)


def kept(problem: Problem, bases: Array) -> Array:
    """Return what releases capture (T,), as a share of what PCA does."""
    return quality(problem, bases).captured


class Setting(NamedTuple):
    """A setting, and ``why`` it is ours: empty where the paper prints it."""

    name: str
    value: str
    why: str = ""


class Statement(NamedTuple):
    """A paper's own sentence, where it stands, and whether a table bears it out."""

    words: str
    where: str
    holds: Judge


@dataclass(frozen=True, eq=False)
class Card:
    """A printed figure or table; its key, "imtiaz-fig-1a", begins with its paper's.

    It ``asks`` one question. What differs, and why, is ``told`` with the means of a table, other
    ``fields`` of it, and ``numbers``. ``verdict`` is what the stored table bears out,
    ``impossible`` whether a table shows that what is printed cannot be so. ``links`` open the
    workbench at the same settings. A place has ``trials`` releases, all of it takes ``seconds`` of
    one core, and without the files that it ``needs`` a part is as stored.
    """

    key: str
    number: str
    title: str
    asks: str
    panels: Sequence[Panel]
    settings: Sequence[Setting]
    statements: Sequence[Statement]
    told: Sequence[str]
    verdict: Verdict
    fields: Callable[[Table], Fields]
    impossible: Judge
    links: Sequence[str]
    numbers: Mapping[str, float] = field(default_factory=dict)
    trials: int = 20
    seconds: float = 1.0
    needs: Sequence[str] = ()

    @property
    def paper(self) -> Paper:
        """The paper it is of."""
        return PAPERS[self.key.rsplit("-", 2)[0]]

    @property
    def name(self) -> str:
        """Paper, number and title."""
        return f"{self.paper.name} · {self.number} · {self.title}"

    @property
    def series(self) -> list[Series]:
        """All curves, panel by panel: one that two panels share stands once."""
        return list(dict.fromkeys(s for panel in self.panels for s in panel.series))

    @property
    def live(self) -> bool:
        """Whether it is run while somebody waits."""
        return self.seconds <= LONGEST_LIVE

    @cached_property
    def stored(self) -> Table:
        """The releases that come with the project."""
        return self.table(rows_of(self.key))

    def table(self, rows: "DataFrame") -> Table:
        """Return a table of this card's single releases."""
        return Table(rows, [series.key for series in self.series if series.exact])

    def trials_of(self, series: Series) -> int:
        """Return the releases of a series at each place."""
        own = 1 if series.formula is not None else series.trials
        return self.trials if own is None else own

    def judged(self, table: Table) -> Verdict:
        """Return the verdict that a table bears out."""
        if self.impossible(table):
            return Verdict.CANNOT_BE
        if not all(statement.holds(table) for statement in self.statements):
            return Verdict.ONE_FAILS
        sentences = self.verdict not in (Verdict.FORMULA_HOLDS, Verdict.NOT_RUN)
        return Verdict.ALL_HOLD if sentences else self.verdict

    def tell(self, table: Table) -> tuple[str, str]:
        """Say of a table what differs, and why."""
        x = self.panels[0].x
        fields = {"first": x.values[0], "last": x.values[-1], **self.numbers}
        fields |= zip(x.names, x.values, strict=False)
        fields |= self.fields(table)

        def written(found: re.Match[str]) -> str:
            name, form = found.groups("")
            series, of_series, place = name.rpartition(" @ ")
            value = fields[place] if place in fields else float(place)
            if series.startswith("printed "):
                value = printed_values(self.key)[series.removeprefix("printed "), value]
            elif of_series:
                value = table.mean(series, value)
            return format(value, form) if value == value else "not reached"

        differs, because = (FIELD.sub(written, words) for words in self.told)
        return differs, because


def declare(
    key: str,
    *panels: Panel,
    holds: Sequence[Judge] = (),
    fields: Callable[[Table], Fields] = lambda table: {},
    impossible: Judge = lambda table: False,
) -> Card:
    """Return a card with the words of its file; ``holds`` judge the sentences quoted, in order."""
    _, head, body = (HERE / "cards" / f"{key}.md").read_text("utf-8").split("+++\n")
    says, parts = tomllib.loads(head), body.strip().split("\n\n")
    axes = {name: says.pop(name) for name in ("x", "y") if name in says}
    charts = zip(panels, says.pop("panels", [{}]), strict=True)
    quoted = [part[2:].rpartition(" — ")[::2] for part in parts if part.startswith("> ")]
    return Card(
        key=key,
        panels=[panel.labelled(**axes | own) for panel, own in charts],
        settings=[Setting(*row) for row in says.pop("settings")],
        verdict=Verdict(says.pop("verdict")),
        statements=[Statement(*said, judge) for said, judge in zip(quoted, holds, strict=True)],
        told=[part for part in parts if not part.startswith("> ")],
        fields=fields,
        impossible=impossible,
        **says,
    )


class Run:
    """A card that is run with a seed, one place of one series after the other.

    ``missing`` are places (series, x) that need a data file which is not at hand.
    """

    def __init__(self, card: Card, seed: int = 0) -> None:
        self.card, self.seed = card, seed
        self.missing = dict[tuple[str, float], DataMissingError]()
        self._steps = [(p, s, x) for p in card.panels for s in p.series for x in p.x.values]
        self._rows = list[tuple[str, float, int, float]]()
        self._done = 0

    @property
    def share(self) -> float:
        """How much is measured, from 0 to 1."""
        return self._done / len(self._steps)

    def step(self) -> None:
        """Measure the next place; where nothing is released there is no row.

        At the end ``DataMissingError`` is raised where nothing could be measured for want of data.
        """
        panel, series, x = self._steps[self._done]
        trials = range(self.card.trials_of(series))
        try:
            values = panel.values(series, x, trials, self.seed).tolist()
            self._rows += [(series.key, x, t, v) for t, v in enumerate(values) if isfinite(v)]
        except DataMissingError as missing:
            self.missing[series.key, x] = missing
        self._done += 1
        if self.share == 1 and not self._rows and self.missing:
            raise next(iter(self.missing.values()))

    def finished(self) -> "Run":
        """Measure all that is left."""
        while self.share < 1:
            self.step()
        return self

    @property
    def table(self) -> Table:
        """What is measured so far."""
        return self._table()

    @property
    def whole(self) -> Table:
        """What is measured, with what is stored of places whose data are not at hand."""
        stored = self.card.stored.values
        return self._table(
            [(s, x, t, v) for s, x in self.missing for t, v in enumerate(stored(s, x))]
        )

    def _table(self, more: Sequence[tuple[str, float, int, float]] = ()) -> Table:
        from pandas import DataFrame

        columns = ["series", "x", "trial", "value"]
        return self.card.table(DataFrame([*self._rows, *more], columns=columns))


AGREE_WITHIN = 2.0
"""Standard deviations of single releases, ours or printed, within which a value is met."""
MET = "Met: within two standard deviations of single releases, or equal as rounded."


def recorded(key: str) -> int:
    """Return how many values of the paper itself are on record of a card."""
    return int(printed_of(key)["printed"].sum())


def compared(key: str, ours: Table) -> "DataFrame":
    """Return what is on record of a card, and of each value whether ours was ``run`` and ``met``.

    A rounded value is met where ours, with as many digits as its series has, is the same.
    """
    known = printed_of(key)
    places = [*zip(known["series"], known["x"], strict=True)]
    means, deviations = (np.array([of(*place) for place in places]) for of in (ours.mean, ours.sd))
    written = known["value"].map(lambda value: len(f"{value:.10g}".partition(".")[2]))
    digits = written.groupby(known["series"]).transform("max")
    rounded = np.array([round(mean, n) for mean, n in zip(means, digits, strict=True)])
    near = abs(means - known["value"]) <= AGREE_WITHIN * np.fmax(deviations, known["spread"])
    run = np.isfinite(means)
    return known.assign(run=run, met=run & (near | (rounded == known["value"])))


def comparison(card: Card, ours: Table) -> str:
    """Say "Compared with 3 statements of the paper; no printed values are on record"."""
    count, found = len(card.statements), compared(card.key, ours)
    said = [f"{count} statement{'s' * (count != 1)} of the paper"] if count else []
    for (page, read, printed), rows in found.groupby(["page", "read", "printed"], sort=False):
        count, run, met = len(rows), rows["run"].sum(), rows["met"].sum()
        values = "value" + "s" * (count != 1)
        source = f"printed {values}" if printed else f"{values} not the paper’s but from {page}"
        ran = f"of which {run} run here and {met} met" if run else "none of which is run here"
        said.append(f"{count} {source} ({read}), {ran}")
    if not recorded(card.key):
        said.append("no printed values are on record")
    return f"Compared with {'; '.join(said)}.{f' {MET}' if found['run'].any() else ''}"
