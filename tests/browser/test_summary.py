"""The summary in a real browser: on one sheet, on a phone, and as a file opened offline."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from dpca_core.analysis.order_statistics import fewest
from tests.browser.conftest import PHONE, WIDE, OpenPage, resize, settled
from tests.built_in_sets import QUICK_SETS, loaded
from tests.ui.summary.summaries import frozen, measured, query, shown
from ui.summary import measurements
from ui.summary.one_page import file_text

SHEET = ".one-page"
FEWEST = fewest(0.9)
NUMBERS = (2, 3, 5)
"""Numbers of directions that are printed."""
TALLEST = "?data=rand&k=5&epsilon=2"
"""Five rows of patterns, with the longest words."""
FITS = "() => document.documentElement.scrollWidth <= innerWidth"


def pages(pdf: bytes) -> int:
    """Count the pages of a PDF that Chromium wrote: their objects are not packed."""
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf))


def printed(page: Page) -> int:
    return pages(page.pdf(prefer_css_page_size=True))


def test_pages_are_counted() -> None:
    assert pages(b"/Type /Pages /Kids [] /Type /Page\n/Type/Page>>") == 2


@pytest.mark.parametrize("query", [TALLEST, "?data=chaudhuri&k=1&epsilon=2"])
def test_it_prints_on_one_sheet(open_page: OpenPage, query: str) -> None:
    page = open_page(f"/summary{query}")
    expect(page.locator(SHEET)).to_be_visible()
    assert printed(page) == 1


@pytest.mark.parametrize("key", QUICK_SETS)
def test_its_file_prints_on_one_sheet(
    browser: Browser, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of few releases: how many there are changes no more than a digit or a level."""
    monkeypatch.setattr(measurements, "RELEASES_JUDGED", FEWEST)
    page, data = browser.new_page(), loaded(key)
    for k in NUMBERS:
        found = measured(data, query(data, k, 2.0))
        page.set_content(file_text(frozen(found), found, shown(found)))
        assert printed(page) == 1, k
    page.close()


def test_a_phone_shows_one_column(open_page: OpenPage) -> None:
    page = open_page(f"/summary{TALLEST}", size=PHONE)
    expect(page.locator(SHEET)).to_be_visible()
    assert page.evaluate("document.querySelector('.stMain').scrollWidth") <= PHONE[0]
    lefts = page.locator(".op-setting").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().left)"
    )
    assert len(set(lefts)) == 1
    expect(page.locator(".op-labels")).to_be_hidden()
    resize(page, WIDE)
    expect(page.locator(".op-labels")).to_be_visible()


def test_the_file_opens_offline(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page(f"/summary{TALLEST}", stranger=True)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as HTML").first.click()
    assert download.value.suggested_filename == "dpca-summary.html"
    path = tmp_path / "summary.html"
    download.value.save_as(path)
    assert path.stat().st_size <= 60_000
    requested = list[str]()
    page.on("request", lambda request: requested.append(request.url))
    page.context.set_offline(True)
    page.goto(path.as_uri())
    expect(page.locator("h1")).to_contain_text("What we could publish about 5,912 people")
    assert requested == [path.as_uri()]
    assert printed(page) == 1
    resize(page, PHONE)
    assert page.evaluate(FITS)


def test_explore_leads_to_it_and_it_stays_as_it_was_made(open_page: OpenPage) -> None:
    page = open_page("/explore?data=chaudhuri&epsilon=0.5")
    settled(page)
    page.get_by_role("button", name="Summary", exact=True).click()
    chosen = page.locator(".op-setting.is-chosen h3")
    expect(chosen).to_contain_text("0.5")
    page.get_by_role("button", name="← Explore").click()
    settled(page)
    page.locator('[data-part="handle"]').press("ArrowRight")
    expect(page).to_have_url(re.compile("epsilon=0.7"))
    page.get_by_role("button", name="Summary", exact=True).click()
    expect(page.get_by_text("Settings have changed")).to_be_visible()
    expect(chosen).to_contain_text("0.5")
    page.get_by_role("button", name="Update").click()
    expect(chosen).to_contain_text("0.7")
    expect(page.get_by_text("Settings have changed")).to_be_hidden()


def test_print_is_a_button(open_page: OpenPage) -> None:
    page = open_page("/summary?data=chaudhuri")
    expect(page.locator(SHEET)).to_be_visible()
    page.evaluate("window.print = () => { window.asked = true; }")
    page.get_by_role("button", name="Print").click()
    assert page.evaluate("window.asked") is True


def test_a_phone_finds_it_on_explore(open_page: OpenPage) -> None:
    page = open_page("/?data=chaudhuri", size=PHONE)
    settled(page)
    page.get_by_role("button", name="Summary", exact=True).click()
    expect(page.locator(SHEET)).to_be_visible()
