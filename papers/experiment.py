"""What a printed figure or table asks, how it is run again, and what came of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from dpca_core.linalg.arrays import Array
from papers.result_table import Results

__all__ = [
    "Axis", "Experiment", "Judge", "Link", "Measure", "Panel", "Results", "Role", "Scale",
    "Series", "Setting", "Statement", "Verdict", "by_statements", "named",
]  # fmt: skip


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
    OPEN = "open"
    """A setting is missing."""
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


class Scale(StrEnum):
    """How an axis runs."""

    LINEAR = "linear"
    LOG = "log"
    NAMES = "names"
    """One place for each name: the cells of a table."""


@dataclass(frozen=True)
class Axis:
    """An axis of a figure.

    Attributes
    ----------
    values
        Places that are measured, ascending; of names 0, 1, …. None for what is measured itself.
    names
        What stands at each value, where the axis has names.
    low, high
        Ends of what is drawn, where they are not to follow the data.
    ceiling
        Where no value can lie above, by a bound; ``ceiling_name`` says by which.
    """

    label: str
    scale: Scale = Scale.LINEAR
    values: tuple[float, ...] = ()
    names: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    ceiling: float | None = None
    ceiling_name: str = ""


def named(label: str, *names: str) -> Axis:
    """Return an axis of names."""
    return Axis(label, Scale.NAMES, tuple(map(float, range(len(names)))), names)


@dataclass(frozen=True)
class Panel:
    """One of a figure's charts: most have one.

    ``y`` says what is measured where it is not what the experiment measures.
    """

    title: str
    x: Axis
    y: Axis | None = None


@dataclass(frozen=True)
class Setting:
    """A setting, and whether the paper prints it; if not, ``why`` says whose choice it is.

    Attributes
    ----------
    key, choices
        For a setting that can be changed on its card: its name in ``Experiment.vary``, and what it
        may be. ``chosen`` is what it is now; ``choice_names`` say what choices mean that are no
        numbers.
    """

    name: str
    value: str
    printed: bool
    why: str = ""
    key: str = ""
    choices: tuple[float, ...] = ()
    chosen: float = float("nan")
    choice_names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Series:
    """A curve, or a column of dots.

    Attributes
    ----------
    key
        Its name in the stored tables, unique within the experiment.
    mechanism
        Key of the mechanism; None for a formula or another method.
    asked
        What only this curve is measured with: k, d, ε, and the like.
    panel
        Index of its panel.
    approximate
        Whether its sampler is approximate, so that nothing is certified: drawn dashed.
    trials
        Releases at each point; 1 for a formula, None for as many as the experiment says.
    needs
        A data file that only this curve needs.
    """

    key: str
    label: str
    role: Role
    mechanism: str | None = None
    asked: Mapping[str, float] = field(default_factory=dict)
    panel: int = 0
    approximate: bool = False
    trials: int | None = None
    needs: str = ""


@dataclass(frozen=True)
class Statement:
    """A paper's own sentence, where it stands, and whether our table bears it out."""

    words: str
    where: str
    holds: Callable[[Results], bool]


@dataclass(frozen=True)
class Link:
    """Another page of the workbench at the settings of a figure: its address, and what it asks."""

    page: str
    query: Mapping[str, str] = field(default_factory=dict)
    anchor: str = ""


Measure = Callable[[Series, Sequence[float], range, int], Array]
"""(series, places (G), numbers of trials (T), seed) → values (G, T); NaN for what is not released.

A value depends on seed, mechanism, trial and place alone: never on the other places or trials."""


def by_statements(results: Results, statements: Sequence[Statement]) -> Verdict:
    """Return that all statements hold, or that one fails."""
    every = all(statement.holds(results) for statement in statements)
    return Verdict.ALL_HOLD if every else Verdict.ONE_FAILS


Judge = Callable[[Results, Sequence[Statement]], Verdict]


@dataclass(frozen=True)
class Experiment:
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
    y
        What is measured.
    settings
        What is printed and what is ours.
    statements
        What the paper says of it.
    judge
        Computes the verdict from a stored table; ``verdict`` is what it must come to.
    sentence, because
        What differs, and why: texts with fields, which ``facts`` computes from a table.
    links
        Pages of the workbench at the same settings.
    trials, seconds
        Releases at each point, and seconds of one core that all of it takes, measured.
    needs
        Data files without which it cannot be run: what is stored is drawn all the same.
    vary
        Makes the same figure at other values of the settings with a key; None where it has none.
    """

    key: str
    paper: str
    number: str
    title: str
    asks: str
    panels: tuple[Panel, ...]
    y: Axis
    series: tuple[Series, ...]
    settings: tuple[Setting, ...]
    statements: tuple[Statement, ...]
    verdict: Verdict
    sentence: str
    because: str
    facts: Callable[[Results], Mapping[str, object]]
    measure: Measure
    judge: Judge = by_statements
    links: tuple[Link, ...] = ()
    trials: int = 20
    seconds: float = 1.0
    needs: tuple[str, ...] = ()
    vary: "Callable[[Mapping[str, float]], Experiment] | None" = None

    @property
    def x(self) -> Axis:
        """The axis of the first panel."""
        return self.panels[0].x

    @property
    def live(self) -> bool:
        """Whether it is run while somebody waits."""
        return self.seconds <= LONGEST_LIVE

    def y_of(self, panel: int) -> Axis:
        """What a panel measures."""
        return self.panels[panel].y or self.y

    def places(self, series: Series) -> tuple[float, ...]:
        """Places at which a series is measured."""
        return self.panels[series.panel].x.values

    def trials_of(self, series: Series) -> int:
        """Releases of a series at each place."""
        return self.trials if series.trials is None else series.trials

    def judged(self, results: Results) -> Verdict:
        """Return the verdict that a table bears out."""
        return self.judge(results, self.statements)

    def told(self, results: Results) -> tuple[str, str]:
        """What differs and why, with the numbers of a table."""
        facts = self.facts(results)
        return self.sentence.format(**facts), self.because.format(**facts)


LONGEST_LIVE = 10.0
"""Seconds up to which a figure is run while somebody waits."""
