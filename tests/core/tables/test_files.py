"""Files, folders and patterns: opened with care, told by kind, each once."""

import gzip
import os

import pandas as pd
import pyarrow as pa
import pytest

from dpca_core.data.errors import TableError
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.tables.files import Kind, Upload, first_rows, kind, open_table
from tests.core.tables.reading import cells

CSV = b"a,b\n1,x\n2,y\n"
FORM = TextFileFormat()


def test_text_is_read_from_a_path_an_upload_and_a_gzipped_file(tmp_path):
    plain, packed = tmp_path / "t.csv", tmp_path / "t.csv.gz"
    plain.write_bytes(CSV)
    packed.write_bytes(gzip.compress(CSV))
    for given in (
        plain,
        str(plain),
        packed,
        Upload("t.csv", CSV),
        Upload("t", packed.read_bytes()),
    ):
        assert cells(given, ["a"], ["b"]) == {"a": [1.0, 2.0], "b": ["x", "y"]}
    table = open_table(packed, FORM)
    list(table.batches(["a"], []))
    assert table.done == 1.0


def test_gzip_is_told_by_its_ending_where_the_first_bytes_are_a_row():
    form = TextFileFormat(unnamed=2)
    assert cells(Upload("t.csv", b"\x1f\x8b,2\n3,4\n"), ["c2"], form=form) == {"c2": [2.0, 4.0]}
    assert cells(Upload("t.csv", b"PAR1,2\n3,4\n"), ["c2"], form=form) == {"c2": [2.0, 4.0]}
    packed = Upload("t.csv.gz", gzip.compress(b"1,2\n3,4\n"))
    assert cells(packed, ["c2"], form=form) == {"c2": [2.0, 4.0]}


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.csv", b"PK\x03\x04", Kind.TEXT),
        ("a.CSV.GZ", b"", Kind.TEXT),
        ("a.pq", b"", Kind.PARQUET),
        ("a.XLSX", b"", Kind.WORKBOOK),
        ("a.ods", b"", Kind.WORKBOOK),
        ("a.dta", b"", Kind.STATISTICS),
        ("a.sas7bdat", b"", Kind.STATISTICS),
        ("a", b"PAR1", Kind.PARQUET),
        ("a", b"PK\x03\x04", Kind.WORKBOOK),
        ("a", b"$FL2@(#)", Kind.TEXT),
        ("a", b"x,y\n", Kind.TEXT),
    ],
)
def test_a_kind_is_told_by_the_ending_or_else_the_first_bytes(name, content, expected):
    assert kind(Upload(name, content)) is expected


def test_frames_and_arrow_tables_are_frames():
    assert kind(pd.DataFrame()) is Kind.FRAME
    assert kind(pa.table({})) is Kind.FRAME


def test_an_empty_file_is_refused_unless_it_has_no_header_anyway():
    for name in ("t.csv", "t.parquet", "t.xlsx", "t.sav"):
        with pytest.raises(TableError, match="is empty"):
            open_table(Upload(name, b""), FORM)
    assert cells(Upload("t.csv", b""), ["c1"], form=TextFileFormat(unnamed=1)) == {"c1": []}


def test_links_pipes_and_folders_are_no_files(tmp_path):
    (tmp_path / "t.csv").write_bytes(CSV)
    (tmp_path / "link.csv").symlink_to(tmp_path / "t.csv")
    with pytest.raises(TableError, match="symbolic link"):
        open_table(tmp_path / "link.csv", FORM)
    with pytest.raises(TableError, match="no file nothing"):
        open_table(tmp_path / "nothing.csv", FORM)
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(TableError, match="is not a file"):
        open_table(tmp_path / "pipe.csv", FORM)
    with pytest.raises(TableError, match="is not a file"):
        open_table("/dev/null", FORM)


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
    with pytest.raises(TableError, match="several kinds"):
        open_table(tmp_path / "tables", FORM)
    (tmp_path / "link").symlink_to(tmp_path / "tables")
    with pytest.raises(TableError, match="symbolic link"):
        open_table(tmp_path / "link", FORM)
    with pytest.raises(TableError, match="No file is like"):
        open_table(str(tmp_path / "*.pq"), FORM)


def test_a_table_counts_once(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(CSV)
    (tmp_path / "same.csv").hardlink_to(path)
    frame = pd.DataFrame({"a": [1]})
    for given in ([path, tmp_path / "same.csv"], [path, str(tmp_path)], [frame, frame]):
        with pytest.raises(TableError, match="is given twice"):
            open_table(given, FORM)
    with pytest.raises(TableError, match="No table is given"):
        open_table([], FORM)


def test_several_tables_have_the_columns_that_all_have_and_are_refused_before_a_row_is_read():
    first, second = Upload("1.csv", b"a,b,c\n1,2,3\n"), Upload("2.csv", b"c,a\n4,5\n")
    table = open_table([first, second], FORM)
    assert table.columns == ("a", "c")
    assert cells([first, second], ["a", "c"]) == {"a": [1.0, 5.0], "c": [3.0, 4.0]}
    with pytest.raises(TableError, match=r"2\.csv has no column “b”"):
        table.batches(["b"], [])
    assert table.done == 0.0
    list(table.batches(["a"], []))
    assert table.done == 1.0


def test_first_rows_are_for_looking():
    rows = first_rows(Upload("t.csv", CSV + b"3,z,4\n5,\n"), FORM, 3)
    assert rows.astype(object).where(rows.notna(), None).to_numpy().tolist() == [
        ["1", "x"],
        ["2", "y"],
        [None, None],
    ]
    table = open_table([Upload("1.csv", CSV), Upload("2.csv", CSV)], FORM)
    assert first_rows(table, FORM).shape == (2, 2)
