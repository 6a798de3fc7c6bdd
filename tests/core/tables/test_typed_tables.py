"""Parquet files, Arrow tables and data frames: read by their types, each value by itself."""

import io
from datetime import date
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpca_core.data.errors import TableError
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.tables import typed_table
from dpca_core.tables.files import Upload, first_rows, open_table
from tests.core.tables.reading import cells

FORM = TextFileFormat()


def parquet(table, **options):
    out = io.BytesIO()
    pq.write_table(table, out, **options)
    return Upload("t.parquet", out.getvalue())


def sources(columns):
    """Return a table of these Arrow columns in each form that keeps their types."""
    table = pa.table(columns)
    return [table, parquet(table), table.to_pandas(types_mapper=pd.ArrowDtype)]


@pytest.mark.parametrize("rows", [2, 2**16])
def test_numbers_and_texts_are_the_same_in_every_source(rows, monkeypatch):
    monkeypatch.setattr(typed_table, "_ROWS", rows)
    columns = {
        "whole": pa.array([1, None, 3, 4, 5], pa.int32()),
        "real": pa.array([1.0, 2.5, None, float("nan"), 1e30]),
        "text": pa.array(["x", None, " y", "", "NA"]),
        "view": pa.array(["x", None, " y", "", "NA"], pa.string_view()),
        "flag": pa.array([True, None, False, True, True]),
        "kinds": pa.array(["p", "q", None, "p", "p"]).dictionary_encode(),
        "price": pa.array([Decimal("1.50"), None, Decimal("2.00"), None, None]),
    }
    for given in sources(columns):
        found = cells(given, ["whole", "real", "price"], ["text", "view", "flag", "kinds"])
        assert found["whole"] == [1.0, None, 3.0, 4.0, 5.0]
        assert [None if v != v else v for v in found["real"]] == [1.0, 2.5, None, None, 1e30]
        assert found["price"] == [1.5, None, 2.0, None, None]
        assert found["text"] == found["view"] == ["x", None, " y", "", "NA"]
        assert found["flag"] == ["True", None, "False", "True", "True"]
        assert found["kinds"] == ["p", "q", None, "p", "p"]
        labels = cells(given, [], ["whole", "real"])
        assert labels["whole"] == ["1", None, "3", "4", "5"]
        assert labels["real"] == ["1", "2.5", None, None, "1e+30"]


def test_a_missing_value_that_changes_a_type_moves_no_label():
    """Pandas makes floats of whole numbers, and objects of booleans, beside a missing value."""
    for values in ([1, 2], [True, False], ["x", "y"], [1.5, 2.0]):
        alone, beside = pd.DataFrame({"a": values}), pd.DataFrame({"a": [*values, None]})
        assert cells(beside, [], ["a"])["a"][:2] == cells(alone, [], ["a"])["a"]
        assert cells(beside, ["a"])["a"][:2] == cells(alone, ["a"])["a"]


def test_in_a_column_of_objects_each_value_is_read_by_itself():
    odd = [np.longdouble(1) / 3, Decimal("1.5"), pd.Timedelta("1s"), [1], None, pd.NA, np.nan, b"x"]
    values = ["x", True, 1, 2.0, 1.5, 10**400, 1e300, float("inf"), "\ud800", *odd]
    frame = pd.DataFrame({"a": pd.Series(values, dtype=object)})
    texts = ["x", "True", "1", "2", "1.5", None, "1e+300", None, "?"]
    assert cells(frame, [], ["a"])["a"] == texts + [None] * len(odd)
    german = TextFileFormat(decimal=",", delimiter=";")
    assert cells(frame, ["a"], form=german)["a"][:5] == ["x", "True", "1", "2", "1,5"]
    numbers = pd.DataFrame({"a": pd.Series([1, 2.5, 10**400, None, *odd], dtype=object)})
    assert cells(numbers, ["a"])["a"] == ["1", "2.5"] + [None] * 10


def test_other_types_are_refused_by_the_schema_alone():
    columns = {
        "when": pa.array([date(2020, 1, 1)]),
        "list": pa.array([[1]]),
        "raw": pa.array([b"x"]),
        "price": pa.array([Decimal("1.5")]),
        "fine": pa.array([1]),
    }
    for given in sources(columns)[:2]:
        table = open_table(given, FORM)
        for name in ("when", "list", "raw"):
            with pytest.raises(TableError, match=f"The column “{name}” .* leave the column out"):
                table.batches([name], [])
        with pytest.raises(TableError, match="decimal128"):
            table.batches([], ["price"])
        assert table.columns == tuple(columns)
        shown = first_rows(given, FORM)
        assert shown["when"].tolist() == ["2020-01-01"]
        assert shown["fine"].dtype == np.int64


OTHERS = [
    *(np.array([1.5], np.longdouble), np.array([1j]), pd.interval_range(0, 1)),
    *(pd.to_datetime(["2020-01-01"]), pd.to_timedelta(["1s"]), pd.period_range("2020", periods=1)),
]


@pytest.mark.parametrize("column", OTHERS, ids=str)
def test_other_types_of_a_data_frame_are_refused_by_dtype(column):
    frame = pd.DataFrame({"a": column})
    for wanted in ((["a"], []), ([], ["a"])):
        with pytest.raises(TableError, match="The column “a” of The data frame holds"):
            open_table(frame, FORM).batches(*wanted)
    assert len(first_rows(frame, FORM)) == 1


def test_categories_of_any_values_are_read():
    for values in (["x", "y"], [1, 2], [1.0, 2.5], ["x", 1]):
        frame = pd.DataFrame({"a": pd.Categorical([*values, None])})
        texts = [str(v).removesuffix(".0") for v in values]
        assert cells(frame, [], ["a"])["a"] == [*texts, None]


def test_whole_numbers_with_gaps_stay_apart_to_look_at():
    large = [2**60 + 1, None, 2**60]
    found = first_rows(parquet(pa.table({"id": pa.array(large, pa.int64())})), FORM)["id"]
    assert [None if pd.isna(v) else int(v) for v in found] == large


def test_names_are_shown_and_must_be_told_apart_to_be_read():
    frame = pd.DataFrame([[1, 2, 3, 4]], columns=["a", "a", "", 7])
    table = open_table(frame, FORM)
    assert table.columns == ("a", "a", "column 3", "7")
    assert cells(frame, ["column 3", "7"]) == {"column 3": [3.0], "7": [4.0]}
    with pytest.raises(TableError, match="has 2 columns named “a”"):
        table.batches(["a"], [])
    with pytest.raises(TableError, match="has no column “b”"):
        table.batches([], ["b"])
    with pytest.raises(TableError, match="2,001 columns; the limit is 2,000"):
        open_table(pd.DataFrame(np.zeros((1, 2001))), FORM)


def test_a_text_that_is_too_long_or_no_utf8_changes_its_own_cell_alone():
    raw = pa.array([b"x", b"\xff", b"y" * (2**20 + 1), b"z"])
    column = pa.Array.from_buffers(pa.string(), len(raw), raw.buffers())
    assert cells(pa.table({"a": column}), [], ["a"])["a"] == ["x", "\ufffd", None, "z"]
