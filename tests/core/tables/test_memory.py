"""Files that are made to take all memory: measured in a new process and those it starts."""

import gzip
import json
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from tests.core.tables.workbook_files import AB, xlsx

pytestmark = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="Linux tells it")
MOST = 500
"""MB above the process after its imports."""
READ = """
import json, sys
from dpca_core.data.errors import TableError
from dpca_core.data.recipe import Category, CategoryCoding, Number, Recipe, RowLength
from dpca_core.tables.files import Upload
from dpca_core.tables.second_moment import second_moment

recipe = Recipe(
    (Number("a", 0, 4),),
    (Category("b", ("2", "3")),),
    row_length=RowLength.AT_MOST_R,
    category_coding=CategoryCoding.INDICATORS,
)
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
    process = subprocess.Popen([sys.executable, "-c", READ, path], stdout=subprocess.PIPE)
    peaks = {}
    while process.poll() is None:
        for pid in (process.pid, *children(process.pid)):
            with suppress(OSError, IndexError):
                status = Path(f"/proc/{pid}/status").read_text()
                peaks[pid] = int(status.split("VmHWM:")[1].split()[0])
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.01)
    before, told = json.loads(process.communicate()[0])
    return told, (sum(peaks.values()) - before) / 1024


def children(pid):
    with suppress(OSError):
        return [
            int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        ]
    return []


def with_long_cell(folder, filling, megabytes):
    """Write a file of 20,000 rows, one of them with a cell of this size."""
    path, usual = folder / "t.csv.gz", b"3,2,x\n" * 10_000
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(b"a,b,c\n" + usual + b'1,2,"')
        for _ in range(megabytes):
            file.write(filling * (2**20 // len(filling)))
        file.write(b'"\n' + usual)
    return path


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
    told, memory = read_and_measured(with_long_cell(tmp_path, filling, megabytes))
    assert told == [20_001, 2500.0, 10_000.0, 0.0]
    assert memory <= MOST


LARGE, MUCH = "t.xlsx is larger than a workbook may be", "t.xlsx cannot be read as a table; it may"
LONG = "t.xlsx has a text of more than 1 MB in a cell"
CELL = '<row r="{0}"><c r="{1}{0}" t="inlineStr"><is>{2}</is></c></row>'.format
WORKBOOKS = {
    "a million empty rows": (
        lambda: "".join(f'<row r="{i}"><c r="A{i}" s="0"/></row>' for i in range(3, 2**20 + 1)),
        [1, 0.125, 0.5, 0.0],
    ),
    "a stray cell far below": (lambda: CELL(2**20, "C", "<t>x</t>"), [2, 0.125, 0.5, 0.0]),
    "a stray cell in the corner": (lambda: CELL(2**20, "XFD", "<t>x</t>"), MUCH),
    "a cell of 200 MB": (lambda: CELL(3, "A", f"<t>{'x' * 200 * 2**20}</t>"), LONG),
    "a cell of 200 MB in pieces": (
        lambda: CELL(3, "A", f"<r><t>{'x' * 2**19}</t></r>" * 400),
        MUCH,
    ),
    "a bomb": (lambda: "<row>" + "0" * 2**29, LARGE),
}


@pytest.mark.long("workbooks of a million rows and of hundreds of megabytes take seconds to make")
@pytest.mark.parametrize("kind", WORKBOOKS)
def test_a_workbook_takes_bounded_memory_or_is_refused_whatever_is_in_it(kind, tmp_path):
    make, expected = WORKBOOKS[kind]
    path = tmp_path / "t.xlsx"
    path.write_bytes(xlsx(AB + make()).content)
    told, memory = read_and_measured(path)
    assert told.startswith(expected) if isinstance(expected, str) else told == expected
    assert memory <= MOST
