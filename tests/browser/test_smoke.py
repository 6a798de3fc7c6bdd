"""The first page opens by its name in a real browser, wide and narrow, light and dark."""

from playwright.sync_api import expect

from tests.browser.conftest import (
    PHONE,
    SCHEMES,
    WIDE,
    OpenPage,
    resize,
    settled,
    switch_scheme,
)


def test_explore_draws_its_charts(open_page: OpenPage) -> None:
    page = open_page("/explore?epsilon=0.5", size=PHONE, scheme="dark")
    for size in (PHONE, WIDE):
        resize(page, size)
        for shown in SCHEMES:
            switch_scheme(page, shown)
            settled(page)
            # The first paint of a machine that was halted has one point; the next have the others.
            page.wait_for_function(
                "[...document.querySelectorAll('.dpca-page .scatterlayer path.js-line')]"
                ".some(path => path.getBoundingClientRect().width > 100)"
            )
    expect(page.get_by_text("Page not found")).to_have_count(0)
    assert "epsilon=0.5" in page.url
