"""Uploading a table, describing its columns by a codebook, and looking at the table."""

from collections.abc import Iterable

from playwright.sync_api import Page, expect

from tests.browser.conftest import settled

EVERY_ROW = "Every row is a different"


def upload(page: Page, name: str, content: bytes) -> None:
    """Choose a file on the page "Your data"; another one where there is a table already."""
    another = page.get_by_role("button", name="Another table")
    page.locator("input[type=file]").or_(another).first.wait_for(state="attached")
    if another.count():
        another.click()
    page.locator("input[type=file]").set_input_files(
        {"name": name, "mimeType": "text/csv", "buffer": content}
    )


def at_rest(page: Page) -> None:
    """Wait until what was done has reached the server, and the page is drawn."""
    page.wait_for_timeout(400)
    page.wait_for_selector('[data-testid="stApp"][data-test-script-state="notRunning"]')
    page.wait_for_timeout(100)


def answer_who(page: Page, answer: str = EVERY_ROW) -> None:
    """Say whose rows they are, and go on to the columns."""
    page.get_by_text(answer).click()
    at_rest(page)
    page.locator(".st-key-who-on button").click()
    settled(page)
    at_rest(page)


def codebook(numbers: Iterable[str], low: float, high: float) -> bytes:
    """Write a codebook of numbers that all have the same range."""
    lines = [f'"{name}",number,{low},{high}' for name in numbers]
    return "\n".join(["column,use,low,high", *lines]).encode()


def load_codebook(page: Page, content: bytes) -> None:
    """Load a codebook in the step of the columns."""
    page.get_by_role("button", name="Load a codebook").click()
    page.locator("input[type=file]").set_input_files(
        {"name": "codebook.csv", "mimeType": "text/csv", "buffer": content}
    )
    expect(page.get_by_text("columns found")).to_be_visible()
    at_rest(page)


def decide(page: Page) -> None:
    """Go on from the columns to the decision, once nothing is missing."""
    page.locator(".dpca-way-on").get_by_role("button", name="Decide").click()
    page.wait_for_url("**step=decide**")
    at_rest(page)


def look(page: Page) -> None:
    """Look at the table's own curves, which is noted."""
    page.get_by_role("button", name="Look, and note it").click()
    page.wait_for_selector('.dpca-explore[data-ready="true"]', state="attached")
