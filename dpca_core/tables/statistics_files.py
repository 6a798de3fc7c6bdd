"""Files of statistics programs (.sav, .zsav, .por, .dta, .sas7bdat, .xpt) as tables.

What a column is, the file's own dictionary says: a number, a text, or a date, which is refused by
its type. A value that the file declares missing is missing. Labels of values and columns are shown
to the owner, who confirms them: programs make them from the answers (Stata's ``encode``, R's
factors), so they count as read from the file, and the order of a list is no scale's.
"""

import codecs
import json
import re
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import pyarrow as pa

from dpca_core.data.errors import TableError
from dpca_core.tables.apart import read_apart, require_installed
from dpca_core.tables.arrow_table import TypedTable, cells_of, frame_to_look_at, number_text
from dpca_core.tables.table import Batch

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
        """Read the file's dictionary.

        Raises
        ------
        TableError
            Where it is damaged, or not of the kind that its name says.
        """
        require_installed(name, "pyreadstat", "a file of a statistics program")
        self._open, self._ending = open_, ending.lower()
        with self._stream(name, {"places": []}) as stream:
            schema = stream.schema
        facts = schema.metadata
        super().__init__(name, schema.names, [_declared(field) for field in schema])
        self._rows = int(facts[_ROWS])
        self.labels = {
            column: Labels(text, tuple((value, label) for value, label in values), tuple(missing))
            for column, (text, values, missing) in json.loads(facts[_LABELS]).items()
        }

    @contextmanager
    def _stream(self, name: str, options: Mapping[str, Any]) -> Generator[Any]:
        """Open the file and read it apart."""
        options = {**options, "ending": self._ending}
        with self._open() as file, read_apart(name, file, statistics_batches, options) as stream:
            yield stream

    def _read(self, numbers: Sequence[str], texts: Sequence[str]) -> Iterator[Batch]:
        read, names = 0, (*numbers, *texts)
        places = [self.columns.index(name) for name in names]
        with self._stream(self.name, {"places": places}) as stream:
            for part in stream:
                chosen = dict(zip(names, part.columns, strict=True))
                read += len(part)
                self.done = read / max(self._rows, read)
                yield Batch(len(part), cells_of(chosen, numbers))
        self.done = 1.0

    def first_rows(self, rows: int) -> "DataFrame":
        """Return the first rows to look at: texts as texts, numbers as numbers."""
        options = {"places": list(range(len(self.columns))), "most": rows}
        with self._stream(self.name, options) as stream:
            return frame_to_look_at(self.columns, stream.read_all().columns)


def _declared(field: Any) -> Any:
    """Return a column's type, or what it is where numbers stand for dates."""
    return "date or time" if (field.metadata or {}).get(b"date") else field.type


def statistics_batches(
    file: BinaryIO,
    *,
    name: str,
    ending: str,
    places: Sequence[int],
    most: int = 0,
) -> tuple[Any, Iterator[Any]]:
    """Return an Arrow schema of all columns, or of some with their rows.

    Parameters
    ----------
    places
        Which columns to read; with none the schema of all is returned, without rows.
    most
        Rows to read, to look at: dates as texts; 0 for all, with dates as the numbers they are.

    Raises
    ------
    TableError
        Where the file is no such file.
    """

    def read(**options: Any) -> tuple[dict[str, list[Any]], Any]:
        """Read some of the file with pyreadstat."""
        import pyreadstat

        file.seek(0)
        if ending != ".por":
            options.setdefault("encoding", _BYTES)
        options.setdefault("disable_datetime_conversion", True)
        found = getattr(pyreadstat, _READERS[ending])(file, output_format="dict", **options)
        return cast(tuple[dict[str, list[Any]], Any], found)

    damaged = f"{name} cannot be read as a {ending} file; it may be damaged."
    user_missing = {} if ending in (".por", ".xpt") else {"user_missing": True}
    try:
        _, facts = read(metadataonly=True, **user_missing)
    except Exception:
        raise TableError(damaged) from None
    codec = None
    with suppress(Exception):
        codec = codecs.lookup(read(metadataonly=True, encoding=None)[1].file_encoding).name
    decode = partial(_decoded, codec=codec)
    fields = [_field(raw, facts, decode) for raw in facts.column_names]
    if not places:
        about = {_LABELS: json.dumps(_labels(facts, decode)), _ROWS: str(facts.number_rows or 0)}
        return pa.schema(fields, about), iter(())
    chosen = [fields[place] for place in places]
    schema = pa.schema([_shown(field) for field in chosen] if most else chosen)
    raw_names = [facts.column_names[place] for place in places]
    dates = [raw for raw, field in zip(raw_names, chosen, strict=True) if field.metadata]
    wide = sum(facts.variable_storage_width[raw] or 8 for raw in raw_names)
    step = max(1, min(_MOST_ROWS, _CHUNK // max(wide, 1), most or _MOST_ROWS))

    def batches() -> Iterator[Any]:
        offset, got = 0, step
        while got == step and not (most and offset >= most):
            part = {"row_offset": offset, "row_limit": step}
            found, _ = read(usecols=raw_names, **part)
            if most and dates:
                with suppress(Exception):
                    found |= read(usecols=dates, disable_datetime_conversion=False, **part)[0]
            arrays = [_array(found[r], f, decode) for r, f in zip(raw_names, schema, strict=True)]
            got = len(arrays[0])
            offset += got
            if got:
                yield pa.record_batch(arrays, schema=schema)

    return schema, batches()


def _decoded(text: str, codec: str | None) -> str:
    """Return a text that was read a byte a letter, by the file's encoding or else by a guess.

    Each text by itself: a byte that is no letter becomes U+FFFD.
    """
    if text.isascii():
        return text
    raw = text.encode("latin-1", "replace")
    with suppress(UnicodeDecodeError):
        return raw.decode(codec or "utf-8")
    return raw.decode(codec or "cp1252", "replace")


def _field(raw: str, facts: Any, decode: Callable[[str], str]) -> Any:
    """Return a column's name and type; one whose numbers are shown as dates is marked."""
    kind = facts.readstat_variable_types[raw]
    shown_as = facts.original_variable_types[raw] or ""
    is_date = bool(_STATA_DATE.match(shown_as) or _DATE.fullmatch(shown_as))
    types = {"string": pa.string(), "string ref": pa.string()}
    types |= dict.fromkeys(("int8", "int16", "int32"), pa.int64())
    return pa.field(
        decode(raw), types.get(kind, pa.float64()), metadata={"date": "yes"} if is_date else None
    )


def _shown(field: Any) -> Any:
    """Return a field to look at: of dates, texts."""
    return pa.field(field.name, pa.string()) if field.metadata else field


def _labels(facts: Any, decode: Callable[[str], str]) -> dict[str, Any]:
    """Return label, values and missing values of each column that has any."""
    found = {}
    for raw in facts.column_names:
        values = facts.variable_value_labels.get(raw, {})
        if len(values) > MOST_LABELS:
            values = {}
        named = [(_value(value, decode), decode(label)) for value, label in values.items()]
        missing = [_range(one, decode) for one in facts.missing_ranges.get(raw, ())]
        text = decode(facts.column_names_to_labels.get(raw) or "")
        if text or named or missing:
            found[decode(raw)] = (text, named, missing)
    return found


def _value(value: Any, decode: Callable[[str], str]) -> str:
    return decode(value) if isinstance(value, str) else number_text(value) or ""


def _range(one: Mapping[str, Any], decode: Callable[[str], str]) -> str:
    low, high = _value(one["lo"], decode), _value(one["hi"], decode)
    return low if low == high else f"{low} to {high}"


def _array(cells: Sequence[Any], field: Any, decode: Callable[[str], str]) -> Any:
    """Return cells of a column; an empty text is missing."""
    if field.type != pa.string():
        return pa.array(cells, field.type, from_pandas=True)
    known = {cell: decode(str(cell)) if cell else None for cell in set(cells)}
    return pa.array([known[cell] for cell in cells], pa.string())
