"""Sums of clipped rows: any layout and length, nothing infinite, parts that add up."""

from dataclasses import replace
from functools import reduce
from itertools import product
from math import inf, nan

import numpy as np
import pytest

from dpca_core.data.clipping import to_ball
from dpca_core.data.recipe import (
    CategoryCoding,
    MissingPerson,
    Number,
    Reading,
    Recipe,
    RowLength,
    Scaling,
)
from dpca_core.preparation import prepare
from dpca_core.streaming import mergeable_sums
from dpca_core.streaming.dask_moment import dask_moment, partial_sum
from dpca_core.streaming.mergeable_sums import (
    MOST_COLUMNS,
    ClippedSum,
    Moments,
    clipped_moment,
    merge,
)
from dpca_core.streaming.second_moment import second_moment
from dpca_core.streaming.summed_dataset import data_set
from tests.cases import sampled
from tests.core.streaming.streamed_tables import RECIPE, ROWS, same, table

# --- Rows that are shortened ---


def assert_as_in_memory(rows, radius=1.0):
    """Compare the sum with that of rows shortened one by one; return it."""
    inside = to_ball(rows, radius)
    before = rows.copy()
    found = clipped_moment(rows, radius)
    assert np.array_equal(rows, before)
    assert same(found.moment, inside.values.T @ inside.values)
    assert same(found.total, inside.values.sum(axis=0))
    assert (found.rows, found.clipped) == (len(rows), round(inside.share * len(rows)))
    return found


@pytest.mark.parametrize("radius", [1.0, 3e-160, 1e-320, 1e200])
@pytest.mark.parametrize("size", [1.0, 1e-150, 1e150, 1e300])
def test_rows_are_shortened_as_in_memory(radius, size):
    rng = np.random.default_rng(0)
    assert_as_in_memory(rng.normal(size=(3000, 7)) * size * rng.random((3000, 1)), radius)


def test_a_wide_table_is_summed_up_in_place_up_to_ten_thousand_columns():
    found = assert_as_in_memory(np.random.default_rng(2).normal(size=(40, 2100)) / 40)
    assert np.array_equal(found.moment, found.moment.T)
    ClippedSum(MOST_COLUMNS)
    with pytest.raises(ValueError, match="10,001 columns after encoding; the limit is 10,000"):
        ClippedSum(MOST_COLUMNS + 1)


@pytest.mark.parametrize("length", [1.001, 15.9, 16.1, 1e90])
def test_long_rows_leave_the_digits_of_short_ones(length):
    rng = np.random.default_rng(4)
    rows = rng.normal(size=(5000, 30)) / 1000
    rows[::20] = rng.normal(size=(250, 30))
    rows[::20] *= length / np.linalg.norm(rows[::20], axis=1)[:, None]
    found = assert_as_in_memory(rows)
    assert np.linalg.eigvalsh(found.moment)[0] > 0
    assert found.clipped == 250


LAYOUTS = {
    "rows": lambda rows: rows,
    "columns": np.asfortranarray,
    "part of rows": lambda rows: np.hstack([rows, rows])[:, : rows.shape[1]],
    "part of columns": lambda rows: np.asfortranarray(np.vstack([rows, rows]))[: len(rows)],
    "backwards": lambda rows: rows[::-1],
    "every second": lambda rows: np.repeat(rows, 2, axis=0)[::2],
    "every second column": lambda rows: np.repeat(rows, 2, axis=1)[:, ::2],
    "one row again": lambda rows: np.broadcast_to(rows[0], rows.shape),
    "whole numbers": lambda rows: (10 * rows).astype(int),
    "bytes": lambda rows: (100 * (rows > 0)).astype("int8"),
    "single precision": lambda rows: rows.astype("float32"),
}


@pytest.mark.parametrize(
    ("layout", "shape", "radius"),
    sampled(
        product(LAYOUTS, [(2000, 9), (1, 9), (9, 1), (300, 600)], [0.1, 1.0, 1e3]),
        5,
        "the same in another shape",
    ),
)
def test_rows_may_lie_in_memory_in_any_way_and_be_any_kind_of_number(layout, shape, radius):
    rows = LAYOUTS[layout](np.random.default_rng(3).normal(size=shape))
    inside = to_ball(rows.astype(float), radius).values
    found = clipped_moment(rows, radius)
    assert same(found.moment, inside.T @ inside)
    assert same(found.total, inside.sum(axis=0))


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

ONE = replace(RECIPE, row_length=RowLength.ONE, category_coding=CategoryCoding.CENTRED)


@pytest.mark.parametrize("recipe", [RECIPE, ONE], ids=["at most R", "of length 1"])
def test_parts_add_up_to_the_sum_of_the_rows(recipe):
    """Of a stream in chunks, of frames, and of Dask's partitions."""
    frame = table()
    data = prepare(frame, recipe, "t")
    whole = second_moment(frame, recipe, chunk_rows=500, sample=50)
    pieces = [frame.iloc[a : a + 700] for a in range(0, ROWS, 700)]
    for part in (second_moment, partial_sum):
        found = reduce(merge, [part(piece, recipe, sample=9) for piece in pieces])
        assert same(found.moment, data.moment)
        assert same(found.total, data.rows.sum(axis=0))
        facts = ("rows", "clipped", "cut", "columns", "recipe")
        assert [getattr(found, f) for f in facts] == [getattr(whole, f) for f in facts]
        assert same(data_set(found, "t").reference, data.reference)


@pytest.mark.parametrize("recipe", [RECIPE, ONE], ids=["at most R", "of length 1"])
def test_dask_sums_up_partitions_without_processes(recipe):
    import dask.dataframe as dd
    from distributed import Client

    data = prepare(table(), recipe, "t")
    with Client(processes=False, dashboard_address=None) as client:
        found = dask_moment(dd.from_pandas(table(), npartitions=3), recipe, client, sample=20)
    assert same(found.moment, data.moment)
    assert (found.rows, found.columns) == (ROWS, data.columns)
    assert same(data_set(found, "t").reference, data.reference)


def test_parts_made_differently_do_not_add_up():
    frame = table(rows=50)
    part = second_moment(frame, RECIPE)
    with pytest.raises(ValueError, match="prepared differently"):
        merge(part, second_moment(frame, replace(RECIPE, radius=1.0)))
    with pytest.raises(ValueError, match="prepared differently"):
        merge(part, second_moment(frame, RECIPE, mean=np.full(len(part.columns), 0.1)))
    with pytest.raises(ValueError, match="different columns"):
        merge(part, second_moment(frame, replace(RECIPE, categories=())))


def test_ranges_that_were_not_asked_for_do_not_keep_parts_from_merging():
    """NaN is not NaN: settings are compared by what they say."""
    parts = []
    for seed in (0, 1):
        numbers = tuple(Number(name, float("nan"), float("nan")) for name in ("age", "height"))
        recipe = Recipe(numbers, radius=90.0, scaling=Scaling.NORM_ONLY, bounds_are_public=True)
        parts.append(second_moment(table(seed, 50), recipe))
    assert merge(*parts).rows == 100


@pytest.mark.parametrize(
    "persons",
    [
        {"person": ("sex",)},
        {"person": ("sex",), "missing_person": MissingPerson.OWN},
        {"person": ("sex", "grade"), "most": 1},
    ],
)
def test_sums_add_up_only_without_a_column_of_persons(persons):
    """Parts would count a person who is in two of them as two people: none is made."""
    recipe = replace(RECIPE, categories=(), **persons)
    for part in (second_moment, partial_sum):
        with pytest.raises(ValueError, match="every row as a different person"):
            part(table(rows=50), recipe)


def test_a_sum_of_nothing_is_a_problem_like_any_other():
    none = second_moment(table(rows=0), RECIPE)
    assert (none.rows, none.moment.any()) == (0, False)
    zeros = Moments(np.zeros((2, 2)), np.zeros(2), 5, 0, ("a", "b"))
    for found, n in ((none, 1), (zeros, 5), (second_moment(table(rows=1), RECIPE), 1)):
        problem = found.problem(1)
        assert problem.n == n
        assert np.isfinite(problem.spectrum).all()


# --- Rows of length 1 ---


def test_the_sum_of_rows_of_length_1_has_their_reference(monkeypatch):
    """On narrow and on wide tables. A sum that is released has none: nobody may see it."""
    data = prepare(table(), ONE, "t")
    found = second_moment(table(), ONE, chunk_rows=99, sample=50)
    summed = data_set(found, "t")
    assert found.clipped == 0
    assert summed.disclosures == data.disclosures
    assert np.linalg.norm(summed.rows, axis=1) == pytest.approx(np.ones(50))
    a, b = (each.problem(2).reference_problem.spectrum for each in (summed, data))
    assert same(a, b)
    assert second_moment(table(), ONE).at_most_r is None
    monkeypatch.setattr(mergeable_sums, "_NARROW", 3)
    wide = data_set(second_moment(table(), ONE, chunk_rows=99, sample=20), "t")
    assert same(wide.moment, data.moment)
    assert same(wide.reference, data.reference)
