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
from dpca_core.data.recipe import (
    Category,
    CategoryCoding,
    Combine,
    Missing,
    Number,
    Recipe,
    RowLength,
    Scale,
    Scaling,
)
from dpca_core.tables import records
from dpca_core.tables import second_moment as module
from dpca_core.tables.moments import Moments, RowSample, merge
from dpca_core.tables.prepare import data_set, prepare
from dpca_core.tables.second_moment import Cancelled, second_moment
from tests.core.tables.text_tables import text_table, written

ROWS = 3000
RECIPE = Recipe(
    (Number("age", 20, 80), Number("height", 1, 2), Number("score", -1, 1)),
    (Category("sex", ("f", "m")), Category("grade", ("1", "2", "2.5"))),
    radius=1.1,
    bounds_are_public=True,
    row_length=RowLength.AT_MOST_R,
    category_coding=CategoryCoding.INDICATORS,
    scales=(Scale("mood", ("low", "middle", "high")),),
)
ONE = replace(RECIPE, row_length=RowLength.ONE, category_coding=CategoryCoding.CENTRED)


def made_up(seed=0, rows=ROWS):
    """Records of numbers beyond their ranges, missing values, labels with spaces; and a person."""
    rng = np.random.default_rng(seed)

    def holes(values):
        return np.where(rng.random(rows) < 0.1, "", values)

    columns = {
        "unused": rng.choice(["x,y", 'say "z"', ' "', "a\nb"], rows),
        "age": holes(rng.integers(0, 100, rows)),
        "sex": holes(rng.choice(["f", " m", "x"], rows)),
        "height": holes(rng.normal(1.6, 0.4, rows)),
        "grade": holes(rng.choice(["1", "2", "2.5", "3"], rows)),
        "score": rng.standard_cauchy(rows),
        "mood": holes(rng.choice(["low", "middle", "high", "?"], rows)),
        "who": rng.integers(0, rows // 2 + 1, rows),
    }
    return [list(columns), *zip(*(column.tolist() for column in columns.values()), strict=True)]


TABLE = made_up()


def table(recipe=RECIPE, lines=TABLE):
    return text_table(written(lines), recipe)


def same(found, moment):
    return np.abs(found - moment).max() <= 1e-10 * np.abs(moment).max()


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
    whole = prepare(table(recipe), recipe, "x")
    found = second_moment(table(recipe), recipe, sample=size)
    assert same(found.problem(2).moment, whole.moment)
    assert same(found.total, whole.rows.sum(axis=0))
    assert (found.rows, found.people) == (len(whole.rows), whole.people)
    every = {row.tobytes() for row in whole.rows}
    assert found.sample.rows.shape == (min(size, len(whole.rows)), whole.d)
    assert all(row.tobytes() in every for row in found.sample.rows)
    if recipe.scaling is Scaling.PRIVATE_MEAN:
        with pytest.raises(RecipeError, match="private mean"):
            data_set(found, "x")
        return
    summed = data_set(found, "x")
    assert same(*(one.problem(1).reference_problem.moment for one in (summed, whole)))
    said = ("people", "columns", "private", "disclosures", "clipped_cells", "clipped_rows")
    assert [getattr(summed, f) for f in said] == [getattr(whole, f) for f in said]
    assert summed.identity == summed.key != data_set(found, "x").identity


def test_a_sum_that_is_released_has_no_reference_and_no_sample():
    found = second_moment(table(ONE), ONE)
    assert found.at_most_r is found.sample is None
    with pytest.raises(ValueError, match="sample"):
        data_set(found, "x")


@pytest.mark.parametrize("length", RowLength)
def test_a_private_mean_takes_two_passes_and_is_the_one_of_the_whole_table(length):
    recipe = replace(RECIPE, scaling=Scaling.PRIVATE_MEAN, mean_share=0.3, row_length=length)
    data, budget = prepare(table(recipe), recipe, "t"), Budget(1.0, 1e-6)
    first, rng = second_moment(table(recipe), recipe), np.random.default_rng(5)
    mean = private_mean_of_sum(first.total, first.rows, budget.split(0.3)[0], rng)
    found = second_moment(table(recipe), recipe, mean=mean)
    assert same(found.moment, data.problem(1, budget=budget, seed=5).moment)


def test_progress_rises_to_the_whole_and_a_cancelled_sum_leaves_nothing_open():
    seen, threads = [], threading.active_count()
    with pytest.raises(Cancelled, match=r"cancelled after [\d,]+ rows; there is no result\."):
        second_moment(table(), RECIPE, on_progress=lambda p: p.rows < 250)
    gc.collect()
    assert threading.active_count() <= threads
    second_moment(table(), RECIPE, on_progress=seen.append)
    rows = [p.rows for p in seen]
    assert rows == sorted(rows)
    assert rows[-1] == ROWS
    assert all(p.rows_per_second > 0 for p in seen)


@pytest.mark.parametrize("packed", [False, True])
def test_a_file_that_becomes_shorter_is_no_sum_of_fewer_rows(tmp_path, packed):
    content = written(TABLE) * 20
    path = tmp_path / ("t.csv.gz" if packed else "t.csv")
    path.write_bytes(gzip.compress(content, 0) if packed else content)

    def cut(progress):
        os.truncate(path, path.stat().st_size // 2)

    with pytest.raises(TableError, match=r"became shorter|is a damaged gzip"):
        second_moment(path, RECIPE, on_progress=cut)


@pytest.mark.parametrize("ends", ["csv", "parquet"])
def test_nothing_stays_open(tmp_path, ends):
    """No file of this folder, and no thread that was begun for it."""
    path = tmp_path / f"t.{ends}"
    frame = pd.DataFrame(TABLE[1:], columns=TABLE[0])
    (frame.to_csv if ends == "csv" else frame.astype(str).to_parquet)(path)
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


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"scaling": Scaling.AS_IN_PAPERS}, "only at the end of a stream"),
        ({"categories": (Category("sex", tuple(map(str, range(10_000)))),)}, "limit is 10,000"),
    ],
)
def test_what_a_sum_cannot_follow_is_one_sentence(changes, words):
    with pytest.raises(RecipeError, match=words):
        second_moment(table(), replace(RECIPE, **changes))


# --- Parts of a sum ---


@pytest.mark.parametrize("recipe", [RECIPE, ONE], ids=["at most R", "of length 1"])
def test_parts_add_up_to_the_sum_of_the_rows(recipe):
    whole = second_moment(table(recipe), recipe, sample=50)
    head, *rest = TABLE
    parts = [
        second_moment(table(recipe, [head, *rest[a : a + 700]]), recipe, sample=9)
        for a in range(0, ROWS, 700)
    ]
    found = reduce(merge, parts)
    assert same(found.moment, whole.moment)
    assert same(found.total, whole.total)
    facts = ("rows", "people", "read", "clipped", "cut", "columns", "recipe")
    assert [getattr(found, f) for f in facts] == [getattr(whole, f) for f in facts]
    sums = (data_set(one, "t").problem(1) for one in (found, whole))
    assert same(*(one.reference_problem.moment for one in sums))


def test_parts_add_up_only_where_they_were_made_alike_and_share_nobody():
    lines = TABLE[:50]
    part = second_moment(table(RECIPE, lines), RECIPE)
    for other, mean in ((replace(RECIPE, radius=1.0), None), (RECIPE, np.full(9, 0.1))):
        with pytest.raises(ValueError, match="prepared differently"):
            merge(part, second_moment(table(other, lines), other, mean=mean))
    without = replace(RECIPE, categories=())
    with pytest.raises(ValueError, match="different columns"):
        merge(part, second_moment(table(without, lines), without))
    persons = replace(RECIPE, person=("who",))
    part = second_moment(table(persons, lines), persons)
    with pytest.raises(ValueError, match="may lie in both parts"):
        merge(part, part)
    free = (Number("age", nan, nan), Number("height", nan, nan))
    recipe = Recipe(free, radius=90.0, scaling=Scaling.NORM_ONLY, bounds_are_public=True)
    parts = [second_moment(table(recipe, made_up(seed, 50)), recipe) for seed in (0, 1)]
    assert merge(*parts).rows == 100, "a range that was not asked for is NaN, which equals nothing"


def test_a_sum_of_nothing_is_a_problem_like_any_other():
    none = second_moment(table(RECIPE, TABLE[:1]), RECIPE)
    assert (none.rows, none.moment.any()) == (0, False)
    zeros = Moments(np.zeros((2, 2)), np.zeros(2), 5, 0, ("a", "b"))
    for found, n in ((none, 1), (zeros, 5), (second_moment(table(RECIPE, TABLE[:2]), RECIPE), 1)):
        problem = found.problem(1)
        assert problem.n == n
        assert np.isfinite(problem.spectrum).all()


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
