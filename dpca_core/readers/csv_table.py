"""A text file as a table in memory, to look at."""

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import numpy as np

from dpca_core.data.column_names import require_names
from dpca_core.data.recipe import Reading
from dpca_core.data.text_cells import texts_of_cells
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.readers.csv_blocks import Wanted
from dpca_core.readers.csv_dialect import BYTES_AT_A_TIME, columns_that_fit
from dpca_core.readers.csv_file import TextFile
from dpca_core.readers.gzip_unpacking import FileBytes
from dpca_core.readers.memory import require_memory
from dpca_core.tables.files import Upload

if TYPE_CHECKING:
    from pandas import DataFrame


def csv_table(
    upload: Upload,
    form: TextFileFormat,
    texts: Collection[str] = (),
    reading: Reading = Reading.STRICT,
) -> "DataFrame":
    """Read a whole text file: columns of numbers as numbers, the others as text.

    Raises
    ------
    TableError
        For names that cannot be told apart, a file too large for this machine and, in strict
        reading, rows that are not as they should be.
    """
    import pyarrow as pa
    from pandas import DataFrame

    file = TextFile(upload, form, reading)
    require_names(file.name, file.names)
    require_memory(file.name, memory_of_table(upload, len(file.names)))
    numeric = _numeric(file, texts)
    others = [place for place in range(len(file.names)) if place not in set(numeric)]
    columns: dict[int, Any] = {}
    if numeric:
        numbers: list[list[Any]] = [[] for _ in numeric]
        for part in file.parts(Wanted(numeric), lambda found: found):
            for kept, column in zip(numbers, part.numbers, strict=True):
                kept.append(column)
        for place, parts in zip(numeric, numbers, strict=True):
            columns[place] = np.concatenate([np.empty(0), *parts])
            parts.clear()
    if others:
        words: list[list[Any]] = [[] for _ in others]
        for table in file.texts(others):
            for place, kept in zip(others, words, strict=True):
                kept.extend(texts_of_cells(table[f"f{place}"], form).chunks)
        for place, parts in zip(others, words, strict=True):
            columns[place] = pa.chunked_array(parts, pa.string()).to_pandas()
            parts.clear()
    named = {file.names[place]: columns[place] for place in range(len(file.names))}
    return DataFrame(named, copy=False)


def _numeric(file: TextFile, texts: Collection[str]) -> list[int]:
    """Places of the columns that hold nothing but numbers."""
    left = [place for place, name in enumerate(file.names) if name not in texts]
    for table in file.texts(range(len(file.names))):
        if left:
            (fit,) = columns_that_fit(table.select([f"f{place}" for place in left]), [file.form])
            left = [place for place, fits in zip(left, fit, strict=True) if fits]
    return left


def memory_of_table(upload: Upload, columns: int) -> float:
    """Estimate the bytes that reading a text file as a table takes at its peak."""
    lines, size = lines_and_size(upload)
    return AT_WORK + 2 * size + 2 * 8 * lines * columns


def lines_and_size(upload: Upload) -> tuple[int, int]:
    """Count lines and bytes after unpacking: for this a file goes by once, and is not kept."""
    lines = size = 0
    with FileBytes(upload) as content:
        while part := content.read(BYTES_AT_A_TIME):
            lines += max(part.count(b"\n"), part.count(b"\r"))
            size += len(part)
    return lines, size


AT_WORK = 2e8
"""Bytes of the blocks that threads work on, whatever the size of a file."""
