"""Plotly in the page: loaded once, from this host, and without a way to upload a figure."""

from typing import Any

import pytest

from tests.frontend.conftest import Call
from tests.frontend.example_figure import PALETTE, example_figure, sent

DATA = {"figure": sent(example_figure()), "look": {"palette": PALETTE, "dark": False}}
DRAW = """
    const { drawFigure } = await import(new URL("../charts/figure.js", url));
    const Plotly = await m.plotly;
    const node = document.createElement("div");
    document.documentElement.append(node);
"""


def test_the_bundle_is_loaded_once_and_leaves_its_name_to_the_page(
    browser_page: Any, static_address: str
) -> None:
    """Two callers whose addresses differ, as after a new version, share what the first loaded."""
    context = browser_page.context.browser.new_context()
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{static_address}/charts/charts.css")
    found = page.evaluate(
        """async (url) => {
          window.Plotly = "the page's own";
          const [first, second] = await Promise.all([import(url), import(`${url}?again`)]);
          const [one, other] = await Promise.all([first.plotly, second.plotly]);
          return [one === other, first === second, window.Plotly, one.version];
        }""",
        f"{static_address}/page/plotly.js",
    )
    context.close()
    assert found == [True, False, "the page's own", "4.1.1"]
    assert len([address for address in asked if "plotly-basic" in address]) == 1
    assert [address for address in asked if not address.startswith(static_address)] == []


def test_a_figure_is_drawn_with_its_curves_and_names(in_module: Call) -> None:
    code = """
        await drawFigure(Plotly, node, x.figure, x.look, { width: 702 });
        const texts = [...node.querySelectorAll(".annotation-text")].map((t) => t.textContent);
        const lines = node.querySelectorAll(".scatterlayer .js-line").length;
        return [node.classList.contains("js-plotly-plot"), texts, lines];
    """
    drawn, texts, lines = in_module("page/plotly.js", DRAW + code, DATA)
    assert drawn
    assert "A <mechanism> & its name" in texts
    assert "Laplace" in texts
    assert lines == 5, "three curves, one in two pieces, and the outline of a band"


def test_a_new_answer_keeps_the_zoom_and_a_new_view_resets_it(in_module: Call) -> None:
    code = """
        const frame = { width: 702 };
        await drawFigure(Plotly, node, x.figure, x.look, frame);
        node.querySelector('[data-title="Zoom in"]').click();
        await new Promise((resolve) => node.once("plotly_relayout", resolve));
        const zoomed = [...node.layout.xaxis.range];
        await drawFigure(Plotly, node, { ...x.figure }, x.look, frame);
        const kept = [...node.layout.xaxis.range];
        const other = { ...x.figure, layout: { ...x.figure.layout, uirevision: "second view" } };
        await drawFigure(Plotly, node, other, x.look, frame);
        return [zoomed, kept, node.layout.xaxis.range];
    """
    zoomed, kept, reset = in_module("page/plotly.js", DRAW + code, DATA)
    assert kept == zoomed == pytest.approx([-1.25, 0.25])
    assert reset == [-2, 1]


def test_no_button_shares_uploads_or_saves_unmarked(in_module: Call) -> None:
    """As there would be without our configuration."""
    code = """
        const titles = () => [...node.querySelectorAll(".modebar-btn")].map(
          (one) => one.dataset.title ?? one.getAttribute("data-title"));
        await drawFigure(Plotly, node, x.figure, x.look, { width: 702 });
        const wide = titles();
        await drawFigure(Plotly, node, x.figure, x.look, { width: 702, phone: true });
        const phone = titles();
        await Plotly.react(node, [], {}, {});
        return [wide, phone, titles()];
    """
    wide, phone, theirs = in_module("page/plotly.js", DRAW + code, DATA)
    assert set(wide) == {"Zoom", "Pan", "Zoom in", "Zoom out", "Reset axes"}
    assert phone == []
    assert any("share" in title.lower() or "cloud" in title.lower() for title in theirs), theirs
    assert any("png" in title.lower() for title in theirs), theirs


def test_the_words_at_both_ends_of_an_axis_are_shown(in_module: Call) -> None:
    """Also where half of them stands beyond the edge of the figure."""
    code = """
        const { xaxis, ...layout } = x.figure.layout;
        const texts = { tickvals: [0, 4], ticktext: ["first", "last"] };
        const ends = { type: "linear", range: [0, 4], ...texts };
        const margin = { l: 1, r: 1, t: 1, b: 30 };
        const shown = { data: [], layout: { ...layout, margin, xaxis: ends } };
        await drawFigure(Plotly, node, shown, x.look, { width: 400 });
        const ticks = [...node.querySelectorAll(".xtick > text")];
        return ticks.map((tick) => [tick.textContent, getComputedStyle(tick).display === "none"]);
    """
    assert in_module("page/plotly.js", DRAW + code, DATA) == [["first", False], ["last", False]]
