"""Records of text files: those of Python's csv over the whole file, wherever runs of bytes end."""

import csv
import io
import random
import re

import pytest

from dpca_core.data.errors import TableError
from dpca_core.data.text_file_format import Escape, TextFileFormat
from dpca_core.tables import records
from dpca_core.tables.records import csv_format, runs
from dpca_core.tables.text_table import TextTable

BOM = b"\xef\xbb\xbf"


def reference(content: bytes, form: TextFileFormat) -> list[list[str]]:
    """Python's csv over the whole file, a lone CR as a space or a line end."""
    text = content.removeprefix(BOM).decode(form.encoding, "replace")
    text = re.sub(r"\r(?!\n)", "\n" if form.cr_ends_lines else " ", text)
    lines = [f"{line}\n" for line in text.split("\n")][form.skip :]
    return [cells for cells in csv.reader(lines, csv_format(form)) if cells]


def found(content: bytes, form: TextFileFormat) -> list[list[str]]:
    """All records, those of clean runs read by csv as well."""
    cells: list[list[str]] = []
    utf_8 = TextFileFormat(form.delimiter, escape=form.escape)
    for run in runs(io.BytesIO(content), form):
        if run.content is None:
            cells += [list(record) for record in run.cells]
        else:
            cells += reference(BOM + run.content, utf_8)
    return cells


def trimmed(cells: list[list[str]]) -> list[list[str]]:
    """Cells as every reader of them takes them, without spaces at their ends."""
    return [[cell.strip() for cell in record] for record in cells]


PIECES = [
    *("a", "1", ",", ",", "\n", "\n", '"', '"', "\r\n", "\r", " ", "\0", "\\", '""', '"\n"', '","'),
    *("\u2028", "\ufeff", "é", '",1\n', '\n"x', '\n"x"', "\\\n", '\\"'),
]


@pytest.mark.parametrize("escape", Escape)
def test_records_are_those_of_csv_over_the_whole_file(escape, monkeypatch):
    rng = random.Random(f"records {escape}")
    for _ in range(3000):
        monkeypatch.setattr(records, "RUN", rng.choice([3, 4, 5, 7, 16, 64]))
        form = TextFileFormat(
            encoding=rng.choice(["utf-8", "cp1252"]),
            unnamed=rng.choice([0, 2]),
            escape=escape,
            cr_ends_lines=rng.random() < 0.2,
            skip=rng.choice([0, 0, 1, 2]),
        )
        text = "".join(rng.choice(PIECES) for _ in range(rng.randint(1, 50)))
        content = rng.choice([b"", BOM]) + text.encode(rng.choice(["utf-8", "latin-1"]), "ignore")
        assert trimmed(found(content, form)) == trimmed(reference(content, form)), (content, form)


@pytest.mark.parametrize("escape", Escape)
def test_a_record_that_is_too_long_is_lost_and_no_other(escape, monkeypatch):
    """Of any content, wherever runs end; ``()`` stands for it."""
    monkeypatch.setattr(records, "LONGEST_RECORD", 40)
    monkeypatch.setattr(records, "LONGEST_CELL", 40)
    rng = random.Random(f"long {escape}")
    form = TextFileFormat(unnamed=2, escape=escape)
    for _ in range(3000):
        monkeypatch.setattr(records, "RUN", rng.choice([3, 5, 8, 64]))
        text = "".join(rng.choice(PIECES) * rng.choice([1, 1, 1, 30]) for _ in range(20)) + "\n"
        text = re.sub(r"\r(?!\n)", " ", text)
        lines = [f"{line}\n" for line in text.split("\n")[:-1]]
        reader, used, expected = csv.reader(lines, csv_format(form)), 0, []
        for cells in reader:
            size = len("".join(lines[used : reader.line_num]).encode())
            used = reader.line_num
            if cells:
                expected.append([] if size > 40 else cells)
        assert trimmed(found(BOM + text.encode(), form)) == trimmed(expected), text


def test_a_header_that_never_ends_is_refused(monkeypatch):
    monkeypatch.setattr(records, "LONGEST_RECORD", 1000)
    monkeypatch.setattr(records, "RUN", 100)
    with pytest.raises(TableError, match="header is longer"):
        found(b'"' + b"a\n" * 2000, TextFileFormat())


def rows(content: bytes, form: TextFileFormat, numbers=("x",), texts=("k",)) -> list[tuple]:
    """All rows: numbers as they are, or the text of one that has to be looked at."""
    table = TextTable("t.csv", lambda: io.BytesIO(content), form)
    return [
        row
        for batch in table.batches(numbers, texts)
        for row in zip(
            *(batch.columns[name].to_pylist() for name in (*numbers, *texts)), strict=True
        )
    ]


REMARK = "\n".join(["100;10;kind"] * 5000)


def test_a_remark_of_5000_lines_is_one_row():
    out = io.StringIO()
    writer = csv.writer(out, delimiter=";")
    writer.writerows([("x", "y", "k"), *(("1", "2", "ok") for _ in range(300)), ("3", "4", REMARK)])
    got = rows(out.getvalue().encode(), TextFileFormat(";"), ("x", "y"))
    assert len(got) == 301
    assert got[-1][2].replace("\r\n", "\n") == REMARK


def test_a_cell_above_the_limit_is_missing_in_each_reading(monkeypatch):
    monkeypatch.setattr("dpca_core.tables.text_table.LONGEST_CELL", 10)
    monkeypatch.setattr(records, "LONGEST_CELL", 10)
    got = rows(b"x,k\n1,aaaaaaaaaa\n2,aaaaaaaaaaa\n3,b\n", TextFileFormat())
    assert [k for _, k in got] == ["aaaaaaaaaa", None, "b"]


def test_numbers_are_floats_at_once_and_text_where_one_is_not_plain():
    plain = b"x,k\n" + b"1.5,a\n,b\nNA,c\n" * 300_000
    table = TextTable("t.csv", lambda: io.BytesIO(plain), TextFileFormat())
    types = {str(batch.columns["x"].type) for batch in table.batches(["x"], [])}
    assert "double" in types
    got = rows(b"x,k\n" + b"1.5,a\n" * 200_000 + b"7 kg,b\n", TextFileFormat(), texts=())
    assert got[-1] == ("7 kg",)
    assert float(got[-2][0]) == 1.5


@pytest.mark.parametrize(
    ("content", "form", "columns"),
    [
        (b",x,k\n0,1,a\n", TextFileFormat(), ("column 1", "x", "k")),
        (b"x,k,\n1,a,\n", TextFileFormat(), ("x", "k", "column 3")),
        (b"sep=;\r\nx;k\r\n1;a\r\n", TextFileFormat(";", skip=1), ("x", "k")),
        (
            BOM + "ä;k\n1;\xff\n".encode("cp1252"),
            TextFileFormat(";", encoding="cp1252"),
            ("ä", "k"),
        ),
        (b'"a\nb",k\n1,2\n', TextFileFormat(), ("a b", "k")),
        (b"1,2\n3,4\n", TextFileFormat(unnamed=2), ("c1", "c2")),
        (b"x,k\r1,a\r2,b\r", TextFileFormat(cr_ends_lines=True), ("x", "k")),
    ],
)
def test_columns_of_headers_that_programs_write(content, form, columns):
    table = TextTable("t.csv", lambda: io.BytesIO(content), form)
    assert table.columns == columns
    (batch,) = table.batches((), columns[:1])
    assert batch.rows == content.count(b"\r" if form.cr_ends_lines else b"\n") - (
        form.skip + (not form.unnamed) + (b"a\nb" in content)
    )


@pytest.mark.parametrize(
    ("content", "wanted", "sentence"),
    [
        (b"\n\n", "x", "t.csv is empty."),
        (b"x,y\n1,2\n", "z", "t.csv has no column “z”."),
        (b"x;y\n", "x", "t.csv has one column as it is read here: choose its separator again."),
    ],
)
def test_a_header_that_does_not_fit_is_refused_in_one_sentence(content, wanted, sentence):
    with pytest.raises(TableError) as refused:
        rows(content, TextFileFormat(), (wanted,), ())
    assert str(refused.value) == sentence
