"""Charts: axes, traces that hold what was measured, words that touch nothing; fan, rows, colours.

A brute force over pixels looks at the words of random charts.
"""

import math
from collections import defaultdict

import numpy as np
import plotly.graph_objects as go
import pytest

from dpca_core.figures import colours
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
from dpca_core.figures.rows import Mark, Row, rows_chart
from dpca_core.mechanisms.registry import MECHANISMS
from tests.cases import sampled
from tests.page_charts import assert_words_are_apart, faults

LOG = Axis(0.001, 100.0, log=True)


def test_a_share_runs_from_one_end_of_an_axis_to_the_other():
    np.testing.assert_allclose(Axis(2.0, 12.0).share([2, 7, 12, 17]), [0, 0.5, 1, 1.5])
    np.testing.assert_allclose(LOG.share([0.001, 0.1, 100, 1e4]), [0, 0.4, 1, 1.4])
    assert np.isnan(LOG.position([0.0, -1.0, math.nan])).all(), "no logarithm, a gap"
    np.testing.assert_allclose(Axis(1.0, 0.0).share([1, 0.25]), [0, 0.75])


def test_counts_are_never_written_as_powers():
    """D3 writes 1500000 as 1.5e+6 by "~g", as 1,500,000 by ",~r" and as 1.5M by "~s"."""
    assert [count_format(most) for most in (LARGE_COUNT * 0.99, LARGE_COUNT)] == [",~r", "~s"]


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


PEOPLE = Axis(10.0, 1e9, log=True, title="people")
NOTE = "Theorem 8 holds for expected correlations of 0.9988 or more only"
MEASURED = Mark(1234.5, "1,300", bold=True, trail="interval", low=1e3, high=1.5e3)
OPEN_BELOW = Mark(1900.0, "1,900", bold=True, trail="interval", high=2500.0)
ENOUGH = Mark(2e3, "Thm 7", "stroke", "enough", trail="dashes", low=2e3)
FEW = Mark(700.0, "Thm 8, expected, worst data", "stroke", trail="few", high=700.0)
PRINTED = Mark(1e3, "as printed", "stroke", trail="few", high=1e3)
ORDER = Mark(8e8, "an order, without its constant", "diamond")
WEAKER = {"label": "local model, weaker", "alarming": True, "apart": True}
ROWS = (
    Row("Gaussian", "gaussian", [MEASURED]),
    Row("PPCA", "exponential", [ENOUGH, OPEN_BELOW]),
    Row("Any pure mechanism", "baseline", [FEW, PRINTED]),
    Row("Power method, pure, printed", "power", [ORDER], **WEAKER),
    Row("Laplace", "laplace", [Mark(3e9, "3,000,000,000")], note="about 3·10⁹"),
    Row("Smooth Gaussian, printed", "smooth", note=NOTE),
)
THESE = [Line(480.0, "these data: 480", "accent"), Line(5.0, "fewer than are drawn", "accent")]
ROWS_FIGURE = rows_chart(PEOPLE, ROWS, THESE)


def drawn(name, mode):
    return [
        t for t in ROWS_FIGURE["data"] if t["meta"] == name and t.get("mode", t["type"]) == mode
    ]


def test_marks_stand_at_their_numbers_and_trails_reach_to_theirs():
    (gaussian,) = drawn("Gaussian", "markers")
    assert (gaussian["x"], gaussian["y"]) == ([1234.5], [0])
    assert [t["x"] for t in drawn("Gaussian", "lines")] == [[1e3, 1.5e3]]
    assert [t["x"] for t in drawn("PPCA", "lines")] == [[2e3, PEOPLE.high], [PEOPLE.low, 2500.0]]
    few = drawn("Any pure mechanism", "lines")
    assert [(t["x"], t["y"]) for t in few] == [([10.0, n], [2, 2]) for n in (700.0, 1e3)]
    assert drawn("PPCA", "markers")[-1]["x"] == [1900.0], "what is measured lies on top"


def test_what_the_axis_does_not_reach_is_a_note_in_its_row():
    assert drawn("Laplace", "markers") == []
    for names in ROWS_FIGURE["names"].values():
        said = {each["text"].replace("<br>", " "): each for each in names["annotations"]}
        assert "about 3·10⁹" in said
        assert not any("fewer than are drawn" in text for text in said)
        assert said[NOTE]["xanchor"] == "right", "at the left the line of these data would strike"


def test_words_touch_neither_one_another_nor_the_edge():
    for width in (290, 328, 480, 640, 900, 1100, 1400):
        drawn = with_names(ROWS_FIGURE, width)
        layout = drawn["layout"]
        for text, start, end, *_ in assert_words_are_apart(layout, width):
            assert -layout["margin"]["l"] <= start, (width, text)
            assert end <= width + layout["margin"]["r"], (width, text)
        assert go.Figure(resolve(drawn, "dark")).layout.height == layout["height"]


def contrast(first: str, second: str) -> float:
    """WCAG 2's contrast, written anew: (L1 + 0.05) / (L2 + 0.05)."""
    levels = []
    for shade in (first, second):
        light = 0.0
        for weight, at in ((0.2126, 1), (0.7152, 3), (0.0722, 5)):
            share = int(shade[at : at + 2], 16) / 255
            linear = share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4
            light += weight * linear
        levels.append(light + 0.05)
    return max(levels) / min(levels)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_can_be_read_on_the_page(theme):
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    page = colours.ROLES["page"][theme == "dark"]
    texts = {role for role in colours.palette() if role.endswith("/text")}
    assert texts >= {f"{family}/text" for family in colours.FAMILY_COLOURS}
    assert {colours.family_role(mechanism.family) for mechanism in MECHANISMS.values()} <= {
        *colours.palette()
    }
    for role in (*texts, "ink", "grey", "accent"):
        assert contrast(colours.colour(role, theme), page) >= 4.5, role


def test_within_a_family_no_two_lines_look_alike():
    styles = defaultdict(list)
    for mechanism in MECHANISMS.values():
        styles[mechanism.family].append((colours.dash(mechanism), colours.width(mechanism)))
        assert colours.width(mechanism, chosen=True) > colours.width(mechanism)
    for family, found in styles.items():
        assert len(set(found)) == len(found), family
