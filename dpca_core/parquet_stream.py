"""A Parquet file as chunks of coded columns, without ever holding a whole row group."""

from collections.abc import Callable, Generator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from dpca_core.ahead import in_order
from dpca_core.arrow import as_float, side_by_side
from dpca_core.choices import Recipe
from dpca_core.coding import Coded, CodingError, Labels, as_text, require_finite
from dpca_core.separated import TableError, label, shown
from dpca_core.sources import Made, place_of
from dpca_core.tables import is_text, plain

_BUFFER = 2**16


class ParquetFile:
    """One file; its columns are checked when it is opened."""

    def __init__(self, path: Path, name: str, recipe: Recipe, chunk_rows: int) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        self.name, self._recipe, self._chunk_rows, self._read = name, recipe, chunk_rows, 0
        self._path = path
        try:
            with pq.ParquetFile(path) as file:
                self._rows, schema = int(file.metadata.num_rows), file.schema_arrow
        except (pa.ArrowInvalid, OSError):
            raise TableError(
                f"{name} is a damaged Parquet file: its beginning or end is missing."
            ) from None
        names = [shown(str(column)) for column in schema.names]
        self._fields = [schema.names[place_of(c.name, names)] for c in recipe.columns]
        for number, field in zip(recipe.numbers, self._fields, strict=False):
            if not _is_number(schema.field(field).type):
                raise CodingError(f"The column {label(number.name)} does not hold numbers.")
        hot = self._fields[len(recipe.numbers) :]
        self._texts = [field for field in hot if is_text(schema.field(field).type)]

    @property
    def done(self) -> float | None:
        """Share of the rows."""
        return self._read / max(self._rows, 1)

    def chunks(self, make: Callable[[Coded], Made]) -> Generator[Made]:
        """Decode batches and code them."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            with pq.ParquetFile(
                self._path, read_dictionary=self._texts, buffer_size=_BUFFER, pre_buffer=False
            ) as file:
                batches = file.iter_batches(self._chunk_rows, columns=self._fields)
                for rows, made in in_order(partial(self._made, make), batches):
                    self._read += rows
                    yield made
        except (pa.ArrowInvalid, OSError):
            raise TableError(f"{self.name} cannot be read as a table; it may be damaged.") from None

    def _made(self, make: Callable[[Coded], Made], batch: Any) -> tuple[int, Made]:
        return len(batch), make(self._coded(batch))

    def _coded(self, batch: Any) -> Coded:
        numbers = self._recipe.numbers
        columns = [batch.column(field) for field in self._fields]
        values = side_by_side([as_float(c) for c in columns[: len(numbers)]], len(batch))
        require_finite(values, numbers)
        return Coded(values, tuple(_labels(c) for c in columns[len(numbers) :]))


def _is_number(kind: Any) -> bool:
    import pyarrow.types as t

    tests = (t.is_integer, t.is_floating, t.is_decimal, t.is_boolean)
    return any(test(kind) for test in tests)


def _labels(column: Any) -> Labels:
    import pyarrow as pa
    import pyarrow.compute as pc

    encoded = column.dictionary_encode()
    codes = pc.fill_null(encoded.indices, -1).to_numpy().astype(np.intp)
    texts = as_text(plain(pa.chunked_array([encoded.dictionary])))
    return Labels(codes, texts.astype(object).tolist())
