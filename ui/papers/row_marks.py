"""The marks of a table's rows: ● ours with its band, ○ a run of one's own, ◇ what is printed."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from papers.table import Table
from ui.papers import text
from ui.papers.line_chart import Shown, spread_bars
from ui.papers.measurements import curve
from ui.papers.styles import Style
from ui.papers.table_rows import Cell, printed_here


def mark_traces(
    shown: Shown, cells: Sequence[Cell], styles: Mapping[str, Style]
) -> list[dict[str, Any]]:
    """Return a trace for each series of ours and of a reader's own run, and one of printed marks.

    Their points are as many as there are cells: few traces are drawn much sooner than many.
    """
    by_series: dict[str, list[Cell]] = {}
    for cell in cells:
        if cell.series is not None:
            by_series.setdefault(cell.series.key, []).append(cell)
    found = []
    for key, own in by_series.items():
        if shown.results is not None:
            found.append(_ours(shown.results, own, styles[key]))
        if shown.fresh is not None:
            found.append(_own_run(shown.fresh, own, styles[key]))
    return [trace for trace in (*found, _printed(shown, cells)) if trace["x"]]


def _trace(x: list[float], y: list[float], names: list[str], said: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "x": x,
        "y": y,
        "text": names,
        "name": said,
        "cliponaxis": False,
        "hovertemplate": f"<b>%{{text}}</b>, {said}: %{{x}}<extra></extra>",
    }


def _ours(results: Table, cells: Sequence[Cell], style: Style) -> dict[str, Any]:
    """Return a dot for each cell of a series, with the band of four releases in five."""
    known = [(cell, curve(results, cell.series, (cell.x,))) for cell in cells if cell.series]
    known = [(cell, own) for cell, own in known if np.isfinite(own.means[0])]
    x = [float(own.means[0]) for _, own in known]
    low = [float(own.low[0]) for _, own in known]
    high = [float(own.high[0]) for _, own in known]
    found = _trace(x, [cell.at for cell, _ in known], [c.name for c, _ in known], text.OURS)
    found["marker"] = {"color": style.color, "size": 10}
    if any(own.most > 1 for _, own in known):
        found["error_x"] = {
            "type": "data",
            "symmetric": False,
            "array": [max(b - a, 0.0) for a, b in zip(x, high, strict=True)],
            "arrayminus": [max(a - b, 0.0) for a, b in zip(x, low, strict=True)],
            "color": f"{style.color}/.3",
            "thickness": 5,
            "width": 0,
        }
    return found


def _own_run(results: Table, cells: Sequence[Cell], style: Style) -> dict[str, Any]:
    """Return a ring for each cell of a series that a reader's own run has reached."""
    means = [(c, results.mean(c.series.key, c.x)) for c in cells if c.series is not None]
    known = [(cell, mean) for cell, mean in means if np.isfinite(mean)]
    x, y = [mean for _, mean in known], [cell.at for cell, _ in known]
    found = _trace(x, y, [cell.name for cell, _ in known], text.OWN_RUN)
    ring = {"symbol": "circle-open", "size": 7, "color": style.color, "line": {"width": 1.6}}
    return found | {"marker": ring}


def _printed(shown: Shown, cells: Sequence[Cell]) -> dict[str, Any]:
    """Return a hollow diamond for each printed number."""
    known = [(cell, point) for cell in cells for point in printed_here(shown, cell)]
    points = [point for _, point in known]
    x, y = [point.value for point in points], [cell.at for cell, _ in known]
    found = _trace(x, y, [cell.name for cell, _ in known], text.IN_PAPER)
    found["marker"] = {
        "symbol": "diamond-open",
        "size": 12,
        "color": "ink",
        "line": {"width": 1.6},
    }
    return found | {"error_x": spread_bars(points, "ink")}
