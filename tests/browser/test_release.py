"""Release in a browser: practice from an empty ledger to the zip by keyboard, and the report."""

import zipfile
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import PHONE, SCHEMES, WIDE, OpenPage, at_rest, resize, switch_scheme
from tests.browser.test_every_page import AXE, VIOLATIONS, scroll_width

SPEND = "Spend and publish"
FILES = {
    "matrix.csv", "directions.csv", "spectrum.csv",
    "certificate.json", "certificate.html", "report.html",
}  # fmt: skip
MOST_STOPS = 60
"""Presses of Tab from the top of the page to anything on it, at most."""
PAPER = (658, 940)
"""A4 without margins of 18 mm, in pixels."""
CUT = """width => [...document.querySelectorAll('figure, table, .bar, .dots, p')].filter(
  node => node.getBoundingClientRect().right > width + 1).map(node => node.outerHTML)"""
BEYOND_THEIR_CARD = """[...document.querySelectorAll('[class*="st-key-release-card-"]')].flatMap(
  card => [...card.querySelectorAll('[role=group], textarea, button, p')].filter(
    node => node.getBoundingClientRect().right > card.getBoundingClientRect().right + 1)
  ).map(node => node.outerHTML.slice(0, 99))"""


def tab_to(page: Page, name: str) -> None:
    """Press Tab until something of this name has the keyboard."""
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        found = page.evaluate(
            "document.activeElement.getAttribute('aria-label') || document.activeElement.innerText"
        )
        if (found or "").strip().startswith(name):
            return
    raise AssertionError(f"Tab does not reach {name}.")


def practise(page: Page) -> Path:
    """Open an account, say why, type its name, spend, and save the zip: by keyboard alone."""
    page.wait_for_selector(".st-key-release-card-4")
    at_rest(page)
    spend = page.get_by_role("button", name=SPEND)
    tab_to(page, "Open account")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Open account")).to_have_count(0)
    at_rest(page)
    tab_to(page, "Why this ε")
    page.keyboard.type("To practise")
    page.keyboard.press("Control+Enter")
    at_rest(page)
    expect(spend).to_be_disabled()
    tab_to(page, "Type the account’s name")
    page.keyboard.type("Practic")
    page.keyboard.press("Enter")
    at_rest(page)
    expect(spend).to_be_disabled()
    page.keyboard.type("e")
    page.keyboard.press("Enter")
    expect(spend).to_be_enabled()
    at_rest(page)
    tab_to(page, SPEND)
    # Twice in haste: the budget is spent once.
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Download all (zip)")).to_be_visible()
    at_rest(page)
    assert page.get_by_text("release 2").count() == 0
    with page.expect_download() as saved:
        tab_to(page, "Download all (zip)")
        page.keyboard.press("Enter")
    assert saved.value.suggested_filename == "practice-release-1.zip"
    return Path(saved.value.path())


def test_practice_by_keyboard_alone_and_a_report_without_a_network(
    open_page: OpenPage, browser: Browser, tmp_path: Path
) -> None:
    page = open_page("/release")
    with zipfile.ZipFile(practise(page)) as files:
        assert set(files.namelist()) == FILES
        files.extract("report.html", tmp_path)
    the_page_fits_any_width_for_readers_too(page)
    report = (tmp_path / "report.html").as_uri()
    asked: list[str] = []
    with browser.new_context(offline=True, viewport={"width": 1000, "height": 900}) as context:
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.goto(report)
        # Spectrum, two directions, other ε.
        expect(page.locator(".js-plotly-plot")).to_have_count(4)
        expect(page.locator(".practice")).to_contain_text("PRACTICE")
        resize(page, PHONE)
        assert scroll_width(page) <= PHONE[0]
        resize(page, PAPER)
        page.emulate_media(media="print")
        assert page.evaluate(CUT, PAPER[0]) == []
        expect(page.locator(".beside table").first).to_be_visible()
    assert [url for url in asked if not url.startswith("file:")] == []
    with browser.new_context(offline=True, java_script_enabled=False) as silent:
        page = silent.new_page()
        page.goto(report)
        expect(page.locator(".chart").first).to_be_hidden()
        expect(page.locator(".beside table").filter(visible=True)).to_have_count(4)


def the_page_fits_any_width_for_readers_too(page: Page) -> None:
    frame = page.frame_locator("iframe").last
    expect(frame.locator("h1")).to_contain_text("What was released about Practice")
    expect(frame.locator(".js-plotly-plot")).to_have_count(4)
    page.get_by_text("A picture of the first two scores").click()
    at_rest(page)
    for size in (WIDE, PHONE):
        resize(page, size)
        assert scroll_width(page) <= size[0]
        assert page.evaluate(BEYOND_THEIR_CARD) == []
    page.evaluate(AXE)
    for scheme in SCHEMES:
        switch_scheme(page, scheme)
        assert page.evaluate(VIOLATIONS) == [], scheme
