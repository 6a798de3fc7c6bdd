"""What tests of small files need not wait for: new processes."""

import json
from contextlib import contextmanager

import pyarrow as pa
import pytest

from dpca_core.data.errors import TableError
from dpca_core.tables import statistics_files, workbooks
from dpca_core.tables.apart import NAME


@contextmanager
def read_here(name, file, reader, **options):
    try:
        schema, batches = reader(file, **json.loads(json.dumps(options)))
        table = pa.Table.from_batches(batches, schema)
    except TableError as error:
        raise TableError(str(error).replace(NAME, name)) from None
    except Exception:
        raise TableError(f"{name} cannot be read as a table; it may be damaged.") from None
    yield table.to_reader()


@pytest.fixture
def at_once(monkeypatch):
    """Read workbooks and statistics files in this process, the latter a few rows at a time."""
    monkeypatch.setattr(statistics_files, "_MOST_ROWS", 7)
    for module in (statistics_files, workbooks):
        monkeypatch.setattr(module, "read_apart", read_here)
