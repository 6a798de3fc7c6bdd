"""A figure in the browser: its arrays, its colours, and the names that fit its width."""

import math
from typing import Any

import numpy as np
import pytest

from dpca_core.figures.colours import FAMILY_COLOURS, Theme, palette, resolve
from dpca_core.figures.curve_panels import with_names
from dpca_core.figures.layout import Spec
from tests.frontend.conftest import Call
from tests.frontend.example_figure import PALETTE, example_figure, sent
from ui.figures.packed_content import decode, encode

ARRAYS = {
    "text": "ε < 1 & </script>",
    "line": np.array([0.1, math.nan, 1e-30, -3.5], dtype=np.float32),
    "empty": np.zeros(0, dtype=np.float32),
}


def test_the_browser_reads_the_arrays_that_python_packed(in_module: Call) -> None:
    """Ours is JSON; what is packed in it is what Plotly reads as numbers."""
    code = """
        const { data, name } = await m.received({ data: Uint8Array.from(x), name: "n" });
        const { plotly } = await import(new URL("../page/plotly.js", url));
        const node = document.createElement("div");
        document.documentElement.append(node);
        const { line, empty, ...rest } = data;
        const traces = [line, empty].map((y) => ({ type: "scatter", y }));
        await (await plotly).react(node, traces, {});
        const seen = node["_fullData"].map(({ y }) => [y.constructor.name, ...y]);
        node.remove();
        const nulls = (values) => values.map((value) => (Number.isNaN(value) ? null : value));
        return { name, rest, seen: seen.map(nulls) };
    """
    packed = encode(ARRAYS)
    found = in_module("charts/packed_content.js", code, list(packed))
    content = decode(packed)
    assert (found["name"], found["rest"]["text"]) == ("n", content["text"])
    assert found["seen"] == [["Float32Array", *content["line"]], ["Float32Array"]]
    assert content["line"][0] == pytest.approx(0.1)
    assert content["line"][1] is None


def test_of_two_calls_the_newer_draws_though_both_have_the_same_content(in_module: Call) -> None:
    """Streamlit ends the older one: it must not own what the newer one goes on to use."""
    code = """
        const parentElement = {}, data = Uint8Array.from(x);
        const calls = [{ parentElement, data }, { parentElement, data }].map(m.received);
        return (await Promise.all(calls)).map((call) => call.data);
    """
    assert in_module("charts/packed_content.js", code, list(encode({"a": 1}))) == [None, {"a": 1}]


EVERY_ROLE: Spec = {
    "data": [
        {"line": {"color": role}, "fillcolor": f"{role}/{shade}", "text": role}
        for role in palette()
        for shade in (".5", "0.13", "1", "band95", "band80", "band50")
        if not role.endswith("/text")
    ]
    + [{"marker": {"color": [f"{family}/text" for family in FAMILY_COLOURS]}}],
    "layout": {"paper_bgcolor": "clear", "colorway": ["not a role"], "font": {"color": "ink"}},
}


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("figure", [EVERY_ROLE, example_figure()], ids=["roles", "panels"])
def test_both_sides_give_a_role_the_same_colour(
    in_module: Call, theme: Theme, figure: Spec
) -> None:
    look = {"palette": PALETTE, "dark": theme == "dark"}
    code = "return m.resolved(x.figure, x.look)"
    found = in_module("charts/colours.js", code, {"figure": sent(figure), "look": look})
    assert found == sent(resolve(figure, theme))


def test_a_colour_that_is_no_role_is_an_error(in_module: Call) -> None:
    code = """
        try { return m.resolved({ color: "red" }, x); } catch (error) { return error.name; }
    """
    assert in_module("charts/colours.js", code, {"palette": PALETTE, "dark": False}) == "TypeError"


def test_the_theme_is_the_colour_scheme_that_streamlit_gives_its_app(in_module: Call) -> None:
    code = """
        const node = document.createElement("div");
        document.documentElement.append(node);
        return ["light", "dark", "normal", ""].map((scheme) => {
          node.style.colorScheme = scheme;
          return m.lookOf(node, "palette").dark;
        });
    """
    assert in_module("charts/colours.js", code) == [False, True, False, False]


LAID_OUT = "return m.laidOut(x.figure, x.look, x.frame)"
LOOK = {"palette": PALETTE, "dark": False}
MARGINS = 62
"""Left and right of the plot."""


def laid_out(in_module: Call, **frame: Any) -> Any:
    data = {"figure": sent(example_figure()), "look": LOOK, "frame": frame}
    return in_module("charts/figure.js", LAID_OUT, data)


@pytest.mark.parametrize(
    ("width", "size"),
    [(250, 328), (639, 328), (640, 640), (1099, 640), (1100, 1100)],
)
def test_the_names_are_those_of_the_plots_width(in_module: Call, width: int, size: int) -> None:
    figure = example_figure()
    found = laid_out(in_module, width=width + MARGINS)
    expected = sent(resolve(with_names(figure, size), "light"))["layout"]
    assert found["layout"]["annotations"] == expected["annotations"]
    assert len(expected["annotations"]) >= 4
    assert found["layout"]["font"] == expected["font"]
    assert found["layout"]["width"] == width + MARGINS
    scale = {328: 1, 640: 1, 1100: 1.3}[size]
    assert found["layout"]["height"] == pytest.approx(figure["layout"]["height"] * scale)


def test_a_frame_sets_height_domains_and_whether_a_touch_drags(in_module: Call) -> None:
    domains = {"yaxis": [0.6, 1], "yaxis2": [0, 0.3]}
    layout = laid_out(in_module, width=700, height=500, domains=domains, phone=True)["layout"]
    assert (layout["height"], layout["dragmode"]) == (500, False)
    for axis, domain in domains.items():
        assert layout[axis]["domain"] == domain
        assert layout[axis]["gridcolor"] == palette()["hair"][0]
    assert "dragmode" not in laid_out(in_module, width=700)["layout"]
    assert laid_out(in_module, width=700)["layout"]["yaxis"]["domain"] != domains["yaxis"]


def test_what_did_not_change_is_not_drawn_again(in_module: Call) -> None:
    code = """
        const Plotly = { react: (node, data, layout) => { node.count = (node.count || 0) + 1; } };
        const look = { palette: x, dark: false };
        const figure = (y) => ({ data: [{ y, line: { color: "ink" } }], layout: { height: 9 } });
        const node = {}, counts = [], frame = { width: 100 };
        const draw = (y, how = look, at = frame) => {
          m.drawFigure(Plotly, node, figure(y), how, at);
          counts.push(node.count);
        };
        draw([1]); draw([1]); draw([2]); draw([2], { ...look, dark: true });
        for (const again of [1, 2]) draw([2], { ...look, dark: true }, { width: 200 });
        return counts;
    """
    assert in_module("charts/figure.js", code, PALETTE) == [1, 1, 2, 3, 4, 4]
