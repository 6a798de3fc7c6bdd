"""Files that are made to take all memory or to end a process: measured in new processes."""

import gzip
import json
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path

import numpy as np
import pandas as pd
import pyreadstat
import pytest

from dpca_core.data.errors import TableError
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.tables.files import Upload, open_table
from tests.core.tables.text_tables import cells
from tests.core.tables.workbook_files import AB, xlsx

FORM, RUN = TextFileFormat(), subprocess.Popen
LINUX = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="Linux tells it")
MOST = 500
"""MB above the process after its imports."""
READ = """
import json, sys
from dpca_core.data.errors import TableError
from dpca_core.data.recipe import Category, CategoryCoding, Number, Recipe, RowLength
from dpca_core.tables.files import Upload
from dpca_core.tables.second_moment import second_moment

ways = {"row_length": RowLength.AT_MOST_R, "category_coding": CategoryCoding.INDICATORS}
recipe = Recipe((Number("a", 0, 4),), (Category("b", ("2", "3")),), **ways)
second_moment(Upload("t.csv", b"a,b\\n1,2\\n"), recipe)
peak = open("/proc/self/status").read().split("VmHWM:")[1].split()[0]
try:
    found = second_moment(sys.argv[1], recipe)
    told = [found.rows, *found.moment.diagonal().round(6).tolist()]
except TableError as error:
    told = str(error)
print(json.dumps([int(peak), told]))
"""


def read_and_measured(path):
    """Return what a new process says of a file, and the most memory it and its own took, in MB."""
    process = RUN([sys.executable, "-c", READ, path], stdout=subprocess.PIPE)
    peaks, main = {}, f"/proc/{process.pid}"
    while process.poll() is None:
        with suppress(OSError, IndexError, subprocess.TimeoutExpired):
            children = Path(f"{main}/task/{process.pid}/children").read_text().split()
            for pid in (process.pid, *children):
                status = Path(f"/proc/{pid}/status").read_text()
                peaks[pid] = int(status.split("VmHWM:")[1].split()[0])
            process.wait(0.01)
    before, told = json.loads(process.communicate()[0])
    return told, (sum(peaks.values()) - before) / 1024


@LINUX
@pytest.mark.parametrize(
    ("filling", "megabytes"),
    [
        (b"\n", 17),
        *(
            pytest.param(filling, 200, marks=pytest.mark.long("200 MB take seconds each"))
            for filling in (b"x", b"\n", b"1\n", b'""', b",", b"\xff", "😀".encode())
        ),
    ],
)
def test_a_cell_of_any_size_is_a_row_of_missing_values_in_bounded_memory(
    filling, megabytes, tmp_path
):
    path, usual = tmp_path / "t.csv.gz", b"3,2,x\n" * 10_000
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(b"a,b,c\n" + usual + b'1,2,"')
        for _ in range(megabytes):
            file.write(filling * (2**20 // len(filling)))
        file.write(b'"\n' + usual)
    told, memory = read_and_measured(path)
    assert told == [20_001, 2500.0, 10_000.0, 0.0]
    assert memory <= MOST


LARGE, MUCH = "t.xlsx is larger than a workbook may be", "t.xlsx cannot be read as a table; it may"
CELL = '<row r="{0}"><c r="{1}{0}" t="inlineStr"><is>{2}</is></c></row>'.format
HUGE = '<row r="3"><c r="A3" t="inlineStr"><is><t>{}</t></is></c><c r="B3"><v>3</v></c></row>'
ROW = '<row r="{0}"><c r="A{0}" s="0"/></row>'.format
WORKBOOKS = {
    "a million empty rows": (lambda: "".join(map(ROW, range(3, 2**20))), [1, 0.125, 0.5, 0.0]),
    "a stray cell far below": (lambda: CELL(2**20, "C", "<t>x</t>"), [2, 0.125, 0.5, 0.0]),
    "a stray cell in the corner": (lambda: CELL(2**20, "XFD", "<t>x</t>"), MUCH),
    "a cell of 200 MB": (lambda: HUGE.format("x" * 200 * 2**20), [2, 0.125, 0.5, 0.5]),
    "a tag of 2 MB": (lambda: f"<row {'x' * 2**21}>", "t.xlsx cannot be read as a workbook"),
    "200 MB in pieces": (lambda: CELL(3, "A", f"<r><t>{'x' * 2**19}</t></r>" * 400), MUCH),
    "a bomb": (lambda: "<row>" + "0" * 2**29, LARGE),
}


@LINUX
@pytest.mark.long("workbooks of a million rows and of hundreds of megabytes take seconds to make")
@pytest.mark.parametrize("kind", WORKBOOKS)
def test_a_workbook_takes_bounded_memory_or_is_refused_whatever_is_in_it(kind, tmp_path):
    make, expected = WORKBOOKS[kind]
    path = tmp_path / "t.xlsx"
    path.write_bytes(xlsx(AB + make()).content)
    told, memory = read_and_measured(path)
    assert told.startswith(expected) if isinstance(expected, str) else told == expected
    assert memory <= MOST


# --- A process of its own may crash or take too much, and the caller goes on ---


def test_files_are_read_in_a_process_that_ends_however_reading_ends(tmp_path, monkeypatch):
    started, path = [], tmp_path / "t.sav"

    def noted(*arguments, **options):
        started.append(RUN(*arguments, **options))
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", noted)
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


@pytest.mark.long("a register of 72 MB takes seconds to make and to read")
def test_a_statistics_file_of_a_usual_size_is_read_in_the_memory_that_there_is(tmp_path):
    """It failed after its budget was spent: texts take much more room than bytes of the file."""
    columns = {f"x{i}": np.resize(["aa", "bb", "cc"], 150_000) for i in range(60)}
    pyreadstat.write_sav(pd.DataFrame(columns), str(tmp_path / "t.sav"))
    batches = open_table(tmp_path / "t.sav", FORM).batches([], [*columns])
    assert sum(batch.rows for batch in batches) == 150_000


CRASHES = ("import os; os.abort()", "print('noise')", "raise MemoryError", None)


@pytest.mark.parametrize("crash", CRASHES)
def test_a_reader_that_ends_without_an_answer_is_a_sentence(crash, monkeypatch):
    """As one does that takes more memory than it may."""
    if crash:
        command = [sys.executable, "-c", crash]
        monkeypatch.setattr(subprocess, "Popen", lambda _, **options: RUN(command, **options))
    far = '<row r="1048576"><c r="T1048576"><v>1</v></c></row>'
    says = r"t\.xlsx cannot be read as a table; it may be damaged, or hold too much: save it as CSV"
    with pytest.raises(TableError, match=says):
        open_table(xlsx(AB + far), FORM)
