"""Reading in a process of its own: it may crash or take too much, and the caller goes on."""

import subprocess
import sys
from contextlib import closing

import pandas as pd
import pyreadstat
import pytest

from dpca_core.data.errors import TableError
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.tables import apart
from dpca_core.tables.files import Upload, open_table
from tests.core.tables.text_tables import cells
from tests.core.tables.workbook_files import AB, xlsx

FORM = TextFileFormat()


def test_files_of_this_machine_and_uploads_are_read_and_no_process_is_left(tmp_path, monkeypatch):
    started, run = [], subprocess.Popen
    monkeypatch.setattr(
        subprocess, "Popen", lambda *a, **more: started.append(run(*a, **more)) or started[-1]
    )
    path = tmp_path / "t.sav"
    pyreadstat.write_sav(pd.DataFrame({"a": [1.5, 2], "b": ["x", "y"]}), str(path))
    assert cells(xlsx(AB), ["a", "b"]) == {"a": [1.0], "b": [2.0]}
    for given in (path, Upload("t.sav", path.read_bytes())):
        assert cells(given, ["a"], ["b"]) == {"a": [1.5, 2.0], "b": ["x", "y"]}
    with closing(open_table(path, FORM).batches(["a"], [])) as batches:
        next(batches)
    with pytest.raises(TableError, match=r"t\.sav cannot be read as a table"):
        cells(Upload("t.sav", path.read_bytes()[:-20]), ["a"])
    assert started
    assert all(process.poll() is not None for process in started)


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
    with pytest.raises(TableError, match=r"t\.xlsx cannot be read as a table; it may be damaged"):
        open_table(xlsx(AB + " " * 2**20), FORM)


@pytest.mark.parametrize(
    ("file", "what"), [("t.xlsx", "a workbook"), ("t.sav", "a file of a stat")]
)
def test_what_reads_a_kind_is_named_where_it_is_missing(file, what, monkeypatch):
    monkeypatch.setattr(apart, "find_spec", lambda name: None)
    with pytest.raises(TableError, match=rf'{what}.*: pip install "dpca-workbench\[files\]" adds'):
        open_table(Upload(file, b"PK\x03\x04"), FORM)


def test_a_workbook_that_takes_more_memory_than_it_may_is_refused():
    far = '<row r="1048576"><c r="T1048576"><v>1</v></c></row>'
    with pytest.raises(TableError, match="it may be damaged, or hold too much: save it as CSV"):
        open_table(xlsx(AB + far), FORM)
