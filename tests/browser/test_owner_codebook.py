"""Codebooks on "Your data": from the upload to Decide in six clicks, choices saved and loaded."""

import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from dpca_core.data.recipe import Recipe
from dpca_core.data.recipe_json import loads
from sample_data.made_up_clinic import clinic_csv, codebook_csv, table_schema_json
from tests.browser.conftest import PHONE, OpenPage, settled
from tests.browser.owner_steps import cell
from tests.browser.table_upload import at_rest

MOST_CLICKS, MACHINE_SECONDS = 6, 10.0
YES = re.compile("^Yes, one patient")
SIDEWAYS = "document.documentElement.scrollWidth"
CODEBOOKS = {"csv": codebook_csv(), "schema": table_schema_json()}


class Owner:
    """Somebody who clicks and waits: counts clicks, and the seconds the machine takes for them.

    What an owner reads and chooses between two clicks is not counted.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.clicks = 0
        self.seconds = 0.0

    def _done(self, begin: float, *shown: str) -> None:
        for selector in shown:
            self.page.wait_for_selector(selector)
        self.page.wait_for_selector('[data-testid="stApp"][data-test-script-state="notRunning"]')
        self.clicks += 1
        self.seconds += time.perf_counter() - begin

    def press(self, name: str | re.Pattern[str], *shown: str) -> None:
        """Press a button, or choose an answer, and wait until all that follows is drawn."""
        begin = time.perf_counter()
        button = self.page.get_by_role("button", name=name)
        (button if button.count() else self.page.get_by_text(name)).first.click()
        self._done(begin, *shown)

    def give(self, name: str, content: bytes, *shown: str) -> None:
        """Choose a file: one click, as far as the page goes."""
        begin = time.perf_counter()
        file = {"name": name, "mimeType": "text/plain", "buffer": content}
        self.page.locator("input[type=file]").last.set_input_files(file)
        self._done(begin, *shown)

    def to_columns(self) -> None:
        """Upload the clinic, and say who is protected."""
        self.give("visits.csv", clinic_csv(), "text=Go on to Columns")
        self.press(YES, ".st-key-who-on button:not([disabled])")
        self.press("Go on to Columns", '[data-ready="true"]')


@pytest.mark.long("measures how long a person waits")
@pytest.mark.parametrize("form", CODEBOOKS)
def test_from_the_upload_to_decide_in_six_clicks_and_ten_seconds(
    open_page: OpenPage, form: str
) -> None:
    owner = Owner(open_page("/data"))
    owner.to_columns()
    owner.press("Load a codebook", "text=Codebook: CSV, JSON or YAML")
    owner.give("codebook", CODEBOOKS[form], "text=13 of 15 columns found")
    expect(cell(owner.page, "hr", "high")).to_have_value("220")
    owner.press("Decide", "text=Careful")
    expect(owner.page).to_have_url(re.compile("step=decide"))
    assert owner.clicks == MOST_CLICKS
    assert owner.seconds < MACHINE_SECONDS


def load(owner: Owner, name: str, content: bytes, said: str) -> None:
    owner.press("Load a codebook", "text=Codebook: CSV, JSON or YAML")
    owner.give(name, content, f"text={said}")
    at_rest(owner.page)


def saved(page: Page) -> tuple[str, bytes]:
    """Save the choices; return the file's name and content."""
    with page.expect_download() as found:
        page.get_by_role("button", name="Save choices").click()
    return found.value.suggested_filename, Path(found.value.path()).read_bytes()


def recipe_of(content: bytes) -> Recipe:
    recipe = loads(content)
    assert isinstance(recipe, Recipe)
    return recipe


def test_choices_saved_and_loaded_in_a_fresh_session_are_the_equal_recipe(
    open_page: OpenPage,
) -> None:
    first = Owner(open_page("/data"))
    first.to_columns()
    name, unfinished = saved(first.page)
    assert name == "not-private-choices.json"
    load(first, "codebook.csv", codebook_csv(), "13 of 15 columns found")
    first.press("Leave it out")
    cell(first.page, "hr", "high").fill("200")
    at_rest(first.page)
    name, content = saved(first.page)
    assert name == "recipe.json"
    assert b"visits.csv" not in content
    recipe = recipe_of(content)
    assert recipe.bounds_are_public
    second = Owner(open_page("/data", stranger=True))
    second.to_columns()
    load(second, "recipe.json", content, "13 of 15 columns found")
    expect(cell(second.page, "hr", "high")).to_have_value("200")
    expect(second.page.get_by_text("Replace it?")).to_have_count(0)
    assert recipe_of(saved(second.page)[1]) == recipe
    assert unfinished.startswith(b'{\n "format": "dpca-draft/1"')


def test_what_was_typed_is_replaced_only_after_a_question(open_page: OpenPage) -> None:
    owner = Owner(open_page("/data"))
    owner.to_columns()
    cell(owner.page, "hr", "low").fill("40")
    load(owner, "codebook.csv", codebook_csv(), "13 of 15 columns found")
    expect(cell(owner.page, "hr", "low")).to_have_value("40")
    expect(cell(owner.page, "hr", "high")).to_have_value("220")
    owner.press("Replace it")
    expect(cell(owner.page, "hr", "low")).to_have_value("30")


def test_a_codebook_after_a_look_is_public_and_outlives_a_reload(open_page: OpenPage) -> None:
    owner = Owner(open_page("/data"))
    owner.to_columns()
    cell(owner.page, "age", "low").fill("17")
    at_rest(owner.page)
    owner.press("Fill empty cells from the file")
    at_rest(owner.page)
    assert cell(owner.page, "hr", "where from").input_value() == "file"
    load(owner, "codebook.csv", codebook_csv(), "13 of 15 columns found")
    assert cell(owner.page, "hr", "where from").input_value() == "codebook"
    cell(owner.page, "hr", "high").fill("200")
    at_rest(owner.page)
    owner.page.reload()
    owner.to_columns()
    owner.press("Use them")
    expect(cell(owner.page, "sbp", "high")).to_have_value("260")
    assert cell(owner.page, "sbp", "where from").input_value() == "codebook"
    expect(cell(owner.page, "hr", "high")).to_have_value("200")
    assert cell(owner.page, "hr", "where from").input_value() == "declared by you"
    expect(cell(owner.page, "age", "low")).to_have_value("17")


def test_rows_of_a_sheet_are_pasted_and_count_as_typed(open_page: OpenPage) -> None:
    owner = Owner(open_page("/data", size=PHONE))
    owner.to_columns()
    owner.press("Paste from a sheet")
    lines = "column\tlow\ttypical\thigh\nhr\t30\t75\t220\n"
    owner.page.get_by_role("textbox", name="Rows of your sheet").fill(lines)
    owner.press("Use these lines", "text=1 of 15 columns found")
    owner.page.get_by_role("button", name=re.compile("^All 15")).click()
    expect(cell(owner.page, "hr", "high")).to_have_value("220")
    assert cell(owner.page, "hr", "where from").input_value() == "guess"
    assert owner.page.evaluate(SIDEWAYS) <= PHONE[0]


def test_a_file_that_is_no_codebook_is_one_sentence_and_changes_nothing(
    open_page: OpenPage,
) -> None:
    owner = Owner(open_page("/data"))
    owner.to_columns()
    cell(owner.page, "hr", "low").fill("40")
    load(owner, "visits.csv", clinic_csv(), "not a codebook that can be read")
    expect(cell(owner.page, "hr", "low")).to_have_value("40")


NAMES = ("quagga_hr", "aurochs_sbp", "dodo_person", "Zebra-Ward-7.csv", "okapi_sheet")
"""Of columns, a table's file and a codebook's: found nowhere but on the page and in its files."""


def test_no_address_title_or_log_holds_a_name_of_a_file_or_a_column(
    open_page: OpenPage, server_log: Path
) -> None:
    rows = "".join(f"p{i // 3},{60 + i % 50},{110 + i % 37}\n" for i in range(120))
    table = f"{NAMES[2]},{NAMES[0]},{NAMES[1]}\n{rows}".encode()
    codebook = f"column,low,high\n{NAMES[0]},30,220\n{NAMES[1]},60,260\n".encode()
    places: list[str] = []

    def note(page: Page) -> None:
        at_rest(page)
        places.extend([page.url, page.title(), page.evaluate("JSON.stringify(history.state)")])

    owner = Owner(open_page("/data"))
    owner.give(NAMES[3], table, "text=Go on to Columns")
    note(owner.page)
    owner.page.get_by_text("Every row is a different").click()
    owner.page.wait_for_selector(".st-key-who-on button:not([disabled])")
    note(owner.page)
    owner.press("Go on to Columns", '[data-ready="true"]')
    settled(owner.page)
    cell(owner.page, NAMES[2], "use as").select_option("out")
    note(owner.page)
    load(owner, f"{NAMES[4]}.csv", codebook, "2 of 3 columns found")
    note(owner.page)
    owner.press("Decide", "text=Careful")
    note(owner.page)
    text = "\n".join([*places, server_log.read_text("utf-8", "replace")])
    assert [name for name in NAMES if name.casefold() in text.casefold()] == []
    assert len(places) == 15
