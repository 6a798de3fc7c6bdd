"""A table on the server summed up by two kinds of workers, seen and stopped in a browser."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from dpca_core.readers.preview import BYTES
from tests.browser.conftest import FOLLOW, WIDE, at_rest, resident
from tests.browser.server import serving
from tests.browser.table_upload import answer_who, codebook, decide, load_codebook

pytestmark = pytest.mark.long("sums up millions of rows, in processes too")
ROWS, FILES = 60_000, 50
NAMES = ["age", "height", "weight", "pulse"]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that may read a folder of files, the first no longer than a preview."""
    root = tmp_path_factory.mktemp("allowed")
    rng = np.random.default_rng(0)
    for name, rows in (("short", 500), ("long", ROWS)):
        table = pd.DataFrame(rng.normal(50, 12, (rows, len(NAMES))).round(2), columns=NAMES)
        table.to_csv(root / f"{name}.csv", index=False)
    assert (root / "short.csv").stat().st_size < BYTES
    (root / "many").mkdir()
    for i in range(FILES):
        os.link(root / f"{'long' if i else 'short'}.csv", root / "many" / f"{i:02}.csv")
    log = tmp_path_factory.mktemp("log") / "log.txt"
    with serving(log, DPCA_FOLDERS=os.fspath(root)) as (url, _):
        yield url
    assert "Traceback" not in Path(log).read_text("utf-8", "replace")


@pytest.fixture(scope="module")
def resident_page(browser: Browser, address: str) -> Iterator[Page]:
    """The page behind ``shared_context``, of this server."""
    with resident(browser, address) as page:
        yield page


def choose(context: BrowserContext, folder: str) -> Page:
    page = context.new_page()
    page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})
    page.add_init_script(f"({FOLLOW})()")
    page.goto("/data")
    page.get_by_text("On this server").click()
    at_rest(page)
    menu = page.get_by_role("combobox", name="CSV or Parquet file or folder on this server")
    menu.click()
    menu.fill(folder)
    page.get_by_role("option").filter(has_text=re.compile(f"/{folder}$")).click()
    expect(page.get_by_text("the first 500 rows, 4 columns")).to_be_visible()
    answer_who(page)
    load_codebook(page, codebook(NAMES, 0, 100))
    decide(page)
    return page


def test_processes_sum_up_a_folder_which_can_be_stopped_and_begun_again(
    shared_context: BrowserContext,
) -> None:
    page = choose(shared_context, "many")
    where = page.get_by_role("combobox", name="Where to compute")
    where.click()
    where.fill("processes")
    page.keyboard.press("Enter")
    at_rest(page)
    # What the bar says is gone soon: every text is kept.
    page.evaluate("""() => {
      window.said = new Set();
      new MutationObserver(() => document.querySelectorAll('[data-testid=stProgress]')
        .forEach(bar => said.add(bar.innerText))).observe(
        document.body, {childList: true, subtree: true, characterData: true});
    }""")
    page.get_by_role("button", name="Look, and note it").click()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("The computation was stopped; nothing was kept.")).to_be_visible()
    page.get_by_role("button", name="Look again").click()
    expect(page.get_by_text("2,940,500 people").locator("visible=true").first).to_be_visible(
        timeout=120_000
    )
    said = " ".join(page.evaluate("[...said]"))
    assert "rows" in said
    assert "a second" in said
    page.close()
