"""Uploaded bytes become a table or one sentence, never anything else."""

import gzip
import io
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpca_core.data.errors import TableError
from dpca_core.readers import gzip_unpacking
from dpca_core.readers.table import read_table


def parquet(frame):
    out = io.BytesIO()
    frame.to_parquet(out)
    return out.getvalue()


def written(columns):
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out)
    return out.getvalue()


FRAME = pd.DataFrame({"a": [1, 2, 3], "b": [1.5, np.nan, 2.5], "c": ["x", "y", None]})


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.csv", b"a,b,c\n1,1.5,x\n2,,y\n3,2.5,NA\n"),
        ("t.tsv", b"a\tb\tc\n1\t1.5\tx\n2\t\ty\n3\t2.5\t?\n"),
        ("t.txt", b"a|b|c\r\n1|1.5|x\r\n2|null|y\r\n3|2.5|\r\n"),
        ("t.csv", b"\xef\xbb\xbfa;b;c\n1;1,5;x\n2;;y\n3;2,5;None\n"),
        ("t.csv.gz", gzip.compress(b" a , b, c\n1, 1.5, x\n2,,y\n3,2.5,\n", mtime=0)),
        ("t.parquet", parquet(FRAME)),
        ("no ending", parquet(FRAME)),
    ],
)
def test_formats_give_the_same_table(name, content):
    table = read_table(name, content)
    assert list(table.columns) == ["a", "b", "c"]
    assert table["a"].tolist() == [1, 2, 3]
    assert np.array_equal(table["b"], [1.5, np.nan, 2.5], equal_nan=True)
    assert table["c"].tolist()[:2] == ["x", "y"]
    assert table["c"].isna().tolist() == [False, False, True]


def test_thousands_separators_are_read_where_the_whole_column_has_them():
    table = read_table("t.csv", b'a,b\n"1,234",1\n"12,345.5",2\n99,3\n')
    assert table["a"].tolist() == [1234, 12345.5, 99]
    assert read_table("t.csv", b'a,b\n"1,2345",1\n2,2\n')["a"].tolist() == ["1,2345", "2"]


def test_every_cell_decides_on_commas_not_only_the_first():
    late = b"a,b\n" + b'"1,234",1\n' * 60
    assert read_table("t.csv", late + b'"1,2345",2\n')["a"].tolist()[-1] == "1,2345"
    assert read_table("t.csv", late + b'"0,125",2\n')["a"].tolist()[-1] == "0,125"


def test_three_decimals_after_a_comma_are_no_thousands():
    table = read_table("t.csv", b"a;b\n" + b"0,125;1\n" * 60 + b"1,250;2\n1,5;3\n")
    assert table["a"].tolist() == [0.125] * 60 + [1.25, 1.5]
    assert read_table("t.csv", b"a;b\n1,234.5;1\n2,000;2\n")["a"].tolist() == [1234.5, 2000]


@pytest.mark.parametrize(
    "content",
    [
        b"a,b\n1 , x\nNA ,y\n",
        b"a,b\r1,x\r,y\r",
        b"  \na,b\n\n1,x\n   \n-,y\n  ",
        b'"a", "b"\n1, "x"\n?, "y"\n',
    ],
)
def test_spaces_and_line_ends_do_not_matter(content):
    table = read_table("t.csv", content)
    assert list(table.columns) == ["a", "b"]
    assert np.array_equal(table["a"], [1, np.nan], equal_nan=True)
    assert table["b"].tolist() == ["x", "y"]


def test_separators_count_outside_quotes_only():
    table = read_table("t.csv", b'"a;;;",b\n1,"x,y"\n2,"say ""z"""\n')
    assert list(table.columns) == ["a;;;", "b"]
    assert table["b"].tolist() == ["x,y", 'say "z"']


def test_numbers_beyond_all_bounds_are_infinite():
    assert read_table("t.csv", b"a,b\n1e999,1\n-inf,2\n")["a"].tolist() == [np.inf, -np.inf]


def test_parquet_decimals_and_labels():
    frame = pd.DataFrame(
        {"a": [Decimal("1.5"), Decimal("2")], "b": pd.Categorical(["x", None]), "c": [True, False]}
    )
    table = read_table("t.parquet", parquet(frame))
    assert table["a"].tolist() == [1.5, 2]
    assert table["b"].tolist()[0] == "x"
    assert table["b"].isna().tolist() == [False, True]


@pytest.mark.parametrize(
    ("kind", "dtype"),
    [
        (pa.float16(), "float64"),
        (pa.float32(), "float64"),
        (pa.int8(), "int64"),
        (pa.uint64(), "uint64"),
        (pa.decimal256(50, 2), "float64"),
        (pa.timestamp("ms"), "datetime64[ms]"),
        (pa.dictionary(pa.int8(), pa.string()), "str"),
        (pa.large_string(), "str"),
    ],
)
def test_parquet_types(kind, dtype):
    values = np.array([1, 2], "float16") if kind == pa.float16() else [1, 2]
    if dtype == "str":
        values = ["x", "y"]
    table = read_table("t.pq", written({"a": pa.array(values, kind), "b": [1, 2], "c": [3, 4]}))
    assert str(table["a"].dtype) == dtype


@pytest.mark.parametrize(
    "column",
    [
        pa.array([[1], [2]]),
        pa.array([{"x": 1}, {"x": 2}]),
        pa.array([b"x", b"y"]),
        pa.array([b"x", b"y"], pa.large_binary()),
        pa.array([b"x", b"y"], pa.binary(1)),
        pa.array([b"x", b"y"], pa.dictionary(pa.int8(), pa.binary())),
    ],
)
def test_lists_and_bytes_are_refused(column):
    with pytest.raises(
        TableError, match="lists or raw bytes in “b c”: store plain values"
    ) as caught:
        read_table("t.pq", written({"a": [1, 2], "b\nc": column}))
    assert "\n" not in str(caught.value)


WIDE = ",".join(f"c{i}" for i in range(10_000)).encode() + b"\n"
NESTED = parquet(pd.DataFrame({"a": [1, 2], "b": [[1], [2, 3]]}))


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("t.csv", b"", "is empty"),
        ("t.csv", b"\n\n  \n", "is empty"),
        ("t.csv", b"a,b\n", "no rows below"),
        ("t.csv", b"a,b\n1,2\n", "has one row"),
        ("t.csv", b"a,b\n1,2\n3\n", "Line 3 of t.csv has 1 field; its header has 2"),
        ("t.csv", b"a,b\n1,2\n3,4,5\n", "Line 3 of t.csv has 3 fields"),
        ("t.csv", "a,b\nä,1\nö,2\n".encode("latin-1"), "is not UTF-8 text"),
        ("t.csv", b"a,b\n\x00,1\n2,2\n", "is not a text table"),
        ("t.csv", b"a,a\n1,2\n3,4\n", "two columns named “a”: rename one"),
        ("t.csv", b"a,a,b,b\n1,2,3,4\n", "2 repeated names, the first “a”"),
        ("t.csv", b"0,0,1.5\n1,2,3\n4,5,6\n", "begins with numbers: add a first line that names"),
        ("t.csv", b"1,,3\n4,5,6\n7,8,9\n", "begins with numbers: add a first line that names"),
        ("t.csv", b"a,,b\n1,2,3\n4,5,6\n", "Column 2 of t.csv has no name"),
        ("t.csv", WIDE, "has 10,000 columns"),
        (
            "t.csv",
            b"name,town\n" + b"".join(b"n%d,t%d\n" % (i, i) for i in range(99)),
            "no column of numbers",
        ),
        ("t.csv", b"a,a,a\n1,2,3\n4,5,6\n", "has 3 columns named “a”"),
        ("t.csv", b"a,,\n1,2,3\n4,5,6\n", "has 2 unnamed columns, first column 2: name them"),
        ("t.csv", b"a\n1\n2\n", "PCA needs at least two"),
        ("t.csv", b"a\nx\ny\n", "PCA needs at least two"),
        ("t.csv", b"a,b\n1,\n2,\n", "PCA needs at least two"),
        ("t.csv", b'a,b\n"1\n2",3\n4\n', "Line 2 of t.csv opens a quotation mark"),
        ("t.csv", b'a, b\n1, "x,y"\n2,z,3\n', "Line 3 of t.csv has 3 fields"),
        ("t.csv", b'a,b\n1,2\n3,"4\n5,6\n', "Line 3 of t.csv opens a quotation mark"),
        ("t.csv", b'a,"b\n1,2\n3,4\n', "header of t.csv opens a quotation mark"),
        ("t.csv", b'a,b\n1,"' + b"x" * 200_000 + b'"\n', "more than 128 kB"),
        ("t.csv.gz", gzip.compress(b"a,b\n1,2\n", mtime=0)[:-9], "damaged gzip"),
        ("t.parquet", parquet(FRAME)[:-20], "damaged Parquet"),
        ("t.parquet", b"PAR1" + b"\x00" * 40 + b"PAR1", "cannot be read"),
        ("t.parquet", NESTED, "holds lists or raw bytes"),
        ("t.parquet", b"a,b\n1,2\n3,4\n", "damaged Parquet"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(name, content, words):
    with pytest.raises(TableError, match=words) as caught:
        read_table(name, content)
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)


def test_bombs_are_not_unpacked(monkeypatch):
    monkeypatch.setattr(gzip_unpacking, "MAX_BYTES", 10**6)
    with pytest.raises(TableError, match="unpacks to more"):
        read_table("t.csv.gz", gzip.compress(b"a,b\n" + b"1,2\n" * 10**6))
    constant = pd.DataFrame({"a": np.zeros(10**6), "b": np.zeros(10**6)})
    packed = parquet(constant)
    assert len(packed) < 10**5
    with pytest.raises(TableError, match="unpacks to more"):
        read_table("t.parquet", packed)
    labels = written({"a": ["x" * 10_000] * 1000, "b": np.zeros(1000)})
    assert len(labels) < 10**5
    with pytest.raises(TableError, match="unpacks to more"):
        read_table("t.parquet", labels)


def test_only_the_last_part_of_a_path_is_shown():
    with pytest.raises(TableError, match=r"^a\.csv is empty"):
        read_table("C:\\secret\\folder/a.csv", b"")
    with pytest.raises(TableError, match=r"^a b\.csv is empty\.$"):
        read_table("a\nb.csv", b"")
    with pytest.raises(TableError, match=r"^x{56}\.csv is empty"):
        read_table("x" * 200 + ".csv", b"")


NAMES = ["t.csv", "t.tsv", "t.txt", "t.csv.gz", "t.parquet", "t.pq", "t", "", "a\nb.csv"]
ANYTHING = st.one_of(
    st.binary(max_size=200),
    st.text(max_size=200).map(str.encode),
    st.text("ab01.,;|\n\r\"'-e \t", max_size=200).map(str.encode),
    st.text("a,1\n", max_size=50).map(lambda text: text.encode("utf-16")),
    st.integers(0, 2000).map(lambda cut: parquet(FRAME)[:cut] + parquet(FRAME)[cut + 3 :]),
)


@settings(deadline=None)
@given(st.sampled_from(NAMES), st.one_of(ANYTHING, ANYTHING.map(gzip.compress)))
def test_no_bytes_break_it(name, content):
    table, message = None, "Read."
    try:
        table = read_table(name, content)
    except TableError as error:
        message = str(error)
    assert message.endswith(".")
    assert "\n" not in message
    if table is not None:
        assert len(table) >= 2
        assert all(isinstance(c, str) and c for c in table.columns)


def test_a_large_file_is_read_whole():
    rows = np.random.default_rng(0).normal(size=(200_000, 10))
    text = pd.DataFrame(rows, columns=list("abcdefghij")).to_csv(index=False)
    assert np.array_equal(read_table("t.csv", text.encode()).to_numpy(), rows)
