"""Typed tables: Arrow's, Parquet files and data frames, whose columns say what they hold.

A column of numbers, texts, booleans or categories of these is read; a column of another type is
refused by its type, which is public. Booleans are texts, "True" and "False", and a whole number
reads "1" whether its column is whole or floating: one missing value may change the type of a whole
column, and must move nobody's label.
"""

import math
import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any, BinaryIO

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

Parts = Callable[[Sequence[int], int], Generator[list[Any]]]
"""Reads the columns in some places, some rows at a time, as Arrow arrays; one more array, of
booleans, marks rows that stand for broken records. Only so many of the first rows may be wanted, 0
for all."""
MIXED = pa.struct([("text", pa.string()), ("is a number", pa.bool_())])
"""Type of a column in which each value has a type of its own."""
_ROWS, _BUFFER = 2**16, 2**20
"""Rows of a batch, and bytes that are read of a Parquet file at a time."""
_WHOLE = 2**63
_MARK, _ENCRYPTED = b"PAR1", b"PARE"


class TypedTable(Table):
    """Columns with types: Arrow's, or the name of another one, which is not read.

    ``mark`` is how a number's decimal mark is written where a text stands in its column.
    """

    def __init__(
        self,
        name: str,
        titles: Sequence[Any],
        types: Sequence[Any],
        rows: int,
        parts: Parts,
        mark: str = ".",
    ) -> None:
        self.name, self.columns, self._mark = name, named(name, titles), mark
        self._types, self._rows, self._parts = types, rows, parts

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
        with closing(self._parts([*map(self.columns.index, names)], 0)) as parts:
            for part in parts:
                found = zip(names, part, strict=False)
                columns = {name: _cells(c, name in numbers, self._mark) for name, c in found}
                wrong = pc.indices_nonzero(part[-1]).to_pylist() if len(part) > len(names) else ()
                read += len(part[0])
                self.done = read / max(self._rows, read)
                yield Batch(len(part[0]), columns, tuple(wrong))
        self.done = 1.0

    def first_rows(self, rows: int) -> "DataFrame":
        """Return the first rows to look at: texts as texts, numbers as numbers."""
        found: list[list[Any]] = []
        with closing(self._parts(range(len(self.columns)), rows)) as parts:
            for part in parts:
                found.append(part)
                if sum(len(one[0]) for one in found) >= rows:
                    break
        columns = []
        for place, kind in enumerate(self._types):
            none = pa.array([], kind if isinstance(kind, pa.DataType) else pa.string())
            pieces = [self._to_look_at(part[place]) for part in found] or [none]
            columns.append(_as_one(pa.chunked_array(pieces)).slice(0, rows))
        return frame_to_look_at(self.columns, columns)

    def _to_look_at(self, column: Any) -> Any:
        is_mixed = column.type == MIXED
        return _cells(column, as_number=True, mark=self._mark) if is_mixed else _as_one(column)


def arrow_table(name: str, table: Any) -> TypedTable:
    """Return an Arrow table as one."""
    types = table.schema.types
    return TypedTable(name, table.column_names, types, len(table), arrow_parts(table))


def arrow_parts(table: Any, *, marks_wrong: bool = False) -> Parts:
    """Return what reads an Arrow table, whose last column may mark broken records."""

    def parts(places: Sequence[int], most: int) -> Generator[list[Any]]:
        for start in range(0, min(most or len(table), len(table)), _ROWS):
            part = table.slice(start, _ROWS)
            yield [part.column(place) for place in (*places, *([-1] if marks_wrong else []))]

    return parts


def frame_table(frame: "DataFrame", form: TextFileFormat) -> TypedTable:
    """Return a data frame of pandas as a table."""
    kinds = [_type_of(frame.iloc[:0, place]) for place in range(frame.shape[1])]

    def column(values: "Series", kind: Any) -> Any:
        if kind is None:
            return mixed(values)
        if isinstance(kind, pa.DataType):
            return pa.array(values, from_pandas=True)
        return pa.array([None if value is None else str(value) for value in values], pa.string())

    def parts(places: Sequence[int], most: int) -> Generator[list[Any]]:
        for start in range(0, min(most or len(frame), len(frame)), _ROWS):
            part = frame.iloc[start : start + _ROWS]
            yield [column(part.iloc[:, place], kinds[place]) for place in places]

    types = [MIXED if kind is None else kind for kind in kinds]
    titles, mark = list(frame.columns), form.decimal[0]
    return TypedTable("The data frame", titles, types, len(frame), parts, mark)


def parquet_table(name: str, open_: Callable[[], BinaryIO]) -> TypedTable:
    """Read the footer of a Parquet file; a damaged or encrypted one raises ``TableError``."""

    @contextmanager
    def opened() -> Generator[Any]:
        with open_() as file:
            begin = file.read(len(_MARK))
            file.seek(-min(file.seek(0, os.SEEK_END), len(_MARK)), os.SEEK_END)
            end = file.read(len(_MARK))
            if _ENCRYPTED in (begin, end):
                raise TableError(f"{name} is an encrypted Parquet file: save it unencrypted.")
            if (begin, end) != (_MARK, _MARK):
                raise TableError(
                    f"{name} is a damaged Parquet file: its beginning or end is missing."
                )
            try:
                with pq.ParquetFile(file, buffer_size=_BUFFER, pre_buffer=False) as parquet:
                    yield parquet
            except (pa.ArrowException, OSError):
                raise TableError(f"{name} cannot be read as a table; it may be damaged.") from None

    with opened() as file:
        schema, rows = file.schema_arrow, file.metadata.num_rows
    fields = schema.names

    def parts(places: Sequence[int], most: int) -> Generator[list[Any]]:
        # By name some of the columns are read; of all of them two may have one name.
        some = None if len(places) == len(fields) else [fields[place] for place in places]
        with opened() as file:
            for part in file.iter_batches(min(most or _ROWS, _ROWS), columns=some):
                yield [part.column(place if some is None else fields[place]) for place in places]

    return TypedTable(name, fields, schema.types, rows, parts)


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
    """Return the Arrow type of a data frame's column, its own type's name where Arrow has none.

    None for a column in which each value has a type of its own.
    """
    from pandas import CategoricalDtype

    dtype = empty.dtype
    inside = dtype.categories.dtype if isinstance(dtype, CategoricalDtype) else dtype
    if inside.kind == "O" and str(inside) == "object":
        return None
    try:
        return pa.array(empty, from_pandas=True).type
    except (pa.ArrowException, TypeError, ValueError):
        return str(dtype)


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
    column = _as_one(column)
    kind = column.type
    if kind == MIXED:
        texts, are_numbers = column.flatten()
        marked = pc.replace_substring(texts, ".", mark if as_number else ".")
        return _texts(pc.if_else(are_numbers, marked, texts))
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
    column = pc.if_else(pc.less_equal(pc.binary_length(column), LONGEST_CELL), column, None)
    try:
        column.validate(full=True)
        return column.cast(pa.string())
    except pa.ArrowInvalid:
        raw = column.cast(pa.large_binary()).to_pylist()
    return pa.array([None if b is None else b.decode("utf-8", "replace") for b in raw], pa.string())


def _as_one(column: Any) -> Any:
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


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
