"""Uploaded bytes become a table or one sentence, never anything else."""

import gzip
import io
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpca_core import tables
from dpca_core.tables import TableError, read_table


def parquet(frame):
    out = io.BytesIO()
    frame.to_parquet(out)
    return out.getvalue()


FRAME = pd.DataFrame({"a": [1, 2, 3], "b": [1.5, np.nan, 2.5], "c": ["x", "y", None]})


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.csv", b"a,b,c\n1,1.5,x\n2,,y\n3,2.5,NA\n"),
        ("t.tsv", b"a\tb\tc\n1\t1.5\tx\n2\t\ty\n3\t2.5\t?\n"),
        ("t.txt", b"a|b|c\r\n1|1.5|x\r\n2|null|y\r\n3|2.5|\r\n"),
        ("t.csv", b"\xef\xbb\xbfa;b;c\n1;1,5;x\n2;;y\n3;2,5;None\n"),
        ("t.csv", 'a,b,c\n1,1.5,"x"\n2,,y\n3,2.5,-\n'.encode("utf-16")),
        ("t.csv.gz", gzip.compress(b" a , b, c\n1, 1.5, x\n2,,y\n3,2.5,\n")),
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


WIDE = ",".join(f"c{i}" for i in range(10_000)).encode() + b"\n"
NESTED = parquet(pd.DataFrame({"a": [1, 2], "b": [[1], [2, 3]]}))


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("t.csv", b"", "is empty"),
        ("t.csv", b"\n\n  \n", "is empty"),
        ("t.csv", b"a,b\n", "no rows below"),
        ("t.csv", b"a,b\n1,2\n", "has one row"),
        ("t.csv", b"a,b\n1,2\n3\n", "Line 3 of t.csv has 1 field where the header has 2"),
        ("t.csv", b"a,b\n1,2\n3,4,5\n", "Line 3 of t.csv has 3 fields"),
        ("t.csv", "a,b\nä,1\nö,2\n".encode("latin-1"), "is not UTF-8 text"),
        ("t.csv", b"a,b\n\x00,1\n2,2\n", "is not a text table"),
        ("t.csv", b"a,a\n1,2\n3,4\n", "two columns named “a”: rename one"),
        ("t.csv", b"a,a,b,b\n1,2,3,4\n", "and 1 more such name"),
        ("t.csv", b"a,,b\n1,2,3\n4,5,6\n", "Column 2 of t.csv has no name"),
        ("t.csv", WIDE, "has 10,000 columns"),
        (
            "t.csv",
            b"name,town\n" + b"".join(b"n%d,t%d\n" % (i, i) for i in range(99)),
            "no numeric",
        ),
        ("t.csv", b"a\n1\n2\n", "one numeric column"),
        ("t.csv", b'a,b\n1,"' + b"x" * 200_000 + b'"\n', "more than 128 kB"),
        ("t.csv.gz", gzip.compress(b"a,b\n1,2\n")[:-9], "damaged gzip"),
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
    monkeypatch.setattr(tables, "MAX_BYTES", 10**6)
    with pytest.raises(TableError, match="unpacks to more"):
        read_table("t.csv.gz", gzip.compress(b"a,b\n" + b"1,2\n" * 10**6))
    constant = pd.DataFrame({"a": np.zeros(10**6), "b": np.zeros(10**6)})
    packed = parquet(constant)
    assert len(packed) < 10**5
    with pytest.raises(TableError, match="unpacks to more"):
        read_table("t.parquet", packed)


def test_only_the_last_part_of_a_path_is_shown():
    with pytest.raises(TableError, match=r"^a\.csv is empty"):
        read_table("C:\\secret\\folder/a.csv", b"")


@given(
    st.sampled_from(["t.csv", "t.csv.gz", "t.parquet", "t"]),
    st.one_of(
        st.binary(max_size=200),
        st.text(max_size=200).map(str.encode),
        st.text("ab01.,;\n\"'-e \t", max_size=200).map(str.encode),
        st.integers(0, 300).map(lambda cut: parquet(FRAME)[:cut] + parquet(FRAME)[cut + 3 :]),
    ),
)
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
    rows = np.random.default_rng(0).normal(size=(100_000, 8))
    text = pd.DataFrame(rows, columns=list("abcdefgh")).to_csv(index=False)
    assert np.array_equal(read_table("t.csv", text.encode()).to_numpy(), rows)
