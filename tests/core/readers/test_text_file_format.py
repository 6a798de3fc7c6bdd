"""How numbers are written in a text file is proposed, once."""

import numpy as np
import pytest

from dpca_core.data.errors import TableError
from dpca_core.data.recipe import Reading
from dpca_core.data.text_file_format import EITHER, TextFileFormat
from dpca_core.readers.table import proposed_format, read_table
from dpca_core.tables.files import Upload


@pytest.mark.parametrize(
    ("content", "form"),
    [
        (b"a,b\n1,2\n", TextFileFormat()),
        (b"a;b\n1,234;2\n" + b"1,234;2\n" * 4, TextFileFormat(";", ",")),
        (b"a;b\n1.5;2\n", TextFileFormat(";")),
        (b"a;b\n1,234;2\n12,345,678;2\n", TextFileFormat(";", ".", ",")),
        (b"a;b\n1.234;2\n1.234,5;2\n", TextFileFormat(";", ",", ".")),
        (b'a,b\n"1,234",2\n', TextFileFormat(",", ".", ",")),
        (b'a,b\n"1,5","x"\n', TextFileFormat(",")),
        (b"a|b\nx|y\n", TextFileFormat("|")),
        (b"a;b\n1,5;x\n2,5;1,2,3\nbad\n\xff;1,5\n", TextFileFormat(";")),
    ],
)
def test_a_format_is_proposed(content, form):
    assert proposed_format(Upload("t.csv", content)) == form


def test_columns_of_texts_are_kept_as_they_are_written_and_others_read_by_the_format():
    table = read_table("t.csv", b"id,a,b\n01,1,2\n1.0,3,4\n", None, ("id",))
    assert table["id"].tolist() == ["01", "1.0"]
    assert table["a"].tolist() == [1, 3]
    either = read_table("t.csv", b"a;b;c\n1,5;2.5;x\n2,5;3.5;y\n", TextFileFormat(";", EITHER))
    assert either["a"].tolist() == [1.5, 2.5]
    assert either["b"].tolist() == [2.5, 3.5]


def test_a_row_that_strict_reading_refuses_is_missing_where_it_is_read_anyway():
    with pytest.raises(TableError, match="Line 3") as caught:
        read_table("t.csv", b"a,b\n1,2\n3\n4,5\n")
    assert caught.value.readable_anyway
    shown = read_table("t.csv", b"a,b\n1,2\n3\n4,5\n", reading=Reading.TOTAL)
    assert np.array_equal(shown["a"], [1, np.nan, 4], equal_nan=True)
