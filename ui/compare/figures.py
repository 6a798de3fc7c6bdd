"""What the Compare page draws: axis, lines with their bands, and the content of its component."""

from typing import Any

import numpy as np

from dpca_core.analysis.order_statistics import quantiles
from dpca_core.linalg.arrays import Array
from dpca_core.privacy.budget import Standing
from ui.compare.chart_words import COMPARE_WORDS
from ui.compare.measurements import Comparison, MeasuredLine
from ui.compare.text import (
    COLUMNS,
    NOT_RANKED,
    PHONE_COLUMNS,
    RANDOM,
    SUBTITLES,
    TITLES,
    CompareText,
)
from ui.figures.palette import colour
from ui.figures.wire_format import rounded
from ui.text.noise import MOST_REFUSED
from ui.text.numbers import significant

QUANTILES = {
    "lo95": 0.025,
    "lo80": 0.1,
    "lo50": 0.25,
    "median": 0.5,
    "hi50": 0.75,
    "hi80": 0.9,
    "hi95": 0.975,
}
"""Curves of a line by name: its median and the limits of its bands."""
BAND_TRIALS = 20
"""Releases at every point from which on bands are drawn."""
MOST_TICKS = 8

DASHES = {
    Standing.REFUTED: "dotted",
    Standing.UNCERTIFIED: "dashed",
    Standing.NONE: "dashed",
}


def page_content(
    comparison: Comparison,
    target: float,
    *,
    identity: str,
    axis_value: float,
    file: dict[str, Any] | None,
) -> dict[str, Any]:
    """Return what the page's component draws.

    Parameters
    ----------
    identity
        Digest of query and target; the same for every refinement of one picture.
    axis_value
        Where on the axis the charts are read.
    file
        A download that waits to be saved.
    """
    text = CompareText(comparison, target)
    distance = np.abs(np.log(np.array(comparison.values) / axis_value))
    return {
        "id": identity,
        "stage": comparison.stage,
        "complete": comparison.complete,
        "share": comparison.progress,
        "axis": _axis(text),
        "axis_index": int(np.argmin(distance)),
        "lines": [_line(line, text) for line in comparison.lines if line.done.any()],
        "random": {
            "captured": [chance.captured for chance in text.chances],
            "sin": [chance.sin_theta for chance in text.chances],
            "name": RANDOM,
        },
        "target": target,
        "answers": [text.answer(i) for i in range(len(comparison.values))],
        "titles": TITLES,
        "subs": SUBTITLES,
        "columns": text.column_heads(COLUMNS),
        "labels": text.column_heads(PHONE_COLUMNS),
        "apart": NOT_RANKED,
        "words": COMPARE_WORDS,
        "progress": text.progress,
        "footer": text.footer,
        "file": file,
    }


def _axis(text: CompareText) -> dict[str, Any]:
    comparison = text.comparison
    return {
        "name": comparison.query.axis,
        "title": text.axis_title,
        "log": comparison.query.axis != "k",
        "values": list(comparison.values),
        "texts": text.value_labels,
        "ticks": [{"value": v, "text": text.value_text(v)} for v in _ticks(comparison)],
    }


def _ticks(comparison: Comparison) -> list[float]:
    """Return the values that are labelled: powers of ten, or some of the directions."""
    values = comparison.values
    if comparison.query.axis == "k":
        return list(values[:: max(1, len(values) // 10)])
    tens = [v for v in values if abs(np.log10(v) - round(np.log10(v))) < 1e-9]
    return tens[:: 1 if len(tens) <= MOST_TICKS else 2]


def _line(line: MeasuredLine, text: CompareText) -> dict[str, Any]:
    standing = next((g.standing for g in line.guarantees if g is not None), Standing.PROVED)
    return {
        "key": line.mechanism.key,
        "name": line.mechanism.name,
        "color": colour(line.mechanism.family),
        "dash": DASHES.get(standing, "solid"),
        "apart": not line.ranked.any(),
        "captured": _bands(line, line.captured),
        "sin": _bands(line, line.sin_theta),
        "at": [
            text.cells(line, i) | {"ranked": bool(line.ranked[i])} for i in range(len(line.points))
        ],
        "needed": text.needed(line),
        "milliseconds": significant(line.milliseconds) if line.milliseconds > 0 else "",
    }


def _bands(line: MeasuredLine, values: Array) -> dict[str, Any]:
    """Return the median of releases along the axis, and limits of bands once there are enough."""
    found = quantiles(values, tuple(QUANTILES.values()))
    refused = [line.refused_share(i) for i in range(len(line.points))]
    drawn = (np.array(refused) <= MOST_REFUSED) & line.done.any(axis=1)
    found = np.where(drawn, found, np.nan)
    names = QUANTILES if line.trials >= BAND_TRIALS else ("median",)
    curves = dict(zip(QUANTILES, found, strict=True))
    return {name: rounded(curves[name]) for name in names}
