"""Files, folders and patterns: opened with care, told by kind, each once."""

import gzip
import os
from itertools import product

import pandas as pd
import pytest

from dpca_core.data.errors import TableError
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.tables import files
from dpca_core.tables.files import Upload, open_table
from tests.core.tables.text_tables import cells

CSV = b"a,b\n1,x\n2,y\n"
FORM = TextFileFormat()


def test_a_kind_is_told_by_the_ending_whatever_a_file_holds():
    assert "a cell" not in repr(Upload("t.csv", b"a cell"))
    # Packing is told so as well, where the first bytes are a row.
    form = TextFileFormat(unnamed=2)
    for name, first in product(("t.csv", "t"), (b"\x1f\x8b", b"PAR1", b"PK\x03\x04")):
        given = Upload(name, first + b",2\n3,4\n")
        assert cells(given, ["c2"], form=form) == {"c2": [2.0, 4.0]}
    packed = Upload("t.csv.gz", gzip.compress(b"1,2\n3,4\n"))
    assert cells(packed, ["c2"], form=form) == {"c2": [2.0, 4.0]}
    assert cells(Upload("t.csv", b""), ["c2"], form=form) == {"c2": []}


def test_a_folder_gives_its_tables_but_no_links_and_nothing_hidden(tmp_path):
    inside = tmp_path / "tables" / "more"
    inside.mkdir(parents=True)
    (tmp_path / "tables" / "1.csv").write_bytes(CSV)
    (inside / "2.csv.gz").write_bytes(gzip.compress(b"b,a\nz,3\n"))
    for name in ("_3.csv", ".4.csv", "notes.md"):
        (inside / name).write_bytes(CSV)
    (inside / "5.csv").symlink_to(tmp_path / "tables" / "1.csv")
    expected = {"a": [1.0, 2.0, 3.0], "b": ["x", "y", "z"]}
    for given in (tmp_path / "tables", str(tmp_path / "tables" / "**" / "[12].csv*")):
        assert cells(given, ["a"], ["b"]) == expected


def test_what_is_no_table_is_refused_in_a_sentence_and_no_table_counts_twice(tmp_path, monkeypatch):
    path, frame, mixed = tmp_path / "t.csv", pd.DataFrame({"a": [1]}), tmp_path / "mixed"
    mixed.mkdir()
    for file in (path, mixed / "1.csv", mixed / "2.parquet"):
        file.write_bytes(CSV)
    (tmp_path / "same.csv").hardlink_to(path)
    (tmp_path / "link.csv").symlink_to(path)
    (tmp_path / "link").symlink_to(mixed)
    os.mkfifo(tmp_path / "pipe.csv")
    monkeypatch.setattr(files, "find_spec", lambda name: None)
    for given, says in (
        (tmp_path / "link.csv", "symbolic link"),
        (tmp_path / "link", "symbolic link"),
        (tmp_path / "nothing.csv", "no file nothing"),
        (tmp_path / "pipe.csv", "is not a file"),
        ("/dev/null", "is not a file"),
        (mixed, "several kinds"),
        (str(tmp_path / "*.pq"), "No file is like"),
        ([path, tmp_path / "same.csv"], "is given twice"),
        ([path, str(path)], "is given twice"),
        ([frame, frame], "is given twice"),
        ([], "No table is given"),
        (Upload("t.xlsx", b""), r'a workbook file: pip install "dpca-workbench\[files\]" adds'),
        (Upload("t.sav", b""), r"a statistics file: pip install"),
    ):
        with pytest.raises(TableError, match=says):
            open_table(given, FORM)
    with pytest.raises(TableError, match="is a text file; the recipe was made for a file of"):
        open_table(path, TextFileFormat(typed=True))


def test_several_tables_have_the_columns_that_all_have_and_are_refused_before_a_row_is_read():
    first, second = Upload("1.csv", b"a,b,c\n1,2,3\n"), Upload("2.csv", b"c,a\n4,5\n")
    table = open_table([first, second], FORM)
    assert table.columns == ("a", "c")
    with pytest.raises(TableError, match=r"2\.csv has no column “b”"):
        table.batches(["b"], [])
    assert table.done == 0.0
    assert cells(table, ["a", "c"]) == {"a": [1.0, 5.0], "c": [3.0, 4.0]}
    assert table.done == 1.0
