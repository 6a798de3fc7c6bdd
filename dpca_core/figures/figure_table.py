"""The numbers behind a figure, as rows of a table."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import unescape
from typing import Any

import numpy as np

from dpca_core.figures.layout import Spec

_TAG = re.compile(r"<[^>]*>")


@dataclass(frozen=True)
class _Series:
    name: str
    x: list[Any]
    y: list[Any]


def figure_table(figure: Spec, axis: str | None = None) -> list[list[Any]]:
    """Return the numbers behind a figure: the head, and a row for each place or point.

    There is a column for each named trace where all have values at places of the longest one; else
    a row for each point. A band has two columns. A figure's own ``table`` goes first.

    Parameters
    ----------
    figure
        As ``curve_panels`` returns one. ``table`` holds rows, of all panels or by y axis.
    axis
        Name of a y axis, such as "y2": only the panel above it is meant.
    """
    table = figure.get("table")
    if table is not None:
        rows: list[list[Any]] = table[axis] if isinstance(table, dict) else table
        return rows
    heads, layout = figure.get("columns", {}), figure["layout"]
    own = [t for t in figure["data"] if _name(t) is not None and _is_of(t, axis)]
    series = [s for trace in own for s in _series(trace, heads.get(trace.get("name")))]
    places = max((s.x for s in series), key=len, default=[])
    known = set(places)
    if not all(len(set(s.x)) == len(s.x) and known.issuperset(s.x) for s in series):
        points = ([s.name, x, y] for s in series for x, y in zip(s.x, s.y, strict=True))
        return [["series", "x", "y"], *points]
    columns = [dict(zip(s.x, s.y, strict=True)) for s in series]
    head = [_axis_title(own, layout), *(s.name for s in series)]
    return [head, *([place, *(c.get(place) for c in columns)] for place in places)]


def panel_traces(figure: Spec, axis: str) -> list[dict[str, Any]]:
    """Return the traces of the panel above a y axis."""
    return [trace for trace in figure["data"] if _is_of(trace, axis)]


def axis_key(name: str) -> str:
    """Return the key of an axis in a layout: "yaxis2" for "y2"."""
    return f"{name[0]}axis{name[1:]}"


def plain_text(markup: str) -> str:
    """Return what Plotly's markup says."""
    return unescape(_TAG.sub("", markup.replace("<br>", " ")))


def _name(trace: dict[str, Any]) -> str | None:
    name: str | None = trace.get("name", trace.get("meta"))
    return name


def _is_of(trace: dict[str, Any], axis: str | None) -> bool:
    return axis is None or trace.get("yaxis", "y") == axis


def _lies(trace: dict[str, Any]) -> bool:
    return trace.get("orientation") == "h"


def _axis_title(traces: Sequence[dict[str, Any]], layout: dict[str, Any]) -> str:
    """Return the title of the axis along which traces are read, "x" where it has none."""
    first = traces[0] if traces else {}
    name = first.get("yaxis", "y") if _lies(first) else first.get("xaxis", "x")
    return plain_text(layout.get(axis_key(name), {}).get("title", {}).get("text", "x"))


def _series(trace: dict[str, Any], column: str | None) -> Iterator[_Series]:
    """Take a trace as it is read; a band, whose outline goes there and back, as its two edges."""
    name = plain_text(str(column if column is not None else _name(trace)))
    x, y = (_values(trace[side]) for side in ("yx" if _lies(trace) else "xy"))
    if trace.get("fill") != "toself" or x != x[::-1]:
        yield _Series(name, x, y)
        return
    half = len(x) // 2
    yield _Series(f"{name} high", x[:half], y[:half])
    yield _Series(f"{name} low", x[half:][::-1], y[half:][::-1])


def _values(found: Any) -> list[Any]:
    return found.tolist() if isinstance(found, np.ndarray) else list(found)
