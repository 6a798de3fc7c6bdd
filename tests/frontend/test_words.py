"""The words over a figure: where Plotly's annotations would be, with a zoom, and clicked."""

from typing import Any

import pytest

from tests.frontend.conftest import Call
from tests.frontend.example_figure import ESCAPED, PALETTE, example_figure, sent

DATA = {"figure": sent(example_figure()), "look": {"palette": PALETTE, "dark": False}}
DRAW = """
    const { drawFigure } = await import(new URL("figure.js", url));
    const { plotly } = await import(new URL("../page/plotly.js", url));
    const Plotly = await plotly;
    const draw = (over) => {
      const node = document.createElement("div");
      document.documentElement.append(node);
      drawFigure(Plotly, node, x.figure, x.look, { width: 702, over });
      return node;
    };
    const { stylesheets } = await import(new URL("../page/stylesheets.js", url));
    await stylesheets("page.css");
"""


def test_words_are_where_annotations_would_be(in_module: Call) -> None:
    code = """
        return [false, true].map((over) => {
          const node = draw(over);
          node.style.position = "relative";
          const { left, top } = node.getBoundingClientRect();
          const words = [...node.querySelectorAll(".annotation")].map((word) => {
            const box = word.getBoundingClientRect();
            return [word.textContent, [box.left - left, box.right - left],
                    (box.top + box.bottom) / 2 - top];
          });
          node.remove();
          return words;
        });
    """
    drawn, over = (
        dict((w[0], w[1:]) for w in words)
        for words in in_module("charts/words.js", DRAW + code, DATA)
    )
    assert set(drawn) == set(over)
    assert {ESCAPED, "Laplace", "random: 27 %", "here"} <= set(over)
    for text, (sides, middle) in drawn.items():
        away = [abs(a - b) for a, b in zip(sides, over[text][0], strict=True)]
        assert min(away) <= 2, text
        assert over[text][1] == pytest.approx(middle, abs=2), text


def test_nothing_but_plain_tags_is_markup(in_module: Call) -> None:
    """The unit of a table is its owner's own word, or that of a choice file he was given."""
    said = [
        "129 <img src=x onerror='window.obeyed = 1'>",
        '<b onclick="window.obeyed = 1">129</b>',
        "<svg/onload=window.obeyed=1> <script>window.obeyed = 1</script>",
        "<b>129</b><br>&lt;i&gt; a < b",
    ]
    code = """
        const { layout } = x.figure;
        const axes = { width: 300, height: 300, margin: { l: 0, r: 0, t: 0, b: 0 } };
        const node = document.createElement("div");
        Object.assign(node, { layout: { ...axes, font: { size: 12, family: "serif" } }, on() {} });
        document.documentElement.append(node);
        const word = { x: 0, y: 0, xref: "paper", yref: "paper", xanchor: "left", yanchor: "top" };
        m.showWords(node, x.said.map((text) => ({ ...word, text, font: {} })));
        const layer = node.querySelector(".dpca-words");
        const tags = [...layer.querySelectorAll("*")].map(({ tagName, attributes }) =>
          tagName === "SPAN" ? tagName : [tagName, attributes.length].join());
        const texts = [...layer.children].map(({ textContent }) => textContent);
        node.remove();
        return [tags, texts, window.obeyed ?? null];
    """
    tags, texts, obeyed = in_module("charts/words.js", code, DATA | {"said": said})
    assert set(tags) == {"SPAN", "B,0", "BR,0"}
    assert texts == [*said[:1], said[1].removesuffix("</b>"), said[2], "129<i> a < b"]
    assert obeyed is None


def test_a_zoom_moves_words_and_hides_those_outside(in_module: Call) -> None:
    code = """
        const node = draw(true);
        const words = () => [...node.querySelectorAll(".dpca-words > *")];
        const seen = () => words().map((word) => [word.textContent, word.hidden, word.style.left]);
        const before = seen();
        const zoomed = new Promise((resolve) => node.once("plotly_relayout", resolve));
        await Plotly.relayout(node, { "xaxis.range": [-0.1, 0.2] });
        await zoomed;
        const after = seen();
        node.remove();
        return [before, after];
    """
    before, after = in_module("charts/words.js", DRAW + code, DATA)
    assert not any(hidden for _, hidden, _ in before)
    assert any(hidden for _, hidden, _ in after)
    moved = dict((text, left) for text, hidden, left in after if not hidden)
    assert moved["here"] != dict((text, left) for text, _, left in before)["here"]
    assert moved["random: 27 %"] == "648px", "words of a line across stay at its end"


def test_a_click_on_a_name_is_that_of_an_annotation(in_module: Call) -> None:
    code = """
        const node = draw(true);
        const said = [];
        node.on("plotly_clickannotation", ({ annotation }) => said.push(annotation.name));
        const named = [...node.querySelectorAll(".dpca-named")];
        for (const word of named) word.click();
        node.remove();
        return [said, node.querySelectorAll(".annotation-text").length];
    """
    said, annotations = in_module("charts/words.js", DRAW + code, DATA)
    assert set(said) == {"gaussian", "laplace"}
    assert annotations == 0


def test_arrays_of_a_trace_are_found_as_plotly_finds_them(in_module: Call) -> None:
    """What is known of a type of trace stands for Plotly's search through its description."""
    code = """
        const bundle = await (await fetch(x.bundle)).text();
        const { Plotly: whole } = new Function(`${bundle}; return { Plotly };`)();
        const ours = await m.plotly;
        const node = document.createElement("div");
        document.documentElement.append(node);
        await ours.react(node, x.data, {});
        const find = ({ PlotSchema }) =>
          node["_fullData"].map((trace) => PlotSchema.findArrayAttributes(trace).sort());
        const found = [find(ours), find(whole).map((each) => [...new Set(each)])];
        node.remove();
        return found;
    """
    numbers: list[Any] = [1, 2, 3]
    data = [
        {"type": kind, "x": numbers, "y": numbers, "customdata": numbers, "text": ["a", "b", "c"]}
        | {"marker": {"color": numbers, "line": {"width": numbers}}, "hovertemplate": ["", "", ""]}
        | {"error_x": {"type": "data", "array": numbers}, "ids": ["1", "2", "3"]}
        for kind in ("scatter", "bar")
    ] + [{"type": "pie", "labels": ["a", "b"], "values": [1, 2]}]
    bundle = "../plotly/plotly-basic-4.1.1.min.js"
    ours, theirs = in_module(
        "page/plotly.js", code.replace("x.bundle", f"new URL('{bundle}', url)"), {"data": data}
    )
    assert ours == theirs
    assert "marker.line.width" in ours[0]
    assert "customdata" in ours[1]
