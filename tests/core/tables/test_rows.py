"""From cells to rows: those of a naive reader, by the recipe and the file's format alone."""

from dataclasses import replace
from itertools import product
from math import nan, sqrt

import numpy as np
import pandas as pd
import pytest

from dpca_core.data.recipe import (
    CategoryCoding,
    Combine,
    Missing,
    MissingPerson,
    Number,
    Recipe,
    RowLength,
)
from dpca_core.data.text_file_format import EITHER, TextFileFormat, parsed
from tests.core.tables.text_tables import MADE_UP, assert_same, made_up, rows_of, written_rows
from tests.references import prepared_rows

PERSONS = {
    "each row": {},
    "averaged": {"person": ("who",)},
    "two columns": {"person": ("who", "clinic")},
    "case ignored": {"person": ("who",), "ids_ignore_case": True},
    "own": {"person": ("who",), "missing_person": MissingPerson.OWN},
    "at most 2": {"person": ("who",), "combine": Combine.AT_MOST, "most": 2},
}
LENGTHS = (
    {"row_length": RowLength.ONE, "category_coding": CategoryCoding.CENTRED},
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


def two_numbers(form, *numbers):
    return Recipe(numbers, number_format=form, row_length=RowLength.AT_MOST_R)


def test_a_number_may_carry_its_unit_on_either_side_and_a_code_of_letters():
    content = (
        "ldl;price\n7,5 %;€ 1.000,00\n2,5;-€1.000\nrefused;1000 €\n99 %;+500\n"
        "7,5 %%;€ 1.000 €\n% 7,5;€\ninf %;1e999 €\n"
    )
    recipe = two_numbers(
        TextFileFormat(";", ",", "."),
        Number("ldl", 0, 10, unit="%", missing=("refused", "99")),
        Number("price", -2000, 2000, unit="€"),
    )
    expected = [[0.5, 0.5], [-0.5, -0.5], [0, 0.5], [0, 0.25], [0, 0], [0.5, 0], [0, 0]]
    found = rows_of(content.encode(), recipe)
    np.testing.assert_allclose(found, np.array(expected) / sqrt(2), atol=1e-15)


def test_codes_are_read_as_the_file_writes_numbers():
    """In a German file "99.9" is no number: it is no code for 999, and "99,9" is one for 99.9."""
    recipe = two_numbers(
        TextFileFormat(";", ",", "."),
        Number("a", 0, 1000, missing=("99.9", "1.000")),
        Number("b", 0, 1000, missing=("99,9",)),
    )
    content = b"a;b\n999;999\n99,9;99,9\n1000;99,90\n"
    expected = [[0.998, 0.998], [-0.8002, 0], [0, 0]]
    np.testing.assert_allclose(rows_of(content, recipe) * sqrt(2), expected, atol=1e-12)
    typed = pd.DataFrame({"a": [999.0, 1000.0], "b": [99.9, nan]})
    np.testing.assert_allclose(rows_of(typed, recipe) * sqrt(2), [[0.998, 0], [0, 0]], atol=1e-12)


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
        ({}, [" 1 234 ", "1  234", "12 34", "−1\u202f234\u00a0"], [1234, None, None, -1234]),
        ({"missing": ("-1", "999")}, ["-1", " 999 ", "999.0", "NA"], [None] * 4),
        ({"missing": ()}, ["", "NA", "nan", "0"], [None, None, None, 0]),
    ],
)
def test_cells_are_numbers_by_the_format_alone(form, cells, values):
    form = TextFileFormat("|", **form)
    recipe = two_numbers(form, Number("a", -2000, 2000), Number("b", -1, 1))
    for cell, value in zip(cells, values, strict=True):
        (row,) = rows_of(f"a|b\n{cell}|0\n".encode(), recipe)
        assert row[0] * 2000 * sqrt(2) == pytest.approx(0 if value is None else value), cell
        number = parsed(cell, form)
        if number is None or number not in [parsed(code, form) for code in form.missing]:
            assert number == value
