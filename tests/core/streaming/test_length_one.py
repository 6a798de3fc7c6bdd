"""Sums of rows of length 1 are those of the rows: streams, parts, Dask partitions, wide tables."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from dpca_core.data.recipe import CategoryCoding, Number, Recipe, RowLength, Scaling
from dpca_core.preparation import prepare
from dpca_core.privacy.budget import Budget
from dpca_core.streaming import mergeable_sums
from dpca_core.streaming.dask_moment import dask_moment, partial_sum
from dpca_core.streaming.mergeable_sums import merge
from dpca_core.streaming.second_moment import centred_moment, second_moment
from dpca_core.streaming.summed_dataset import data_set
from tests.core.streaming.streamed_tables import RECIPE, same, table

ONE = replace(RECIPE, row_length=RowLength.ONE, category_coding=CategoryCoding.CENTRED)


def test_a_stream_and_its_reference():
    whole = prepare(table(), ONE, "t")
    for size in (7, 500, 10_000):
        found = second_moment(table(), ONE, chunk_rows=size, sample=50)
        assert same(found.moment, whole.moment)
        assert found.clipped == 0
        summed = data_set(found, "t")
        assert same(summed.reference, whole.reference)
        assert summed.disclosures == whole.disclosures
        assert np.linalg.norm(summed.rows, axis=1) == pytest.approx(np.ones(50))
        a, b = (data.problem(2) for data in (summed, whole))
        assert same(a.reference_problem.spectrum, b.reference_problem.spectrum)


def test_a_sum_that_is_released_has_no_reference():
    """It would be a second sum of private rows, for nobody's eyes."""
    assert second_moment(table(), ONE).at_most_r is None


def test_wide_tables_are_summed_in_the_same_way(monkeypatch):
    whole = prepare(table(), ONE, "t")
    monkeypatch.setattr(mergeable_sums, "_NARROW", 3)
    found = data_set(second_moment(table(), ONE, chunk_rows=99, sample=20), "t")
    assert same(found.moment, whole.moment)
    assert same(found.reference, whole.reference)


def test_parts_of_a_dask_collection_add_up():
    whole = prepare(table(), ONE, "t")
    parts = [partial_sum(table().iloc[a : a + 1000], ONE, sample=9) for a in (0, 1000, 2000)]
    merged = merge(merge(parts[0], parts[1]), parts[2])
    assert same(merged.moment, whole.moment)
    assert same(data_set(merged, "t").reference, whole.reference)


def test_dask_sums_rows_of_length_1():
    import dask.dataframe as dd
    from distributed import Client

    whole = prepare(table(), ONE, "t")
    with Client(processes=False, dashboard_address=None) as client:
        found = dask_moment(dd.from_pandas(table(), npartitions=3), ONE, client, sample=20)
    assert same(found.moment, whole.moment)
    assert same(data_set(found, "t").reference, whole.reference)


def test_length_comes_after_a_private_mean():
    recipe = replace(ONE, scaling=Scaling.PRIVATE_MEAN, mean_share=0.3)
    data, budget = prepare(table(), recipe, "t"), Budget(1.0, 1e-6)
    found, left = centred_moment(table(), recipe, budget, np.random.default_rng(5), chunk_rows=99)
    assert same(found.moment, data.problem(1, budget=budget, seed=5).moment)
    assert np.trace(found.moment) == pytest.approx(len(data.rows))
    assert left == data.mechanism_budget(budget)


def test_raw_rows_need_no_radius():
    recipe = Recipe(
        tuple(Number(name, np.nan, np.nan) for name in "ab"),
        scaling=Scaling.NORM_ONLY,
        row_length=RowLength.ONE,
        bounds_are_public=True,
    )
    rows = pd.DataFrame({"a": [1e300, 0, 5e-324, np.nan, 3], "b": [1e300, 0, 0, -7, np.inf]})
    found = data_set(second_moment(rows, recipe, sample=5), "t")
    expected = np.array([[1, 1], [0, 0], [0, 0], [0, -np.sqrt(2)], [np.sqrt(2), 0]]) / np.sqrt(2)
    assert same(found.moment, expected.T @ expected)
    assert found.at_most_r is None
