"""Parquet files: opened with care, and as tables in memory."""

from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpca_core.data.arrow_labels import arrow_labels
from dpca_core.data.byte_text import LETTERS_FOR_BYTES, text_of
from dpca_core.data.column_names import LONGEST_CELL, label, require_names, shown
from dpca_core.data.errors import TableError
from dpca_core.readers.file_access import PARQUET, name_of, open_file, path_to_opened
from dpca_core.readers.gzip_unpacking import require_size
from dpca_core.readers.memory import require_memory
from dpca_core.tables.files import Upload

if TYPE_CHECKING:
    from pandas import DataFrame


_ENCRYPTED = b"PARE"
_COPIES = 3


@contextmanager
def open_parquet(given: Path | Upload, **options: Any) -> Generator[Any]:
    """Open a Parquet file as ``pyarrow.parquet.ParquetFile`` does, with its options.

    Raises
    ------
    TableError
        Where it is cut short, encrypted, or no Parquet file.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    name = name_of(given)
    with open_file(given) as opened:
        begin = opened.read(len(PARQUET))
        opened.seek(-min(opened.seek(0, 2), len(PARQUET)), 2)
        end = opened.read(len(PARQUET))
        if _ENCRYPTED in (begin, end):
            raise _encrypted(name)
        if begin != PARQUET or end != PARQUET:
            raise TableError(f"{name} is a damaged Parquet file: its beginning or end is missing.")
        if isinstance(given, Upload):
            source: Any = pa.BufferReader(given.content)
        else:
            source = path_to_opened(opened, given)
        try:
            file = pq.ParquetFile(source, **options)
        except (pa.ArrowException, OSError) as error:
            if "crypt" in str(error).lower():
                raise _encrypted(name) from None
            raise TableError(f"{name} cannot be read as a table; it may be damaged.") from None
        with file:
            yield file


def _encrypted(name: str) -> TableError:
    return TableError(f"{name} is an encrypted Parquet file: save it without encryption.")


def parquet_table(upload: Upload) -> "DataFrame":
    """Read a whole Parquet file, after its own account of its size.

    Raises
    ------
    TableError
        For a file that is damaged, too large, or holds what no column of a table can be.
    """
    import pyarrow as pa
    from pandas import DataFrame

    name = name_of(upload)
    with open_parquet(upload) as file:
        facts, schema = file.metadata, file.schema_arrow
    names = [shown(str(n)) for n in schema.names]
    require_names(name, names)
    unpacked = sum(facts.row_group(i).total_byte_size for i in range(facts.num_row_groups))
    size = max(unpacked, 8 * facts.num_rows * facts.num_columns)
    require_size(name, size)
    require_memory(name, _COPIES * size)
    for field in schema:
        if is_opaque(field.type):
            raise TableError(
                f"{name} holds lists or raw bytes in “{label(field.name)}”: store plain values."
            )
    texts = [field.name for field in schema if is_text(field.type)]
    try:
        with open_parquet(upload, read_dictionary=texts) as file:
            columns = file.read().columns
        require_size(name, sum(_text_size(column) for column in columns))
        for column in columns:
            _require_texts(name, column)
        return DataFrame({n: plain(c) for n, c in zip(names, columns, strict=True)})
    except (pa.ArrowException, OSError) as error:
        if "crypt" in str(error).lower():
            raise _encrypted(name) from None
        raise TableError(f"{name} cannot be read as a table; it may be damaged.") from None


def is_text(kind: Any) -> bool:
    """Tell whether an Arrow type is text."""
    import pyarrow.types as t

    return bool(t.is_string(kind) or t.is_large_string(kind) or t.is_string_view(kind))


def is_number_type(kind: Any) -> bool:
    """Tell whether an Arrow type is a number (or true and false)."""
    import pyarrow.types as t

    tests = (t.is_integer, t.is_floating, t.is_decimal, t.is_boolean)
    return any(test(kind) for test in tests)


def whole_text(column: Any) -> Any:
    """Return an array of text, with letters for bytes that are not UTF-8 (``text_of``)."""
    import pyarrow as pa
    import pyarrow.compute as pc

    with suppress(pa.ArrowInvalid):
        column.validate(full=True)
        text = column.cast(pa.string())
        if not pc.any(pc.match_substring_regex(text, LETTERS_FOR_BYTES)).as_py():
            return text
    raw = column.cast("large_string").cast("large_binary").to_pylist()
    texts = [None if cell is None else text_of(cell) for cell in raw]
    return pa.array(texts, pa.string())


def is_opaque(kind: Any) -> bool:
    """Tell whether an Arrow type is nested or raw bytes."""
    import pyarrow.types as t

    if t.is_dictionary(kind):
        return is_opaque(kind.value_type)
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


def _require_texts(name: str, column: Any) -> None:
    """Refuse texts that are not UTF-8 (``ArrowInvalid``) or as long as no cell of a CSV may be."""
    import pyarrow.compute as pc
    import pyarrow.types as t

    for chunk in column.chunks:
        texts = chunk.dictionary if t.is_dictionary(chunk.type) else chunk
        if is_text(texts.type):
            texts.validate(full=True)
            if (pc.max(pc.binary_length(texts)).as_py() or 0) > LONGEST_CELL:
                raise TableError(f"{name} has a cell of more than 128 kB.")


def plain(column: Any) -> Any:
    """Numbers as 64 bits, labels as text; everything else as it is.

    Numbers with more digits than 64 bits hold stay apart: they may be names of persons.
    """
    import pyarrow as pa
    import pyarrow.types as t
    from pandas import Int64Dtype, UInt64Dtype

    kind = column.type
    if t.is_dictionary(kind) and is_text(kind.value_type):
        column = column.cast(kind.value_type).cast("large_string")
    elif t.is_dictionary(kind):
        column = _as_texts(column)
    elif t.is_decimal(kind):
        numbers = column.cast("float64", safe=False)
        column = numbers if len(numbers.unique()) == len(column.unique()) else _as_texts(column)
    elif t.is_floating(kind):
        column = column.cast("float64", safe=False)
    elif t.is_integer(kind):
        column = column if t.is_uint64(kind) else column.cast("int64")
        if column.null_count:
            # As 64-bit floats, large identifiers would become equal because another one is missing.
            whole = {pa.int64(): Int64Dtype(), pa.uint64(): UInt64Dtype()}
            return column.to_pandas(types_mapper=whole.get)
    elif t.is_boolean(kind) and column.null_count:
        column = column.cast("float64")
    return column.to_pandas()


def _as_texts(column: Any) -> Any:
    import pyarrow as pa

    texts = [pa.array(arrow_labels(chunk).each(), "large_string") for chunk in column.chunks]
    return pa.chunked_array(texts, "large_string")
