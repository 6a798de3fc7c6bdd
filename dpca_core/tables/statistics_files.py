"""Files of statistics programs (.sav, .zsav, .por, .dta, .sas7bdat, .xpt) as tables.

What a column is, the file's own dictionary says: a number, a text, or a date, which is refused by
its type. A value that the file declares missing is missing. Labels of values and columns are shown
to the owner, who confirms them: programs make them from the answers (Stata's ``encode``, R's
factors), so they count as read from the file, and the order of a list is no scale's.
"""

import codecs
import json
import re
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO

import pyarrow as pa

from dpca_core.data.errors import TableError
from dpca_core.tables.apart import read_apart, require_installed
from dpca_core.tables.arrow_table import Part, TypedTable, frame_to_look_at, number_text

if TYPE_CHECKING:
    from pandas import DataFrame

MOST_LABELS = 50
"""A longer list of values is not offered."""
_CHUNK, _MOST_ROWS = 2**26, 2**18
"""Bytes and rows that are read at a time: the reader begins anew for each part of the file."""
_LABELS, _ROWS = b"labels", b"rows"
_READERS = {
    ".sav": "read_sav",
    ".zsav": "read_sav",
    ".por": "read_por",
    ".dta": "read_dta",
    ".sas7bdat": "read_sas7bdat",
    ".xpt": "read_xport",
}
_TYPES = dict.fromkeys(("string", "string ref"), pa.string()) | dict.fromkeys(
    ("int8", "int16", "int32"), pa.int64()
)
"""All others are floating."""
_BYTES = "ISO-8859-1"
"""Every byte is a letter: so the reader fails at none, and texts are decoded afterwards."""
_DATE = re.compile(
    r"(?:[AEJS]?DATE|DATETIME|YMDHMS|[DM]?TIME|MOYR|QYR|WKYR|WEEKDAT[EX]|DTDATE|MONYY|YYMON|YYMM"
    r"|(?:MMDDYY|DDMMYY|YYMMDD)[BCDNPS]?|(?:IS|E|B)8601(?:DA|DT|DN|TM)|(?:DATE|MDY|TIME)AMPM|TOD"
    r"|HHMM|JULIAN)\d*(?:\.\d*)?"
)
"""Formats of SPSS and SAS by which numbers are shown as dates and times."""
_STATA_DATE = re.compile(r"%-?(?:t[a-zA-Z]|d)")


@dataclass(frozen=True)
class Labels:
    """What a file says about one of its columns.

    Attributes
    ----------
    text
        The column's label; "" for none.
    values
        Each value, as it is read as a text, with its label; none of a list that is too long.
    missing
        Values that the file declares missing, such as "9" or "97 to 99"; they are read so.
    """

    text: str = ""
    values: tuple[tuple[str, str], ...] = ()
    missing: tuple[str, ...] = ()


class StatisticsTable(TypedTable):
    """A file of a statistics program, read in a process of its own.

    Attributes
    ----------
    labels
        By column, of those that have any.
    """

    def __init__(self, name: str, open_: Callable[[], BinaryIO], ending: str) -> None:
        """Read the file's dictionary."""
        require_installed(name, "pyreadstat", "a file of a statistics program")
        self.name, self._open, self._ending = name, open_, ending.lower()
        with self._stream() as stream:
            schema = stream.schema
        types = ["date or time" if field.metadata else field.type for field in schema]
        super().__init__(name, schema.names, types, int(schema.metadata[_ROWS]))
        self.labels = {
            column: Labels(text, tuple(map(tuple, values)), tuple(missing))
            for column, (text, values, missing) in json.loads(schema.metadata[_LABELS]).items()
            if text or values or missing
        }

    @contextmanager
    def _stream(self, places: Sequence[int] = (), most: int = 0) -> Generator[Any]:
        """Open the file and read it apart."""
        options = {"ending": self._ending, "places": [*places], "most": most}
        with (
            self._open() as file,
            read_apart(self.name, file, statistics_batches, **options) as stream,
        ):
            yield stream

    def _parts(self, places: Sequence[int], size: int) -> Generator[Part]:
        with self._stream(places) as stream:
            for part in stream:
                yield Part(len(part), part.columns)

    def first_rows(self, rows: int) -> "DataFrame":
        """Return the first rows to look at: texts as texts, numbers as numbers, dates as texts."""
        with self._stream(range(len(self.columns)), rows) as stream:
            return frame_to_look_at(self.columns, stream.read_all().columns)


def statistics_batches(
    file: BinaryIO, *, name: str, ending: str, places: Sequence[int], most: int
) -> tuple[Any, Iterator[Any]]:
    """Return an Arrow schema of all columns, or of some with their rows.

    Parameters
    ----------
    places
        Which columns to read; with none the schema of all is returned, without rows.
    most
        Rows to read, to look at: dates as texts; 0 for all, with dates as the numbers they are.
    """
    try:
        dictionary = _Dictionary(file, ending)
    except Exception:
        raise TableError(f"{name} cannot be read as a {ending} file; it may be damaged.") from None
    if places:
        return dictionary.rows(places, most)
    return dictionary.schema, iter(())


class _Dictionary:
    """What a file says about its columns."""

    def __init__(self, file: BinaryIO, ending: str) -> None:
        self._file, self._ending = file, ending
        # Of these two kinds no value can be declared missing.
        more = {} if ending in (".por", ".xpt") else {"user_missing": True}
        facts = self._facts = self._read(metadataonly=True, **more)[1]
        self._codec = ""
        with suppress(Exception):
            found = self._read(metadataonly=True, encoding=None)[1].file_encoding
            self._codec = codecs.lookup(found).name
        fields = [self._field(raw) for raw in facts.column_names]
        labels = {self._text(raw): self._labels(raw) for raw in facts.column_names}
        about = {_LABELS: json.dumps(labels), _ROWS: str(facts.number_rows or 0)}
        self.schema = pa.schema(fields, about)

    def _read(self, **options: Any) -> tuple[dict[str, list[Any]], Any]:
        """Read some of the file."""
        import pyreadstat

        self._file.seek(0)
        if self._ending != ".por":
            options.setdefault("encoding", _BYTES)
        options.setdefault("disable_datetime_conversion", True)
        read = getattr(pyreadstat, _READERS[self._ending])
        found: tuple[dict[str, list[Any]], Any] = read(self._file, output_format="dict", **options)
        return found

    def rows(self, places: Sequence[int], most: int) -> tuple[Any, Iterator[Any]]:
        """Return the schema of some columns, and batches of all or the first of their rows."""
        raw = [self._facts.column_names[place] for place in places]
        fields = [self.schema.field(place) for place in places]
        dates = [name for name, field in zip(raw, fields, strict=True) if field.metadata]
        if most:
            fields = [pa.field(f.name, pa.string()) if f.metadata else f for f in fields]
        schema = pa.schema(fields)
        wide = sum(self._facts.variable_storage_width[name] or 8 for name in raw)
        step = max(1, min(_MOST_ROWS, _CHUNK // max(wide, 1), most or _MOST_ROWS))

        def batches() -> Iterator[Any]:
            for offset in range(0, most or sys.maxsize, step):
                part = {"row_offset": offset, "row_limit": step}
                found = self._read(usecols=raw, **part)[0]
                if most and dates:
                    with suppress(Exception):
                        shown = self._read(usecols=dates, disable_datetime_conversion=False, **part)
                        found |= shown[0]
                arrays = [self._array(found[n], f) for n, f in zip(raw, fields, strict=True)]
                yield pa.record_batch(arrays, schema=schema)
                if len(arrays[0]) < step:
                    return

        return schema, batches()

    def _text(self, text: Any) -> str:
        """Return a text that was read a byte a letter, by the file's encoding or else by a guess.

        Each text by itself: a byte that is no letter becomes U+FFFD.
        """
        if not isinstance(text, str):
            return number_text(text) or ""
        if text.isascii():
            return text
        raw = text.encode("latin-1", "replace")
        with suppress(UnicodeDecodeError):
            return raw.decode(self._codec or "utf-8")
        return raw.decode(self._codec or "cp1252", "replace")

    def _field(self, raw: str) -> Any:
        """Return a column's name and type; one whose numbers are shown as dates is marked."""
        kind = self._facts.readstat_variable_types[raw]
        shown_as = self._facts.original_variable_types[raw] or ""
        is_date = bool(_STATA_DATE.match(shown_as) or _DATE.fullmatch(shown_as))
        marked = {"date": "yes"} if is_date else None
        return pa.field(self._text(raw), _TYPES.get(kind, pa.float64()), metadata=marked)

    def _labels(self, raw: str) -> tuple[str, list[tuple[str, str]], list[str]]:
        """Return label, values and missing values of a column."""
        values = self._facts.variable_value_labels.get(raw, {})
        offered = values.items() if len(values) <= MOST_LABELS else ()
        ranges = [
            (self._text(one["lo"]), self._text(one["hi"]))
            for one in self._facts.missing_ranges.get(raw, ())
        ]
        return (
            self._text(self._facts.column_names_to_labels.get(raw) or ""),
            [(self._text(value), self._text(label)) for value, label in offered],
            [low if low == high else f"{low} to {high}" for low, high in ranges],
        )

    def _array(self, cells: Sequence[Any], field: Any) -> Any:
        """Return cells of a column; an empty text is missing."""
        if field.type != pa.string():
            return pa.array(cells, field.type, from_pandas=True)
        known = {cell: self._text(str(cell)) if cell else None for cell in set(cells)}
        return pa.array([known[cell] for cell in cells], pa.string())
