"""Files hold what the ledger holds: rebuilt byte for byte, without the table they came from."""

import ast
import io
import re
import zipfile

import pytest

from dpca_core.release import reading
from dpca_core.release.draw import draw
from dpca_core.release.ledger import Ledger
from dpca_core.release.published_release import Published
from dpca_core.release.table_source import TableSource
from tests.core.release.cases import (
    ODD_NAMES,
    ODDLY_NAMED,
    RECIPE,
    opened,
    published,
    repeating_bits,
    with_everything,
)
from tests.paths import ROOT
from tests.product_source import MODULES

READ = ("reading", "shares", "report", "published_release")
PRIVATE = {"dataset", "problem", "readers", "streaming", "table_source", "exact_sums"}
SECRETS = ("7919", "7,919", "123.4567", "777.25", "88.125", "31.4159", "secret_extract")


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    """Return the folder of a ledger, and the files of a release of 7,919 people.

    Their values can be told anywhere; most are cut to their ranges.
    """
    folder = tmp_path_factory.mktemp("people")
    path = folder / "secret_extract_of_clinic.csv"
    path.write_text("age,weight,height,pulse\n" + "123.4567,777.25,88.125,31.4159\n" * 7919)
    source = TableSource([path], RECIPE)
    release = draw(*opened(folder), with_everything(), source, repeating_bits(77))
    path.rename(folder / "gone")
    return folder, release.files(), release.zipped()


def test_every_file_is_rebuilt_from_the_ledger_alone(drawn):
    folder, files, archive = drawn
    ledger = Ledger(folder / "ledger.sqlite")
    (listed,) = ledger.releases(ledger.account("Clinic"))
    for simulated in (reading.noise_quantile, reading._simulated):
        simulated.cache_clear()
    again = Published(ledger.release(listed.id))
    assert again.files() == files
    assert again.zipped() == archive
    assert set(zipfile.ZipFile(io.BytesIO(archive)).namelist()) == set(files)


def test_nothing_that_was_read_from_the_table_is_in_a_file(drawn):
    """A noisy count such as 7919.83 is published; the number itself is not."""
    _, files, _ = drawn
    assert {"matrix.csv", "means.csv", "scores.csv", "certificate.json", "report.html"} < set(files)
    for name, content in files.items():
        text = content.decode()
        for told in SECRETS:
            found = re.search(rf"(?<![\d.]){re.escape(told)}(?!\.?\d)", text)
            assert found is None, (name, told, text[found.start() - 60 : found.end() + 40])


def test_no_minute_is_in_a_file_and_numbers_have_nine_digits(drawn):
    """Minutes would give the run time and with it the number of rows."""
    _, files, archive = drawn
    for name in ("certificate.json", "matrix.csv", "README.txt"):
        text = files[name].decode("utf-8")
        assert not re.search(r"\d\d:\d\d|\d{4}-\d\d-\d\d[T ]\d", text), name
    stamps = {entry.date_time[3:] for entry in zipfile.ZipFile(io.BytesIO(archive)).infolist()}
    assert stamps == {(0, 0, 0)}
    for name in ("directions.csv", "spectrum.csv", "means.csv"):
        lines = [line for line in files[name].decode().splitlines() if not line.startswith("#")]
        found = re.findall(r"(?<=,)-?(\d+\.\d+)", "\n".join(lines))
        digits = [len(number.replace(".", "").lstrip("0")) for number in found]
        assert max(digits) == 9, name


@pytest.mark.parametrize("module", READ)
def test_what_reads_a_release_never_sees_a_table(module):
    """Neither data sets nor problems, sources nor sums are imported."""
    tree = ast.parse((ROOT / MODULES[f"dpca_core.release.{module}"]).read_text("utf-8"))
    names = {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    parts = {part for name in names for part in name.split(".")}
    assert parts.isdisjoint({*PRIVATE, "draw"})


def test_names_open_no_formula_and_hide_no_row():
    files = published(with_everything(recipe=ODDLY_NAMED, practice="made-up people")).files()
    assert ODD_NAMES[0] == "#1"
    for name, more in (("matrix.csv", 0), ("directions.csv", 0), ("means.csv", 1)):
        lines = files[name].decode("utf-8").splitlines()
        table = [line for line in lines if not line.startswith("#")]
        assert len(table) == 1 + len(ODD_NAMES) + more, name
        assert not any(line.lstrip('"')[:1] in "=+-@" for line in table), name
