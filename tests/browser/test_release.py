"""Release in a browser: practice from an empty ledger to the zip by keyboard, and the report."""

import zipfile

from playwright.sync_api import expect

from tests.browser.conftest import PHONE, WIDE, at_rest, resize
from tests.browser.test_every_page import is_read_aloud, scroll_width

FILES = {"certificate.json", "directions.csv", "matrix.csv", "report.html", "spectrum.csv"}
MOST_KEYS = 60
"""That are pressed from the top of the page to the zip, letters included, at most."""
ACTIVE = "document.activeElement.getAttribute('aria-label') || document.activeElement.innerText"


def practise(page):
    """Open an account, say why, type its name, spend, and save the zip: by keyboard alone."""
    pressed = 0

    def at(name, *keys):
        """Press Tab until something of this name has the keyboard, and then some keys."""
        nonlocal pressed
        at_rest(page)
        while not (page.evaluate(ACTIVE) or "").strip().startswith(name):
            page.keyboard.press("Tab")
            pressed += 1
            assert pressed <= MOST_KEYS
        for key in keys:
            page.keyboard.press(key)
            pressed += 1

    page.wait_for_selector(".st-key-release-card-5")
    at("Open account", "Enter")
    expect(page.get_by_role("button", name="Open account")).to_have_count(0)
    at("Why this ε", *"test")
    # Twice in haste: the budget is spent once.
    at("Type the account’s name", *"Practice", "Enter", "Enter")
    expect(page.get_by_role("button", name="Download all (zip)")).to_be_visible()
    at_rest(page)
    assert page.get_by_role("button", name="Show again").count() == 1
    with page.expect_download() as saved:
        at("Download all (zip)", "Enter")
    assert pressed <= MOST_KEYS
    assert saved.value.suggested_filename == "practice-release-1.zip"
    return saved.value.path()


def test_practice_by_keyboard_alone_and_a_report_without_a_network(open_page, browser, tmp_path):
    page = open_page("/release")
    with zipfile.ZipFile(practise(page)) as files:
        assert set(files.namelist()) == {*FILES, "README.txt"}
        files.extract("report.html", tmp_path)
    the_page_fits_any_width_for_readers_too(page)
    report, asked = (tmp_path / "report.html").as_uri(), []
    with browser.new_context(offline=True, java_script_enabled=False) as context:
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.goto(report)
        expect(page.locator(".practice")).to_contain_text("PRACTICE")
        expect(page.locator("svg").first).to_be_visible()
    assert [url for url in asked if not url.startswith("file:")] == []
    with browser.new_context(offline=True, viewport={"width": 1000, "height": 900}) as context:
        page = context.new_page()
        page.goto(report)
        resize(page, PHONE)
        assert scroll_width(page) <= PHONE[0]


def the_page_fits_any_width_for_readers_too(page):
    frame = page.frame_locator("iframe").last
    expect(frame.locator("h1")).to_contain_text("What was released about Practice")
    page.get_by_text("A picture of the first two scores").click()
    at_rest(page)
    for size in (WIDE, PHONE):
        resize(page, size)
        assert scroll_width(page) <= size[0]
    is_read_aloud(page)
