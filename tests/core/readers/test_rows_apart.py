"""One cell that nobody thought of changes its own row, and no other."""

import io
import warnings

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpca_core.data.recipe import Category, Number, Recipe
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.readers import parquet_chunks
from dpca_core.readers.file_access import Upload
from dpca_core.release.exact_sums import exact_sums
from dpca_core.release.grid import GRID
from dpca_core.release.table_source import TableSource

RECIPE = Recipe(numbers=(Number("a", 0, 200), Number("b", 0, 200)), bounds_are_public=True)
ROWS = 300


def sums(table, recipe=RECIPE):
    return exact_sums(TableSource([table], recipe))


def require_one_row_moved(whole, found, most):
    moved = (whole.T - found.T).astype(object)
    assert 0 < (moved**2).sum() <= most * GRID**4


class Unfriendly:
    """An object that answers nothing."""

    @property
    def real(self):
        raise LookupError("no part of me is a number")


@pytest.mark.parametrize(
    "value",
    [np.timedelta64("NaT"), np.timedelta64(5, "s"), np.datetime64("2020-01-01"), Unfriendly()],
    ids=["not a time", "a duration", "a day", "an object"],
)
def test_an_odd_object_in_a_frame_moves_the_sums_by_its_row_only(value):
    numbers = np.linspace(1, 199, ROWS)
    usual = pd.DataFrame({"a": pd.Series(list(numbers), dtype=object), "b": numbers[::-1]})
    more = pd.DataFrame({"a": pd.Series([value], dtype=object), "b": [50.0]})
    one, two = sums(usual), sums(pd.concat([more, usual], ignore_index=True))
    assert (one.c, two.c) == (ROWS, ROWS + 1)
    require_one_row_moved(two, one, 1)
    np.testing.assert_array_equal(two.T - one.T, sums(more).T)


def test_arrow_text_with_a_bad_letter_loses_its_own_cell_or_row_only():
    letters = bytearray(b"7" * ROWS)
    letters[123] = 255
    ends = pa.py_buffer(np.arange(ROWS + 1, dtype=np.int32))
    bad = pa.Array.from_buffers(pa.string(), ROWS, [None, ends, pa.py_buffer(bytes(letters))])
    recipe = Recipe((Number("a", 0, 9, unit="kg"), Number("b", 0, 9)), bounds_are_public=True)
    found, whole = (
        sums(
            pa.table({"a": a, "b": pa.array([3.0] * ROWS)}).to_pandas(types_mapper=pd.ArrowDtype),
            recipe,
        )
        for a in (bad, pa.array(["7"] * ROWS))
    )
    assert found.c == ROWS
    require_one_row_moved(whole, found, 4)


def test_a_part_of_a_parquet_file_that_cannot_be_coded_loses_its_odd_row_only(monkeypatch):
    out, numbers = io.BytesIO(), np.linspace(1, 199, ROWS)
    pq.write_table(pa.table({"a": numbers, "b": numbers[::-1]}), out)
    whole = sums(Upload("t.parquet", out.getvalue()))
    usual = parquet_chunks.as_float

    def failing(column):
        if numbers[123] in column.to_pylist():
            raise pa.ArrowInvalid("an odd cell")
        return usual(column)

    monkeypatch.setattr(parquet_chunks, "as_float", failing)
    found = sums(Upload("t.parquet", out.getvalue()))
    assert found.c == ROWS
    require_one_row_moved(whole, found, 4)


def test_lines_that_end_with_a_carriage_return_survive_one_that_does_not():
    recipe = Recipe(
        RECIPE.numbers,
        (Category("t", ("x", "y")),),
        bounds_are_public=True,
        number_format=TextFileFormat(encoding="cp1252"),
    )
    # Each letter takes three bytes once it is UTF-8: what is read at a time becomes three times
    # as long, and longer than any line may be.
    long = b"1,3," + b"\x80" * 4000 + b"\r"
    for middle in (b"1,3,x\r", b"1,3,x\n", b"1,3,x\r\n"):
        content = b"a,b,t\r" + long + middle + long * 1500
        assert sums(Upload("t.csv", content), recipe).c == 1502


@pytest.mark.parametrize(
    "value", [np.int8(-128), np.int64(-(2**63)), np.float16(0.1), np.float32(np.inf)], ids=repr
)
def test_no_value_is_told_by_a_warning(value):
    recipe = Recipe(RECIPE.numbers, bounds_are_public=True, person=("p",))
    people = pd.Series([value, np.int8(3)], dtype=object)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        found = sums(pd.DataFrame({"a": [1.0, 2.0], "b": [2.0, 1.0], "p": people}), recipe)
    assert (found.c, said) == (2, [])
