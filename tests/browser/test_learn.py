"""Learn in a browser: predict, then see; by keys, on a phone, on paper, for readers of screens."""

import re
from importlib.resources import files
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, SCHEMES, OpenPage, settled, switch_scheme
from ui.learn.registry import LESSONS

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
VIOLATIONS = """() => axe.run('.dpca-learn', {resultTypes: ['violations']}).then(found =>
  found.violations.filter(({impact}) => impact !== 'minor')
  .map(({id, nodes}) => `${id}: ${nodes[0].target} (${nodes.length})`))"""
MOVED = """() => ['control', 'told'].map(name =>
  document.querySelector(`.dpca-lesson [data-part="${name}"]`).getBoundingClientRect().top)"""
MOST_MOVED = 2
"""Pixels; what is rounded differently."""


def part(page: Page, name: str):
    """Return a part of the lesson that is shown."""
    return page.locator(f'.dpca-lesson [data-part="{name}"]')


def test_the_answer_comes_after_a_guess_and_moves_nothing(open_page: OpenPage) -> None:
    page = open_page("/learn?lesson=gap")
    settled(page)
    expect(part(page, "answer")).to_be_empty()
    expect(page.locator(".dpca-choice small").first).to_be_empty()
    before = page.evaluate(MOVED)
    page.keyboard.press("a")
    expect(page.get_by_role("radio", checked=True)).to_contain_text("About the same")
    assert "told" not in page.url
    page.keyboard.press(" ")
    expect(part(page, "answer")).to_contain_text("instead of")
    expect(part(page, "said")).to_contain_text("Answer C")
    expect(page.locator(".dpca-choice small").first).not_to_be_empty()
    expect(page.locator(".dpca-choice.dpca-chosen i")).to_have_text("your guess")
    assert page.evaluate(MOVED) == pytest.approx(before, abs=MOST_MOVED)
    expect(page).to_have_url(re.compile("told=1"))


def test_the_control_is_still_until_the_answer_and_then_follows_the_keys(
    open_page: OpenPage,
) -> None:
    page = open_page("/learn?lesson=gap")
    settled(page)
    handle = part(page, "handle")
    page.keyboard.press("ArrowRight")
    expect(handle).to_have_attribute("aria-valuetext", "ε = 0.1")
    page.keyboard.press(" ")
    page.keyboard.press("ArrowRight")
    expect(handle).to_have_attribute("aria-valuetext", "ε = 0.2")
    expect(page).to_have_url(re.compile("epsilon=0.2"))
    expect(part(page, "question")).to_contain_text("Publish three directions")
    page.keyboard.press("n")
    expect(part(page, "notes")).to_be_visible()
    expect(page).to_have_url(re.compile("notes=1"))


def test_a_guess_on_the_picture_is_dragged_and_moved_by_keys_and_stays(
    open_page: OpenPage,
) -> None:
    page = open_page("/learn?lesson=gap")
    settled(page)
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
    page.keyboard.press(" ")
    expect(part(page, "answer")).not_to_be_empty()
    expect(needle).to_be_visible()
    expect(needle).to_have_attribute("aria-valuetext", str(said))


def test_contents_lead_to_lessons_and_remember_what_was_told(open_page: OpenPage) -> None:
    page = open_page("/learn")
    settled(page)
    page.get_by_role("button", name=re.compile("Noise against the gap")).click()
    expect(part(page, "question")).to_contain_text("Publish three directions")
    page.get_by_role("button", name="Show the answer").click()
    expect(page).to_have_url(re.compile("told=1"))
    page.get_by_role("button", name=re.compile("^6 →")).click()
    expect(part(page, "question")).to_contain_text("Both promise")
    expect(part(page, "answer")).to_be_empty()
    page.get_by_role("button", name="All lessons").click()
    expect(page.get_by_label("told in this session")).to_have_count(1)


@pytest.mark.parametrize("key", tuple(LESSONS))
def test_every_lesson_on_a_phone_and_for_readers_of_screens(open_page: OpenPage, key: str) -> None:
    page = open_page(f"/learn?lesson={key}&told=1&notes=1", size=PHONE)
    settled(page)
    expect(part(page, "answer")).not_to_be_empty()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    page.evaluate(AXE)
    for scheme in SCHEMES:
        switch_scheme(page, scheme)
        assert page.evaluate(VIOLATIONS) == [], scheme


def test_the_handout_is_two_sheets_of_a4(open_page: OpenPage, pictures: Path) -> None:
    page = open_page("/learn?print=1")
    settled(page)
    expect(page.locator(".handout-page")).to_have_count(2)
    assert printed_pages(page, pictures) == 2
    page.get_by_text("Answers", exact=True).first.click()
    expect(page.locator(".handout-page")).to_have_count(1)
    assert printed_pages(page, pictures) == 1


def printed_pages(page: Page, folder: Path) -> int:
    """Return how many pages the browser prints."""
    sheet = folder / "handout.pdf"
    page.pdf(path=sheet, prefer_css_page_size=True)
    return len(re.findall(rb"/Type\s*/Page\b", sheet.read_bytes()))
