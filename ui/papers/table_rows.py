"""The rows of a table that is run again: which cell stands where, and their numbers as a table."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from papers.card import Series
from ui.papers import text
from ui.papers.line_chart import Shown
from ui.papers.measurements import Printed, curve
from ui.papers.parts import Part
from ui.papers.styles import is_chance

GAP = 0.4
"""Between a cell of several rows and what stands beside it, in rows."""


@dataclass(frozen=True)
class Cell:
    """A row: its place from the top, its name, and what is measured there; a heading has none."""

    at: float
    name: str
    series: Series | None = None
    x: float = 0.0


def cells_of(shown: Shown, part: Part) -> list[Cell]:
    """Return the rows: where a cell has several they stand together, under its name."""
    panel = shown.experiment.panels[part.panel]
    rows = [s for s in panel.series if not is_chance(s) or s.key in shown.printed]
    places = [
        (x, name)
        for x, name in zip(panel.x.values, panel.x.names, strict=True)
        if not part.places or x in part.places
    ]
    if len(rows) == 1:
        return [Cell(float(i), name, rows[0], x) for i, (x, name) in enumerate(places)]
    found, at = list[Cell](), 0.0
    for x, name in places:
        here = [s for s in rows if _known(shown, s, x)]
        if not here:
            continue
        if len(here) == 1:
            found.append(Cell(at, name, here[0], x))
            at += 1
            continue
        at += GAP if found else 0.0
        found.append(Cell(at, name))
        found += [Cell(at + 1 + i, s.label, s, x) for i, s in enumerate(here)]
        at += 1 + len(here) + GAP
    return found


def _known(shown: Shown, series: Series, x: float) -> bool:
    """Tell whether anything is printed or measured of a series at a place."""
    if any(point.x == x for point in shown.printed.get(series.key, ())):
        return True
    return shown.results is None or len(shown.results.values(series.key, x)) > 0


def printed_here(shown: Shown, cell: Cell) -> list[Printed]:
    """Return what is printed of a cell."""
    key = cell.series.key if cell.series is not None else ""
    return [point for point in shown.printed.get(key, ()) if point.x == cell.x]


def table_of(shown: Shown, cells: Sequence[Cell]) -> list[list[str | float | None]]:
    """Return the numbers of the rows, for those who save them."""
    found: list[list[str | float | None]] = [list(text.TABLE_HEADS)]
    for cell in cells:
        if cell.series is None:
            continue
        axis = shown.experiment.panel_of(cell.series).x
        own = curve(shown.results, cell.series, (cell.x,)) if shown.results else None
        printed = printed_here(shown, cell)
        ours: list[float | None] = [None, None, None]
        if own is not None and np.isfinite(own.means[0]):
            ours = [float(own.means[0]), float(own.low[0]), float(own.high[0])]
        found.append(
            [
                axis.names[axis.values.index(cell.x)],
                cell.series.label,
                printed[0].value if printed else None,
                *ours,
            ]
        )
    return found
