"""Files, folders and patterns: opened with care, told by kind, each once."""

import gzip
import os
from itertools import product

import pandas as pd
import pytest

from dpca_core.data.errors import TableError
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.tables import files
from dpca_core.tables.files import Kind, Upload, kind, open_table
from tests.core.tables.text_tables import cells

CSV = b"a,b\n1,x\n2,y\n"
FORM = TextFileFormat()
KINDS = {
    **{"a.csv": Kind.TEXT, "a.CSV.GZ": Kind.TEXT, "a": Kind.TEXT, "a.dta": Kind.STATISTICS},
    **{"a.pq": Kind.PARQUET, "a.XLSX": Kind.WORKBOOK, "a.ods": Kind.WORKBOOK},
}


def test_a_kind_is_told_by_the_ending_whatever_a_file_holds():
    assert {name: kind(Upload(name, b"PAR1")) for name in KINDS} == KINDS
    assert "a cell" not in repr(Upload("t.csv", b"a cell"))


def test_gzip_and_parquet_are_told_by_the_ending_where_the_first_bytes_are_a_row():
    form = TextFileFormat(unnamed=2)
    for name, first in product(("t.csv", "t"), (b"\x1f\x8b", b"PAR1", b"PK\x03\x04")):
        given = Upload(name, first + b",2\n3,4\n")
        assert cells(given, ["c2"], form=form) == {"c2": [2.0, 4.0]}
    packed = Upload("t.csv.gz", gzip.compress(b"1,2\n3,4\n"))
    assert cells(packed, ["c2"], form=form) == {"c2": [2.0, 4.0]}
    assert cells(Upload("t.csv", b""), ["c2"], form=form) == {"c2": []}


def refused(given, says):
    with pytest.raises(TableError, match=says):
        open_table(given, FORM)


def test_what_reads_a_kind_is_named_where_it_is_missing(monkeypatch):
    monkeypatch.setattr(files, "find_spec", lambda name: None)
    for name, what in (("t.xlsx", "a workbook file"), ("t.sav", "a statistics file")):
        adds = rf'{what}.*: pip install "dpca-workbench\[files\]" adds'
        refused(Upload(name, b"PK\x03\x04"), adds)


def test_links_pipes_and_folders_are_no_files(tmp_path):
    (tmp_path / "t.csv").write_bytes(CSV)
    (tmp_path / "link.csv").symlink_to(tmp_path / "t.csv")
    os.mkfifo(tmp_path / "pipe.csv")
    refused(tmp_path / "link.csv", "symbolic link")
    refused(tmp_path / "nothing.csv", "no file nothing")
    refused(tmp_path / "pipe.csv", "is not a file")
    refused("/dev/null", "is not a file")


def test_a_folder_gives_its_tables_but_no_links_and_nothing_hidden(tmp_path):
    inside = tmp_path / "tables" / "more"
    inside.mkdir(parents=True)
    (tmp_path / "tables" / "1.csv").write_bytes(CSV)
    (inside / "2.csv.gz").write_bytes(gzip.compress(b"b,a\nz,3\n"))
    for name in ("_3.csv", ".4.csv", "notes.md"):
        (inside / name).write_bytes(CSV)
    (inside / "5.csv").symlink_to(tmp_path / "tables" / "1.csv")
    expected = {"a": [1.0, 2.0, 3.0], "b": ["x", "y", "z"]}
    assert cells(tmp_path / "tables", ["a"], ["b"]) == expected
    assert cells(str(tmp_path / "tables" / "**" / "[12].csv*"), ["a"], ["b"]) == expected
    (inside / "6.parquet").write_bytes(b"PAR1")
    refused(tmp_path / "tables", "several kinds")
    (tmp_path / "link").symlink_to(tmp_path / "tables")
    refused(tmp_path / "link", "symbolic link")
    refused(str(tmp_path / "*.pq"), "No file is like")


def test_a_table_counts_once(tmp_path):
    path, frame = tmp_path / "t.csv", pd.DataFrame({"a": [1]})
    path.write_bytes(CSV)
    (tmp_path / "same.csv").hardlink_to(path)
    for given in ([path, tmp_path / "same.csv"], [path, str(tmp_path)], [frame, frame]):
        refused(given, "is given twice")
    refused([], "No table is given")


def test_a_text_file_is_not_read_by_a_recipe_for_files_that_say_what_their_cells_are():
    given, form = Upload("t.csv", b"a,b\n1,2\n"), TextFileFormat(typed=True)
    with pytest.raises(TableError, match="is a text file; the recipe was made for a file of"):
        open_table(given, form)


def test_several_tables_have_the_columns_that_all_have_and_are_refused_before_a_row_is_read():
    first, second = Upload("1.csv", b"a,b,c\n1,2,3\n"), Upload("2.csv", b"c,a\n4,5\n")
    table = open_table([first, second], FORM)
    assert table.columns == ("a", "c")
    with pytest.raises(TableError, match=r"2\.csv has no column “b”"):
        table.batches(["b"], [])
    assert table.done == 0.0
    assert cells(table, ["a", "c"]) == {"a": [1.0, 5.0], "c": [3.0, 4.0]}
    assert table.done == 1.0
