"""The stored table of what releases keep, read and compared; nothing is measured here.

``python -m benchmarks.frontier`` makes the table.
"""

import csv
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from math import hypot, nan
from pathlib import Path
from typing import NamedTuple

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
    """What is kept at one ε, of one data set; a release at a smaller ε is one here too.

    Attributes
    ----------
    papers
        By the best of the papers' mechanisms, at the noise that is right for it; chosen by result.
    one_look
        By our calibration of noise on S, on rows at most R.
    recommended
        By what public facts recommend: ``mechanism`` on ``rows``.
    same_rows
        By recommended mechanisms on rows at most R, as the papers have them; None where that was
        not measured.
    """

    epsilon: float
    papers: Kept
    one_look: Kept
    recommended: Kept
    same_rows: Kept | None
    mechanism: Mechanism
    rows: str

    def saved_by(self, other: Kept) -> float:
        """Share of the papers' loss that another release does not have."""
        return 1 - other.lost / self.papers.lost if self.papers.lost > 0 else 0.0


@dataclass(frozen=True)
class Panel:
    """A data set at one k: its cells by ε, and what rows of length 1 keep without noise.

    ``papers``: the papers' mechanisms that were measured and serve the budget.
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


class Saved(NamedTuple):
    """Medians of what is saved of the papers' loss, over the ``cells`` that tell both apart."""

    cells: int
    mechanism: float
    preparation: float
    both: float


def saved(found: tuple[Panel, ...]) -> Saved | None:
    """Tell what the mechanism saves from what its preparation does; None where no cell does."""
    pairs = [
        (cell.saved_by(cell.same_rows), cell.saved_by(cell.recommended))
        for panel in found
        for cell in panel.cells
        if cell.same_rows is not None
    ]
    if not pairs:
        return None
    mechanism, both = np.array(pairs).T
    medians = (float(np.median(x)) for x in (mechanism, both - mechanism, both))
    return Saved(len(pairs), *medians)


@cache
def panels(k: int, pure: bool) -> tuple[Panel, ...]:
    """Return the data sets that were measured at k, with δ = 10⁻⁶ or without."""
    with FILE.open(encoding="utf-8", newline="") as file:
        table = [row for row in csv.DictReader(file) if int(row["k"]) == k]
    measured = (_panel(list(rows), pure) for _, rows in groupby(table, lambda row: row["data"]))
    return tuple(panel for panel in measured if panel.cells)


def _panel(table: list[dict[str, str]], pure: bool) -> Panel:
    """Compose a panel of the rows of one data set at one k."""
    n, d, k, seed = (int(table[0][name]) for name in ("n", "d", "k", "seed"))
    kept = {
        (row["rows"], row["mechanism"], float(row["epsilon"])): Kept(
            float(row["captured"]), float(row["error"])
        )
        for row in table
        if row["mechanism"] and not row["settings"]
    }
    usual, delta = (PURE_DEFAULT, 0.0) if pure else (DEFAULT, MEASURED_DELTA)
    measured = {MECHANISMS[key] for rows, key, _ in kept if rows == BOUNDED}
    papers = frozenset(one for one in measured if _is_papers(one, d, k, pure))
    cells = list[Cell]()
    best: tuple[Kept, Mechanism, str] | None = None
    for epsilon in sorted({epsilon for *_, epsilon in kept}):
        theirs = [kept[at] for one in papers if (at := (BOUNDED, one.key, epsilon)) in kept]
        if not theirs:
            continue
        found = recommended_mechanism(n, d, Budget(epsilon, delta), k=k)
        rows = ONE_LENGTH if found.rows_of_length_one else BOUNDED
        chosen = found.keeps_most if (rows, found.keeps_most.key, epsilon) in kept else usual
        here = (kept[rows, chosen.key, epsilon], chosen, rows)
        # A release that is recommended at a smaller ε is one here, too: the better one counts.
        best = max(here, best or here, key=lambda one: one[0].share)
        same = kept.get((BOUNDED, chosen.key, epsilon))
        before = [cell.same_rows for cell in cells if same and cell.same_rows]
        cells.append(
            Cell(
                epsilon,
                max(theirs, key=_share),
                kept[BOUNDED, usual.key, epsilon],
                best[0],
                max([same, *before], key=_share) if same else None,
                *best[1:],
            )
        )
    ceiling = next((float(row["captured"]) for row in table if not row["mechanism"]), nan)
    trials = max(int(row["trials"]) for row in table)
    return Panel(table[0]["data"], n, d, k, trials, seed, tuple(cells), ceiling, papers)


def _share(kept: Kept) -> float:
    return kept.share


def _is_papers(mechanism: Mechanism, d: int, k: int, pure: bool) -> bool:
    """Tell whether it is a mechanism of the papers, and serves the budget: pure ones serve both."""
    if mechanism in OUR_OWN or not pure:
        return mechanism not in OUR_OWN
    if mechanism.needs_delta:
        return False
    blank = Problem.from_spectrum([float(d)] * d, d * d, k)
    return mechanism.guarantee(blank, Budget(1.0)).notion is Notion.PURE
