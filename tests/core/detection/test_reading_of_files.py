"""What is looked at before a file is read: its encoding, its header, some rows as written."""

import gzip

import numpy as np
import pytest

from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.detection.column_values import MOST_ROWS, sampled_rows
from dpca_core.detection.header_line import looks_like_data
from dpca_core.detection.sampled_texts import sampled_texts
from dpca_core.detection.text_encoding import first_foreign_line
from dpca_core.readers.file_access import Upload

HEADER = "Größe;Gewicht"


@pytest.mark.parametrize(
    "line",
    ["39,State-gov,77516,Bachelors,13", "5.1,3.5,1.4,0.2,setosa", "P1,2019-01-05,4", "6,148,72,0"],
)
def test_a_first_line_that_looks_like_data(line):
    assert looks_like_data(line.split(","))


@pytest.mark.parametrize(
    "line", ["age,sex,sbp", "0,1,2,3", "country,1999,2000", "id,1,2,3,label", "x1,x2,,PAY_0"]
)
def test_a_first_line_that_names_columns(line):
    assert not looks_like_data(line.split(","))
    assert not looks_like_data([])


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "packed"])
def test_the_first_line_in_another_encoding_is_shown(pack):
    def found(text, encoding):
        return first_foreign_line(Upload("t.csv", pack(text.encode(encoding))))

    assert found(f"{HEADER}\n1;2\n", "utf-8") is None
    assert found("a;b\n1;2\n", "ascii") is None
    assert found(f"{HEADER}\n1;2\n", "cp1252") == HEADER
    assert found("a;b\r\n1;2\r\nMüller;3\r\n1;2\r\n", "latin-1") == "Müller;3"
    assert found("a;b\n" + "1;2\n" * 400_000 + "Ä;1", "cp1252") == "Ä;1"
    assert found("ä" * 3 + "," + "x" * 10_000, "cp1252").startswith("äää,x")
    long = found("x" * 10_000 + "ß" + "y" * 10_000, "cp1252")
    assert "ß" in long
    assert len(long) <= 60


def test_what_is_no_text_at_all_is_left_to_the_reader():
    assert first_foreign_line(Upload("t.csv", "a;b\n1;2\n".encode("utf-16"))) is None
    assert first_foreign_line(Upload("t.csv", b"\0\xff\n")) is None


def texts(content, rows, form=None):
    """Return the cells of a file's sampled rows, by column."""
    found = sampled_texts(Upload("t.csv", content), form or TextFileFormat(), rows)
    return [column.to_pylist() for column in found.columns]


def test_cells_stay_as_they_are_written_and_a_bad_row_is_missing():
    assert texts(b"a,b\n007, 7\n1.50,x\n", 2) == [["007", "1.50"], [" 7", "x"]]
    assert texts(b"a;b\n1,5;\n", 1, TextFileFormat(";")) == [["1,5"], [""]]
    assert texts(b"a,b\n", 0) == [[], []]
    found = texts(b"a,b\n1,2\n1,2,3\n3,4\n", 3)
    assert [found[0][0], found[0][2], found[1][2]] == ["1", "3", "4"]
    assert found[0][1] in (None, "")


def test_rows_come_from_the_whole_table():
    rows = 70_000
    content = b"a,b\n" + b"".join(b"%d,x\n" % i for i in range(rows))
    numbers = np.array(texts(content, rows)[0], dtype=int)
    assert numbers.tolist() == sampled_rows(rows).tolist()
    assert len(numbers) == MOST_ROWS
    assert np.ptp(numbers) > 0.99 * rows
    assert sampled_rows(5).tolist() == [0, 1, 2, 3, 4]
