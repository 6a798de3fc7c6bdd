"""Uploaded files as tables: CSV and Parquet, with one sentence for whatever is wrong.

Reading a whole table is for looking at it: for a preview, and for proposals that a person confirms.
What is released is prepared from the file itself, by ``dpca_core.tables.prepare.prepare``.
"""

from collections.abc import Collection
from itertools import islice
from typing import TYPE_CHECKING

from dpca_core.data.encoding import MOST_CATEGORIES
from dpca_core.data.errors import TableError
from dpca_core.data.labels import is_number
from dpca_core.data.recipe import Reading
from dpca_core.data.text_file_format import TextFileFormat, require_valid_format
from dpca_core.readers.csv_dialect import proposed_csv_format
from dpca_core.readers.csv_table import csv_table
from dpca_core.readers.file_access import name_of
from dpca_core.readers.open_row_source import is_parquet
from dpca_core.readers.parquet_table import parquet_table
from dpca_core.tables.files import Upload

if TYPE_CHECKING:
    from pandas import DataFrame, Series

__all__ = ["TableError", "Upload", "proposed_format", "read_table"]


def proposed_format(upload: Upload) -> TextFileFormat:
    """Propose how a text file is written, for a person to confirm.

    It looks at all rows: until it is confirmed it counts as read from the file, and is not private.
    Afterwards it is used, and never decided again. Of Parquet the default is returned: it has types
    of its own.

    Raises
    ------
    TableError
        For a file that is no table, as ``read_table`` says it.
    """
    return TextFileFormat() if is_parquet(upload) else proposed_csv_format(upload)


def read_table(
    name: str,
    content: bytes,
    number_format: TextFileFormat | None = None,
    texts: Collection[str] = (),
    reading: Reading = Reading.STRICT,
) -> "DataFrame":
    """Read a CSV (perhaps gzipped) or Parquet file.

    Parameters
    ----------
    name
        Name of the file; its ending and the first bytes tell the format.
    content
        The file.
    number_format
        How a text file is written; None for what ``proposed_format`` proposes.
    texts
        Columns of a text file to keep as they are written, such as codes and names of persons.
    reading
        ``TOTAL`` shows a text file's rows as a total reading takes them.

    Returns
    -------
    DataFrame
        Columns with distinct names; numbers as numbers where all cells of a column are numbers in
        that format, the rest as text; blanks as missing.

    Raises
    ------
    TableError
        For anything that is not a table of at least two rows and two usable columns.
    """
    upload = Upload(name, content)
    short = name_of(upload)
    if not content:
        raise TableError(f"{short} is empty.")
    if number_format is not None:
        require_valid_format(number_format)
    try:
        if is_parquet(upload):
            table = parquet_table(upload)
        else:
            table = csv_table(upload, number_format or proposed_csv_format(upload), texts, reading)
        return _usable(short, table)
    except TableError:
        raise
    except MemoryError:
        raise TableError(f"{short} does not fit into this machine’s memory.") from None
    except Exception:
        raise TableError(f"{short} cannot be read as a table; it may be damaged.") from None


def _is_usable(column: "Series") -> bool:
    """Tell whether a column holds numbers, or texts that repeat."""
    if is_number(column):
        return bool(column.notna().any())
    return column.dtype.kind in "OT" and 0 < column.nunique() <= MOST_CATEGORIES


def _usable(name: str, table: "DataFrame") -> "DataFrame":
    """Refuse what no spectrum can be made of."""
    if len(table) < 2:
        rows = "one row" if len(table) else "no rows below its header"
        raise TableError(f"{name} has {rows}; at least two are needed.", readable_anyway=True)
    usable = list(islice((c for c in table.columns if _is_usable(table[c])), 2))
    if not usable:
        raise TableError(f"{name} has no column of numbers, and none that could be a category.")
    if len(usable) < 2:
        raise TableError(f"{name} has only one usable column; PCA needs at least two.")
    return table.reset_index(drop=True)
