"""A teacher's way through a lesson: predict, then see; by keys and mouse, for a room, on paper."""

import re
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, OpenPage, at_rest, resize
from tests.browser.saved_pdf import sheets
from tests.browser.test_every_page import PRESENTED, ROOM_SIZES, is_read_aloud, scroll_width
from tests.cases import sampled
from ui.learn.lesson import LESSONS

WHOLE = """() => ![...document.querySelectorAll(
  '.st-key-learn :is(h1, h2, p, label, button, .js-plotly-plot)')].filter(node => {
  const {width, right, bottom} = node.getBoundingClientRect();
  return width && node.checkVisibility({visibilityProperty: true})
    && (right > innerWidth + 1 || bottom > innerHeight + 1);
}).length"""
"""Whether nothing of a lesson stands outside the screen."""


def part(page: Page, name: str):
    """Return a part of the lesson that is shown."""
    return page.locator(f".st-key-learn-{name}")


def arrived(page: Page) -> None:
    """Wait until the answer is there, seen or not, and everything is drawn."""
    expect(part(page, "told")).to_be_attached()
    at_rest(page)


def test_a_teacher_goes_through_a_lesson(open_page: OpenPage) -> None:
    page = open_page("/learn")
    page.get_by_role("button", name=re.compile("Noise against the gap")).click()
    expect(page.locator("h1")).to_contain_text("Publish three directions")
    expect(page).to_have_title(re.compile("^Lesson 7 · Noise against the gap · Learn"))
    arrived(page)
    # Nothing is told to the eye, to a reader of the screen, or to the page's search.
    expect(part(page, "told").locator("h2")).to_be_hidden()
    lesson = page.locator(".st-key-learn")
    assert "instead of 1" not in lesson.inner_text()
    assert "hard to tell from" not in lesson.aria_snapshot()
    assert not page.evaluate("find('hard to tell from the fourth')")
    page.keyboard.press("c")
    expect(page.get_by_role("radio", checked=True)).to_have_value("2")
    page.keyboard.press(" ")
    expect(part(page, "told").locator("h2")).to_contain_text("instead of")
    expect(part(page, "asked")).to_be_hidden()
    expect(page).to_have_url(re.compile("told=1"))
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("epsilon=0.2"))
    page.get_by_text("One more:").click()
    expect(part(page, "more-told")).to_contain_text("all is well again")
    page.keyboard.press(" ")
    expect(page).to_have_url(re.compile("seed=1"))
    expect(part(page, "more-told")).to_contain_text("all is well again")
    page.keyboard.press("n")
    expect(part(page, "teacher")).to_contain_text("Purpose")
    page.get_by_role("button", name="8 →").click()
    expect(page.locator("h1")).to_contain_text("Both mechanisms promise")
    main = page.get_by_test_id("stMain")
    assert main.evaluate("node => node.scrollTop") == 0, "its question is seen first"
    expect(part(page, "told")).to_be_hidden()
    page.get_by_role("button", name="All lessons").click()
    expect(page.get_by_text("done", exact=False).first).to_be_visible()


def fits_a_room(page: Page) -> None:
    for size in ROOM_SIZES:
        resize(page, size)
        page.wait_for_function(WHOLE)


def test_its_sheets_print_on_a_page_each(open_page: OpenPage) -> None:
    for query, pages in (("", 2), ("&answers=0", 1), ("&cards=1", 3)):
        page = open_page(f"/learn?print=1{query}")
        expect(page.locator(".st-key-learn h1").first).to_be_visible()
        at_rest(page)
        assert sheets(page) == pages


@pytest.mark.parametrize("key", sampled(LESSONS, len(LESSONS), "the same for every lesson"))
def test_a_lesson_on_a_phone_for_readers_of_screens_and_whole_in_a_room(
    open_page: OpenPage, key: str
) -> None:
    page = open_page(f"/learn?lesson={key}&told=1&notes=1", size=PHONE)
    arrived(page)
    assert scroll_width(page) <= PHONE[0]
    is_read_aloud(page)
    page.goto(urljoin(page.url, f"/learn?lesson={key}&present=1"))
    expect(page.locator(PRESENTED)).to_be_attached()
    arrived(page)
    fits_a_room(page)
    page.keyboard.press("PageDown")
    expect(part(page, "told").locator("h2")).to_be_visible()
    at_rest(page)
    fits_a_room(page)
