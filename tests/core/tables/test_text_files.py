"""Text files: records are those of Python's csv, cells numbers by the file's format alone.

Rows are those of a naive reader, and formats are proposed for files as programs write them.
"""

import random
from dataclasses import replace
from itertools import product
from math import sqrt

import numpy as np
import pytest

from dpca_core.data.errors import TableError
from dpca_core.data.recipe import (
    CategoryCoding,
    Combine,
    Missing,
    MissingPerson,
    Number,
    Recipe,
    RowLength,
)
from dpca_core.data.text_file_format import Escape, TextFileFormat
from dpca_core.tables import records
from dpca_core.tables.files import Upload
from dpca_core.tables.proposed_format import notices, proposed_format
from tests.core.tables.text_tables import (
    MADE_UP,
    USUAL,
    assert_same,
    cells,
    made_up,
    rows_of,
    written,
    written_rows,
)
from tests.references import prepared_rows
from tests.references.text_tables import records_of

FORM, BOM = TextFileFormat(), b"\xef\xbb\xbf"

# --- Records ---

PIECES = [
    *("a", "1", ",", ",", "\n", "\n", '"', '"', "\r\n", "\r", " ", "\0", "\\", '""', '"\n"', '","'),
    *("\u2028", "\ufeff", "é", '",1\n', '\n"x', '\n"x"', "\\\n", '\\"'),
]
HOSTILE = [cell for cell in USUAL if len(cell) < 99]


@pytest.mark.parametrize(
    "rounds", [60, pytest.param(2000, marks=pytest.mark.long("thirty times as many"))]
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
        pieces = [*rng.choices(PIECES, k=40), *rng.choices(HOSTILE, k=rng.choice([0, 10]))]
        times = rng.choices([1, 1, 1, 30], k=20) if longest == 40 else [1] * 50
        text = head + "".join(p * n for p, n in zip(rng.sample(pieces, 20), times, strict=False))
        content = rng.choice([b"", BOM]) + text.encode(rng.choice(["utf-8", "latin-1"]), "ignore")
        content += rng.choice([b"", rng.randbytes(40)])
        names = ["c1", "c2"] if form.unnamed else ["a", "b"]
        columns = cells(Upload("t.csv", content), (), names, form).values()
        found = [tuple((cell or "").strip() for cell in row) for row in zip(*columns, strict=True)]
        expected = records_of(content, form, longest)[form.unnamed == 0 :]
        wanted = [tuple(map(str.strip, row if len(row) == 2 else ("", ""))) for row in expected]
        assert found == wanted, (content, form)


def test_a_remark_of_5000_lines_is_one_row():
    remark = "\r\n".join(["100;10;kind"] * 5000)
    content = written([("x", "k"), *[("1", "ok")] * 300, ("3", remark)], delimiter=";")
    found = cells(Upload("t.csv", content), ["x"], ["k"], TextFileFormat(";"))
    assert found == {"x": [1.0] * 300 + [3.0], "k": ["ok"] * 300 + [remark]}


def test_a_header_that_does_not_fit_is_refused_in_one_sentence(monkeypatch):
    monkeypatch.setattr(records, "LONGEST_RECORD", 1000)
    monkeypatch.setattr(records, "RUN", 100)
    separator = "t.csv has one column as it is read here: choose its separator again."
    quoted = b'"' + b"a\n" * 2000
    for content, says in ((quoted, "The header is longer than 16 MB."), (b"x;y\n", separator)):
        with pytest.raises(TableError, match=says):
            cells(Upload("t.csv", content), ["x"])


# --- Rows ---

AT_MOST_2 = {"person": ("who",), "combine": Combine.AT_MOST, "most": 2}
PERSONS = {
    "each row": {},
    "averaged": {"person": ("who",)},
    "two columns": {"person": ("who", "clinic")},
    "case ignored": {"person": ("who",), "ids_ignore_case": True},
    "own": {"person": ("who",), "missing_person": MissingPerson.OWN},
    "at most 2": AT_MOST_2,
    "at most 2, own": AT_MOST_2 | {"missing_person": MissingPerson.OWN},
}
LENGTHS = (
    {"row_length": RowLength.ONE, "category_coding": CategoryCoding.CENTRED, "radius": 40.0},
    {"row_length": RowLength.AT_MOST_R, "category_coding": CategoryCoding.INDICATORS},
    {"row_length": RowLength.AT_MOST_R, "radius": 0.8},
)


@pytest.mark.parametrize("who", PERSONS)
def test_rows_are_those_of_the_reference_in_its_order(who):
    for seed, missing, length in product(range(2), Missing, LENGTHS):
        recipe = replace(MADE_UP, missing=missing, **PERSONS[who], **length)
        rows = made_up(seed, 60)
        expected = prepared_rows.prepared(rows, recipe)
        assert_same(rows_of(written_rows(rows), recipe), expected, recipe, 1e-12)


def test_a_number_may_carry_its_unit_on_either_side_and_a_code_of_letters():
    content = (
        "ldl;price\n7,5 %;€ 1.000,00\n2,5;-€1.000\nrefused;1000 €\n99 %;+500\n"
        "7,5 %%;€ 1.000 €\n% 7,5;€\ninf %;1e999 €\n"
    )
    ldl = Number("ldl", 0, 10, unit="%", missing=("refused", "99"))
    recipe = Recipe(
        (ldl, Number("price", -2000, 2000, unit="€")),
        number_format=TextFileFormat(";", ",", "."),
        row_length=RowLength.AT_MOST_R,
    )
    expected = [[0.5, 0.5], [-0.5, -0.5], [0, 0.5], [0, 0.25], [0, 0], [0.5, 0], [0, 0]]
    found = rows_of(content.encode(), recipe)
    np.testing.assert_allclose(found, np.array(expected) / sqrt(2), atol=1e-15)


# --- Proposed formats; more in tests/core/detection/test_columns.py ---


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("x;y\n1.234,5;2\n3;4,5\n", TextFileFormat(";", ",", ".")),
        ('x,y\n"1,234",2\n3,4\n', TextFileFormat(thousands=",")),
        ("x;y\n€ 1.234,50;−2\n€ 3,10;4 %\n", TextFileFormat(";", ",", ".")),
        ("Clinic;;\n;;\nx;y;z\n1,5;2;3\n4;5;6\n", TextFileFormat(";", ",", skip=2)),
        ('x,y\n1,"a \\"b\\""\n', TextFileFormat(escape=Escape.BACKSLASH)),
        ('x,y\n1,"a ""b"" \\""""\n', FORM),
        ('"x","y"\n"a;b;c","d;e;f"\n', FORM),
        ('x,remark\n1,"one\ntwo, three"\n2,c\n', FORM),
        ("name\nann\n", FORM),
    ],
)
def test_what_is_proposed(text, wanted):
    assert proposed_format("t.csv", text.encode()) == wanted


@pytest.mark.parametrize(
    ("text", "form", "word"),
    [
        ('x,y\n1,"a \\"b"\n', FORM, "double"),
        ("x,y\n1,a\rb\n", FORM, "carriage"),
        ('x,y\n1,"a\n2,b\n3,c\n', FORM, "never to be closed"),
        ('x,y\n1,"a"b\n', FORM, "closing quotation mark"),
        ('x,y\n1,"a ""b""\n2,c"\n', FORM, None),
        ('x,y\n1,"a\n2,b\n', TextFileFormat(escape=Escape.NONE), None),
    ],
)
def test_signs_that_marks_are_written_otherwise(text, form, word):
    found = notices(text.encode(), form)
    assert bool(found) == (word is not None)
    assert word is None or any(word in sentence for sentence in found)
