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
from typing import Any, BinaryIO

import pyarrow as pa

from dpca_core.data.errors import TableError
from dpca_core.tables.apart import NAME, read_apart
from dpca_core.tables.table import TYPE, Labels, Parts, Table, TypedTable, text_of

MOST_LABELS = 50
"""A longer list of values is not offered."""
_CHUNK, _MOST_ROWS = 2**24, 2**18
"""Bytes and rows that are read at a time: the reader begins anew for each part of the file."""
_READERS = {".zsav": "read_sav", ".xpt": "read_xport"}
"""By ending, where a reader has another name than that."""
_TYPES = {
    **dict.fromkeys(("string", "string ref"), pa.string()),
    **dict.fromkeys(("int8", "int16", "int32"), pa.int64()),
}
"""All others are floating."""
_DATE = re.compile(
    r"(?:[AEJS]?DATE|DATETIME|YMDHMS|[DM]?TIME|MOYR|QYR|WKYR|WEEKDAT[EX]|DTDATE|MONYY|YYMON|YYMM"
    r"|(?:MMDDYY|DDMMYY|YYMMDD)[BCDNPS]?|(?:IS|E|B)8601(?:DA|DT|DN|TM)|(?:DATE|MDY|TIME)AMPM|TOD"
    r"|HHMM|JULIAN)\d*(?:\.\d*)?|%-?(?:t[a-zA-Z]|d).*"
)
"""Formats by which numbers are shown as dates and times: those of SPSS and SAS, and Stata's."""


def statistics_table(name: str, open_: Callable[[], BinaryIO], ending: str) -> Table:
    """Read the dictionary of a file; its rows are read in a process of their own."""

    @contextmanager
    def stream(places: Sequence[int] = (), most: int = 0) -> Generator[Any]:
        options = {"ending": ending, "places": [*places], "most": most}
        with open_() as file, read_apart(name, file, statistics_batches, **options) as found:
            yield found

    def parts(places: Sequence[int], most: int) -> Parts:
        with stream(places, most) as found:
            yield from found

    with stream() as found:
        schema = found.schema
    table = TypedTable(name, schema, int(schema.metadata[b"rows"]), parts)
    table.labels = {
        column: Labels(text, tuple(map(tuple, values)), tuple(missing))
        for column, (text, values, missing) in json.loads(schema.metadata[b"labels"]).items()
    }
    return table


def statistics_batches(
    file: BinaryIO, *, ending: str, places: Sequence[int], most: int
) -> tuple[Any, Iterator[Any]]:
    """Return an Arrow schema of all columns, or of the columns in some places with their rows.

    All rows, or the first of them to look at: then dates are texts, not the numbers they are.
    """
    try:
        dictionary = _Dictionary(file, ending)
        schema = dictionary.schema()
    except Exception:
        raise TableError(f"{NAME} cannot be read as a {ending} file; it may be damaged.") from None
    return dictionary.rows(schema, places, most) if places else (schema, iter(()))


class _Dictionary:
    """What a file says about its columns, which it names by bytes: every one is a letter here.

    So the reader fails at none, and texts are decoded afterwards.
    """

    def __init__(self, file: BinaryIO, ending: str) -> None:
        self._file, self._ending, self._codec = file, ending, ""
        # Of these two kinds no value can be declared missing.
        more = {} if ending in (".por", ".xpt") else {"user_missing": True}
        self._facts = self._read(metadataonly=True, **more)[1]
        with suppress(Exception):
            found = self._read(metadataonly=True, encoding=None)[1].file_encoding
            self._codec = codecs.lookup(found).name

    def _read(self, **options: Any) -> Any:
        """Read some of the file: cells by column, and what it says of itself."""
        import pyreadstat

        self._file.seek(0)
        if self._ending != ".por":
            options.setdefault("encoding", "ISO-8859-1")
        options.setdefault("disable_datetime_conversion", True)
        read = getattr(pyreadstat, _READERS.get(self._ending, f"read_{self._ending[1:]}"))
        return read(self._file, output_format="dict", **options)

    def schema(self) -> Any:
        """Return names and types of all columns, how many rows there are, and what has labels."""
        facts, fields, labels = self._facts, [], {}
        for raw in facts.column_names:
            name, kind = self._text(raw), facts.readstat_variable_types[raw]
            is_date = _DATE.fullmatch(facts.original_variable_types[raw] or "")
            about = {TYPE: "date or time"} if is_date else None
            fields.append(pa.field(name, _TYPES.get(kind, pa.float64()), metadata=about))
            if any(said := self._labels(raw)):
                labels[name] = said
        return pa.schema(
            fields, {"labels": json.dumps(labels), "rows": str(facts.number_rows or 0)}
        )

    def _labels(self, raw: str) -> tuple[str, list[tuple[str, str]], list[str]]:
        """Return label, values and missing values of a column."""
        facts, text = self._facts, self._text
        values = facts.variable_value_labels.get(raw, {})
        offered = values.items() if len(values) <= MOST_LABELS else ()
        ends = [(text(one["lo"]), text(one["hi"])) for one in facts.missing_ranges.get(raw, ())]
        return (
            text(facts.column_names_to_labels.get(raw) or ""),
            [(text(value), text(label)) for value, label in offered],
            [low if low == high else f"{low} to {high}" for low, high in ends],
        )

    def rows(self, schema: Any, places: Sequence[int], most: int) -> tuple[Any, Iterator[Any]]:
        """Return the schema of some columns, and batches of all or the first of their rows."""
        raw = [self._facts.column_names[place] for place in places]
        fields = [schema.field(place) for place in places]
        dates = [name for name, field in zip(raw, fields, strict=True) if field.metadata]
        if most:
            fields = [pa.field(f.name, pa.string()) if f.metadata else f for f in fields]
        wide = sum(max(self._facts.variable_storage_width[name] or 8, 8) for name in raw)
        step = max(1, min(_MOST_ROWS, _CHUNK // max(wide, 1), most or _MOST_ROWS))

        def batches() -> Iterator[Any]:
            for offset in range(0, most or sys.maxsize, step):
                part: dict[str, Any] = {"row_offset": offset, "row_limit": step}
                found = self._read(usecols=raw, **part)[0]
                with suppress(Exception):
                    if most and dates:
                        part["disable_datetime_conversion"] = False
                        found |= self._read(usecols=dates, **part)[0]
                # Cells are given back as soon as they are read: the next part needs their room.
                arrays = [
                    self._array(found.pop(n), f.type) for n, f in zip(raw, fields, strict=True)
                ]
                rows = len(arrays[0])
                yield pa.record_batch(arrays, schema=pa.schema(fields))
                del arrays
                if rows < step:
                    return

        return pa.schema(fields), batches()

    def _array(self, cells: Sequence[Any], kind: Any) -> Any:
        """Return cells of a column; an empty text is missing."""
        if kind != pa.string():
            return pa.array(cells, kind, from_pandas=True)
        known = {cell: self._text(str(cell)) if cell else None for cell in set(cells)}
        return pa.array([known[cell] for cell in cells], pa.string())

    def _text(self, text: Any) -> str:
        """Return a text read a byte a letter, by the file's encoding or else by a guess."""
        if not isinstance(text, str):
            return text_of(text) or ""
        raw = text.encode("latin-1", "replace")
        with suppress(UnicodeDecodeError):
            return raw.decode(self._codec or "utf-8")
        return raw.decode(self._codec or "cp1252", "replace")
