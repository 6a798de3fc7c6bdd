"""A stakeholder with one page: made from Explore, on one sheet, on a phone, as a file offline."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from dpca_core.analysis.order_statistics import fewest
from tests.browser.conftest import PHONE, WIDE, OpenPage, resize, settled
from tests.browser.saved_pdf import sheets
from tests.browser.test_every_page import scroll_width
from tests.built_in_sets import QUICK_SETS, loaded
from tests.cases import sampled
from tests.ui.summary.summaries import frozen, measured, query, shown
from ui.summary import measurements
from ui.summary.one_page import file_text

FEWEST = fewest(0.9)
NUMBERS = (2, 3, 5)
"""Numbers of directions that are printed."""


def test_a_stakeholder_gets_one_page_that_stays_as_it_was_made(
    open_page: OpenPage, tmp_path: Path
) -> None:
    """Of RAND at k = 5: five rows of patterns, with the longest words."""
    page = open_page("/explore?data=rand&k=5&epsilon=2", size=PHONE, stranger=True)
    settled(page)
    summary = page.get_by_role("button", name="Summary", exact=True)
    summary.click()
    chosen = page.locator(".op-setting.is-chosen h3")
    expect(chosen).to_contain_text("2")
    assert page.evaluate("document.querySelector('.stMain').scrollWidth") <= PHONE[0]
    lefts = page.locator(".op-setting").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().left)"
    )
    assert len(set(lefts)) == 1
    expect(page.locator(".op-labels")).to_be_hidden()
    resize(page, WIDE)
    expect(page.locator(".op-labels")).to_be_visible()
    assert sheets(page) == 1
    page.evaluate("window.print = () => { window.asked = true; }")
    page.get_by_role("button", name="Print").click()
    page.wait_for_function("window.asked")
    page.get_by_role("button", name="← Explore").click()
    settled(page)
    page.locator('[data-part="handle"]').press("ArrowRight")
    expect(page).to_have_url(re.compile("epsilon=3"))
    summary.click()
    expect(page.get_by_text("Settings have changed")).to_be_visible()
    expect(chosen).to_contain_text("2")
    page.get_by_role("button", name="Update").click()
    expect(chosen).to_contain_text("3")
    expect(page.get_by_text("Settings have changed")).to_be_hidden()
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
    assert sheets(page) == 1
    resize(page, PHONE)
    assert scroll_width(page) <= PHONE[0]


@pytest.mark.parametrize("key", sampled(QUICK_SETS, len(QUICK_SETS), "the same for every set"))
def test_its_file_prints_on_one_sheet(
    browser: Browser, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of few releases: how many there are changes no more than a digit or a level."""
    monkeypatch.setattr(measurements, "RELEASES_JUDGED", FEWEST)
    page, data = browser.new_page(), loaded(key)
    for k in NUMBERS:
        found = measured(data, query(data, k, 2.0))
        page.set_content(file_text(frozen(found), found, shown(found)))
        assert sheets(page) == 1, k
    page.close()
