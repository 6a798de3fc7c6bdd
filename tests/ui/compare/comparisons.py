"""Comparisons of the wine data, their content, and what the rows of their ranking say."""

from dataclasses import replace
from typing import Any

import numpy as np

from dpca_core import MECHANISMS, Adjacency
from ui.compare.figures import first_lit, page_content
from ui.compare.measurements import Comparison
from ui.compare.query import CompareQuery
from ui.compare.release_cache import ReleaseCache

SOME = ("gaussian", "analyze_gauss", "ppca", "gap_release", "wishart_sn")
Content = dict[str, Any]


def asked(**changes):
    mechanisms, neighbours = tuple(MECHANISMS[m] for m in SOME), Adjacency.ADD_OR_REMOVE_ONE
    start = CompareQuery(mechanisms, "epsilon", 0.1, 1e-6, 178.0, 1, neighbours, 0, 20, False)
    return replace(start, **changes)


def finished(data, wanted, memory=None):
    comparison = Comparison(data, wanted, memory or ReleaseCache())
    while not comparison.complete:
        comparison.advance(1)
    return comparison


def content(comparison, target=0.9):
    return page_content(
        comparison,
        target,
        identity="x",
        axis_value=comparison.values[0],
        lit=first_lit(comparison),
    )


def cells(drawn, key):
    """What a mechanism's row says at each point, by the names of its cells, and its place."""
    found = drawn["ranking"]
    number = [row["key"] for row in found["rows"]].index(key)
    numbers = found["rows"][number]["cells"]
    points = range(len(drawn["axis"]["values"]))
    columns = [np.broadcast_to(places, len(points)) for places in numbers]
    said = []
    for i in points:
        row = {
            name: found["texts"][int(column[i])]
            for name, column in zip(found["names"], columns, strict=True)
        }
        row["noise"] = f"{row['noise']} {row.pop('unit')}".strip()
        said.append(row | {"ranked": number in found["ranked"][i]})
    return said


def keys(drawn):
    """Keys of the mechanisms that have a row."""
    return [row["key"] for row in drawn["ranking"]["rows"]]


def traces(drawn, axis="y"):
    """The curves of one panel, by their mechanisms' keys."""
    figure = drawn["figure"]["data"]
    return {t["meta"]: t for t in figure if "meta" in t and t.get("yaxis", "y") == axis}
