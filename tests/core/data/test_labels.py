"""The text of a value in a column of its like, and among others: always the same."""

import datetime as dt
from decimal import Decimal
from fractions import Fraction
from uuid import UUID

import numpy as np
import pandas as pd
import pytest

from dpca_core.data.encoding import encode_columns
from dpca_core.data.labels import as_text
from dpca_core.data.recipe import Category, Number, Reading, Recipe, RowLength
from dpca_core.release.exact_sums import exact_sums
from dpca_core.release.grid import GRID
from dpca_core.release.table_source import TableSource

NOON = dt.datetime(2020, 1, 1, 12, tzinfo=dt.UTC)
VALUES: dict[str, list[object]] = {
    "1": [True, np.True_, np.int8(1), 1.0, np.float16(1), np.longdouble(1), Decimal("1.0"), 1 + 0j],
    "0": [False, np.False_, np.uint64(0), -0.0, np.complex64(0), Decimal("-0")],
    "0.1": [0.1, np.float64(0.1), np.longdouble(0.1), Decimal("0.10")],
    "0.10000000149011612": [np.float32(0.1)],
    "0.3333333333333333": [1 / 3, np.longdouble(1) / 3, np.clongdouble(1) / 3],
    "(1+2j)": [1 + 2j, np.complex64(1 + 2j), np.clongdouble(1 + 2j)],
    "(0.3333333333333333+1j)": [complex(1 / 3, 1), np.clongdouble(1) / 3 + np.clongdouble(1j)],
    "inf": [float("inf"), np.float32("inf")],
    "1 days 00:00:00": [
        dt.timedelta(1), np.timedelta64(24, "h"), np.timedelta64(86_400 * 10**9, "ns"),
        pd.Timedelta(1, "D"),
    ],
    "2020-01-01 00:00:00": [
        dt.datetime(2020, 1, 1), np.datetime64("2020"), np.datetime64("2020-01-01T00:00"),
        pd.Timestamp("2020"),
    ],
    "2020-01-01 12:00:00+00:00": [NOON, pd.Timestamp(NOON)],
    "2020-01-01": [dt.date(2020, 1, 1)],
    "(0, 1]": [pd.Interval(0, 1), pd.Interval(0.0, 1.0)],
    "[0.5, 1)": [pd.Interval(0.5, 1, closed="left")],
    "1/2": [Fraction(1, 2)],
    "a": ["a", " a ", np.str_("a")],
    str(UUID(int=5)): [UUID(int=5)],
}  # fmt: skip
OTHERS = (
    None, pd.NA, pd.NaT, float("nan"), "x", 0.25, 1j, True, np.True_, 10**400, np.float32(0.7),
    np.uint64(2**63), np.longdouble("0.3"), np.clongdouble(1j), Decimal("NaN"), Decimal("0.25"),
    object(), [1], (1, 2), np.timedelta64(1, "ns"),
    dt.date(2021, 1, 1), dt.datetime(2021, 1, 1), NOON, np.datetime64("2021-01-01T00:00:00.000001"),
    dt.timedelta(2), pd.Interval(0.0, 0.5),
)  # fmt: skip


@pytest.mark.parametrize("text", VALUES)
def test_no_other_row_changes_the_text_of_a_value(text: str) -> None:
    for value in VALUES[text]:
        found = {as_text(pd.Series([value] * 2))[0]}
        found |= {as_text(pd.Series([value, other]))[0] for other in OTHERS}
        found |= {as_text(pd.Series([value, other], dtype=object))[0] for other in OTHERS}
        assert found == {text}, repr(value)


@pytest.mark.parametrize("text", VALUES)
def test_a_row_more_moves_the_sum_by_its_own_length(text: str) -> None:
    """What is released rests on it: 1 person in 51 moved all others' rows once."""
    recipe = Recipe((Number("age", 0, 100),), (Category("c", (text, "?")),), bounds_are_public=True)
    for value in VALUES[text]:
        rows = pd.DataFrame({"age": [50.0] * 50, "c": [value] * 50})
        without = summed(rows, recipe)
        assert np.trace(without) > 0
        for other in OTHERS:
            more = pd.DataFrame({"age": [50.0] * 51, "c": [*rows["c"], other]})
            assert np.linalg.norm(summed(more, recipe) - without) <= 1 + 1e-9, repr((value, other))


@pytest.mark.parametrize("text", VALUES)
def test_a_row_more_moves_the_sum_of_numbers_by_its_own_length(text: str) -> None:
    """A duration among objects counted as a number once, and in a column of its like as none."""
    ends = (Number("age", 0, 100), Number("c", -2, 2))
    recipe = Recipe(ends, (), bounds_are_public=True, row_length=RowLength.ONE)
    for value in VALUES[text]:
        typed, objects = (summed(numbers([value] * 50, kind), recipe) for kind in (None, object))
        assert np.trace(typed) > 0
        np.testing.assert_array_equal(objects, typed)
        for other in OTHERS:
            for kind in (None, object):
                more = summed(numbers([*[value] * 50, other], kind), recipe)
                assert np.linalg.norm(more - typed) <= 1 + 1e-9, repr((value, other))


@pytest.mark.parametrize("nothing", [np.timedelta64("NaT"), np.datetime64("NaT"), pd.NaT, None])
def test_a_missing_time_among_numbers_is_missing(nothing: object) -> None:
    recipe = Recipe((Number("c", -2, 2, None, "kg"),), (), bounds_are_public=True)
    table = pd.DataFrame({"c": pd.Series([1.5, nothing], dtype=object)})
    found = encode_columns(table, recipe, Reading.STRICT).numbers[0]
    np.testing.assert_array_equal(found, [1.5, np.nan])


def numbers(values: list[object], kind: type | None) -> pd.DataFrame:
    column = pd.Series(values) if kind is None else pd.Series(values, dtype=kind)
    return pd.DataFrame({"age": [0.0] * len(values), "c": column})


def summed(rows: pd.DataFrame, recipe: Recipe) -> np.ndarray:
    source = TableSource([rows], recipe)
    source.check()
    return np.asarray(exact_sums(source).T, dtype=float) / GRID**2
