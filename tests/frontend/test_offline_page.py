"""A comparison's page in one file draws in a browser that has no network."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from dpca_core import MECHANISMS, Adjacency
from dpca_core.example_release.csv_file import NOT_PRIVATE
from sample_data import load_key
from ui.compare.export import comparison_html
from ui.compare.figures import page_content
from ui.compare.measurements import Comparison, ReleaseCache
from ui.compare.query import CompareQuery
from ui.compare.text import TITLES


def exported() -> str:
    """Return the page of a small comparison along k."""
    mechanisms = (MECHANISMS["gaussian"], MECHANISMS["laplace"])
    relation = Adjacency.ADD_OR_REMOVE_ONE
    query = CompareQuery(mechanisms, "k", 0.5, 1e-6, 178.0, 1, relation, 0, 20, False)
    comparison = Comparison(load_key("wine"), query, ReleaseCache())
    while not comparison.complete:
        comparison.advance(1)
    content = page_content(comparison, 0.9, identity="x", axis_value=3.0, lit="gaussian")
    return comparison_html(comparison, content).text


@pytest.fixture
def offline_page(browser_page: Page, tmp_path: Path) -> Iterator[Page]:
    """That page, opened from a file; whatever it complains about or asks for fails the test."""
    file = tmp_path / "dpca-compare.html"
    file.write_text(exported(), "utf-8")
    browser = browser_page.context.browser
    assert browser is not None
    page, complaints, asked = (context := browser.new_context(offline=True)).new_page(), [], []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("requestfailed", lambda request: complaints.append(request.url))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    yield page
    context.close()
    assert complaints == []
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []


def test_it_draws_is_marked_and_nothing_in_it_leads_out(offline_page: Page) -> None:
    page = offline_page
    page.wait_for_selector(".js-plotly-plot .scatterlayer")
    expect(page.get_by_text(NOT_PRIVATE, exact=True)).to_be_visible()
    for panel in (".xy", ".xy2"):
        curves = page.locator(f"{panel} .scatterlayer .trace:not(:has(.js-fill)) path.js-line")
        wide = [box["width"] for path in curves.all() if (box := path.bounding_box())]
        assert len([width for width in wide if width > 300]) == 3  # two mechanisms and chance
    words = page.locator(".annotation-text").all_text_contents()
    assert {"Gaussian", "Laplace"} <= set(words)
    assert TITLES["captured"] in " ".join(words)
    page.locator(".js-plotly-plot").hover()
    buttons = page.locator(".modebar-btn").evaluate_all("all => all.map(one => one.dataset.title)")
    assert buttons
    assert not [title for title in buttons if "hare" in title or "loud" in title]
    assert page.locator("a[href^=http]").count() == 0
    its_tables_hold_what_is_drawn(page)
    for width in (360, 1440):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def its_tables_hold_what_is_drawn(page: Page) -> None:
    ranking, captured, sines = page.locator("table").all()
    assert ranking.locator("tr").count() == 3
    expect(ranking).to_contain_text("PROVED")
    drawn = page.evaluate(
        "[...document.querySelector('.js-plotly-plot').data].filter((t) => t.meta === 'gaussian')"
        ".map((t) => [...t.y])"
    )
    for table, medians in zip((captured, sines), drawn, strict=True):
        cells = table.locator("tr td:nth-child(2)").all_inner_texts()
        assert [float(cell) for cell in cells] == pytest.approx(medians, rel=1e-3)
