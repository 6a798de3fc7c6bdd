"""A table from one's own disk: uploaded, prepared, explored; a broken one is one sentence."""

import csv
import io
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import Page, expect

from tests.adults import adults
from tests.browser.conftest import OpenPage, go_to, settled
from tests.browser.table_upload import (
    answer_who,
    at_rest,
    codebook,
    decide,
    load_codebook,
    look,
    upload,
)

RANGES = {
    "age": (17, 90), "education-num": (1, 16), "capital-gain": (0, 100_000),
    "capital-loss": (0, 4400), "hours-per-week": (1, 99),
}  # fmt: skip
"""Public ranges of Adult's numbers."""


def values_of(table: pd.DataFrame, name: str) -> list[str]:
    return [value for value in table[name].unique() if value != "?"]


def adult_codebook(table: pd.DataFrame) -> bytes:
    """Describe every column of Adult: two are left out."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["column", "use", "low", "high", "missing", "values"])
    for name in table.columns:
        if name in ("fnlwgt", "split"):
            writer.writerow([name, "leave out", "", "", "", ""])
        elif name in RANGES:
            writer.writerow([name, "number", *RANGES[name], "", ""])
        else:
            values = "; ".join(f'"{value}"' for value in values_of(table, name))
            writer.writerow([name, "category", "", "", "?", values])
    return text.getvalue().encode()


def adult_spectrum(table: pd.DataFrame) -> np.ndarray:
    """Eigenvalues of Adult's S, by an own loop: numbers to [−1, 1], one-hot less 1/m, length 1."""
    parts = []
    for name in table.columns.drop(["fnlwgt", "split"]):
        if name in RANGES:
            low, high = RANGES[name]
            part = (table[name].clip(low, high) - (low + high) / 2) / ((high - low) / 2)
            parts.append(part.to_numpy()[:, None])
        else:
            values = values_of(table, name)
            there = table[name].isin(values).to_numpy(float)
            each = [(table[name] == v).to_numpy(float) - there / len(values) for v in values]
            parts.append(np.column_stack(each))
    rows = np.hstack(parts)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return np.linalg.eigvalsh(rows.T @ rows)[::-1]


@pytest.mark.parametrize(("text", "shape"), adults())
def test_adult_as_csv_gives_the_spectrum_of_an_independent_script(
    text: str, shape: tuple[int, int], open_page: OpenPage, tmp_path: Path
) -> None:
    people, columns = shape
    table = pd.read_csv(io.StringIO(text))
    page = open_page("/data")
    upload(page, "adult.csv", text.encode())
    expect(page.get_by_text(f"{people:,} rows, 16 columns")).to_be_visible()
    answer_who(page)
    load_codebook(page, adult_codebook(table))
    # A top code of the real table: the codebook does not say that it is one.
    if (real := page.get_by_role("button", name="A real value")).count():
        real.click()
        at_rest(page)
    decide(page)
    assert "adult" not in page.url
    look(page)
    expect(page.locator(".dpca footer")).to_contain_text(f"{people:,} people × {columns} columns")
    expect(page.locator(".dpca-badge")).to_have_text("PROVED")
    with page.expect_download() as waiting:
        page.get_by_label("Download spectrum as CSV").click()
    waiting.value.save_as(tmp_path / "spectrum.csv")
    _, _, *rows = csv.reader((tmp_path / "spectrum.csv").read_text().splitlines())
    shown = np.array([float(row[1]) for row in rows])
    # The table has seven digits.
    assert shown == pytest.approx(adult_spectrum(table)[: len(shown)], rel=6e-7)
    assert re.search(r"data=upload%3A[0-9a-f]{32}\b", page.url)
    assert "adult" not in page.url


def numbers_table(page: Page, name: str) -> None:
    """Upload a table of three numbers, describe it, and look at it."""
    rng = np.random.default_rng(0)
    text = "a,b,c\n" + "\n".join(",".join(f"{v:.3f}" for v in row) for row in rng.random((60, 3)))
    upload(page, name, text.encode())
    answer_who(page)
    load_codebook(page, codebook("abc", 0, 1))
    decide(page)
    look(page)


def test_a_table_is_of_this_session_alone(open_page: OpenPage) -> None:
    page = open_page("/data")
    numbers_table(page, "people.csv")
    expect(page.locator(".dpca footer")).to_contain_text("people.csv, 60 people × 3 columns")
    other = open_page(page.url[page.url.index("/?") :], stranger=True)
    expect(other.get_by_role("status")).to_contain_text("uploaded in another session")
    expect(other.get_by_text("people.csv")).to_have_count(0)
    assert other.locator(".dpca:not(.dpca-room)").count() == 0


def test_a_synthetic_set_with_parameters_can_be_made(open_page: OpenPage) -> None:
    page = open_page("/data")
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
    numbers_table(page, "secret.csv")
    go_to(page, "Eigengap")
    expect(page.locator(".dpca-sheets footer")).to_contain_text("secret.csv")
    address = page.url
    go_to(page, "Prepare")
    page.get_by_role("button", name="1 Who").click()
    page.get_by_role("button", name="Forget this table").click()
    expect(page.get_by_role("button", name="Try it with a made-up clinic")).to_be_visible()
    expect(page.get_by_text("secret.csv")).to_have_count(0)
    go_to(page, "Eigengap")
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
        go_to(page, name)
        expect(page.locator(footer)).to_contain_text("Wine")
