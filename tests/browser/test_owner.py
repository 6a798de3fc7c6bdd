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
    codebook,
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


def query(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


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
    leave_out = page.get_by_role("button", name=re.compile("^Leave (it|them) out"))
    leave_out.first.click()
    at_rest(page)
    with page.expect_download() as kept:
        page.get_by_role("button", name="Save choices").click()
    assert kept.value.suggested_filename == "recipe.json"
    decide(page)
    expect(page.get_by_text("Nothing on this page was computed from your file.")).to_be_visible()
    answer(page, "About how many patients?", "5e4")
    page.get_by_role("button", name="Choose").nth(1).click()
    expect(page.locator(".decide-bars")).to_have_count(3)
    at_rest(page)
    fits_and_is_read_aloud(page)
    assert query(page) == {"step": ["decide"]}
    page.go_back()
    note()
    page.go_forward()
    expect(page.get_by_label("About how many patients?")).to_have_value("5e4")
    look(page)
    expect(page.locator(".dpca footer")).to_contain_text("900 patients")
    assert "mary" not in page.url
    go_to(page, "Prepare")
    expect(page.get_by_text("You have looked at your own curves.")).to_be_visible()
    seen.append(server_log.read_bytes()[logged:].decode("utf-8", "replace"))
    assert [text for text in seen if NAMES.search(text)] == []
    other = open_page("/data", stranger=True)
    upload(other, "visits.csv", clinic_csv())
    answer_who(other, "Yes, one patient")
    load_codebook(other, kept.value.path().read_bytes())
    expect(cell(other, "hr", "low")).to_have_value("40")


def test_nothing_that_was_typed_is_lost(open_page: OpenPage) -> None:
    page = open_columns(open_page)
    type_ranges(page)
    # No finger is faster: between a press and its release the browser sends what was typed.
    go_to(page, "Explore", delay=50)
    explored(page)
    go_to(page, "Prepare")
    expect(cell(page, "c0", "low")).to_have_value("0")
    expect_ranges(page)
    for i, press in enumerate(("Load a codebook", "1 Who")):
        cell(page, "c0", "low").fill(str(17 + i))
        page.get_by_role("button", name=press).click()
        at_rest(page)
        if press == "1 Who":
            page.get_by_role("button", name="2 Columns").click()
            settled(page)
        expect(cell(page, "c0", "low")).to_have_value(str(17 + i))
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
    page.get_by_role("button", name="Use them").click()
    expect(cell(page, "c9", "high")).to_have_value("1000")
    expect_texts(other, "low", ["77", *[""] * 9])
    assert [word for word in ("numbers", "c0") if word in page.url + page.title()] == []
    filled_from_the_file_it_is_never_public_again(other)


def filled_from_the_file_it_is_never_public_again(page: Page) -> None:
    cell(page, "c0", "low").fill("78")
    page.get_by_role("button", name="Fill empty cells from the file").click()
    expect(page.locator("h1")).to_contain_text("With the 10 read from the file")
    expect(cell(page, "c0", "low")).to_have_value("78")
    for i in range(10):
        expect(cell(page, f"c{i}", "high")).not_to_have_value("")
    page.get_by_role("button", name="Type it again").first.click()
    page.keyboard.type("99")
    at_rest(page)
    for name, source in (("c0", "declared by you"), ("c1", "file")):
        expect(cell(page, name, "where from")).to_have_value(source)
        expect(cell(page, name, "where from")).to_be_disabled()
    expect(page.locator("h1")).to_contain_text("nothing can be released")
    expect(page.get_by_role("button", name="4 Release")).to_be_disabled()


def test_a_german_file_is_decided_and_the_next_one_is_asked_about_anew(
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
    expect(page.get_by_text("1.000 is read as 1000; 10.000 is read as 10000")).to_be_visible()
    decide(page)
    answer(page, PEOPLE, "1.800")
    expect(page.get_by_text("read as 1,800")).to_be_visible()
    # While the cards are still being simulated, and the page drawn anew.
    with page.expect_download() as download:
        page.get_by_role("button", name="A synthetic file").click()
    assert download.value.path().read_text().count("\n") == 1801
    one_answer_takes_another_along(page)
    page.get_by_role("button", name="Choose").nth(1).click()
    expect(page.get_by_role("button", name="Go on to Release")).to_be_enabled()
    page.get_by_role("button", name="A built-in set").click()
    explored(page)
    expect(page.get_by_text("Stand-in. Your file was not read.")).to_be_visible()
    go_to(page, "Prepare")
    expect(page.get_by_label(PEOPLE, exact=True)).to_have_value("1.800")
    page.get_by_role("button", name="1 Who").click()
    upload(page, "next.csv", table + b"\n2.345;1,5;M")
    answer_who(page)
    page.locator(".st-key-columns-confirm-format button").click()
    at_rest(page)
    page.get_by_role("button", name="Decide", exact=True).click()
    expect(page.get_by_label(PEOPLE, exact=True)).to_have_value("")
    expect(page.get_by_role("button", name="Chosen")).to_have_count(0)
    expect(page.get_by_role("button", name="Go on to Release")).to_be_disabled()


def one_answer_takes_another_along(page: Page) -> None:
    """A field that is drawn anew stays in the browser for a moment, with its old text."""
    page.get_by_label("What do you expect in them?").click()
    page.get_by_role("option", name="one strong direction").click()
    at_rest(page)
    answer(page, "ε\u00a0=", "0.2")
    expect(page.get_by_label("shares", exact=True)).to_have_value("60\u00a0%")
    expect(page.get_by_label("ε\u00a0=", exact=True).first).to_have_value("0.2")


def test_a_table_is_of_this_session_alone_and_gone_from_every_page_once_forgotten(
    open_page: OpenPage,
) -> None:
    page = open_page("/data")
    page.get_by_role("button", name="made-up clinic").click()
    page.get_by_role("button", name="First rows").click()
    rows = page.get_by_test_id("stDataFrame")
    rows.hover()
    at_rest(page)
    # Without a way to save them.
    toolbars = page.get_by_test_id("stElementToolbar")
    assert toolbars.filter(visible=True).count() == 0
    choose_table(page, b"a,b,c\n" + b"".join(b"0.%d,0.5,0.7\n" % i for i in range(60)))
    load_codebook(page, codebook("abc", 0, 1))
    decide(page)
    look(page)
    expect(page.locator(".dpca footer")).to_contain_text(
        re.compile("numbers.csv, 60 .* × 3 columns")
    )
    other = open_page(page.url[page.url.index("/?") :], stranger=True)
    expect(other.get_by_role("status")).to_contain_text("uploaded in another session")
    expect(other.get_by_text("numbers.csv")).to_have_count(0)
    assert other.locator(".dpca:not(.dpca-room)").count() == 0
    go_to(page, "Eigengap")
    expect(page.locator(".dpca footer")).to_contain_text("numbers.csv")
    address = page.url
    go_to(page, "Prepare")
    page.get_by_role("button", name="1 Who").click()
    page.get_by_role("button", name="Forget this table").click()
    expect(page.get_by_role("button", name="made-up clinic")).to_be_visible()
    expect(page.get_by_text("numbers.csv")).to_have_count(0)
    # Nor does this tab keep what was said of it, for whoever sits here next.
    expect(page.get_by_text("Kept in this tab")).to_have_count(0)
    assert page.evaluate(KEPT) == []
    go_to(page, "Eigengap")
    expect(page.locator(".dpca footer")).to_contain_text("RAND")
    page.goto(address)
    expect(page.get_by_text("uploaded in another session")).to_be_visible()
