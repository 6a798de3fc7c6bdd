"""The way of a data owner through "Your data", as far as the table of columns."""

import numpy as np
import pandas as pd
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import OpenPage, settled
from tests.browser.table_upload import upload

NAMES = [f"c{i}" for i in range(10)]
NUMBERS = (
    pd.DataFrame(np.random.default_rng(0).normal(50, 9, (90, 10)).round(2), columns=NAMES)
    .to_csv(index=False)
    .encode()
)
"""Ten measurements of 90 people: nothing in it names or repeats one."""


def at_rest(page: Page) -> None:
    """Wait until what was typed has reached the server, and the page is drawn."""
    page.wait_for_timeout(400)
    page.wait_for_selector('[data-testid="stApp"][data-test-script-state="notRunning"]')
    page.wait_for_timeout(100)


def open_columns(open_page: OpenPage, content: bytes = NUMBERS, **options: object) -> Page:
    """Upload a table each row of which is another person's, and open its columns."""
    page = open_page("/data", **options)
    choose_table(page, content)
    return page


def choose_table(page: Page, content: bytes = NUMBERS) -> None:
    """Upload a table on an open page, say that its rows differ, and go on to its columns."""
    upload(page, "numbers.csv", content)
    page.get_by_text("Every row is a different person").click()
    at_rest(page)
    page.locator(".st-key-who-on button").click()
    settled(page)
    at_rest(page)


def cell(page: Page, name: str, field: str) -> Locator:
    """Return a cell by its label."""
    return page.get_by_label(f"{field}, {name}", exact=True)


def texts(page: Page, field: str) -> list[str]:
    """Return what stands in the cells of a field, from the first row on."""
    found: list[str] = page.locator(f"input[data-field={field}]").evaluate_all(
        "cells => cells.map(cell => cell.value)"
    )
    return found


def type_ranges(page: Page) -> None:
    """Type a low and a high for each of the ten columns, as into a sheet, without waiting."""
    for field, first in (("low", 0), ("high", 100)):
        cell(page, "c0", field).click()
        for i in range(10):
            page.keyboard.type(str(first + i))
            page.keyboard.press("Enter" if i < 9 else "Tab")


def expect_ranges(page: Page) -> None:
    """Wait until all that ``type_ranges`` types is there."""
    expect(page.locator("input[data-field=low]")).to_have_count(10)
    assert texts(page, "low") == [str(i) for i in range(10)]
    assert texts(page, "high") == [str(100 + i) for i in range(10)]
