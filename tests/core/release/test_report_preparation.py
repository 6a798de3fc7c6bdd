"""How rows were made, in words: whose rows they are, what is missing, and who is protected."""

from dataclasses import replace

import pytest

from dpca_core.data.provenance import ONE_ROW, Unit
from dpca_core.data.recipe import Category, Combine, Number, Recipe
from dpca_core.release.report_preparation import column_rows, preparation_rows, protected
from tests.core.release.plans import some_plan

CLINIC = Recipe(
    (Number("pain", 0.0, 10.0, unit="points", missing=("98", "99")), Number("age", 0.0, 110.0)),
    (Category("sex", ("f", "m"), missing=("unknown",)), Category("ward", ("1", "2"))),
    person=("patient_id",),
    unit=Unit("patient", "patients"),
    bounds_are_public=True,
)


@pytest.mark.parametrize(
    ("recipe", "words"),
    [
        (CLINIC, "one patient added or removed, all rows of one patient averaged into one"),
        (
            replace(CLINIC, combine=Combine.AT_MOST, most=3),
            "one patient added or removed, at most 3 rows each",
        ),
        (replace(CLINIC, person=()), "one patient added or removed, one row each"),
        (replace(CLINIC, person=(), unit=ONE_ROW), "one row added or removed"),
    ],
)
def test_who_is_protected_with_how_many_rows(recipe: Recipe, words: str) -> None:
    assert protected(some_plan(d=6, recipe=recipe)) == words


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "averaged into one row; rows without one are left out"),
        ({"combine": Combine.AT_MOST, "most": 3}, "at most 3 kept, S divided by 3; rows without"),
        ({"ids_ignore_case": True}, "of patient_id, without case and spaces: averaged"),
    ],
)
def test_whose_rows_they_are(changes: dict[str, object], words: str) -> None:
    rows = dict(preparation_rows(some_plan(d=6, recipe=replace(CLINIC, **changes))))
    assert words in rows["Rows"]


def test_codes_for_missing_values_of_each_column() -> None:
    assert [row[1] for row in column_rows(CLINIC)] == [
        "0 to 10 points; missing: 98, 99",
        "0 to 110",
        "f, m; missing: unknown",
        "1, 2",
    ]
    many = replace(CLINIC, numbers=(Number("a", 0, 1, missing=tuple(map(str, range(-20, 0)))),))
    assert column_rows(many)[0][1].endswith("-6, and 5 more")
