"""What every table gives, and tables whose columns say what they hold: Arrow's, Parquet's, frames.

A typed column of numbers, texts, booleans or categories of these is read; one of another type is
refused by its type, which is public.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from math import isfinite
from sys import float_info
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pyarrow.types as t
from numpy.typing import NDArray

from dpca_core.data.column_names import MAX_COLUMNS, label, shown
from dpca_core.data.errors import TableError
from dpca_core.tables.records import LONGEST_CELL

if TYPE_CHECKING:
    from pandas import DataFrame, Series

Parts: TypeAlias = Generator[Any]
"""Arrow's record batches."""
MIXED = pa.struct([("text", pa.string()), ("number", pa.float64())])
"""Type of a column in which each value is a text, a number, or missing, by itself."""
TYPE = b"type"
"""Names the type of a field that has none of Arrow's: it is not read, and its texts are shown."""
_ROWS, _BUFFER = 2**16, 2**20
"""Rows of a batch, and bytes that are read of a Parquet file at a time."""
_EXACT, _WHOLE = 2**53, 2**63
"""Whole numbers below are floating numbers as well; floating ones below are written without one."""


@dataclass(frozen=True)
class Batch:
    """Some rows of a table, in its order: Arrow arrays of any type that is read, by column.

    ``wrong`` are rows, from 0, that stand for a record that did not have as many cells as the
    header, or was too long: every cell of theirs is missing.
    """

    rows: int
    columns: dict[str, Any]
    wrong: tuple[int, ...] = ()


@dataclass(frozen=True)
class Labels:
    """What a file of a statistics program says about a column: its own label, "" for none.

    ``values`` are texts that cells are read as, with their labels; none of a list that is too long.
    ``missing`` are values that the file declares missing, such as "97 to 99"; they are read so.
    """

    text: str = ""
    values: tuple[tuple[str, str], ...] = ()
    missing: tuple[str, ...] = ()


class Table(ABC):
    """A table of any length; its name is for messages and never published.

    Two of its columns may have one name. ``done`` is the share that has been read; ``labels`` are
    those of a statistics program's file, ``sheets`` those of a workbook.
    """

    name: str
    columns: tuple[str, ...]
    done: float = 0.0
    labels: Mapping[str, Labels] = MappingProxyType({})
    sheets: tuple[str, ...] = ()

    def require(self, numbers: Sequence[str], texts: Sequence[str]) -> None:
        """Refuse columns that are not there once, or of a type that is not read: by the header."""
        for name in (*numbers, *texts):
            times = self.columns.count(name)
            if times > 1:
                raise TableError(
                    f"{self.name} has {times} columns named “{label(name)}”: rename them."
                )
            if not times:
                raise TableError(f"{self.name} has no column “{label(name)}”.")

    def batches(self, numbers: Sequence[str], texts: Sequence[str]) -> Iterator[Batch]:
        """Read some columns from the beginning: what numbers are made of, and what texts are.

        Columns are refused at the call, as ``require`` says; nothing that a row holds is, and what
        one holds changes the reading of no other.
        """
        self.require(numbers, texts)
        return self._batches([name for name in numbers if name not in texts], texts, 0)

    def first_rows(self, rows: int, mark: str = ".") -> "DataFrame":
        """Return the first rows to look at: numbers as pandas has them, and all else as texts.

        ``mark`` is the decimal mark of a number in a column of texts.
        """
        from pandas import Int64Dtype, UInt64Dtype

        Table.require(self, (), self.columns)
        found, read = [], 0
        with closing(self._batches((), self.columns, rows)) as batches:
            for batch in batches:
                found.append(pa.table(batch.columns))
                read += batch.rows
                if read >= rows:
                    break
        none = pa.table({name: pa.array([], pa.string()) for name in self.columns})
        first = pa.concat_tables(found or [none]).slice(0, rows)
        columns = [_looked_at(column.combine_chunks(), mark) for column in first.columns]
        # Whole numbers with gaps stay whole, so that ids stay apart.
        whole = {pa.int64(): Int64Dtype(), pa.uint64(): UInt64Dtype()}
        table = pa.table(columns, names=[*self.columns])
        frame: DataFrame = table.to_pandas(types_mapper=whole.get)
        return frame

    @abstractmethod
    def _batches(self, numbers: Sequence[str], texts: Sequence[str], most: int) -> Generator[Batch]:
        """Read columns that are there once, of all rows (0), or so many of the first or more."""


def named(name: str, titles: Iterable[object]) -> tuple[str, ...]:
    """Return names of the columns of a table, whose own name is for the message: not too many."""
    columns = [shown(str(title)) or f"column {i}" for i, title in enumerate(titles, 1)]
    if len(columns) > MAX_COLUMNS:
        raise TableError(f"{name} has {len(columns):,} columns; the limit is {MAX_COLUMNS:,}.")
    return tuple(columns)


class TypedTable(Table):
    """A table with an Arrow schema, in which ``TYPE`` may name a type that Arrow does not have.

    ``parts`` reads columns by their places, of all rows (0) or so many of the first; ``wrong`` are
    rows of the table, as those of a batch.
    """

    def __init__(
        self, name: str, schema: Any, rows: int, parts: Callable[[Sequence[int], int], Parts]
    ) -> None:
        self.name, self.columns = name, named(name, schema.names)
        self._schema, self._rows, self._parts = schema, rows, parts
        self.wrong: Sequence[int] = ()

    def require(self, numbers: Sequence[str], texts: Sequence[str]) -> None:
        """Look at their types too."""
        super().require(numbers, texts)
        for column in (*numbers, *texts):
            field = self._schema.field(self.columns.index(column))
            other = (field.metadata or {}).get(TYPE, b"").decode()
            if other or not _is_read(field.type, as_number=column not in texts):
                raise TableError(
                    f"The column “{label(column)}” of {self.name} holds values of type "
                    f"{other or field.type}: store them as numbers or texts, or leave the column "
                    "out."
                )

    def _batches(self, numbers: Sequence[str], texts: Sequence[str], most: int) -> Generator[Batch]:
        names, read = (*numbers, *texts), 0
        with closing(self._parts([*map(self.columns.index, names)], most)) as parts:
            for part in parts:
                wrong = tuple(row - read for row in self.wrong if 0 <= row - read < len(part))
                read += len(part)
                self.done = read / max(self._rows, read, 1)
                yield Batch(len(part), dict(zip(names, part.columns, strict=True)), wrong)
        self.done = 1.0


def arrow_table(name: str, table: Any) -> TypedTable:
    """Return an Arrow table as one."""

    def parts(places: Sequence[int], most: int) -> Parts:
        yield from table.select([*places]).to_batches(_ROWS)

    return TypedTable(name, _without_metadata(table.schema), len(table), parts)


def frame_table(frame: "DataFrame") -> TypedTable:
    """Return a data frame of pandas as a table."""

    def batch(part: "DataFrame") -> Any:
        arrays, fields = [], []
        for place, name in enumerate(part.columns):
            array, about = _column(part.iloc[:, place])
            arrays.append(array)
            fields.append(pa.field(shown(str(name)), array.type, metadata=about))
        return pa.record_batch(arrays, schema=pa.schema(fields))

    def parts(places: Sequence[int], most: int) -> Parts:
        wanted = frame.iloc[:, [*places]]
        for start in range(0, len(frame), _ROWS):
            yield batch(wanted.iloc[start : start + _ROWS])

    return TypedTable("The data frame", batch(frame.iloc[:0]).schema, len(frame), parts)


def _column(values: "Series") -> tuple[Any, dict[bytes, str] | None]:
    """Return a data frame's column, as texts where Arrow does not have its type: that is named."""
    if str(getattr(values.dtype, "categories", values).dtype) == "object":
        return mixed(values), None
    try:
        found = pa.array(values, from_pandas=True)
        return found.combine_chunks() if isinstance(found, pa.ChunkedArray) else found, None
    except (pa.ArrowException, TypeError, ValueError):
        if str(values.dtype).startswith("str"):
            # Half a pair of surrogates: the other texts are what they are without it.
            return mixed(values).flatten()[0], None
        texts = [None if value is None else str(value) for value in values]
        return pa.array(texts, pa.string()), {TYPE: str(values.dtype)}


def parquet_table(name: str, open_: Callable[[], BinaryIO]) -> TypedTable:
    """Read the footer of a Parquet file; a damaged one raises ``TableError``."""

    @contextmanager
    def opened() -> Generator[Any]:
        with open_() as file:
            try:
                with pq.ParquetFile(file, buffer_size=_BUFFER, pre_buffer=False) as parquet:
                    yield parquet
            except (pa.ArrowException, OSError):
                raise TableError(f"{name} cannot be read as a table; it may be damaged.") from None

    with opened() as file:
        schema, rows = file.schema_arrow, file.metadata.num_rows

    def parts(places: Sequence[int], most: int) -> Parts:
        names = [schema.names[place] for place in places]
        with opened() as file:
            for part in file.iter_batches(min(most or _ROWS, _ROWS), columns=names):
                yield part.select(names)

    return TypedTable(name, _without_metadata(schema), rows, parts)


def _without_metadata(schema: Any) -> Any:
    """Return a schema that somebody else wrote without what only we may say of its fields."""
    return pa.schema([field.remove_metadata() for field in schema])


def mixed(values: Iterable[Any]) -> Any:
    """Return values of any types as texts and numbers, each by itself.

    A text is a text, True and False are texts, Python's finite int and float are numbers, and
    everything else is missing; half a pair of surrogates becomes a question mark.
    """
    pairs = [*map(_text_and_number, values)]
    arrays = (pa.array([pair[i] for pair in pairs], field.type) for i, field in enumerate(MIXED))
    return pa.StructArray.from_arrays([*arrays], fields=[*MIXED])


def _text_and_number(value: Any) -> tuple[str | None, float | None]:
    if isinstance(value, str | bool):
        return str(value).encode("utf-8", "replace").decode(), None
    if not isinstance(value, int | float) or not abs(value) <= float_info.max:
        return None, None
    is_exact = isinstance(value, float) or abs(value) < _EXACT
    return (None, float(value)) if is_exact else (str(value), None)


def _is_read(kind: Any, as_number: bool) -> bool:
    """Tell whether columns of a type can be used."""
    if t.is_dictionary(kind):
        return _is_read(kind.value_type, as_number)
    others = kind == MIXED or t.is_boolean(kind) or t.is_null(kind)
    return others or _is_text(kind) or (is_number(kind) and (as_number or not t.is_decimal(kind)))


def is_number(kind: Any) -> bool:
    """Tell whether all values of a type are numbers."""
    return bool(t.is_integer(kind) or t.is_floating(kind) or t.is_decimal(kind))


def _is_text(kind: Any) -> bool:
    return bool(t.is_string(kind) or t.is_large_string(kind) or t.is_string_view(kind))


def distinct(column: Any) -> tuple[Any, NDArray[np.intp]]:
    """Return the different values of a column as texts, and which of them a cell is, −1 for none.

    Booleans are "True" and "False", and a whole number reads "1" whether its column is whole or
    floating: one missing value may change the type of a whole column, and must move nobody's label.
    """
    if column.type == MIXED:
        (texts, places), (others, more) = map(distinct, column.flatten())
        places = np.where((places < 0) & (more >= 0), more + len(texts), places)
        return pa.concat_arrays([texts, others]), places
    encoded = column if t.is_dictionary(column.type) else column.dictionary_encode()
    values, places = encoded.dictionary, encoded.indices.cast(pa.int64()).fill_null(-1)
    if _is_text(values.type):
        texts = texts_of(values)
    else:
        texts = pa.array([*map(text_of, values.to_pylist())], pa.string())
    return texts, np.asarray(places.to_numpy(zero_copy_only=False), dtype=np.intp)


def text_of(value: Any) -> str | None:
    """Write a number as the shortest text that reads back, a whole one without a point."""
    if isinstance(value, float):
        if not isfinite(value):
            return None
        value = int(value) if value == int(value) and abs(value) < _WHOLE else value
    return None if value is None else str(value)


def texts_of(column: Any) -> Any:
    """Return texts of at most ``LONGEST_CELL`` bytes; a byte that is not UTF-8 becomes U+FFFD."""
    column = column if t.is_string(column.type) else column.cast(pa.large_string())
    if (pc.max(pc.binary_length(column)).as_py() or 0) > LONGEST_CELL:
        column = pc.if_else(pc.less_equal(pc.binary_length(column), LONGEST_CELL), column, None)
    try:
        column.validate(full=True)
        return column.cast(pa.string())
    except pa.ArrowInvalid:
        raw = column.cast(pa.large_binary()).to_pylist()
    return pa.array([None if b is None else b.decode("utf-8", "replace") for b in raw], pa.string())


def _looked_at(column: Any, mark: str) -> Any:
    """Return a column as it is shown: whole numbers, real ones, or texts without spaces around."""
    if column.type == MIXED:
        texts, numbers = column.flatten()
        if texts.null_count == len(texts):
            return numbers
        column = pc.coalesce(texts, pc.replace_substring(texts_in(numbers), ".", mark))
    if t.is_dictionary(column.type):
        column = column.dictionary_decode()
    kind = column.type
    if t.is_integer(kind):
        return column.cast(pa.uint64() if t.is_uint64(kind) else pa.int64())
    if is_number(kind):
        return column.cast(pa.float64(), safe=False)
    if not _is_read(kind, as_number=False):
        try:
            return column.cast(pa.string())
        except pa.ArrowException:
            return pc.if_else(column.is_valid(), str(kind), None)
    text = pc.utf8_trim_whitespace(texts_in(column))
    return pc.if_else(pc.equal(text, ""), None, text)


def texts_in(column: Any) -> Any:
    """Return the cells of a column as texts."""
    texts, places = distinct(column)
    return texts.take(pa.array(places, mask=places < 0))
