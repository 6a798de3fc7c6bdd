"""The Local page in a real browser: records, reports and errors, wide and narrow."""

from playwright.sync_api import expect

from tests.browser.conftest import PHONE, SCHEMES, WIDE, OpenPage, resize, switch_scheme

COMPLETE = '.dpca-sheets[data-complete="true"]'


def test_errors_are_drawn(open_page: OpenPage) -> None:
    page = open_page("/local?repetitions=5", size=PHONE, scheme="dark")
    page.wait_for_selector(COMPLETE)
    for size in (PHONE, WIDE):
        resize(page, size)
        for shown in SCHEMES:
            switch_scheme(page, shown)
            page.wait_for_selector(COMPLETE)
            lines = page.locator(".dpca-sheet-local-n .js-plotly-plot .scatterlayer .js-line")
            page.locator(".dpca-sheet-local-n").scroll_into_view_if_needed()
            expect(lines).to_have_count(6)
            assert page.locator(".dpca-sheet-record image").count() == 4
            said = page.locator(".dpca-answer").inner_text()
            assert "no better than random directions" in said
            assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_a_record_of_an_image_is_shown_as_one(open_page: OpenPage) -> None:
    page = open_page("/local?source=data&data=digits&repetitions=5")
    page.wait_for_selector(COMPLETE)
    record = page.locator(".dpca-sheet-record")
    assert record.locator("image").count() == 8
    with page.expect_download() as download:
        record.get_by_text("PNG", exact=True).click()
    assert download.value.path().read_bytes().startswith(b"\x89PNG")
