"""Uploaded files as tables: CSV and Parquet, with one sentence for whatever is wrong."""

import csv
import gzip
import io
from itertools import islice
from pathlib import PurePath
from typing import TYPE_CHECKING, Any
from zlib import error as zlib_error

from dpca_core.choices import NumberFormat
from dpca_core.coding import MOST_CATEGORIES, is_number
from dpca_core.files import Upload
from dpca_core.foreign import refuse_foreign_bytes, refuse_foreign_text
from dpca_core.separated import (
    DECIMAL_COMMA,
    THOUSANDS,
    TableError,
    all_match,
    any_comma,
    filled,
    header_of,
    label,
    require_names,
    shown,
    start_of,
    without_commas,
)

if TYPE_CHECKING:
    from pandas import DataFrame, Series

__all__ = ["TableError", "Upload", "proposed_format", "read_table"]

MAX_BYTES = 1024**3
"""Largest content after unpacking."""

LONGEST_CELL = csv.field_size_limit()
_CHUNK = 16 * 1024**2
_GZIP, _PARQUET = b"\x1f\x8b", b"PAR1"
_MARKS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
_END = "end of the table"


def proposed_format(upload: Upload) -> NumberFormat:
    """Guess how a text file is written: a proposal to be confirmed, which reads private data.

    Raises
    ------
    TableError
        For a file that has no header to go by.
    """
    content = _unpacked(upload.name, upload.content)
    if content[:4] == _PARQUET:
        return NumberFormat()
    encoding = next((e for mark, e in _MARKS.items() if content.startswith(mark)), "utf-8")
    separator = header_of(upload.name, content.decode(encoding, "replace")).separator
    return NumberFormat(separator, "," if separator == ";" else ".")


def read_table(name: str, content: bytes, number_format: NumberFormat | None = None) -> "DataFrame":
    """Read a CSV (perhaps gzipped) or Parquet file.

    Parameters
    ----------
    name
        Name of the file; its ending and the first bytes tell the format.
    content
        The file.
    number_format
        How a text file is written; None for what ``proposed_format`` proposes.

    Returns
    -------
    DataFrame
        Columns with distinct names; numbers as numbers, the rest as text; blanks as missing.

    Raises
    ------
    TableError
        For anything that is not a table of at least two rows and two usable columns.
    """
    short = shown(PurePath(name.replace("\\", "/")).name)[-60:].strip() or "The file"
    if not content:
        raise TableError(f"{short} is empty.")
    try:
        if content[:4] == _PARQUET or short.lower().endswith((".parquet", ".pq")):
            table = _parquet(short, content)
        else:
            table = _text(short, _unpacked(short, content))
        return _usable(short, table)
    except TableError:
        raise
    except csv.Error:
        raise TableError(f"{short} has a cell of more than 128 kB: check its quotes.") from None
    except MemoryError:
        raise TableError(f"{short} does not fit into this machine’s memory.") from None
    except Exception:
        raise TableError(f"{short} cannot be read as a table; it may be damaged.") from None


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
        limit = f"{MAX_BYTES / 1024**3:g} GB"
        raise TableError(f"{name} unpacks to more than {limit}, which is the limit here.")


def _text(name: str, content: bytes) -> "DataFrame":
    """Read separated values; every row must have as many fields as the header."""
    from pandas import DataFrame

    refuse_foreign_bytes(name, content)
    encoding = next((e for mark, e in _MARKS.items() if content.startswith(mark)), "utf-8")
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        raise TableError(
            f"{name} is not UTF-8 text: save it as “CSV UTF-8” and upload it again."
        ) from None
    if "\0" in text:
        raise TableError(f"{name} is not a text table: save it as “CSV UTF-8” and upload it again.")
    refuse_foreign_text(name, text)
    separator, names, _ = header_of(name, text)
    require_names(name, names)
    begin = start_of(text)
    line = 1 + text[:begin].replace("\r\n", "\n").replace("\r", "\n").count("\n")
    text = f"{text[begin:]}\n{separator.join([_END] * len(names))}\n"
    columns = _quick_columns(text, separator, len(names))
    columns = columns or _careful_columns(name, text, separator, len(names), line)
    parsed = (_parsed(column, separator).to_pandas() for column in columns)
    return DataFrame(dict(zip(names, parsed, strict=True)))


def _quick_columns(text: str, separator: str, width: int) -> "list[Any] | None":
    """Columns of text below the header, or None where the file needs a more careful reader."""
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyarrow.csv import ConvertOptions, ParseOptions, ReadOptions, read_csv

    if ' "' in text:
        return None
    try:
        columns = read_csv(
            pa.BufferReader(text.encode()),
            ReadOptions(autogenerate_column_names=True),
            ParseOptions(delimiter=separator, newlines_in_values=True),
            ConvertOptions(column_types={f"f{i}": pa.string() for i in range(width)}),
        ).columns
    except pa.ArrowInvalid:
        return None
    if len(columns) != width or any(column[-1].as_py() != _END for column in columns):
        return None
    if any(pc.max(pc.binary_length(c)).as_py() > LONGEST_CELL for c in columns):
        return None
    return [column.slice(1, len(column) - 2) for column in columns]


def _careful_columns(name: str, text: str, separator: str, width: int, first: int = 1) -> list[Any]:
    """Columns below the header, which is on line ``first``; names a row of another width."""
    import pyarrow as pa

    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, skipinitialspace=True)
    cells, line, tail = [], first, f"\n{separator.join([_END] * width)}\n"
    for row in reader:
        if row and row[-1].endswith(tail):
            raise TableError(f"{name} never closes a quotation mark opened on line {line}.")
        if len(row) > 1 or "".join(row).strip():
            if len(row) != width:
                fields = f"{len(row):,} field{'s' if len(row) > 1 else ''}"
                raise TableError(f"Line {line} of {name} has {fields}; its header has {width}.")
            cells.extend(row)
        line = reader.line_num + first
    columns = (pa.array(cells[width + i : -width : width], pa.string()) for i in range(width))
    return [pa.chunked_array([column]) for column in columns]


def _parsed(column: Any, separator: str) -> Any:
    """Turn a column of text into numbers if all its values are numbers."""
    import pyarrow as pa
    import pyarrow.compute as pc

    text = numbers = filled(column)
    if any_comma(text):
        if separator == ";" and all_match(text, DECIMAL_COMMA):
            numbers = without_commas(text, decimal=True)
        elif all_match(text, THOUSANDS):
            numbers = without_commas(text, decimal=False)
    try:
        return pc.cast(numbers, pa.float64())
    except pa.ArrowInvalid:
        return text


def _parquet(name: str, content: bytes) -> "DataFrame":
    """Read Parquet, after its own account of its size."""
    import pyarrow as pa
    import pyarrow.parquet as pq
    from pandas import DataFrame

    if content[:4] != _PARQUET or content[-4:] != _PARQUET:
        raise TableError(f"{name} is a damaged Parquet file: its beginning or end is missing.")
    file = pq.ParquetFile(pa.BufferReader(content))
    facts, schema = file.metadata, file.schema_arrow
    names = [shown(str(n)) for n in schema.names]
    require_names(name, names)
    unpacked = sum(facts.row_group(i).total_byte_size for i in range(facts.num_row_groups))
    _require_size(name, max(unpacked, 8 * facts.num_rows * facts.num_columns))
    for field in schema:
        if _is_opaque(field.type):
            raise TableError(
                f"{name} holds lists or raw bytes in “{label(field.name)}”: store plain values."
            )
    texts = [field.name for field in schema if is_text(field.type)]
    columns = pq.ParquetFile(pa.BufferReader(content), read_dictionary=texts).read().columns
    _require_size(name, sum(_text_size(column) for column in columns))
    for column in columns:
        _require_texts(column)
    return DataFrame({n: plain(c) for n, c in zip(names, columns, strict=True)})


def is_text(kind: Any) -> bool:
    """Tell whether an Arrow type is text."""
    import pyarrow.types as t

    return bool(t.is_string(kind) or t.is_large_string(kind) or t.is_string_view(kind))


def _is_opaque(kind: Any) -> bool:
    """Tell whether an Arrow type is nested or raw bytes."""
    import pyarrow.types as t

    if t.is_dictionary(kind):
        return _is_opaque(kind.value_type)
    kind = getattr(kind, "storage_type", kind)
    raw = (t.is_binary, t.is_large_binary, t.is_fixed_size_binary, t.is_binary_view)
    return t.is_nested(kind) or any(test(kind) for test in raw)


def _text_size(column: Any) -> int:
    """Bytes of a column's labels written out, which a dictionary stores only once."""
    import pyarrow.compute as pc
    import pyarrow.types as t

    if not t.is_dictionary(column.type) or not is_text(column.type.value_type):
        return 0
    lengths = (pc.take(pc.binary_length(c.dictionary), c.indices) for c in column.chunks)
    return sum(pc.sum(pc.cast(each, "int64")).as_py() or 0 for each in lengths)


def _require_texts(column: Any) -> None:
    """Refuse texts that are not UTF-8 (``ArrowInvalid``) or as long as no cell of a CSV may be."""
    import pyarrow.compute as pc
    import pyarrow.types as t

    for chunk in column.chunks:
        texts = chunk.dictionary if t.is_dictionary(chunk.type) else chunk
        if is_text(texts.type):
            texts.validate(full=True)
            if (pc.max(pc.binary_length(texts)).as_py() or 0) > LONGEST_CELL:
                raise csv.Error


def plain(column: Any) -> Any:
    """Numbers as 64 bits, labels as text; everything else as it is."""
    import pyarrow.types as t

    kind = column.type
    if t.is_dictionary(kind):
        column = column.cast(kind.value_type).cast("large_string")
    elif t.is_decimal(kind) or t.is_floating(kind) or t.is_uint64(kind):
        column = column.cast("float64", safe=False)
    elif t.is_integer(kind):
        column = column.cast("int64")
    elif t.is_boolean(kind) and column.null_count:
        column = column.cast("float64")
    return column.to_pandas()


def _is_usable(column: "Series") -> bool:
    """Tell whether a column holds numbers, or texts that repeat."""
    if is_number(column):
        return bool(column.notna().any())
    return column.dtype.kind in "OT" and 0 < column.nunique() <= MOST_CATEGORIES


def _usable(name: str, table: "DataFrame") -> "DataFrame":
    """Refuse what no spectrum can be made of."""
    if len(table) < 2:
        rows = "one row" if len(table) else "no rows below its header"
        raise TableError(f"{name} has {rows}; a spectrum needs at least two.")
    usable = list(islice((c for c in table.columns if _is_usable(table[c])), 2))
    if not usable:
        raise TableError(f"{name} has no numeric column, and none that could be a category.")
    if len(usable) < 2:
        raise TableError(f"{name} has one usable column; one gives no direction to choose.")
    return table.reset_index(drop=True)
