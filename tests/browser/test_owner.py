"""Data owners in a browser: what only all steps together can lose, on its way through haste,
other pages, a reload and the history.

What each step decides is tested in tests/ui/owner, and what keys do in the table of columns in
tests/frontend.
"""

import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, expect

from sample_data.made_up_clinic import clinic_csv, codebook_csv
from tests.browser.conftest import (
    PHONE,
    SCHEMES,
    WIDE,
    OpenPage,
    at_rest,
    go_to,
    resize,
    settled,
    switch_scheme,
)
from tests.browser.table_upload import (
    PEOPLE,
    answer,
    answer_who,
    cell,
    choose_table,
    decide,
    expect_ranges,
    expect_texts,
    load_codebook,
    look,
    open_columns,
    type_ranges,
    upload,
)
from tests.browser.test_every_page import AXE, VIOLATIONS, scroll_width

KEPT = "Object.keys(sessionStorage).filter((key) => key.startsWith('dpca.'))"
NAMES = re.compile("st.?mary|patient|creatinine|hba1c|2,?671|900", re.IGNORECASE)
"""Names of the file and its columns, and how many rows and people there are."""


def press(page: Page, name: str, **how: bool) -> None:
    page.get_by_role("button", name=name, **how).click()


def fits_and_is_read_aloud(page: Page) -> None:
    """Look at one step at four sizes and in both schemes, with axe."""
    page.evaluate(AXE)
    for size in ((1920, 1080), (768, 1024), PHONE, WIDE):
        resize(page, size)
        assert scroll_width(page) <= size[0], size
    # No tooltip under a mouse that was left where a button has been.
    page.mouse.move(0, 0)
    expect(page.get_by_role("tooltip")).to_have_count(0)
    for scheme in SCHEMES:
        switch_scheme(page, scheme)
        assert page.evaluate(VIOLATIONS) == [], scheme


def explored(page: Page) -> None:
    page.wait_for_selector('.dpca-page[data-ready="true"]')


def test_a_clinic_is_decided_by_its_codebook_and_nothing_leaks(
    open_page: OpenPage, server_log: Path
) -> None:
    logged, seen = server_log.stat().st_size, list[str]()

    def note() -> None:
        seen.extend([page.url, page.title(), page.evaluate("JSON.stringify(history.state)")])

    page = open_page("/data")
    fits_and_is_read_aloud(page)
    upload(page, "st-mary-ward-7.csv", clinic_csv())
    page.get_by_text("Yes, one patient").click()
    at_rest(page)
    fits_and_is_read_aloud(page)
    note()
    page.locator(".st-key-who-on button").click()
    settled(page)
    cell(page, "hr", "low").fill("40")
    load_codebook(page, codebook_csv(), "yours stays where it differs: hr (low)")
    expect(cell(page, "hr", "low")).to_have_value("40")
    fits_and_is_read_aloud(page)
    note()
    page.get_by_role("button", name=re.compile("^Leave (it|them) out")).first.click()
    at_rest(page)
    decide(page)
    expect(page.get_by_text("Nothing on this page was computed from your file.")).to_be_visible()
    answer(page, "About how many patients?", "5e4")
    expect(page.locator(".decide-bars")).to_have_count(3)
    at_rest(page)
    fits_and_is_read_aloud(page)
    assert parse_qs(urlsplit(page.url).query) == {"step": ["decide"]}
    page.go_back()
    note()
    page.go_forward()
    expect(page.get_by_label("About how many patients?")).to_have_value("5e4")
    page.get_by_role("button", name="Choose").nth(1).click()
    page.wait_for_url("**/release")
    page.go_back()
    look(page)
    expect(page.locator(".dpca footer")).to_contain_text("900 patients")
    assert "mary" not in page.url
    go_to(page, "Prepare")
    expect(page.get_by_text("You have looked at your own curves.")).to_be_visible()
    seen.append(server_log.read_bytes()[logged:].decode("utf-8", "replace"))
    assert [text for text in seen if NAMES.search(text)] == []


def test_nothing_that_was_typed_is_lost(open_page: OpenPage) -> None:
    page = open_columns(open_page)
    type_ranges(page)
    # No finger is faster: between a press and its release the browser sends what was typed.
    go_to(page, "Explore", delay=50)
    explored(page)
    go_to(page, "Prepare")
    expect(cell(page, "c0", "low")).to_have_value("0")
    expect_ranges(page)
    for text, away in (("17", "Load a codebook"), ("18", "1 Who")):
        cell(page, "c0", "low").fill(text)
        press(page, away)
        at_rest(page)
        if away == "1 Who":
            press(page, "2 Columns")
            settled(page)
        expect(cell(page, "c0", "low")).to_have_value(text)
    cell(page, "c9", "high").fill("1000")
    # It may move under the mouse meanwhile.
    page.locator(".dpca-way-on").get_by_role("button", name="Decide").click(force=True)
    page.wait_for_url("**step=decide**")
    at_rest(page)
    page.go_back()
    settled(page)
    expect(cell(page, "c9", "high")).to_have_value("1000")
    other = open_columns(open_page)
    cell(other, "c0", "low").fill("77")
    at_rest(other)
    page.reload()
    choose_table(page)
    expect_texts(page, "low", [""] * 10)
    press(page, "Use them")
    expect(cell(page, "c9", "high")).to_have_value("1000")
    expect_texts(other, "low", ["77", *[""] * 9])
    assert [word for word in ("numbers", "c0") if word in page.url + page.title()] == []


def test_the_next_table_is_asked_about_anew_and_all_is_gone_once_it_is_forgotten(
    open_page: OpenPage,
) -> None:
    rows = [f"{1 + i % 8}.{i:03d};{i % 5},{i % 9};{'MF'[i % 2]}" for i in range(90)]
    table = "\n".join(["income;rate;sex", *rows]).encode()
    page = open_page("/data")
    choose_table(page, table)
    page.locator(".st-key-columns-confirm-format button").click()
    at_rest(page)
    for name, field, text in (
        ("income", "low", "1.000"),
        ("income", "high", "10.000"),
        ("rate", "low", "0"),
        ("rate", "high", "4,5"),
        ("sex", "values", "M, F"),
    ):
        cell(page, name, field).fill(text)
    page.keyboard.press("Tab")
    decide(page)
    answer(page, PEOPLE, "1.800")
    page.get_by_role("button", name="Choose").nth(1).click()
    page.wait_for_url("**/release")
    go_to(page, "Prepare")
    expect(page.get_by_role("button", name="Go on to Release")).to_be_enabled()
    press(page, "1 Who")
    upload(page, "next.csv", table + b"\n2.345;1,5;M")
    answer_who(page)
    page.locator(".st-key-columns-confirm-format button").click()
    at_rest(page)
    press(page, "Decide", exact=True)
    expect(page.get_by_label(PEOPLE, exact=True)).to_have_value("")
    expect(page.get_by_role("button", name="Chosen")).to_have_count(0)
    expect(page.get_by_role("button", name="Go on to Release")).to_be_disabled()
    look(page)
    footer = page.locator(".dpca footer")
    expect(footer).to_contain_text("next.csv, 91 people × 4 columns")
    go_to(page, "Eigengap")
    expect(footer).to_contain_text("next.csv")
    address = page.url
    go_to(page, "Prepare")
    press(page, "1 Who")
    press(page, "Forget this table")
    expect(page.get_by_role("button", name="made-up clinic")).to_be_visible()
    # Nor does this tab keep what was said of it, for whoever sits here next.
    expect(page.get_by_text("Kept in this tab")).to_have_count(0)
    assert page.evaluate(KEPT) == []
    go_to(page, "Eigengap")
    expect(footer).to_contain_text("RAND")
    page.goto(address)
    expect(page.get_by_text("uploaded in another session")).to_be_visible()
