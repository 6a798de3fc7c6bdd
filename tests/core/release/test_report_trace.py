"""What a report says of the trace: counted on tables that hold every kind of row."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from dpca_core.data.recipe import (
    Combine,
    Missing,
    Number,
    Recipe,
    RowLength,
    Scaling,
)
from dpca_core.release.exact_sums import exact_sums
from dpca_core.release.grid import GRID
from dpca_core.release.report_sentences import what_the_trace_tells
from dpca_core.release.table_source import TableSource
from tests.core.release.report_cases import hostile_plan

ENDS = (Number("a", 0, 10), Number("b", 0, 10))
RECIPE = Recipe(ENDS, (), bounds_are_public=True, row_length=RowLength.ONE)
OF_PEOPLE = replace(RECIPE, person=("who",))
AT_MOST = replace(OF_PEOPLE, combine=Combine.AT_MOST, most=2)
TABLE = pd.DataFrame(
    [
        ("typical", 5.0, 5.0),
        ("missing", None, None),
        ("both", 5.0, None),
        ("half", None, 7.0),
        ("full", 9.0, 2.0),
        ("cancels", 9.0, 5.0),
        ("cancels", 1.0, 5.0),
        ("twice", 9.0, 5.0),
        ("twice", 9.0, 9.0),
        (None, 1.0, 1.0),
    ],
    columns=["who", "a", "b"],
)
ALL_ZEROS = " A row is all zeros where every value is typical"


@pytest.mark.parametrize(
    ("recipe", "counted", "count", "ends"),
    [
        # Rows that are not all zeros: half, full, 2 of cancels, 2 of twice, nobody\'s.
        (RECIPE, "number of patients whose row is not all zeros", 7, f"{ALL_ZEROS} or missing."),
        (
            replace(RECIPE, missing=Missing.DROP),
            "number of patients whose row is not all zeros",
            6,
            f"{ALL_ZEROS}. Rows that were left out do not count.",
        ),
        # People: half, full, twice.
        (
            OF_PEOPLE,
            "number of patients whose row is not all zeros",
            3,
            f"{ALL_ZEROS} or missing. Rows that were left out do not count.",
        ),
        (
            AT_MOST,
            "number of rows that were kept and are not all zeros",
            6,
            f"{ALL_ZEROS} or missing. Rows that were left out do not count.",
        ),
    ],
)
def test_the_trace_is_the_number_that_the_report_names(
    recipe: Recipe, counted: str, count: float, ends: str
) -> None:
    source = TableSource([TABLE], recipe)
    source.check()
    trace = np.trace(np.asarray(exact_sums(source, length_one=True).T, dtype=float)) / GRID**2
    assert trace == pytest.approx(count, rel=1e-3)
    plan = hostile_plan(2, k=1)
    changed = replace(recipe, unit=plan.recipe.unit, numbers=plan.recipe.numbers)
    said = what_the_trace_tells(hostile_plan(2, k=1, recipe=changed))
    assert f"is, up to rounding, the {counted}, plus noise." in said
    assert said.endswith(ends)


def test_rows_about_released_means_are_zero_only_at_these() -> None:
    recipe = replace(hostile_plan().recipe, row_length=RowLength.ONE, scaling=Scaling.PRIVATE_MEAN)
    said = what_the_trace_tells(hostile_plan(recipe=recipe, means=Fraction(1, 20)))
    assert "not all zeros after the released means were subtracted was made of length 1" in said
    assert "typical" not in said


def test_rows_of_their_own_lengths_count_nothing() -> None:
    assert what_the_trace_tells(hostile_plan()) == ""
