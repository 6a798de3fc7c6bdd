"""What the buttons beside a figure save: two kinds of pictures, and a page, as browsers draw them.

Their numbers are tested in tests/ui/figures.
"""

import struct
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from dpca_core.figures.colours import ROLES, palette
from tests.frontend.conftest import Call
from tests.frontend.example_figure import ESCAPED, example_figure
from tests.ui.figures.asked import SUB, TITLE, asked
from ui.figures.downloads import NOT_PRIVATE
from ui.figures.saved_figure import figure_file

SAVE = """async ([url, file]) => {
  const { saveFile } = await import(`${url}/charts/downloads.js`);
  const { plotly } = await import(`${url}/page/plotly.js`);
  saveFile(file, await plotly);
}"""


@pytest.fixture
def saved(browser_page: Page, static_address: str, tmp_path: Path) -> Any:
    """Save the figure of a panel, or of all; return the file, checking what it asks for."""

    def save(
        format: str,
        dark: bool = False,
        axis: str | None = "y",
    ) -> Path:
        request = asked(format=format, dark=dark, axis=axis)
        file = figure_file(example_figure(), request, "").to_message(1)
        requested: list[str] = []

        def note(request: Any) -> None:
            requested.append(request.url)

        browser_page.on("request", note)
        with browser_page.expect_download() as waiting:
            browser_page.evaluate(SAVE, [static_address, file])
        browser_page.remove_listener("request", note)
        ours = (static_address, f"blob:{static_address}", "data:")
        assert [url for url in requested if not url.startswith(ours)] == []
        assert waiting.value.suggested_filename == f"dpca-variation-kept.{format.lower()}"
        path = tmp_path / waiting.value.suggested_filename
        waiting.value.save_as(path)
        return path

    return save


def test_a_png_has_the_figures_size_twice_on_the_pages_colour(saved: Any, in_module: Call) -> None:
    """As wide as the figure was drawn; the height of its panel below three sentences."""
    png = saved("PNG", dark=True).read_bytes()
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
    page = ROLES["page"][True]
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
    assert (width, scripts) == ("720", 0)
    assert {TITLE, SUB, NOT_PRIVATE, ESCAPED, "Laplace", "random: 27 %"} <= set(sentences)
    assert "here" not in sentences, "a word of the other panel"
    assert palette()["accent"][0].lower() in text.lower() or "rgb(208, 16, 58)" in text


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
    assert complaints == [path.as_uri()]
    context.close()
