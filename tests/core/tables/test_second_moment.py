"""A sum equals that of all rows kept; its parts add up; how it is stopped, and what it says."""

import gc
import gzip
import os
import threading
from dataclasses import replace
from functools import reduce
from math import nan
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2

from dpca_core import Budget
from dpca_core.data.errors import RecipeError, TableError
from dpca_core.data.private_mean import private_mean_of_sum
from dpca_core.data.recipe import CategoryCoding, Combine, Missing, Number, RowLength, Scaling
from dpca_core.tables import records
from dpca_core.tables import second_moment as module
from dpca_core.tables.moments import RowSample, merge
from dpca_core.tables.prepare import data_set, prepare
from dpca_core.tables.second_moment import Cancelled, second_moment
from tests.core.tables.text_tables import MADE_UP, made_up, text_table, written_rows

ROWS = 3000
RECIPE = replace(
    MADE_UP,
    radius=1.1,
    row_length=RowLength.AT_MOST_R,
    category_coding=CategoryCoding.INDICATORS,
)
LINES = made_up(0, ROWS)
CONTENT = written_rows(LINES)


def summed(recipe=RECIPE, content=CONTENT, **more):
    return second_moment(text_table(content, recipe), recipe, **more)


def kept(recipe):
    return prepare(text_table(CONTENT, recipe), recipe, "x")


def same(found, moment):
    return np.abs(found - moment).max() <= 1e-10 * np.abs(moment).max()


def facts(found, *names):
    return [getattr(found, name) for name in names]


@pytest.fixture(autouse=True)
def many_batches(monkeypatch):
    monkeypatch.setattr(records, "RUN", 2**15)


CHANGES = [
    {"person": ("who",)},
    {"person": ("who",), "combine": Combine.AT_MOST, "most": 2},
    {"row_length": RowLength.ONE},
    *({}, {"missing": Missing.DROP}, {"scaling": Scaling.NORM_ONLY, "radius": 40.0}),
    *({"radius": None}, {"categories": ()}, {"numbers": ()}, {"scaling": Scaling.PRIVATE_MEAN}),
    {"scaling": Scaling.PRIVATE_MEAN, "row_length": RowLength.ONE, "person": ("who",)},
]


@pytest.mark.parametrize("changes", CHANGES, ids=str)
@pytest.mark.parametrize(("narrow", "size"), [(512, 10), (3, 2000)])
def test_a_sum_is_that_of_all_rows_kept_and_the_same_data_set(changes, narrow, size, monkeypatch):
    """Where threads add up, and where S is too large for that; and it says as much of the rows."""
    monkeypatch.setattr(module, "_NARROW", narrow)
    recipe = replace(RECIPE, **changes)
    whole, found = kept(recipe), summed(recipe, sample=size)
    assert same(found.problem(2).moment, whole.moment)
    assert same(found.total, whole.rows.sum(axis=0))
    assert (found.rows, found.people) == (len(whole.rows), whole.people)
    every = {row.tobytes() for row in whole.rows}
    assert found.sample.rows.shape == (min(size, len(whole.rows)), whole.d)
    assert all(row.tobytes() in every for row in found.sample.rows)
    if recipe.scaling is not Scaling.PRIVATE_MEAN:
        data = data_set(found, "x")
        assert same(*(one.problem(1).reference_problem.moment for one in (data, whole)))
        said = ("people", "columns", "private", "disclosures", "clipped_cells", "clipped_rows")
        assert facts(data, *said) == facts(whole, *said)
        assert data.identity == data.key != data_set(found, "x").identity
        return
    with pytest.raises(RecipeError, match="private mean"):
        data_set(found, "x")
    budget, rng = Budget(1.0, 1e-6), np.random.default_rng(5)
    mean = private_mean_of_sum(found.total, found.rows, budget.split(0.1)[0], rng)
    about_mean = whole.problem(1, budget=budget, seed=5)
    assert same(summed(recipe, mean=mean).moment, about_mean.moment)


def test_progress_rises_to_the_whole_and_a_cancelled_sum_is_none():
    seen = []
    with pytest.raises(Cancelled, match=r"cancelled after [\d,]+ rows; there is no result\."):
        summed(on_progress=lambda p: p.rows < 250)
    summed(on_progress=seen.append)
    rows = [p.rows for p in seen]
    assert (rows, rows[-1]) == (sorted(rows), ROWS)
    assert all(p.rows_per_second > 0 for p in seen)


@pytest.mark.parametrize("packed", [False, True])
def test_a_file_that_becomes_shorter_is_no_sum_of_fewer_rows(tmp_path, packed):
    path = tmp_path / ("t.csv.gz" if packed else "t.csv")
    path.write_bytes(gzip.compress(CONTENT * 20, 0) if packed else CONTENT * 20)

    def cut(progress):
        os.truncate(path, path.stat().st_size // 2)

    with pytest.raises(TableError, match=r"became shorter|is a damaged gzip"):
        second_moment(path, RECIPE, on_progress=cut)


@pytest.mark.parametrize("ends", ["csv", "parquet"])
def test_nothing_stays_open(tmp_path, ends):
    """No file of this folder, and no thread that was begun for it."""
    path, frame = tmp_path / f"t.{ends}", pd.DataFrame(LINES).astype(str)
    (frame.to_csv if ends == "csv" else frame.to_parquet)(path)
    before = {*threading.enumerate()}
    second_moment(path, RECIPE)
    with pytest.raises(ZeroDivisionError):
        second_moment(path, RECIPE, on_progress=lambda p: 1 / 0)
    gc.collect()
    opened = [os.path.realpath(link) for link in Path("/proc/self/fd").iterdir()]
    assert not [name for name in opened if name.startswith(str(tmp_path))]
    for thread in {*threading.enumerate()} - before:
        thread.join(60)
        assert not thread.is_alive()


# --- Parts of a sum ---


@pytest.mark.parametrize("length", RowLength)
def test_parts_add_up_to_the_sum_of_the_rows(length):
    recipe = replace(RECIPE, row_length=length)
    whole = summed(recipe, sample=50)
    parts = (written_rows(LINES[start : start + 700]) for start in range(0, ROWS, 700))
    found = reduce(merge, [summed(recipe, part, sample=9) for part in parts])
    assert same(found.moment, whole.moment)
    assert same(found.total, whole.total)
    said = ("rows", "people", "read", "clipped", "cut", "columns", "recipe")
    assert facts(found, *said) == facts(whole, *said)
    sums = (data_set(one, "t").problem(1) for one in (found, whole))
    assert same(*(one.reference_problem.moment for one in sums))


def test_parts_add_up_only_where_they_were_made_alike_and_share_nobody():
    persons, part = summed(replace(RECIPE, person=("who",))), summed()
    for one, other, says in (
        (part, summed(replace(RECIPE, radius=1.0)), "prepared differently"),
        (part, summed(mean=np.full(RECIPE.width, 0.1)), "prepared differently"),
        (part, summed(replace(RECIPE, categories=())), "different columns"),
        (persons, persons, "may lie in both parts"),
    ):
        with pytest.raises(ValueError, match=says):
            merge(one, other)
    free = (Number("age", nan, nan), Number("wide", nan, nan))
    recipe = replace(RECIPE, numbers=free, radius=90.0, scaling=Scaling.NORM_ONLY)
    found = merge(summed(recipe), summed(recipe))
    assert found.rows == 2 * ROWS, "a range that was not asked for is NaN, which equals nothing"


@pytest.mark.chance(1e-7)
@pytest.mark.parametrize("step", [7, 40])
def test_every_row_is_as_likely_to_be_kept(step: int) -> None:
    """χ² of how often each of 40 rows is among 8, in 4,000 samples: its 10⁻⁷ limits."""
    rng, rows, counts = np.random.default_rng(5), np.arange(40.0)[:, None], np.zeros(40)
    for _ in range(4000):
        parts = [RowSample.of(8, rows[start : start + step], rng) for start in range(0, 40, step)]
        found = reduce(RowSample.merged, parts)
        assert len(found.rows) == 8
        counts[found.rows[:, 0].astype(int)] += 1
    # Without replacement the counts vary by 1 − 8/40 less than a multinomial's would.
    statistic = np.sum((counts - 800) ** 2 / 800) / (1 - 8 / 40) * 39 / 40
    assert chi2.ppf(5e-8, 39) < statistic < chi2.isf(5e-8, 39)
