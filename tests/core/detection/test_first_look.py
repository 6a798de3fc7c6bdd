"""What is looked at before a file is read: whether it is UTF-8, and whether it has a header."""

import io

from dpca_core.detection.first_look import first_foreign_line, looks_like_data

HEADER = "Größe;Gewicht"


def test_a_header_is_told_from_a_row():
    rows = (
        "39,State-gov,77516,Bachelors,13",
        "5.1,3.5,1.4,0.2,setosa",
        "P1,2019-01-05,4",
        "6,148,72,0",
    )
    headers = ("age,sex,sbp", "0,1,2,3", "country,1999,2000", "x1,x2,,PAY_0")
    assert all(looks_like_data(line.split(",")) for line in rows)
    assert not any(looks_like_data(line.split(",")) for line in headers)
    assert not looks_like_data([])


def test_the_first_line_in_another_encoding_is_shown():
    for text, encoding, line in (
        (f"{HEADER}\n1;2\n", "utf-8", None),
        ("a;b\n1;2\n", "utf-16", None),
        ("a;b\n1;\0\nÄ;2\n", "cp1252", "Ä;2"),
        ("x" + "ä" * 2**20, "utf-8", None),
        (f"{HEADER}\n1;2\n", "cp1252", HEADER),
        ("a;b\r\n1;2\r\nMüller;3\r\n1;2\r\n", "latin-1", "Müller;3"),
        ("a;b\n" + "1;2\n" * 400_000 + "Ä;1", "cp1252", "Ä;1"),
        ("a;b\n1;Ä", "cp1252", "1;Ä"),
    ):
        assert first_foreign_line(io.BytesIO(text.encode(encoding)).read) == line


def test_of_a_long_line_the_part_around_its_foreign_letter_is_shown():
    def found(text: str) -> str:
        return first_foreign_line(io.BytesIO(text.encode("cp1252")).read) or ""

    assert found("ä" * 3 + "," + "x" * 10_000).startswith("äää,x")
    long = found("x" * 3 * 2**20 + "ß" + "y" * 10_000)
    assert "ß" in long
    assert len(long) <= 60
