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
from tests.core.tables.text_tables import cells

FORM = TextFileFormat()
NUMBERS = {
    "whole": (pa.array([1, None, 3, 4, 5], pa.int32()), [1.0, None, 3.0, 4.0, 5.0]),
    "real": (pa.array([1.0, 2.5, None, None, 1e30]), [1.0, 2.5, None, None, 1e30]),
    "price": (pa.array([Decimal("1.50"), None] * 2 + [Decimal(2)]), [1.5, None, 1.5, None, 2.0]),
}
TEXT = ["x", None, " y", "", "NA"]
TEXTS = {
    "text": (pa.array(TEXT), TEXT),
    "view": (pa.array(TEXT, pa.string_view()), TEXT),
    "flag": (pa.array([True, None, False, True, True]), ["True", None, "False", "True", "True"]),
    "kinds": (pa.array(["p", None, *"qpp"]).dictionary_encode(), ["p", None, *"qpp"]),
}
LABELS = {"whole": ["1", None, "3", "4", "5"], "real": ["1", "2.5", None, None, "1e+30"]}


def sources(columns):
    """A table of these Arrow columns in each form that keeps their types."""
    table, out = pa.table(columns), io.BytesIO()
    pq.write_table(table, out)
    return [table, Upload("t.parquet", out.getvalue()), table.to_pandas(types_mapper=pd.ArrowDtype)]


@pytest.mark.parametrize("rows", [2, 2**16])
def test_numbers_and_texts_are_the_same_in_every_source(rows, monkeypatch):
    monkeypatch.setattr(typed_table, "_ROWS", rows)
    columns = NUMBERS | TEXTS
    expected = {name: values for name, (_, values) in columns.items()}
    for given in sources({name: column for name, (column, _) in columns.items()}):
        assert cells(given, NUMBERS, TEXTS) == expected
        assert cells(given, [], LABELS) == LABELS


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
    texts = ["x", "True", "1", "2", "1.5", None, "1e+300", None, "?", *[None] * len(odd)]
    assert cells(frame, [], ["a"])["a"] == texts
    german = TextFileFormat(decimal=",", delimiter=";")
    assert cells(frame, ["a"], form=german)["a"][:5] == ["x", "True", "1", "2", "1,5"]
    for kinds in (["x", "y"], [1, 2], [1.0, 2.5], ["x", 1]):
        frame = pd.DataFrame({"a": pd.Categorical([*kinds, None])})
        texts = [str(v).removesuffix(".0") for v in kinds]
        assert cells(frame, [], ["a"])["a"] == [*texts, None]


ODD = {"when": pa.array([date(2020, 1, 1)]), "list": pa.array([[1]]), "raw": pa.array([b"x"])}
FRAMES = [
    *(np.array([1.5], np.longdouble), np.array([1j]), pd.interval_range(0, 1)),
    *(pd.to_datetime(["2020-01-01"]), pd.to_timedelta(["1s"]), pd.period_range("2020", periods=1)),
]


def test_other_types_are_refused_by_the_schema_alone():
    """They are shown as texts even so: in tests/hostile/files.py."""
    price = pa.table({"price": [Decimal("1.5")]})
    wanted = [(table, name) for table in sources(ODD)[:2] for name in ODD] + [(price, "price")]
    for given, name in [*wanted, *((pd.DataFrame({"a": column}), "a") for column in FRAMES)]:
        assert len(first_rows(given, FORM)) == 1
        for columns in (([name], []), ([], [name]))[given is price :]:
            with pytest.raises(TableError, match=f"The column “{name}” .* leave the column out"):
                open_table(given, FORM).batches(*columns)


def test_names_are_shown_and_must_be_told_apart_to_be_read():
    frame = pd.DataFrame([[1, 2, 3, 4]], columns=["a", "a", "", 7])
    assert cells(frame, ["column 3", "7"]) == {"column 3": [3.0], "7": [4.0]}
    for name, says in (("a", "has 2 columns named “a”"), ("b", "has no column “b”")):
        with pytest.raises(TableError, match=says):
            open_table(frame, FORM).batches([name], [])


def test_a_text_that_is_too_long_or_no_utf8_changes_its_own_cell_alone():
    raw = pa.array([b"x", b"\xff", b"y" * (2**20 + 1), b"z"])
    column = pa.Array.from_buffers(pa.string(), len(raw), raw.buffers())
    assert cells(pa.table({"a": column}), [], ["a"])["a"] == ["x", "\ufffd", None, "z"]
