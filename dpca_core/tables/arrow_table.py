"""Typed tables: Arrow's, Parquet files and data frames, whose columns say what they hold.

A column of numbers, texts, booleans or categories of these is read; a column of another type is
refused by its type, which is public. Booleans are texts, "True" and "False", and a whole number
reads "1" whether its column is whole or floating: one missing value may change the type of a whole
column, and must move nobody's label.
"""

import math
import os
from abc import abstractmethod
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pyarrow.types as t

from dpca_core.data.column_names import label
from dpca_core.data.errors import TableError
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.tables.records import LONGEST_CELL
from dpca_core.tables.table import Batch, Table, named

if TYPE_CHECKING:
    from pandas import DataFrame, Series

ROWS, _BUFFER = 2**16, 2**20
"""Rows of a batch, and bytes that are read of a Parquet file at a time."""
OBJECTS = "object"
"""Type of a data frame's column in which each value has a type of its own."""
_WHOLE = 2**63
_MARK, _ENCRYPTED = b"PAR1", b"PARE"


class Part(NamedTuple):
    """Some rows: of each column wanted an Arrow array, or a list of values of any types."""

    rows: int
    columns: list[Any]
    wrong: tuple[int, ...] = ()


class TypedTable(Table):
    """Columns with types, some rows at a time; what they lie in is the subclass's matter."""

    mark = "."
    """How a number's decimal mark is written where a text stands in its column."""

    def __init__(self, name: str, titles: Sequence[Any], types: Sequence[Any], rows: int) -> None:
        """Take names and types of the columns, and how many rows there are."""
        self.name, self.columns = name, named(name, titles)
        self._types, self._rows = types, rows

    @abstractmethod
    def _parts(self, places: Sequence[int], size: int) -> Generator[Part]:
        """Read the columns in these places, at most so many rows at a time."""

    def require(self, numbers: Sequence[str], texts: Sequence[str]) -> None:
        """Refuse columns that are not there, there twice, or of a type that is not read."""
        super().require(numbers, texts)
        for column in (*numbers, *texts):
            kind = self._types[self.columns.index(column)]
            if not _is_read(kind, as_number=column not in texts):
                raise TableError(
                    f"The column “{label(column)}” of {self.name} holds values of type {kind}: "
                    "store them as numbers or texts, or leave the column out."
                )

    def _batches(self, numbers: Sequence[str], texts: Sequence[str]) -> Iterator[Batch]:
        names, read = (*numbers, *texts), 0
        with closing(self._parts([*map(self.columns.index, names)], ROWS)) as parts:
            for part in parts:
                found = zip(names, part.columns, strict=True)
                columns = {name: _cells(c, name in numbers, self.mark) for name, c in found}
                read += part.rows
                self.done = read / max(self._rows, read)
                yield Batch(part.rows, columns, part.wrong)
        self.done = 1.0

    def first_rows(self, rows: int) -> "DataFrame":
        """Return the first rows to look at: texts as texts, numbers as numbers."""
        found: list[list[Any]] = [[] for _ in self.columns]
        read = 0
        with closing(self._parts(range(len(self.columns)), min(rows, ROWS))) as parts:
            for part in parts:
                for pieces, column in zip(found, part.columns, strict=True):
                    pieces.append(_values(column, self.mark))
                read += part.rows
                if read >= rows:
                    break
        kinds = [kind if isinstance(kind, pa.DataType) else pa.string() for kind in self._types]
        columns = [
            _as_one(pieces or [pa.array([], kind)]).slice(0, rows)
            for pieces, kind in zip(found, kinds, strict=True)
        ]
        return frame_to_look_at(self.columns, columns)


class ArrowTable(TypedTable):
    """A table in memory; ``wrong`` are Arrow booleans: which rows stand for broken records."""

    def __init__(self, name: str, table: Any, wrong: Any = None) -> None:
        super().__init__(name, table.column_names, table.schema.types, len(table))
        self._table, self._wrong = table, wrong

    def _parts(self, places: Sequence[int], size: int) -> Generator[Part]:
        for start in range(0, len(self._table), size):
            part = self._table.slice(start, size)
            wrong: tuple[int, ...] = ()
            if self._wrong is not None:
                wrong = tuple(pc.indices_nonzero(self._wrong.slice(start, size)).to_pylist())
            yield Part(len(part), [part.column(place) for place in places], wrong)


class FrameTable(TypedTable):
    """A data frame of pandas."""

    def __init__(self, frame: "DataFrame", form: TextFileFormat) -> None:
        kinds = [_type_of(frame.iloc[:0, place]) for place in range(frame.shape[1])]
        super().__init__("The data frame", list(frame.columns), kinds, len(frame))
        self._frame, self.mark = frame, form.decimal[0]

    def _parts(self, places: Sequence[int], size: int) -> Generator[Part]:
        for start in range(0, len(self._frame), size):
            part = self._frame.iloc[start : start + size]
            yield Part(len(part), [self._column(part.iloc[:, p], self._types[p]) for p in places])

    def _column(self, values: "Series", kind: Any) -> Any:
        if kind == OBJECTS:
            return list(values)
        if isinstance(kind, pa.DataType):
            return pa.array(values, from_pandas=True)
        return [None if value is None else str(value) for value in values]


class ParquetTable(TypedTable):
    """A Parquet file: its footer is read when it is opened, its rows a batch at a time."""

    def __init__(self, name: str, open_: Callable[[], BinaryIO]) -> None:
        """Read the footer; a damaged or encrypted file raises ``TableError``."""
        self.name, self._open = name, open_
        with self._file() as file:
            schema, rows = file.schema_arrow, file.metadata.num_rows
        super().__init__(name, schema.names, schema.types, rows)
        self._fields = schema.names

    def _parts(self, places: Sequence[int], size: int) -> Generator[Part]:
        everything = len(places) == len(self._fields)
        fields = None if everything else [self._fields[place] for place in places]
        with self._file() as file:
            for part in file.iter_batches(size, columns=fields, use_threads=True):
                yield Part(
                    len(part), [part.column(p if everything else self._fields[p]) for p in places]
                )

    @contextmanager
    def _file(self) -> Generator[Any]:
        """Open it as ``pyarrow.parquet.ParquetFile``."""
        with self._open() as opened:
            begin = opened.read(len(_MARK))
            opened.seek(-min(opened.seek(0, os.SEEK_END), len(_MARK)), os.SEEK_END)
            end = opened.read(len(_MARK))
            if _ENCRYPTED in (begin, end):
                raise TableError(f"{self.name} is an encrypted Parquet file: save it unencrypted.")
            if (begin, end) != (_MARK, _MARK):
                raise TableError(
                    f"{self.name} is a damaged Parquet file: its beginning or end is missing."
                )
            try:
                with pq.ParquetFile(opened, buffer_size=_BUFFER, pre_buffer=False) as file:
                    yield file
            except (pa.ArrowException, OSError):
                raise TableError(
                    f"{self.name} cannot be read as a table; it may be damaged."
                ) from None


def number_text(value: float, mark: str = ".") -> str | None:
    """Write a number as the shortest text that reads back, a whole one without a point.

    What is not finite, or beyond the range of 64-bit floats, is None.
    """
    try:
        if not math.isfinite(value):
            return None
    except OverflowError:
        return None
    if value == 0:
        return "0"
    if isinstance(value, int) or (value == int(value) and abs(value) < _WHOLE):
        return str(int(value))
    return repr(float(value)).replace(".", mark)


def _values(column: Any, mark: str, as_number: bool = True) -> Any:
    """Return a column as an Arrow array; of a list each value by itself.

    A text is a text, True and False are texts, Python's int and float are numbers, and everything
    else is missing. They are float64 if all of them are numbers and that is wanted; else texts.
    """
    if not isinstance(column, list):
        return column
    texts = pa.array([_text(value, mark) for value in column], pa.string())
    if not as_number or any(isinstance(value, str | bool) for value in column):
        return texts
    return pc.replace_substring(texts, mark, ".").cast(pa.float64())


def _text(value: object, mark: str) -> str | None:
    """Return a value as a text; half a pair of surrogates becomes a question mark."""
    if isinstance(value, str | bool):
        return str(value).encode("utf-8", "replace").decode()
    return number_text(value, mark) if isinstance(value, int | float) else None


def _type_of(empty: "Series") -> Any:
    """Return the Arrow type of a column of a data frame, or its own type where Arrow has none."""
    from pandas import CategoricalDtype

    dtype = empty.dtype
    inside = dtype.categories.dtype if isinstance(dtype, CategoricalDtype) else dtype
    if inside.kind == "O" and str(inside) == "object":
        return OBJECTS
    try:
        return pa.array(empty, from_pandas=True).type
    except (pa.ArrowException, TypeError, ValueError):
        return str(dtype)


def _is_read(kind: Any, as_number: bool) -> bool:
    """Tell whether columns of a type can be used."""
    if not isinstance(kind, pa.DataType):
        return bool(kind == OBJECTS)
    if t.is_dictionary(kind):
        return _is_read(kind.value_type, as_number)
    if t.is_decimal(kind):
        return as_number
    tests = (_is_text, t.is_integer, t.is_floating, t.is_boolean, t.is_null)
    return any(test(kind) for test in tests)


def _is_text(kind: Any) -> bool:
    return bool(t.is_string(kind) or t.is_large_string(kind) or t.is_string_view(kind))


def _cells(column: Any, as_number: bool, mark: str = ".") -> Any:
    """Return a column as float64 where numbers are asked for and it holds some; else as texts."""
    column = _as_one(_values(column, mark if as_number else ".", as_number))
    kind = column.type
    if t.is_dictionary(kind):
        # Arrow takes a part of a dictionary out as whole arrays: far fewer values are looked at.
        return _cells(column.dictionary, as_number).take(column.indices)
    if t.is_null(kind):
        return pa.nulls(len(column), pa.float64() if as_number else pa.string())
    if _is_text(kind):
        return _texts(column)
    if t.is_boolean(kind):
        return pc.if_else(column, "True", "False")
    if as_number:
        return column.cast(pa.float64(), safe=False)
    if t.is_integer(kind):
        return column.cast(pa.string())
    found = column.cast(pa.float64()).dictionary_encode()
    texts = [None if v is None else number_text(v) for v in found.dictionary.to_pylist()]
    return pa.array(texts, pa.string()).take(found.indices)


def _texts(column: Any) -> Any:
    """Texts of at most ``LONGEST_CELL`` bytes; a byte that is not UTF-8 becomes U+FFFD."""
    column = column.cast(pa.large_string())
    lengths = pc.binary_length(column)
    column = pc.if_else(pc.less_equal(lengths, LONGEST_CELL), column, None)
    try:
        column.validate(full=True)
        return column.cast(pa.string())
    except pa.ArrowInvalid:
        raw = column.cast(pa.large_binary()).to_pylist()
    return pa.array([None if b is None else b.decode("utf-8", "replace") for b in raw], pa.string())


def _as_one(pieces: Any) -> Any:
    """Return an array, or the pieces of one, as one array."""
    if isinstance(pieces, list):
        pieces = pa.chunked_array(pieces)
    return pieces.combine_chunks() if isinstance(pieces, pa.ChunkedArray) else pieces


def frame_to_look_at(names: Sequence[str], columns: Sequence[Any]) -> "DataFrame":
    """Return columns as pandas shows them: numbers as numbers, everything else as texts."""
    from pandas import DataFrame, concat

    if not names:
        return DataFrame()
    frame: DataFrame = concat([_to_look_at(_as_one(column)) for column in columns], axis=1)
    frame.columns = list(names)
    return frame


def _to_look_at(column: Any) -> Any:
    """Return a column for looking: whole numbers with gaps stay whole, so that ids stay apart."""
    from pandas import Int64Dtype, UInt64Dtype

    if t.is_dictionary(column.type):
        column = column.dictionary.take(column.indices)
    kind = column.type
    if t.is_integer(kind):
        column = column if t.is_uint64(kind) else column.cast(pa.int64())
        whole = {pa.int64(): Int64Dtype(), pa.uint64(): UInt64Dtype()}
        return column.to_pandas(types_mapper=whole.get if column.null_count else None)
    if t.is_floating(kind) or t.is_decimal(kind):
        return column.cast(pa.float64(), safe=False).to_pandas()
    if _is_read(kind, as_number=False):
        return _cells(column, as_number=False).to_pandas()
    try:
        return column.cast(pa.string()).to_pandas()
    except pa.ArrowException:
        return pc.if_else(column.is_valid(), str(kind), None).to_pandas()
