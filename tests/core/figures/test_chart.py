"""Charts: axes, traces that hold what was measured, words that touch nothing, and the fan.

A brute force over pixels looks at the words of random charts.
"""

import math

import numpy as np
import plotly.graph_objects as go
import pytest

from dpca_core.figures.chart import (
    LARGE_COUNT,
    WIDTHS,
    Axis,
    Band,
    Bars,
    Curve,
    Dot,
    Line,
    chart,
    count_format,
    with_names,
)
from dpca_core.figures.colours import resolve
from dpca_core.figures.pictures import fan
from tests.cases import sampled
from tests.chart_figures import assert_words_are_apart, faults

LOG = Axis(0.001, 100.0, log=True)


def test_a_share_runs_from_one_end_of_an_axis_to_the_other():
    np.testing.assert_allclose(Axis(2.0, 12.0).share([2, 7, 12, 17]), [0, 0.5, 1, 1.5])
    np.testing.assert_allclose(LOG.share([0.001, 0.1, 100, 1e4]), [0, 0.4, 1, 1.4])
    assert np.isnan(LOG.position([0.0, -1.0, math.nan])).all(), "no logarithm, a gap"
    np.testing.assert_allclose(Axis(1.0, 0.0).share([1, 0.25]), [0, 0.75])


def test_counts_are_never_written_as_powers():
    """D3 writes 1500000 as 1.5e+6 by "~g", as 1,500,000 by ",~r" and as 1.5M by "~s"."""
    assert [count_format(most) for most in (LARGE_COUNT * 0.99, LARGE_COUNT)] == [",~r", "~s"]


# --- Words, looked at column by column, half a pixel each ---


def smooth_curves(rng, x, height):
    """Sigmoids and bumps, as medians along ε are; some with a gap, some beginning late."""
    width = x[-1]
    for i in range(rng.integers(1, 12)):
        middle, slope = rng.uniform(0, width), rng.uniform(20, 200)
        low, high = np.sort(rng.uniform(0, height, 2))
        y = low + (high - low) / (1 + np.exp((x - middle) / slope * rng.choice([-1, 1])))
        y += rng.uniform(0, 12) * np.sin(x / rng.uniform(60, 200))
        if rng.random() < 0.3:
            start = rng.integers(0, 35)
            y[start : start + rng.integers(1, 8)] = np.nan
        if rng.random() < 0.2:
            y[: rng.integers(0, 41)] = np.nan
        name = "Gaussian noise, calibrated"[: rng.integers(3, 26)]
        yield Curve(f"c{i}", name, y, "gaussian", chosen=i == 0, bridged=False)


PLACED = (734, 726, 608, 683, 655, 676)
"""Names with a place in each part's 50 charts, at all widths."""


@pytest.mark.parametrize("part", sampled(range(6), 6, "more random charts"))
def test_a_brute_force_finds_no_fault_in_random_charts(part):
    rng, placed = np.random.default_rng(part), 0
    for _ in range(50):
        height, x = float(rng.uniform(120, 400)), np.linspace(0, 640, 41)
        curves, level = list(smooth_curves(rng, x, height)), rng.uniform(0, height)
        lines = [Line(level, "a level line"), Line(level - 9, "and one below")]
        figure = chart(Axis(0, 640), Axis(0, height), x, curves, lines=lines, height=height)
        for width in (*WIDTHS, 400, 1100):
            assert not faults(figure, width), (part, width)
        for names in figure["names"].values():
            keys = {words["name"] for words in names["annotations"] if "name" in words}
            placed += len(keys)
            assert keys | set(names["legend"]) == {c.key for c in curves if np.isfinite(c.y).any()}
            assert not keys & set(names["legend"])
    assert placed >= PLACED[part]


# --- A chart with everything it may have ---

X = np.geomspace(0.001, 100, 41)
KEPT = 1 / (1 + 1 / X)
BROKEN = np.where((X > 0.5) & (X < 2), np.nan, KEPT**2)
CURVES = (
    Curve("gaussian", "Gaussian", KEPT, "gaussian", chosen=True, width=2.75),
    Curve("laplace", "Laplace", BROKEN, "laplace", bridged=False, dash="9px,3px"),
    Curve("wishart", "Wishart, refuted", KEPT * 0.4, "wishart", struck=True),
)
FIGURE = chart(
    LOG,
    Axis(0, 1.05),
    X,
    CURVES,
    bands=[Band(np.where(X < 0.01, np.nan, KEPT * 0.9), KEPT, "gaussian/band95", "95 %")],
    lines=[Line(0.3, "random: 30 %"), Line(1.0, "ε = 1", "accent", upright=True), Line(7, "off")],
    dots=[Dot(10, 0.5, "here"), Dot(1e6, 0.5, "beyond")],
    bars=[Bars("people", np.array([0.01]), np.array([0.2]), "grey", filled=np.array([False]))],
    statistic="median",
)


@pytest.mark.parametrize(("width", "theme"), [(296, "light"), (640, "light"), (900, "dark")])
def test_plotly_draws_it_at_each_width_and_theme(width, theme):
    drawn = go.Figure(resolve(with_names(FIGURE, width), theme))
    assert drawn.layout.height >= FIGURE["layout"]["height"]
    texts = {note.text for note in drawn.layout.annotations}
    assert {"<b>Gaussian</b>", "random: 30 %", "<b>ε = 1</b>", "<b>here</b>"} <= texts
    assert not texts & {"off", "<b>beyond</b>"}, "what is not on the chart has no words"
    assert "annotations" not in FIGURE["layout"], "the figure itself stays"


def test_traces_hold_what_was_measured():
    traces = {trace.get("name"): trace for trace in FIGURE["data"]}
    for curve in CURVES:
        trace = traces[curve.name]
        np.testing.assert_array_equal(trace["x"], X.astype(np.float32))
        np.testing.assert_array_equal(trace["y"], curve.y.astype(np.float32))
        assert (trace["meta"], trace["connectgaps"]) == (curve.key, curve.key != "laplace")
    known = X >= 0.01
    for axis, high, low in (("x", X, X), ("y", KEPT, KEPT * 0.9)):
        around = [*high[known], *low[known][::-1]]
        np.testing.assert_allclose(traces["95 %"][axis], around, rtol=1e-6)
    lines = [t["name"] for t in FIGURE["data"] if t["type"] == "scatter" and "meta" in t]
    assert lines[-1] == "Gaussian", "the chosen curve lies on top"
    assert FIGURE["columns"]["Laplace"] == "Laplace (median)"


@pytest.mark.parametrize("log", [False, True])
def test_an_axis_and_a_curve_of_one_value_are_drawn(log):
    """As of a table of two columns: the value lies in the middle, and its point is seen."""
    one = Axis(3.0, 3.0, log=log)
    assert one.share(3.0) == 0.5
    curves = [Curve("a", "one", np.array([2.0]), "ink"), Curve("b", "two", np.array([2.5]), "ink")]
    figure = chart(one, Axis(1, 3), np.array([3.0]), curves, lines=[Line(3.0, "k", upright=True)])
    go.Figure(resolve(with_names(figure), "light"))
    assert {trace["mode"] for trace in figure["data"]} == {"markers"}
    assert_words_are_apart(with_names(figure)["layout"], 640)


def test_words_of_lines_and_dots_lie_on_nothing_either():
    rng = np.random.default_rng(0)
    for _ in range(40):
        lines = [Line(v, f"line at {v:.2f}", upright=True) for v in rng.uniform(0, 1, 3)]
        lines += [Line(v, f"level {v:.2f}") for v in rng.uniform(0, 1, 3)]
        dots = [Dot(*rng.uniform(0, 1, 2), f"dot {i}") for i in range(3)]
        figure = chart(Axis(0, 1), Axis(0, 1), X, lines=lines, dots=dots)
        for width in WIDTHS:
            assert_words_are_apart(with_names(figure, width)["layout"], width)


def test_names_without_a_place_stand_in_the_legend_as_their_lines_end():
    """So close that no name fits beside its line; a click on the legend hides no curve."""
    x = np.linspace(0, 1, 30)
    curves = [Curve(f"c{i}", f"Line {i}", 0.5 + 0.01 * x * i, "ink") for i in range(12)]
    figure = chart(Axis(0, 1), Axis(0, 1), x, curves)
    for width in WIDTHS:
        names = figure["names"][str(width)]
        ends = [int(key[1:]) for key in names["legend"]]
        assert len(ends) >= 9
        assert ends == sorted(ends, reverse=True)
        layout = with_names(figure, width)["layout"]
        assert (layout["showlegend"], layout["legend"]["itemclick"]) == (True, False)
    listed = chart(Axis(0, 1), Axis(0, 1), x, curves, legend=False)
    drawn = (figure, with_names(listed), with_names(figure, 640), with_names(figure, 296))
    plain, without, wide, narrow = (each["layout"]["height"] for each in drawn)
    assert plain == without < wide < narrow, "fewer beside each other"


# --- The fan ---


@pytest.mark.parametrize(
    ("angles", "middle"), [([], []), ([0.23], []), ([10.0, 40.0, 90.0], [40.0])]
)
def test_needles_of_a_fan_point_where_its_angles_say(angles, middle):
    figure = fan({"Gaussian": (angles, "gaussian")})
    go.Figure(resolve(with_names(figure), "light"))
    (tips,) = [trace for trace in figure["data"] if "name" in trace]
    np.testing.assert_allclose(np.degrees(np.arctan2(tips["y"], tips["x"])), angles, atol=1e-9)
    ends = [(t["x"][1], t["y"][1]) for t in figure["data"] if t.get("line", {}).get("width") == 4]
    several = [np.degrees(np.arctan2(y, x)) for x, y in ends]
    assert several == pytest.approx(middle), "the needles that stand for several"
    assert [row[1] for row in figure["table"][1:]] == angles
