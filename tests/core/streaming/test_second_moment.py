"""A streamed S equals the S of the whole table, whatever the chunks; and every refusal."""

import gc
import gzip
import re
import threading
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal
from functools import partial, reduce
from math import inf, nan

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpca_core import Budget
from dpca_core.data.clipping import to_ball
from dpca_core.data.column_names import TableError
from dpca_core.data.labels import CodingError
from dpca_core.data.recipe import (
    Category,
    Combine,
    Missing,
    Number,
    NumberFormat,
    Reading,
    Recipe,
    RecipeError,
    Scaling,
)
from dpca_core.preparation import prepare
from dpca_core.readers import parquet_chunks
from dpca_core.readers.files import Upload
from dpca_core.readers.table import read_table
from dpca_core.streaming.moments import MOST_COLUMNS, ClippedSum, Moments, clipped_moment, merge
from dpca_core.streaming.second_moment import Cancelled, centred_moment, second_moment

ROWS = 3000
RECIPE = Recipe(
    (Number("age", 20, 80), Number("height", 1, 2), Number("score", -1, 1)),
    (Category("sex", ("f", "m")), Category("grade", ("1", "2", "2.5"))),
    radius=1.1,
    bounds_are_public=True,
)


def table(seed=0, rows=ROWS):
    """Numbers beyond their ranges, missing values, labels with spaces, numbers as categories."""
    rng = np.random.default_rng(seed)

    def holes(values):
        return np.where(rng.random(rows) < 0.1, None, values)

    return pd.DataFrame(
        {
            "unused": rng.choice(["x,y", 'say "z"', ' "'], rows),
            "age": holes(rng.integers(0, 100, rows)).astype(float),
            "sex": holes(rng.choice(["f", " m", "x"], rows)),
            "height": holes(rng.normal(1.6, 0.4, rows)).astype(float),
            "grade": holes(rng.choice([1.0, 2.0, 2.5, 3.0], rows)).astype(float),
            "score": rng.standard_cauchy(rows),
        }
    )


WAYS = ("frame", "frames", "csv", "gzip", "plain csv", "semicolon", "parquet", "folder")


def stored(way, frame, path, rng):
    """Return a source of these rows."""
    cuts = np.sort(rng.integers(0, len(frame), 3))
    pieces = [frame.iloc[a:b] for a, b in zip([0, *cuts], [*cuts, len(frame)], strict=True)]
    if way == "frame":
        return frame
    if way == "frames":
        return iter(pieces)
    if way == "folder":
        for i, piece in enumerate(pieces):
            place = path / "people" / f"year={i}"
            place.mkdir(parents=True)
            piece[rng.permutation(piece.columns)].to_parquet(place / "part.parquet", index=False)
        (path / "people" / "_SUCCESS").touch()
        return path / "people"
    if way == "parquet":
        frame.to_parquet(path / "t.parquet", index=False, row_group_size=int(rng.integers(1, 999)))
        return path / "t.parquet"
    if way == "semicolon":
        frame = frame.assign(grade=frame["grade"].map("{:g}".format, na_action="ignore"))
        frame.to_csv(path / "t.csv", index=False, sep=";", decimal=",", float_format="%.17g")
        return path / "t.csv"
    if way == "plain csv":
        frame = frame.drop(columns="unused")
    text = frame.to_csv(index=False, float_format="%.17g")
    (path / "t.csv").write_bytes(gzip.compress(text.encode()) if way == "gzip" else text.encode())
    return path / "t.csv"


def recipe_of(way):
    """The recipe, with the way in which the file is written."""
    return replace(RECIPE, number_format=NumberFormat(";", ",")) if way == "semicolon" else RECIPE


def same(found, moment):
    return np.abs(found - moment).max() <= 1e-10 * np.abs(moment).max()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"missing": Missing.DROP},
        {"scaling": Scaling.NORM_ONLY, "radius": 40.0},
        {"radius": None},
        {"categories": ()},
        {"numbers": ()},
        {"scaling": Scaling.PRIVATE_MEAN},
    ],
    ids=str,
)
def test_a_stream_sums_up_what_the_whole_table_does(way, changes, tmp_path):
    rng = np.random.default_rng([WAYS.index(way), len(str(changes))])
    frame, recipe = table(), replace(recipe_of(way), **changes)
    data = prepare(frame, recipe, "t")
    source = stored(way, frame, tmp_path, rng)
    found = second_moment(source, recipe, chunk_rows=int(rng.integers(1, 700)))
    assert same(found.moment, data.moment)
    assert same(found.total, data.rows.sum(axis=0))
    assert found.columns == data.columns
    assert (found.rows, found.clipped / found.rows) == (len(data.rows), data.clipped_rows)
    assert found.cut == round(data.clipped_cells * found.rows * len(recipe.numbers))
    assert same(found.problem(2).spectrum, data.problem(2).spectrum)


SMALL = Recipe((Number("a", -2, 3),), (Category("c", ("1", "x", "01", "2.5")),), radius=1.3)
CELLS = {
    "a": [
        "1",
        "2.5",
        "-1e1",
        "",
        "NA",
        " NA ",
        " 2 ",
        '"3"',
        '"1,5"',
        '"1,234"',
        "1,5",
        "two",
        "-",
    ],
    "c": ["1", "x", "y", "", "?", " x ", '"x"', '"a\nb"', "01", "1.0", '"y,z"', ' "x"', '5" y'],
}


def answer(function):
    """What a function returns, or None where it refuses."""
    with suppress(TableError, CodingError, RecipeError):
        return function()


def whole_moment(content, recipe):
    return prepare(Upload("t.csv", content), recipe, "t").moment


def test_any_csv_is_summed_up_as_it_is_read_whole_or_refused(tmp_path):
    """Random files of difficult cells in chunks of 1, 2 and 4 rows: never another S."""
    rng, agreed, rounds, path = np.random.default_rng(3), 0, 150, tmp_path / "t.csv"
    for _ in range(rounds):
        separator = str(rng.choice([",", ";", "\t"]))
        end = str(rng.choice(["\n", "\r\n"]))
        usual = {name: rng.choice(cells, 3) for name, cells in CELLS.items()}
        lines = [separator.join(["a", "c", "d"])]
        for _ in range(rng.integers(2, 12)):
            cells = [str(rng.choice(usual[name])) for name in CELLS]
            lines.append(separator.join([*cells, "0"]))
        content = end.join(lines) + end * int(rng.integers(0, 3))
        decimal = str(rng.choice([".", ","])) if separator == ";" else "."
        recipe = replace(SMALL, number_format=NumberFormat(separator, decimal))
        whole = answer(partial(whole_moment, content.encode(), recipe))
        path.write_bytes(content.encode())
        for chunk_rows in (1, 2, 4):
            sums = partial(second_moment, path, recipe, chunk_rows=chunk_rows)
            found = answer(partial(sums, reading=Reading.STRICT))
            if found is not None and found.rows >= 2 and found.moment.any():
                assert whole is not None, content
                assert same(found.moment, whole), content
                assert same(sums().moment, whole), content
                agreed += 1
    assert agreed > rounds / 4


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
    with pytest.raises(ValueError, match="10,001 columns after coding; the limit is 10,000"):
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


# --- A private mean ---


def test_a_private_mean_takes_two_passes_and_is_the_one_of_the_whole_table(tmp_path):
    recipe = replace(RECIPE, scaling=Scaling.PRIVATE_MEAN, mean_share=0.3)
    data, budget = prepare(table(), recipe, "t"), Budget(1.0, 1e-6)
    source = stored("csv", table(), tmp_path, np.random.default_rng(0))
    found, left = centred_moment(source, recipe, budget, np.random.default_rng(5), chunk_rows=99)
    assert same(found.moment, data.problem(1, budget=budget, seed=5).moment)
    assert left == data.split(budget)[1]
    assert found.clipped > 0


def test_a_private_mean_needs_a_source_that_stays():
    recipe = replace(RECIPE, scaling=Scaling.PRIVATE_MEAN)
    with pytest.raises(RecipeError, match="read only once"):
        centred_moment(iter([table()]), recipe, Budget(1, 1e-6), np.random.default_rng(0))
    with pytest.raises(RecipeError, match="second time"):
        changing(Reading.STRICT)
    assert changing(Reading.TOTAL)[0].rows == 10
    with pytest.raises(RecipeError, match="asks for no private mean"):
        centred_moment(table(), RECIPE, Budget(1, 1e-6), np.random.default_rng(0))


def changing(reading):
    """Sum up about a mean what has other rows the second time."""

    class Frames:
        rows = 30

        def __iter__(self):
            self.rows -= 10
            return iter([table(rows=self.rows)])

    recipe = replace(RECIPE, scaling=Scaling.PRIVATE_MEAN)
    return centred_moment(
        Frames(), recipe, Budget(1, 1e-6), np.random.default_rng(0), reading=reading
    )


# --- Progress ---


@pytest.mark.parametrize("way", WAYS)
def test_progress_rises_to_the_whole(way, tmp_path):
    seen = []
    source = stored(way, table(), tmp_path, np.random.default_rng(1))
    second_moment(source, recipe_of(way), chunk_rows=200, on_progress=seen.append)
    rows, done = [p.rows for p in seen], [p.done for p in seen]
    assert rows == sorted(rows)
    assert rows[-1] == ROWS
    assert all(p.rows_per_second > 0 for p in seen)
    if way == "frames":
        assert set(done) == {None}
        assert seen[-1].seconds_left is None
    else:
        assert done == sorted(done)
        assert done[-1] == 1
        assert seen[-1].seconds_left == 0


@pytest.mark.parametrize("way", WAYS)
def test_a_cancelled_sum_has_no_result_and_leaves_nothing_open(way, tmp_path):
    source, calls, threads = (
        stored(way, table(), tmp_path, np.random.default_rng(2)),
        [],
        threading.active_count(),
    )
    with pytest.raises(Cancelled, match=r"cancelled after [\d,]+ rows; there is no result\."):
        second_moment(
            source,
            recipe_of(way),
            chunk_rows=100,
            on_progress=lambda p: calls.append(p) or len(calls) < 3,
        )
    assert len(calls) == 3
    assert calls[-1].rows < ROWS
    gc.collect()
    assert threading.active_count() <= threads


# --- Refusals ---


def refused(source, recipe=RECIPE, **more):
    with pytest.raises((TableError, CodingError, RecipeError, ValueError)) as caught:
        second_moment(source, recipe, reading=Reading.STRICT, **more)
    assert re.fullmatch(r"[^\n]{10,300}\.", str(caught.value))
    return str(caught.value)


PAIR = Recipe((Number("a", 0, 1), Number("b", 0, 1)))


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
        (b'a;b\n1;"1,5"\n' + b'2;"1,234.5"\n', "one name if “,” separates its cells"),
        (b'a,b\n1,"1,5"\n', "Line 2 of t.csv has “1,5” in the column b"),
        (b"a,b\n\xff,2\n", "not UTF-8"),
        ("a,b,ä\n1,2,3\n".encode("latin-1"), "not UTF-8"),
        ("a,b\n1,2\n".encode("utf-16"), "save it as “CSV UTF-8”"),
        (b"a,b\n1,\x002\n", "save it as “CSV UTF-8”"),
        (gzip.compress(b"a,b\n1,2\n" * 999)[:-30], "damaged gzip"),
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
        missing=missing, radius=1.5,
    )  # fmt: skip
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
        "The column b holds infinite values; repair them or leave it out."
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
        ({"person": "age"}, "each row is another person"),
        ({"person": "age", "combine": Combine.AT_MOST}, "each row is another person"),
        ({"numbers": (Number("age", nan, 1), Number("height", 1, 2))}, "public range"),
        ({"scaling": Scaling.NORM_ONLY, "radius": None}, "public norm bound"),
    ],
)
def test_what_a_stream_cannot_follow_is_one_sentence(changes, words):
    assert words in refused(table(), replace(RECIPE, **changes))
