"""All mechanisms in a real browser: read anywhere along the axis, and taken away."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import MEASURED, PHONE, WIDE, OpenPage, at_rest, resize
from tests.browser.test_every_page import scroll_width
from ui.page.files import NOT_PRIVATE

PAGE = ".dpca-page"


def test_mechanisms_are_compared_and_taken_away(open_page: OpenPage, tmp_path: Path) -> None:
    """One page for all of it: opening it takes longest."""
    page = open_page("/compare?data=wine&k=1&mechanisms=gaussian,laplace&trials=20", stranger=True)
    expect(page.get_by_role("button", name="Numbers (CSV)")).to_be_enabled(timeout=MEASURED)
    at_rest(page)
    page.get_by_role("slider", name="Where the charts are read").press("End")
    expect(page.locator("h1").first).to_contain_text("ε\u00a0=\u00a0100")
    expect(page.locator(f"{PAGE} h2", has_text="Ranking at")).to_contain_text("100")
    page.wait_for_url("**epsilon=100&**")
    a_row_selects_its_mechanism(page)
    the_page_in_one_file_draws_without_a_network(page, tmp_path)
    numbers_and_script_are_marked(page)
    resize(page, PHONE)
    assert scroll_width(page) <= PHONE[0]
    resize(page, WIDE)
    page.get_by_role("radio", name="along δ", exact=True).click()
    page.wait_for_url("**axis=delta**")


def a_row_selects_its_mechanism(page: Page) -> None:
    row = page.locator(".dpca-row", has_text="Laplace").first
    row.click()
    page.wait_for_url("**mechanism=laplace**")
    expect(row).to_have_attribute("aria-pressed", "true")


def numbers_and_script_are_marked(page: Page) -> None:
    for name, start in (
        ("Numbers (CSV)", f"# {NOT_PRIVATE}\nmechanism,epsilon"),
        ("Python script", f'# {NOT_PRIVATE}\n"""'),
    ):
        with page.expect_download() as download:
            page.get_by_role("button", name=name, exact=True).click()
        assert download.value.path().read_text("utf-8").startswith(start)


def the_page_in_one_file_draws_without_a_network(page: Page, folder: Path) -> None:
    """Its tables hold what is drawn, and nothing in it leads out."""
    with page.expect_download() as download:
        page.get_by_role("button", name="Page (HTML)", exact=True).click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    asked, complaints = list[str](), list[str]()
    browser = page.context.browser
    assert browser is not None
    with browser.new_context(offline=True) as context:
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(path.as_uri())
        expect(page.get_by_text(NOT_PRIVATE, exact=True)).to_be_visible()
        page.locator(".js-plotly-plot .scatterlayer").first.wait_for()
        drawn = page.evaluate(
            "[...document.querySelectorAll('.js-plotly-plot')].map(one =>"
            " [...one.data.find(t => t.meta === 'gaussian' && !t.fill).y])"
        )
        _, *tables = page.locator("table").all()
        for table, medians in zip(tables, drawn, strict=True):
            heads = table.locator("th").all_inner_texts()
            cells = table.locator(f"tr td:nth-child({heads.index('Gaussian') + 1})")
            found = [float(cell) for cell in cells.all_inner_texts()]
            assert found == pytest.approx(medians, rel=1e-3)
    assert complaints == []
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
