"""Charts: traces that hold what was measured, a fan, colours of the style sheet.

Words that touch nothing are those of the pages, by tests/page_charts.py.
"""

import numpy as np
import plotly.graph_objects as go
import pytest

from dpca_core.figures import colours
from dpca_core.figures.chart import Axis, Band, Curve, Line, chart, with_names
from dpca_core.figures.colours import resolve
from dpca_core.figures.pictures import fan
from tests.page_charts import assert_words_are_apart
from tests.paths import ROOT

X = np.geomspace(0.001, 100, 41)
KEPT = 1 / (1 + 1 / X)
BROKEN = np.where((X > 0.5) & (X < 2), np.nan, KEPT**2)
CURVES = (
    Curve("gaussian", "Gaussian", KEPT, "gaussian", chosen=True, width=2.75),
    Curve("laplace", "Laplace", BROKEN, "laplace", bridged=False, dash="9px,3px"),
)
FIGURE = chart(
    Axis(0.001, 100.0, log=True),
    Axis(0, 1.05),
    X,
    CURVES,
    bands=[Band(np.where(X < 0.01, np.nan, KEPT * 0.9), KEPT, "gaussian/band95", "95 %")],
    lines=[Line(0.3, "random: 30 %"), Line(1.0, "ε = 1", "accent", upright=True)],
    statistic="median",
)


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


def test_style_sheets_have_the_colours_of_the_charts():
    sheet = (ROOT / "static/app/app.css").read_text("utf-8")
    for role in ("ink", "grey", "faint", "hair", "rule", "page", "panel", "accent"):
        light, dark = (colours.colour(role, theme).lower() for theme in ("light", "dark"))
        name = "line" if role == "rule" else role
        assert f"--{name}: light-dark({light}, {dark});" in sheet, role
