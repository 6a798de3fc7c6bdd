"""Every picture of the Papers page: the charts of a card, and the thumbnails of the wall."""

import re
from functools import lru_cache
from typing import Any

import numpy as np

from papers.card import Card, Role
from papers.registry import BY_KEY
from papers.table import Table
from ui.page.markup import element
from ui.papers.line_chart import Shown, line_chart
from ui.papers.measurements import curve, printed_points
from ui.papers.parts import parts_of
from ui.papers.row_chart import row_chart
from ui.papers.styles import is_chance, styles_of

MOST_CARDS = 64
"""Cards whose charts are kept."""
THUMB_WIDTH, THUMB_HEIGHT = 120.0, 56.0
"""Of a thumbnail's own coordinates."""
NOT_IN_NAMES = r"\W"
"""What the browser replaces in the names of roles."""
_INSET = 4.0
_MOST_ROWS = 9


@lru_cache(maxsize=MOST_CARDS)
def stored_charts(key: str, reveal: bool) -> tuple[dict[str, Any], ...]:
    """Return the charts of a card as they are stored; without our run where it is hidden."""
    card = BY_KEY[key]
    return tuple(card_charts(card, card.stored if reveal else None))


def card_charts(
    card: Card, results: Table | None, fresh: Table | None = None, run: str = ""
) -> list[dict[str, Any]]:
    """Return the charts of a card.

    Parameters
    ----------
    results
        Single releases; None while ours are hidden.
    fresh
        A run of the reader's own, drawn over them.
    run
        Names that run.
    """
    shown = Shown(card, results, printed_points(card.key), fresh, card.key)
    found = []
    for part in parts_of(card):
        rows = bool(card.panels[part.panel].x.names)
        figure = row_chart(shown, part) if rows else line_chart(shown, part.panel)
        found.append({"key": part.key, "figure": figure})
    return found


@lru_cache(maxsize=MOST_CARDS)
def thumbnail(key: str) -> str:
    """Return a small picture of a card's first panel as markup: our means, printed points."""
    card = BY_KEY[key]
    names = bool(card.panels[0].x.names)
    inside = _row_marks(card) if names else _lines(card)
    box = f"0 0 {THUMB_WIDTH:g} {THUMB_HEIGHT:g}"
    return element(
        "svg", inside, viewBox=box, preserveAspectRatio="none", class_="dpca-thumb",
        aria_hidden="true",
    )  # fmt: skip


def _stroke(role: str) -> str:
    return f"stroke: var(--{re.sub(NOT_IN_NAMES, '-', role)})"


def _lines(card: Card) -> str:
    """Return the means of the first panel's series as lines, and printed points as diamonds."""
    own = list(card.panels[0].series)
    styles, results, axis = styles_of(card), card.stored, card.panels[0].x
    printed = printed_points(card.key)
    places = {s.key: np.array(axis.values) for s in own}
    curves = {s.key: curve(results, s, axis.values).means for s in own}
    if axis.log:
        places = {key: np.log10(x) for key, x in places.items()}
    points = [p.value for s in own for p in printed.get(s.key, ())]
    across = _scaled(np.concatenate([*places.values()]), THUMB_WIDTH)
    up = _scaled(_on(card, np.concatenate([*curves.values(), points])), THUMB_HEIGHT)
    order = (Role.REFERENCE, Role.PRINTED, Role.REPAIRED)
    found = []
    for s in sorted(own, key=lambda one: order.index(one.role)):
        x, y = across(places[s.key]), THUMB_HEIGHT - up(_on(card, curves[s.key]))
        known = np.isfinite(y)
        line = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x[known], y[known], strict=True))
        style = styles[s.key]
        thick = 2.2 if s.role is Role.REPAIRED else 1.1
        dotted = "1 2.5" if is_chance(s) or style.refuted else None
        found.append(
            element(
                "polyline", points=line, style=_stroke(style.color), stroke_width=thick,
                stroke_dasharray=dotted,
            )
        )  # fmt: skip
    return "".join(found)


def _row_marks(card: Card) -> str:
    """Return some of a table's cells as rows: ◇ printed, ● ours."""
    results, printed = card.stored, printed_points(card.key)
    styles = styles_of(card)
    pairs = [
        (series.key, x, results.mean(series.key, x))
        for series in card.panels[0].series
        if not is_chance(series)
        for x in card.panels[0].x.values
    ]
    stated = {(key, p.x): p.value for key, points in printed.items() for p in points}
    rows = [(key, x, ours, stated.get((key, x), np.nan)) for key, x, ours in pairs]
    rows = [row for row in rows if np.isfinite(row[2:]).any()]
    rows = rows[:: max(1, -(-len(rows) // _MOST_ROWS))]
    values = np.array([row[2:] for row in rows], dtype=np.float64).ravel()
    across = _scaled(_on(card, values), THUMB_WIDTH)
    found = []
    for i, (key, _, *both) in enumerate(rows):
        y = _INSET + (THUMB_HEIGHT - 2 * _INSET) * (i + 0.5) / len(rows)
        ours, theirs = across(_on(card, np.array(both, dtype=np.float64)))
        if np.isfinite([ours, theirs]).all():
            found.append(_segment(ours, theirs, y, "rule"))
        if np.isfinite(ours):
            found.append(_segment(ours - 2, ours + 2, y, styles[key].color, 4.0))
        if np.isfinite(theirs):
            tip = f"{theirs - 3:.1f},{y:.1f} {theirs:.1f},{y - 2.6:.1f} {theirs + 3:.1f},{y:.1f}"
            tip += f" {theirs:.1f},{y + 2.6:.1f} {theirs - 3:.1f},{y:.1f}"
            found.append(element("polyline", points=tip, style=_stroke("ink"), stroke_width=1.1))
    return "".join(found)


def _segment(start: float, end: float, y: float, role: str, width: float = 1.0) -> str:
    points = f"{start:.1f},{y:.1f} {end:.1f},{y:.1f}"
    return element("polyline", points=points, style=_stroke(role), stroke_width=width)


def _on(card: Card, values: Any) -> Any:
    """Return values as their places on the axis of what is measured."""
    numbers = np.asarray(values, dtype=np.float64)
    if not card.panels[0].y.log:
        return numbers
    return np.log10(np.where(numbers > 0, numbers, np.nan))


def _scaled(values: Any, size: float) -> Any:
    """Return a function from values to a thumbnail's coordinates."""
    known = values[np.isfinite(values)]
    low, high = (known.min(), known.max()) if len(known) else (0.0, 1.0)
    span = high - low or 1.0
    return lambda v: _INSET + (size - 2 * _INSET) * (v - low) / span
