"""A proposal of how a text file is written: its separator, and its marks in numbers."""

from typing import Any

import numpy as np

from dpca_core.data.recipe import Reading
from dpca_core.data.text_cells import are_numbers
from dpca_core.data.text_file_format import SEPARATORS, TextFileFormat
from dpca_core.readers.csv_file import TextFile
from dpca_core.readers.gzip_unpacking import FileBytes
from dpca_core.tables.files import Upload

BYTES_AT_A_TIME = 2**22
_WAYS = ((".", ""), (",", ""), (".", ","), (",", "."))
"""Marks of decimals and of thousands."""


def proposed_csv_format(upload: Upload, encoding: str = "utf-8") -> TextFileFormat:
    """Propose how a text file is written, by its header and all of its cells.

    Of the ways to write decimals and thousands the one by which most columns are numbers; where
    several are as good, the first of: no comma, decimal commas, commas between thousands, points
    between thousands and decimal commas.

    Raises
    ------
    TableError
        Where there is no header to go by.
    """
    head = TextFile(upload, TextFileFormat(encoding=encoding), Reading.TOTAL).head
    separator = separator_of(head)
    # Where commas separate cells they are no decimal marks: "1,234" is a thousand.
    ways = [way for way in _WAYS if way[0] != separator]
    forms = [TextFileFormat(separator, *way, encoding) for way in ways]
    if not _may_hold_commas(upload, separator):
        return forms[0]
    file = TextFile(upload, forms[0], Reading.TOTAL)
    possible = np.ones((len(forms), len(file.names)), dtype=bool)
    for table in file.texts(range(len(file.names))):
        possible &= columns_that_fit(table, forms)
    return forms[int(possible.sum(axis=1).argmax())]


def _may_hold_commas(upload: Upload, separator: str) -> bool:
    """Tell whether a cell may hold a comma; where commas separate cells it stands in quotes."""
    if upload.content[:1] != b"\x1f":
        return (b'"' if separator == "," else b",") in upload.content
    with FileBytes(upload) as content:
        while part := content.read(BYTES_AT_A_TIME):
            if (b'"' if separator == "," else b",") in part:
                return True
    return False


def columns_that_fit(table: Any, forms: list[TextFileFormat]) -> np.ndarray:
    """Tell for each format (rows) by which columns' cells are all numbers or missing.

    All columns in one array: a table may have thousands of them, and few rows.
    """
    import pyarrow as pa

    cells = pa.concat_arrays([chunk for column in table.columns for chunk in column.chunks])
    shape = (table.num_columns, table.num_rows)
    return np.stack([are_numbers(cells, form).reshape(shape).all(axis=1) for form in forms])


def separator_of(line: str) -> str:
    """Guess what separates the names of a header: what it holds most of outside of quotes."""
    unquoted = "".join(line.split('"')[::2])
    return max(SEPARATORS, key=unquoted.count)
