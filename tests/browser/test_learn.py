"""A teacher's way through a lesson: predict, then see; by keys and mouse, for a room, on paper."""

import re
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, SCHEMES, OpenPage, resize, settled, switch_scheme
from tests.browser.saved_pdf import sheets
from tests.browser.test_every_page import AXE, ROOM_SIZES, VIOLATIONS, presented, scroll_width
from tests.cases import sampled
from ui.learn.registry import LESSONS

MOVED = """() => ['control', 'told'].map(name =>
  document.querySelector(`.dpca-lesson [data-part="${name}"]`).getBoundingClientRect().top)"""
MOST_MOVED = 2
"""Pixels; what is rounded differently."""
CUT_OFF = """
() => [
  ...[".dpca-tell", ".dpca-why"].filter((part) => {
    const node = document.querySelector(`.dpca-learn ${part}`);
    const { bottom } = node.getBoundingClientRect();
    return !node.textContent.trim() || bottom > innerHeight
      || bottom > node.closest(".dpca-told").getBoundingClientRect().bottom + 1;
  }),
  ...[...document.querySelectorAll(
    ".dpca-pictures svg:not(.main-svg), .dpca-pictures :is(.xtitle, .xtick)",
  )].filter((drawn) => {
    const room = drawn.closest(".dpca-pictures").getBoundingClientRect();
    return drawn.getBoundingClientRect().bottom > room.bottom + 1;
  }).map((drawn) => drawn.outerHTML.slice(0, 80)),
]
"""


def part(page: Page, name: str):
    """Return a part of the lesson that is shown."""
    return page.locator(f'.dpca-lesson [data-part="{name}"]')


def test_a_teacher_goes_through_a_lesson(open_page: OpenPage) -> None:
    page = open_page("/learn")
    settled(page)
    page.get_by_role("button", name=re.compile("Noise against the gap")).click()
    expect(part(page, "question")).to_contain_text("Publish three directions")
    nothing_is_told_before_a_guess(page)
    a_guess_on_the_picture_is_dragged_and_stays(page)
    page.keyboard.press("ArrowRight")
    expect(part(page, "handle")).to_have_attribute("aria-valuetext", "ε = 0.2")
    expect(page).to_have_url(re.compile("epsilon=0.2"))
    page.keyboard.press("n")
    expect(part(page, "notes")).to_be_visible()
    expect(page).to_have_url(re.compile("notes=1"))
    page.get_by_role("button", name=re.compile("^6 →")).click()
    expect(part(page, "question")).to_contain_text("Both promise")
    expect(part(page, "answer")).to_be_empty()
    page.get_by_role("button", name="Show the answer").click()
    expect(part(page, "answer")).not_to_be_empty()
    page.get_by_role("button", name="All lessons").click()
    expect(page.get_by_label("told in this session", exact=True)).to_have_count(2)
    page.goto(urljoin(page.url, "/learn?print=1"))
    settled(page)
    for pages in (2, 1):
        expect(page.locator(".handout-page")).to_have_count(pages)
        assert sheets(page) == pages
        page.get_by_text("Answers", exact=True).first.click()


def nothing_is_told_before_a_guess(page: Page) -> None:
    """And the answer moves nothing; the control is still until then."""
    expect(part(page, "answer")).to_be_empty()
    expect(page.locator(".dpca-choice small").first).to_be_empty()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("a")
    expect(page.get_by_role("radio", checked=True)).to_contain_text("About the same")
    expect(part(page, "handle")).to_have_attribute("aria-valuetext", "ε = 0.1")
    assert "told" not in page.url


def a_guess_on_the_picture_is_dragged_and_stays(page: Page) -> None:
    needle = page.locator(".dpca-guess")
    start = int(needle.get_attribute("aria-valuenow") or 0)
    needle.press("ArrowRight")
    expect(needle).to_have_attribute("aria-valuetext", f"{start + 1}°")
    place = needle.locator("circle").bounding_box()
    assert place is not None
    page.mouse.move(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    page.mouse.down()
    page.mouse.move(place["x"] - 20, place["y"] - 120)
    page.mouse.up()
    said = needle.get_attribute("aria-valuetext")
    assert said != f"{start + 1}°"
    before = page.evaluate(MOVED)
    page.keyboard.press(" ")
    expect(part(page, "answer")).to_contain_text("instead of")
    expect(part(page, "said")).to_contain_text("Answer C")
    expect(page.locator(".dpca-choice small").first).not_to_be_empty()
    expect(page.locator(".dpca-choice.dpca-chosen i")).to_have_text("your guess")
    assert page.evaluate(MOVED) == pytest.approx(before, abs=MOST_MOVED)
    expect(page).to_have_url(re.compile("told=1"))
    expect(needle).to_have_attribute("aria-valuetext", str(said))


@pytest.mark.parametrize("key", sampled(tuple(LESSONS), len(LESSONS), "the same for every lesson"))
def test_a_lesson_on_a_phone_for_readers_of_screens_and_whole_in_a_room(
    open_page: OpenPage, key: str
) -> None:
    page = open_page(f"/learn?lesson={key}&told=1&notes=1", size=PHONE)
    settled(page)
    expect(part(page, "answer")).not_to_be_empty()
    assert scroll_width(page) <= PHONE[0]
    page.evaluate(AXE)
    for scheme in SCHEMES:
        switch_scheme(page, scheme)
        assert page.evaluate(VIOLATIONS) == [], scheme
    page.goto(urljoin(page.url, f"/learn?lesson={key}&present=1"))
    presented(page)
    page.keyboard.press("Space")
    expect(page.locator(".dpca-learn .dpca-why")).to_be_visible()
    for size in ROOM_SIZES:
        resize(page, size)
        assert page.evaluate(CUT_OFF) == [], (key, size)
