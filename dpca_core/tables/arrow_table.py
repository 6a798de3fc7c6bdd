"""Typed tables: Arrow's, Parquet files and data frames, whose columns say what they hold.

A column of numbers, texts, booleans or categories of these is read; a column of another type is
refused by its type, which is public. Booleans are texts, "True" and "False", and a whole number
reads "1" whether its column is whole or floating: one missing value may change the type of a whole
column, and must move nobody's label.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.types as t

from dpca_core.data.column_names import MAX_COLUMNS, label, shown
from dpca_core.data.errors import TableError
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.tables.records import LONGEST_CELL
from dpca_core.tables.table import Batch

if TYPE_CHECKING:
    from pandas import DataFrame, Series

ROWS = 2**16
"""Rows of a batch."""
OBJECTS = "object"
"""Type of a data frame's column in which each value has a type of its own."""
_WHOLE = 2**63


class TypedTable:
    """Columns with types, a batch of rows at a time; what they lie in is the subclass's matter."""

    def __init__(self, name: str, columns: Sequence[Any], types: Sequence[Any]) -> None:
        """Take names and types of the columns.

        Raises
        ------
        TableError
            For too many columns.
        """
        if len(columns) > MAX_COLUMNS:
            raise TableError(f"{name} has {len(columns):,} columns; the limit is {MAX_COLUMNS:,}.")
        self.name, self._types = name, types
        self.columns = tuple(shown(str(c)) or f"column {i}" for i, c in enumerate(columns, 1))
        self.done: float | None = 0.0

    def require(self, numbers: Sequence[str], texts: Sequence[str]) -> None:
        """Refuse columns that are not there, there twice, or of a type that is not read.

        Raises
        ------
        TableError
            In one sentence, from names and types alone.
        """
        require_names(self, (*numbers, *texts))
        for column in (*numbers, *texts):
            kind = self._types[self.columns.index(column)]
            if not _is_read(kind, as_number=column not in texts):
                raise TableError(
                    f"The column “{label(column)}” of {self.name} holds values of type {kind}: "
                    "store them as numbers or texts, or leave the column out."
                )

    def batches(self, numbers: Sequence[str], texts: Sequence[str]) -> Iterator[Batch]:
        """Read some columns; refusals come at the call, before the first row is read."""
        self.require(numbers, texts)
        return self._read([n for n in numbers if n not in texts], texts)

    def _read(self, numbers: Sequence[str], texts: Sequence[str]) -> Iterator[Batch]:
        raise NotImplementedError


class ArrowTable(TypedTable):
    """A table in memory.

    Parameters
    ----------
    wrong
        Arrow booleans, true for rows that stand for a broken record; None where there is none.
    """

    def __init__(self, name: str, table: Any, wrong: Any = None) -> None:
        super().__init__(name, table.column_names, table.schema.types)
        self._table, self._wrong = table, wrong

    def _read(self, numbers: Sequence[str], texts: Sequence[str]) -> Iterator[Batch]:
        for start in range(0, len(self._table), ROWS):
            part = self._table.slice(start, ROWS)
            chosen = {c: part.column(self.columns.index(c)) for c in (*numbers, *texts)}
            wrong: tuple[int, ...] = ()
            if self._wrong is not None:
                wrong = tuple(pc.indices_nonzero(self._wrong.slice(start, ROWS)).to_pylist())
            self.done = (start + len(part)) / len(self._table)
            yield Batch(len(part), cells_of(chosen, numbers), wrong)
        self.done = 1.0

    def first_rows(self, rows: int) -> "DataFrame":
        """Return the first rows to look at: texts as texts, numbers as numbers."""
        return frame_to_look_at(self.columns, self._table.slice(0, rows).columns)


class FrameTable(TypedTable):
    """A data frame of pandas."""

    def __init__(self, frame: "DataFrame", form: TextFileFormat) -> None:
        kinds = [_type_of(frame.iloc[:0, place]) for place in range(frame.shape[1])]
        super().__init__("The data frame", list(frame.columns), kinds)
        self._frame, self._form = frame, form

    def _read(self, numbers: Sequence[str], texts: Sequence[str]) -> Iterator[Batch]:
        for start in range(0, len(self._frame), ROWS):
            part = self._frame.iloc[start : start + ROWS]
            found = {c: self._column(part, c, c in numbers) for c in (*numbers, *texts)}
            self.done = (start + len(part)) / len(self._frame)
            yield Batch(len(part), cells_of(found, numbers))
        self.done = 1.0

    def _column(self, part: "DataFrame", column: str, as_number: bool) -> Any:
        place = self.columns.index(column)
        if self._types[place] == OBJECTS:
            mark = self._form.decimal[0] if as_number else "."
            return array_of_values(part.iloc[:, place], mark, as_number=as_number)
        return pa.array(part.iloc[:, place], from_pandas=True)

    def first_rows(self, rows: int) -> "DataFrame":
        """Return the first rows to look at: texts as texts, numbers as numbers."""
        part = self._frame.iloc[:rows]
        found = []
        for place, kind in enumerate(self._types):
            column = part.iloc[:, place]
            if kind == OBJECTS:
                found.append(array_of_values(column, ".", as_number=True))
            elif isinstance(kind, pa.DataType):
                found.append(pa.array(column, from_pandas=True))
            else:
                found.append(pa.array([None if v is None else str(v) for v in column]))
        return frame_to_look_at(self.columns, found)


def require_names(table: Any, names: Iterable[str]) -> None:
    """Refuse columns that a table does not have once.

    Raises
    ------
    TableError
        For the first that is not there, or there twice.
    """
    for name in names:
        times = table.columns.count(name)
        if times > 1:
            raise TableError(
                f"{table.name} has {times} columns named “{label(name)}”: rename them."
            )
        if not times:
            raise TableError(f"{table.name} has no column “{label(name)}”.")


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


def array_of_values(values: Iterable[Any], mark: str, *, as_number: bool) -> Any:
    """Return values of any types as an Arrow array, each by itself.

    A text is a text, True and False are texts, Python's int and float are numbers, and everything
    else is missing. They are float64 if all of them are numbers and that is wanted; else texts.
    """
    found = [v if isinstance(v, str | bool | int | float) else None for v in values]
    if as_number and not any(isinstance(value, str | bool) for value in found):
        return pa.array(map(_as_float, found), pa.float64(), from_pandas=True)
    texts = [
        str(value)
        if isinstance(value, str | bool)
        else None
        if value is None
        else number_text(value, mark)
        for value in found
    ]
    try:
        return pa.array(texts, pa.string())
    except UnicodeEncodeError:
        # Half a pair of surrogates, which no file can hold.
        whole = [None if v is None else v.encode("utf-8", "replace").decode() for v in texts]
        return pa.array(whole, pa.string())


def _as_float(value: Any) -> float | None:
    with suppress(OverflowError):
        return None if value is None else float(value)
    return None


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
    return is_text(kind) or any(
        test(kind) for test in (t.is_integer, t.is_floating, t.is_boolean, t.is_null)
    )


def is_text(kind: Any) -> bool:
    """Tell whether an Arrow type is text."""
    return bool(t.is_string(kind) or t.is_large_string(kind) or t.is_string_view(kind))


def cells_of(columns: dict[str, Any], numbers: Sequence[str]) -> dict[str, Any]:
    """Return columns as a batch holds them: numbers as float64, everything else as texts."""
    return {name: _cell_array(column, name in numbers) for name, column in columns.items()}


def _cell_array(column: Any, as_number: bool) -> Any:
    """Return a column as float64 where numbers are asked for and it holds some; else as texts."""
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    kind = column.type
    if t.is_dictionary(kind):
        # Arrow takes a part of a dictionary out as whole arrays: far fewer values are looked at.
        return _cell_array(column.dictionary, as_number).take(column.indices)
    if t.is_null(kind):
        return pa.nulls(len(column), pa.float64() if as_number else pa.string())
    if is_text(kind):
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
    lengths = pc.binary_length(column.cast(pa.large_string()))
    column = pc.if_else(pc.less_equal(lengths, LONGEST_CELL), column, None)
    try:
        column.validate(full=True)
        return column.cast(pa.string())
    except pa.ArrowInvalid:
        raw = column.cast(pa.large_string()).cast(pa.large_binary()).to_pylist()
    return pa.array([None if b is None else b.decode("utf-8", "replace") for b in raw], pa.string())


def frame_to_look_at(names: Sequence[str], columns: Sequence[Any]) -> "DataFrame":
    """Return columns as pandas shows them: numbers as numbers, everything else as texts."""
    from pandas import DataFrame, concat

    if not names:
        return DataFrame()
    frame: DataFrame = concat([_to_look_at(column) for column in columns], axis=1)
    frame.columns = list(names)
    return frame


def _to_look_at(column: Any) -> Any:
    """Return a column for looking: whole numbers with gaps stay whole, so that ids stay apart."""
    from pandas import Int64Dtype, UInt64Dtype

    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    if t.is_dictionary(column.type):
        column = column.dictionary.take(column.indices)
    kind = column.type
    if t.is_integer(kind):
        column = column if t.is_uint64(kind) else column.cast(pa.int64())
        whole = {pa.int64(): Int64Dtype(), pa.uint64(): UInt64Dtype()}
        return column.to_pandas(types_mapper=whole.get if column.null_count else None)
    if t.is_floating(kind) or t.is_decimal(kind):
        return column.cast(pa.float64(), safe=False).to_pandas()
    if is_text(kind) or t.is_boolean(kind) or t.is_null(kind):
        return _cell_array(column, as_number=False).to_pandas()
    try:
        return column.cast(pa.string()).to_pandas()
    except pa.ArrowException:
        return pc.if_else(column.is_valid(), str(kind), None).to_pandas()
