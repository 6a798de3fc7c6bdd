"""Names beside Explore's curves: none on a line, none on another, on every built-in data set."""

from functools import cache

import numpy as np
import plotly.graph_objects as go
import pytest

from dpca_core import MECHANISMS, Adjacency
from dpca_core.figures.colours import resolve
from dpca_core.figures.curve_panels import with_names
from dpca_core.figures.line_names import LINE_HEIGHT, text_width
from dpca_core.mechanisms.registry import shown_by_default
from dpca_core.simulation.draws import TrialDraws
from dpca_core.simulation.precision import Precision
from dpca_core.simulation.trials import run_trials
from tests.built_in_sets import QUICK_SETS, loaded
from ui.explore.curve_figures import curves_figure
from ui.explore.measurements import Study
from ui.explore.query import ExploreQuery
from ui.explore.summary import summarize
from ui.state.slider_stops import EPSILON_STOPS

WIDTHS = (328, 640, 1100)
DIRECTIONS = range(1, 7)
RELEASES = range(2)
HEIGHTS = {"y": 226.0, "y2": 118.0, "y3": 136.0}
SHORTER = 10
"""Pixels by which a name may be shorter than is reckoned: letters differ in width."""
WORDS = {"gap": "gap 129 people", "crossing": "noise = gap at ε = 0.17", "many": "people"}


@cache
def figure(key, k):
    """Curves of all usual mechanisms, of few releases at every third ε: rough, and so crowded."""
    data = loaded(key)
    query = ExploreQuery(
        MECHANISMS["gaussian"], k, 1e-6, data.people, Adjacency.ADD_OR_REMOVE_ONE, 0
    )
    study = Study(data, query, shown_by_default())
    stops = range(0, len(EPSILON_STOPS), 3)
    for mechanism in study.mechanisms:
        points = [study.points[i] for i in stops]
        drawn = run_trials(TrialDraws(mechanism, 0, RELEASES), points, Precision.SCREEN)
        study.measured[mechanism.key].enter(stops, RELEASES, drawn)
    return curves_figure(summarize(study, 0.9), 0.9, "subspace", WORDS, None)


def lines(spec, axis, width, scale):
    """Return each curve and reference line of a panel in pixels, by its key."""
    layout = spec["layout"]
    ends = layout[f"yaxis{axis[1:]}"]["range"]
    logarithmic = layout[f"yaxis{axis[1:]}"]["type"] == "log"
    low, high = layout["xaxis"]["range"]

    def down(values):
        with np.errstate(divide="ignore", invalid="ignore"):
            at = np.log10(values) if logarithmic else np.asarray(values, dtype=float)
        return (ends[1] - at) / (ends[1] - ends[0]) * HEIGHTS[axis] * scale

    found = []
    for trace in spec["data"]:
        if trace.get("yaxis", "y") == axis and "meta" in trace:
            known = np.isfinite(trace["y"])
            x = (np.log10(trace["x"][known]) - low) / (high - low) * width
            found.append((trace["meta"], x, down(trace["y"][known])))
    for shape in layout["shapes"]:
        if shape["yref"] == axis:
            found.append(("", np.array([0.0, width]), down(np.full(2, shape["y0"]))))
    return found


def boxes(spec, axis, width):
    """Return (name, left, right, top, bottom) of the words of a panel, in pixels."""
    size, layout = spec["sizes"][str(width)], spec["layout"]
    low, high = layout["xaxis"]["range"]
    foot, head = layout[f"yaxis{axis[1:]}"]["range"]
    found = []
    for words in size["annotations"]:
        if words.get("yref", "y") != axis:
            continue
        text = words["text"].replace("<b>", "").replace("</b>", "")
        text = text.replace("<s>", "").replace("</s>", "")
        span = text_width(text, size["type"], "<b>" in words["text"]) - SHORTER
        paper = words.get("xref") == "paper"
        x = words["x"] * width if paper else (words["x"] - low) / (high - low) * width
        y = (head - words["y"]) / (head - foot) * HEIGHTS[axis] * size["scale"]
        half = LINE_HEIGHT * size["type"] / 2
        left = x if words["xanchor"] == "left" else x - span
        found.append((words.get("name"), left, left + span, y - half, y + half))
    return found


def faults(spec, axis, width):
    """Return pairs of words that overlap, and names on lines."""
    found, words = [], boxes(spec, axis, width)
    for i, (name, left, right, top, bottom) in enumerate(words):
        for other, left2, right2, top2, bottom2 in words[:i]:
            if left < right2 and left2 < right and top < bottom2 and top2 < bottom:
                found.append((name, other))
        if name is None:
            continue
        across = np.arange(left, right, 0.5)
        for key, x, y in lines(spec, axis, width, spec["sizes"][str(width)]["scale"]):
            # Its own line may touch the edge of a name, where no letter is.
            edge = 3 if key == name else 0
            level = np.interp(across, x, y, left=np.nan, right=np.nan)
            if np.any((level > top + edge) & (level < bottom - edge)):
                found.append((name, f"line {key}"))
    return found


@pytest.mark.parametrize("k", DIRECTIONS)
@pytest.mark.parametrize("key", QUICK_SETS)
def test_no_name_is_on_a_line_or_on_another(key, k):
    spec = figure(key, k)
    for width in WIDTHS:
        for axis in HEIGHTS:
            assert faults(spec, axis, width) == [], (width, axis)
    for theme, width in (("light", 640), ("dark", 1100)):
        assert go.Figure(resolve(with_names(spec, width), theme)).layout.annotations


def test_a_name_moved_onto_a_line_would_be_found():
    spec = figure("rand", 2)
    size = spec["sizes"]["640"]
    names = [a for a in size["annotations"] if a.get("name") and "yref" not in a]
    assert names
    moved = [dict(names[0]) | {"y": names[0]["y"] + dy} for dy in (-0.1, 0.1)]
    assert any(
        faults(spec | {"sizes": {"640": size | {"annotations": [m]}}}, "y", 640) for m in moved
    )
