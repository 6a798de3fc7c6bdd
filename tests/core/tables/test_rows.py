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
from tests.core.tables.hostile_cells import CELLS, HEAD, HOSTILE
from tests.core.tables.text_tables import assert_same, rows_of, written
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


@pytest.mark.parametrize(("who", "length"), list(product(PERSONS, LENGTHS)))
def test_rows_are_those_of_the_reference_in_its_order(who, length):
    for seed, missing in product(range(2), Missing):
        recipe = replace(RECIPE, missing=missing, **PERSONS[who], **LENGTHS[length])
        rows = made_up(seed)
        expected = prepared_rows.prepared(rows, recipe)
        assert_same(rows_of(csv_of(rows), recipe), expected, recipe, 1e-12)


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
        ({"missing": ("-1", "999")}, ["-1", " 999 ", "999.0", "NA"], [None] * 4),
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
        number = parsed(cell, form)
        if number is None or number not in [parsed(code, form) for code in form.missing]:
            assert number == value


# --- Hostile files ---

PEOPLE = replace(HOSTILE, person=("who",))
RECIPES = {
    "plain": HOSTILE,
    "averages": PEOPLE,
    "at most two": replace(PEOPLE, combine=Combine.AT_MOST, most=2),
    "rows left out": replace(HOSTILE, missing=Missing.DROP),
    "averages of whole rows": replace(PEOPLE, missing=Missing.DROP),
    "tokens": replace(HOSTILE, number_format=TextFileFormat(missing=("-1", "999", "x"))),
}


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


def test_a_row_alone_has_the_bits_that_it_has_among_others(monkeypatch):
    """Of more columns than are added one by one, in runs of one record."""
    recipe = RECIPES["plain"]
    lines = [HEAD, *(("", f"{i % 9}.5", i, "x1ü"[i % 3], "12"[i % 2], "") for i in range(30))]
    whole = rows_of(written(lines), recipe)
    monkeypatch.setattr(records, "RUN", 8)
    assert np.array_equal(rows_of(written(lines), recipe), whole)
