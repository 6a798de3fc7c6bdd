"""Records of text files: those of Python's csv over the whole file, wherever runs of bytes end."""

import random

import pytest

from dpca_core.data.errors import TableError
from dpca_core.data.text_file_format import Escape, TextFileFormat
from dpca_core.tables import records
from dpca_core.tables.files import Upload
from tests.core.tables.text_tables import cells, written
from tests.references.text_tables import records_of

pytestmark = pytest.mark.usefixtures("without_threads")
BOM = b"\xef\xbb\xbf"
PIECES = [
    *("a", "1", ",", ",", "\n", "\n", '"', '"', "\r\n", "\r", " ", "\0", "\\", '""', '"\n"', '","'),
    *("\u2028", "\ufeff", "é", '",1\n', '\n"x', '\n"x"', "\\\n", '\\"'),
]


@pytest.mark.parametrize(
    "rounds", [200, pytest.param(2000, marks=pytest.mark.long("ten times as many"))]
)
@pytest.mark.parametrize("longest", [records.LONGEST_RECORD, 40])
@pytest.mark.parametrize("escape", Escape)
def test_records_are_those_of_csv_over_the_whole_file(escape, longest, rounds, monkeypatch):
    """Of any content; one of another width, or that is too long, is lost and no other."""
    rng = random.Random(f"{escape} {longest} {rounds}")
    monkeypatch.setattr(records, "LONGEST_RECORD", longest)
    monkeypatch.setattr(records, "LONGEST_CELL", min(longest, records.LONGEST_CELL))
    for _ in range(rounds):
        monkeypatch.setattr(records, "RUN", rng.choice([3, 4, 5, 7, 16, 64]))
        form = TextFileFormat(
            encoding=rng.choice(["utf-8", "cp1252"]),
            missing=(),
            unnamed=rng.choice([0, 2]),
            escape=escape,
            cr_ends_lines=rng.random() < 0.2,
            skip=rng.choice([0, 0, 1, 2]),
        )
        head = 'a "title,\n' * form.skip + ("a,b\n" if form.unnamed == 0 else "")
        pieces = (rng.choice(PIECES) * rng.choice([1, 1, 1, 30]) for _ in range(20))
        text = head + "".join(pieces if longest == 40 else rng.choices(PIECES, k=40))
        content = rng.choice([b"", BOM]) + text.encode(rng.choice(["utf-8", "latin-1"]), "ignore")
        names = ["c1", "c2"] if form.unnamed else ["a", "b"]
        columns = cells(Upload("t.csv", content), (), names, form).values()
        found = [tuple((cell or "").strip() for cell in row) for row in zip(*columns, strict=True)]
        expected = records_of(content, form, longest)[form.unnamed == 0 :]
        wanted = [tuple(map(str.strip, row if len(row) == 2 else ("", ""))) for row in expected]
        assert found == wanted, (content, form)


def test_a_remark_of_5000_lines_is_one_row():
    remark = "\r\n".join(["100;10;kind"] * 5000)
    lines = [("x", "y", "k"), *[("1", "2", "ok")] * 300, ("3", "4", remark)]
    content = written(lines, delimiter=";")
    found = cells(Upload("t.csv", content), ["x", "y"], ["k"], TextFileFormat(";"))
    assert [len(column) for column in found.values()] == [301] * 3
    assert found["k"][-1] == remark


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b'"' + b"a\n" * 2000, "The header is longer than 16 MB."),
        (b"x;y\n", "t.csv has one column as it is read here: choose its separator again."),
    ],
)
def test_a_header_that_does_not_fit_is_refused_in_one_sentence(content, sentence, monkeypatch):
    monkeypatch.setattr(records, "LONGEST_RECORD", 1000)
    monkeypatch.setattr(records, "RUN", 100)
    with pytest.raises(TableError) as refused:
        cells(Upload("t.csv", content), ["x"])
    assert str(refused.value) == sentence
