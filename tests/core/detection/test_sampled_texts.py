"""Some rows of a file as they are written."""

import numpy as np

from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.detection.column_values import MOST_ROWS, sampled_rows
from dpca_core.detection.sampled_texts import sampled_texts
from dpca_core.readers.file_access import Upload


def texts(content, rows, form=None):
    """Return the cells of a file's sampled rows, by column."""
    found = sampled_texts(Upload("t.csv", content), form or TextFileFormat(), rows)
    return [column.to_pylist() for column in found.columns]


def test_cells_stay_as_they_are_written():
    assert texts(b"a,b\n007, 7\n1.50,x\n", 2) == [["007", "1.50"], [" 7", "x"]]
    assert texts(b"a;b\n1,5;\n", 1, TextFileFormat(";")) == [["1,5"], [""]]
    assert texts(b"a,b\n", 0) == [[], []]


def test_a_bad_row_is_a_row_of_missing_values():
    found = texts(b"a,b\n1,2\n1,2,3\n3,4\n", 3)
    assert [found[0][0], found[0][2], found[1][2]] == ["1", "3", "4"]
    assert found[0][1] in (None, "")


def test_rows_come_from_the_whole_table():
    rows = 70_000
    content = b"a,b\n" + b"".join(b"%d,x\n" % i for i in range(rows))
    (numbers, _) = texts(content, rows)
    assert [int(text) for text in numbers] == sampled_rows(rows).tolist()
    assert len(numbers) == MOST_ROWS
    assert np.ptp(np.array(numbers, dtype=int)) > 0.99 * rows


def test_all_rows_of_a_short_table_are_looked_at():
    assert sampled_rows(5).tolist() == [0, 1, 2, 3, 4]
    assert len(np.unique(sampled_rows(MOST_ROWS + 1))) == MOST_ROWS
