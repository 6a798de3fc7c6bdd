"""A page's component in the browser: it draws what Python sent, moves its rule, and makes files."""

import json
import struct
from dataclasses import replace

import numpy as np
import pytest
from plotly.io.json import to_json_plotly

from dpca_core.figures.chart import Axis, Band, Curve, Line, chart, with_names
from dpca_core.figures.colours import resolve
from ui.page.component import LOOK
from ui.page.content import Chart, Content, Marks, Row, Rule
from ui.page.files import NOT_PRIVATE

STOPS = (0.01, 0.1, 1.0, 10.0)
X = np.geomspace(0.01, 10, 31)
CURVES = [
    Curve("one", "=A &amp; &lt;b&gt;", 1 - 0.4 / (1 + X), "gaussian", chosen=True),
    Curve("two", "Laplace", 0.5 - 0.4 / (1 + X), "laplace"),
]
FIGURE = chart(
    Axis(0.01, 10, log=True, title="ε"),
    Axis(0, 1),
    X,
    CURVES,
    bands=[Band(X / 40, X / 20, "gaussian/band95", "A, 95 % of releases")],
    lines=[Line(0.9, "an aim")],
    statistic="median",
    revision="first",
)
DOTS = np.array([[0.5, 0.25], [0.5, np.nan], [0.5, 0.5], [0.1, 0.1]])
CHART = Chart(
    "kept",
    FIGURE,
    [f"at {stop:g}" for stop in STOPS],
    "a & b",
    place="wide",
    ruled=True,
    over=[Marks("full", "gaussian", DOTS, np.array([[0.5, 0.75]]))],
)
ROWS = [
    Row("one", "A", "gaussian", cells=[[f"{stop:g}" for stop in STOPS]], at=1.0),
    Row("two", "B", "laplace", cells=["b"], chosen=True, struck=True),
]
RULE = Rule("epsilon", "Privacy ε", STOPS, [f"ε = {stop:g}" for stop in STOPS], 1)
CONTENT = Content(
    "first",
    [CHART],
    {"answer": ["one", "two", "three", None]},
    RULE,
    ROWS,
    order=[[0, 1], [0, 1], [1, 0], [1, 0]],
)
MOUNT = """async ([url, look]) => {
  const { default: draw } = await import(url);
  const parent = document.createElement("div");
  parent.style.cssText = "width: 710px; color-scheme: light";
  document.body.append(parent);
  const frame = () => new Promise(requestAnimationFrame);
  window.parent_ = parent;
  window.said = [];
  window.answer = async (bytes) => {
    const setStateValue = (name, { value }) => said.push([name, value]);
    const data = Uint8Array.from(bytes);
    const close = await draw({ parentElement: parent, data, setStateValue }, look);
    await frame();
    await frame();
    return typeof close;
  };
  window.one = (query) => parent.querySelector(query);
}"""
DRAWN = "performance.getEntriesByName('dpca-react').length"
"""How often Plotly has drawn."""


@pytest.fixture
def page(browser, static_address):
    """A page on which the component stands, in place of the one with a clock that stands."""
    page = browser.new_page(viewport={"width": 1000, "height": 800})
    page.goto(f"{static_address}/page/page.css")
    page.set_content("<body></body>")
    page.add_style_tag(url=f"{static_address}/page/page.css")
    page.evaluate(MOUNT, [f"{static_address}/page/page.js", LOOK])
    yield page
    page.close()


@pytest.fixture
def show(page):
    """``show(content, heard=…)`` gives the component an answer; the usual one stands there."""

    def show(content, **more):
        packed = content.packed(**{"heard": 0, "pause": 0, "hears": ["rule", "row"]} | more)
        return page.evaluate("bytes => answer(bytes)", list(packed))

    assert show(CONTENT) == "function"
    return show


def test_an_answer_is_drawn_with_its_words_where_plotly_would_have_them(page, show):
    assert page.locator("h1").inner_text() == "two"
    texts = page.locator(".dpca-words span").all_inner_texts()
    assert {"=A & <b>", "Laplace", "an aim"} <= set(texts)
    whole = resolve(with_names(FIGURE, 640), "light")
    whole["layout"]["width"] = 710
    offsets = page.evaluate(
        """async (figure) => {
          const node = document.body.appendChild(document.createElement("div"));
          await (await dpcaPlotly).newPlot(node, figure.data, figure.layout);
          const middle = (one, root) => {
            const { left, top, width, height } = one.getBoundingClientRect();
            const from = root.getBoundingClientRect();
            return [left + width / 2 - from.left, top + height / 2 - from.top];
          };
          const ours = one('[data-part="figure"]');
          const words = [...ours.querySelectorAll(".dpca-words span")];
          const theirs = [...node.querySelectorAll(".annotation-text")];
          return words.map((word, i) => {
            const [a, b] = [middle(word, ours), middle(theirs[i], node)];
            return Math.hypot(a[0] - b[0], a[1] - b[1]);
          });
        }""",
        json.loads(to_json_plotly(whole)),
    )
    assert max(offsets) < 4
    dots = page.locator(".dpca-full > i")
    assert dots.count() == 1, "of two one is no number"


def test_of_two_calls_the_newer_draws_though_both_have_the_same_content(page, show):
    """Streamlit ends the older one: it must not own what the newer one goes on to use."""
    packed = list(CONTENT.packed(heard=0, pause=0, hears=[]))
    found = page.evaluate("bytes => Promise.all([answer(bytes), answer(bytes)])", packed)
    assert found == ["undefined", "function"]
    assert page.locator(".dpca-page").count() == 1


def test_the_rule_moves_all_that_follows_it_and_says_so_once_it_rests(page, show):
    before = page.evaluate(DRAWN)
    handle = page.get_by_role("slider")
    page.locator(".dpca-row").nth(1).focus()
    # At once, before any timer, however slow the machine is.
    at_once = handle.evaluate(
        """slider => {
          slider.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
          return [one("h1").innerText, said.length];
        }"""
    )
    assert at_once == ["three", 0]
    assert page.locator("h2").first.inner_text() == "at 1"
    assert handle.get_attribute("aria-valuetext") == "ε = 1"
    rows = page.locator(".dpca-row")
    assert rows.first.get_attribute("data-value") == "two", "in the order of this stop"
    assert rows.nth(1).get_attribute("class") == "dpca-row dpca-met"
    page.wait_for_function("said.length === 1")
    assert page.evaluate("said") == [["rule", 1]]
    assert page.evaluate(DRAWN) == before, "without Plotly"
    places = page.evaluate(
        """() => [one('[data-part="line"]'), one('[data-part="handle"]')].map((node) => {
          const { left, width } = node.getBoundingClientRect();
          return left + width / 2;
        })"""
    )
    assert places[0] == pytest.approx(places[1], abs=1)
    show(CONTENT, heard=0)
    assert page.locator("h1").inner_text() == "three", "the server had not heard of it"
    show(CONTENT, heard=9e15)
    assert page.locator("h1").inner_text() == "two"


def test_the_rule_answers_the_keyboard_and_asks_for_sentences_that_did_not_come(page, show):
    show(replace(CONTENT, id="second", complete=False), pause=60_000)
    handle = page.get_by_role("slider")
    handle.press("End")
    assert page.locator("h1").inner_text() == ""
    assert page.evaluate("said[0]") == ["more", "second"]
    for key, stop in (("PageDown", 0.01), ("PageUp", 10), ("Home", 0.01), ("ArrowRight", 0.1)):
        handle.press(key)
        assert handle.get_attribute("aria-valuetext") == f"ε = {stop:g}"


def test_the_keyboard_stays_on_its_row_and_who_asks_for_one_is_heard_or_sees_it_lit(page, show):
    page.locator('.dpca-row[data-value="two"]').focus()
    show(replace(CONTENT, rule=replace(RULE, index=2), rows=[ROWS[0], replace(ROWS[1], at=1.0)]))
    assert page.evaluate("document.activeElement.dataset.value") == "two"
    assert page.locator(".dpca-row").first.get_attribute("data-value") == "two"
    page.keyboard.press("Enter")
    assert page.evaluate("said") == [["row", "two"]]
    page.locator('.dpca-words [data-value="one"]').click()
    assert page.evaluate("said.at(-1)") == ["row", "one"], "a name in a chart says it too"
    show(replace(CONTENT, id="second"), hears=[])
    page.locator('.dpca-words [data-value="two"]').click()
    faint = "one('[data-part=figure]').data.filter(({ opacity }) => opacity < 1).map((t) => t.meta)"
    assert page.evaluate(faint) == ["one"], "where nobody hears of it, its line is lit"
    assert page.evaluate("said.length") == 2


def test_what_is_as_it_was_is_not_drawn_again_and_keeps_its_zoom(page, show):
    before = page.evaluate(DRAWN)
    show(CONTENT)
    assert page.evaluate(DRAWN) == before
    page.evaluate("one('[data-title=\"Zoom in\"]').click()")
    page.wait_for_function("one('[data-part=figure]').layout.xaxis.range[0] > -1.5")
    moved = replace(CHART, figure={**FIGURE, "data": FIGURE["data"][1:]})
    show(replace(CONTENT, id="second", charts=[moved]))
    assert page.evaluate(DRAWN) == before + 1
    assert page.evaluate("one('[data-part=figure]').layout.xaxis.range[0]") > -1.5
    titles = page.locator(".modebar-btn").evaluate_all("all => all.map((b) => b.dataset.title)")
    assert set(titles) == {"Zoom", "Pan", "Zoom in", "Zoom out", "Reset axes"}, "none uploads"


def saved(page, form, folder):
    page.locator(".dpca-chart").first.hover()
    with page.expect_download() as waiting:
        page.locator(f'.dpca-take [data-value="{form}"]').first.click()
    path = folder / waiting.value.suggested_filename
    assert path.name == f"dpca-kept.{form.lower()}"
    waiting.value.save_as(path)
    return path.read_bytes()


def test_files_hold_what_is_shown_below_the_mark(page, show, tmp_path):
    """What a spreadsheet would take for a formula is a text."""
    show(replace(CONTENT, id="second", settings="Data, k = 2."))
    mark, head, *lines = saved(page, "CSV", tmp_path).decode().splitlines()
    assert mark == f"# {NOT_PRIVATE}"
    names = ["ε", '"A, 95 % of releases, high"', '"A, 95 % of releases, low"']
    assert head == ",".join([*names, "Laplace (median)", "'=A & <b> (median)"])
    assert len(lines) == len(X)
    found = np.array([line.split(",") for line in lines], dtype=float)
    np.testing.assert_allclose(found[:, 0], X, rtol=1e-6)
    np.testing.assert_allclose(found[:, 4], CURVES[0].y, rtol=1e-6)
    svg = saved(page, "SVG", tmp_path).decode()
    for text in ("at 0.1", "a &amp; b", "Data, k = 2.", NOT_PRIVATE, "=A &amp; &#60;b&#62;"):
        assert text in svg
    png = saved(page, "PNG", tmp_path)
    width, height = struct.unpack(">II", png[16:24])
    drawn = page.evaluate("one('[data-part=figure]').layout.height")
    assert 2 * (drawn + 50) < height < width, "with the mark below"
