"""What the buttons beside a figure save: numbers, two kinds of pictures, and a page."""

import csv
import io
import re
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page

from dpca_core.example_release.csv_file import NOT_PRIVATE
from dpca_core.figures.theme import ROLES, palette
from tests.frontend.conftest import Call
from tests.frontend.example_figure import ESCAPED, GAPS, KEPT, PALETTE, X, example_figure, sent
from ui.figures.markup import element, save_buttons

TITLE = (
    "At [[ε = 1]] half of the **variation** is <kept> & "
    + "this title is long"
    + ", and longer" * 9
)
SUB = "Medians of 200 </script><script>window.hit = 1</script>"
FORMATS = ("CSV", "PNG", "SVG", "HTML")
CLICK = """
    const dom = await import(url.replace("export.js", "dom.js"));
    const root = document.createElement("section");
    root.innerHTML = x.markup;
    const { title, sub, figure } = dom.partsOf(root);
    dom.writeAll({ title, sub }, { title: x.title, sub: x.sub });
    figure.figure = x.figure;
    const view = { root, look: x.look, data: { settings: x.settings } };
    m.saveShown(view, root.querySelector(`[data-format=${x.format}]`));
"""


def chart_markup(axis: str | None) -> str:
    """A chart's title and place, as a page's skeleton has them."""
    head = element("h2", data_part="title") + save_buttons("Variation kept: =1", "figure", axis)
    title = element("div", head, element("p", data_part="sub"), class_="dpca-title")
    return title + element("div", data_part="figure")


@pytest.fixture
def saved(browser_page: Page, static_address: str, tmp_path: Path) -> Any:
    """Click a button; return the file that is saved, and what was asked for meanwhile."""

    def click(format: str, dark: bool = False, axis: str | None = "y", **changes: Any) -> Path:
        found = {
            "figure": sent(example_figure()),
            "look": {"palette": PALETTE, "dark": dark},
            "title": TITLE,
            "sub": SUB,
            "markup": chart_markup(axis),
            "format": format,
        }
        asked: list[str] = []

        def note(request: Any) -> None:
            asked.append(request.url)

        browser_page.on("request", note)
        body = f"async ([url, x]) => {{ const m = await import(url); {CLICK} }}"
        with browser_page.expect_download() as waiting:
            browser_page.evaluate(body, [f"{static_address}/charts/export.js", found | changes])
        browser_page.remove_listener("request", note)
        ours = (static_address, f"blob:{static_address}", "data:")
        assert [url for url in asked if not url.startswith(ours)] == []
        assert waiting.value.suggested_filename == f"dpca-variation-kept-1.{format.lower()}"
        path = tmp_path / waiting.value.suggested_filename
        waiting.value.save_as(path)
        return path

    return click


def table_of(path: Path) -> list[list[str]]:
    first, *lines = path.read_text("utf-8").splitlines()
    assert first == f"# {NOT_PRIVATE}"
    return list(csv.reader(io.StringIO("\n".join(lines))))


def test_the_buttons_say_what_they_save(in_module: Call) -> None:
    code = """
        const root = document.createElement("section");
        root.innerHTML = x;
        const { children } = root.firstChild;
        return [...children].map((b) => [b.localName, b.type, b.textContent, b.ariaLabel]);
    """
    found = in_module("charts/export.js", code, save_buttons("variation kept", "figure"))
    labels = [f"Download variation kept as {name}" for name in FORMATS]
    assert found == [
        ["button", "button", name, label] for name, label in zip(FORMATS, labels, strict=True)
    ]


def test_the_numbers_of_a_panel_are_a_table_with_one_column_of_x(saved: Any) -> None:
    head, *rows = table_of(saved("CSV"))
    assert head == ["ε", "Laplace", ESCAPED]
    numbers = np.array([[float(cell or "nan") for cell in row] for row in rows])
    np.testing.assert_allclose(numbers, np.stack([X, GAPS, KEPT], axis=1), rtol=1e-6)


def test_a_band_with_a_name_is_two_columns(saved: Any) -> None:
    figure = sent(example_figure())
    band = next(trace for trace in figure["data"] if trace.get("fill") == "toself")
    band["meta"] = "90 % of releases"
    head, *rows = table_of(saved("CSV", figure=figure))
    assert head[1:3] == ["90 % of releases high", "90 % of releases low"]
    ends = np.array([[float(cell) for cell in row[1:3]] for row in rows])
    bounds = np.stack([np.minimum(KEPT * 1.05, 1), KEPT * 0.9], axis=1)
    np.testing.assert_allclose(ends, bounds, rtol=1e-6)


def test_series_with_places_of_their_own_are_rows(saved: Any) -> None:
    """A column's name that would be a formula is none in a spreadsheet."""
    data = [
        {"type": "scatter", "name": "=1+1", "x": [1, 2], "y": [3, 4]},
        {"type": "bar", "orientation": "h", "name": "b", "y": ["one", "two"], "x": [5, None]},
        {"type": "scatter", "x": [9], "y": [9]},
    ]
    rows = table_of(saved("CSV", figure={"data": data, "layout": {}}, axis=None))
    assert rows == [
        ["series", "x", "y"],
        ["'=1+1", "1", "3"],
        ["'=1+1", "2", "4"],
        ["b", "one", "5"],
        ["b", "two", ""],
    ]


@pytest.mark.parametrize("dark", [False, True])
def test_a_png_has_the_figures_size_twice_on_the_pages_colour(
    saved: Any, in_module: Call, dark: bool
) -> None:
    """720 pixels wide where it was never drawn; the height of its panel below three sentences."""
    png = saved("PNG", dark).read_bytes()
    width, height = struct.unpack(">II", png[16:24])
    assert width == 2 * 720
    panel = 200 + 8 + 46
    assert 2 * (panel + 3 * 20) < height < 2 * (panel + 6 * 24)
    code = """
        const image = await createImageBitmap(new Blob([Uint8Array.from(x)]));
        const sheet = new OffscreenCanvas(image.width, image.height).getContext("2d");
        sheet.drawImage(image, 0, 0);
        return [...sheet.getImageData(2, 2, 1, 1).data];
    """
    corner = in_module("charts/dom.js", code, list(png))
    page = ROLES["page"][dark]
    assert corner == [*bytes.fromhex(page[1:]), 255]


def test_an_svg_holds_title_mark_and_one_panel_as_text(saved: Any, in_module: Call) -> None:
    text = saved("SVG").read_text("utf-8")
    code = """
        const svg = new DOMParser().parseFromString(x, "image/svg+xml").documentElement;
        const lines = [...svg.querySelectorAll(".annotation-text")].map((node) => {
          const rows = [...node.querySelectorAll("tspan.line")];
          return (rows.length ? rows : [node]).map((row) => row.textContent);
        });
        return [svg.getAttribute("width"), lines, [...svg.querySelectorAll("script")].length];
    """
    width, lines, scripts = in_module("charts/dom.js", code, text)
    sentences = [" ".join(rows) for rows in lines]
    plain = re.sub(r"\*\*|\[\[|\]\]", "", TITLE).strip()
    assert (width, scripts) == ("720", 0)
    assert {plain, SUB, NOT_PRIVATE, ESCAPED, "Laplace", "random: 27 %"} <= set(sentences)
    assert "here" not in sentences, "a word of the other panel"
    assert palette()["accent"][0].lower() in text.lower() or "rgb(208, 16, 58)" in text


def test_without_an_axis_all_panels_are_shown(saved: Any) -> None:
    one, both = (saved("SVG", axis=axis).read_text("utf-8") for axis in ("y2", None))
    assert "here" in one
    assert "Laplace" not in one
    assert {word for word in ("here", "Laplace") if word in both} == {"here", "Laplace"}


def test_a_page_opens_without_a_network_and_draws(saved: Any, browser_page: Page) -> None:
    path = saved("HTML", dark=True)
    browser = browser_page.context.browser
    assert browser is not None
    context = browser.new_context(offline=True)
    page, complaints = context.new_page(), list[str]()
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: complaints.append(request.url))
    page.goto(path.as_uri())
    page.wait_for_selector(".js-plotly-plot .scatterlayer .js-line")
    assert page.evaluate("window.hit ?? null") is None
    assert page.get_by_text(NOT_PRIVATE, exact=True).is_visible()
    assert page.get_by_text(SUB, exact=True).is_visible()
    names = page.locator(".annotation-text").all_text_contents()
    assert {ESCAPED, "Laplace"} <= set(names)
    titles = page.evaluate(
        "[...document.querySelectorAll('.modebar-btn')].map(b => b.dataset.title)"
    )
    assert titles
    assert not [t for t in titles if re.search("share|cloud|png|download", t, re.I)]
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert background == "rgb(20, 23, 28)"
    assert complaints == [path.as_uri()]
    context.close()


def test_a_picture_names_the_settings_of_its_page(saved: Any) -> None:
    settings = "RAND: 5,912 people, k = 2, seed 1."
    figure = sent(example_figure()) | {"saved": {"at": "ε = 1"}}
    text = saved("HTML", settings=settings, figure=figure).read_text("utf-8")
    assert f"<p>ε = 1: {SUB.replace('<', '&#60;').replace('>', '&#62;')}. {settings}</p>" in text
