"""Sums of clipped rows: any layout and length, nothing infinite, parts that add up."""

from dataclasses import replace
from functools import reduce
from math import inf, nan

import numpy as np
import pandas as pd
import pytest

from dpca_core.data.clipping import to_ball
from dpca_core.data.recipe import (
    Number,
    Reading,
    Recipe,
)
from dpca_core.streaming.mergeable_sums import (
    MOST_COLUMNS,
    ClippedSum,
    Moments,
    clipped_moment,
    merge,
)
from dpca_core.streaming.second_moment import second_moment
from tests.core.streaming.streamed_tables import RECIPE, ROWS, same, table

# --- Rows that are shortened ---


@pytest.mark.parametrize("radius", [1.0, 0.7, 3e-160, 1e-320, 1e200])
@pytest.mark.parametrize("size", [1.0, 1e-150, 1e150, 1e300])
def test_rows_are_shortened_as_in_memory(radius, size):
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(3000, 7)) * size * rng.random((3000, 1))
    inside = to_ball(rows, radius)
    before = rows.copy()
    found = clipped_moment(rows, radius)
    assert np.array_equal(rows, before)
    assert same(found.moment, inside.values.T @ inside.values)
    assert same(found.total, inside.values.sum(axis=0))
    assert (found.rows, found.clipped) == (3000, round(inside.share * 3000))


@pytest.mark.parametrize("long", [0.0, 0.01, 0.9])
def test_few_long_rows_or_many(long):
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(20_000, 30))
    radius = float(np.quantile(np.linalg.norm(rows, axis=1), 1 - long))
    inside = to_ball(rows, radius).values
    found = clipped_moment(rows, radius)
    assert same(found.moment, inside.T @ inside)
    assert found.clipped == pytest.approx(long * 20_000, abs=1)


@pytest.mark.parametrize("length", [1.001, 2.0, 15.9, 16.1, 1e4, 1e90, 1e150])
def test_long_rows_leave_the_digits_of_short_ones(length):
    rng = np.random.default_rng(4)
    rows = rng.normal(size=(20_000, 30)) / 1000
    rows[::20] = rng.normal(size=(1000, 30))
    rows[::20] *= length / np.linalg.norm(rows[::20], axis=1)[:, None]
    inside = to_ball(rows).values
    found = clipped_moment(rows)
    assert np.abs(found.moment - inside.T @ inside).max() < 1e-12 * found.moment.max()
    assert np.abs(found.total - inside.sum(axis=0)).max() < 1e-12 * len(rows)
    assert np.linalg.eigvalsh(found.moment)[0] > 0
    assert found.clipped == 1000


@pytest.mark.parametrize("kind", ["int64", "int8", "float32", "bool"])
def test_other_kinds_of_numbers(kind):
    rows = np.random.default_rng(5).integers(0, 2, size=(500, 6)) * 100
    rows = (rows * (2**40 if kind == "int64" else 1)).astype(kind)
    inside = to_ball(rows.astype(float), 120.0).values
    found = clipped_moment(rows, 120.0)
    assert same(found.moment, inside.T @ inside)


ORDERS = {
    "rows": lambda rows: rows,
    "columns": np.asfortranarray,
    "part of rows": lambda rows: np.hstack([rows, rows])[:, : rows.shape[1]],
    "part of columns": lambda rows: np.asfortranarray(np.vstack([rows, rows]))[: len(rows)],
    "backwards": lambda rows: rows[::-1],
    "every second": lambda rows: np.repeat(rows, 2, axis=0)[::2],
    "every second column": lambda rows: np.repeat(rows, 2, axis=1)[:, ::2],
    "one row again": lambda rows: np.broadcast_to(rows[0], rows.shape),
    "whole numbers": lambda rows: (10 * rows).astype(int),
}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("shape", [(2000, 9), (1, 9), (9, 1), (300, 600)])
@pytest.mark.parametrize("radius", [0.1, 1.0, 1e3])
def test_rows_may_lie_in_memory_in_any_way(order, shape, radius):
    rows = ORDERS[order](np.random.default_rng(3).normal(size=shape))
    inside = to_ball(rows, radius).values
    found = clipped_moment(rows, radius)
    assert same(found.moment, inside.T @ inside)
    assert same(found.total, inside.sum(axis=0))


def test_a_wide_table_is_summed_up_in_place():
    rows = np.random.default_rng(2).normal(size=(40, 2100)) / 40
    inside = to_ball(rows).values
    found = clipped_moment(rows)
    assert same(found.moment, inside.T @ inside)
    assert np.array_equal(found.moment, found.moment.T)


def test_ten_thousand_columns_and_no_more():
    ClippedSum(MOST_COLUMNS)
    with pytest.raises(ValueError, match="10,001 columns after encoding; the limit is 10,000"):
        ClippedSum(MOST_COLUMNS + 1)
    wide = Recipe(tuple(Number(f"c{i}", 0, 1) for i in range(MOST_COLUMNS + 1)))
    with pytest.raises(ValueError, match="the limit is 10,000"):
        second_moment(pd.DataFrame({"c0": [1.0]}), wide)


@pytest.mark.parametrize("value", [nan, inf])
def test_no_sum_of_what_is_not_finite(value):
    rows = np.array([[value, 1.0], [0.6, 0.8], [-value, value]])
    with pytest.raises(ValueError, match="NaN or infinite"):
        clipped_moment(rows, reading=Reading.STRICT)
    for radius in (1.0, 2.0, 1e-200):
        found, alone = clipped_moment(rows, radius), clipped_moment(rows[1:2], radius)
        assert np.array_equal(found.moment, alone.moment)
        assert found.rows == 3
    with pytest.raises(ValueError, match="positive number"):
        clipped_moment(np.eye(2), value)


# --- Parts of a sum ---


def test_parts_add_up():
    frame = table()
    whole = second_moment(frame, RECIPE)
    parts = [second_moment(frame.iloc[a : a + 700], RECIPE) for a in range(0, ROWS, 700)]
    found = reduce(merge, parts)
    assert same(found.moment, whole.moment)
    assert same(found.total, whole.total)
    facts = ("rows", "clipped", "cut", "columns", "recipe")
    assert [getattr(found, f) for f in facts] == [getattr(whole, f) for f in facts]


def test_parts_made_differently_do_not_add_up():
    frame = table(rows=50)
    part = second_moment(frame, RECIPE)
    with pytest.raises(ValueError, match="prepared differently"):
        merge(part, second_moment(frame, replace(RECIPE, radius=1.0)))
    with pytest.raises(ValueError, match="prepared differently"):
        merge(part, second_moment(frame, RECIPE, mean=np.full(len(part.columns), 0.1)))
    with pytest.raises(ValueError, match="different columns"):
        merge(part, second_moment(frame, replace(RECIPE, categories=())))


def test_a_sum_of_nothing_is_a_problem_like_any_other():
    none = second_moment(table(rows=0), RECIPE)
    assert (none.rows, none.moment.any()) == (0, False)
    zeros = Moments(np.zeros((2, 2)), np.zeros(2), 5, 0, ("a", "b"))
    for found, n in ((none, 1), (zeros, 5), (second_moment(table(rows=1), RECIPE), 1)):
        problem = found.problem(1)
        assert problem.n == n
        assert np.isfinite(problem.spectrum).all()
