"""A Parquet file as chunks of coded columns, without ever holding a whole row group."""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import pairwise
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np

from dpca_core.ahead import in_order
from dpca_core.arrow import as_float
from dpca_core.choices import Recipe
from dpca_core.coding import Coded, CodingError, Labels, as_text
from dpca_core.separated import TableError, label, shown
from dpca_core.sources import Made, place_of
from dpca_core.tables import is_text, plain
from dpca_core.threads import processors

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
                self._metadata, schema = file.metadata, file.schema_arrow
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
        return self._read / max(int(self._metadata.num_rows), 1)

    def chunks(self, make: Callable[[Coded], Made]) -> Generator[Made]:
        """Decode batches and code them, a share of the columns in each of several threads."""
        import pyarrow as pa

        fields, count = self._fields[::-1], min(processors(), len(self._fields))
        cuts = [len(fields) * i // count for i in range(count + 1)]
        lanes = [_Lane(self._batches(fields[a:b])) for a, b in pairwise(cuts)]
        try:
            with closing(in_order(partial(self._made, make), _turns(lanes))) as found:
                for rows, made in filter(None, found):
                    self._read += rows
                    yield made
        except (pa.ArrowInvalid, OSError):
            raise TableError(f"{self.name} cannot be read as a table; it may be damaged.") from None
        finally:
            for lane in lanes:
                lane.close()

    def _batches(self, fields: Sequence[str]) -> Generator[Any]:
        """Decode some rows of these columns after others."""
        import pyarrow.parquet as pq

        with pq.ParquetFile(
            self._path, metadata=self._metadata, read_dictionary=self._texts,
            buffer_size=_BUFFER, pre_buffer=False,
        ) as file:  # fmt: skip
            yield from file.iter_batches(self._chunk_rows, columns=fields, use_threads=False)

    def _made(self, make: Callable[[Coded], Made], turn: "_Turn") -> tuple[int, Made] | None:
        batches = turn.batches()
        return (len(batches[0]), make(self._coded(batches))) if batches else None

    def _coded(self, batches: Sequence[Any]) -> Coded:
        found = {name: batch.column(name) for batch in batches for name in batch.schema.names}
        columns, p = [found[field] for field in self._fields], len(self._recipe.numbers)
        numbers, labels = map(as_float, columns[:p]), map(_labels, columns[p:])
        return Coded(len(batches[0]), list(numbers), list(labels))


class _Lane:
    """Some of the columns: whichever thread has the turn decodes their next rows."""

    def __init__(self, batches: Generator[Any]) -> None:
        self.free, self.ended, self.close = Event(), False, batches.close
        self._batches, self._left = filter(len, batches), None
        self.free.set()

    def next_rows(self, rows: int | None) -> Any:
        """Return a batch of so many rows, or as many as come; None at the end."""
        import pyarrow as pa

        if rows is None:
            batch = next(self._batches, None)
            self.ended = batch is None
            return batch
        parts: list[Any] = []
        while rows:
            if not (batch := self._left or next(self._batches, None)):
                raise OSError("Columns have different numbers of rows.")
            parts.append(batch.slice(0, rows))
            rows -= len(parts[-1])
            self._left = batch.slice(len(parts[-1]))
        if len(parts) == 1:
            return parts[0]
        return pa.Table.from_batches(parts).combine_chunks().to_batches()[0]


class _Turn:
    """The next rows of all lanes, one lane after another; in each the turns keep their order."""

    def __init__(self, lanes: Sequence[_Lane]) -> None:
        self._lanes = [(lane, lane.free, Event()) for lane in lanes]
        for lane, _, after in self._lanes:
            lane.free = after

    def batches(self) -> list[Any]:
        """Return a batch of each lane, all of as many rows; none at the end."""
        found: list[Any] = []
        try:
            for lane, before, after in self._lanes:
                before.wait()
                batch = lane.next_rows(len(found[0]) if found else None)
                after.set()
                if batch is None:
                    break
                found.append(batch)
            return found
        finally:
            for _, _, after in self._lanes:
                after.set()


def _turns(lanes: Sequence[_Lane]) -> Iterator[_Turn]:
    """Take turns until the first lane has ended; threads that are ahead then find nothing."""
    while not lanes[0].ended:
        yield _Turn(lanes)


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
