"""Every page opens in a real browser, wide and narrow, light and dark, without a complaint."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE, WIDE, OpenPage, settled


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_explore_draws_its_charts(open_page: OpenPage, size: tuple[int, int], scheme: str) -> None:
    page = open_page("/", size=size, scheme=scheme)
    settled(page)
    # The first paint of a machine that was halted has one point; the next ones have the others.
    page.wait_for_function(
        "[...document.querySelectorAll('.dpca-kept .dpca-curves path')]"
        ".some(path => path.getBoundingClientRect().width > 100)"
    )


@pytest.mark.parametrize(
    "path", ["/compare", "/eigengap", "/sample_size", "/local", "/data", "/claims", "/proofs"]
)
def test_page_opens(open_page: OpenPage, path: str) -> None:
    page = open_page(path)
    page.wait_for_function(
        "document.querySelector('[data-testid=stMainBlockContainer]')?.innerText.trim()",
        timeout=20_000,
    )


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize(
    "path", ["/", "/compare", "/eigengap", "/sample_size", "/local", "/data", "/claims", "/proofs"]
)
def test_nothing_is_wider_than_the_screen(
    open_page: OpenPage, path: str, size: tuple[int, int]
) -> None:
    page = open_page(path, size=size)
    if path == "/":
        settled(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_nothing_is_loaded_from_elsewhere(open_page: OpenPage, address: str) -> None:
    page = open_page("/")
    loaded = page.evaluate("performance.getEntriesByType('resource').map(entry => entry.name)")
    own = (address, address.replace("http", "ws"), "data:", "blob:")
    assert [url for url in loaded if not url.startswith(own)] == []


def test_the_first_page_answers_to_its_name_too(open_page: OpenPage) -> None:
    page = open_page("/explore?epsilon=0.5")
    settled(page)
    expect(page.get_by_text("Page not found")).to_have_count(0)
    assert "epsilon=0.5" in page.url
