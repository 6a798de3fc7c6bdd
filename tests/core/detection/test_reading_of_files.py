"""What is asked before a file is read: its encoding, and whether it has a header."""

import gzip

import pytest

from dpca_core.detection.header_line import looks_like_data
from dpca_core.detection.text_encoding import first_foreign_line
from dpca_core.readers.file_access import Upload

HEADER = "Größe;Gewicht"


@pytest.mark.parametrize(
    "names",
    [
        ["39", "State-gov", "77516", "Bachelors", "13"],
        ["5.1", "3.5", "1.4", "0.2", "setosa"],
        ["P1", "2019-01-05", "4"],
        ["6", "148", "72", "35", "0"],
    ],
)
def test_a_first_line_that_looks_like_data(names):
    assert looks_like_data(names)


@pytest.mark.parametrize(
    "names",
    [
        ["age", "sex", "sbp"],
        ["0", "1", "2", "3"],
        ["country", "1999", "2000", "2001"],
        ["id", "1", "2", "3", "label"],
        ["x1", "x2", "", "PAY_0"],
        ["a", "b", "c", "d", "e", "2"],
        [],
    ],
)
def test_a_first_line_that_names_columns(names):
    assert not looks_like_data(names)


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
    assert "ß" in found("x" * 10_000 + "ß" + "y" * 10_000, "cp1252")
    assert len(found("x" * 10_000 + "ß" + "y" * 10_000, "cp1252")) <= 60


def test_what_is_no_text_at_all_is_left_to_the_reader():
    assert first_foreign_line(Upload("t.csv", "a;b\n1;2\n".encode("utf-16"))) is None
    assert first_foreign_line(Upload("t.csv", b"\0\xff\n")) is None
