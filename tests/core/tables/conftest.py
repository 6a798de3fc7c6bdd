"""What is read in a process of its own, in this one: a test need not wait for it to start."""

import json
from contextlib import contextmanager

import pyarrow as pa
import pytest

from dpca_core.data.errors import TableError
from dpca_core.tables import statistics_files, workbooks


@pytest.fixture
def at_once(monkeypatch):
    """Read workbooks and statistics programs' files in this process."""

    @contextmanager
    def read(name, file, reader, **options):
        try:
            schema, batches = reader(file, **json.loads(json.dumps(options)), name=name)
            table = pa.Table.from_batches(batches, schema)
        except TableError:
            raise
        except Exception:
            raise TableError(f"{name} cannot be read as a table; it may be damaged.") from None
        with pa.RecordBatchReader.from_batches(schema, table.to_batches()) as stream:
            yield stream

    for module in (statistics_files, workbooks):
        monkeypatch.setattr(module, "read_apart", read)
