"""From cells to rows: those of a naive reader, and none that changes what another one is."""

import random
from dataclasses import replace
from itertools import product
from math import nan, sqrt

import numpy as np
import pyarrow as pa
import pytest

from dpca_core.data.recipe import (
    Category,
    CategoryCoding,
    Combine,
    Missing,
    MissingPerson,
    Number,
    Recipe,
    RowLength,
    Scale,
    Scaling,
)
from dpca_core.data.text_file_format import EITHER, Escape, TextFileFormat, parsed
from dpca_core.tables import records
from dpca_core.tables.rows import mapped_rows
from dpca_core.tables.table import Batch
from tests.core.tables.text_tables import rows_of, written
from tests.references import prepared_rows, text_tables

RECIPE = Recipe(
    (
        Number("age", 0, 100, typical=40.0, missing=("999", "-1")),
        Number("pressure", 60, 220, typical=60.0),
        Number("wide", -2.5, 7.5),
    ),
    (Category("sex", ("f", "m", "x"), missing=("9",)), Category("site", ("north", "south"))),
    bounds_are_public=True,
    scales=(Scale("pain", ("none", "some", "much"), missing=("?",)),),
)
PERSONS = {
    "each row": {},
    "averaged": {"person": ("who",)},
    "two columns": {"person": ("who", "clinic")},
    "case ignored": {"person": ("who",), "ids_ignore_case": True},
    "own": {"person": ("who",), "missing_person": MissingPerson.OWN},
    "at most 2": {"person": ("who",), "combine": Combine.AT_MOST, "most": 2},
}
LENGTHS = {
    "of length 1": {"row_length": RowLength.ONE, "category_coding": CategoryCoding.CENTRED},
    "at most R": {"row_length": RowLength.AT_MOST_R, "category_coding": CategoryCoding.INDICATORS},
    "shortened": {"row_length": RowLength.AT_MOST_R, "radius": 0.8},
}


def made_up(seed, rows=60):
    """Rows with everything in them: missing cells and IDs, codes, values far outside."""
    rng = np.random.default_rng(seed)
    choices = {
        "age": lambda: [None, 999, -1, 1e9, *rng.integers(-20, 130, 6)],
        "pressure": lambda: [None, *rng.normal(120, 60, 6).round(1)],
        "wide": lambda: [None, -1e300, *rng.normal(2, 5, 6).round(2)],
        "sex": lambda: [None, "9", "f", "m", "x", "other"],
        "site": lambda: [None, "north", "south"],
        "pain": lambda: [None, "none", "some", "much", "?", "most"],
        "who": lambda: [None, "", "P1", "p1 ", "p 1", "q", "r", "s"],
        "clinic": lambda: [None, "1", "2", "01"],
    }
    return [
        {name: rng.choice(np.array(values(), dtype=object)) for name, values in choices.items()}
        for _ in range(rows)
    ]


def csv_of(rows):
    cells = [["" if v is None else str(v) for v in row.values()] for row in rows]
    return written([list(rows[0]), *cells])


def assert_same(found, expected, recipe, atol=1e-9):
    """The same rows; the reference has a person's rows together, where several are kept."""
    if recipe.rows_per_person > 1 and found.shape == expected.shape:
        found, expected = (part[np.lexsort(part.round(7).T)] for part in (found, expected))
    np.testing.assert_allclose(found, expected, atol=atol)


@pytest.mark.parametrize(("who", "length"), list(product(PERSONS, LENGTHS)))
def test_rows_are_those_of_the_reference_in_its_order(who, length):
    for seed, missing in product(range(2), Missing):
        recipe = replace(RECIPE, missing=missing, **PERSONS[who], **LENGTHS[length])
        rows = made_up(seed)
        expected = prepared_rows.prepared(rows, recipe)
        assert_same(rows_of(csv_of(rows), recipe), expected, recipe, 1e-12)


def test_pairs_of_columns_never_run_together():
    alike = (("a", "b c"), ("a b", "c"), ("a'", "b"), ("a", "'b"), ("ab", "c"), ("a", "bc"))
    rows = [("a", "b", "p", "q"), *((i, 2 * i, p, q) for i, (p, q) in enumerate(alike))]
    recipe = Recipe((Number("a", 0, 9), Number("b", 0, 9)), person=("p", "q"))
    assert len(rows_of(written(rows), recipe)) == len(alike)


def test_a_number_may_carry_its_unit_on_either_side_and_a_code_of_letters():
    numbers = (
        Number("ldl", 0, 10, unit="%", missing=("refused", "99")),
        Number("price", -2000, 2000, unit="€"),
    )
    form = TextFileFormat(";", ",", ".")
    recipe = Recipe(
        numbers, number_format=form, row_length=RowLength.AT_MOST_R, bounds_are_public=True
    )
    cells = [
        *(("7,5 %", "€ 1.000,00"), ("2,5", "-€1.000"), ("refused", "1000 €"), ("99 %", "+500")),
        *(("7,5 %%", "€ 1.000 €"), ("% 7,5", "€"), ("inf %", "1e999 €")),
    ]
    expected = [[0.5, 0.5], [-0.5, -0.5], [0, 0.5], [0, 0.25], [0, 0], [0.5, 0], [0, 0]]
    content = written([("ldl", "price"), *cells], delimiter=";")
    np.testing.assert_allclose(rows_of(content, recipe), np.array(expected) / sqrt(2), atol=1e-15)


def test_codes_are_read_as_the_file_writes_numbers():
    """In a German file "99.9" is no number: it is no code for 999, and "99,9" is one for 99.9."""
    recipe = Recipe(
        (Number("a", 0, 1000, missing=("99.9", "1.000")), Number("b", 0, 1000, missing=("99,9",))),
        number_format=TextFileFormat(";", ",", "."),
        row_length=RowLength.AT_MOST_R,
    )
    content = b"a;b\n999;999\n99,9;99,9\n1000;99,90\n"
    found = rows_of(content, recipe) * sqrt(2)
    np.testing.assert_allclose(found, [[0.998, 0.998], [-0.8002, 0], [0, 0]], atol=1e-12)
    typed = Batch(2, {"a": pa.array([999.0, 1000.0]), "b": pa.array([99.9, nan])})
    np.testing.assert_allclose(mapped_rows(typed, recipe).cells, [[0.998, nan], [nan, nan]])


def test_a_scale_is_one_number_in_equal_steps_whatever_the_scaling():
    scale = Scale("s", ("never", "sometimes", "often", "always"), missing=("no answer",))
    texts = ["never", "sometimes", " often ", "always", "Always", "", "no answer", "NA"]
    batch = Batch(8, {"s": pa.array(texts), "n": pa.array(np.full(8, 7.0))})
    for scaling in Scaling:
        recipe = Recipe((Number("n", 0, 7),), scaling=scaling, radius=2.0, scales=(scale,))
        found = mapped_rows(batch, recipe).cells[:, 1]
        np.testing.assert_allclose(found, [-1, -1 / 3, 1 / 3, 1, nan, nan, nan, nan])


@pytest.mark.parametrize(
    ("form", "cells", "values"),
    [
        ({}, ["1.5", "1,5", "1e3", ".5", "-5."], [1.5, None, 1000, 0.5, -5]),
        ({"decimal": ","}, ["1,5", "1.5", ",5", "1,e2"], [1.5, None, 0.5, 100]),
        ({"decimal": EITHER}, ["3,3", "2.5", "-,5", "1e2"], [3.3, 2.5, -0.5, 100]),
        ({"decimal": EITHER}, ["1,234.5", "1.2.3", "3,3,3", "x"], [None] * 4),
        ({"thousands": ","}, ["1,234", "12,34", "1,234.5", "0,123"], [1234, None, 1234.5, None]),
        ({"decimal": ",", "thousands": "."}, ["1.234,5", "1.5", "1234"], [1234.5, None, 1234]),
        ({"thousands": "'"}, ["1'234.5", "1234.5"], [1234.5, 1234.5]),
        ({"thousands": " "}, ["1 234", " 1 234 ", "1  234"], [1234, 1234, None]),
        ({"thousands": "\u202f"}, ["1\u202f234", "\u221279"], [1234, -79]),
        ({"missing": ("-1", "999")}, ["-1", " 999 ", "999.0", "NA"], [None, None, 999, None]),
        ({"missing": ()}, ["", "NA", "nan", "0"], [None, None, None, 0]),
    ],
)
def test_cells_are_numbers_by_the_format_alone(form, cells, values):
    form = TextFileFormat("|", **form)
    recipe = Recipe(
        (Number("a", -2000, 2000), Number("b", -1, 1)),
        radius=1.0,
        number_format=form,
        row_length=RowLength.AT_MOST_R,
    )
    for cell, value in zip(cells, values, strict=True):
        (row,) = rows_of(f"a|b\n{cell}|0\n".encode(), recipe)
        assert row[0] * 2000 == pytest.approx(0 if value is None else value), cell
        if not form.missing or cell.strip() not in form.missing:
            assert parsed(cell, form) == value


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "latin-1"])
def test_the_encoding_is_the_recipe_s(encoding):
    recipe = Recipe(
        (Number("größe", 0, 2),),
        (Category("c", ("ä", "b")),),
        number_format=TextFileFormat(encoding=encoding),
        category_coding=CategoryCoding.INDICATORS,
    )
    found = rows_of("größe,c\n1.5,ä\n0.5,b\n".encode(encoding), recipe)
    assert found[:, 1:].astype(bool).tolist() == [[True, False], [False, True]]


# --- Hostile files ---

HOSTILE = Recipe(
    (Number("a", -10, 10), Number("b", 0, 2000)),
    (Category("c", ("x", "1", "01", "ü", "y", "z", "é")),),
    radius=1.2,
    bounds_are_public=True,
    scales=(Scale("s", ("1", "2", "x")),),
)
PEOPLE = replace(HOSTILE, person=("who",))
RECIPES = {
    "plain": HOSTILE,
    "averages": PEOPLE,
    "at most two": replace(PEOPLE, combine=Combine.AT_MOST, most=2),
    "rows left out": replace(HOSTILE, missing=Missing.DROP),
    "averages of whole rows": replace(PEOPLE, missing=Missing.DROP),
    "tokens": replace(HOSTILE, number_format=TextFileFormat(missing=("-1", "999", "x"))),
}
HEAD = ("who", "a", "b", "c", "s", "text")
CELLS = [
    *("1", "2.5", "-1e1", "+3.", ".5", "", " ", "NA", " NA ", " 2 ", '"3"', "1,5", "1.234", "x,y"),
    *("1.234,5", "12,345,678", "two", "-", "inf", "-inf", "+Infinity", "nan", "-nan", "nan(1)"),
    *("1e400", "-1e999", "9" * 400, "1e-400", "0x1F", "1_000", "1e", "--5", "007", "01", "1.0"),
    *(" 01", "x", " x", "x ", 'x"y', '5" x', '"x"y', '"', '""', '"""', "x;y", "\t", "\v", "\0"),
    *("1\0", "\ufeff", "\ufeff1", "\u2028", "1\u2028", "\u00a01", "1\u00a0", "\u2003x", "ü"),
    *("u\u0308", "٣", "１", "½", "1'234", "1 234", "\x1f", "\x1a", "\x85", "999", "999.0", "-1"),
    *("1e5", "1E+05", "5%", "$5", "true", "2020-01-01", "=1+1", "a\\", "\\", "'", "null", "?"),
    *("1e99999999999999999999", "1" * 5000, "0" * 400 + "7", "a\nb", "\n", "\r\n", "\r", "1\r2"),
    *("\n1,2,x\n", '"\n"', '",\n"', "p1,1,2,x,1,t\n" * 50, '\n"', '"\r\n,', "\udcff", "\udcc3x"),
    *("\\n", '\\"', '\\",\n', "PAR1", "\x1f\udc8b", "x" * 70_000),
]


def random_records(rng, count):
    """Records of hostile cells, a few of another width."""
    for _ in range(count):
        width = len(HEAD) if rng.random() < 0.9 else rng.randint(1, 9)
        cells = [rng.choice(CELLS) for _ in range(width)]
        if width == len(HEAD) and rng.random() < 0.7:
            cells[0] = rng.choice(["p1", "p2", "1", "01", "1.0", " p2"])
        yield cells


@pytest.mark.parametrize(
    ("name", "rounds"),
    [
        *((name, 10) for name in RECIPES),
        *(pytest.param(name, 150, marks=pytest.mark.long("15 times as many")) for name in RECIPES),
    ],
)
def test_any_file_is_read_by_the_rules(name, rounds, monkeypatch):
    """Well-formed or of any bytes, in runs of many sizes, as Python's csv reads all of it."""
    rng = random.Random(f"{name} {rounds}")
    for turn in range(rounds):
        monkeypatch.setattr(records, "RUN", rng.choice([2**20, 300, 40]))
        recipe = replace(
            RECIPES[name],
            number_format=replace(RECIPES[name].number_format, escape=rng.choice([*Escape])),
        )
        content = written([HEAD, *random_records(rng, rng.randint(0, 12))])
        if turn % 3 == 0:
            content = content.replace(b'"', b"") + rng.randbytes(40)
        assert_same(rows_of(content, recipe), text_tables.vectors(content, recipe), recipe)


def usual(count):
    """Records of people with a row each, but for the first, who has three."""
    return [
        (f"p{max(i, 2)}", f"{i % 9}.5", i % 1500, "x1ü"[i % 3], "12"[i % 2], "t")
        for i in range(count)
    ]


LARGE = ["x" * 3 * 2**20, "9" * 3 * 2**20, "\n" * 2**20]
NEW = ("new", "1", "2", "x", "1", "t")


@pytest.mark.parametrize(
    ("name", "every"),
    [
        *((name, 40) for name in ("plain", "averages", "at most two")),
        *(
            pytest.param(name, 2, marks=pytest.mark.long("270 hostile cells, every byte of them"))
            for name in ("plain", "averages", "at most two")
        ),
    ],
)
def test_a_record_moves_its_own_row_by_what_it_may_and_no_other_by_a_bit(name, every, monkeypatch):
    """One record more among 400, wherever a run ends in it; each of its cells hostile in turn."""
    recipe, before = RECIPES[name], usual(400)
    old, start = rows_of(written([HEAD, *before]), recipe), len(written([HEAD, *before[:200]]))
    at = {"plain": 200, "averages": 198, "at most two": 199}[name]
    cells = [(place, cell) for place in range(1, 6) for cell in CELLS[place::every]]
    for place, cell in [*cells, *((5, cell) for cell in LARGE[::every])]:
        record = [*NEW[:place], cell, *NEW[place + 1 :]]
        content = written([HEAD, *before[:200], record, *before[200:]])
        size = len(written([record]))
        walked = range(min(size, 40)) if every == 2 else (1, size // 3)
        for behind in {0, *walked, size // 2, size - 1, size}:
            monkeypatch.setattr(records, "RUN", start + behind)
            new = rows_of(content, recipe)
            assert new.shape == (len(old) + 1, recipe.width), (cell[:50], behind)
            assert np.array_equal(np.delete(new, at, axis=0), old), (cell[:50], behind)
            assert np.square(new[at]).sum() <= 1 + 1e-12


def test_a_row_alone_has_the_bits_that_it_has_among_others(monkeypatch):
    """Of more columns than are added one by one, in runs of one record."""
    recipe, lines = RECIPES["plain"], [HEAD, *usual(30)]
    whole = rows_of(written(lines), recipe)
    monkeypatch.setattr(records, "RUN", 8)
    assert np.array_equal(rows_of(written(lines), recipe), whole)
