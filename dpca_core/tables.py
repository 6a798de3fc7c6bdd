"""Uploaded files as tables: CSV and Parquet, with one sentence for whatever is wrong."""

import csv
import gzip
import io
import re
from collections import Counter
from pathlib import PurePath
from typing import TYPE_CHECKING, Any
from zlib import error as zlib_error

from dpca_core.coding import MOST_CATEGORIES

if TYPE_CHECKING:
    from pandas import DataFrame, Series

MAX_BYTES = 2 * 1024**3
"""Largest content after unpacking."""

MAX_COLUMNS = 2000
_BLANK = ("", "NA", "N/A", "n/a", "NaN", "nan", "null", "NULL", "None", "?", "-")
_SEPARATORS = ",;\t|"
_CHUNK = 16 * 1024**2
_GZIP, _PARQUET = b"\x1f\x8b", b"PAR1"
_MARKS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
_THOUSANDS = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?")
_DECIMAL_COMMA = re.compile(r"[+-]?\d+(,\d+)?([eE][+-]?\d+)?")


class TableError(ValueError):
    """A file cannot be used; the message is one sentence that says what is wrong."""


def read_table(name: str, content: bytes) -> "DataFrame":
    """Read a CSV (perhaps gzipped) or Parquet file.

    Parameters
    ----------
    name
        Name of the file; its ending and the first bytes tell the format.
    content
        The file.

    Returns
    -------
    DataFrame
        Columns with distinct names; numbers as numbers, the rest as text; blanks as missing.

    Raises
    ------
    TableError
        For anything that is not a table of at least two rows and two usable columns.
    """
    short = PurePath(name.replace("\\", "/")).name[-60:] or "The file"
    if not content:
        raise TableError(f"{short} is empty.")
    try:
        if content[:4] == _PARQUET or short.lower().endswith((".parquet", ".pq")):
            table = _parquet(short, content)
        else:
            table = _text(short, _unpacked(short, content))
    except TableError:
        raise
    except MemoryError:
        raise TableError(f"{short} does not fit into this machine’s memory.") from None
    except Exception:
        raise TableError(f"{short} cannot be read as a table; it may be damaged.") from None
    return _usable(short, table)


def _unpacked(name: str, content: bytes) -> bytes:
    """Content of a gzip file, as far as it is not absurdly large; other content as it is."""
    if content[:2] != _GZIP:
        return content
    parts, size = [], 0
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(content)) as packed:
            while part := packed.read(_CHUNK):
                size += len(part)
                _require_size(name, size)
                parts.append(part)
    except (EOFError, OSError, zlib_error):
        raise TableError(f"{name} is a damaged gzip file.") from None
    return b"".join(parts)


def _require_size(name: str, size: int) -> None:
    if size > MAX_BYTES:
        raise TableError(
            f"{name} unpacks to more than {MAX_BYTES // 1024**3} GB, which is the limit here."
        )


def _text(name: str, content: bytes) -> "DataFrame":
    """Read separated values; every row must have as many fields as the header."""
    from pandas import read_csv

    encoding = next((e for mark, e in _MARKS.items() if content.startswith(mark)), "utf-8")
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        raise TableError(
            f"{name} is not UTF-8 text: save it as “CSV UTF-8” and upload it again."
        ) from None
    if "\0" in text:
        raise TableError(f"{name} is not a text table.")
    first = text[:_CHUNK].lstrip("\r\n").partition("\n")[0]
    if not first.strip():
        raise TableError(f"{name} is empty.")
    separator = max(_SEPARATORS, key=_outside_quotes(first).count)
    header = next(csv.reader([first.rstrip("\r")], delimiter=separator))
    _require_names(name, [cell.strip() for cell in header])
    _require_even(name, text, separator, len(header))
    table = read_csv(
        io.StringIO(text), sep=separator, dtype=str, header=0, na_values=list(_BLANK),
        keep_default_na=False, skipinitialspace=True, engine="c", index_col=False,
    )  # fmt: skip
    table.columns = [cell.strip() for cell in header]
    return table.apply(lambda column: _parsed(column, separator))


def _outside_quotes(line: str) -> str:
    return "".join(line.split('"')[::2])


def _require_even(name: str, text: str, separator: str, width: int) -> None:
    """Find the first row that has another number of fields than the header."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        for row in reader:
            if len(row) != width and row:
                raise TableError(
                    f"Line {reader.line_num} of {name} has {len(row)} "
                    f"field{'s' if len(row) > 1 else ''} where the header has {width}."
                )
    except csv.Error:
        raise TableError(f"{name} has a cell of more than 128 kB; it is no table.") from None


def _parsed(column: "Series[Any]", separator: str) -> "Series[Any]":
    """Turn a column of text into numbers if all its values are numbers."""
    from pandas import to_numeric

    column = column.str.strip()
    values = column.dropna()
    if len(values) == 0:
        return column.astype(float)
    some = values.head(50)
    if some.map(lambda v: bool(_THOUSANDS.fullmatch(v)) or "," not in v).all():
        if some.str.contains(",").any():
            values = values.str.replace(",", "", regex=False)
    elif separator == ";" and some.map(lambda v: bool(_DECIMAL_COMMA.fullmatch(v))).all():
        values = values.str.replace(",", ".", regex=False)
    numbers = to_numeric(values, errors="coerce")
    if numbers.isna().any():
        return column
    return numbers.astype(float).reindex(column.index)


def _parquet(name: str, content: bytes) -> "DataFrame":
    """Read Parquet, after its own account of its size."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if content[:4] != _PARQUET or content[-4:] != _PARQUET:
        raise TableError(f"{name} is a damaged Parquet file: its beginning or end is missing.")
    file = pq.ParquetFile(pa.BufferReader(content))
    facts, schema = file.metadata, file.schema_arrow
    _require_names(name, [str(n).strip() for n in schema.names])
    groups = range(facts.num_row_groups)
    unpacked = sum(facts.row_group(i).total_byte_size for i in groups)
    _require_size(name, max(unpacked, 8 * facts.num_rows * facts.num_columns))
    for field in schema:
        if pa.types.is_nested(field.type) or pa.types.is_binary(field.type):
            raise TableError(
                f"The column {field.name} of {name} holds lists or raw bytes; store plain values."
            )
    table = file.read().to_pandas(ignore_metadata=True)
    table.columns = [str(n).strip() for n in table.columns]
    plain: DataFrame = table.apply(_plain)
    return plain


def _plain(column: "Series[Any]") -> Any:
    """Decimals as numbers, labels as text; everything else as it is."""
    from decimal import Decimal

    if column.dtype.name == "category":
        return column.astype(str).where(column.notna())
    known = column.dropna()
    if column.dtype.kind == "O" and len(known) and isinstance(known.iloc[0], Decimal):
        return column.astype(float)
    return column


def _require_names(name: str, columns: list[str]) -> None:
    if len(columns) > MAX_COLUMNS:
        raise TableError(f"{name} has {len(columns):,} columns; the limit is {MAX_COLUMNS:,}.")
    if "" in columns:
        raise TableError(f"Column {columns.index('') + 1} of {name} has no name: give it one.")
    twice = [column for column, times in Counter(columns).items() if times > 1]
    if twice:
        more = f" (and {len(twice) - 1} more such names)" if len(twice) > 1 else ""
        raise TableError(f"{name} has two columns named “{twice[0]}”{more}: rename one.")


def _usable(name: str, table: "DataFrame") -> "DataFrame":
    """Refuse what no spectrum can be made of."""
    from dpca_core.coding import is_number

    if len(table) < 2:
        rows = "one row" if len(table) else "no rows below its header"
        raise TableError(f"{name} has {rows}; a spectrum needs at least two.")
    numbers = [c for c in table.columns if is_number(table[c])]
    texts = [
        c
        for c in table.columns
        if c not in numbers and table[c].dtype.kind in "OT"
        and table[c].nunique() <= MOST_CATEGORIES
    ]  # fmt: skip
    if not numbers and not texts:
        raise TableError(f"{name} has no numeric column, and none that could be a category.")
    if not texts and len(numbers) < 2:
        raise TableError(f"{name} has one numeric column; a direction needs at least two.")
    return table.reset_index(drop=True)
