"""Hostile names in a real browser: shown letter for letter, nothing runs, nothing is fetched."""

import numpy as np
import pandas as pd
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage, settled
from tests.browser.table_upload import answer_who, codebook, decide, load_codebook, look, upload

NAMES = (
    "<img src=x onerror=alert(1)>",
    "![x](http://127.0.0.1:9/x.png)",
    "**bold** :red[red] $x^2$",
)


def hostile_table() -> bytes:
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.normal(size=(80, len(NAMES) + 1)).round(3), columns=[*NAMES, "=1+1"])
    return table.to_csv(index=False).encode()


def watched(page: Page) -> list[str]:
    """Dialogs that open and requests that leave for anywhere but the server."""
    seen: list[str] = []
    page.on("dialog", lambda dialog: (seen.append(dialog.message), dialog.dismiss()))
    page.on("request", lambda request: seen.append(request.url) if ":9/" in request.url else None)
    return seen


def test_names_of_columns_and_files_are_never_obeyed(open_page: OpenPage) -> None:
    page = open_page("/data")
    seen = watched(page)
    for name in NAMES:
        upload(page, f"{name}.csv".replace("/", "\u2215"), b"a\n1\n")
        expect(page.get_by_role("alert")).to_contain_text("has only one column")
        expect(page.get_by_role("alert")).to_contain_text(name[:8])
        assert page.get_by_role("alert").locator("img, strong, .katex").count() == 0
    upload(page, "twice.csv", f"{NAMES[0]},{NAMES[0]}\n1,2\n3,4\n".encode())
    expect(page.get_by_role("alert")).to_contain_text(f"2 columns named “{NAMES[0]}”")
    upload(page, f"{NAMES[0]}.csv", hostile_table())
    expect(page.get_by_text(f"{NAMES[0]}.csv: 80 rows, 4 columns")).to_be_visible()
    # A file that cannot be read leaves the table that is there.
    upload(page, "book.csv", b"PK\x03\x04" + bytes(99))
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("book.csv is no text table, but a workbook or an archive")
    expect(alert).to_contain_text("The table you have stays as it is.")
    expect(alert).to_have_count(1)
    page.get_by_role("button", name="Back to the table you have").click()
    answer_who(page)
    load_codebook(page, codebook([*NAMES, "=1+1"], -4, 4))
    decide(page)
    assert page.locator(".stMain img").count() == 0
    look(page)
    expect(page.locator(".dpca footer")).to_contain_text(f"{NAMES[0]}.csv, 80 people × 4 columns")
    assert page.locator(".dpca img").count() == 0
    assert seen == []


def test_a_link_with_markup_is_shown_as_it_is(open_page: OpenPage) -> None:
    page = open_page("/?data=!%5Bx%5D(http%3A%2F%2F127.0.0.1%3A9%2Fx.png)")
    expect(page.get_by_role("status").first).to_contain_text("![x](http:")
    assert page.get_by_role("status").locator("img").count() == 0
    page.goto("/?k=" + "9" * 400)
    settled(page)
