"""A table from one's own disk: uploaded, prepared, explored; a broken one is one sentence."""

import csv
import io
import re
from math import sqrt
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import Page, expect

from tests.adults import adults
from tests.browser.conftest import OpenPage, settled

RANGES = {
    "age": (17, 90), "education-num": (1, 16), "capital-gain": (0, 100_000),
    "capital-loss": (0, 4400), "hours-per-week": (1, 99),
}  # fmt: skip
"""What filling in from the file suggests for Adult: its extremes, rounded outwards."""


def upload(page: Page, name: str, content: bytes) -> None:
    page.locator("input[type=file]").set_input_files(
        {"name": name, "mimeType": "text/csv", "buffer": content}
    )


def use(page: Page) -> None:
    page.get_by_role("button", name="Fill ranges and categories in").click()
    expect(page.get_by_text("Public range of each number")).to_be_visible()
    page.wait_for_timeout(500)
    page.get_by_role("button", name="Use these data").click()
    settled(page)


def leave_out(page: Page, *columns: str) -> None:
    box = page.get_by_role("combobox", name="Leave out")
    for column in columns:
        box.click()
        box.fill(column)
        page.keyboard.press("Enter")
        expect(page.get_by_role("option", name=column, exact=True)).to_have_count(0)
    page.keyboard.press("Escape")


def adult_spectrum(text: str) -> np.ndarray:
    """Eigenvalues of Adult's S, by an own loop: numbers to [−1, 1], one-hot, divided by √14."""
    table = pd.read_csv(io.StringIO(text)).drop(columns=["fnlwgt", "split"])
    parts = []
    for name in table.columns:
        if name in RANGES:
            low, high = RANGES[name]
            part = (table[name].clip(low, high) - (low + high) / 2) / ((high - low) / 2)
            parts.append(part.to_numpy()[:, None])
        else:
            values = [v for v in table[name].unique() if v != "?"]
            parts += [(table[name] == v).to_numpy(float)[:, None] for v in values]
    rows = np.hstack(parts) / sqrt(table.shape[1])
    return np.linalg.eigvalsh(rows.T @ rows)[::-1]


@pytest.mark.parametrize(("text", "shape"), adults())
def test_adult_as_csv_gives_the_spectrum_of_an_independent_script(
    text: str, shape: tuple[int, int], open_page: OpenPage, tmp_path: Path
) -> None:
    people, columns = shape
    page = open_page("/data")
    upload(page, "adult.csv", text.encode())
    expect(page.get_by_text(f"{people:,} rows, 16 columns")).to_be_visible(timeout=30_000)
    leave_out(page, "fnlwgt", "split")
    use(page)
    expect(page.locator(".dpca footer")).to_contain_text(f"{people:,} people × {columns} columns")
    expect(page.locator(".dpca-badge")).to_have_text("NOT PRIVATE")
    with page.expect_download() as waiting:
        page.get_by_label("Download spectrum as CSV").click()
    waiting.value.save_as(tmp_path / "spectrum.csv")
    _, _, *rows = csv.reader((tmp_path / "spectrum.csv").read_text().splitlines())
    shown = np.array([float(row[1]) for row in rows])
    # The table has seven digits.
    assert shown == pytest.approx(adult_spectrum(text)[: len(shown)], rel=6e-7)
    assert re.search(r"data=upload%3A[0-9a-f]{32}\b", page.url)
    assert "adult" not in page.url


SMALL = b"who,age,height,sex\n" + b"".join(
    b"p%d,%d,%.2f,%s\n" % (i, 20 + i % 50, 1.5 + i % 7 / 20, b"fm"[i % 2 : i % 2 + 1])
    for i in range(120)
)

BROKEN = {
    "latin.csv": ("a,b\nä,1\nö,2\n".encode("latin-1"), "is not UTF-8 text"),
    "ragged.csv": (b"a,b\n1,2\n3,4,5\n", "Line 3 of ragged.csv has 3 fields"),
    "texts.csv": (
        b"a,b\n" + b"".join(b"x%d,y%d\n" % (i, i) for i in range(90)),
        "no column of numbers",
    ),
    "one.csv": (b"a,b\n1,2\n", "has one row"),
    "twice.csv": (b"a,a\n1,2\n3,4\n", "two columns named"),
    "wide.csv": (",".join(f"c{i}" for i in range(10_000)).encode() + b"\n", "10,000 columns"),
    "cut.parquet": (b"PAR1 and no more", "damaged Parquet"),
    "empty.csv": (b"", "is empty"),
}


def test_a_broken_file_is_one_sentence_and_the_last_good_one_is_of_this_session_alone(
    open_page: OpenPage,
) -> None:
    page = open_page("/data")
    upload(page, "people.csv", SMALL)
    expect(page.get_by_text("120 rows, 4 columns")).to_be_visible()
    for name, (content, words) in BROKEN.items():
        upload(page, name, content)
        alert = page.get_by_role("alert")
        expect(alert).to_contain_text(words)
        assert alert.count() == 1
        assert "\n" not in alert.inner_text().strip()
        expect(page.get_by_text("120 rows, 4 columns")).to_be_visible()
    use(page)
    expect(page.locator(".dpca footer")).to_contain_text("people.csv, 120 people × 4 columns")
    expect(page.locator(".dpca-badge")).to_have_text("NOT PRIVATE")
    expect(page.locator(".dpca-odds, .dpca-under").first).to_contain_text("No bound on guesses")
    other = open_page(page.url[page.url.index("/?") :], stranger=True)
    expect(other.get_by_role("status")).to_contain_text("uploaded in another session")
    expect(other.get_by_text("people.csv")).to_have_count(0)
    assert other.locator(".dpca").count() == 0


def test_odd_values_are_named_or_used(open_page: OpenPage) -> None:
    page = open_page("/data")
    for name, values, words in (
        ("missing", ["nan", "nan", "1"], "at least two columns"),
        ("constant", ["7", "7", "7"], "at least two columns"),
        ("infinite", ["inf", "1", "2"], None),
        ("huge", ["1e308", "-1e308", "3"], None),
    ):
        rows = "".join(f"{value},{i}\n" for i, value in enumerate(values))
        upload(page, f"{name}.csv", b"x,y\n" + rows.encode())
        expect(page.get_by_text(f"{name}.csv: 3 rows, 2 columns")).to_be_visible()
        expect(page.get_by_role("alert")).to_have_count(0)
        page.get_by_role("button", name="Fill ranges and categories in").click()
        page.wait_for_timeout(500)
        page.get_by_role("button", name="Use these data").click()
        if words:
            expect(page.get_by_role("alert").filter(has_text=words)).to_have_count(1)
            expect(page.get_by_text("3 rows, 2 columns")).to_be_visible()
        else:
            settled(page)
            page.get_by_role("link", name="Your data").click()


def test_a_synthetic_set_with_parameters_can_be_made(open_page: OpenPage) -> None:
    page = open_page("/data")
    page.get_by_role("tab", name="Built-in data").click()
    card = page.locator(".st-key-card-chaudhuri")
    card.get_by_role("button", name="Parameters").click()
    people = page.get_by_role("spinbutton", name="People")
    people.fill("2000")
    people.press("Enter")
    page.keyboard.press("Escape")
    card.get_by_role("button", name="Explore").click()
    settled(page)
    page.wait_for_function("location.search.includes('chaudhuri%3Fn%3D2000')")
    expect(page.locator(".dpca footer")).to_contain_text("2,000 people × 10 columns")


def test_a_forgotten_file_is_gone_from_every_page(open_page: OpenPage) -> None:
    page = open_page("/data")
    rng = np.random.default_rng(0)
    text = "a,b,c\n" + "\n".join(",".join(f"{v:.3f}" for v in row) for row in rng.random((60, 3)))
    upload(page, "secret.csv", text.encode())
    use(page)
    page.get_by_role("link", name="Eigengap").click()
    expect(page.locator(".dpca-sheets footer")).to_contain_text("secret.csv")
    address = page.url
    page.get_by_role("link", name="Your data").click()
    page.get_by_role("button", name="Forget this file").click()
    expect(page.get_by_role("button", name="Use these data")).to_have_count(0)
    expect(page.get_by_text("secret.csv")).to_have_count(0)
    page.get_by_role("link", name="Eigengap").click()
    expect(page.locator(".dpca-sheets footer")).to_contain_text("RAND")
    page.goto(address)
    expect(page.get_by_text("uploaded in another session")).to_be_visible()


def test_pages_visited_in_a_hurry_keep_the_data(open_page: OpenPage) -> None:
    page = open_page("/?data=wine")
    for name, footer in (
        ("Eigengap", ".dpca-sheets footer"),
        ("Compare", ".dpca-compare footer"),
        ("Eigengap", ".dpca-sheets footer"),
    ):
        page.get_by_role("link", name=name).click()
        expect(page.locator(footer)).to_contain_text("Wine")
