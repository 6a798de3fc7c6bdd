"""A Parquet file as chunks of coded columns, without ever holding a whole row group."""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import pairwise
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np

from dpca_core.data.arrow_labels import arrow_labels
from dpca_core.data.column_names import label, shown
from dpca_core.data.encoding import EncodedColumns, coded_columns, text_codes
from dpca_core.data.errors import EncodingError, TableError
from dpca_core.data.recipe import Number, Reading, Recipe
from dpca_core.data.text_cells import numbers_of
from dpca_core.linalg.arrays import Array
from dpca_core.readers.arrow_arrays import as_float
from dpca_core.readers.file_access import name_of, open_file
from dpca_core.readers.parquet_table import is_number_type, is_text, open_parquet, whole_text
from dpca_core.readers.row_source import Made, place_of
from dpca_core.readers.rows_apart import coded_apart
from dpca_core.runtime.threads import prefetch, processors
from dpca_core.tables.files import Upload

_BUFFER = 2**16


class ParquetFile:
    """One file; its columns are checked when it is opened."""

    def __init__(
        self,
        given: Path | Upload,
        recipe: Recipe,
        chunk_rows: int,
        reading: Reading = Reading.STRICT,
    ) -> None:
        """Read the footer.

        Raises
        ------
        TableError, EncodingError
            Where there is none, a column of the recipe is not in it or, in strict reading, holds no
            numbers where the recipe asks for them.
        """
        self._given, self._recipe, self._chunk_rows, self._read = given, recipe, chunk_rows, 0
        self.name = name_of(given)
        with open_parquet(given) as file:
            self._metadata, schema = file.metadata, file.schema_arrow
        names = [shown(str(column)) for column in schema.names]
        wanted = (*(column.name for column in recipe.columns), *recipe.person)
        self._fields = [schema.names[place_of(name, names)] for name in wanted]
        self._p, self._strict = len(recipe.numbers), reading is Reading.STRICT
        self._silent = reading is Reading.SILENT
        for number, field in zip(recipe.numbers, self._fields, strict=False):
            kind = schema.field(field).type
            told = is_text(kind) and (number.unit or text_codes(number, recipe.number_format))
            if reading is Reading.STRICT and not (is_number_type(kind) or told):
                raise _no_numbers(number)
        hot = set(self._fields[self._p :])
        self._texts = [field for field in hot if is_text(schema.field(field).type)]

    @property
    def rows(self) -> int:
        """Number of rows, as the file itself says."""
        return int(self._metadata.num_rows)

    @property
    def done(self) -> float | None:
        """Share of the rows."""
        return self._read / max(self.rows, 1)

    def chunks(self, make: Callable[[EncodedColumns], Made]) -> Generator[Made]:
        """Decode batches and code them, a share of the columns in each of several threads."""
        import pyarrow as pa

        self._read = 0
        # Whether the file may be opened is no matter of what is in it: that is said in any reading.
        open_file(self._given).close()
        fields = list(dict.fromkeys(self._fields[::-1]))
        count = min(processors(), len(fields))
        cuts = [len(fields) * i // count for i in range(count + 1)]
        lanes = [_Lane(self._batches(fields[a:b])) for a, b in pairwise(cuts)]
        try:
            with closing(prefetch(partial(self._made, make), _turns(lanes))) as found:
                for parts in found:
                    for rows, made in parts:
                        self._read += rows
                        yield made
        except (pa.ArrowException, OSError, TableError) as error:
            if self._silent:
                return
            if isinstance(error, TableError):
                raise
            raise TableError(f"{self.name} cannot be read as a table; it may be damaged.") from None
        finally:
            for lane in lanes:
                lane.close()

    def _batches(self, fields: Sequence[str]) -> Generator[Any]:
        """Decode some rows of these columns after others."""
        with open_parquet(
            self._given,
            metadata=self._metadata,
            read_dictionary=self._texts,
            buffer_size=_BUFFER,
            pre_buffer=False,
        ) as file:
            yield from file.iter_batches(self._chunk_rows, columns=fields, use_threads=False)

    def _made(
        self, make: Callable[[EncodedColumns], Made], turn: "_Turn"
    ) -> list[tuple[int, Made]]:
        batches = turn.batches()
        if not batches:
            return []
        rows = len(batches[0])
        if not self._silent:
            return [(rows, make(self._coded(batches)))]

        def code(start: int, stop: int) -> EncodedColumns:
            return self._coded([batch.slice(start, stop - start) for batch in batches])

        return [(found.rows, make(found)) for found in coded_apart(rows, code, self._recipe)]

    def _coded(self, batches: Sequence[Any]) -> EncodedColumns:
        found = {name: batch.column(name) for batch in batches for name in batch.schema.names}
        columns = [found[field] for field in self._fields]
        numbers = [
            self._numbers(column, number)
            for column, number in zip(columns, self._recipe.numbers, strict=False)
        ]
        labels = [arrow_labels(column) for column in columns[self._p :]]
        return coded_columns(len(batches[0]), numbers, labels, self._recipe)

    def _numbers(self, column: Any, number: Number) -> Array:
        """Numbers of a column, of text cell by cell; what can be no number is missing."""
        import pyarrow.types as t

        if t.is_dictionary(column.type):
            column = column.cast(column.type.value_type)
        if is_number_type(column.type):
            return as_float(column)
        if not is_text(column.type):
            return np.full(len(column), np.nan)
        form = self._recipe.number_format
        found = numbers_of(whole_text(column), form, number.unit, text_codes(number, form))
        if self._strict and found.wrong.any():
            raise _no_numbers(number)
        return found.values


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


def _no_numbers(number: Number) -> EncodingError:
    return EncodingError(f"The column {label(number.name)} does not hold numbers.")
