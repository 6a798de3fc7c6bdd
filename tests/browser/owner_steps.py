"""The way of a data owner through "Your data", as far as the table of columns."""

import numpy as np
import pandas as pd
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.table_upload import answer_who, at_rest, upload

NAMES = [f"c{i}" for i in range(10)]
NUMBERS = (
    pd.DataFrame(np.random.default_rng(0).normal(50, 9, (90, 10)).round(2), columns=NAMES)
    .to_csv(index=False)
    .encode()
)
"""Ten measurements of 90 people: nothing in it names or repeats one."""


def open_columns(open_page: OpenPage, content: bytes = NUMBERS, **options: object) -> Page:
    """Upload a table each row of which is another person's, and open its columns."""
    page = open_page("/data", **options)
    choose_table(page, content)
    return page


def choose_table(page: Page, content: bytes = NUMBERS) -> None:
    """Upload a table on an open page, say that its rows differ, and go on to its columns."""
    upload(page, "numbers.csv", content)
    answer_who(page)


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


def paste(page: Page, text: str) -> None:
    """Paste what was copied from a sheet where the cursor is."""
    page.evaluate(
        """text => {
          const clipboardData = new DataTransfer();
          clipboardData.setData("text/plain", text);
          document.activeElement.dispatchEvent(
            new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
        }""",
        text,
    )
    at_rest(page)


def paste_ranges(page: Page) -> None:
    """Paste what ``type_ranges`` types, for what comes after it: the browser is asked once."""
    cell(page, "c0", "low").click()
    paste(page, "\n".join(f"{i}\t\t{100 + i}" for i in range(10)))


def expect_ranges(page: Page) -> None:
    """Wait until all that ``type_ranges`` types is there."""
    expect(page.locator("input[data-field=low]")).to_have_count(10)
    assert texts(page, "low") == [str(i) for i in range(10)]
    assert texts(page, "high") == [str(100 + i) for i in range(10)]
