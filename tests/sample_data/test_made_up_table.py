"""A made-up table: the owner's header, the recipe's ranges and lists, no table read."""

import csv
import io
from dataclasses import replace

import numpy as np
import pytest

from dpca_core.data.recipe import Category, Number, Recipe
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.preparation import prepare
from dpca_core.readers.file_access import Upload
from sample_data.made_up_clinic import MADE_UP
from sample_data.made_up_table import MOST_MADE_UP_ROWS, made_up_csv

HEADER = ("patient_id", "note", "age", "=cmd", "sex", "ldl")
RECIPE = Recipe(
    (Number("age", 0, 110, 55), Number("=cmd", -1.7e308, 1.7e308), Number("ldl", 1e-9, 2e-9)),
    (Category("sex", ("F", "M", "a,b")),),
    bounds_are_public=True,
    person=("patient_id",),
)


def rows(content: bytes, delimiter: str = ",") -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode()), delimiter=delimiter))


@pytest.mark.parametrize("seed", range(4))
def test_the_header_is_the_owners_and_no_person_is_in_it(seed: int):
    first, *lines = rows(made_up_csv(HEADER, RECIPE, 400, seed=seed))
    assert tuple(first) == HEADER
    assert len({line[0] for line in lines}) == 400
    assert all(line[0].startswith(MADE_UP) and line[1] == MADE_UP for line in lines)
    for place, column in zip((2, 3, 5), RECIPE.numbers, strict=True):
        values = np.array([float(line[place]) for line in lines])
        assert column.low <= values.min() < values.max() <= column.high
    assert {line[4] for line in lines} == {"F", "M", "a,b"}


def two(first: str = "a", second: str = "b") -> Recipe:
    return Recipe((Number(first, 0, 1), Number(second, 0, 1)), bounds_are_public=True)


@pytest.mark.parametrize("people", [-1, 0, 1, 10**12])
def test_any_number_of_people(people: int):
    count = len(rows(made_up_csv(("a", "b"), two(), people))) - 1
    assert count == (MOST_MADE_UP_ROWS if people > 1 else 1)


def test_a_table_without_a_header_gets_none():
    form = TextFileFormat(unnamed=2)
    content = made_up_csv(("c1", "c2"), replace(two("c1", "c2"), number_format=form), 30)
    assert len(rows(content)) == 30
    assert b"c1" not in content


def test_the_same_again_and_another_with_another_seed():
    assert made_up_csv(HEADER, RECIPE, 9) == made_up_csv(HEADER, RECIPE, 9)
    assert made_up_csv(HEADER, RECIPE, 9) != made_up_csv(HEADER, RECIPE, 9, seed=1)


FORMS = [
    TextFileFormat(),
    TextFileFormat(";", ",", "", "cp1252"),
    TextFileFormat("\t", decimal=",", thousands="."),
]


@pytest.mark.parametrize("form", FORMS)
def test_it_is_read_back_by_the_recipe_and_has_directions(form: TextFileFormat):
    numbers = tuple(Number(f"grö{i}", 0, 10 + i, 4) for i in range(6))
    recipe = replace(RECIPE, numbers=numbers, number_format=form)
    header = ("patient_id", "note", "sex", *(n.name for n in numbers))
    content = made_up_csv(header, recipe, 600)
    data = prepare(Upload("made-up.csv", content), recipe, "made up")
    assert data.rows.shape == (600, 9)
    shares = data.problem(3).spectrum / data.problem(3).spectrum.sum()
    assert shares[:3].sum() > 0.6
