"""Ticks, ε scale and axes: where a value lies, and which value lies there."""

import math

import pytest

from tests.frontend.conftest import Call

EPSILONS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10]


@pytest.mark.parametrize(
    ("top", "wanted", "ticks"),
    [
        (1, 4, [0.25, 0.5, 0.75, 1]),
        (10, 4, [2.5, 5, 7.5, 10]),
        (900, 4, [250, 500, 750]),
        (1.7, 3, [1]),
        (0.03, 3, [0.01, 0.02, 0.03]),
    ],
)
def test_ticks_are_round_and_end_below_the_top(
    in_module: Call, top: float, wanted: int, ticks: list[float]
) -> None:
    found = in_module(
        "charts/ticks.js", "return m.ticksOf(x.top, x.wanted)", {"top": top, "wanted": wanted}
    )
    assert found == pytest.approx(ticks, rel=1e-12)


def test_epsilon_is_laid_out_by_its_logarithm(in_module: Call) -> None:
    data = {"epsilons": EPSILONS}
    code = "return x.epsilons.map((_, i) => m.xOf(i, x, 400))"
    places = in_module("explore/epsilon_scale.js", code, data)
    assert places == pytest.approx([100 * (math.log10(e) + 3) for e in EPSILONS])


def test_a_place_means_the_nearest_epsilon(in_module: Call) -> None:
    code = "return x.places.map((at) => m.stopAt(at, x, 400))"
    places = [-50, 0, 14, 16, 200, 384, 386, 900]
    found = in_module("explore/epsilon_scale.js", code, {"epsilons": EPSILONS, "places": places})
    assert found == [0, 0, 0, 1, 6, 11, 12, 12]


def test_epsilon_is_written_with_two_digits(in_module: Call) -> None:
    code = "return x.map(m.tickText)"
    found = in_module("explore/epsilon_scale.js", code, [0.1, 0.126, 12, 100, 0.00001])
    assert found == ["0.1", "0.13", "12", "100", "1e-5"]


def test_a_share_of_all_lies_below_the_upper_edge(in_module: Call) -> None:
    data = {
        "mechanisms": [{"chosen": True, "captured": [0.3, None, 0.95]}],
        "random": {"captured": 0.27, "sin": 1.2},
        "gap": 129,
    }
    code = """
        const axis = m.yAxis("kept", x);
        const ends = [axis.high, axis.low].map((value) => m.yPixel(value, axis, 200));
        return [axis.texts, axis.low, ...ends];
    """
    texts, low, top, foot = in_module("explore/panels.js", code, data)
    assert texts == ["25", "50", "75", "100 %"]
    assert low == pytest.approx(0.22)
    assert (top, foot) == (0, 200)


def test_the_noise_axis_is_logarithmic_about_the_gap(in_module: Call) -> None:
    code = """
        const axis = m.yAxis("noise", x);
        return [axis.log, axis.ticks, [10, 100, 1000].map((v) => m.yPixel(v, axis, 360))];
    """
    log, ticks, places = in_module("explore/panels.js", code, {"gap": 100})
    assert log
    assert ticks == pytest.approx([10, 100, 1000, 10000])
    assert places == pytest.approx([300, 200, 100])


@pytest.mark.parametrize(
    ("axis", "value", "place"),
    [
        ({"low": 1, "high": 100, "log": True}, 10, 50),
        ({"low": 0, "high": 100, "log": False}, 10, 10),
        ({"low": 100, "high": 1, "log": True}, 100, 0),
    ],
)
def test_a_chart_of_a_grid_has_the_same_scales(
    in_module: Call, axis: dict[str, object], value: float, place: float
) -> None:
    code = "return m.scaleOf(x.axis, 0, 100)(x.value)"
    found = in_module("chart_grid/scales.js", code, {"axis": axis, "value": value})
    assert found == pytest.approx(place)


def test_what_is_out_of_range_is_not_drawn(in_module: Call) -> None:
    code = "return x.values.map((v) => m.inRange(x.axis, v))"
    values = [None, 0, -1, 0.5, 1, 10, 100, 101]
    found = in_module(
        "chart_grid/scales.js",
        code,
        {"axis": {"low": 1, "high": 100, "log": True}, "values": values},
    )
    assert found == [False, False, False, False, True, True, True, False]
    assert (
        in_module(
            "chart_grid/scales.js", "return m.inRange(x, NaN)", {"low": 0, "high": 1, "log": False}
        )
        is False
    )


def test_a_curve_has_a_gap_where_a_value_is_missing(in_module: Call) -> None:
    points = [{"x": 0, "y": 1}, {"x": 1, "y": 2.25}, None, {"x": 3, "y": 4}]
    broken = in_module("charts/curve_path.js", "return m.pathOf(x)", points)
    assert broken == "M0.0 1.0L1.0 2.3M3.0 4.0"
    bridged = in_module("charts/curve_path.js", "return m.pathOf(x, true)", points)
    assert bridged == "M0.0 1.0L1.0 2.3L3.0 4.0"
