"""The first rows of a table, however long it is: enough to choose by."""

import gzip
import io
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import error as zlib_error

from dpca_core.sources import PARQUET_ENDINGS, tables_in
from dpca_core.tables import TableError, read_table

if TYPE_CHECKING:
    from pandas import DataFrame

ROWS, BYTES = 5000, 4 * 2**20


def head_of(path: Path) -> "DataFrame":
    """Read the first rows of a CSV or Parquet file, or of the first file of a folder.

    Raises
    ------
    TableError
        Where that is no table, in one sentence.
    """
    file = tables_in(path)[0] if path.is_dir() else path
    try:
        with file.open("rb") as opened:
            mark = opened.read(4)
    except OSError:
        raise TableError(f"{file.name[-60:]} cannot be opened.") from None
    if mark == b"PAR1" or file.name.lower().endswith(PARQUET_ENDINGS):
        return read_table(f"{file.stem}.parquet", _first_rows(file))
    return read_table(file.name, _first_lines(file, packed=mark[:2] == b"\x1f\x8b"))


def _first_lines(file: Path, *, packed: bool) -> bytes:
    """Read whole lines, not ending within quotes."""
    try:
        with gzip.open(file) if packed else file.open("rb") as opened:
            content = bytes(opened.read(BYTES))
    except (EOFError, OSError, zlib_error):
        raise TableError(f"{file.name[-60:]} is a damaged file.") from None
    if len(content) < BYTES:
        return content
    end = len(content)
    while (end := content.rfind(b"\n", 0, end)) > 0:
        if content.count(b'"', 0, end) % 2 == 0:
            return content[: end + 1]
    return content


def _first_rows(file: Path) -> bytes:
    """Return a small Parquet file of the first rows."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(file) as opened:
            first = next(opened.iter_batches(ROWS), None)
            rows = pa.Table.from_batches([] if first is None else [first], opened.schema_arrow)
    except (pa.ArrowInvalid, OSError):
        raise TableError(f"{file.name[-60:]} is a damaged Parquet file.") from None
    out = io.BytesIO()
    pq.write_table(rows, out)
    return out.getvalue()
