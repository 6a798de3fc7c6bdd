"""A streamed S equals the S of the whole table, whatever the chunks; and how a stream ends."""

import gc
import gzip
import re
import threading
from dataclasses import replace
from decimal import Decimal
from itertools import product
from math import nan

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpca_core import Budget
from dpca_core.data.errors import EncodingError, RecipeError, TableError
from dpca_core.data.recipe import (
    Category,
    Missing,
    Number,
    Reading,
    Recipe,
    RowLength,
    Scaling,
)
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.preparation import prepare
from dpca_core.readers import parquet_chunks
from dpca_core.readers.table import read_table
from dpca_core.streaming.progress import Cancelled
from dpca_core.streaming.second_moment import centred_moment, second_moment
from tests.cases import sampled
from tests.core.streaming.streamed_tables import RECIPE, ROWS, same, stored, table

WAYS = ("frame", "frames", "csv", "gzip", "plain csv", "semicolon", "parquet", "folder")
CHANGES = [
    {},
    {"missing": Missing.DROP},
    {"scaling": Scaling.NORM_ONLY, "radius": 40.0},
    {"radius": None},
    {"categories": ()},
    {"numbers": ()},
    {"scaling": Scaling.PRIVATE_MEAN},
]


def recipe_of(way):
    """The recipe, with the way in which the file is written."""
    return replace(RECIPE, number_format=TextFileFormat(";", ",")) if way == "semicolon" else RECIPE


def assert_same_sum(found, data, recipe):
    """A streamed sum is that of the table, and says as much of it."""
    assert same(found.moment, data.moment)
    assert same(found.total, data.rows.sum(axis=0))
    assert found.columns == data.columns
    assert (found.rows, found.clipped / found.rows) == (len(data.rows), data.clipped_rows)
    assert found.cut == round(data.clipped_cells * found.rows * len(recipe.numbers))


@pytest.mark.parametrize(
    ("way", "changes"),
    sampled(product(WAYS, CHANGES), 3, "the same sum stored and prepared in another way"),
    ids=str,
)
def test_a_stream_sums_up_what_the_whole_table_does(way, changes, tmp_path):
    rng = np.random.default_rng([WAYS.index(way), len(str(changes))])
    frame, recipe = table(), replace(recipe_of(way), **changes)
    data, source = prepare(frame, recipe, "t"), stored(way, frame, tmp_path, rng)
    found = second_moment(source, recipe, chunk_rows=int(rng.integers(1, 700)))
    assert_same_sum(found, data, recipe)


@pytest.mark.parametrize(
    ("missing", "threads"), sampled(product(Missing, [5, 1, 2]), 3, "the same in other threads")
)
def test_parquet_columns_of_any_kind_in_any_number_of_threads(
    missing, threads, tmp_path, monkeypatch
):
    """Row groups and dictionaries end where they like; columns are still put side by side."""
    monkeypatch.setattr(parquet_chunks, "processors", lambda: threads)
    rng, rows = np.random.default_rng(threads), 700
    values = rng.normal(size=rows)
    frame = pa.table(
        {
            "half": pa.array(values.astype(np.float32)),
            "int": pa.array(rng.integers(-9, 9, rows), mask=rng.random(rows) < 0.2),
            "bool": pa.array(rng.random(rows) < 0.5, mask=rng.random(rows) < 0.1),
            "decimal": pa.array([Decimal(i) / 8 for i in range(rows)], pa.decimal128(10, 3)),
            "holes": pa.array(values[::-1].copy(), mask=values > 1),
            "sex": pa.array(rng.choice(["f", "m", "x"], rows), mask=values < -1),
            "code": pa.array([f"{i % 400}" for i in range(rows)]).dictionary_encode(),
        }
    )
    path = tmp_path / "t.parquet"
    with pq.ParquetWriter(path, frame.schema) as writer:
        for start, stop in ((0, 1), (1, 1), (1, 300), (300, 305), (305, rows)):
            writer.write_table(frame.slice(start, stop - start), row_group_size=97)
    recipe = Recipe(
        tuple(Number(name, -1, 2) for name in frame.column_names[:5]),
        (Category("sex", ("f", "m")), Category("code", ("3", "399"))),
        missing=missing,
        radius=1.5,
    )
    data = prepare(read_table("t.parquet", path.read_bytes()), recipe, "t")
    for chunk_rows in (50, 333, 5000):
        assert_same_sum(second_moment(path, recipe, chunk_rows=chunk_rows), data, recipe)


# --- A private mean ---


@pytest.mark.parametrize("length", RowLength)
def test_a_private_mean_takes_two_passes_and_is_the_one_of_the_whole_table(length, tmp_path):
    recipe = replace(RECIPE, scaling=Scaling.PRIVATE_MEAN, mean_share=0.3, row_length=length)
    data, budget = prepare(table(), recipe, "t"), Budget(1.0, 1e-6)
    source = stored("csv", table(), tmp_path, np.random.default_rng(0))
    found, left = centred_moment(source, recipe, budget, np.random.default_rng(5), chunk_rows=99)
    assert same(found.moment, data.problem(1, budget=budget, seed=5).moment)
    assert left == data.mechanism_budget(budget)


class Changing:
    """Frames that have fewer rows the second time."""

    rows = 30

    def __iter__(self):
        self.rows -= 10
        return iter([table(rows=self.rows)])


def test_a_private_mean_needs_a_source_that_stays():
    def centred(source, recipe, **more):
        return centred_moment(source, recipe, Budget(1, 1e-6), np.random.default_rng(0), **more)

    recipe = replace(RECIPE, scaling=Scaling.PRIVATE_MEAN)
    with pytest.raises(RecipeError, match="read only once"):
        centred(iter([table()]), recipe)
    with pytest.raises(RecipeError, match="second pass"):
        centred(Changing(), recipe, reading=Reading.STRICT)
    assert centred(Changing(), recipe, reading=Reading.TOTAL)[0].rows == 10
    with pytest.raises(RecipeError, match="asks for no private mean"):
        centred(table(), RECIPE)


# --- Progress ---


@pytest.mark.parametrize(
    "way", sampled(["frames", "folder", "gzip", "frame", "csv", "parquet"], 2, "another file")
)
def test_progress_rises_to_the_whole_and_a_cancelled_sum_leaves_nothing_open(way, tmp_path):
    seen, threads = [], threading.active_count()
    source = stored(way, table(), tmp_path, np.random.default_rng(1))
    with pytest.raises(Cancelled, match=r"cancelled after [\d,]+ rows; there is no result\."):
        second_moment(source, RECIPE, chunk_rows=100, on_progress=lambda p: p.rows < 250)
    gc.collect()
    assert threading.active_count() <= threads
    if way == "frames":
        source = iter([table()[:1000], table()[1000:]])
    second_moment(source, RECIPE, chunk_rows=200, on_progress=seen.append)
    rows, done = [p.rows for p in seen], [p.done for p in seen]
    assert rows == sorted(rows)
    assert rows[-1] == ROWS
    assert all(p.rows_per_second > 0 for p in seen)
    assert seen[-1].seconds_left == (None if way == "frames" else 0)
    assert set(done) == {None} if way == "frames" else done == sorted(done)
    assert done[-1] == (None if way == "frames" else 1)


# --- Refusals of strict reading: every one is a sentence ---

PAIR = Recipe((Number("a", 0, 1), Number("b", 0, 1)))


def refused(source, recipe=PAIR, **more):
    with pytest.raises((TableError, EncodingError, RecipeError, ValueError)) as caught:
        second_moment(source, recipe, reading=Reading.STRICT, **more)
    assert re.fullmatch(r"[^\n]{10,300}\.", str(caught.value))
    return str(caught.value)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\n \n", "is empty"),
        (b"a,c\n1,2\n", "no column b"),
        (b"a,b,b\n1,2,3\n", "2 columns b"),
        (b'a,b\n1,2\n"3", 4\n5,6\n7,x\n', "Line 5 of t.csv has “x” in the column b"),
        (b"a,b\n" + b"1,2\n" * 5000 + b"q,2\n", "Line 5002 of t.csv has “q” in the column a"),
        (b"a,b\n1,inf\n", "b holds infinite"),
        (b"a,b\n1,2\n3\n", "Line 3 of t.csv has 1 field; its header has 2"),
        (b'a,b\n1,2\n3,"4\n5,6\n', "Line 3 of t.csv opens a quotation mark"),
        (b'a;b\n1;"1,5"\n', "With “,” between columns, the header of t.csv is a single name"),
        (b"a,b\n\xff,2\n", "not UTF-8"),
        (gzip.compress(b"a,b\n1,2\n" * 999, mtime=0)[:-30], "damaged gzip"),
        (b"x" * 2**21, "more than 128 kB"),
    ],
)
def test_what_is_wrong_with_a_csv_is_one_sentence_in_any_chunks(content, words, tmp_path):
    (tmp_path / "t.csv").write_bytes(content)
    for chunk_rows in (1, 3, 99_999):
        assert words in refused(tmp_path / "t.csv", chunk_rows=chunk_rows)


def test_a_parquet_file_that_is_damaged_or_has_no_numbers_is_named(tmp_path):
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"a": [0.5] * 9, "b": [0.5] * 9}), path)
    content = path.read_bytes()
    for part in (0.02, 0.5, 0.97):
        path.write_bytes(content[: int(part * len(content))])
        assert "t.parquet is a damaged Parquet file" in refused(path)
    path.write_bytes(content[:4] + b"\xff" * 60 + content[64:])
    assert "may be damaged" in refused(path)
    pq.write_table(pa.table({"a": [1.0, 2.0], "b": pa.nulls(2)}), path)
    assert "b does not hold numbers" in refused(path)


def test_files_of_a_folder_must_be_there_and_have_the_same_columns(tmp_path):
    twice = pd.DataFrame([[0.1, 0.2, 0.3]], columns=["a", "a", "b"])
    assert "2 columns a" in refused(twice)
    assert "no CSV or Parquet file" in refused(tmp_path)
    assert "There is no file t.csv" in refused(tmp_path / "t.csv")
    assert "at least one row" in refused(table(), RECIPE, chunk_rows=0)
    pd.DataFrame({"a": [0.1], "b": [0.2]}).to_parquet(tmp_path / "1.parquet")
    pd.DataFrame({"a": [0.1], "c": [0.2]}).to_parquet(tmp_path / "2.parquet")
    assert refused(tmp_path) == "2.parquet: The table has no column b."
    (tmp_path / "3.csv").write_text("a,b\n1,2\n")
    assert "both CSV and Parquet" in refused(tmp_path)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"scaling": Scaling.AS_IN_PAPERS}, "only at the end of a stream"),
        ({"numbers": (Number("age", nan, 1), Number("height", 1, 2))}, "public range"),
        ({"scaling": Scaling.NORM_ONLY, "radius": None}, "public norm bound"),
    ],
)
def test_what_a_stream_cannot_follow_is_one_sentence(changes, words):
    assert words in refused(table(), replace(RECIPE, **changes))
