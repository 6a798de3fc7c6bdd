"""The way of a data owner through "Your data": a table, whose it is, its columns, a decision."""

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import FOLLOW, OpenPage, at_rest, settled

EVERY_ROW = "Every row is a different"
PEOPLE = "About how many people?"
NAMES = [f"c{i}" for i in range(10)]
NUMBERS = (
    pd.DataFrame(np.random.default_rng(0).normal(50, 9, (90, 10)).round(2), columns=NAMES)
    .to_csv(index=False)
    .encode()
)
"""Ten measurements of 90 people: nothing in it names or repeats one."""


def upload(page: Page, name: str, content: bytes) -> None:
    """Choose a file on the page "Your data"; another one where there is a table already."""
    page.evaluate(FOLLOW)
    another = page.get_by_role("button", name="Another table")
    page.locator("input[type=file]").or_(another).first.wait_for(state="attached")
    if another.count():
        another.click()
    page.locator("input[type=file]").set_input_files(
        {"name": name, "mimeType": "text/csv", "buffer": content}
    )


def answer_who(page: Page, answer: str = EVERY_ROW) -> None:
    """Say whose rows they are, and go on to the columns."""
    page.get_by_text(answer).click()
    at_rest(page)
    page.locator(".st-key-who-on button").click()
    settled(page)
    at_rest(page)


def choose_table(page: Page, content: bytes = NUMBERS) -> None:
    """Upload a table on an open page, say that its rows differ, and go on to its columns."""
    upload(page, "numbers.csv", content)
    answer_who(page)


def open_columns(open_page: OpenPage) -> Page:
    """Upload a table each row of which is another person's, and open its columns."""
    page = open_page("/data")
    choose_table(page)
    return page


def cell(page: Page, name: str, field: str) -> Locator:
    """Return a cell by its label."""
    return page.get_by_label(f"{field}, {name}", exact=True)


def expect_texts(page: Page, field: str, texts: Sequence[str]) -> None:
    """Wait until these texts stand in the cells of a field, from the first row on."""
    cells = page.locator(f"input[data-field={field}]")
    expect(cells).to_have_count(len(texts))
    for i, text in enumerate(texts):
        expect(cells.nth(i)).to_have_value(text)


def type_ranges(page: Page) -> None:
    """Type a low and a high for each of the ten columns, as into a sheet, without waiting."""
    for field, first in (("low", 0), ("high", 100)):
        cell(page, "c0", field).click()
        for i in range(10):
            page.keyboard.type(str(first + i))
            page.keyboard.press("Enter" if i < 9 else "Tab")


def expect_ranges(page: Page) -> None:
    """Wait until all that ``type_ranges`` types is there."""
    expect_texts(page, "low", [str(i) for i in range(10)])
    expect_texts(page, "high", [str(100 + i) for i in range(10)])


def codebook(numbers: Iterable[str], low: float, high: float) -> bytes:
    """Write a codebook of numbers that all have the same range."""
    lines = [f'"{name}",number,{low},{high}' for name in numbers]
    return "\n".join(["column,use,low,high", *lines]).encode()


def load_codebook(page: Page, content: bytes, said: str = "columns found") -> None:
    """Load a codebook in the step of the columns."""
    page.get_by_role("button", name="Load a codebook").click()
    page.locator("input[type=file]").set_input_files(
        {"name": "codebook.csv", "mimeType": "text/csv", "buffer": content}
    )
    expect(page.get_by_text(said)).to_be_visible()
    at_rest(page)


def decide(page: Page) -> None:
    """Go on from the columns to the decision, once nothing is missing."""
    page.locator(".dpca-way-on").get_by_role("button", name="Decide").click()
    page.wait_for_url("**step=decide**")
    at_rest(page)


def answer(page: Page, label: str, text: str) -> None:
    """Type into a field of *Decide* and leave it."""
    page.get_by_label(label, exact=True).first.fill(text)
    page.keyboard.press("Tab")
    at_rest(page)


def look(page: Page) -> None:
    """Look at the table's own curves, which is noted."""
    page.get_by_role("button", name="Look, and note it").click()
    page.wait_for_selector('.dpca-page[data-ready="true"]', state="attached")
