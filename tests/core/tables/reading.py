"""What a table holds, for tests to compare."""

from contextlib import closing

from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.tables.files import open_table


def cells(given, numbers=(), texts=(), form=TextFileFormat()):  # noqa: B008
    """Return all cells of some columns: a list for each, None where one is missing."""
    found = {name: [] for name in (*numbers, *texts)}
    with closing(open_table(given, form).batches(numbers, texts)) as batches:
        for batch in batches:
            for name, column in batch.columns.items():
                assert len(column) == batch.rows
                found[name].extend(column.to_pylist())
    return found
