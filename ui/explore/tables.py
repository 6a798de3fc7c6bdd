"""Tables that Explore saves: the ε that each mechanism needs, and the loadings of its releases."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

from dpca_core.text.spreadsheets import neutralise_formulas
from ui.explore.chart_words import EXPLORE_WORDS
from ui.explore.example_loadings_and_projections import Loadings
from ui.explore.ladder import ranked_rows
from ui.figures.downloads import Download, Format, not_private_download


def needed_epsilon_csv(mechanisms: list[dict[str, Any]], target: float) -> Download:
    """Return the rows of the list of needed ε as CSV."""
    column, how_sure = (EXPLORE_WORDS[name] for name in ("column_needed", "column_how_sure"))
    head = ["mechanism", "standing", column.format(target=f"{target:g}"), how_sure]
    rows = ([m["name"], m["standing"], m["needed"], _how_sure(m)] for m in ranked_rows(mechanisms))
    return not_private_download("dpca-needed-epsilon.csv", _csv(head, rows), Format.CSV)


def _how_sure(mechanism: dict[str, Any]) -> str:
    if mechanism["needed"] is None:
        return ""
    return str(EXPLORE_WORDS["sure" if mechanism["needed_is_sure"] else "estimated"])


def loadings_csv(found: Loadings, columns: Sequence[str]) -> Download:
    """Return the loadings of all columns as CSV: the true ones and those of each release."""
    answered = [t for t, refused in enumerate(found.refused) if not refused]
    numbers = range(1, len(found.true) + 1)
    head = ["column", *(f"true_{j}" for j in numbers)]
    head += [f"release_{t + 1}_{j}" for t in answered for j in numbers]
    series = [*found.true, *(direction for t in answered for direction in found.released[t])]
    rows = (
        [neutralise_formulas(name), *(f"{float(values[i]):.7g}" for values in series)]
        for i, name in enumerate(columns)
    )
    return not_private_download("dpca-release.csv", _csv(head, rows), Format.CSV)


def _csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return out.getvalue()
