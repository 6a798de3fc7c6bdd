"""What a page shows: charts in a grid, a rule to drag, rows to choose from, and sentences.

One content type serves all pages. Whatever depends on where the rule stands is a list with an item
for each of its stops, so the browser needs no server while the rule moves.
"""

import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dpca_core.linalg.arrays import Array
from ui.page.markup import role_style, sentence

Text = str | Sequence[str | None]
"""A sentence with **bold** and [[accented]] words, or one for each stop of the rule; None where it
comes with a later answer."""
Markup = str | Sequence[str]
"""Elements of ``ui.page.markup``, or some for each stop of the rule: nothing in it is escaped."""


@dataclass(frozen=True)
class Rule:
    """The rule: a slider over the charts whose x axis it is of.

    ``name`` and ``label`` are its setting's, for the page and for whoever listens to it; at each
    of its stops, ``values``, the handle says its text. It stands at stop number ``index``.
    """

    name: str
    label: str
    values: Sequence[float]
    texts: Sequence[str]
    index: int


@dataclass(frozen=True)
class Marks:
    """Dots or a band over a chart, which follow the rule: nothing in a figure moves fast enough.

    A ``kind`` is "full" or "hollow" dots of a size in pixels, or a "band" across the chart. Their
    places are shares of the frame from its upper and left ends, (stops, m), or (1, m) at all stops;
    NaN for none. Of a band ``y`` holds both ends, the upper one first, and ``x`` nothing.
    """

    kind: str
    role: str
    y: Array
    x: Array | None = None
    size: float = 9.0


@dataclass(frozen=True)
class Chart:
    """A figure with its title; None where the pictures ``beside`` it are all.

    ``key``, of letters, digits and hyphens, names it on the page and its files. Two charts stand
    side by side; ``place`` names CSS classes: "third" for three, "wide" for one alone, "left" and
    "right" for a wide and a narrow column, "tall" for two rows. A ``ruled`` one has the rule's x
    axis; what lies ``over`` it follows the rule.
    """

    key: str
    figure: dict[str, Any] | None
    title: Text
    sub: Text = ""
    note: Text = ""
    place: str = ""
    ruled: bool = False
    over: Sequence[Marks] = ()
    beside: Markup = ""


@dataclass(frozen=True)
class Row:
    """A row of the list: a legend, an answer and a switch at once.

    A page hears its key when it is chosen; the curves of that key are its own. ``cells`` stand
    behind the name, column by column. From the rule's stop ``at`` on its aim is met, None for
    never, or no aim. It is ``struck`` where its promise is refuted.
    """

    key: str
    name: str
    role: str
    dash: str = "solid"
    cells: Sequence[Text] = ()
    at: float | None = None
    chosen: bool = False
    struck: bool = False


@dataclass(frozen=True)
class Content:
    """All that a page shows; while it is not ``complete``, the browser asks for more.

    ``id`` is the same for every refinement of one answer, ``stage`` their number. It ``says``
    sentences by the part of the page in which they stand: "answer" (its heading), "under",
    "heading" (of the list), "apart" (behind the rows that are ``ranked``) and "footer". Columns
    of the list have ``heads``, or none; ``order`` has numbers of rows at each stop, () where it is
    always the same. ``settings`` are for files.
    """

    id: str
    charts: Sequence[Chart] = ()
    says: Mapping[str, Text] = field(default_factory=dict)
    rule: Rule | None = None
    rows: Sequence[Row] = ()
    heads: Sequence[str] = ()
    order: Sequence[Sequence[int]] = ()
    ranked: Sequence[int] = ()
    share: float = 1.0
    complete: bool = True
    progress: str = ""
    stage: int = 0
    settings: str = ""

    @property
    def keys(self) -> set[str]:
        """What can be chosen: keys of rows and of curves."""
        traces = (t for c in self.charts if c.figure for t in c.figure["data"])
        return {row.key for row in self.rows} | {t.get("meta", "") for t in traces}

    def packed(self, **more: object) -> bytes:
        """Return it, and ``more``, as it goes to the browser; see the function ``packed``."""
        sent = vars(self) | {
            "says": {name: _written(text) for name, text in self.says.items()},
            "rule": self.rule and vars(self.rule),
            "heads": _written(self.heads),
            "progress": sentence(self.progress),
        }
        return packed(sent | more)


def packed(sent: dict[str, Any]) -> bytes:
    """Return what goes to a component: compressed JSON, arrays as Plotly reads them.

    Streamlit would write a dictionary as JSON twice. What JSON has not raises TypeError, and a
    number outside an array that is not finite ValueError.
    """
    text = json.dumps(
        sent, default=_sent, ensure_ascii=False, separators=(",", ":"), allow_nan=False
    )
    return zlib.compress(text.encode("utf-8", "replace"), level=1)


def unpacked(sent: bytes) -> dict[str, Any]:
    """Return what ``packed`` wrote: arrays as lists, with None for what is no number."""
    found: dict[str, Any] = json.loads(zlib.decompress(sent), object_hook=_lists)
    return found


def _written(text: Any) -> Any:
    """Return a text as markup, or each of a sequence of them."""
    return sentence(text) if isinstance(text, str) else [each and _written(each) for each in text]


def _sent(value: object) -> Any:
    """Return a part of a content, or an array as base64 of its single-precision numbers.

    Decimals take longer to write.
    """
    if isinstance(value, Chart):
        written = {"title": _written(value.title), "sub": _written(value.sub)}
        return vars(value) | written | {"note": _written(value.note)}
    if isinstance(value, Row):
        written = {"name": sentence(value.name), "cells": _written(value.cells)}
        return vars(value) | written | {"style": role_style(value.role)}
    if isinstance(value, Marks):
        return vars(value) | {"style": role_style(value.role)}
    if isinstance(value, np.generic):
        return value.item()
    if not isinstance(value, np.ndarray) or value.dtype.kind not in "fiub":
        raise TypeError(f"A page's content may not hold a {type(value).__name__}.")
    numbers = np.asarray(value, np.float32)
    little = np.ascontiguousarray(np.where(np.isfinite(numbers), numbers, np.nan), "<f4")
    packed = {"dtype": "f4", "bdata": b64encode(little.tobytes()).decode("ascii")}
    return packed | ({"shape": ", ".join(map(str, value.shape))} if value.ndim > 1 else {})


def _lists(found: dict[str, Any]) -> Any:
    if "bdata" not in found:
        return found
    values = np.frombuffer(b64decode(found["bdata"]), dtype="<f4").astype(object)
    values[values != values] = None
    shape = [int(size) for size in found.get("shape", str(len(values))).split(",")]
    return values.reshape(shape).tolist()
