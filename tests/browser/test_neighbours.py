"""One visitor asks for what takes longest; the moves of another are answered all the same."""

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage, settled
from tests.browser.table_upload import upload

pytestmark = pytest.mark.long("the heaviest links there are, and a table of 2.4 MB")
WORST = "data=imtiaz%3Fd%3D400%26n%3D50000"
LINKS = (
    f"/?{WORST}&mechanism=local_sparse&k=20",
    f"/?{WORST}&mechanism=ppca_gibbs&k=20",
    f"/?view=all&{WORST}&mechanisms=local_sparse%2Cppca_gibbs&k=20",
    f"/local?{WORST}&source=data&k=20",
    f"/sample_size?{WORST}&k=20",
)
COLUMNS, ROWS = 1990, 120
WAITING = "This takes a while"


def wide_table() -> bytes:
    """Write 2.4 MB of numbers in 1,990 columns."""
    rng = np.random.default_rng(0)
    lines = [",".join(f"c{i}" for i in range(COLUMNS))]
    lines += [",".join(f"{x:.6f}" for x in row) for row in rng.normal(size=(ROWS, COLUMNS))]
    return "\n".join(lines).encode()


def move(page: Page) -> None:
    """Ask Explore for one direction more, and wait for the answer."""
    explore = page.locator(".dpca-page")
    before = explore.get_attribute("data-id")
    page.locator(".st-key-k input[type=range]").press("ArrowRight")
    expect(explore).not_to_have_attribute("data-id", before or "")
    settled(page)


def test_the_worst_links_and_a_wide_table_keep_nobody_else_waiting(open_page: OpenPage) -> None:
    page = open_page("/")
    settled(page)
    for link in LINKS:
        other = page.context.new_page()
        other.goto(link, wait_until="commit")
        other.get_by_test_id("stApp").wait_for()
        move(page)
    other = open_page("/data", stranger=True)
    upload(other, "wide.csv", wide_table())
    move(page)
    expect(other.get_by_text("1,990 columns").first).to_be_visible()


def test_who_waits_is_told_and_gets_the_page_back_by_moving(open_page: OpenPage) -> None:
    other = open_page("/").context.new_page()
    other.goto(LINKS[0])
    expect(other.get_by_text(WAITING).first).to_be_visible()
    other.get_by_role("combobox", name="Data").click()
    other.get_by_role("option", name="Wine").click()
    # At once: what was begun would take most of a minute on an idle machine.
    expect(other.locator(".dpca footer")).to_contain_text("Wine")
    expect(other.get_by_text(WAITING)).to_have_count(0)
