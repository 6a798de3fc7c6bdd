"""A file with decimal commas in a browser: 10.000 is ten thousand, and what is decided is shown."""

from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.owner_steps import cell, choose_table
from tests.browser.table_upload import at_rest, look, upload

ROWS = [f"{1 + i % 8}.{i:03d};{i % 5},{i % 9};{'MF'[i % 2]}" for i in range(90)]
GERMAN = "\n".join(["income;rate;sex", *ROWS]).encode()


def said(page: Page, column: str) -> str:
    """Return what stands beside a column."""
    row = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name=column))
    return row.locator(".dpca-said").inner_text()


def to_decide(page: Page) -> None:
    """Describe the three columns as their owner would write them, and go on."""
    choose_table(page, GERMAN)
    page.locator(".st-key-columns-confirm-format button").click()
    at_rest(page)
    cells = {"income": ("1.000", "10.000"), "rate": ("0", "4,5")}
    for name, ends in cells.items():
        for field, text in zip(("low", "high"), ends, strict=True):
            cell(page, name, field).fill(text)
    expect(cell(page, "sex", "values")).to_have_attribute("placeholder", "such as F; M or F, M")
    cell(page, "sex", "values").fill("M, F")
    page.keyboard.press("Tab")
    at_rest(page)


def test_numbers_are_read_as_the_file_writes_them(open_page: OpenPage) -> None:
    page = open_page("/data")
    to_decide(page)
    read = "1.000 is read as 1000; 10.000 is read as 10000"
    assert said(page, "income").startswith(read)
    assert "read as" not in said(page, "rate") + said(page, "sex")
    expect(cell(page, "income", "high")).to_have_value("10.000")
    page.get_by_role("button", name="Decide", exact=True).click()
    people = page.get_by_label("About how many people?", exact=True)
    people.fill("1.800")
    page.keyboard.press("Tab")
    expect(page.get_by_text("read as 1,800")).to_be_visible()
    page.get_by_role("button", name="Choose").nth(1).click()
    at_rest(page)
    how = page.locator(".decide-how li").first.inner_text()
    look(page)
    found = parse_qs(urlsplit(page.url).query)
    assert found["mechanism"] == ["wishart_difference"]
    assert how.startswith("Wishart difference noise")
    assert (found["epsilon"], found["n"]) == (["1"], ["1800"])


def test_another_table_is_asked_about_anew(open_page: OpenPage) -> None:
    page = open_page("/data")
    to_decide(page)
    page.get_by_role("button", name="Decide", exact=True).click()
    people = page.get_by_label("About how many people?", exact=True)
    people.fill("5000")
    page.keyboard.press("Tab")
    page.get_by_role("button", name="Choose").nth(1).click()
    at_rest(page)
    expect(page.get_by_role("button", name="Go on to Release")).to_be_enabled()
    page.get_by_role("button", name="1 Who").click()
    upload(page, "next.csv", GERMAN + b"\n2.345;1,5;M")
    page.get_by_text("Every row is a different").click()
    at_rest(page)
    page.locator(".st-key-who-on button").click()
    at_rest(page)
    page.locator(".st-key-columns-confirm-format button").click()
    at_rest(page)
    page.get_by_role("button", name="Decide", exact=True).click()
    expect(people).to_have_value("")
    expect(page.get_by_role("button", name="Chosen")).to_have_count(0)
    expect(page.get_by_role("button", name="Go on to Release")).to_be_disabled()


def test_two_other_words_keep_the_answer(open_page: OpenPage) -> None:
    page = open_page("/data")
    rows = [f"{i // 3};{i % 7},{i % 10};{i % 9}" for i in range(90)]
    upload(page, "visits.csv", "\n".join(["Patienten-ID;a;b", *rows]).encode())
    page.get_by_text("One person is one value of Patienten-ID").click()
    at_rest(page)
    for label, word in (("One of them is called", "patient"), ("Several are called", "patients")):
        page.get_by_label(label, exact=True).fill(word)
        page.keyboard.press("Tab")
        at_rest(page)
    expect(page.get_by_text("One patient is protected.")).to_be_visible()
    answer = page.get_by_role("radio", name="One patient is one value of Patienten-ID")
    expect(answer).to_be_checked()
