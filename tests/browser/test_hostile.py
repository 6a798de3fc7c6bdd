"""Hostile names in a real browser: shown letter for letter, nothing runs, nothing is fetched."""

from playwright.sync_api import expect

from tests.browser.table_upload import answer_who, codebook, decide, load_codebook, look, upload

IMAGE = "<img src=x onerror=alert(1)>"
NAMES = (IMAGE, "![x](http://127.0.0.1:9/x.png)", "**bold** :red[red] $x^2$", "=1+1")
CELLS = [",".join(f"{i * step % 79 / 9:.2f}" for step in (3, 5, 7, 11)) for i in range(80)]
TABLE = "\n".join([",".join(NAMES), *CELLS]).encode()


def test_names_of_columns_and_files_are_never_obeyed(open_page):
    page = open_page("/data")
    # Dialogs that open, and requests that leave for anywhere but the server.
    seen, alert = [], page.get_by_role("alert")
    page.on("dialog", lambda dialog: (seen.append(dialog.message), dialog.dismiss()))
    page.on("request", lambda request: seen.append(request.url) if ":9/" in request.url else None)
    for name in NAMES[:3]:
        upload(page, f"{name}.csv".replace("/", "\u2215"), b"a\n1\n")
        expect(alert).to_contain_text("has only one column")
        expect(alert).to_contain_text(name[:8])
        assert alert.locator("img, strong, .katex").count() == 0
    upload(page, "twice.csv", f"{IMAGE},{IMAGE}\n1,2\n3,4\n".encode())
    expect(alert).to_contain_text(f"2 columns named “{IMAGE}”")
    upload(page, f"{IMAGE}.csv", TABLE)
    expect(page.get_by_text(f"{IMAGE}.csv: 80 rows, 4 columns")).to_be_visible()
    # A file that cannot be read leaves the table that is there.
    upload(page, "book.csv", b"PK\x03\x04" + bytes(99))
    expect(alert).to_contain_text("book.csv is no text table, but a workbook or an archive")
    expect(alert).to_contain_text("The table you have stays as it is.")
    expect(alert).to_have_count(1)
    page.get_by_role("button", name="Back to the table you have").click()
    answer_who(page)
    load_codebook(page, codebook(NAMES, -9, 9))
    decide(page)
    assert page.locator(".stMain img").count() == 0
    look(page)
    expect(page.locator(".dpca footer")).to_contain_text(f"{IMAGE}.csv, 80 people × 4 columns")
    assert page.locator(".dpca img").count() == 0
    assert seen == []
