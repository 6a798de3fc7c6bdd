"""A made-up table with the owner's header and the recipe's ranges."""

import csv
import io
from dataclasses import replace

import numpy as np
import pytest

from dpca_core.data.recipe import Category, CategoryCoding, Number, Recipe, Scale
from dpca_core.data.text_file_format import Escape, TextFileFormat
from dpca_core.tables.prepare import prepare
from sample_data.made_up_clinic import MADE_UP
from sample_data.made_up_table import made_up_csv
from tests.core.tables.text_tables import text_table

HEADER = ("patient_id", "note", "age", "=cmd", "sex", "ldl", "pain")
RECIPE = Recipe(
    (Number("age", 0, 110, 55), Number("=cmd", -1.7e308, 1.7e308), Number("ldl", 1e-9, 2e-9)),
    (Category("sex", ("F", "M", 'a;b"c')),),
    scales=(Scale("pain", ("none", "mild", "bad, or worse")),),
    bounds_are_public=True,
    person=("patient_id",),
    category_coding=CategoryCoding.INDICATORS,
)


def records(content: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode())))


def test_the_header_is_the_owners_and_no_person_is_in_it():
    content = made_up_csv(HEADER, RECIPE, 400)
    assert made_up_csv(HEADER, RECIPE, 400) == content
    first, *lines = records(content)
    assert tuple(first) == HEADER
    assert len({line[0] for line in lines}) == 400
    assert all(line[0].startswith(MADE_UP) and line[1] == MADE_UP for line in lines)
    for place, column in zip((2, 3, 5), RECIPE.numbers, strict=True):
        values = np.array([float(line[place]) for line in lines])
        assert column.low <= values.min() < values.max() <= column.high
    assert {line[4] for line in lines} == {"F", "M", 'a;b"c'}
    for people, rows in ((-1, 1), (0, 1), (10**12, 20_000)):
        assert len(records(made_up_csv(("age",), RECIPE, people))) == rows + 1


@pytest.mark.parametrize(
    "form",
    [
        TextFileFormat(";", ",", "", "cp1252", skip=2),
        TextFileFormat(escape=Escape.BACKSLASH, cr_ends_lines=True),
        TextFileFormat(";", escape=Escape.NONE, unnamed=9),
    ],
)
def test_it_is_read_back_by_the_recipe_and_has_directions(form: TextFileFormat):
    """All but a text that such a file cannot hold."""
    header = tuple(f"c{i}" if form.unnamed else f"grö{i}" for i in range(1, 10))
    recipe = replace(
        RECIPE,
        numbers=tuple(Number(name, 0, 10 + i, 4) for i, name in enumerate(header[:6])),
        categories=(replace(RECIPE.categories[0], name=header[6]),),
        scales=(replace(RECIPE.scales[0], name=header[7]),),
        person=header[8:],
        number_format=form,
    )
    content = made_up_csv(header, recipe, 600)
    data = prepare(text_table(content, recipe), recipe, "made up")
    assert data.rows.shape == (600, 10)
    missing = np.flatnonzero(~data.rows.any(axis=0))
    assert list(missing) == ([9] if form.escape is Escape.NONE else [])
    shares = data.problem(3).spectrum / data.problem(3).spectrum.sum()
    assert shares[:3].sum() > 0.6
