"""A stakeholder with one page: a view of Explore, on one sheet, on a phone, as a file offline."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from dpca_core.analysis.order_statistics import fewest
from tests.browser.conftest import PHONE, WIDE, OpenPage, resize
from tests.browser.saved_pdf import sheets
from tests.browser.test_every_page import scroll_width
from tests.built_in_sets import QUICK_SETS, loaded
from tests.cases import sampled
from tests.ui.explore.sheets import MADE, measured, worded
from ui.explore import reliability
from ui.explore.sheet import markup

NUMBERS = (2, 3, 5)
"""Numbers of directions that are printed."""


def test_a_stakeholder_gets_one_page(open_page: OpenPage, tmp_path: Path) -> None:
    """Of RAND at k = 5: five rows of patterns, with the longest words."""
    page = open_page("/summary?data=rand&k=5&epsilon=2", size=PHONE, stranger=True)
    first = page.locator(".op-setting").first
    expect(page.locator(".one-page h1")).to_contain_text("ε\u00a0=\u00a02 all five patterns")
    assert "view=page" in page.url
    tops = page.locator(".op-setting").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().top)"
    )
    assert tops[1] == min(tops)
    expect(first.locator(".op-dots")).to_be_hidden()
    assert page.evaluate("document.querySelector('.stMain').scrollWidth") <= PHONE[0]
    resize(page, WIDE)
    expect(first.locator(".op-dots")).to_be_visible()
    assert sheets(page) == 1
    page.evaluate("window.print = () => { window.asked = true; }")
    page.get_by_role("button", name="Print").click()
    page.wait_for_function("window.asked")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as HTML").first.click()
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    requested = list[str]()
    page.on("request", lambda request: requested.append(request.url))
    page.context.set_offline(True)
    page.goto(path.as_uri())
    expect(page.locator("h1")).to_contain_text("one of the 5,912 people is in the data")
    assert requested == [path.as_uri()]
    assert sheets(page) == 1
    resize(page, PHONE)
    assert scroll_width(page) <= PHONE[0]


@pytest.mark.parametrize("key", sampled(QUICK_SETS, len(QUICK_SETS), "the same for every set"))
def test_its_file_prints_on_one_sheet(
    browser: Browser, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of few releases: how many there are changes no more than a digit or a level."""
    monkeypatch.setattr(reliability, "RELEASES_JUDGED", fewest(0.9))
    page, data = browser.new_page(), loaded(key)
    for k in NUMBERS:
        found = measured(data, k, 2.0)
        page.set_content(markup(found, worded(found), MADE, file=True))
        assert sheets(page) == 1, k
    page.close()
