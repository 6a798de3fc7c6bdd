"""Reading in a process of its own: it may crash or take too much, and the caller goes on."""

import io
import subprocess
import sys

import pandas as pd
import pyreadstat
import pytest

from dpca_core.data.errors import TableError
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.tables import apart
from dpca_core.tables.apart import read_apart
from dpca_core.tables.files import Upload, open_table
from dpca_core.tables.workbooks import sheet_batches
from tests.core.tables.reading import cells
from tests.core.tables.workbook_files import AB, xlsx


def test_files_of_this_machine_and_uploads_are_read(tmp_path):
    path = tmp_path / "t.xlsx"
    path.write_bytes(xlsx(AB).content)
    pyreadstat.write_sav(pd.DataFrame({"a": [1.5, 2], "b": ["x", "y"]}), str(tmp_path / "t.sav"))
    for given in (path, Upload("t.xlsx", path.read_bytes())):
        assert cells(given, ["a", "b"]) == {"a": [1.0], "b": [2.0]}
    for given in (tmp_path / "t.sav", Upload("t.sav", (tmp_path / "t.sav").read_bytes())):
        assert cells(given, ["a"], ["b"]) == {"a": [1.5, 2.0], "b": ["x", "y"]}
    broken = Upload("t.sav", (tmp_path / "t.sav").read_bytes()[:-20])
    with pytest.raises(TableError, match=r"t\.sav cannot be read as a table"):
        cells(broken, ["a"])


@pytest.mark.parametrize(
    "crash",
    [
        "import os; os.abort()",
        "import sys; sys.stdout.write('noise'); sys.exit(0)",
        "raise MemoryError",
    ],
)
def test_a_reader_that_ends_without_an_answer_is_a_sentence(crash, monkeypatch):
    run = subprocess.Popen

    def crashing(command, **options):
        return run([sys.executable, "-c", crash], **options)

    monkeypatch.setattr(subprocess, "Popen", crashing)
    content = io.BytesIO(b"x" * 2**20)
    with (
        pytest.raises(TableError, match="t cannot be read as a table"),
        read_apart("t", content, sheet_batches),
    ):
        pass


def test_no_process_is_left_when_reading_stops_early(monkeypatch):
    started = []
    run = subprocess.Popen

    def noted(*arguments, **options):
        started.append(run(*arguments, **options))
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", noted)
    options = {"sheet": "", "skip": 0, "unnamed": 0, "mark": ".", "missing": []}
    with (
        pytest.raises(KeyboardInterrupt),
        read_apart("t", io.BytesIO(xlsx(AB).content), sheet_batches, **options),
    ):
        raise KeyboardInterrupt
    assert [process.poll() is not None for process in started] == [True]


@pytest.mark.parametrize(
    ("file", "what"), [("t.xlsx", "a workbook"), ("t.sav", "a file of a stat")]
)
def test_what_reads_a_kind_is_named_where_it_is_missing(file, what, monkeypatch):
    monkeypatch.setattr(apart, "find_spec", lambda name: None)
    with pytest.raises(TableError, match=rf'{what}.*: pip install "dpca-workbench\[files\]" adds'):
        open_table(Upload(file, b"PK\x03\x04"), TextFileFormat())


def test_a_workbook_that_takes_more_memory_than_it_may_is_refused():
    far = '<row r="1048576"><c r="T1048576"><v>1</v></c></row>'
    with pytest.raises(TableError, match="it may be damaged, or hold too much: save it as CSV"):
        open_table(xlsx(AB + far), TextFileFormat())
