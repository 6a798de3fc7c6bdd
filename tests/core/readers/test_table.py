"""Uploaded bytes become a table or one sentence, never anything else."""

import gzip
import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpca_core.data.errors import TableError
from dpca_core.readers.table import read_table
from tests.hostile.one_sentence import require_sentence


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
        ("t.csv.gz", gzip.compress(b" a , b, c\n1, 1.5, x\n2,,y\n3,2.5,\n", mtime=0)),
        ("t.csv", b'  \n"a", "b","c"\n\n1, "1.5", x\n   \n2,-,y\n3,2.5,?\n  '),
        ("t.csv", b"a,b,c\r1 ,1.5,x\r2,NA ,y\r3,2.5,\r"),
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

    # Every cell decides, not only the first ones.
    late = b"a,b\n" + b'"1,234",1\n' * 60
    for cell in ("1,2345", "0,125"):
        assert read_table("t.csv", late + f'"{cell}",2\n'.encode())["a"].tolist()[-1] == cell


def test_three_decimals_after_a_comma_are_no_thousands():
    table = read_table("t.csv", b"a;b\n" + b"0,125;1\n" * 60 + b"1,250;2\n1,5;3\n")
    assert table["a"].tolist() == [0.125] * 60 + [1.25, 1.5]
    assert read_table("t.csv", b"a;b\n1,234.5;1\n2,000;2\n")["a"].tolist() == [1234.5, 2000]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("t.csv", b"0,0,1.5\n1,2,3\n4,5,6\n", "begins with numbers: add a first line that names"),
        ("t.csv", b"1,,3\n4,5,6\n7,8,9\n", "begins with numbers: add a first line that names"),
        ("t.csv", b"a,a,b,b\n1,2,3,4\n", "2 repeated names, the first “a”"),
        ("t.csv", b"a,,\n1,2,3\n4,5,6\n", "has 2 unnamed columns, first column 2: name them"),
        ("t.csv", b'a,b\n"1\n2",3\n4\n', "Line 2 of t.csv opens a quotation mark"),
        ("t.csv", b'a, b\n1, "x,y"\n2,z,3\n', "Line 3 of t.csv has 3 fields"),
        ("t.csv", b'a,b\n1,"' + b"x" * 200_000 + b'"\n', "more than 128 kB"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(name, content, words):
    """What the corpus of hostile files does not hold."""
    with pytest.raises(TableError, match=words) as caught:
        read_table(name, content)
    require_sentence(caught.value)


NAMES = ["t.csv", "t.tsv", "t.txt", "t.csv.gz", "t.parquet", "t.pq", "t", "", "a\nb.csv"]
ANYTHING = st.one_of(
    st.binary(max_size=200),
    st.text(max_size=200).map(str.encode),
    st.text("ab01.,;|\n\r\"'-e \t", max_size=200).map(str.encode),
    st.text("a,1\n", max_size=50).map(lambda text: text.encode("utf-16")),
    st.integers(0, 2000).map(lambda cut: parquet(FRAME)[:cut] + parquet(FRAME)[cut + 3 :]),
)


@settings(max_examples=60)
@given(st.sampled_from(NAMES), st.one_of(ANYTHING, ANYTHING.map(gzip.compress)))
def test_no_bytes_break_it(name, content):
    try:
        table = read_table(name, content)
    except TableError as error:
        require_sentence(error)
        return
    assert len(table) >= 2
    assert all(isinstance(c, str) and c for c in table.columns)


def test_a_file_of_many_blocks_is_read_whole():
    rows = np.random.default_rng(0).normal(size=(30_000, 10))
    text = pd.DataFrame(rows, columns=list("abcdefghij")).to_csv(index=False)
    assert np.array_equal(read_table("t.csv", text.encode()).to_numpy(), rows)
