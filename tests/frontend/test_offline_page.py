"""A comparison's page in one file draws in a browser that has no network."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from dpca_core import MECHANISMS, Adjacency
from dpca_core.release.csv_file import NOT_PRIVATE
from sample_data import load_key
from ui.compare.export import comparison_html
from ui.compare.figures import page_content
from ui.compare.measurements import Comparison, ReleaseCache
from ui.compare.query import CompareQuery


@pytest.fixture(scope="module")
def exported() -> str:
    """The page of a small comparison along k."""
    mechanisms = (MECHANISMS["gaussian"], MECHANISMS["laplace"])
    relation = Adjacency.ADD_OR_REMOVE_ONE
    query = CompareQuery(mechanisms, "k", 0.5, 1e-6, 178.0, 1, relation, 0, 20, False)
    comparison = Comparison(load_key("wine"), query, ReleaseCache())
    while not comparison.complete:
        comparison.advance(1)
    content = page_content(comparison, 0.9, identity="x", axis_value=3.0, file=None)
    return comparison_html(comparison, content).text


@pytest.fixture
def offline_page(browser_page: Page, exported: str, tmp_path: Path) -> Iterator[Page]:
    """That page, opened from a file; whatever it complains about or asks for fails the test."""
    file = tmp_path / "dpca-compare.html"
    file.write_text(exported, "utf-8")
    browser = browser_page.context.browser
    assert browser is not None
    context = browser.new_context(offline=True)
    page, complaints = context.new_page(), list[str]()
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("requestfailed", lambda request: complaints.append(request.url))
    page.on(
        "request",
        lambda request: (
            complaints.append(request.url)
            if not request.url.startswith(("file:", "data:"))
            else None
        ),
    )
    page.goto(file.as_uri())
    yield page
    context.close()
    assert complaints == []


def test_it_draws_reads_off_and_is_marked(offline_page: Page) -> None:
    offline_page.wait_for_selector('.dpca-compare[data-ready="true"]', timeout=5000)
    expect(offline_page.get_by_text(NOT_PRIVATE, exact=True)).to_be_visible()
    curves = offline_page.locator(".dpca-of-captured .dpca-curves path[stroke]")
    assert curves.count() == 2
    assert all((box := path.bounding_box()) and box["width"] > 300 for path in curves.all())
    names = offline_page.locator(".dpca-of-captured .dpca-names span").all_inner_texts()
    assert "Gaussian" in " ".join(names)
    answer, reader = offline_page.locator(".dpca-answer"), offline_page.get_by_role("slider")
    before = answer.inner_text()
    reader.press("ArrowRight")
    expect(reader).to_have_attribute("aria-valuetext", "k\u00a0=\u00a04")
    expect(answer).not_to_have_text(before)
    assert offline_page.locator("button.dpca-row").count() == 2


def test_its_styles_apply(offline_page: Page) -> None:
    row = offline_page.locator("button.dpca-row").first
    assert row.evaluate("node => getComputedStyle(node).display") == "grid"
    answer = offline_page.locator(".dpca-answer")
    assert answer.evaluate("node => getComputedStyle(node).fontSize") == "28px"
