"""The page "Your data" as its visitor uses it: what is typed stays, and nothing leaves unmarked."""

import numpy as np
import pandas as pd
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import PHONE, OpenPage, settled
from tests.browser.test_upload import leave_out, upload

HEADER = ROW = 35
NAMES = [f"c{i}" for i in range(10)]
RNG = np.random.default_rng(0)
NUMBERS = pd.DataFrame(RNG.integers(1, 99, (90, 10)), columns=NAMES).to_csv(index=False).encode()
VISITS = b"patient_id,age,sbp,sex\n" + b"".join(
    b"P%d,%d,%d,%s\n" % (i // 3, 20 + i // 3, 100 + i * 13 % 50, b"fm"[i % 2 : i % 2 + 1])
    for i in range(90)
)


def at_rest(page: Page) -> None:
    """Wait until what was typed has reached the server and the page is drawn."""
    page.wait_for_timeout(600)
    page.wait_for_selector('[data-testid="stApp"][data-test-script-state="notRunning"]')


def grid(page: Page, which: str) -> Locator:
    return page.locator(f"[class*='st-key-{which}-']").get_by_test_id("stDataFrame")


def type_down(page: Page, which: str, column: int, across: float, values: list[str]) -> None:
    """Type into a column of an editor that lies ``across`` of its width from the left.

    A cell whose box a busy browser opened too late for its letters is typed again, as people do.
    """
    for attempt in range(5):
        shown = cells(page, which)
        while [len(row) > column for row in shown] != [True] * len(values):
            page.wait_for_timeout(100)
            shown = cells(page, which)
        missed = [row for row, value in enumerate(values) if shown[row][column] != value]
        if not missed:
            return
        top, left = corner(page, which, across)
        for row in range(len(values)) if attempt == 0 else missed:
            if attempt or row == 0:
                page.mouse.click(left, top + HEADER + ROW * (row + 0.5))
                page.wait_for_timeout(300)
            page.keyboard.type(values[row], delay=40)
            page.keyboard.press("Enter", delay=40)
            page.wait_for_timeout(250)
        at_rest(page)


def corner(page: Page, which: str, across: float) -> tuple[float, float]:
    """Scroll an editor to the middle: at the top the navigation lies over it."""
    place = grid(page, which)
    place.evaluate("element => element.scrollIntoView({block: 'center'})")
    page.wait_for_timeout(500)
    box = place.bounding_box()
    assert box is not None
    return box["y"], box["x"] + across * box["width"]


def cells(page: Page, which: str) -> list[list[str]]:
    """What an editor shows, as its table for screen readers has it."""
    table = grid(page, which).locator("table[role=grid], canvas table").first
    found: list[list[str]] = table.locator("tbody tr").evaluate_all(
        "rows => rows.map(row => [...row.querySelectorAll('td')].map(cell => cell.innerText))"
    )
    return found


def require_cells(page: Page, which: str, expected: list[list[str]]) -> None:
    """Wait until an editor shows these cells; fail after twenty seconds."""
    for _ in range(100):
        if (found := cells(page, which)) == expected:
            return
        page.wait_for_timeout(200)
    assert found == expected


def test_twenty_typed_bounds_survive_a_column_left_out_and_a_visit_of_explore(
    open_page: OpenPage,
) -> None:
    page = open_page("/data")
    upload(page, "numbers.csv", NUMBERS)
    expect(page.get_by_text("90 rows, 10 columns")).to_be_visible(timeout=30_000)
    at_rest(page)
    no_table_offers_its_rows_without_the_words_not_private(page)
    type_down(page, "ranges", 1, 0.5, [str(i) for i in range(10)])
    type_down(page, "ranges", 2, 0.9, [str(100 + i) for i in range(10)])
    whole = [[name, str(i), str(100 + i)] for i, name in enumerate(NAMES)]
    require_cells(page, "ranges", whole)
    leave_out(page, "c4")
    at_rest(page)
    require_cells(page, "ranges", [row for row in whole if row[0] != "c4"])
    page.get_by_role("link", name="Explore").click()
    settled(page)
    page.get_by_role("link", name="Your data").click()
    expect(page.get_by_text("90 rows, 10 columns")).to_be_visible(timeout=30_000)
    at_rest(page)
    require_cells(page, "ranges", [row for row in whole if row[0] != "c4"])
    page.get_by_role("button", name="Remove c4").click()
    at_rest(page)
    require_cells(page, "ranges", whole)
    page.get_by_text("are public knowledge").click()
    at_rest(page)
    page.get_by_role("button", name="Use these data").click()
    settled(page)
    expect(page.locator(".dpca-badge")).to_have_text("PROVED")
    assert "numbers" not in page.url


def test_whose_rows_is_asked_and_what_was_filled_must_be_typed_to_be_public(
    open_page: OpenPage,
) -> None:
    page = open_page("/data")
    upload(page, "visits.csv", VISITS)
    question = page.get_by_text("patient_id has 3 rows for most values")
    expect(question).to_be_visible(timeout=30_000)
    page.get_by_role("button", name="Fill ranges and categories in").click()
    at_rest(page)
    page.get_by_role("button", name="Use these data").click()
    expect(page.get_by_role("alert").last).to_contain_text("which person each row belongs to")
    page.get_by_text("patient_id names the person").click()
    at_rest(page)
    page.get_by_text("are public knowledge").click()
    at_rest(page)
    expect(page.get_by_role("alert")).to_contain_text("low of age, high of age, low of sbp")
    assert [row[3] for row in cells(page, "ranges")] == ["20 to 49", "100 to 150"]
    # The file's own numbers, typed: from then on they are the owner's statement.
    type_down(page, "ranges", 1, 0.45, ["20", "100"])
    type_down(page, "ranges", 2, 0.65, ["49", "150"])
    expect(page.get_by_role("alert")).to_contain_text("the law: values of sex.")
    type_down(page, "values", 1, 0.4, ["f;m"])
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_role("button", name="Use these data").click()
    settled(page)
    expect(page.locator(".dpca-badge")).to_have_text("PROVED")
    expect(page.locator(".dpca footer")).to_contain_text("30 people × 4 columns")


def no_table_offers_its_rows_without_the_words_not_private(page: Page) -> None:
    tables = page.get_by_test_id("stDataFrame")
    expect(tables).to_have_count(2)
    for table in tables.all():
        table.hover()
        page.wait_for_timeout(300)
        assert page.get_by_test_id("stElementToolbar").filter(visible=True).count() == 0
    assert page.get_by_role("button", name="Download as CSV").filter(visible=True).count() == 0


def test_the_whole_page_fits_a_phone_and_the_lengths_of_rows_are_marked(
    open_page: OpenPage,
) -> None:
    page = open_page("/data", size=PHONE)
    for name, content, columns in (("visits.csv", VISITS, 4), ("numbers.csv", NUMBERS, 10)):
        upload(page, name, content)
        shown = page.get_by_text(f"90 rows, {columns} columns")
        expect(shown).to_be_visible(timeout=30_000)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
        page.get_by_role("button", name="Fill ranges and categories in").click()
        at_rest(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    chart = page.locator(".dpca-sheet-row-lengths")
    chart.scroll_into_view_if_needed()
    expect(chart.locator(".js-plotly-plot .bars path").first).to_be_attached()
    expect(chart).to_contain_text("of all 90 rows")
    expect(chart).to_contain_text("part of no release")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
