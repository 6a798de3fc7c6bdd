"""The stored table of what is kept, read and compared; nothing is measured here.

``python -m benchmarks.frontier`` makes the table.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import hypot, nan
from pathlib import Path

import numpy as np

from dpca_core.analysis.recommendation import recommended_mechanism
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.registry import (
    DEFAULT,
    LESS_NOISE,
    MECHANISMS,
    PURE_DEFAULT,
    TWO_LOOKS,
    TWO_LOOKS_PURE,
)
from dpca_core.privacy.budget import Budget, Notion
from dpca_core.problem import Problem

FILE = Path(__file__).with_name("measured.csv")
BOUNDED, ONE_LENGTH = "at most R", "length 1"
"""Rows, as the table calls them."""
MEASURED_DELTA = 1e-6
OUR_OWN = (DEFAULT, PURE_DEFAULT, LESS_NOISE, TWO_LOOKS, TWO_LOOKS_PURE)
"""Isotropic Gaussian noise, the difference of Wisharts, and what was added since."""
ERRORS = 3.0
"""Standard errors of a difference from which on it is stated."""


@dataclass(frozen=True)
class Kept:
    """Mean share that releases keep, and its standard error."""

    share: float
    error: float

    @property
    def lost(self) -> float:
        """1 less the share."""
        return 1 - self.share

    def better_than(self, other: "Kept") -> bool:
        """Whether it keeps more beyond sampling error."""
        return self.share - other.share > ERRORS * hypot(self.error, other.error)


@dataclass(frozen=True)
class Cell:
    """What is kept at one ε, of one data set.

    Attributes
    ----------
    papers
        By the best of the papers' mechanisms, at the noise that is right for it; chosen by result.
    one_look
        By our calibration of noise on S, on rows at most R.
    recommended
        By what public facts recommend.
    same_rows
        By the recommended mechanism on rows at most R, as the papers have them; None where that was
        not measured.
    mechanism, rows
        What is recommended.
    """

    epsilon: float
    papers: Kept
    one_look: Kept
    recommended: Kept
    same_rows: Kept | None
    mechanism: Mechanism
    rows: str

    @property
    def not_privacys(self) -> float:
        """Share of the papers' loss that the recommended mechanism on its rows does not have."""
        return self._saved_by(self.recommended)

    @property
    def mechanisms(self) -> float | None:
        """The share that it does not have on the papers' rows either: the mechanism alone saves it.

        None where that was not measured.
        """
        return None if self.same_rows is None else self._saved_by(self.same_rows)

    @property
    def preparations(self) -> float | None:
        """The share that another preparation of its rows saves beyond that; below 0 if it costs."""
        return None if self.mechanisms is None else self.not_privacys - self.mechanisms

    def _saved_by(self, other: Kept) -> float:
        return 1 - other.lost / self.papers.lost if self.papers.lost > 0 else 0.0


@dataclass(frozen=True)
class Panel:
    """A data set at one k: its cells by ε, and what rows of length 1 keep without noise.

    Attributes
    ----------
    papers
        The papers' mechanisms that were measured and serve the budget.
    """

    data: str
    n: int
    d: int
    k: int
    trials: int
    seed: int
    cells: tuple[Cell, ...]
    ceiling: float
    papers: frozenset[Mechanism]


@cache
def panels(k: int, pure: bool) -> tuple[Panel, ...]:
    """Return the data sets that were measured at k, with δ = 10⁻⁶ or without."""
    measured = (
        _panel(data, rows, k, pure)
        for data, rows in _table().items()
        if any(int(row["k"]) == k for row in rows)
    )
    return tuple(panel for panel in measured if panel.cells)


def not_privacys(found: tuple[Panel, ...]) -> list[float]:
    """Return for each cell the share of the papers' loss that was not privacy's."""
    return [cell.not_privacys for panel in found for cell in panel.cells]


@dataclass(frozen=True)
class Split:
    """What mechanism and preparation save of the papers' loss, in the cells that tell them apart.

    Attributes
    ----------
    cells
        How many these are.
    mechanism, preparation, both
        Medians over them, which need not add up.
    """

    cells: int
    mechanism: float
    preparation: float
    both: float


def split(found: tuple[Panel, ...]) -> Split | None:
    """Tell the mechanism from the preparation; None where no cell does."""
    cells = [
        (m, p)
        for x in found
        for c in x.cells
        if (m := c.mechanisms) is not None and (p := c.preparations) is not None
    ]
    if not cells:
        return None
    mechanism, preparation = np.array(cells).T
    both = mechanism + preparation
    return Split(len(cells), *(float(np.median(x)) for x in (mechanism, preparation, both)))


def less_with_more_epsilon(panel: Panel) -> list[tuple[Cell, Cell]]:
    """Return neighbours of which the one with more ε keeps less as recommended, beyond error."""
    return [
        (less, more)
        for less, more in pairwise(panel.cells)
        if less.recommended.better_than(more.recommended)
    ]


def worse(found: tuple[Panel, ...]) -> list[tuple[Panel, Cell]]:
    """Return where the recommended mechanism keeps less than the papers' best, beyond error."""
    return [
        (panel, cell)
        for panel in found
        for cell in panel.cells
        if cell.papers.better_than(cell.recommended)
    ]


@cache
def _table() -> dict[str, list[dict[str, str]]]:
    found: dict[str, list[dict[str, str]]] = {}
    with FILE.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            found.setdefault(row["data"], []).append(row)
    return found


def _panel(data: str, rows: list[dict[str, str]], k: int, pure: bool) -> Panel:
    first = rows[0]
    n, d = int(first["n"]), int(first["d"])
    here = [row for row in rows if int(row["k"]) == k]
    kept = {
        (row["rows"], row["mechanism"], float(row["epsilon"])): Kept(
            float(row["captured"]), float(row["error"])
        )
        for row in here
        if row["mechanism"] and not row["settings"]
    }
    epsilons = sorted({epsilon for *_, epsilon in kept})
    ceiling = next((float(row["captured"]) for row in here if not row["mechanism"]), nan)
    trials = max(int(row["trials"]) for row in here)
    cells = (_cell(kept, n, d, k, epsilon, pure) for epsilon in epsilons)
    known = tuple(cell for cell in cells if cell is not None)
    papers = {MECHANISMS[key] for kind, key, _ in kept if kind == BOUNDED}
    serving = frozenset(one for one in papers if _is_papers(one, d, k, pure))
    return Panel(data, n, d, k, trials, int(first["seed"]), known, ceiling, serving)


def _cell(
    kept: dict[tuple[str, str, float], Kept], n: int, d: int, k: int, epsilon: float, pure: bool
) -> Cell | None:
    budget = Budget(epsilon, 0.0 if pure else MEASURED_DELTA)
    found = recommended_mechanism(n, d, budget, k=k)
    rows = ONE_LENGTH if found.rows_of_length_one else BOUNDED
    usual = PURE_DEFAULT if pure else DEFAULT
    chosen = found.keeps_most
    if (rows, chosen.key, epsilon) not in kept:
        chosen = usual
    papers = [
        one
        for (kind, key, at), one in kept.items()
        if kind == BOUNDED and at == epsilon and _is_papers(MECHANISMS[key], d, k, pure)
    ]
    if not papers:
        return None
    return Cell(
        epsilon,
        max(papers, key=lambda one: one.share),
        kept[BOUNDED, usual.key, epsilon],
        kept[rows, chosen.key, epsilon],
        kept.get((BOUNDED, chosen.key, epsilon)),
        chosen,
        rows,
    )


def _is_papers(mechanism: Mechanism, d: int, k: int, pure: bool) -> bool:
    """Tell whether it is a mechanism of the papers, and serves the budget: pure ones serve both."""
    if mechanism in OUR_OWN or not pure:
        return mechanism not in OUR_OWN
    if mechanism.needs_delta:
        return False
    blank = Problem.from_spectrum([float(d)] * d, d * d, k)
    return mechanism.guarantee(blank, Budget(1.0)).notion is Notion.PURE


def every_panel(pure: bool) -> Iterator[Panel]:
    """Yield the panels of all k."""
    for k in sorted({int(row["k"]) for rows in _table().values() for row in rows}):
        yield from panels(k, pure)
