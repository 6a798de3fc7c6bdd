"""What every table gives, and tables whose columns say what they hold: Arrow's, Parquet's, frames.

A typed column of numbers, texts, booleans or categories of these is read; one of another type is
refused by its type, which is public. Booleans are texts, "True" and "False", and a whole number
reads "1" whether its column is whole or floating: one missing value may change the type of a whole
column, and must move nobody's label.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from sys import float_info
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pyarrow.types as t

from dpca_core.data.column_names import MAX_COLUMNS, label, shown
from dpca_core.data.errors import TableError
from dpca_core.tables.records import LONGEST_CELL

if TYPE_CHECKING:
    from pandas import DataFrame, Series

Parts = Generator[Sequence[Any]]
"""Some columns, some rows at a time, as Arrow arrays."""
MIXED = pa.struct([("text", pa.string()), ("is a number", pa.bool_())])
"""Type of a column in which each value has a type of its own."""
_ROWS, _BUFFER = 2**16, 2**20
"""Rows of a batch, and bytes that are read of a Parquet file at a time."""
_WHOLE = 2**63


@dataclass(frozen=True)
class Batch:
    """Some rows of a table, in its order.

    Columns are Arrow arrays: numbers as float64, or as text where cells have to be looked at; the
    others as text. ``wrong`` are rows, from 0, that stand for a record that did not have as many
    cells as the header, or was too long: every cell of theirs is missing.
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

    Two of its columns may have one name. ``done`` is the share that has been read, where that is
    known, and ``mark`` the decimal mark of numbers where a text stands in their column; ``labels``
    are those of a statistics program's file, ``sheets`` those of a workbook.
    """

    name: str
    columns: tuple[str, ...]
    done: float | None = 0.0
    mark: str = "."
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
        """Read some columns from the beginning: numbers, and others as text.

        Columns are refused at the call, as ``require`` says; nothing that a row holds is, and what
        one holds changes the reading of no other.
        """
        self.require(numbers, texts)
        return self._batches([name for name in numbers if name not in texts], texts)

    @abstractmethod
    def _batches(self, numbers: Sequence[str], texts: Sequence[str]) -> Iterator[Batch]:
        """Read columns that are there, each of them once."""

    def first_rows(self, rows: int) -> "DataFrame":
        """Return the first rows to look at: numbers as pandas has them, and all else as texts."""
        from pandas import DataFrame

        names, types, parts = self._to_look_at(rows)
        found: list[Sequence[Any]] = []
        with closing(parts):
            for part in parts:
                found.append(part)
                if sum(len(one[0]) for one in found) >= rows:
                    break
        columns = {}
        for place, kind in enumerate(types):
            kind = kind if isinstance(kind, pa.DataType) else pa.string()
            whole = pa.chunked_array([part[place] for part in found], kind)
            columns[place] = _as_pandas(whole.combine_chunks().slice(0, rows), self.mark)
        frame = DataFrame(columns)
        frame.columns = [*names]
        return frame

    @abstractmethod
    def _to_look_at(self, rows: int) -> tuple[Sequence[str], Sequence[Any], Parts]:
        """Return names and types of columns, and parts of so many of the first rows, or of more."""


def named(name: str, titles: Iterable[object]) -> tuple[str, ...]:
    """Return names of the columns of a table, whose own name is for the message: not too many."""
    columns = [shown(str(title)) or f"column {i}" for i, title in enumerate(titles, 1)]
    if len(columns) > MAX_COLUMNS:
        raise TableError(f"{name} has {len(columns):,} columns; the limit is {MAX_COLUMNS:,}.")
    return tuple(columns)


class TypedTable(Table):
    """Columns with types: Arrow's, or the name of another one, which is not read.

    ``parts`` reads columns by their places, of all rows (0) or so many of the first.
    """

    def __init__(
        self,
        name: str,
        titles: Sequence[Any],
        types: Sequence[Any],
        rows: int,
        parts: Callable[[Sequence[int], int], Parts],
        *,
        mark: str = ".",
        wrong: Sequence[int] = (),
    ) -> None:
        self.name, self.columns = name, named(name, titles)
        self._types, self._rows, self._parts = types, rows, parts
        self.mark, self._wrong = mark, wrong

    def require(self, numbers: Sequence[str], texts: Sequence[str]) -> None:
        """Look at their types too."""
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
        with closing(self._parts([*map(self.columns.index, names)], 0)) as parts:
            for part in parts:
                found = zip(names, part, strict=True)
                columns = {name: _cells(c, name in numbers, self.mark) for name, c in found}
                size = len(part[0])
                wrong = tuple(row - read for row in self._wrong if 0 <= row - read < size)
                read += size
                self.done = read / max(self._rows, read, 1)
                yield Batch(size, columns, wrong)
        self.done = 1.0

    def _to_look_at(self, rows: int) -> tuple[Sequence[str], Sequence[Any], Parts]:
        return self.columns, self._types, self._parts(range(len(self.columns)), rows)


def arrow_table(name: str, table: Any, **more: Any) -> TypedTable:
    """Return an Arrow table as one."""

    def parts(places: Sequence[int], most: int) -> Parts:
        step = min(most or _ROWS, _ROWS)
        for start in range(0, len(table), step):
            part = table.slice(start, step)
            yield [part.column(place).combine_chunks() for place in places]

    return TypedTable(name, table.column_names, table.schema.types, len(table), parts, **more)


def frame_table(frame: "DataFrame", mark: str) -> TypedTable:
    """Return a data frame of pandas as a table."""
    types = [_type_of(frame.iloc[:0, place]) for place in range(frame.shape[1])]

    def column(values: "Series", kind: Any) -> Any:
        if kind == MIXED:
            return mixed(values)
        if isinstance(kind, pa.DataType):
            found = pa.array(values, from_pandas=True)
            return found.combine_chunks() if isinstance(found, pa.ChunkedArray) else found
        return pa.array([None if value is None else str(value) for value in values], pa.string())

    def parts(places: Sequence[int], most: int) -> Parts:
        step = min(most or _ROWS, _ROWS)
        for start in range(0, len(frame), step):
            part = frame.iloc[start : start + step]
            yield [column(part.iloc[:, place], types[place]) for place in places]

    return TypedTable("The data frame", list(frame.columns), types, len(frame), parts, mark=mark)


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
    fields = schema.names

    def parts(places: Sequence[int], most: int) -> Parts:
        # By name some of the columns are read; of all of them two may have one name.
        some = None if len(places) == len(fields) else [fields[place] for place in places]
        with opened() as file:
            for part in file.iter_batches(min(most or _ROWS, _ROWS), columns=some):
                yield [part.column(place if some is None else fields[place]) for place in places]

    return TypedTable(name, fields, schema.types, rows, parts)


def number_text(value: float, mark: str = ".") -> str | None:
    """Write a finite number as the shortest text that reads back, a whole one without a point."""
    if not abs(value) <= float_info.max:
        return None
    if isinstance(value, int) or (value == int(value) and abs(value) < _WHOLE):
        return str(int(value))
    return repr(float(value)).replace(".", mark)


def mixed(values: Iterable[Any]) -> Any:
    """Return values of any types as texts, each by itself, and which of them are numbers.

    A text is a text, True and False are texts, Python's int and float are numbers, and everything
    else is missing; half a pair of surrogates becomes a question mark.
    """
    texts, numbers = [], []
    for value in values:
        is_text = isinstance(value, str | bool)
        numbers.append(not is_text and isinstance(value, int | float))
        text = number_text(value) if numbers[-1] else None
        texts.append(str(value).encode("utf-8", "replace").decode() if is_text else text)
    arrays = pa.array(texts, pa.string()), pa.array(numbers, pa.bool_())
    return pa.StructArray.from_arrays(arrays, fields=[*MIXED])


def _type_of(empty: "Series") -> Any:
    """Return the Arrow type of a data frame's column, its own type's name where Arrow has none."""
    if str(getattr(empty.dtype, "categories", empty).dtype) == "object":
        return MIXED
    try:
        return pa.array(empty, from_pandas=True).type
    except (pa.ArrowException, TypeError, ValueError):
        return str(empty.dtype)


def _is_read(kind: Any, as_number: bool) -> bool:
    """Tell whether columns of a type can be used."""
    if not isinstance(kind, pa.DataType) or kind == MIXED:
        return bool(kind == MIXED)
    if t.is_dictionary(kind):
        return _is_read(kind.value_type, as_number)
    tests = (_is_text, t.is_integer, t.is_floating, t.is_boolean, t.is_null)
    return as_number if t.is_decimal(kind) else any(test(kind) for test in tests)


def _is_text(kind: Any) -> bool:
    return bool(t.is_string(kind) or t.is_large_string(kind) or t.is_string_view(kind))


def _cells(column: Any, as_number: bool, mark: str = ".") -> Any:
    """Return a column as float64 where numbers are asked for and it holds some; else as texts."""
    kind = column.type
    if kind == MIXED:
        texts, are_numbers = column.flatten()
        marked = pc.replace_substring(texts, ".", mark if as_number else ".")
        return texts_of(pc.if_else(are_numbers, marked, texts))
    if t.is_dictionary(kind):
        # Arrow takes a part of a dictionary out as whole arrays: far fewer values are looked at.
        return _cells(column.dictionary, as_number).take(column.indices)
    if _is_text(kind):
        return texts_of(column)
    if t.is_boolean(kind):
        return pc.if_else(column, "True", "False")
    if as_number:
        return column.cast(pa.float64(), safe=False)
    if not t.is_floating(kind):
        return column.cast(pa.string())
    found = column.cast(pa.float64()).dictionary_encode()
    texts = [None if v is None else number_text(v) for v in found.dictionary.to_pylist()]
    return pa.array(texts, pa.string()).take(found.indices)


def texts_of(column: Any) -> Any:
    """Return texts of at most ``LONGEST_CELL`` bytes; a byte that is not UTF-8 becomes U+FFFD."""
    column = column.cast(pa.large_string())
    column = pc.if_else(pc.less_equal(pc.binary_length(column), LONGEST_CELL), column, None)
    try:
        column.validate(full=True)
        return column.cast(pa.string())
    except pa.ArrowInvalid:
        raw = column.cast(pa.large_binary()).to_pylist()
    return pa.array([None if b is None else b.decode("utf-8", "replace") for b in raw], pa.string())


def _as_pandas(column: Any, mark: str) -> Any:
    """Return a column for looking: whole numbers with gaps stay whole, so that ids stay apart."""
    from pandas import Int64Dtype, UInt64Dtype

    kind = column.type
    if t.is_dictionary(kind):
        return _as_pandas(column.dictionary_decode(), mark)
    if t.is_integer(kind):
        column = column if t.is_uint64(kind) else column.cast(pa.int64())
        whole = {pa.int64(): Int64Dtype(), pa.uint64(): UInt64Dtype()}
        return column.to_pandas(types_mapper=whole.get if column.null_count else None)
    if t.is_floating(kind) or t.is_decimal(kind):
        return column.cast(pa.float64(), safe=False).to_pandas()
    if _is_read(kind, as_number=False):
        return _cells(column, kind == MIXED, mark).to_pandas()
    try:
        return column.cast(pa.string()).to_pandas()
    except pa.ArrowException:
        return pc.if_else(column.is_valid(), str(kind), None).to_pandas()
