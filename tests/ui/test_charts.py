"""Every chart of every page: Plotly takes it, each curve has a name, no words are in the way."""

import re
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from dpca_core import MECHANISMS, Adjacency
from dpca_core.figures.line_names import LINE_HEIGHT, text_width
from dpca_core.mechanisms.registry import shown_by_default
from tests.built_in_sets import EVERY_SET_AND_K, loaded
from tests.chart_figures import assert_plotly_draws
from tests.page_charts import assert_charts
from tests.ui.compare import comparisons
from tests.ui.sample_size.test_sample_size import START
from ui.compare.query import AXES
from ui.sample_size.figures import page_content as sample_size
from ui.sample_size.measurements import SampleSizeMeasurements
from ui.sample_size.query import default_keys

ADDED = Adjacency.ADD_OR_REMOVE_ONE
WIDTHS = (328, 640, 1100)
SHORTER = 10
"""Pixels by which a name may be shorter than is reckoned: letters differ in width."""


@pytest.mark.parametrize("changes", [{}, {"level": 0.999}, {"keys": default_keys(), "delta": 0.0}])
def test_charts_of_made_up_spectra(changes):
    assert_charts(sample_size(replace(START, **changes), SampleSizeMeasurements()))


@EVERY_SET_AND_K
def test_charts_of_people_needed(key, k):
    data = loaded(key)
    asked = replace(START, data=data, k=min(k, data.d - 1), kind="captured")
    assert_charts(sample_size(asked, SampleSizeMeasurements()))


@cache
def compared(axis):
    """Thirteen curves of few releases."""
    printed = (MECHANISMS[key] for key in ("analyze_gauss", "laplace_printed", "sulq", "mod_sulq"))
    asked = comparisons.asked(axis=axis, trials=5, mechanisms=(*shown_by_default(), *printed))
    return comparisons.content(comparisons.finished(loaded("wine"), asked))["figure"]


def positions(values, axis):
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.log10(values) if axis["type"] == "log" else np.asarray(values, dtype=float)


class Panel:
    """One panel of a figure at a width: its lines and words in pixels."""

    def __init__(self, figure, axis, width):
        self.figure, self.axis, self.width = figure, axis, width
        self.size = figure["sizes"][str(width)]
        layout = figure["layout"]
        self.x, self.y = layout["xaxis"], layout[f"yaxis{axis[1:]}"]
        inside = layout["height"] - layout["margin"]["t"] - layout["margin"]["b"]
        self.height = inside * float(np.diff(self.y["domain"])[0]) * self.size["scale"]

    def across(self, positions):
        """In pixels from the left: where a word stands on an axis of logarithms is a logarithm."""
        low, high = self.x["range"]
        return (positions - low) / (high - low) * self.width

    def down(self, positions):
        low, high = self.y["range"]
        return (high - positions) / (high - low) * self.height

    def lines(self):
        for trace in self.figure["data"]:
            if trace.get("yaxis", "y") == self.axis and "meta" in trace:
                x, y = (positions(trace[letter], getattr(self, letter)) for letter in "xy")
                known = np.isfinite(y) | (not trace["connectgaps"])
                if np.isfinite(y).any():
                    yield trace["meta"], self.across(x[known]), self.down(y[known])
        for shape in self.figure["layout"]["shapes"]:
            if shape["yref"] == self.axis:
                y = self.down(positions([shape["y0"]] * 2, self.y))
                yield "", np.array([0.0, self.width]), y

    def words(self):
        """Return (name, left, right, top, bottom) of each of the words."""
        for words in self.size["annotations"]:
            if words.get("yref", "y") != self.axis:
                continue
            text = re.sub(r"</?[bs]>", "", words["text"])
            span = text_width(text, self.size["type"], "<b>" in words["text"]) - SHORTER
            paper = words.get("xref") == "paper"
            left = words["x"] * self.width if paper else self.across(words["x"])
            left -= 0 if words["xanchor"] == "left" else span
            y, half = self.down(words["y"]), LINE_HEIGHT * self.size["type"] / 2
            yield words.get("name"), left, left + span, y - half, y + half

    def faults(self):
        """Return pairs of words that overlap, names on lines, and names that leave the panel."""
        found, words = [], list(self.words())
        for i, (name, left, right, top, bottom) in enumerate(words):
            for other, left2, right2, top2, bottom2 in words[:i]:
                if left < right2 and left2 < right and top < bottom2 and top2 < bottom:
                    found.append((name, other))
            if name is None:
                continue
            if left < -SHORTER or right > self.width + SHORTER:
                found.append((name, "edge"))
            across = np.arange(left, right, 0.5)
            for key, x, y in self.lines():
                # Its own line may touch the edge of a name, where no letter is.
                edge = 3 if key == name else 0
                level = np.interp(across, x, y, left=np.nan, right=np.nan)
                if np.any((level > top + edge) & (level < bottom - edge)):
                    found.append((name, f"line {key}"))
        return found


def assert_words_are_free(figure, axes):
    names = set()
    for width in WIDTHS:
        for axis in axes:
            panel = Panel(figure, axis, width)
            names |= {name for name, *_ in panel.words()}
            assert panel.faults() == [], (width, axis)
    assert names - {None}
    assert_plotly_draws({"charts": [{"key": "curves", "figure": figure}]})


@pytest.mark.parametrize("axis", AXES)
def test_no_name_is_on_a_line_or_on_another_in_compare(axis):
    assert_words_are_free(compared(axis), ("y", "y2"))


def test_a_name_moved_onto_a_line_would_be_found():
    figure = compared("epsilon")
    size = figure["sizes"]["640"]
    name = next(a for a in size["annotations"] if a.get("name") and "yref" not in a)
    for dy in np.linspace(-0.3, 0.3, 12):
        moved = size | {"annotations": [name | {"y": name["y"] + dy}]}
        if Panel(figure | {"sizes": {"640": moved}}, "y", 640).faults():
            return
    pytest.fail("moved, but not found")
