"""The ranking beside Compare's charts: its rows and their order, wherever the axis is read."""

from typing import Any

import numpy as np

from dpca_core.figures.colours import family_role
from dpca_core.figures.line_styles import dash
from dpca_core.linalg.arrays import Array
from ui.compare.measurements import BAND_TRIALS, MeasuredLine
from ui.compare.skeleton import ranking_rows
from ui.compare.text import COLUMNS, DETAILS, CompareText
from ui.text.numbers import significant

CELLS = (
    "label", "kind", "why", "kept", "interval", "sine", "sin_interval", "holds", "spread",
    "noise", "unit", "needed", "milliseconds", "note",
)  # fmt: skip
"""What a row says at one point of the axis; ``unit`` is the noise's."""
WITH_INTERVALS = (("kept", "interval"), ("sine", "sin_interval"))
DETAIL_CELLS = ("holds", "spread", "noise", "needed", "milliseconds")
MORE_THAN_99 = 0.995
"""Share from which on a row says no more than that."""


def ranking(text: CompareText) -> dict[str, Any]:
    """Return the rows of the ranking.

    Returns
    -------
    dict
        ``rows`` with ``cells``: for each of ``names`` the number of its text in ``texts``, one
        for all points or a list; and at each point ``ranked`` and ``apart``: numbers of rows in
        their order.
    """
    lines = [line for line in text.comparison.lines if line.done.any()]
    texts: dict[str, int] = {}
    rows = [
        {
            "key": line.mechanism.key,
            "name": line.mechanism.name,
            "role": family_role(line.mechanism.family),
            "dash": dash(line.mechanism),
            "cells": _numbered_cells(text, line, texts),
        }
        for line in lines
    ]
    points = range(len(text.comparison.values))
    medians = np.array([line.quantiles(line.captured)["median"] for line in lines])
    medians = np.nan_to_num(medians, nan=-1.0)
    details = text.column_heads(DETAILS)
    return {
        "names": CELLS,
        "rows": rows,
        "texts": list(texts),
        "ranked": [_order(lines, medians, i, ranked=True) for i in points],
        "apart": [_order(lines, medians, i, ranked=False) for i in points],
        "columns": COLUMNS,
        "details": details,
        "markup": ranking_rows(rows, CELLS, dict(zip(DETAIL_CELLS, details, strict=True))),
    }


def ranking_table(found: dict[str, Any], index: int) -> tuple[list[str], list[list[str]]]:
    """Return the ranking at one point as heads and rows of a plain table."""

    def row(number: int) -> list[str]:
        line = found["rows"][number]
        numbers = dict(zip(CELLS, map(np.atleast_1d, line["cells"]), strict=True))
        says = {name: found["texts"][at[index % len(at)]] for name, at in numbers.items()}
        kept, sine = (f"{says[a]} {says[b]}".strip() for a, b in WITH_INTERVALS)
        says["noise"] = f"{says['noise']} {says['unit']}".strip()
        details = [says[name] for name in DETAIL_CELLS]
        return [line["name"], says["label"], says["note"] or kept, sine, *details]

    heads = [found["columns"][0], "", *found["columns"][1:], *found["details"]]
    return heads, [row(number) for number in (*found["ranked"][index], *found["apart"][index])]


def _numbered_cells(
    text: CompareText, line: MeasuredLine, texts: dict[str, int]
) -> list[int | list[int]]:
    """Return the texts of each of ``CELLS`` as numbers: most of them occur often."""
    numbers = _number_cells(line)
    whole_line = {
        "needed": text.needed(line),
        "milliseconds": significant(line.milliseconds) if line.milliseconds > 0 else "",
    }
    found = [text.cells(line, i) | at | whole_line for i, at in enumerate(numbers)]
    for at in found:
        at["noise"], _, at["unit"] = at["noise"].partition(" ")
    numbered: list[int | list[int]] = []
    for name in CELLS:
        places = [texts.setdefault(at[name], len(texts)) for at in found]
        numbered.append(places if len(set(places)) > 1 else places[0])
    return numbered


def _number_cells(line: MeasuredLine) -> list[dict[str, str]]:
    """Write the medians, and in which range 95 % of the releases are, at each point."""
    captured, sines = line.quantiles(line.captured), line.quantiles(line.sin_theta)["median"]
    spreads = line.trials >= BAND_TRIALS
    return [
        {
            "kept": _share(kept),
            "spread": _range(low, high) if spreads else "",
            "sine": f"{sine:.2f}" if np.isfinite(sine) else "",
        }
        for kept, low, high, sine in zip(
            captured["median"], captured["lo95"], captured["hi95"], sines, strict=True
        )
    ]


def _share(value: float) -> str:
    """Write a share in whole per cent; "" for NaN."""
    if not np.isfinite(value):
        return ""
    return ">\u00a099\u00a0%" if value >= MORE_THAN_99 else f"{value * 100:.0f}\u00a0%"


def _range(low: float, high: float) -> str:
    if not np.isfinite(low) or low >= MORE_THAN_99:
        return _share(low)
    return f"{low * 100:.0f} to {_share(high)}"


def _order(lines: list[MeasuredLine], medians: Array, index: int, ranked: bool) -> list[int]:
    """Return numbers of lines, who keeps most first; where nothing is known, last."""
    chosen = [i for i, line in enumerate(lines) if bool(line.ranked[index]) is ranked]
    return sorted(chosen, key=lambda i: -medians[i, index])
