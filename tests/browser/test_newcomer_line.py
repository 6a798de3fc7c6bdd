"""The line that leads newcomers from Explore to the lessons."""

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import WIDE, OpenPage, go_to, resize, settled

WIDTHS = (390, 1000, 1440, 1600, 1920)


def line(page: Page) -> Locator:
    return page.locator(".st-key-newcomer")


def test_it_moves_nothing_and_stays_away_once_dismissed(open_page: OpenPage) -> None:
    page = open_page("/")
    settled(page)
    expect(line(page)).to_be_visible()
    for width in WIDTHS:
        resize(page, (width, 900))
        found = line(page).bounding_box()
        others = (".st-key-tools", ".st-key-product", "[data-testid=stTopNav] > div")
        for other in page.locator(", ".join(others)).all():
            at = other.bounding_box()
            if found and at and at["width"]:
                right = found["x"] >= at["x"] + at["width"]
                left = at["x"] >= found["x"] + found["width"]
                below = found["y"] >= at["y"] + at["height"]
                assert right or left or below, (width, found, at)
    resize(page, WIDE)
    top = page.locator(".dpca-answer").evaluate("node => node.getBoundingClientRect().top")
    line(page).get_by_role("button").click()
    expect(line(page)).to_have_count(0)
    settled(page)
    page.wait_for_function(
        "top => document.querySelector('.dpca-answer').getBoundingClientRect().top === top", arg=top
    )
    go_to(page, "Proofs")
    page.wait_for_url("**/proofs*")
    go_to(page, "Explore")
    settled(page)
    expect(line(page)).to_have_count(0)


def test_it_leads_to_the_lessons(open_page: OpenPage) -> None:
    page = open_page("/")
    settled(page)
    line(page).get_by_role("link").click()
    page.wait_for_url("**/learn*")


def test_a_link_with_settings_has_none(open_page: OpenPage) -> None:
    page = open_page("/?k=3")
    settled(page)
    expect(line(page)).to_have_count(0)
