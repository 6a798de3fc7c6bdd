"""The page "Your data" as its visitor uses it: six clicks to a decision, and no name leaves it."""

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from sample_data.made_up_clinic import clinic_csv, codebook_csv
from tests.browser.conftest import PHONE, WIDE, OpenPage, resize, settled
from tests.browser.table_upload import at_rest, upload

NAMES = re.compile("st.?mary|patient|creatinine|hba1c|2,?671|900", re.IGNORECASE)
"""Names of the file and of its columns, the unit, and how many rows and people there are."""


def names_left_out(page: Page) -> None:
    """Tell that neither the address nor the title says anything of the file."""
    assert NAMES.search(page.url) is None
    assert NAMES.search(page.title()) is None


def clinic(page: Page) -> None:
    """Take the clinic's table and codebook as far as Decide: six clicks with the two files."""
    upload(page, "st-mary-ward-7.csv", clinic_csv())
    page.get_by_text("Yes, one patient").click()
    names_left_out(page)
    page.locator(".st-key-who-on button").click()
    settled(page)
    names_left_out(page)
    page.get_by_role("button", name="Load a codebook").click()
    page.locator("input[type=file]").set_input_files(
        {"name": "codebook.csv", "mimeType": "text/csv", "buffer": codebook_csv()}
    )
    expect(page.get_by_text("13 of 15 columns found")).to_be_visible()
    at_rest(page)


def to_decide(page: Page) -> None:
    """Confirm what only the file could tell, and go on."""
    page.get_by_role("button", name="Leave them out").or_(
        page.get_by_role("button", name="Leave it out")
    ).first.click()
    at_rest(page)
    page.locator(".dpca-way-on").get_by_role("button", name="Decide").click()
    page.wait_for_url("**step=decide**")
    at_rest(page)


def test_the_clinic_is_decided_in_six_clicks_and_nothing_leaks(
    open_page: OpenPage, server_log: Path
) -> None:
    page = open_page("/data")
    logged = server_log.stat().st_size
    clinic(page)
    to_decide(page)
    names_left_out(page)
    expect(page.get_by_text("Nothing on this page was computed from your file.")).to_be_visible()
    page.get_by_role("button", name="Look, and note it").click()
    settled(page)
    expect(page.locator(".dpca footer")).to_contain_text("900 patients")
    assert "mary" not in page.url
    assert NAMES.search(server_log.read_bytes()[logged:].decode("utf-8", "replace")) is None


def test_back_and_forward_lose_nothing(open_page: OpenPage) -> None:
    page = open_page("/data")
    clinic(page)
    page.get_by_role("button", name="1 Who").click()
    page.wait_for_url("**step=who**")
    expect(page.get_by_text("Yes, one patient")).to_be_visible()
    page.wait_for_timeout(1200)  # what changes faster is one entry of the history
    page.get_by_role("button", name="2 Columns").click()
    settled(page)
    expect(page.get_by_label("low, age", exact=True)).to_have_value("0")
    page.go_back()
    page.wait_for_url("**step=who**")
    page.get_by_role("button", name="2 Columns").click()
    settled(page)
    expect(page.get_by_label("low, age", exact=True)).to_have_value("0")


def test_first_rows_are_shown_without_a_way_to_save_them(open_page: OpenPage) -> None:
    page = open_page("/data")
    page.get_by_role("button", name="Try it with a made-up clinic").click()
    page.get_by_role("button", name="First rows").click()
    table = page.get_by_test_id("stDataFrame")
    expect(table).to_be_visible()
    table.hover()
    page.wait_for_timeout(300)
    assert page.get_by_test_id("stElementToolbar").filter(visible=True).count() == 0
    assert page.get_by_role("button", name="Download as CSV").filter(visible=True).count() == 0


def test_every_step_fits_every_screen(open_page: OpenPage) -> None:
    page = open_page("/data")

    def fits() -> None:
        for size in (PHONE, (768, 1024), (1920, 1080), WIDE):
            resize(page, size)
            page.wait_for_timeout(200)
            assert page.evaluate("document.documentElement.scrollWidth") <= size[0]

    fits()
    page.get_by_role("button", name="Try it with a made-up clinic").click()
    expect(page.get_by_text("Yes, one patient")).to_be_visible()
    fits()
    page.get_by_text("One patient may have several rows, and nothing here says which").click()
    expect(page.get_by_text("protected about five times less")).to_be_visible()
    fits()


def test_a_file_that_is_chosen_again_is_asked_about_again(open_page: OpenPage) -> None:
    page = open_page("/data")
    western = "Größe;Gewicht\n171;70\n180;80\n".encode("cp1252")
    question = page.get_by_text("Read it as Western European")
    for _ in range(2):
        upload(page, "western.csv", western)
        expect(question).to_be_visible()
        page.get_by_role("button", name="No", exact=True).click()
        expect(page.get_by_text("save it as “CSV UTF-8”")).to_be_visible()
        expect(question).to_have_count(0)
