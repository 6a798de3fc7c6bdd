"""Nothing typed into the table of columns is lost, however slow the server and hasty the owner."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from tests.frontend.owner_table import OwnerTable, draft_of, mounted

NAMES = [f"c{i}" for i in range(20)]
VALUES = [str(100 + i) for i in range(20)]
DELAY = 25
"""Milliseconds between keystrokes: 20 values of three digits, and Enter, take about 1.5 s."""


@pytest.fixture
def page(browser_page: Page, static_address: str) -> Iterator[Page]:
    """The page of the modules, with an empty store."""
    browser_page.goto(f"{static_address}/charts/charts.css")
    browser_page.evaluate("sessionStorage.clear()")
    yield browser_page
    browser_page.goto(f"{static_address}/charts/charts.css")


def type_all(table: OwnerTable) -> None:
    """Type a value into each cell of the lows, from the first on."""
    table.cell("c0", "low").focus()
    for value in VALUES:
        table.page.keyboard.type(value, delay=DELAY)
        table.page.keyboard.press("Enter")


@pytest.mark.parametrize("seconds", [0.0, 1.0])
def test_twenty_values_typed_in_haste_arrive(
    page: Page, static_address: str, seconds: float
) -> None:
    with mounted(page, static_address, draft_of(NAMES), seconds) as table:
        type_all(table)
        assert table.shown("low") == VALUES
        page.wait_for_timeout(300)
        assert table.known("low") == VALUES
        assert table.shown("low") == VALUES


@pytest.mark.parametrize("seconds", [0.0, 1.0])
def test_leaving_at_once_loses_nothing(page: Page, static_address: str, seconds: float) -> None:
    with mounted(page, static_address, draft_of(NAMES), seconds) as table:
        type_all(table)
        page.keyboard.type("7")
        table.leave()
        page.wait_for_timeout(10)
        assert table.known("low") == [*VALUES[:-1], "119" + "7"]


def test_what_is_typed_before_a_button_is_pressed_is_sent_before(
    page: Page, static_address: str
) -> None:
    with mounted(page, static_address, draft_of(NAMES), 1.0) as table:
        table.cell("c3", "high").fill("9")
        page.evaluate("document.activeElement.blur()")
        assert page.evaluate("server.messages.at(-1).cells") == [["c3", [["high", "9", 1]]]]


@pytest.mark.parametrize("event", ["pointerdown", "visibilitychange"])
def test_what_is_typed_is_sent_before_a_click_and_when_the_tab_is_hidden(
    page: Page, static_address: str, event: str
) -> None:
    with mounted(page, static_address, draft_of(NAMES)) as table:
        table.cell("c3", "high").fill("9")
        page.evaluate(
            "name => document.body.dispatchEvent(new Event(name, {bubbles: true}))", event
        )
        assert len(page.evaluate("server.messages")) == 1


def test_messages_are_sent_a_quarter_of_a_second_after_the_first_key(
    page: Page, static_address: str
) -> None:
    with mounted(page, static_address, draft_of(NAMES)) as table:
        table.cell("c0", "low").focus()
        page.keyboard.type("12345678", delay=100)
        page.wait_for_timeout(300)
        sent = [m["cells"][0][1][0][1] for m in page.evaluate("server.messages")]
        assert sent[-1] == "12345678"
        assert len(sent) >= 2


def test_an_old_picture_takes_nothing_back(page: Page, static_address: str) -> None:
    """A text that changed after it was sent stays, though the message that held it is merged."""
    with mounted(page, static_address, draft_of(NAMES)) as table:
        table.cell("c0", "low").fill("1")
        page.wait_for_timeout(400)
        page.evaluate("server.seconds = 1")
        table.cell("c0", "low").fill("12")
        page.wait_for_timeout(300)
        table.cell("c0", "low").fill("123")
        table.answers(c0={"low": "99"})
        assert table.shown("low")[0] == "123"
        page.wait_for_timeout(300)
        assert table.known("low")[0] == "123"


def test_a_cell_is_overwritten_unless_somebody_types_in_it(page: Page, static_address: str) -> None:
    with mounted(page, static_address, draft_of(NAMES)) as table:
        table.cell("c0", "low").focus()
        table.answers(c0={"low": "5"}, c1={"low": "6"})
        assert table.shown("low")[:2] == ["5", "6"]
        page.evaluate("document.activeElement.value = '57'")
        table.answers(c0={"low": "8"}, c1={"low": "9"})
        assert table.shown("low")[:2] == ["57", "9"]
        table.cell("c1", "low").focus()
        table.answers(c0={"low": "8"})
        assert table.shown("low")[0] == "8"


def test_a_name_of_a_property_is_a_column_like_others(page: Page, static_address: str) -> None:
    names = ["__proto__", "constructor", "", "toString"]
    with mounted(page, static_address, draft_of(names)) as table:
        for i, name in enumerate(names):
            table.cell(name, "low").fill(str(i))
        page.wait_for_timeout(300)
        assert table.known("low") == ["0", "1", "2", "3"]


def test_after_a_reload_what_was_typed_is_offered(page: Page, static_address: str) -> None:
    with mounted(page, static_address, draft_of(NAMES)) as table:
        type_all(table)
        table.cell("c3", "use as").select_option("category")
        table.cell("c3", "values").fill("a; b")
    page.reload()
    with mounted(page, static_address, draft_of(NAMES)) as table:
        assert table.shown("low") == [""] * 20
        page.get_by_role("button", name="Use them").click()
        assert table.known("low") == VALUES
        assert (table.known("use")[3], table.known("values")[3]) == ("category", "a; b")
    page.reload()
    with mounted(page, static_address, draft_of([*NAMES, "c20"])):
        assert page.get_by_role("button", name="Use them").count() == 0
    with mounted(page, static_address, draft_of(NAMES, c0={"low": "1"})):
        assert page.get_by_role("button", name="Use them").count() == 0
    with mounted(page, static_address, draft_of(NAMES)):
        page.get_by_role("button", name="Start afresh").click()
    with mounted(page, static_address, draft_of(NAMES)):
        assert page.get_by_role("button", name="Use them").count() == 0


def test_what_was_read_from_the_file_is_not_kept_and_that_it_was_seen_is(
    page: Page, static_address: str
) -> None:
    draft = draft_of(["a", "b"])
    filled = draft.with_columns([draft.column("a").filled({"low": "27", "high": "213"})])
    with mounted(page, static_address, filled) as table:
        page.get_by_role("button", name="Keep: not private").click()
        table.cell("a", "typical").fill("30")
        table.cell("b", "low").fill("1")
        page.evaluate("document.activeElement.blur()")
        stored = page.evaluate("Object.values(sessionStorage)")
        assert stored == ['[["a",[["seen","seen"],["typical","30"]]],["b",[["low","1"]]]]']


def test_that_values_were_shown_outlives_a_reload_without_a_keystroke(
    page: Page, static_address: str
) -> None:
    draft = draft_of(["a", "b"])
    filled = draft.with_columns([draft.column("a").filled({"low": "27", "high": "213"})])
    with mounted(page, static_address, filled):
        page.wait_for_function("Object.values(sessionStorage).length === 1")
    page.reload()
    for _ in range(2):
        with mounted(page, static_address, draft_of(["a", "b"])) as table:
            page.wait_for_timeout(400)
            assert table.known("seen") == ["seen", False]
            assert page.get_by_role("button", name="Use them").count() == 0


def test_two_tabs_do_not_mix(page: Page, static_address: str) -> None:
    assert page.context.browser is not None
    context = page.context.browser.new_context()
    one, other = context.new_page(), context.new_page()
    for tab in (one, other):
        tab.goto(f"{static_address}/charts/charts.css")
    with (
        mounted(one, static_address, draft_of(NAMES)) as first,
        mounted(other, static_address, draft_of(NAMES)) as second,
    ):
        first.cell("c0", "low").fill("1")
        second.cell("c0", "low").fill("2")
        other.wait_for_timeout(300)
        assert (first.known("low")[0], second.known("low")[0]) == ("1", "2")
        stored = [tab.evaluate("Object.values(sessionStorage)") for tab in (one, other)]
        assert stored == [['[["c0",[["low","1"]]]]'], ['[["c0",[["low","2"]]]]']]
    context.close()


def test_a_codebook_outlives_a_reload_for_any_table_with_one_of_its_columns(
    page: Page, static_address: str
) -> None:
    book = {"key": "k", "content": "{}", "pasted": False, "columns": ["c1"]}
    replaced = {**book, "replaced": [["c0", "low"]]}
    with mounted(page, static_address, draft_of(NAMES)) as table:
        table.cell("c0", "low").fill("1")
        table.cell("c0", "high").fill("2")
        page.wait_for_timeout(300)
    with mounted(page, static_address, draft_of(NAMES, c1={"low": "1"}), loaded=[replaced]):
        page.wait_for_function("sessionStorage.getItem('dpca.codebooks') !== null")
    page.reload()
    with mounted(page, static_address, draft_of(["a", "b"])):
        assert page.get_by_role("button", name="Use them").count() == 0
    with mounted(page, static_address, draft_of(["c1", "b"])):
        assert page.get_by_role("button", name="Use them").count() == 1
    with mounted(page, static_address, draft_of(NAMES)) as table:
        page.get_by_role("button", name="Use them").click()
        typed = {"mount": "before", "seq": 1, "cells": [["c0", [["high", "2", 1]]]]}
        sent = {"codebooks": [{"content": "{}", "pasted": False}], "typed": typed}
        assert table.triggers() == [["restore", sent]]
    with mounted(page, static_address, draft_of(NAMES)):
        page.get_by_role("button", name="Start afresh").click()
    with mounted(page, static_address, draft_of(["c1", "b"])):
        assert page.get_by_role("button", name="Use them").count() == 0
