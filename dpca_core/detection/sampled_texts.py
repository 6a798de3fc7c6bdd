"""Some rows of a text file as they are written: 007 is not 7 there."""

from typing import Any

import numpy as np

from dpca_core.data.recipe import Reading
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.detection.column_values import sampled_rows
from dpca_core.readers.csv_file import TextFile
from dpca_core.readers.file_access import Upload


def sampled_texts(upload: Upload, form: TextFileFormat, rows: int) -> Any:
    """Return some rows of a text file that has so many, as an Arrow table of text.

    Rows that are not as they should be are rows of missing values; what a cell means is not
    decided here.

    Raises
    ------
    TableError
        For a file that has no header, or is known to be something else.
    """
    import pyarrow as pa

    file = TextFile(upload, form, Reading.TOTAL)
    places = range(len(file.names))
    chosen, before, parts = sampled_rows(rows), 0, []
    for table in file.texts(places):
        here = chosen[
            np.searchsorted(chosen, before) : np.searchsorted(chosen, before + len(table))
        ]
        parts.append(table if len(here) == len(table) else table.take(pa.array(here - before)))
        before += len(table)
    if not parts:
        parts = [pa.table({f"f{place}": pa.array([], pa.string()) for place in places})]
    return pa.concat_tables(parts)
