"""The first rows of a table, however long it is: enough to choose by."""

import io
from pathlib import Path
from typing import TYPE_CHECKING

from dpca_core.data.errors import TableError
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.readers.file_access import name_of
from dpca_core.readers.gzip_unpacking import FileBytes
from dpca_core.readers.open_row_source import is_parquet, tables_in
from dpca_core.readers.parquet_table import open_parquet
from dpca_core.readers.table import proposed_format, read_table
from dpca_core.tables.files import Upload

if TYPE_CHECKING:
    from pandas import DataFrame


ROWS, BYTES = 5000, 4 * 2**20


def read_first_rows(path: Path, number_format: TextFileFormat | None = None) -> "DataFrame":
    """Read the first rows of a CSV or Parquet file, or of the first file of a folder.

    ``number_format`` says how text is written; None for what ``proposed_format_of`` proposes.

    Raises
    ------
    TableError
        Where that is no table, in one sentence.
    """
    upload = first_rows_as_upload(path)
    return read_table(upload.name, upload.content, number_format)


def proposed_format_of(path: Path) -> TextFileFormat:
    """Propose how a text file, or the first of a folder, is written, by its first rows only.

    Until a person confirms it, it counts as read from the file, and is not private.

    Raises
    ------
    TableError
        Where that is no table, in one sentence.
    """
    return proposed_format(first_rows_as_upload(path))


def first_rows_as_upload(path: Path) -> Upload:
    """Return the first rows of a file, or of the first file of a folder, as a file in memory."""
    file = tables_in(path)[0] if path.is_dir() else path
    if is_parquet(file):
        return Upload(f"{file.stem}.parquet", _first_rows(file))
    return Upload(file.name, _first_lines(file))


def _first_lines(file: Path) -> bytes:
    """Read whole lines."""
    with FileBytes(file) as opened:
        content = opened.read(BYTES)
        more = opened.read(1)
    end = max(content.rfind(b"\n"), content.rfind(b"\r")) + 1
    return content[: end or None] if more else content


def _first_rows(file: Path) -> bytes:
    """Return a small Parquet file of the first rows."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with open_parquet(file) as opened:
            first = next(opened.iter_batches(ROWS), None)
            rows = pa.Table.from_batches([] if first is None else [first], opened.schema_arrow)
    except (pa.ArrowException, OSError):
        raise TableError(f"{name_of(file)} is a damaged Parquet file.") from None
    out = io.BytesIO()
    pq.write_table(rows, out)
    return out.getvalue()
