"""A printed figure or table run again: what a card declares, and the one engine that runs it.

What a card says is ``papers/cards/<key>.md``: its settings, the paper's own sentences, and what
differs, with fields for the numbers. What is measured, and by what a sentence is judged, is Python.
"""

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property, lru_cache
from string import Formatter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

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
    values: tuple[float, ...] = ()
    log: bool = False
    names: tuple[str, ...] = ()
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

    def values(self, series: Series, place: float, trials: range, seed: int) -> Array:
        """Measure a series at a place: (T,), NaN where nothing is released."""
        if series.formula is not None:
            return np.array([series.formula(place)])
        assert self.measure is not None
        try:
            return np.asarray(self.measure(series, place, trials, seed), dtype=float)
        except InfeasibleBudget:
            return np.full(len(trials), np.nan)


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


@dataclass(frozen=True)
class Setting:
    """A setting, and ``why`` it is ours: empty where the paper prints it.

    One that can be changed has the ``key`` by which ``Card.vary`` knows it and the ``choices``.
    """

    name: str
    value: str
    why: str = ""
    key: str = ""
    choices: Sequence[float] = ()


@dataclass(frozen=True)
class Statement:
    """A paper's own sentence, where it stands, and whether a table bears it out."""

    words: str
    where: str
    holds: Judge


@dataclass(frozen=True, eq=False)
class Card:
    """A printed figure or table; its key, "imtiaz-fig-1a", begins with its paper's.

    It ``asks`` one question. What differs, and why, is ``told`` with the means of a table and other
    ``fields``. ``verdict`` is what the stored table bears out, ``impossible`` whether a table shows
    that what is printed cannot be so. ``links`` open the workbench at the same settings. A place
    has ``trials`` releases, all of it takes ``seconds`` of one core, and without the files that it
    ``needs`` a part is as stored. ``vary`` makes the same card with other settings than ``chosen``.
    """

    key: str
    number: str
    title: str
    asks: str
    panels: tuple[Panel, ...]
    settings: tuple[Setting, ...]
    statements: tuple[Statement, ...]
    told: tuple[str, ...]
    verdict: Verdict
    fields: Callable[[Table], Fields]
    impossible: Judge
    links: Sequence[str]
    vary: "Callable[..., Card] | None"
    chosen: Mapping[str, float]
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
        fields = {"first": x.values[0], "last": x.values[-1]}
        fields |= zip(x.names, x.values, strict=False)
        fields |= {**self.chosen, **self.fields(table)}
        filled = _Filled(self.key, table)
        differs, because = (filled.vformat(words, (), fields) for words in self.told)
        return differs, because


class _Filled(Formatter):
    """Fills sentences: {field}, {series @ place} for a mean, {printed series @ place}."""

    def __init__(self, key: str, table: Table) -> None:
        self.key, self.table = key, table

    def get_field(self, name: str, args: Sequence[Any], fields: Fields) -> Any:
        series, of_series, place = name.partition(" @ ")
        if not of_series:
            return fields[name], name
        x = fields[place] if place in fields else float(place)
        of_paper = series.removeprefix("printed ")
        if of_paper != series:
            return printed_values(self.key)[of_paper, x], name
        return self.table.mean(series, x), name


def declare(
    key: str,
    *panels: Panel,
    holds: Sequence[Judge] = (),
    fields: Callable[[Table], Fields] = lambda table: {},
    impossible: Judge = lambda table: False,
    vary: Callable[..., Card] | None = None,
    chosen: Mapping[str, float] = MappingProxyType({}),
) -> Card:
    """Return a card with the words of its file.

    ``holds`` judge the sentences quoted, in their order; ``chosen`` are the settings with a key.
    """
    _, head, body = (HERE / "cards" / f"{key}.md").read_text("utf-8").split("+++\n")
    for name, value in chosen.items():
        head = head.replace(f"{{{name}:g}}", f"{value:g}")
    says = tomllib.loads(head)
    parts = body.strip().split("\n\n")
    quoted = [part[2:].rsplit(" — ", 1) for part in parts if part.startswith("> ")]
    pairs = zip(quoted, holds, strict=True)
    usual = {name: says.pop(name) for name in ("x", "y") if name in says}
    charts = zip(panels, says.pop("panels", [{}]), strict=True)
    return Card(
        key=key,
        panels=tuple(_with_axes(panel, **usual | own) for panel, own in charts),
        settings=tuple(Setting(*row) for row in says.pop("settings")),
        verdict=Verdict(says.pop("verdict")),
        statements=tuple(Statement(words, where, judge) for (words, where), judge in pairs),
        told=tuple(part for part in parts if not part.startswith("> ")),
        fields=fields,
        impossible=impossible,
        vary=vary,
        chosen=chosen,
        **says,
    )


def _with_axes(panel: Panel, x: dict[str, Any], y: dict[str, Any], title: str = "") -> Panel:
    names = tuple(x.get("names", ()))
    places = tuple(map(float, x.get("values", range(len(names)))))
    across = Axis(**x | {"names": names, "values": places})
    return replace(panel, title=title, x=across, y=Axis(**y))


class Run:
    """A card that is run with a seed, one place of one series after the other.

    ``missing`` are places (series, x) that need a data file which is not at hand.
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

    def step(self) -> None:
        """Measure the next place; where nothing is released there is no row.

        At the end ``DataMissingError`` is raised where nothing could be measured for want of data.
        """
        panel, series, x = self._steps[self._done]
        most = self.card.trials_of(series)
        count = most if most == 1 or self.repetitions is None else self.repetitions
        try:
            values = panel.values(series, x, range(count), self.seed).tolist()
            found = [(series.key, x, t, value) for t, value in enumerate(values)]
            self._rows += [row for row in found if np.isfinite(row[-1])]
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
        from pandas import DataFrame

        return self.card.table(DataFrame(self._rows, columns=["series", "x", "trial", "value"]))

    @property
    def whole(self) -> Table:
        """What is measured, with what is stored of places whose data are not at hand."""
        from pandas import concat

        rows = rows_of(self.card.key)
        missing = [place in self.missing for place in zip(rows["series"], rows["x"], strict=True)]
        parts = [self.table.rows, rows[missing]] if any(missing) else [self.table.rows]
        return self.card.table(concat(parts))


AGREE_WITHIN = 2.0
"""Standard deviations of single releases, ours or printed, within which a value is met."""
MET = "Met: within two standard deviations of single releases, or equal as rounded."


@dataclass(frozen=True)
class Values:
    """Values on record of one source: how they were read, how many were run here and met."""

    page: str
    read: str
    count: int
    run: int
    met: int


def is_printed(read: str) -> bool:
    """Tell from how a value was read whether it is in the paper itself."""
    return read.startswith(("typed", "digitised"))


def recorded(key: str) -> int:
    """Return how many values of the paper itself are on record of a card."""
    return sum(map(is_printed, printed_of(key)["read"]))


def compared(card: Card, ours: Table) -> Iterator[Values]:
    """Compare a run with what is on record of its figure or table, source by source."""
    known = printed_of(card.key)
    written = known["value"].map(lambda value: len(f"{value:.10g}".partition(".")[2]))
    digits = written.groupby(known["series"]).max()
    for (page, read), rows in known.groupby(["page", "read"], sort=False):
        places = list(zip(rows["series"], rows["x"], strict=True))
        means, deviations = (
            np.array([of(*place) for place in places]) for of in (ours.mean, ours.sd)
        )
        rounded = [round(m, digits[s]) for m, (s, _) in zip(means, places, strict=True)]
        apart = AGREE_WITHIN * np.fmax(deviations, rows["spread"])
        met = (abs(means - rows["value"]) <= apart) | (rounded == rows["value"])
        run = np.isfinite(means)
        yield Values(str(page), str(read), len(rows), int(run.sum()), int((met & run).sum()))


def comparison(card: Card, ours: Table) -> str:
    """Say what was compared: "3 statements of the paper; no printed values are on record"."""
    found, count = list(compared(card, ours)), len(card.statements)
    said = [f"{count} statement{'s' * (count != 1)} of the paper"] if count else []
    for values in found:
        several, own = "s" * (values.count != 1), is_printed(values.read)
        source = f"printed value{several}" if own else f"value{several} not the paper’s but from "
        words = f"{values.count} {source}{'' if own else values.page} ({values.read})"
        run = f"of which {values.run} run here and {values.met} met"
        said.append(f"{words}, {run if values.run else 'none of which is run here'}")
    if not recorded(card.key):
        said.append("no printed values are on record")
    met = f" {MET}" if any(values.run for values in found) else ""
    return f"{'; '.join(said)}.{met}"
