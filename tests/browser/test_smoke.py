"""Every page opens in a real browser, wide and narrow, light and dark, without a complaint."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import (
    PHONE,
    WIDE,
    OpenPage,
    Scheme,
    resize,
    settled,
    switch_scheme,
)
from ui.text.product import HELP_LABEL, PRODUCT_NAME, PURPOSE


@pytest.mark.parametrize(
    ("size", "scheme", "other"),
    [(WIDE, "light", "dark"), (PHONE, "dark", "light")],
    ids=["wide", "phone"],
)
def test_explore_draws_its_charts(
    open_page: OpenPage, size: tuple[int, int], scheme: Scheme, other: Scheme
) -> None:
    page = open_page("/", size=size, scheme=scheme)
    for shown in (scheme, other):
        switch_scheme(page, shown)
        settled(page)
        # The first paint of a machine that was halted has one point; the next ones have the others.
        page.wait_for_function(
            "[...document.querySelectorAll('.dpca-left .scatterlayer path.js-line')]"
            ".some(path => path.getBoundingClientRect().width > 100)"
        )


@pytest.mark.parametrize(
    "path", ["/", "/compare", "/eigengap", "/sample_size", "/local", "/data", "/claims", "/proofs"]
)
def test_page_opens_and_is_never_wider_than_the_screen(open_page: OpenPage, path: str) -> None:
    page = open_page(path, size=PHONE)
    if path == "/":
        settled(page)
    page.wait_for_function(
        "document.querySelector('[data-testid=stMainBlockContainer]')?.innerText.trim()"
    )
    assert width(page) <= PHONE[0]
    product = page.locator(".st-key-product")
    expect(product).to_contain_text(PRODUCT_NAME)
    expect(product.get_by_role("button", name=HELP_LABEL)).to_be_in_viewport()
    resize(page, WIDE)
    assert width(page) <= WIDE[0]
    expect(page.get_by_text(PURPOSE, exact=True)).to_be_in_viewport()
    # Out of the flow: name and help move nothing on the page.
    assert "fixed" in product.evaluate(
        "found => [found, found.parentElement].map(each => getComputedStyle(each).position)"
    )


def width(page: Page) -> int:
    found: int = page.evaluate("document.documentElement.scrollWidth")
    return found


def test_the_first_page_answers_to_its_name_too_and_loads_nothing_from_elsewhere(
    open_page: OpenPage, address: str
) -> None:
    page = open_page("/explore?epsilon=0.5")
    settled(page)
    expect(page.get_by_text("Page not found")).to_have_count(0)
    assert "epsilon=0.5" in page.url
    loaded = page.evaluate("performance.getEntriesByType('resource').map(entry => entry.name)")
    own = (address, address.replace("http", "ws"), "data:", "blob:")
    assert len(loaded) > 10
    assert [url for url in loaded if not url.startswith(own)] == []
