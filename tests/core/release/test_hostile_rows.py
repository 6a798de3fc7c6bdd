"""From the header on nothing is refused: a row of any bytes moves the sums by its own part only."""

import io
import random
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpca_core.data.recipe import Combine, Missing, MissingPerson, RowLength, Scaling
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.readers import csv_file
from dpca_core.readers.file_access import Upload
from tests.cases import sampled
from tests.core.release.table_cases import HEADER, RECIPE, equal, hostile_line, lines, sums

FORMATS = {
    "points": TextFileFormat(),
    "commas and points": TextFileFormat(";", ",", "."),
    "thousands": TextFileFormat(thousands=","),
    "commas": TextFileFormat(";", ","),
    "either": TextFileFormat("\t", ".,"),
    "a code": TextFileFormat(missing=("999",)),
    "cp1252": TextFileFormat(encoding="cp1252"),
    "latin-1": TextFileFormat(encoding="latin-1", thousands=" "),
}
CHOICES = [
    {},
    {"missing": Missing.DROP},
    {"row_length": RowLength.ONE},
    {"scaling": Scaling.NORM_ONLY},
]

USUAL = [b"30,1,a,p", b"41.5,2.5,b,q", b"7,-1,1,p"]


def same(whole, parts):
    """Whether sums of lines one by one are those of all of them."""
    zero = np.zeros_like(whole.T)
    return (
        (sum((p.T for p in parts), zero) == whole.T).all()
        and (sum((p.t for p in parts), zero[0]) == whole.t).all()
        and sum(p.c for p in parts) == whole.c
    )


@pytest.mark.parametrize("form", sampled(FORMATS, 4, "lines of the other formats of text"))
def test_a_line_of_any_bytes_counts_for_itself(form, monkeypatch):
    """With blocks of 64 bytes too, where lines of one file are converted apart."""
    rng, mark = random.Random(form), FORMATS[form].delimiter.encode()

    def upload(rows):
        content = b"".join(row + b"\n" for row in rows)
        return Upload("t.csv", HEADER.replace(b",", mark) + content)

    for turn in range(30):
        monkeypatch.setattr(csv_file, "LARGEST_BLOCK", 64 if turn % 2 else 2**22)
        recipe = replace(RECIPE, number_format=FORMATS[form], **rng.choice(CHOICES))
        usual = [line.replace(b",", mark) for line in USUAL]
        rows = [*usual, *(hostile_line(rng, mark) for _ in range(rng.randrange(5)))]
        rng.shuffle(rows)
        whole = sums(upload(rows), recipe)
        assert same(whole, [sums(upload([row]), recipe) for row in rows]), rows


def test_without_a_header_no_line_counts_for_more():
    """The first row is a row: it may look like another kind of file, or never end."""
    (age, weight), (site,) = RECIPE.numbers, RECIPE.categories
    recipe = replace(
        RECIPE,
        number_format=replace(RECIPE.number_format, unnamed=4),
        numbers=(replace(age, name="c1"), replace(weight, name="c2")),
        categories=(replace(site, name="c3"),),
    )

    def found(rows):
        return sums(Upload("t.csv", b"".join(row + b"\n" for row in rows)), recipe)

    assert found([]).c == 0
    usual = found(USUAL)
    assert usual.c == 3
    for row in (
        *(b"PAR1", b"\x1f\x8b\x08", b"\xef\xbb\xbf30,1,a,p", b"%PDF-", b"PK\x03\x04,1,a,b", b"{"),
        *(b"<html>", b"\xff\xfe3\x000", b"\x00", b"1" * 2**22 + b"1,1,a,b", b'"', b" ", b"9,9,a,b"),
    ):
        assert same(found([row, *USUAL]), [found([row]), usual]), row[:20]
        assert same(found([*USUAL, row]), [found([row]), usual]), row[:20]


def test_a_lone_quote_swallows_its_own_line_only():
    before = sums(lines(USUAL))
    for quote in (b'"', b'30,"1,a,p', b'"30,1,a,p', b'30,1,a,"p', b'"a""', b'30, "1,a,p'):
        for place in range(4):
            found = sums(lines([*USUAL[:place], quote, *USUAL[place:], quote]))
            assert (found.T == before.T).all()
            assert found.c == before.c + 2


def test_bad_bytes_are_letters_and_bad_lines_are_missing_values():
    before = sums(lines(USUAL))
    for line in (b"\xff", b"1,2", b"1,2,a,b,c", b"\x00,\x00,\x00", b"x,\xfe,\xff,\x80", b"," * 9):
        found = sums(lines([*USUAL, line]))
        assert (found.T == before.T).all()
        assert found.c == before.c + 1
    # A byte that is no text, in a cell that is not used, costs the row nothing.
    assert equal(sums(lines([line + b"\xff" for line in USUAL])), before)


def test_text_in_parquet_means_the_same_beside_bytes_that_are_none():
    """A unit of a letter that stands for a byte, where such a byte stands in another row."""
    letter = "\U0010ff80"
    recipe = replace(RECIPE, numbers=(RECIPE.numbers[0], replace(RECIPE.numbers[1], unit=letter)))

    def found(cells):
        texts = pa.array(cells, pa.binary()).view(pa.string())
        columns = {"age": [30.0] * len(cells), "weight": texts, "site": ["a"] * len(cells)}
        file = io.BytesIO()
        pq.write_table(pa.table(columns), file)
        return sums(Upload("t.parquet", file.getvalue()), recipe)

    plain, odd = f"5{letter}".encode(), b"\xff"
    assert same(found([plain, odd, b"7"]), [found([plain]), found([odd]), found([b"7"])])
    assert found([b"7"]).t[1] > found([odd]).t[1] == 0


PERSON_CELLS = [b"1", b"01", b"1.0", b" 1", b"x", b"X", b"", b"NA", b"\xff", b"\xc2\xa0x"]

PERSON_CHOICES = {
    "averaged": {},
    "at most 2": {"combine": Combine.AT_MOST, "most": 2},
    "case ignored": {"ids_ignore_case": True, "missing": Missing.DROP},
    "own": {"missing_person": MissingPerson.OWN, "combine": Combine.AT_MOST, "most": 1},
}


@pytest.mark.parametrize("name", sampled(PERSON_CHOICES, 3, "persons joined in other ways"))
def test_a_person_of_any_rows_counts_for_herself(name, monkeypatch):
    rng, choice = random.Random(name), PERSON_CHOICES[name]
    recipe = replace(RECIPE, person=("who",), **choice)
    for turn in range(20):
        monkeypatch.setattr(csv_file, "LARGEST_BLOCK", 64 if turn % 2 else 2**22)
        rows: dict[object, list[bytes]] = {}
        order = []
        for place in range(rng.randrange(14)):
            cell = rng.choice(PERSON_CELLS)
            cells = hostile_line(rng, width=3) if rng.random() < 0.5 else rng.choice(USUAL)[:-2]
            if b'"' in cells or cells.count(b",") != 2:
                cells = b"1,2,a"
            text = cell.decode("utf-8", "replace").strip()
            text = text.casefold() if "ids_ignore_case" in choice else text
            rows.setdefault(place if text in ("", "NA") else text, []).append(cells + b"," + cell)
            order.append(cells + b"," + cell)
        parts = [sums(lines(own), recipe) for own in rows.values()]
        assert same(sums(lines(order), recipe), parts), order
        assert all(part.c <= recipe.rows_per_person for part in parts)
