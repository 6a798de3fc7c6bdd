"""Files hold what the ledger holds: rebuilt byte for byte, without the table they came from."""

import ast
import io
import re
import zipfile
from pathlib import Path

import pytest

from dpca_core.release.draw import draw
from dpca_core.release.ledger import Ledger
from dpca_core.release.noise_quantiles import norm_quantile, top_sum_quantile
from dpca_core.release.published_release import PublishedRelease
from dpca_core.release.random_bits import Bits
from dpca_core.release.table_source import TableSource
from tests.core.release.draw_cases import RECIPE, account, repeating_bytes, with_everything
from tests.core.release.published_cases import NAMES, made_up, plans, published
from tests.paths import ROOT
from tests.product_source import MODULES

READ = ("matrix_reading", "means_reading", "scores_reading", "noise_quantiles", "release_files",
        "certificate", "report", "published_release")  # fmt: skip

BUNDLE = re.compile(r"<script>[^<]*plotly\.js.*?</script>", re.DOTALL)
"""Plotly, whose numbers are not ours."""


def people(folder: Path) -> Path:
    """Write 7,919 people whose values can be told anywhere, most cut to their ranges."""
    lines = ["age,weight,height,pulse", *["123.4567,777.25,88.125,31.4159"] * 7919]
    path = folder / "secret_extract_of_clinic.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    """Return the folder of a ledger, and the files of the release that was drawn."""
    folder = tmp_path_factory.mktemp("people")
    source = TableSource([people(folder)], RECIPE)
    bits = Bits(repeating_bytes(77))
    release = draw(account(folder), with_everything(), source, bits)
    return folder, release.files(), release.zipped()


def test_every_file_is_rebuilt_from_the_ledger_alone(drawn):
    folder, files, archive = drawn
    (folder / "secret_extract_of_clinic.csv").rename(folder / "gone")
    norm_quantile.cache_clear()
    top_sum_quantile.cache_clear()
    found = Ledger(folder / "ledger.sqlite").account("Made-up people")
    (listed,) = found.releases()
    again = PublishedRelease.of(found.release(listed.id))
    assert again.files() == files
    assert again.zipped() == archive
    assert set(zipfile.ZipFile(io.BytesIO(archive)).namelist()) == set(files)


def test_nothing_that_was_read_from_the_table_is_in_a_file(drawn):
    """A noisy count such as 7919.83 is published; the number itself is not."""
    _, files, _ = drawn
    assert {"matrix.csv", "means.csv", "scores.csv", "certificate.json", "report.html"} < set(files)
    for name, content in files.items():
        text = re.sub(
            r"<script>[^<]*plotly\.js.*?</script>", "", content.decode("utf-8"), flags=re.S
        )
        assert len(text) < 400_000
        for told in ("7919", "7,919", "123.4567", "777.25", "88.125", "31.4159", "secret_extract"):
            found = re.search(rf"(?<![\d.]){re.escape(told)}(?!\.?\d)", text)
            assert found is None, (name, told, text[found.start() - 60 : found.end() + 40])


def test_no_minute_is_in_a_file(drawn):
    """Minutes would give the run time and with it the number of rows."""
    _, files, archive = drawn
    for name in ("certificate.json", "certificate.html", "matrix.csv"):
        text = files[name].decode("utf-8")
        assert not re.search(r"\d\d:\d\d|\d{4}-\d\d-\d\d[T ]\d", text), name
    stamps = {entry.date_time[3:] for entry in zipfile.ZipFile(io.BytesIO(archive)).infolist()}
    assert stamps == {(0, 0, 0)}


@pytest.mark.parametrize("module", READ)
def test_what_reads_a_release_never_sees_a_table(module):
    """Neither data sets nor problems, sources nor sums are imported."""
    path = ROOT / MODULES[f"dpca_core.release.{module}"]
    names = {
        node.module
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom)
    }
    private = ("dataset", "problem", "readers", "streaming", "table_source", "exact_sums",
               "score_histogram", "draw")  # fmt: skip
    ends = {str(name).rpartition(".")[2] for name in names} | {
        part for name in names for part in str(name).split(".")
    }
    assert ends.isdisjoint(private)


def test_names_open_no_formula_and_hide_no_row():
    of = plans()["hostile names"]
    files = published(of, made_up(of)).files()
    assert "#1" in NAMES
    for name in ("matrix.csv", "directions.csv", "means.csv"):
        lines = files[name].decode("utf-8").splitlines()
        table = [line for line in lines if not line.startswith("#")]
        more = 1 if name == "means.csv" else 0
        assert len(table) == 1 + len(NAMES) + more, name
        assert not any(line.lstrip('"')[:1] in "=+-@" for line in table), name
    page = files["certificate.html"].decode("utf-8")
    assert "<b>z</b>" not in page
    assert "&lt;b&gt;z&lt;/b&gt;" in page
