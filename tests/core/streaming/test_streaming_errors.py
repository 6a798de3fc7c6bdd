"""Every sentence that a stream of CSV or Parquet files can end with."""

import gzip
import re
from dataclasses import replace
from decimal import Decimal
from math import inf, nan

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpca_core.data.errors import EncodingError, RecipeError, TableError
from dpca_core.data.recipe import Category, Combine, Missing, Number, Reading, Recipe, Scaling
from dpca_core.preparation import prepare
from dpca_core.readers import parquet_chunks
from dpca_core.readers.table import read_table
from dpca_core.streaming.second_moment import second_moment
from tests.core.streaming.streamed_tables import RECIPE, same, stored, table

# --- Refusals ---


def refused(source, recipe=RECIPE, **more):
    with pytest.raises((TableError, EncodingError, RecipeError, ValueError)) as caught:
        second_moment(source, recipe, reading=Reading.STRICT, **more)
    assert re.fullmatch(r"[^\n]{10,300}\.", str(caught.value))
    return str(caught.value)


PAIR = Recipe((Number("a", 0, 1), Number("b", 0, 1)))


def test_a_frame_with_a_column_twice_is_refused_like_a_file():
    twice = pd.DataFrame([[0.1, 0.2, 0.3]], columns=["a", "a", "b"])
    assert refused(twice, PAIR) == "The table has 2 columns a."
    two_levels = pd.DataFrame([[0.1, 0.2]], columns=pd.MultiIndex.from_tuples([("a", 1), ("b", 1)]))
    assert refused(two_levels, PAIR) == "The table has no column a."


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"\n \n", "is empty"),
        (b"a,c\n1,2\n", "no column b"),
        (b"a,b,b\n1,2,3\n", "2 columns b"),
        (b"a,b\n1,2\n3,x\n", "Line 3 of t.csv has “x” in the column b, which is not a number"),
        (b"a,b\n" + b"1,2\n" * 5000 + b"q,2\n", "Line 5002 of t.csv has “q” in the column a"),
        (b"a,b\n1,inf\n", "b holds infinite"),
        (b"a,b\n1,2\n3\n", "Line 3 of t.csv has 1 field; its header has 2"),
        (b"a,b\n1,2\n3,4,5\n", "Line 3 of t.csv has 3 fields"),
        (b'a,b\n1,2\n3,"4\n5,6\n', "Line 3 of t.csv opens a quotation mark and does not close it"),
        (b'a,b\n1,"2\n', "Line 2 of t.csv opens a quotation mark"),
        (
            b'a;b\n1;"1,5"\n' + b'2;"1,234.5"\n',
            "With “,” between columns, the header of t.csv is a single name",
        ),
        (b'a,b\n1,"1,5"\n', "Line 2 of t.csv has “1,5” in the column b"),
        (b"a,b\n\xff,2\n", "not UTF-8"),
        ("a,b,ä\n1,2,3\n".encode("latin-1"), "not UTF-8"),
        ("a,b\n1,2\n".encode("utf-16"), "save it as “CSV UTF-8”"),
        (b"a,b\n1,\x002\n", "save it as “CSV UTF-8”"),
        (gzip.compress(b"a,b\n1,2\n" * 999, mtime=0)[:-30], "damaged gzip"),
        (b"x" * 2**21, "more than 128 kB"),
        (b"x," * 2**20, "no column a"),
    ],
)
def test_what_is_wrong_with_a_csv_is_one_sentence(content, words, tmp_path):
    (tmp_path / "t.csv").write_bytes(content)
    message = refused(tmp_path / "t.csv", PAIR, chunk_rows=3)
    assert re.search(words, message), message


def test_a_row_counts_the_same_in_any_chunks(tmp_path):
    (tmp_path / "t.csv").write_bytes(b'a,b\n1,2\n"3", 4\n5,6\n7,x\n')
    messages = {refused(tmp_path / "t.csv", PAIR, chunk_rows=c) for c in (1, 2, 3, 99)}
    assert messages == {"Line 5 of t.csv has “x” in the column b, which is not a number."}


@pytest.mark.parametrize("part", [0.02, 0.5, 0.97])
def test_a_parquet_file_cut_short_is_named(part, tmp_path):
    table().to_parquet(tmp_path / "t.parquet")
    content = (tmp_path / "t.parquet").read_bytes()
    (tmp_path / "t.parquet").write_bytes(content[: int(part * len(content))])
    assert "t.parquet is a damaged Parquet file" in refused(tmp_path / "t.parquet")


def test_a_parquet_file_damaged_inside_is_named(tmp_path):
    pq.write_table(pa.table({"a": [0.5] * 9, "b": [0.5] * 9}), tmp_path / "t.parquet")
    content = (tmp_path / "t.parquet").read_bytes()
    (tmp_path / "t.parquet").write_bytes(content[:4] + b"\xff" * 60 + content[64:])
    assert "may be damaged" in refused(tmp_path / "t.parquet", PAIR)


@pytest.mark.parametrize(
    "column", [["x", "y"], [[1.0], [2.0]], pa.array([1, 2], pa.timestamp("s")), pa.nulls(2)]
)
def test_a_parquet_column_without_numbers_is_named(column, tmp_path):
    pq.write_table(pa.table({"a": [1.0, 2.0], "b": column}), tmp_path / "t.parquet")
    assert refused(tmp_path / "t.parquet", PAIR) == "t.parquet: The column b does not hold numbers."


def test_booleans_are_numbers_and_categories_with_missing_values_too(tmp_path):
    frame = pd.DataFrame({"a": [True, False, None, True], "b": [0.1, 0.2, 0.3, 0.4]})
    frame["c"] = frame["a"] = frame["a"].astype("boolean")
    frame.to_parquet(tmp_path / "t.parquet")
    recipe = Recipe(PAIR.numbers, (Category("c", ("0", "1")),))
    data = prepare(read_table("t.parquet", (tmp_path / "t.parquet").read_bytes()), recipe, "t")
    assert data.rows[:, 3].astype(bool).tolist() == [True, False, False, True]
    for chunk_rows in (1, 4):
        found = second_moment(tmp_path / "t.parquet", recipe, chunk_rows=chunk_rows)
        assert same(found.moment, data.moment)


@pytest.mark.parametrize("missing", Missing)
@pytest.mark.parametrize("threads", [1, 2, 5])
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
            "whole": pa.array(values),
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
        (*(Number(name, -1, 2) for name in frame.column_names[:5]), Number("holes", -2, 2)),
        (Category("sex", ("f", "m")), Category("code", ("3", "399"))),
        missing=missing,
        radius=1.5,
    )
    data = prepare(read_table("t.parquet", path.read_bytes()), recipe, "t")
    for chunk_rows in (50, 333, 5000):
        found = second_moment(path, recipe, chunk_rows=chunk_rows)
        assert same(found.moment, data.moment)
        assert same(found.total, data.rows.sum(axis=0))
        assert (found.rows, found.clipped / found.rows) == (len(data.rows), data.clipped_rows)
        assert found.cut == round(data.clipped_cells * found.rows * len(recipe.numbers))


@pytest.mark.parametrize("missing", Missing)
@pytest.mark.parametrize("way", ["frame", "parquet", "plain csv"])
def test_an_infinite_value_is_named_beside_missing_ones(missing, way, tmp_path):
    frame = pd.DataFrame({"a": [0.5] * 999, "b": [0.1] * 999})
    frame.loc[700] = [nan, -inf]
    source = stored(way, frame.assign(unused=1), tmp_path, np.random.default_rng(0))
    assert refused(source, replace(PAIR, missing=missing), chunk_rows=50) == (
        "The column b holds infinite values: repair them or leave it out."
    )


def test_files_of_a_folder_must_have_the_same_columns(tmp_path):
    pd.DataFrame({"a": [0.1], "b": [0.2]}).to_parquet(tmp_path / "1.parquet")
    pd.DataFrame({"a": [0.1], "c": [0.2]}).to_parquet(tmp_path / "2.parquet")
    assert refused(tmp_path, PAIR) == "2.parquet: The table has no column b."
    pd.DataFrame({"a": [0.1], "b": ["x"]}).to_parquet(tmp_path / "2.parquet")
    assert refused(tmp_path, PAIR) == "2.parquet: The column b does not hold numbers."
    (tmp_path / "3.csv").write_text("a,b\n1,2\n")
    assert "both CSV and Parquet" in refused(tmp_path, PAIR)


def test_there_must_be_something(tmp_path):
    assert "no CSV or Parquet file" in refused(tmp_path)
    assert "There is no file t.csv" in refused(tmp_path / "t.csv")
    assert "at least one row" in refused(table(), chunk_rows=0)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"scaling": Scaling.AS_IN_PAPERS}, "only at the end of a stream"),
        ({"person": ("age",)}, "every row as a different person"),
        ({"person": ("age",), "combine": Combine.AT_MOST}, "every row as a different person"),
        ({"numbers": (Number("age", nan, 1), Number("height", 1, 2))}, "public range"),
        ({"scaling": Scaling.NORM_ONLY, "radius": None}, "public norm bound"),
    ],
)
def test_what_a_stream_cannot_follow_is_one_sentence(changes, words):
    assert words in refused(table(), replace(RECIPE, **changes))
