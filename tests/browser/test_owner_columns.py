"""The table of columns of "Your data" as its owner uses it: nothing that was typed is ever lost."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import (
    PHONE,
    SCHEMES,
    WIDE,
    OpenPage,
    go_to,
    resize,
    settled,
    switch_scheme,
)
from tests.browser.owner_steps import (
    NUMBERS,
    cell,
    choose_table,
    expect_ranges,
    open_columns,
    paste,
    texts,
    type_ranges,
)
from tests.browser.table_upload import at_rest
from tests.browser.test_every_page import AXE, VIOLATIONS

SIDEWAYS = "document.documentElement.scrollWidth"


def to_explore_and_back(page: Page) -> None:
    # No finger is faster: between a press and its release the browser sends what was typed.
    go_to(page, "Explore", delay=50)
    page.wait_for_selector('.dpca-explore[data-ready="true"]')
    go_to(page, "Prepare")
    page.wait_for_selector('.dpca-owner[data-ready="true"]')


def test_twenty_bounds_survive_a_column_out_and_in_and_another_page(open_page: OpenPage) -> None:
    page = open_columns(open_page)
    type_ranges(page)
    cell(page, "c4", "use as").select_option("out")
    at_rest(page)
    assert not cell(page, "c4", "low").is_visible()
    cell(page, "c4", "use as").select_option("number")
    at_rest(page)
    expect_ranges(page)
    to_explore_and_back(page)
    expect(cell(page, "c0", "low")).to_have_value("0")
    expect_ranges(page)
    expect(page.get_by_role("button", name="Use them")).to_have_count(0)


@pytest.mark.parametrize("press", ["Explore", "Fill", "Load a codebook", "1 Who"])
def test_what_is_typed_at_the_last_moment_is_there(open_page: OpenPage, press: str) -> None:
    page = open_columns(open_page)
    cell(page, "c0", "low").click()
    page.keyboard.type("17")
    if press == "Explore":
        to_explore_and_back(page)
    else:
        page.get_by_role("button", name=press).click()
    if press == "1 Who":
        at_rest(page)
        page.get_by_role("button", name="2 Columns").click()
    settled(page)
    at_rest(page)
    expect(cell(page, "c0", "low")).to_have_value("17")
    assert (cell(page, "c0", "high").input_value() != "") == (press == "Fill")


def test_decide_opens_with_the_last_answer_just_typed(open_page: OpenPage) -> None:
    page = open_columns(open_page)
    type_ranges(page)
    # Until the server knows all ranges it cannot be pressed, and moves.
    decide = page.locator(".dpca-way-on").get_by_role("button", name="Decide")
    expect(decide).to_be_enabled()
    at_rest(page)
    cell(page, "c9", "high").fill("1000")
    decide.click(force=True)
    page.wait_for_url("**step=decide**")
    at_rest(page)
    page.get_by_role("button", name="2 Columns").click()
    settled(page)
    expect(cell(page, "c9", "high")).to_have_value("1000")


def test_after_a_reload_what_was_typed_is_offered_to_this_tab_alone(open_page: OpenPage) -> None:
    page = open_page("data")
    page.wait_for_selector(".st-key-kept-in-tab", state="attached")
    expect(page.get_by_text("Kept in this tab")).to_have_count(0)
    page = open_columns(open_page)
    type_ranges(page)
    at_rest(page)
    other = open_columns(open_page)
    cell(other, "c0", "low").fill("77")
    at_rest(other)
    page.reload()
    expect(page.get_by_text("Kept in this tab")).to_be_visible()
    choose_table(page)
    assert texts(page, "low") == [""] * 10
    page.get_by_role("button", name="Use them").click()
    at_rest(page)
    expect_ranges(page)
    assert texts(other, "low") == ["77", *[""] * 9]
    stored = page.evaluate("Object.keys(sessionStorage).filter(key => key.startsWith('dpca.'))")
    assert len(stored) == 1
    for word in ("numbers", "c0"):
        assert word not in page.url + page.title() + stored[0]


def test_filling_leaves_what_was_typed_and_is_never_public_again(open_page: OpenPage) -> None:
    page = open_columns(open_page)
    cell(page, "c0", "low").fill("17")
    page.get_by_role("button", name="Fill empty cells from the file").click()
    at_rest(page)
    expect(cell(page, "c0", "low")).to_have_value("17")
    assert "" not in texts(page, "high")
    expect(page.locator("h1")).to_contain_text("Ten were read from the file")
    source = cell(page, "c1", "where from")
    expect(source).to_be_disabled()
    expect(source).to_have_value("file")
    page.get_by_role("button", name="Type it again").first.click()
    page.keyboard.type("99")
    at_rest(page)
    expect(cell(page, "c0", "where from")).to_have_value("declared by you")
    expect(cell(page, "c0", "where from")).to_be_disabled()
    for i in range(1, 10):
        row = page.locator("[role=row]", has=page.get_by_text(f"c{i}", exact=True))
        row.get_by_role("button", name="Keep: not private").click()
    at_rest(page)
    expect(page.locator("h1")).to_contain_text("the result is not private")
    expect(page.get_by_role("button", name="4 Release")).to_be_disabled()
    expect(page.locator(".st-key-columns-side-sources")).to_contain_text("read from the file")


def test_a_block_copied_from_a_sheet_lands(open_page: OpenPage) -> None:
    page = open_columns(open_page)
    cell(page, "c0", "low").click()
    paste(page, "\n".join(f"{i}\t{50 + i}\t{100 + i}" for i in range(10)))
    expect_ranges(page)
    assert texts(page, "typical") == [str(50 + i) for i in range(10)]
    expect(page.locator("h1")).to_have_text("10 of 10 columns are ready.")


def test_by_keyboard_alone(open_page: OpenPage) -> None:
    """To the first answer that is missing, through all of them, and on to Decide."""
    page = open_columns(open_page)
    page.get_by_role("button", name="10 columns need you").focus()
    page.keyboard.press("Enter")
    expect(cell(page, "c0", "low")).to_be_focused()
    for i in range(10):
        page.keyboard.type(str(i))
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        page.keyboard.type(str(100 + i))
        if i < 9:
            for _ in range(5):
                page.keyboard.press("Tab")
    at_rest(page)
    expect_ranges(page)
    page.locator(".dpca-way-on").get_by_role("button", name="Decide").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**step=decide**")


def test_the_step_fits_every_screen_and_can_be_read_aloud(open_page: OpenPage) -> None:
    page = open_columns(open_page, NUMBERS)
    cell(page, "c0", "low").fill("9")
    cell(page, "c0", "high").fill("1")
    cell(page, "c1", "use as").select_option("category")
    page.get_by_role("button", name="Fill empty cells from the file").click()
    at_rest(page)
    page.evaluate(AXE)
    for size in (WIDE, (1920, 1080), (768, 1024), PHONE):
        resize(page, size)
        page.wait_for_timeout(300)
        assert page.evaluate(SIDEWAYS) <= size[0]
        # No tooltip under a mouse that was left where a button has been.
        page.mouse.move(0, 0)
        expect(page.get_by_role("tooltip")).to_have_count(0)
        if size in (WIDE, PHONE):
            for scheme in SCHEMES:
                switch_scheme(page, scheme)
                assert page.evaluate(VIOLATIONS) == [], (size, scheme)
